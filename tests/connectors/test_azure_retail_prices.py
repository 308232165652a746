"""The Azure walk against a real server: what is asked, how pages are followed, and when a walk is not to be trusted."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from connectors.azure_retail_prices import SOURCE
from connectors.client import Client
from connectors.contract import Record
from connectors.errors import SourceChanged, SourceError, SourceIncomplete, SourceUnavailable
from tests.connectors.scripted_server import Reply, ScriptedServer

FIXTURES = Path(__file__).parents[1] / "fixtures" / "azure_retail_prices"
PATH = "/api/retail/prices"
ITEM = {"armRegionName": "eastus", "armSkuName": "Standard_ND96isr_H100_v5"}


def page(items: Sequence[Record], following: str | None = None, count: int | None = None) -> Reply:
    """One page; `count` other than the number of items is a fault."""
    stated = len(items) if count is None else count
    return Reply(json.dumps({"Items": items, "NextPageLink": following, "Count": stated}).encode())


def numbered(*numbers: int) -> list[Record]:
    """Items that can be told apart."""
    return [ITEM | {"skuId": str(number)} for number in numbers]


def walk(server: ScriptedServer, client: Client) -> tuple[list[Record], SourceError | None]:
    """What a fetch of eastus gave, and the error that ended it."""
    got: list[Record] = []
    try:
        for record in SOURCE.fetch(client, server.url, "eastus/USD"):
            got.append(record)
    except SourceError as error:
        return got, error
    return got, None


def test_the_scopes_are_the_known_regions_in_dollars(server: ScriptedServer, client: Client) -> None:
    """The feed has no list of regions, so nothing is asked; each region once, in order."""
    assert SOURCE.scopes(client, server.url, "azure", ["westus3", "eastus", "westus3"]) == ("eastus/USD", "westus3/USD")
    assert server.asked == []


def test_the_recorded_pages_come_as_they_stand(server: ScriptedServer, client: Client) -> None:
    """Five and seven items; the next link is absolute, and is asked as it stands. Numbers keep their text."""
    link = f"{server.url}{PATH}?api-version=2023-01-01-preview&$skip=5"
    first = json.loads((FIXTURES / "page_1.json").read_text()) | {"NextPageLink": link}
    server.script[PATH] = [Reply(json.dumps(first).encode())]
    server.script[link.removeprefix(server.url)] = [Reply((FIXTURES / "page_2.json").read_bytes())]

    fetch = SOURCE.fetch(client, server.url, "eastus/USD")
    records = list(fetch)

    assert (len(records), fetch.lines_read) == (12, 12)
    assert (fetch.version, fetch.published_at, fetch.unchanged) == (None, None, False)
    assert [record["retailPrice"] for record in records[:5]] == [
        "98.32",
        "102.736",
        "18.169536",
        "551221.0",
        "1134310.0",
    ]
    assert records[5]["savingsPlan"] == [
        {"unitPrice": "2.26587", "retailPrice": "2.26587", "term": "3 Years"},
        {"unitPrice": "3.05741", "retailPrice": "3.05741", "term": "1 Year"},
    ]
    assert records[0]["isPrimaryMeterRegion"] is True
    assert records[0]["availabilityId"] is None


def test_what_is_asked(server: ScriptedServer, client: Client) -> None:
    """The version that returns savings plans, values in their exact case, the currency of the scope."""
    server.script[PATH] = [page([{"armRegionName": "swedencentral"}])]

    list(SOURCE.fetch(client, server.url + "/", "swedencentral/EUR"))

    assert server.asked[0].query == {
        "api-version": "2023-01-01-preview",
        "currencyCode": "EUR",
        "$filter": "serviceName eq 'Virtual Machines' and armRegionName eq 'swedencentral' "
        "and startswith(armSkuName,'Standard_N')",
    }


def test_pages_are_followed_to_the_end(server: ScriptedServer, client: Client) -> None:
    """No page count is assumed. An empty page with a next, and a row that comes twice, are part of it."""
    links = [f"{server.url}{PATH}?$skip={number}" for number in range(1, 15)]
    server.script[PATH] = [page(numbered(0), links[0])]
    for number, link in enumerate(links, start=1):
        following = links[number] if number < len(links) else ""
        items = [] if number == 7 else numbered(number - 1, number)
        server.script[link.removeprefix(server.url)] = [page(items, following)]

    records, error = walk(server, client)

    assert error is None
    assert len(records) == 1 + 2 * 13
    assert {record["skuId"] for record in records} == {str(number) for number in range(15)}
    assert [asked.query for asked in server.asked[1:]] == [{"$skip": str(number)} for number in range(1, 15)]


def test_a_next_link_with_the_port_spelled_out(server: ScriptedServer, client: Client) -> None:
    """Azure's own links say `:443`; here the port is the server's, and the host is written in capitals."""
    link = f"{server.url}{PATH}?$skip=1".replace("http://", "HTTP://")
    server.script[PATH] = [page(numbered(0), link)]
    server.script[f"{PATH}?$skip=1"] = [page(numbered(1))]

    records, error = walk(server, client)

    assert (len(records), error) == (2, None)


@pytest.mark.parametrize("link", ["https://prices.example/api/retail/prices?$skip=1", "/api/retail/prices?$skip=1"])
def test_a_next_link_to_another_host_is_not_followed(server: ScriptedServer, client: Client, link: str) -> None:
    """Also one that isn't absolute: Azure's are."""
    server.script[PATH] = [page(numbered(0), link)]

    _, error = walk(server, client)

    assert isinstance(error, SourceChanged)
    assert "the next page leads to another host" in str(error)
    assert len(server.asked) == 1


def test_pages_in_a_circle_end(server: ScriptedServer, client: Client) -> None:
    """The second page leads to the first one's next again: three requests, then a person must look."""
    links = [f"{server.url}{PATH}?$skip={number}" for number in (1, 2)]
    server.script[PATH] = [page(numbered(0), links[0])]
    server.script[f"{PATH}?$skip=1"] = [page(numbered(1), links[1])]
    server.script[f"{PATH}?$skip=2"] = [page(numbered(2), links[0])]

    _, error = walk(server, client)

    assert isinstance(error, SourceChanged)
    assert "the pages don't end, 3 were read" in str(error)
    assert len(server.asked) == 3


