"""The price list host's manners over HTTP: what goes wrong on request, and both answers to what nobody has verified."""

import csv
import gzip
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from connectors.sandbox import DATES, Sandbox, write_price_list
from connectors.sandbox.aws_bulk import file_name
from connectors.sandbox.aws_unverified import Gzip

EC2 = "/offers/v1.0/aws/AmazonEC2"
ZONE = f"{EC2}/current/us-east-1-nyc-1/index.csv"
OTHER_ZONE = f"{EC2}/current/us-west-2-lax-1/index.csv"


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    """One server for all tests of this module."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(running: Sandbox) -> Iterator[Sandbox]:
    """The server with all switches off, before and after."""
    yield running
    running.faults.clear()
    for name, value in type(running.aws_unverified)().__dict__.items():
        setattr(running.aws_unverified, name, value)


def get(sandbox: Sandbox, path: str = ZONE, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """(status, headers, body as it came over the wire); `headers` with underscores for hyphens."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    request = urllib.request.Request(sandbox.url + path, headers=named, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, dict(response.headers), response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


@pytest.mark.parametrize("status", [500, 503])
def test_one_place_can_fail_until_it_is_told_to_stop(sandbox: Sandbox, status: int) -> None:
    """New York answers 500 or 503 each time, Los Angeles is well; after clear() both are."""
    sandbox.faults.fail_next(None, status, only="/us-east-1-nyc-1/")

    assert [get(sandbox)[0], get(sandbox, OTHER_ZONE)[0], get(sandbox)[0]] == [status, 200, status]
    sandbox.faults.clear()
    assert get(sandbox)[0] == 200


def test_too_many_requests_tell_when_to_come_again(sandbox: Sandbox) -> None:
    """429 with Retry-After, twice."""
    sandbox.faults.throttle_next(2, seconds=3)
    found = [get(sandbox) for _ in range(3)]

    assert [status for status, _, _ in found] == [429, 429, 200]
    assert found[0][1]["Retry-After"] == "3"


def test_a_page_for_people_comes_with_status_200(sandbox: Sandbox) -> None:
    """HTML where a price list should be, once."""
    sandbox.faults.html_next()

    status, headers, body = get(sandbox)
    assert (status, headers["Content-Type"].split(";")[0], body[:15]) == (200, "text/html", b"<!DOCTYPE html>")
    assert get(sandbox)[2].startswith(b'"FormatVersion"')


def test_a_body_can_be_short_without_a_sign(sandbox: Sandbox) -> None:
    """5000 bytes with a Content-Length of 5000: only the content can tell. The one after is whole."""
    sandbox.faults.truncate_next(5000)

    _, headers, body = get(sandbox)
    assert (len(body), headers["Content-Length"]) == (5000, "5000")
    assert len(get(sandbox)[2]) > 5000


def test_a_connection_is_cut_in_one_place_only(sandbox: Sandbox) -> None:
    """New York's breaks off after 1000 bytes, Los Angeles's doesn't."""
    sandbox.faults.cut_next(1000, only="/us-east-1-nyc-1/")

    assert get(sandbox, OTHER_ZONE)[0] == 200
    with pytest.raises(http.client.IncompleteRead) as cut:
        get(sandbox)
    assert len(cut.value.partial) == 1000


def test_an_answer_can_stall_and_go_on(sandbox: Sandbox) -> None:
    """A fifth of a second of silence after 100 bytes, and then the rest."""
    whole = get(sandbox)[2]
    sandbox.faults.stall_next(0.2, after_bytes=100)
    begun = time.monotonic()

    assert get(sandbox)[2] == whole
    assert time.monotonic() - begun >= 0.2


@pytest.mark.parametrize(("status", "code"), [(403, b"AccessDenied"), (404, b"NoSuchKey")])
def test_a_missing_file_is_denied_or_not_found(sandbox: Sandbox, status: Literal[403, 404], code: bytes) -> None:
    """In the index, without a file: 403 or 404 with the XML of S3."""
    sandbox.aws_unverified.missing_status = status
    sandbox.faults.missing_files.add("us-east-1-nyc-1")

    found, headers, body = get(sandbox)
    assert (found, headers["Content-Type"]) == (status, "application/xml")
    assert b"<Code>" + code + b"</Code>" in body
    assert b'"us-east-1-nyc-1"' in get(sandbox, f"{EC2}/current/region_index.json")[2]


def test_a_location_nobody_has_heard_of(sandbox: Sandbox) -> None:
    """It is in the index, and its lines carry its own code and sell what Denver does."""
    assert get(sandbox, f"{EC2}/current/us-east-9-zzz-1/index.csv")[0] == 403
    sandbox.faults.added_regions.add("us-east-9-zzz-1")

    status, _, body = get(sandbox, f"{EC2}/current/us-east-9-zzz-1/index.csv")
    rows = list(csv.DictReader(body.decode().split("\n")[5:-1]))
    assert status == 200
    assert {row["Region Code"] for row in rows} == {"us-east-9-zzz-1"}
    assert "g4dn.2xlarge" in {row["Instance Type"] for row in rows}
    assert b'"us-east-9-zzz-1"' in get(sandbox, f"{EC2}/current/region_index.json")[2]


def test_a_file_is_spoiled_in_one_place_only(sandbox: Sandbox) -> None:
    """New York's lacks a column and its reservations, Los Angeles's has both."""
    sandbox.faults.drop_reserved, sandbox.faults.missing_column = True, "GPU"
    sandbox.faults.spoiled_regions.add("us-east-1-nyc-1")

    for path, whole in ((ZONE, False), (OTHER_ZONE, True)):
        body = get(sandbox, path)[2]
        assert (b'"GPU",' in body) == whole
        assert (b'"Reserved",' in body) == whole


