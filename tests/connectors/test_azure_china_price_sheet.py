"""The price sheet of Azure China against a real server: where it is asked, what is landed, when it isn't trusted."""

import codecs
import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from connectors.azure_china_price_sheet import REQUIRED, SOURCE, PriceSheetFetch
from connectors.client import Client
from connectors.contract import Record
from connectors.errors import SourceChanged, SourceError, SourceIncomplete, SourceUnavailable
from tests.connectors.scripted_server import Reply, ScriptedServer, serve

FIXTURES = Path(__file__).parents[1] / "fixtures" / "azure_china_price_sheet"
PATH = "/api/retail/pricesheet/download"
SHEET = "/retailpricesasync/2023060101/AzureRetailPrices.csv"
T4 = {
    **dict.fromkeys(REQUIRED, ""),
    "serviceName": "Virtual Machines",
    "armSkuName": "Standard_NC4as_T4_v3",
    "retailPrice": "4.0",
}


@pytest.fixture
def storage() -> Iterator[ScriptedServer]:
    """The other host, which has the sheet of the fixture."""
    with serve() as running:
        running.script[SHEET] = [Reply((FIXTURES / "sheet.csv").read_bytes())]
        yield running


@pytest.fixture
def feed(server: ScriptedServer, storage: ScriptedServer) -> ScriptedServer:
    """The service, which answers with an address on `storage`."""
    server.script[PATH] = [answer(f"{storage.url}{SHEET}?sv=2021&sig=a%2Bb%3D")]
    return server


def answer(address: object) -> Reply:
    """The service's answer with another address."""
    documented = json.loads((FIXTURES / "download.json").read_text())
    return Reply(json.dumps(documented | {"DownloadUrl": address}).encode())


def begin(feed: ScriptedServer, client: Client) -> PriceSheetFetch:
    """A fetch of the one scope."""
    return SOURCE.fetch(client, feed.url, "china/CNY")


def until_error(fetch: Iterable[Record]) -> tuple[list[Record], SourceError | None]:
    """What came, and the error that ended it."""
    got: list[Record] = []
    try:
        for record in fetch:
            got.append(record)
    except SourceError as error:
        return got, error
    return got, None


def sheet_of(lines: Iterable[Mapping[str, str]], columns: Sequence[str] = REQUIRED) -> bytes:
    """A sheet with these lines."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue().encode()


def numbered(*numbers: int) -> list[dict[str, str]]:
    """Lines that can be told apart."""
    return [T4 | {"skuId": f"SKU{number}"} for number in numbers]


def test_the_one_scope(server: ScriptedServer, client: Client) -> None:
    """All of China in yuan, whatever regions are known; nothing is asked."""
    assert SOURCE.scopes(client, server.url, "azure-china", ["eastus", "chinaeast2"]) == ("china/CNY",)
    assert server.asked == []


def test_another_scope_is_not_in_the_sheet(server: ScriptedServer, client: Client) -> None:
    """The sheet would speak for a scope that it isn't of."""
    with pytest.raises(SourceUnavailable, match=r"the price sheet is of china/CNY, not of eastus/USD$"):
        SOURCE.fetch(client, server.url, "eastus/USD")


def test_what_is_asked(feed: ScriptedServer, storage: ScriptedServer, client: Client) -> None:
    """The version of the service, then the signed address as it stands; no password goes to either."""
    fetch = SOURCE.fetch(client, feed.url + "/", "china/CNY")

    assert (feed.asked, fetch.address) == ([], feed.url + PATH)
    list(fetch)
    assert [(asked.path, asked.query) for asked in feed.asked] == [(PATH, {"api-version": "2023-06-01-preview"})]
    assert [(asked.path, asked.query) for asked in storage.asked] == [(SHEET, {"sv": "2021", "sig": "a+b="})]
    sent = {name.lower() for asked in (*feed.asked, *storage.asked) for name in asked.headers}
    assert not sent & {"authorization", "cookie", "referer"}