def test_a_page_that_leads_to_itself_ends(server: ScriptedServer, client: Client) -> None:
    """The same link again and again."""
    link = f"{server.url}{PATH}?$skip=1"
    server.script[PATH] = [page(numbered(0), link)]

    _, error = walk(server, client)

    assert isinstance(error, SourceChanged)
    assert len(server.asked) == 2


def test_a_page_that_is_shorter_than_it_says(server: ScriptedServer, client: Client) -> None:
    """The two counts are compared. The items that came are real."""
    server.script[PATH] = [page(numbered(1, 2), count=1000)]

    records, error = walk(server, client)

    assert len(records) == 2
    assert isinstance(error, SourceIncomplete)
    assert "eastus/USD: a page states 1000 items and has 2" in str(error)


def test_a_server_that_fails_mid_walk(server: ScriptedServer, client: Client, waits: list[float]) -> None:
    """The first page is real, the second never came: an incomplete walk, not an absent region."""
    server.script[PATH] = [page(numbered(1), f"{server.url}{PATH}?$skip=1")]
    server.script[f"{PATH}?$skip=1"] = [Reply(b"busy", 429)]

    records, error = walk(server, client)

    assert len(records) == 1
    assert isinstance(error, SourceIncomplete)
    assert "too many requests (HTTP 429); gave up after 3 attempts, at page 2 of eastus/USD" in str(error)
    assert waits == [1.0, 2.0]


def test_a_server_that_fails_at_once(server: ScriptedServer, client: Client) -> None:
    """No page came: try later."""
    server.script[PATH] = [Reply(b"busy", 503)]

    records, error = walk(server, client)

    assert (records, type(error)) == ([], SourceUnavailable)