@pytest.mark.parametrize(("answer", "compressed"), [("never", False), ("small", True), ("always", True)])
def test_gzip_is_honored_or_not(sandbox: Sandbox, answer: Gzip, compressed: bool) -> None:
    """A small file is the same either way, uncompressed for one who doesn't ask."""
    whole = get(sandbox)[2]
    sandbox.aws_unverified.gzip = answer

    _, headers, body = get(sandbox, Accept_Encoding="gzip, deflate")
    assert ("Content-Encoding" in headers) == compressed
    assert (gzip.decompress(body) if compressed else body) == whole
    assert headers["Content-Length"] == str(len(body))
    assert get(sandbox, If_None_Match=headers["ETag"])[0] == 304
    assert get(sandbox)[2] == whole


@pytest.mark.parametrize("sent", [True, False])
def test_last_modified_is_sent_or_not(sandbox: Sandbox, sent: bool) -> None:
    """2026-07-20 13:44:38, a Monday; asked with it, the file isn't sent again."""
    moment = "Mon, 20 Jul 2026 13:44:38 GMT"
    sandbox.aws_unverified.last_modified = sent

    assert get(sandbox)[1].get("Last-Modified") == (moment if sent else None)
    assert get(sandbox, If_Modified_Since=moment)[0] == (304 if sent else 200)


@pytest.mark.parametrize("honored", [True, False])
def test_a_download_can_go_on_or_not(sandbox: Sandbox, honored: bool) -> None:
    """From byte 1000: 206 with the rest, or 200 with all; a changed ETag gives all, and a start behind the end 416."""
    whole = get(sandbox)[2]
    sandbox.aws_unverified.ranges = honored

    status, headers, body = get(sandbox, Range="bytes=1000-", If_Range=get(sandbox)[1]["ETag"])
    assert (status, body) == ((206, whole[1000:]) if honored else (200, whole))
    assert headers.get("Content-Range") == (f"bytes 1000-{len(whole) - 1}/{len(whole)}" if honored else None)
    assert get(sandbox, Range="bytes=1000-", If_Range='"other"')[0] == 200
    assert get(sandbox, Range="bytes=99999999-")[0] == (416 if honored else 200)


@pytest.mark.parametrize(("there", "status"), [(True, 200), (False, 403)])
def test_old_versions_can_be_had_or_not(sandbox: Sandbox, there: bool, status: int) -> None:
    """The file of 2025-04-29 when the current one is of 2026-07-20; the index lists both."""
    sandbox.aws_unverified.old_versions = there

    assert get(sandbox, f"{EC2}/20250429043945/us-east-1-nyc-1/index.csv")[0] == status
    assert get(sandbox, f"{EC2}/20260720134438/us-east-1-nyc-1/index.csv")[0] == 200
    assert b'"20250429043945"' in get(sandbox, f"{EC2}/index.json")[2]


def test_a_file_of_full_size_is_mostly_without_gpus() -> None:
    """97 of 100 lines, as in the real file; sorted by SKU, each rate once, and streamed whole."""
    with Sandbox(size="full") as sandbox:
        body = get(sandbox)[2]
        length = get(sandbox, method="HEAD")[1]["Content-Length"]
    rows = list(csv.DictReader(body.decode().split("\n")[5:-1]))
    without = sum(row["GPU"] in ("", "NA", "0") for row in rows)

    assert length == str(len(body))
    assert 0.96 < without / len(rows) < 0.98
    assert [row["SKU"] for row in rows] == sorted(row["SKU"] for row in rows)
    assert len({row["RateCode"] for row in rows}) == len(rows)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a price list of 12 MB of us-east-1-nyc-1."""
    folder = tmp_path_factory.mktemp("files")
    assert write_price_list.main([str(folder), "us-east-1-nyc-1", "12"]) == 0
    return folder


def test_a_written_file_has_the_size_asked_for(stored: Path) -> None:
    """Within a twentieth of 12,000,000 bytes."""
    size = (stored / file_name(DATES["aws"][-1], "us-east-1-nyc-1")).stat().st_size

    assert 11_400_000 < size < 12_600_000


@pytest.mark.parametrize(("answer", "compressed"), [("small", False), ("always", True)])
def test_a_written_file_is_streamed(stored: Path, answer: Gzip, compressed: bool) -> None:
    """Byte for byte, resumable, and compressed only by a host that compresses more than 10 MB."""
    written = (stored / file_name(DATES["aws"][-1], "us-east-1-nyc-1")).read_bytes()
    with Sandbox(files=stored) as sandbox:
        sandbox.aws_unverified.gzip = answer
        sandbox.aws_unverified.ranges = True
        plain = get(sandbox)
        rest = get(sandbox, Range=f"bytes={len(written) - 70_000}-")
        packed = get(sandbox, Accept_Encoding="gzip")

    assert plain[2] == written
    assert (rest[0], rest[2]) == (206, written[-70_000:])
    assert ("Content-Encoding" in packed[1]) == compressed
    assert (gzip.decompress(packed[2]) if compressed else packed[2]) == written


def test_the_command_line_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    """Too few words, an unknown region or a size that is no number: usage and status 2."""
    assert write_price_list.main([]) == 2
    assert write_price_list.main(["x", "mars-1", "12"]) == 2
    assert write_price_list.main(["x", "us-east-1", "much"]) == 2
    assert capsys.readouterr().err.startswith("usage:")
