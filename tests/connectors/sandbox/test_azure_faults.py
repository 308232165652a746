"""What goes wrong with the sandbox's Azure retail price list on purpose, and both answers to what nobody knows."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import Message
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from connectors.sandbox import Sandbox
from connectors.sandbox.azure import BadRequest, Manner
from connectors.sandbox.azure_faults import AzureFaults, AzureUnverified, throttled, throttled_until
from connectors.sandbox.azure_list import Shelf
from tests.connectors.sandbox.azure_asking import AUGUST_2026, BASE, PREVIEW, items_of, page, pages

GPUS = "armRegionName eq 'eastus' and startswith(armSkuName,'Standard_N')"
WHOLE = Shelf(AUGUST_2026)
OWN_HEADER = "x-ms-ratelimit-retailprices-retry-after"


def rows(manner: Manner, on: Shelf = WHOLE) -> list[str]:
    """The items of eastus's GPU sizes along the links, as texts."""
    return [json.dumps(item) for item in items_of(pages(GPUS, on, manner))]


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    """A sandbox, for what only a server shows. Tests put its switches back."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(running: Sandbox) -> Iterator[Sandbox]:
    """The running sandbox, all switches off before and after."""
    yield running
    running.faults.clear()
    running.azure_unverified.clear()


def ask(sandbox: Sandbox, filter: str = GPUS) -> tuple[int, Message, bytes]:
    """Status, headers and body of a request."""
    query = urlencode({"api-version": PREVIEW, "$filter": filter})
    try:
        with urllib.request.urlopen(f"{sandbox.azure_retail_prices_url}/api/retail/prices?{query}") as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def test_an_empty_page_with_more_to_come() -> None:
    """Page 1 of the pages of 100 is empty and links on; together they still hold every item."""
    found = pages(GPUS, AUGUST_2026, Manner(BASE, 100, AzureFaults(empty_page=1)))

    assert [one["Count"] for one in found[:3]] == [100, 0, 100]
    assert found[1]["Items"] == [] and found[1]["NextPageLink"]
    assert {json.dumps(item) for item in items_of(found)} == set(rows(Manner(BASE)))


def test_rows_lost_at_a_border() -> None:
    """With two rows lost at each border and none repeated, two are missing for each link that was followed."""
    whole = rows(Manner(BASE))
    found = pages(GPUS, AUGUST_2026, Manner(BASE, 100, AzureFaults(lost_at_border=2)))
    texts = [json.dumps(item) for item in items_of(found)]

    assert texts == [row for place, row in enumerate(whole) if place % 102 < 100]
    assert len(texts) == len(set(texts)) < len(whole)


@pytest.mark.parametrize(("loop", "skips"), [("itself", ["0", "0"]), ("back", ["100", "0"])])
def test_links_that_go_round(loop: str, skips: list[str]) -> None:
    """A page links to itself, or to the one before it, and the walk has no end."""
    found = pages(GPUS, AUGUST_2026, Manner(BASE, 100, AzureFaults(link_loop=loop)))

    assert [one["NextPageLink"].rpartition("skip=")[2] for one in found[:2]] == skips
    assert len(found) == 50


def test_a_link_to_another_host() -> None:
    """The link's path and query are as they should be."""
    faults = AzureFaults(link_host="https://prices.example.com")
    link = urlsplit(page(AUGUST_2026, GPUS, 100, faults)["NextPageLink"])

    assert (link.netloc, link.path) == ("prices.example.com", "/api/retail/prices")
    assert link.query.endswith("skip=100")


def test_sizes_that_vanish_and_come_back() -> None:
    """Missing as long as they are named, in that region alone; then they are back as they were."""
    size = "Standard_ND96isr_H100_v5"
    without = Shelf(AUGUST_2026, without_sizes=frozenset({("eastus", size)}))
    of_size = f"armSkuName eq '{size}' and armRegionName eq"

    assert page(without, f"{of_size} 'eastus'")["Count"] == 0
    assert page(without, f"{of_size} 'westus3'")["Count"] > 0
    assert page(AUGUST_2026, f"{of_size} 'eastus'")["Count"] > 0
    assert {row for row in rows(Manner(BASE)) if size not in row} == set(rows(Manner(BASE), without))


