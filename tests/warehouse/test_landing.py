"""Landing files: whole or absent, never changed, readable by hand."""

import gzip
import hashlib
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from warehouse.errors import LoadFailed, WarehouseError
from warehouse.landing import Landing, Manifest

NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)


@pytest.fixture
def landing(tmp_path: Path) -> Landing:
    """An empty landing folder."""
    return Landing(tmp_path / "landing")


def write(landing: Landing, hours: int, records: list[dict[str, object]], status: str = "complete") -> Manifest:
    """Land `records` for eastus/USD, some hours after noon."""
    moment = NOON + timedelta(hours=hours)
    return landing.write(source="azure", scope="eastus/USD", observed_at=moment, status=status, records=records)


def test_a_body_is_sorted_and_named_by_its_hash(landing: Landing) -> None:
    """Order and repeats of the feed leave no trace: the body is its sorted distinct lines, named by their sha256."""
    manifest = write(landing, 0, [{"b": 2, "a": 1}, {"a": 0}, {"a": 1, "b": 2}])

    body = b'{"a":0}\n{"a":1,"b":2}\n'
    assert manifest.records == 2
    assert manifest.sha256 == hashlib.sha256(body).hexdigest()
    assert gzip.decompress(landing.body_path(manifest).read_bytes()) == body


def test_an_equal_body_is_one_file_and_unchanged(landing: Landing) -> None:
    """A quiet day writes a manifest and no body."""
    first = write(landing, 0, [{"a": 1}])
    second = write(landing, 24, [{"a": 1}])

    assert (first.status, second.status) == ("complete", "unchanged")
    assert landing.body_path(first) == landing.body_path(second)
    assert len(list(landing.root.rglob("*.ndjson.gz"))) == 1


def test_an_unchanged_version_refers_to_its_body(landing: Landing) -> None:
    """A version that is known is not fetched again; its manifest points at the records and their publication time."""
    published = NOON - timedelta(days=1)
    first = landing.write(
        source="aws",
        scope="us-east-1",
        observed_at=NOON,
        status="complete",
        records=[{"SKU": "X"}],
        version="20260731120000",
        as_of=published,
        predicate="1",
    )
    again = landing.write(
        source="aws",
        scope="us-east-1",
        observed_at=NOON + timedelta(days=1),
        status="unchanged",
        version="20260731120000",
        predicate="1",
    )

    assert (again.sha256, again.as_of, again.records) == (first.sha256, published, 1)
    assert landing.known_version("aws", "us-east-1", "1") == "20260731120000"
    assert landing.known_version("aws", "us-east-1", "2") is None


def test_unchanged_needs_something_to_refer_to(landing: Landing) -> None:
    """A fetch can't be unchanged since a version that was never landed whole."""
    with pytest.raises(WarehouseError, match="is not landed whole"):
        landing.write(source="aws", scope="us-east-1", observed_at=NOON, status="unchanged", version="1")


def test_a_failed_attempt_leaves_a_manifest(landing: Landing) -> None:
    """A failure is a fact too: as_of is observed_at, there is no body."""
    manifest = landing.write(source="azure", scope="eastus/USD", observed_at=NOON, status="failed", error="no network")

    assert (manifest.as_of, manifest.sha256, manifest.records) == (NOON, "", 0)
    assert landing.manifests("azure", "eastus/USD") == [manifest]


def test_a_second_different_file_of_a_name_is_refused(landing: Landing) -> None:
    """(source, scope, observed_at) names one fetch; the same bytes again are no news, others an error."""
    write(landing, 0, [{"a": 1}], status="partial")
    write(landing, 0, [{"a": 1}], status="partial")

    with pytest.raises(WarehouseError, match="same microsecond"):
        write(landing, 0, [{"a": 2}], status="partial")


def test_scopes_are_folders_that_cannot_leave_landing(landing: Landing) -> None:
    """Every scope comes back as it was written, and none names a file outside."""
    for scope in ("eastus/USD", "*/USD", "../../etc", "a b"):
        landing.write(source="azure", scope=scope, observed_at=NOON, status="failed")

    assert landing.scopes() == sorted(("azure", scope) for scope in ("eastus/USD", "*/USD", "../../etc", "a b"))
    assert all(landing.root in path.resolve().parents for path in landing.root.rglob("*.json"))