def test_the_gpu_lines_are_landed_as_they_stand(feed: ScriptedServer, client: Client) -> None:
    """Fourteen of 21 lines: not the five of D2 v3, not storage, not the licence. One comes twice and is landed twice.

    Every cell is text, an empty one too, and every column is there.
    """
    fetch = begin(feed, client)

    records = list(fetch)

    assert (len(records), fetch.lines_read) == (14, 21)
    assert (fetch.version, fetch.published_at, fetch.unchanged) == (None, None, False)
    assert records[0] == records[1]
    assert records[0] == {
        "currencyCode": "CNY",
        "tierMinimumUnits": "0",
        "retailPrice": "4.0",
        "unitPrice": "4.0",
        "armRegionName": "chinanorth3",
        "location": "CN North 3",
        "effectiveStartDate": "2023-06-01T00:00:00Z",
        "meterId": "00000000-0000-5000-8000-000000000104",
        "meterName": "NC4as T4 v3",
        "productId": "DZH318Z0CN04",
        "skuId": "DZH318Z0CN04/0004",
        "productName": "Virtual Machines NCasT4 v3 Series",
        "skuName": "NC4as T4 v3",
        "serviceName": "Virtual Machines",
        "serviceFamily": "Compute",
        "unitOfMeasure": "1 Hour",
        "type": "Consumption",
        "armSkuName": "Standard_NC4as_T4_v3",
        "term": "",
        "isPrimaryMeterRegion": "True",
    }


@pytest.mark.parametrize(
    ("service", "size", "landed"),
    [
        ("Virtual Machines", "Standard_NC4as_T4_v3", True),
        ("virtual machines ", " STANDARD_NV6", True),
        ("Virtual Machines", "Standard_D2_v3", False),
        ("Virtual Machines", "NC4as_T4_v3", False),
        ("Virtual Machines", "", False),
        ("Virtual Machines Licenses", "Standard_NC4as_T4_v3", False),
        ("Azure Machine Learning", "Standard_NC4as_T4_v3", False),
    ],
)
def test_which_lines_are_landed(
    feed: ScriptedServer, storage: ScriptedServer, client: Client, service: str, size: str, landed: bool
) -> None:
    """Virtual machines of N sizes, however they are spelled; case and blanks are nobody's decision."""
    line = T4 | {"serviceName": service, "armSkuName": size}
    storage.script[SHEET] = [Reply(sheet_of([T4, line]))]

    assert list(begin(feed, client)) == [T4, *([line] if landed else [])]


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [b"", b"\n", b"\n\r\n"])
def test_how_a_sheet_may_be_written(
    feed: ScriptedServer, storage: ScriptedServer, client: Client, mark: bytes, end: bytes, last: bytes
) -> None:
    """With a byte order mark or not, either line end, with or without one after the last line, and blank lines."""
    body = sheet_of(numbered(1, 2)).rstrip().replace(b"\n", end)
    storage.script[SHEET] = [Reply(mark + body + last)]

    assert list(begin(feed, client)) == numbered(1, 2)


def test_odd_cells_survive(feed: ScriptedServer, storage: ScriptedServer, client: Client) -> None:
    """Quotes, a comma, a line end, Chinese, NA and a number with zeros at its end are the text that was sent."""
    odd = T4 | {
        "productName": 'a "quoted", name\nin two lines',
        "skuName": "NA",
        "meterName": "中国",
        "retailPrice": "4.10",
    }
    storage.script[SHEET] = [Reply(sheet_of([odd]))]

    assert list(begin(feed, client)) == [odd]


def test_columns_go_by_name(feed: ScriptedServer, storage: ScriptedServer, client: Client) -> None:
    """Another order changes nothing, and a new column comes along."""
    line = T4 | {"effectiveEndDate": "2026-12-31"}
    storage.script[SHEET] = [Reply(sheet_of([line], ["effectiveEndDate", *reversed(REQUIRED)]))]

    assert list(begin(feed, client)) == [line]