def test_half_the_sizes_missing() -> None:
    """Every other size of the region is gone, wholly."""
    sizes = [
        {item["armSkuName"] for item in items_of(pages(GPUS, shelf, Manner(BASE)))}
        for shelf in (Shelf(AUGUST_2026), Shelf(AUGUST_2026, halved_regions=frozenset({"eastus"})))
    ]

    assert sizes[1] < sizes[0]
    assert abs(len(sizes[1]) - len(sizes[0]) / 2) < 2


def test_a_region_gone_and_a_new_one() -> None:
    """One is answered like a misspelt one, the other sells GPUs though nobody listed it."""
    shelf = Shelf(AUGUST_2026, without_regions=frozenset({"eastus"}), new_region="atlantiscentral")
    new = page(shelf, "armRegionName eq 'atlantiscentral' and armSkuName eq 'Standard_ND96isr_H100_v5'")["Items"]

    assert page(shelf, "armRegionName eq 'eastus'")["Count"] == 0
    assert 98.32 in [item["retailPrice"] for item in new]
    assert "atlantiscentral" in {item["armRegionName"] for item in page(shelf, "", 99_999)["Items"]}


def test_a_count_that_differs_from_the_items() -> None:
    """Count says one less than there are."""
    found = page(AUGUST_2026, GPUS, faults=AzureFaults(count_off=-1))

    assert found["Count"] == len(found["Items"]) - 1


@pytest.mark.parametrize("units", ["0", 0, 0.0])
def test_the_types_of_tier_minimum_units(units: object) -> None:
    """All three have been seen."""
    found = page(AUGUST_2026, GPUS, faults=AzureFaults(tier_minimum_units=units))["Items"]

    assert {(type(item["tierMinimumUnits"]), item["tierMinimumUnits"]) for item in found} == {(type(units), units)}


def test_prices_as_text() -> None:
    """98.32 in quotes, and so in savings plans."""
    wanted = "armRegionName eq 'eastus' and armSkuName eq 'Standard_ND96isr_H100_v5'"
    found = page(AUGUST_2026, wanted, faults=AzureFaults(prices_as_text=True), api_version=PREVIEW)["Items"]
    plans: list[dict[str, Any]] = [plan for item in found for plan in item.get("savingsPlan", [])]

    assert "98.32" in [item["retailPrice"] for item in found]
    assert all(isinstance(one[name], str) for one in [*found, *plans] for name in ("retailPrice", "unitPrice"))


def test_a_field_more_and_a_field_less() -> None:
    """Each item has the unknown field and lacks the missing one."""
    found = items_of(pages(GPUS, AUGUST_2026, Manner(BASE, unknown_field="colour", missing_field="unitOfMeasure")))

    assert all("colour" in item and "unitOfMeasure" not in item for item in found)


def test_clear_turns_every_switch_off() -> None:
    """After it they are as on the first day."""
    faults = AzureFaults(without_sizes={("eastus", "x")}, new_region="y", empty_page=0, count_off=1, link_loop="back")
    unverified = AzureUnverified(more_operators=True, type_name=False, top=True, other_clouds=False, quota=1)
    faults.clear()
    unverified.clear()

    assert (faults, unverified) == (AzureFaults(), AzureUnverified())


def test_switches_of_a_running_sandbox(sandbox: Sandbox) -> None:
    """They work on the next answer."""
    sandbox.faults.azure.without_sizes.add(("eastus", "Standard_ND96isr_H100_v5"))
    sandbox.faults.azure.count_off = 1
    sandbox.azure_unverified.other_clouds = False
    one, other = (json.loads(ask(sandbox, text)[2]) for text in (GPUS, "armRegionName eq 'usgovvirginia'"))

    assert "Standard_ND96isr_H100_v5" not in {item["armSkuName"] for item in one["Items"]}
    assert (len(one["Items"]) + 1, other["Count"]) == (one["Count"], 1)


def test_throttling_with_the_services_own_header(sandbox: Sandbox) -> None:
    """429 with x-ms-ratelimit-retailprices-retry-after and no Retry-After, then the answer."""
    sandbox.faults.fail_next(1, 429, throttled(30))
    refused, good = ask(sandbox), ask(sandbox)

    assert (refused[0], refused[1][OWN_HEADER], refused[1]["Retry-After"]) == (429, "30", None)
    assert good[0] == 200


