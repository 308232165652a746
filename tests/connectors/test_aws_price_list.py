"""The AWS price list, streamed from a real server: which lines are landed, and what makes a file unreadable."""

import json
import logging
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from connectors.aws_bulk_file import why_left_out
from connectors.aws_price_list import REQUIRED, SOURCE, PriceListFetch
from connectors.client import Client
from connectors.contract import Record
from connectors.errors import SourceChanged, SourceError, SourceIncomplete, SourceUnavailable
from tests.connectors.scripted_server import Reply, ScriptedServer

FIXTURES = Path(__file__).parents[1] / "fixtures" / "aws_price_list"
VERSION = "20250404224122"
INDEX = "/offers/v1.0/aws/AmazonEC2/current/region_index.json"
FILE = f"/offers/v1.0/aws/AmazonEC2/{VERSION}/us-east-1/index.csv"
P5 = {"SKU": "3D4V8UAYEMB38GU2", "Instance Type": "p5.48xlarge", "GPU": "8", "PricePerUnit": "98.3200000000"}


@pytest.fixture
def feed(server: ScriptedServer) -> ScriptedServer:
    """The server with the recorded region index and us-east-1's file."""
    server.script[INDEX] = [Reply((FIXTURES / "region_index.json").read_bytes())]
    server.script[FILE] = [Reply((FIXTURES / "index.csv").read_bytes())]
    return server


def begin(server: ScriptedServer, client: Client, **arguments: Any) -> PriceListFetch:
    """A fetch of us-east-1."""
    return SOURCE.fetch(client, server.url, "us-east-1", **arguments)


def until_error(fetch: Iterable[Record]) -> tuple[list[Record], SourceError | None]:
    """What came, and the error that ended it."""
    got: list[Record] = []
    try:
        for record in fetch:
            got.append(record)
    except SourceError as error:
        return got, error
    return got, None


def file_of(lines: Iterable[dict[str, str]], columns: Sequence[str] = (*REQUIRED, "GPU")) -> bytes:
    """A price list with these lines, quoted as AWS does: an empty cell is bare."""
    head = (FIXTURES / "index.csv").read_text().splitlines()[:5]
    rows = [",".join(f'"{column}"' for column in columns)]
    for line in lines:
        cells = (line.get(column, "").replace('"', '""') for column in columns)
        rows.append(",".join(f'"{cell}"' if cell else "" for cell in cells))
    return ("\n".join([*head, *rows]) + "\n").encode()


def test_the_scopes_are_the_public_locations(feed: ScriptedServer, client: Client, caplog: Any) -> None:
    """Regions, Local and Wavelength Zones; the index also names GovCloud and a stray of China."""
    with caplog.at_level(logging.INFO, logger="gpu_prices"):
        scopes = SOURCE.scopes(client, feed.url + "/", "aws", known_regions=["mars-north-1"])

    assert scopes == ("us-east-1", "us-east-1-wl1-chi1", "us-east-2", "us-west-2", "us-west-2-lax-1")
    assert caplog.messages == [
        "aws_price_list: cn-north-1-pkx-1 left out: partition aws-cn",
        "aws_price_list: us-gov-west-1 left out: partition aws-us-gov",
    ]


def test_china_has_a_folder_of_its_own(server: ScriptedServer, client: Client) -> None:
    """`cn` for `aws` in every path; the stray code of its index is no location."""
    offer = "/offers/v1.0/cn/AmazonEC2"
    paths = {code: f"{offer}/{VERSION}/{code}/index.json" for code in ("cn-north-1", "cn-northwest-1", "aws-cn-other")}
    index = {"regions": {code: {"regionCode": code, "currentVersionUrl": path} for code, path in paths.items()}}
    server.script[f"{offer}/current/region_index.json"] = [Reply(json.dumps(index).encode())]

    assert SOURCE.scopes(client, server.url, "aws-cn") == ("cn-north-1", "cn-northwest-1")
    fetch = SOURCE.fetch(client, server.url, "cn-north-1")
    assert fetch.address == f"{server.url}{offer}/{VERSION}/cn-north-1/index.csv"


def test_a_partition_that_the_index_lacks_is_said(feed: ScriptedServer, client: Client) -> None:
    """Where the Sovereign Cloud's prices are, nobody has verified: an empty list would be a silent gap."""
    with pytest.raises(SourceUnavailable, match="the region index has no location of aws-eusc"):
        SOURCE.scopes(client, feed.url, "aws-eusc")
    assert SOURCE.scopes(client, feed.url, "aws-us-gov") == ("us-gov-west-1",)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("us-east-1", ""),
        ("us-west-2-lax-1", ""),
        ("us-east-1-wl1-chi1", ""),
        ("mx-central-1", ""),
        ("cn-north-1-pkx-1", "partition aws-cn"),
        ("us-gov-east-1", "partition aws-us-gov"),
        ("eusc-de-east-1", "partition aws-eusc"),
        ("aws-cn-other", "not the code of a location"),
    ],
)
def test_why_a_code_is_left_out(code: str, reason: str) -> None:
    """Codes met in region indexes, public and not."""
    assert why_left_out(code, "aws") == reason


