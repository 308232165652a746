"""The sandbox's Azure Resource Graph: queries, pages, and the quota."""

from typing import Any, Literal

import pytest

from connectors.sandbox import Sandbox
from tests.connectors.sandbox.arm_asking import (
    FIRST,
    GRAPH,
    PRICES,
    RATES,
    SECOND,
    SHOWN,
    ask,
    get,
    graph_pages,
    rows,
)

A100 = "sku.name in~ ('standard_nc24ads_a100_v4', 'Standard_NC48ads_A100_v4') and location in~ ('EastUS')"


def test_the_documented_query_of_prices(arm: Sandbox) -> None:
    """NC24ads_A100_v4 costs 0.67877 in eastus on 2026-08-01 and NC48ads_A100_v4 1.357541."""
    query = f"""
        {PRICES}
        | where {A100}
        | where properties.osType =~ 'Linux'  // in any case
        | project skuName = sku.name, osType = properties.osType, location,
                  latestSpotPriceUSD = properties.spotPrices[0].priceUSD
        | order by latestSpotPriceUSD asc
    """
    found = ask(arm, query).json()

    assert found["data"] == [
        {
            "skuName": f"standard_nc{cores}ads_a100_v4",
            "osType": "linux",
            "location": "eastus",
            "latestSpotPriceUSD": price,
        }
        for cores, price in ((24, 0.67877), (48, 1.357541))
    ]
    assert (found["totalRecords"], found["count"], found["resultTruncated"]) == (2, 2, "false")


def test_the_documented_query_of_eviction_rates(arm: Sandbox) -> None:
    """A band of percent for each size and region, without a system."""
    shown = "project skuName = tostring(sku.name), location, spotEvictionRate = tostring(properties.evictionRate)"
    found = rows(arm, f"{RATES} | where {A100} | {shown} | order by skuName asc, location asc")

    assert [row["skuName"] for row in found] == ["standard_nc24ads_a100_v4", "standard_nc48ads_a100_v4"]
    assert {row["spotEvictionRate"] for row in found} <= {"0-5", "5-10", "10-15", "15-20", "20+"}


def test_a_row_has_the_columns_of_the_table(arm: Sandbox) -> None:
    """Without `project` all come, with sku and properties as objects, and names in small letters."""
    (row,) = rows(arm, f"{PRICES} | where sku.name == 'standard_nc24ads_a100_v4' and location == 'eastus' and "
                       "properties['osType'] == 'linux'")  # fmt: skip

    assert {"id", "name", "type", "location", "sku", "properties", "tenantId", "tags"} <= set(row)
    assert row["sku"] == {"name": "standard_nc24ads_a100_v4"}
    assert row["properties"]["osType"] == "linux"


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("sku.name == 'Standard_NC24ads_A100_v4'", 0),  # == tells upper from lower case, =~ doesn't
        ("sku.name =~ 'Standard_NC24ads_A100_v4'", 2),
        ("sku =~ 'standard_nc24ads_a100_v4'", 0),  # an object
        ("properties.ostype =~ 'linux' and sku.name has_not", None),
        ("(sku.name =~ 'standard_nc24ads_a100_v4' or sku.name =~ 'standard_nc48ads_a100_v4')", 4),
        ("sku.name startswith 'standard_nc24ads' and properties.osType !~ 'windows'", 1),
        ("tolower(sku.name) in ('standard_nc24ads_a100_v4') and isnotempty(properties.spotPrices)", 2),
        ("sku.name in~ ('Standard_NC24ads_A100_v4') and todouble(properties.spotPrices[0].priceUSD) < 1", 1),
    ],
)
def test_conditions(arm: Sandbox, condition: str, count: int | None) -> None:
    """Rows of eastus: NC24ads_A100_v4 and NC48ads_A100_v4 each have one of Linux and one of Windows (dearer than 1)."""
    answer = ask(arm, f"{PRICES} | where location =~ 'eastus' | where {condition}")

    if count is None:
        assert answer.status_code == 400
    else:
        assert answer.json()["totalRecords"] == count


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("Resources", "DisallowedLogicalTableName"),
        ("SpotResources | where region == 'eastus'", "InvalidQuery"),
        ("SpotResources | project location | where id == ''", "InvalidQuery"),
        ("SpotResources | summarize count()", "InvalidQuery"),
        ("SpotResources | where location", None),
        ("SpotResources | where location ==", "InvalidQuery"),
        ("SpotResources | where location == 'eastus' 5", "InvalidQuery"),
        ("SpotResources | where location ~ 'eastus'", "InvalidQuery"),
        ("SpotResources | where strlen(location) > 3", "InvalidQuery"),
        ("", "DisallowedLogicalTableName"),
    ],
)
def test_what_is_not_understood_is_said(arm: Sandbox, query: str, word: str | None) -> None:
    """400 BadRequest whose details name the fault; never rows."""
    answer = ask(arm, query)

    if word is None:
        assert answer.status_code == 200
        return
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "BadRequest")
    assert answer.json()["error"]["details"][0]["code"] == word