def test_a_throttled_page_is_asked_for_again(server: ScriptedServer, client: Client, waits: list[float]) -> None:
    """60 seconds as Azure's own header says, and the walk is whole."""
    busy = Reply(b"", 429, {"x-ms-ratelimit-retailPrices-retry-after": "60"})
    server.script[PATH] = [busy, page(numbered(1))]

    assert walk(server, client) == (numbered(1), None)
    assert waits == [60.0]


def test_nothing_at_all_is_no_region_without_prices(server: ScriptedServer, client: Client) -> None:
    """A value in the wrong case gets an empty list too. No region is without any virtual machine."""
    server.script[PATH] = [page([])]

    records, error = walk(server, client)

    assert records == []
    assert isinstance(error, SourceChanged)
    assert "eastus/USD: no virtual machine at all" in str(error)
    assert server.asked[1].query["$filter"] == "serviceName eq 'Virtual Machines' and armRegionName eq 'eastus'"


def test_a_region_without_gpu_sizes(server: ScriptedServer, client: Client) -> None:
    """Other sizes are sold there, ours are not: a complete walk without records."""
    server.script[PATH] = [page([]), page([{"armRegionName": "eastus", "armSkuName": "Standard_D2s_v5"}])]
    fetch = SOURCE.fetch(client, server.url, "eastus/USD")

    assert list(fetch) == []
    assert fetch.lines_read == 0


def test_gpu_sizes_that_the_filter_does_not_find(server: ScriptedServer, client: Client) -> None:
    """The region has them, and the list of them is empty: the filter no longer means what it did."""
    server.script[PATH] = [page([]), page(numbered(1))]

    _, error = walk(server, client)

    assert isinstance(error, SourceChanged)
    assert "the list of GPU sizes is empty, but the region has Standard_ND96isr_H100_v5" in str(error)


def test_a_filter_that_is_ignored(server: ScriptedServer, client: Client) -> None:
    """The API ignores what it doesn't know and begins the list of the whole world: one page is enough to see it."""
    elsewhere = [{"armRegionName": "westeurope", "armSkuName": "Standard_ND96isr_H100_v5"}]
    server.script[PATH] = [page(elsewhere, f"{server.url}{PATH}?$skip=1")]

    records, error = walk(server, client)

    assert records == []
    assert isinstance(error, SourceChanged)
    assert "the filter isn't applied" in str(error)


@pytest.mark.parametrize(
    "body", ["[]", "{}", '{"Items": {}}', '{"Items": [1]}', '{"Items": [], "NextPageLink": 5}', "<html></html>", "null"]
)
def test_a_page_that_is_laid_out_differently(server: ScriptedServer, client: Client, body: str) -> None:
    """No list of objects, no link, no JSON."""
    server.script[PATH] = [Reply(body.encode())]

    _, error = walk(server, client)

    assert isinstance(error, SourceChanged)
    assert "\n" not in str(error)


def test_a_list_that_shrank_under_the_walk(server: ScriptedServer, client: Client, waits: list[float]) -> None:
    """400 for a `$skip` beyond the end: the first page is real, the walk incomplete. At page 1 it is our fault."""
    refusal = Reply(b'{"error": "Invalid skip"}', 400)
    server.script[PATH] = [page(numbered(1), f"{server.url}{PATH}?$skip=1"), refusal]
    server.script[f"{PATH}?$skip=1"] = [refusal]

    records, error = walk(server, client)
    assert (records, type(error)) == (numbered(1), SourceIncomplete)
    assert "HTTP 400 Bad Request" in str(error) and "at page 2 of eastus/USD" in str(error)

    records, error = walk(server, client)
    assert records == []
    assert isinstance(error, SourceChanged)
    assert waits == []


def test_another_refusal_mid_walk(server: ScriptedServer, client: Client) -> None:
    """410 at page 2 is nothing known: nothing of that walk is trusted."""
    server.script[PATH] = [page(numbered(1), f"{server.url}{PATH}?$skip=1")]
    server.script[f"{PATH}?$skip=1"] = [Reply(b"", 410)]

    assert isinstance(walk(server, client)[1], SourceChanged)