def test_the_gpu_lines_are_landed_as_they_stand(feed: ScriptedServer, client: Client) -> None:
    """Eleven of the twelve lines have a GPU cell; c5d.2xlarge has none. Empty cells are left out, NA stays."""
    fetch = begin(feed, client)
    records = list(fetch)

    assert fetch.lines_read == 12
    types = [record["Instance Type"] for record in records]
    assert types == ["p5.48xlarge"] + 5 * ["p4d.24xlarge"] + 4 * ["g4dn.xlarge"] + ["inf2.24xlarge"]
    first, upfront = records[0], records[4]
    assert first["PricePerUnit"] == "98.3200000000"
    assert first["Memory"] == "2,048 GiB"
    assert (first["Pre Installed S/W"], first["GPU Memory"]) == ("NA", "NA")
    assert "LeaseContractLength" not in first
    assert (upfront["Unit"], upfront["PricePerUnit"], upfront["LeaseContractLength"]) == ("Quantity", "164955", "1yr")
    assert "StartingRange" not in upfront


def test_what_is_known_before_the_first_line(feed: ScriptedServer, client: Client) -> None:
    """Version and time are those of the index, 2025-04-04T22:41:22Z as digits; the file isn't asked for yet."""
    fetch = begin(feed, client, known_version="20250328000000")

    assert fetch.address == feed.url + FILE
    assert fetch.version == VERSION
    assert fetch.published_at == datetime(2025, 4, 4, 22, 41, 22, tzinfo=UTC)
    assert not fetch.unchanged
    assert [asked.path for asked in feed.asked] == [INDEX]


def test_a_known_version_is_not_downloaded(feed: ScriptedServer, client: Client) -> None:
    """Same version: no record, no download, and the same publication time as when it was new."""
    fetch = begin(feed, client, known_version=VERSION)

    assert fetch.unchanged
    assert list(fetch) == []
    assert fetch.published_at == datetime(2025, 4, 4, 22, 41, 22, tzinfo=UTC)
    assert [asked.path for asked in feed.asked] == [INDEX]


def test_fractions_text_and_odd_cells_survive(feed: ScriptedServer, client: Client) -> None:
    """A count of 0.125 is a GPU; quotes, commas and a line end inside a cell belong to it; NA is text."""
    odd = P5 | {"Operating System": 'a "quoted", name\nin two lines', "Pre Installed S/W": "NA", "Currency": ""}
    sixth = P5 | {"Instance Type": "g6f.large", "GPU": "0.125", "PricePerUnit": "0.2020000000"}
    feed.script[FILE] = [Reply(file_of([odd, sixth]))]

    records = list(begin(feed, client))

    assert records == [{name: value for name, value in odd.items() if value}, sixth]


@pytest.mark.parametrize(("cell", "landed"), [("", 0), ("NA", 0), ("0", 0), ("0.0", 0), ("1", 1), ("0.5", 1), ("?", 1)])
def test_which_gpu_cells_are_landed(feed: ScriptedServer, client: Client, cell: str, landed: int) -> None:
    """Not empty, NA or 0; a cell nobody foresaw is landed and seen."""
    feed.script[FILE] = [Reply(file_of([P5 | {"GPU": cell}]))]

    assert len(list(begin(feed, client))) == landed


def test_a_known_type_is_landed_whatever_its_gpu_cell(feed: ScriptedServer, client: Client) -> None:
    """The table of GPU types knows g6f.large; the file says NA."""
    feed.script[FILE] = [Reply(file_of([P5 | {"Instance Type": "g6f.large", "GPU": "NA"}]))]

    assert len(list(begin(feed, client, known_types={"g6f.large"}))) == 1


def test_columns_go_by_name(feed: ScriptedServer, client: Client) -> None:
    """Another order and a new column change nothing: the new one is not landed."""
    columns = ["Quantum Memory", "GPU", *reversed(REQUIRED)]
    feed.script[FILE] = [Reply(file_of([P5 | {"Quantum Memory": "9"}], columns))]

    assert list(begin(feed, client)) == [P5]


@pytest.mark.parametrize("column", REQUIRED)
def test_a_required_column_that_is_missing_is_named(feed: ScriptedServer, client: Client, column: str) -> None:
    """Nothing is read from a file whose lines can't be told apart."""
    feed.script[FILE] = [Reply(file_of([P5], [name for name in (*REQUIRED, "GPU") if name != column]))]

    with pytest.raises(SourceChanged, match=f"us-east-1/index.csv: no column {column}$"):
        list(begin(feed, client))