@pytest.mark.parametrize("column", REQUIRED)
def test_a_required_column_that_is_missing_is_named(
    feed: ScriptedServer, storage: ScriptedServer, client: Client, column: str
) -> None:
    """Nothing is read from a sheet whose prices can't be told."""
    storage.script[SHEET] = [Reply(sheet_of([T4], [name for name in REQUIRED if name != column]))]

    with pytest.raises(SourceChanged, match=f"china/CNY: no column {column}$"):
        list(begin(feed, client))


def test_all_missing_columns_are_named(feed: ScriptedServer, storage: ScriptedServer, client: Client) -> None:
    """Two of them, in one message."""
    storage.script[SHEET] = [Reply(sheet_of([T4], REQUIRED[2:]))]

    with pytest.raises(SourceChanged, match="no column currencyCode, tierMinimumUnits$"):
        list(begin(feed, client))


def test_a_column_that_stands_twice(feed: ScriptedServer, storage: ScriptedServer, client: Client) -> None:
    """Nobody can say which of the two is meant."""
    storage.script[SHEET] = [Reply(sheet_of([T4], [*REQUIRED, "retailPrice"]))]

    with pytest.raises(SourceChanged, match="a column name stands twice"):
        list(begin(feed, client))


@pytest.mark.parametrize(
    "body", [b"<html>\n<p>Sorry, a page</p>\n</html>\n", b"\xff\xfe\x00", b'"a"b', b'"a","b"\n' * 50, b"sep=,\n"]
)
def test_a_page_that_is_no_sheet(feed: ScriptedServer, storage: ScriptedServer, client: Client, body: bytes) -> None:
    """An error page under status 200."""
    storage.script[SHEET] = [Reply(body)]

    with pytest.raises(SourceChanged, match="china/CNY: not a price sheet"):
        list(begin(feed, client))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "an empty sheet"),
        (b"\n", "an empty sheet"),
        (sheet_of([]), "no GPU size among 0 lines"),
        (sheet_of([T4 | {"armSkuName": "Standard_D2_v3"}] * 2), "no GPU size among 2 lines"),
    ],
)
def test_a_sheet_without_gpus(
    feed: ScriptedServer, storage: ScriptedServer, client: Client, body: bytes, message: str
) -> None:
    """China sells GPUs: a sheet without any is no news of that kind, a person must look."""
    storage.script[SHEET] = [Reply(body)]

    with pytest.raises(SourceChanged, match=f"china/CNY: {message}$"):
        list(begin(feed, client))


@pytest.mark.parametrize("kept", [0, 10, 60, len(sheet_of([]))])
def test_a_sheet_that_is_cut_before_its_lines(
    feed: ScriptedServer, storage: ScriptedServer, client: Client, kept: int
) -> None:
    """Inside the header or right behind it: incomplete, not a sheet that lacks columns or GPUs."""
    storage.script[SHEET] = [Reply(sheet_of([T4]), cut_after=kept)]

    records, error = until_error(begin(feed, client))

    assert (records, type(error)) == ([], SourceIncomplete)


def test_a_sheet_that_is_cut_in_a_quoted_header(feed: ScriptedServer, storage: ScriptedServer, client: Client) -> None:
    """A quote that isn't closed, since the connection ended."""
    storage.script[SHEET] = [Reply(b'"currencyCode","tierMinimumUnits"\n', cut_after=20)]

    with pytest.raises(SourceIncomplete, match="ends before its first line: 20 bytes came, 14 were missing"):
        list(begin(feed, client))