def test_the_walk_over_all_regions(server: ScriptedServer, client: Client) -> None:
    """The same question without a region; pages of any region are what was asked for."""
    server.script[PATH] = [page(numbered(1)), page([])]

    assert SOURCE.everywhere == "*/USD"
    assert list(SOURCE.fetch(client, server.url, "*/USD")) == numbered(1)
    assert server.asked[0].query["$filter"] == (
        "serviceName eq 'Virtual Machines' and startswith(armSkuName,'Standard_N')"
    )
    assert server.asked[0].query["currencyCode"] == "USD"
    with pytest.raises(SourceChanged, match="no GPU size in any region"):
        list(SOURCE.fetch(client, server.url, "*/USD"))


def test_a_walk_whose_filter_is_ignored(server: ScriptedServer, client: Client) -> None:
    """A page without a single N size: the list of everything Azure sells."""
    server.script[PATH] = [page([{"armRegionName": "eastus", "armSkuName": "Standard_D2s_v5"}])]

    with pytest.raises(SourceChanged, match="the filter isn't applied"):
        list(SOURCE.fetch(client, server.url, "*/USD"))


@pytest.mark.parametrize(
    ("region", "scope"),
    [
        ("eastus", "eastus/USD"),
        ("westus3", "westus3/USD"),
        ("attatlanta1", "attatlanta1/USD"),  # an edge zone sells GPUs as a region does
        *((name, None) for name in ("", "Global", "global", "EastUS", "east us", "a/b", "..", "*", "3east", None, 7)),
        *((name, None) for name in ("usgovvirginia", "usdodeast", "chinanorth3", "germanycentral")),
    ],
)
def test_the_scope_of_a_record(region: object, scope: str | None) -> None:
    """A plain word in lower case, since the filter compares with case; none of another partition."""
    assert SOURCE.scope_of({"armRegionName": region}) == scope


def test_the_predicate_knows_no_types() -> None:
    """The feed is asked for all N sizes, whatever we know of them."""
    assert SOURCE.predicate_of([]) == SOURCE.predicate_of(["Standard_NC6"]) == "1"


def window(start: str, end: str | None, price: str, **fields: str) -> dict[str, str]:
    """An item of one meter: from when to when it holds, and its price."""
    ends = {} if end is None else {"effectiveEndDate": end}
    words = {"meterId": "m", "skuId": "s", "armSkuName": "Standard_NC40ads_H100_v5", "type": "Consumption"}
    return {**words, "effectiveStartDate": start, "retailPrice": price, **ends, **fields}


def earlier(*items: dict[str, str], since: str = "2018-01-01") -> list[tuple[str, str]]:
    """What a list seen on 2026-08-20 tells of earlier times: start and price of each window that chains."""
    seen_at, day = (datetime.fromisoformat(f"{day}T06:00:00+00:00") for day in ("2026-08-20", since))
    found = SOURCE.earlier(items, seen_at, day)
    return sorted((f"{start:%Y-%m-%d}", str(item["retailPrice"])) for start, held in found.items() for item in held)


NOW = window("2026-08-01T00:00:00Z", None, "6.98")


@pytest.mark.parametrize("end", ["2026-08-01T00:00:00Z", "2026-07-31T00:00:00Z", "2026-07-31T23:59:59Z"])
def test_a_window_that_ends_where_the_next_begins_chains(end: str) -> None:
    """The end is written as the next start, as the last day, or as its last second."""
    assert earlier(window("2026-07-01T00:00:00Z", end, "8.82"), NOW) == [("2026-07-01", "8.82"), ("2026-08-01", "6.98")]


def test_a_gap_ends_the_chain() -> None:
    """What held before three months of which the list says nothing isn't known to have held until then."""
    old = window("2024-01-01T00:00:00Z", "2026-04-30T00:00:00Z", "9.5")
    assert earlier(old, NOW) == [("2026-08-01", "6.98")]