@pytest.mark.parametrize("options", [{"top": 0 - 1}, {"top": 1001}, {"top": "many"}, {"skipToken": "x"}])
def test_options_that_cannot_be(arm: Sandbox, options: dict[str, Any]) -> None:
    """400."""
    assert ask(arm, PRICES, **options).status_code == 400


def test_tokens_lead_through_all_rows(arm: Sandbox) -> None:
    """Pages of 300 hold as many rows as totalRecords says, each once, in the order asked for."""
    pages = graph_pages(arm, f"{PRICES} | {SHOWN}", top=300)
    ids = [row["id"] for page in pages for row in page["data"]]

    assert [page["count"] for page in pages[:-1]] == [300] * (len(pages) - 1)
    assert {page["totalRecords"] for page in pages} == {len(ids)}
    assert ids == sorted(set(ids))
    assert {page["resultTruncated"] for page in pages} == {"false"}


@pytest.mark.parametrize("told", [True, False])
def test_without_the_id_there_is_one_page(arm: Sandbox, told: bool) -> None:
    """1000 rows of more, and no token. Nobody knows if resultTruncated tells."""
    arm.arm_unverified.truncation_told = told
    (page,) = graph_pages(arm, f"{PRICES} | project location, sku.name")

    assert page["count"] == 1000 < page["totalRecords"]
    assert page["resultTruncated"] == ("true" if told else "false")
    assert set(page["data"][0]) == {"location", "sku_name"}


def test_a_limit_ends_the_pages(arm: Sandbox) -> None:
    """`limit` disables the token, though the id is there."""
    (page,) = graph_pages(arm, f"{PRICES} | {SHOWN} | limit 700", top=500)

    assert (page["count"], page["totalRecords"]) == (500, 700)


def test_rows_without_ids_cannot_be_paged(arm: Sandbox) -> None:
    """If SpotResources has no ids, they are empty, and nothing follows the first page."""
    arm.arm_unverified.row_ids = False
    (page,) = graph_pages(arm, f"{PRICES} | {SHOWN}")

    assert {row["id"] for row in page["data"]} == {""}
    assert page["resultTruncated"] == "true"


def test_a_token_is_of_its_query(arm: Sandbox) -> None:
    """With another query it is refused."""
    token = ask(arm, f"{PRICES} | {SHOWN}").json()["$skipToken"]

    assert ask(arm, f"{RATES} | {SHOWN}", skipToken=token).status_code == 400


@pytest.mark.parametrize(
    ("scope", "tenant", "subscriptions"),
    [("either", True, True), ("tenant", True, False), ("subscriptions", False, True)],
)
def test_the_scope_that_has_rows(
    arm: Sandbox, scope: Literal["either", "tenant", "subscriptions"], tenant: bool, subscriptions: bool
) -> None:
    """Nobody knows whether a query must name subscriptions or must not; the wrong way gives no rows, and no error."""
    arm.arm_unverified.scope = scope
    counts = [ask(arm, PRICES, scoped).json()["count"] for scoped in (None, [], [FIRST, SECOND])]

    assert [count > 0 for count in counts] == [tenant, tenant, subscriptions]
    assert ask(arm, PRICES, ["00000000-0000-4000-8000-0000000000ff"]).status_code == 403