def test_a_location_without_gpus_has_no_gpu_column(feed: ScriptedServer, client: Client) -> None:
    """A column exists only where a product uses it: no line is landed, and that is no error."""
    feed.script[FILE] = [Reply(file_of([P5 | {"Instance Type": "c5d.2xlarge"}], REQUIRED))]
    fetch = begin(feed, client, known_types={"p5.48xlarge"})

    assert list(fetch) == []
    assert fetch.lines_read == 1


def test_a_gpu_type_without_a_gpu_column_is_a_change(feed: ScriptedServer, client: Client) -> None:
    """The column was renamed: else families that are not in our table would be lost in silence."""
    feed.script[FILE] = [Reply(file_of([P5], REQUIRED))]

    with pytest.raises(SourceChanged, match="no column GPU, though there are GPU instance types"):
        list(begin(feed, client, known_types={"p5.48xlarge"}))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"Version","20250404224122"', '"Version","20250411000000"', "Version is '20250411000000', not"),
        ("2025-04-04T22:41:22Z", "2025-04-05T00:00:00Z", "Publication Date is '2025-04-05T00:00:00Z', not"),
        ('"FormatVersion","v1.0"', '"FormatVersion","v2.0"', "FormatVersion is 'v2.0', not 'v1.0'"),
        ('"GPU"', '"SKU"', "a column name stands twice"),
    ],
)
def test_a_head_that_says_something_else(
    feed: ScriptedServer, client: Client, old: str, new: str, message: str
) -> None:
    """The version's time orders the history, so the file must agree with the index on it."""
    feed.script[FILE] = [Reply(file_of([P5]).replace(old.encode(), new.encode()))]

    with pytest.raises(SourceChanged, match=message):
        list(begin(feed, client))


@pytest.mark.parametrize("body", [b"<html>\n<p>Sorry, a page</p>\n</html>\n", b"\xff\xfe\x00", b'"a","b"\n' * 50])
def test_a_page_that_is_no_price_list(feed: ScriptedServer, client: Client, body: bytes) -> None:
    """An error page under status 200."""
    feed.script[FILE] = [Reply(body)]

    with pytest.raises(SourceChanged, match="not a price list"):
        list(begin(feed, client))


@pytest.mark.parametrize("lines", [0, 3, 5])
def test_a_file_that_ends_before_its_lines(feed: ScriptedServer, client: Client, lines: int) -> None:
    """Nothing, some of the head, or all of it: no price list has no lines."""
    feed.script[FILE] = [Reply(b"".join((FIXTURES / "index.csv").read_bytes().splitlines(keepends=True)[:lines]))]

    with pytest.raises(SourceIncomplete, match="ends before its header|no line follows the header"):
        list(begin(feed, client))


def test_a_header_alone_is_incomplete(feed: ScriptedServer, client: Client) -> None:
    """A region without a single product does not exist."""
    feed.script[FILE] = [Reply(file_of([]))]

    with pytest.raises(SourceIncomplete, match="no line follows the header: an empty list"):
        list(begin(feed, client))


@pytest.mark.parametrize("missing_bytes", [1, 2, 12, 30])
def test_a_cut_file_gives_its_whole_lines(feed: ScriptedServer, client: Client, missing_bytes: int) -> None:
    """The connection ends inside the third line (its last cell is `"8"` and the line end): two lines are real."""
    body = file_of([P5 | {"SKU": f"SKU{number}"} for number in range(3)])
    feed.script[FILE] = [Reply(body, cut_after=len(body) - missing_bytes)]

    records, error = until_error(begin(feed, client))

    assert [record["SKU"] for record in records] == ["SKU0", "SKU1"]
    assert isinstance(error, SourceIncomplete)
    assert f"{missing_bytes} were missing" in str(error)


def test_a_file_cut_between_lines_is_incomplete_too(feed: ScriptedServer, client: Client) -> None:
    """Content-Length promised a third line; the two that came are whole."""
    lines = [P5 | {"SKU": f"SKU{number}"} for number in range(3)]
    whole = file_of(lines)
    feed.script[FILE] = [Reply(whole, cut_after=len(file_of(lines[:2])))]

    records, error = until_error(begin(feed, client))

    assert [record["SKU"] for record in records] == ["SKU0", "SKU1"]
    assert isinstance(error, SourceIncomplete)


def test_a_last_line_that_is_short_is_incomplete(feed: ScriptedServer, client: Client) -> None:
    """The length agrees, but the last line has fewer cells than the header: it was cut before it was sent."""
    feed.script[FILE] = [Reply(file_of([P5, P5])[:-40])]

    records, error = until_error(begin(feed, client))

    assert records == [P5]
    assert isinstance(error, SourceIncomplete)
    assert "in the middle of a line" in str(error)