@pytest.mark.parametrize(
    ("whole", "damage"),
    [
        (r"(?s).*", ""),
        (r"(?s).*", "{"),
        (r"(?s).*", "[]"),
        (r"(?s).*", "[" * 100_000),
        (r'"source": "azure",', ""),
        (r'"as_of": "2026-08-01T12:00:00.000000Z"', '"as_of": "2026-08-01T12:00:00"'),
        (r'"as_of": "2026-08-01T12:00:00.000000Z"', '"as_of": "yesterday"'),
        (r'"status": "complete"', '"status": "weird"'),
        (r'"lines_read": 0', '"lines_read": null'),
        (r'"lines_read": 0', '"lines_read": true'),
        (r'"address": ""', '"address": null'),
    ],
)
def test_an_unreadable_manifest_is_named(landing: Landing, whole: str, damage: str) -> None:
    """One clear line that names the file, whatever is in it; nothing in it is believed."""
    write(landing, 0, [{"a": 1}])
    path = next(landing.root.rglob("*.json"))
    damaged, count = re.subn(whole, damage, path.read_text(), count=1)
    assert count == 1
    path.write_text(damaged)

    with pytest.raises(LoadFailed, match=f"{path.name}: can't be read"):
        landing.manifests("azure", "eastus/USD")


def test_a_cut_or_altered_body_is_named(landing: Landing) -> None:
    """The manifest's hash and count are believed, not the reader."""
    manifest = write(landing, 0, [{"a": 1}])
    path = landing.body_path(manifest)
    whole = path.read_bytes()

    for damage, said in (
        (whole[:-9], "can't be read"),
        (whole[:12] + b"\xff\xff\xff" + whole[15:], "can't be read"),
        (gzip.compress(b'{"a":2}\n'), "not what its manifest says"),
        (b"", "not what its manifest says"),
    ):
        path.write_bytes(damage)
        with pytest.raises(LoadFailed, match=said):
            landing.lines(manifest)


def test_a_damaged_file_does_not_stop_the_next_fetch(landing: Landing) -> None:
    """What came is landed all the same, an equal body is written anew, and a known version is asked for again."""
    first = landing.write(
        source="aws",
        scope="us-east-1",
        observed_at=NOON,
        status="complete",
        records=[{"a": 1}],
        version="1",
        predicate="1",
    )
    landing.body_path(first).write_bytes(b"damaged")

    assert landing.known_version("aws", "us-east-1", "1") is None
    later = NOON + timedelta(days=1)
    again = landing.write(
        source="aws",
        scope="us-east-1",
        observed_at=later,
        status="complete",
        records=[{"a": 1}],
        version="1",
        predicate="1",
    )
    assert landing.lines(first) == landing.lines(again) == ['{"a":1}']


def test_a_stray_file_is_no_scope(landing: Landing) -> None:
    """A note that somebody left in the landing folder itself belongs to no source."""
    write(landing, 0, [{"a": 1}])
    (landing.root / "notes.json").write_text("{}")

    assert landing.scopes() == [("azure", "eastus/USD")]


def test_text_that_is_no_unicode_is_kept(landing: Landing) -> None:
    """JSON may hold half of a surrogate pair; it is landed as the escape it came as."""
    manifest = write(landing, 0, [{"a": "\ud800"}])

    assert landing.lines(manifest) == ['{"a":"\\ud800"}']


def test_a_line_may_hold_any_text(landing: Landing) -> None:
    """Line separators that only Unicode knows stay inside their record."""
    manifest = write(landing, 0, [{"a": "one\u2028two\x85three\nfour"}])

    assert [json.loads(line) for line in landing.lines(manifest)] == [{"a": "one\u2028two\x85three\nfour"}]


def test_the_first_decision_stands(landing: Landing) -> None:
    """Accepting twice is accepting once."""
    write(landing, 0, [{"a": 1}])
    landing.accept("azure", "eastus/USD", NOON, decided_by="ann", note="seen on the price page")
    landing.accept("azure", "eastus/USD", NOON, decided_by="bob")

    assert [(d.observed_at, d.decided_by) for d in landing.decisions("azure", "eastus/USD")] == [(NOON, "ann")]
    assert len(landing.observed("azure", "eastus/USD")) == 1