def test_rows_as_a_table(arm: Sandbox) -> None:
    """Columns and rows apart, as asked, and by the oldest version unasked."""
    query = f"{PRICES} | where {A100} | project location, properties | limit 1"
    for answer in (ask(arm, query, resultFormat="table"), ask(arm, query, version="2019-04-01")):
        data = answer.json()["data"]
        assert data["columns"] == [{"name": "location", "type": "string"}, {"name": "properties", "type": "object"}]
        assert data["rows"][0][0] == "eastus"


def test_the_quota_is_told_and_begins_anew(arm: Sandbox) -> None:
    """15 in 5 seconds: 14 are left after the first, and the window resets after 00:00:05 at most."""
    arm.faults.arm.strict_quota = True
    while ask(arm, RATES, top=1).status_code == 200:
        pass
    arm.faults.arm.strict_quota = False
    headers = [ask(arm, RATES, top=1).headers for _ in range(16)]

    assert [int(one["x-ms-user-quota-remaining"]) for one in headers] == [*range(14, -1, -1), 14]
    assert headers[0]["x-ms-user-quota-resets-after"] == "00:00:05"


def test_a_quota_that_is_spent_is_a_429(arm: Sandbox) -> None:
    """With a quota of 2 that is strict, of four requests in a window's row one is refused with Retry-After."""
    arm.arm_unverified.quota, arm.faults.arm.strict_quota = 2, True
    while ask(arm, RATES, top=1).status_code == 200:
        pass
    found = [ask(arm, RATES, top=1) for _ in range(4)]

    assert [one.status_code for one in found] == [200, 200, 429, 200]
    assert (found[2].headers["Retry-After"], found[2].headers["x-ms-user-quota-remaining"]) == ("5", "0")
    assert found[2].json()["error"]["code"] == "RateLimiting"


def test_pages_that_go_wrong(arm: Sandbox) -> None:
    """An empty page with a token, a token that leads nowhere, a total that differs, and rows that went missing."""
    query = f"{PRICES} | {SHOWN}"
    whole = rows(arm, query)
    arm.faults.arm.empty_page = 1
    pages = graph_pages(arm, query)
    assert [page["count"] for page in pages[:3]] == [1000, 0, 1000]
    assert [row for page in pages for row in page["data"]] == whole

    arm.faults.clear()
    arm.faults.arm.token_loop, arm.faults.arm.total_off = True, 7
    pages = graph_pages(arm, query)
    assert (len(pages), pages[0]["totalRecords"]) == (50, len(whole) + 7)

    arm.faults.clear()
    arm.faults.omitted_regions.add("eastus")
    assert {row["id"] for row in rows(arm, query)} == {row["id"] for row in whole if row["location"] != "eastus"}


@pytest.mark.parametrize("shift", [-1, 1])
def test_rows_that_come_twice_or_not_at_all(arm: Sandbox, shift: int) -> None:
    """At each border of pages of 1000 one row is repeated, or lost; totalRecords is as before."""
    query = f"{PRICES} | {SHOWN}"
    whole = [row["id"] for row in rows(arm, query)]
    arm.faults.arm.border_shift = shift
    pages = graph_pages(arm, query)
    found = [row["id"] for page in pages for row in page["data"]]

    assert len(found) == len(whole) - shift * (len(pages) - 1)
    assert set(whole) - set(found) == ({whole[1000], whole[2001]} if shift == 1 else set())
    assert pages[0]["totalRecords"] == len(whole)


def test_a_header_says_that_subscriptions_were_left_out(arm: Sandbox) -> None:
    """Beyond 10,000 of them."""
    assert "x-ms-tenant-subscription-limit-hit" not in ask(arm, RATES).headers
    arm.faults.arm.subscription_limit_hit = True
    assert ask(arm, RATES).headers["x-ms-tenant-subscription-limit-hit"] == "true"


def test_only_a_post_with_a_query_and_a_version_is_answered(arm: Sandbox) -> None:
    """A GET is 404, an unknown or missing version and a body without a query are 400."""
    assert get(arm, GRAPH, {"api-version": "2021-03-01"}).status_code == 404
    assert ask(arm, RATES, version="2000-01-01").status_code == 400
    assert ask(arm, RATES, version="").status_code == 400
    assert ask(arm, None, version="2021-03-01").status_code == 400  # type: ignore[arg-type]