def test_a_short_line_amid_others_is_a_change(feed: ScriptedServer, client: Client) -> None:
    """Line 2 of three has one cell too many: a column was added that the header doesn't name."""
    lines = file_of([P5, P5, P5]).splitlines(keepends=True)
    lines[7] = lines[7].replace(b"\n", b',"x"\n')
    feed.script[FILE] = [Reply(b"".join(lines))]

    with pytest.raises(SourceChanged, match="line 2 has not 19 cells"):
        list(begin(feed, client))


def test_a_cell_that_is_no_utf_8_is_a_change(feed: ScriptedServer, client: Client) -> None:
    """The parser's error becomes ours, with the file's name."""
    feed.script[FILE] = [Reply(file_of([P5]).replace(b"p5.48xlarge", b"p5\xff48xlarge"))]

    with pytest.raises(SourceChanged, match="us-east-1/index.csv: after 0 lines: .*invalid UTF8"):
        list(begin(feed, client))


def test_a_location_without_a_file(feed: ScriptedServer, client: Client) -> None:
    """The index names us-east-2; its file answers 403, as S3 does for what isn't there."""
    fetch = SOURCE.fetch(client, feed.url, "us-east-2")

    with pytest.raises(SourceUnavailable, match=r"no file .*/us-east-2/index.csv \(HTTP 403\)"):
        list(fetch)


def test_a_location_that_is_not_in_the_index(feed: ScriptedServer, client: Client) -> None:
    """A mistyped scope, or one that is gone."""
    with pytest.raises(SourceUnavailable, match="the region index has no us-est-1"):
        SOURCE.fetch(client, feed.url, "us-est-1")


PATH = "/offers/v1.0/aws/AmazonEC2/{}/index.json"


@pytest.mark.parametrize("index", ["[]", "{}", '{"regions": []}', '{"regions": {}}'])
def test_an_index_without_regions(feed: ScriptedServer, client: Client, index: str) -> None:
    """`regions` is an object here; in the savings plans' index it is a list."""
    feed.script[INDEX] = [Reply(index.encode())]

    with pytest.raises(SourceChanged, match="the region index names no regions"):
        begin(feed, client)


@pytest.mark.parametrize(
    "entry",
    [
        None,
        {"currentVersionUrl": None},
        {"currentVersionUrl": PATH.format("current/us-east-1")},
        {"currentVersionUrl": PATH.format("20250404224122/us-east-2")},
        {"currentVersionUrl": PATH.format("20251399224122/us-east-1")},
        {"currentVersionUrl": "https://other.example" + PATH.format("20250404224122/us-east-1")},
    ],
)
def test_a_path_that_does_not_tell_the_version(feed: ScriptedServer, client: Client, entry: object) -> None:
    """A path names version and location, and the version is a time: there is no thirteenth month."""
    feed.script[INDEX] = [Reply(json.dumps({"regions": {"us-east-1": entry}}).encode())]

    with pytest.raises(SourceChanged):
        begin(feed, client)


def test_many_lines_take_little_memory(feed: ScriptedServer, client: Client) -> None:
    """24 MB of 80,000 lines, of which one in a hundred is kept: pyarrow never holds more than a few blocks of 1 MiB.

    Two blocks are parsed ahead, one is held back and one is handed on, each of 1 MiB of text and its parsed columns.
    """
    plain, gpu = P5 | {"GPU": "", "operation": "x" * 200}, P5 | {"operation": "x" * 200}
    feed.script[FILE] = [Reply(file_of([gpu, *[plain] * 99] * 800))]
    fetch = begin(feed, client)
    most, count = 0, 0

    for _ in fetch:
        count += 1
        most = max(most, pyarrow.total_allocated_bytes())

    assert (count, fetch.lines_read) == (800, 80_000)
    assert most < 16 * 1024 * 1024


def test_a_fetch_can_be_left_early(feed: ScriptedServer, client: Client) -> None:
    """The reader may stop after one line: parser and connection are closed with the iteration."""
    for record in begin(feed, client):
        assert record["Instance Type"] == "p5.48xlarge"
        break


def test_the_predicate_depends_on_the_known_types() -> None:
    """`printf 'g6.xlarge\\np5.48xlarge' | sha256sum` begins with it; order and repeats are nothing."""
    assert SOURCE.predicate_of(["p5.48xlarge", "g6.xlarge", "p5.48xlarge"]) == "1-5f20718adc94"
    assert SOURCE.predicate_of(["p5.48xlarge"]) != SOURCE.predicate_of(["p5.48xlarge", "g6.xlarge"])


def test_there_is_no_walk_over_all_locations() -> None:
    """The region index lists them all."""
    assert SOURCE.everywhere is None
    assert SOURCE.scope_of({"Region Code": "us-east-1"}) is None