def test_throttling_with_a_date(sandbox: Sandbox) -> None:
    """429 with Retry-After as an HTTP date."""
    sandbox.faults.fail_next(1, 429, throttled_until(datetime(2026, 8, 1, 5, 43, tzinfo=UTC)))
    status, headers, _ = ask(sandbox)

    assert (status, headers["Retry-After"]) == (429, "Sat, 01 Aug 2026 05:43:00 GMT")


@pytest.mark.parametrize("without", [True, False])
def test_quota_headers_come_with_good_answers_or_not(sandbox: Sandbox, without: bool) -> None:
    """What is left, and the seconds to wait; some answers lack both."""
    sandbox.faults.azure.without_quota_headers = without
    status, headers, _ = ask(sandbox)

    assert status == 200
    assert (headers[OWN_HEADER] is None) is without
    assert (headers["x-ms-ratelimit-remaining-retailprices-requests"] is None) is without


@pytest.mark.parametrize(("quota", "statuses"), [(2, [200, 200, 429, 200, 200, 429]), (5000, [200] * 6)])
def test_a_small_quota_or_a_large_one(sandbox: Sandbox, quota: int, statuses: list[int]) -> None:
    """After so many good answers comes a 429, and then another window."""
    sandbox.faults.fail_next(1, 500)
    ask(sandbox)
    sandbox.azure_unverified.quota = 0
    ask(sandbox)  # begins a window
    sandbox.azure_unverified.quota = quota
    answers = [ask(sandbox) for _ in range(6)]

    assert [status for status, _, _ in answers] == statuses
    assert answers[0][1]["x-ms-ratelimit-remaining-retailprices-requests"] == str(quota - 1)


def test_a_page_of_html_with_status_200(sandbox: Sandbox) -> None:
    """As a proxy answers."""
    sandbox.faults.fail_next(1, 200, {"Content-Type": "text/html"}, b"<html>Service unavailable</html>")
    status, headers, body = ask(sandbox)

    assert (status, headers["Content-Type"], body[:6]) == (200, "text/html", b"<html>")


@pytest.mark.parametrize("works", [True, False])
def test_more_operators_or_a_bad_request(works: bool) -> None:
    """`ne` finds what `eq` doesn't, or is answered with 400."""
    unverified = AzureUnverified(more_operators=works)
    wanted = f"{GPUS} and priceType ne 'Reservation'"
    if works:
        types = {item["type"] for item in page(AUGUST_2026, wanted, unverified=unverified)["Items"]}
        assert types == {"Consumption", "DevTestConsumption"}
    else:
        with pytest.raises(BadRequest):
            page(AUGUST_2026, wanted, unverified=unverified)


@pytest.mark.parametrize("works", [True, False])
def test_type_is_a_filters_name_or_not(works: bool) -> None:
    """`type eq` does what `priceType eq` does, or is answered with 400."""
    unverified = AzureUnverified(type_name=works)
    asked = f"{GPUS} and type eq 'Reservation'"
    if works:
        assert page(AUGUST_2026, asked, unverified=unverified) == page(
            AUGUST_2026, asked.replace("type", "priceType"), unverified=unverified
        ) | {"NextPageLink": None}
    else:
        with pytest.raises(BadRequest):
            page(AUGUST_2026, asked, unverified=unverified)


def test_top_limits_the_answer_or_is_ignored() -> None:
    """$top=150 in pages of 100 gives 150 rows, and then no link; or as many as without it."""
    limited = pages(GPUS, AUGUST_2026, Manner(BASE, 100, unverified=AzureUnverified(top=True)), **{"$top": "150"})
    ignored = pages(GPUS, AUGUST_2026, Manner(BASE, 100), **{"$top": "150"})

    assert [one["Count"] for one in limited] == [100, 50]
    assert limited[-1]["NextPageLink"] is None
    assert items_of(ignored) == items_of(pages(GPUS, AUGUST_2026, Manner(BASE, 100)))


@pytest.mark.parametrize("there", [True, False])
def test_rows_of_other_clouds_are_there_or_not(there: bool) -> None:
    """Azure Government's and China's."""
    found = page(Shelf(AUGUST_2026, other_clouds=there), "startswith(armSkuName,'Standard_N')", 99_999)["Items"]
    regions = {item["armRegionName"] for item in found}

    assert ("usgovvirginia" in regions, "chinanorth3" in regions, "eastus" in regions) == (there, there, True)