@pytest.mark.parametrize("missing_bytes", [1, 2, 12, 30])
@pytest.mark.parametrize("quoted", [False, True])
def test_a_cut_sheet_gives_its_whole_lines(
    feed: ScriptedServer, storage: ScriptedServer, client: Client, missing_bytes: int, quoted: bool
) -> None:
    """The connection ends inside the third line, at its line end or inside a quoted cell: two lines are real."""
    lines = numbered(0, 1, 2)
    lines[2]["isPrimaryMeterRegion"] = "a\n" * 20 if quoted else "True"
    body = sheet_of(lines)
    storage.script[SHEET] = [Reply(body, cut_after=len(body) - missing_bytes)]
    fetch = begin(feed, client)

    records, error = until_error(fetch)

    assert [record["skuId"] for record in records] == ["SKU0", "SKU1"]
    assert isinstance(error, SourceIncomplete)
    assert "china/CNY: cut after 2 lines: " in str(error)
    assert f"{missing_bytes} were missing" in str(error)
    assert fetch.lines_read == 2


def test_a_sheet_cut_between_lines_is_incomplete_too(
    feed: ScriptedServer, storage: ScriptedServer, client: Client
) -> None:
    """Content-Length promised a third line; the two that came are whole."""
    storage.script[SHEET] = [Reply(sheet_of(numbered(0, 1, 2)), cut_after=len(sheet_of(numbered(0, 1))))]

    records, error = until_error(begin(feed, client))

    assert records == numbered(0, 1)
    assert isinstance(error, SourceIncomplete)


def test_a_cut_inside_a_character(feed: ScriptedServer, storage: ScriptedServer, client: Client) -> None:
    """Two of the three bytes of the last letter: the line before is real."""
    body = sheet_of([*numbered(0), T4 | {"isPrimaryMeterRegion": "中"}])
    storage.script[SHEET] = [Reply(body, cut_after=len(body) - 2)]

    records, error = until_error(begin(feed, client))

    assert records == numbered(0)
    assert isinstance(error, SourceIncomplete)


@pytest.mark.parametrize("tail", [b"CNY,0", b'CNY,"0', b"CNY,\xe4\xb8"])
def test_a_last_line_that_is_short_is_incomplete(
    feed: ScriptedServer, storage: ScriptedServer, client: Client, tail: bytes
) -> None:
    """The length agrees, but the last line is not whole: it was cut before it was sent."""
    storage.script[SHEET] = [Reply(sheet_of(numbered(0, 1)) + tail)]

    records, error = until_error(begin(feed, client))

    assert records == numbered(0, 1)
    assert isinstance(error, SourceIncomplete)
    assert str(error).endswith("china/CNY: cut after 2 lines: in the middle of a line")


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (b"CNY,0\n", "line 2 has not 16 cells but 2"),
        (b"," * 16 + b"\n", "line 2 has not 16 cells but 17"),
        (b'"a"b' + b"," * 15 + b"\n", "after 1 lines: "),
        (b"\xff" + b"," * 15 + b"\n", "after 1 lines: .*invalid start byte"),
    ],
)
def test_a_broken_line_amid_others_is_a_change(
    feed: ScriptedServer, storage: ScriptedServer, client: Client, second: bytes, message: str
) -> None:
    """A column that the header doesn't name, a stray quote, a byte that is no text."""
    header, line = sheet_of([T4]).splitlines(keepends=True)
    storage.script[SHEET] = [Reply(header + line + second + 5 * line)]

    with pytest.raises(SourceChanged, match=message):
        list(begin(feed, client))


def test_a_last_line_that_is_long_is_a_change(feed: ScriptedServer, storage: ScriptedServer, client: Client) -> None:
    """No cut makes a line longer."""
    storage.script[SHEET] = [Reply(sheet_of(numbered(1)) + b"," * 16 + b"\n")]

    with pytest.raises(SourceChanged, match="line 2 has not 16 cells but 17"):
        list(begin(feed, client))