def test_the_chain_reaches_back_to_the_day_that_was_asked_for() -> None:
    """The window in force on that day is the first, whenever it began."""
    items = [
        window("2023-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "11"),
        window("2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "10"),
        window("2025-01-01T00:00:00Z", "2026-08-01T00:00:00Z", "9"),
        NOW,
    ]
    assert [start for start, _ in earlier(*items, since="2024-06-01")] == ["2024-01-01", "2025-01-01", "2026-08-01"]
    assert [start for start, _ in earlier(*items)] == ["2023-01-01", "2024-01-01", "2025-01-01", "2026-08-01"]


def test_what_is_no_price_of_the_past_is_in_no_chain() -> None:
    """A window to come, one that ends before it begins, one that can't be read, and another meter's."""
    items = [
        window("2026-09-01T00:00:00Z", None, "7.5"),
        window("2026-07-01T00:00:00Z", "2026-06-01T00:00:00Z", "0.01"),
        window("soon", "2026-08-01T00:00:00Z", "3"),
        window("2026-06-01T00:00:00Z", "2026-08-01T00:00:00Z", "4", meterId="another"),
    ]
    assert earlier(*items, NOW) == [("2026-08-01", "6.98")]
    assert earlier(*items) == []


def test_two_prices_from_one_moment_are_none() -> None:
    """Nobody can say which of the two held, nor what came before them."""
    both = [window("2026-07-01T00:00:00Z", "2026-08-01T00:00:00Z", price) for price in ("8", "9")]
    older = window("2026-06-01T00:00:00Z", "2026-07-01T00:00:00Z", "7")
    assert earlier(*both, older, NOW) == [("2026-08-01", "6.98")]
    assert earlier(both[0], both[0], older, NOW)[0] == ("2026-06-01", "7")


def test_a_later_start_wins_where_windows_overlap() -> None:
    """An item without an end holds until the next of its meter begins."""
    assert earlier(window("2026-01-01T00:00:00Z", None, "8"), NOW) == [("2026-01-01", "8"), ("2026-08-01", "6.98")]


BEFORE = window("2026-01-01T00:00:00Z", "2026-07-31T23:59:59Z", "8.82")
BOTH = [("2026-01-01", "8.82"), ("2026-08-01", "6.98")]


@pytest.mark.parametrize("end", ["", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.9999999Z", "9999-12-31T00:00:00Z"])
def test_a_window_may_end_when_the_calendar_does(end: str) -> None:
    """An end that stands for none: no day can be added to it."""
    assert earlier(BEFORE, NOW | {"effectiveEndDate": end}) == BOTH


def test_a_time_without_a_zone_is_utc() -> None:
    """As the dictionary reads it, wherever the machine stands: read as local time the window began hours late."""
    found = SOURCE.earlier(
        [NOW | {"effectiveStartDate": "2026-08-01T00:00:00"}],
        datetime(2026, 8, 20, tzinfo=UTC),
        datetime(2018, 1, 1, tzinfo=UTC),
    )
    assert list(found) == [datetime(2026, 8, 1, tzinfo=UTC)]


def test_a_start_before_the_calendar_begins_stops_no_backfill() -> None:
    """It can't be read, so it is in no chain, and the others are."""
    assert earlier(window("0001-01-01T00:00:00+05:00", "2025-12-31T23:59:59Z", "9"), BEFORE, NOW) == BOTH


def test_a_window_whose_end_cant_be_read_is_a_gap() -> None:
    """The dictionary rejects it, so that nothing is known to have held from then on."""
    assert earlier(BEFORE | {"effectiveEndDate": "soon"}, NOW) == [("2026-08-01", "6.98")]
    assert earlier(BEFORE, NOW | {"effectiveEndDate": "soon"}) == []


def test_all_items_of_a_window_come() -> None:
    """Which of them counts the dictionary decides: the first may be one it leaves out, a secondary meter's say."""
    secondary, primary = ({**NOW, "isPrimaryMeterRegion": word} for word in ("false", "true"))
    assert earlier(secondary, primary) == [("2026-08-01", "6.98"), ("2026-08-01", "6.98")]