@pytest.mark.parametrize("body", ["[]", "{}", '{"DownloadUrl": null}', '{"DownloadUrl": true}', '{"downloadurl": "x"}'])
def test_an_answer_without_an_address(feed: ScriptedServer, client: Client, body: str) -> None:
    """The service must name one, by the documented word."""
    feed.script[PATH] = [Reply(body.encode())]

    with pytest.raises(SourceChanged, match="china/CNY: the answer names no DownloadUrl$"):
        list(begin(feed, client))


@pytest.mark.parametrize(
    "address",
    [
        "",
        "/sheet.csv?sig=secret",
        "sheet.csv?sig=secret",
        "ftp://storage.example/sheet.csv?sig=secret",
        "file:///etc/passwd?sig=secret",
        "https://somebody:secret@storage.example/sheet.csv",
        "https://?sig=secret",
        "https://[storage.example/sheet.csv?sig=secret",
        "https://storage.example:port/sheet.csv?sig=secret",
        f"https://{'a' * 64}.example/sheet.csv?sig=secret",
    ],
)
def test_an_address_that_is_not_asked(feed: ScriptedServer, client: Client, waits: list[float], address: str) -> None:
    """No other protocol, no password, no host: a person must look. No message shows a signature."""
    feed.script[PATH] = [answer(address)]

    _, error = until_error(begin(feed, client))

    assert isinstance(error, SourceChanged)
    assert "secret" not in str(error)
    assert waits == []


def test_https_never_leads_to_http(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a service that was itself asked by http (a test's) may name such an address; the documented one is https."""
    monkeypatch.setattr(client, "get_json", lambda *_: {"DownloadUrl": "http://storage.example/sheet.csv"})
    monkeypatch.setattr(client, "stream", lambda address: pytest.fail(f"{address} was asked"))

    with pytest.raises(SourceChanged, match="no https address without a password .http, host storage.example.$"):
        list(SOURCE.fetch(client, SOURCE.hosts["azure-china"], "china/CNY"))


def test_a_redirect_of_the_sheet_stays_on_its_host(
    feed: ScriptedServer, storage: ScriptedServer, client: Client
) -> None:
    """The one step to another host is that to the address that the service names."""
    storage.script[SHEET] = [Reply(b"", 302, {"Location": f"{feed.url}/sheet.csv"})]

    with pytest.raises(SourceChanged, match="redirects to another host"):
        list(begin(feed, client))


def test_an_address_that_has_expired(feed: ScriptedServer, storage: ScriptedServer, client: Client) -> None:
    """Storage answers 403 to a signature that is over: try later, with a new one. The message doesn't show it."""
    storage.script[SHEET] = [Reply(b"<Error><Code>AuthenticationFailed</Code></Error>", 403)]

    _, error = until_error(begin(feed, client))

    assert isinstance(error, SourceUnavailable)
    assert str(error).endswith(f": no file {SHEET} (HTTP 403); gave up after 3 attempts")


def test_a_service_that_is_down(feed: ScriptedServer, storage: ScriptedServer, client: Client) -> None:
    """Nothing else is asked."""
    feed.script[PATH] = [Reply(b"", 503)]

    with pytest.raises(SourceUnavailable, match="HTTP 503"):
        list(begin(feed, client))
    assert storage.asked == []


def test_a_fetch_can_be_left_early(feed: ScriptedServer, client: Client) -> None:
    """The reader may stop after one line: the connection is closed with the iteration."""
    for record in begin(feed, client):
        assert record["armSkuName"] == "Standard_NC4as_T4_v3"
        break


def test_the_predicate_knows_no_types() -> None:
    """All N sizes, whatever we know of them."""
    assert SOURCE.predicate_of([]) == SOURCE.predicate_of(["Standard_NC6"]) == "1"


def test_there_is_no_walk_over_all_places() -> None:
    """The one scope is all places."""
    assert SOURCE.everywhere is None
    assert SOURCE.scope_of({"armRegionName": "chinaeast2"}) is None
