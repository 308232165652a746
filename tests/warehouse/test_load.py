"""Loading landing files: what is new is folded, what can't be read is named, and the rest goes on.

The laws of history are proved in test_history_laws.py; here is what a person meets around them.
"""

import json
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from warehouse.database import open_warehouse
from warehouse.landing import Landing, Manifest
from warehouse.load import load

SOURCES = Path(__file__).parent / "sources"
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def landing(tmp_path: Path) -> Landing:
    """An empty landing folder."""
    return Landing(tmp_path / "landing")


def write(landing: Landing, hours: float, *records: Mapping[str, object], scope: str = "place/USD") -> Manifest:
    """Land a complete fetch of the hand-written source, some hours after the start."""
    moment = START + timedelta(hours=hours)
    return landing.write(source="hand_written", scope=scope, observed_at=moment, status="complete", records=records)


def day(number: int) -> datetime:
    """Midnight of a day of January 2026, as the tables hold it."""
    return START.replace(day=number, tzinfo=None)


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[tuple[object, ...]]:
    """All rows of a query."""
    return connection.execute(query).fetchall()


def test_a_load_says_what_it_did_and_a_second_one_does_nothing(landing: Landing) -> None:
    """a moves, b goes after 24 hours of absence, c comes; then there is nothing new."""
    write(landing, 0, {"key": "a", "price": "1"}, {"key": "b", "price": "2"})
    write(landing, 24, {"key": "a", "price": "1.5"}, {"key": "c", "price": "3"})
    write(landing, 48, {"key": "a", "price": "1.5"}, {"key": "c", "price": "3"})

    with open_warehouse(":memory:") as connection:
        (loaded,) = load(connection, landing, SOURCES)
        again = load(connection, landing, SOURCES)

    # a, b, c opened; a changed (its new price is no opening); b closed
    assert (loaded.manifests, loaded.opened, loaded.changed, loaded.closed) == (3, 3, 1, 1)
    assert (loaded.rebuilt, loaded.held, loaded.error) == (False, False, None)
    assert again == []


def test_a_quiet_day_writes_no_price(landing: Landing) -> None:
    """The same prices again leave every row of price_intervals where it is; only the log grows."""
    write(landing, 0, {"key": "a", "price": "1"})
    with open_warehouse(":memory:") as connection:
        load(connection, landing, SOURCES)
        before = rows(connection, "SELECT rowid, * FROM price_intervals")
        write(landing, 24, {"key": "a", "price": "1"})
        load(connection, landing, SOURCES)

        assert rows(connection, "SELECT rowid, * FROM price_intervals") == before
        assert rows(connection, "SELECT status FROM observations ORDER BY ALL") == [("complete",), ("unchanged",)]


def test_an_unreadable_file_leaves_its_scope_and_no_other(landing: Landing) -> None:
    """The scope keeps its old prices and says which file is at fault; put right, it catches up."""
    write(landing, 0, {"key": "a", "price": "1"})
    with open_warehouse(":memory:") as connection:
        load(connection, landing, SOURCES)
        spoilt = write(landing, 24, {"key": "a", "price": "9"})
        write(landing, 24, {"key": "a", "price": "5"}, scope="elsewhere/USD")
        path = landing.body_path(spoilt)
        whole = path.read_bytes()
        path.write_bytes(whole[:-4])

        elsewhere, here = load(connection, landing, SOURCES)
        assert elsewhere.error is None
        assert here.error is not None
        assert str(path) in here.error
        assert rows(connection, "SELECT scope, hourly_price::VARCHAR FROM price_intervals ORDER BY ALL") == [
            ("elsewhere/USD", "5.0000000000"),
            ("place/USD", "1.0000000000"),
        ]

        path.write_bytes(whole)
        (caught_up,) = load(connection, landing, SOURCES)
        assert (caught_up.error, caught_up.changed) == (None, 1)


def test_a_record_that_breaks_the_dictionary_stops_its_own_scope_only(landing: Landing, tmp_path: Path) -> None:
    """Scopes are read side by side; which of them holds the record that the .sql fails on is found out."""
    sources = tmp_path / "sources"
    shutil.copytree(SOURCES, sources)
    sql = (SOURCES / "hand_written.sql").read_text()
    (sources / "hand_written.sql").write_text(sql.replace("try_cast(record->>'price'", "cast(record->>'price'"))
    write(landing, 0, {"key": "a", "price": "1"}, scope="before/USD")
    bad = write(landing, 0, {"key": "a", "price": "much"})
    write(landing, 0, {"key": "a", "price": "3"}, scope="then/USD")

    with open_warehouse(":memory:") as connection:
        before, here, then = load(connection, landing, sources)
        opened = rows(connection, "SELECT scope, hourly_price::INT FROM price_intervals ORDER BY ALL")

    assert (before.error, then.error) == (None, None)
    assert here.error is not None
    assert str(landing.body_path(bad)) in here.error
    assert opened == [("before/USD", 1), ("then/USD", 3)]


def test_a_landing_file_that_is_gone_is_missed(landing: Landing) -> None:
    """What was loaded and is no longer there is said, not forgotten; a warehouse built anew does without it."""
    lost = write(landing, 0, {"key": "a", "price": "1"})
    write(landing, 24, {"key": "a", "price": "2"})
    with open_warehouse(":memory:") as connection:
        load(connection, landing, SOURCES)
        (landing.folder("hand_written", "place/USD") / f"{lost.observed_at:%Y%m%dT%H%M%S.%fZ}.json").unlink()
        (loaded,) = load(connection, landing, SOURCES)

        assert loaded.error is not None
        assert "1 landing files that were loaded are gone" in loaded.error
        assert len(rows(connection, "FROM price_intervals")) == 2
    with open_warehouse(":memory:") as connection:
        assert load(connection, landing, SOURCES)[0].error is None
        assert rows(connection, "SELECT hourly_price::INT FROM price_intervals") == [(2,)]


def test_other_rules_read_history_anew(landing: Landing, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows folded under the rules of an older release are folded again, so that a replay gives the same."""
    write(landing, 0, {"key": "a", "price": "1"})
    with open_warehouse(":memory:") as connection:
        load(connection, landing, SOURCES)
        monkeypatch.setattr("warehouse.load.rules", lambda: "other rules")
        (loaded,) = load(connection, landing, SOURCES)

    assert loaded.rebuilt


def test_an_unknown_source_is_named(landing: Landing) -> None:
    """A folder in landing without a dictionary can't be read, and does not stop the rest."""
    landing.write(source="mystery", scope="x", observed_at=START, status="complete", records=[{"a": 1}])
    write(landing, 0, {"key": "a", "price": "1"})

    with open_warehouse(":memory:") as connection:
        hand_written, mystery = load(connection, landing, SOURCES)

    assert hand_written.error is None
    assert mystery.error is not None
    assert mystery.error.startswith("landing/mystery: no such source")


def test_another_dictionary_reads_history_anew(landing: Landing, tmp_path: Path) -> None:
    """When a source's .sql changes, its whole history is what the new one would always have said."""
    sources = tmp_path / "sources"
    shutil.copytree(SOURCES, sources)
    write(landing, 0, {"key": "a", "price": "1"})
    write(landing, 24, {"key": "a", "price": "2"})

    with open_warehouse(":memory:") as connection:
        load(connection, landing, sources)
        text = (sources / "hand_written.sql").read_text()
        (sources / "hand_written.sql").write_text(
            text.replace("'linux' as operating_system", "'windows' as operating_system")
        )
        (loaded,) = load(connection, landing, sources)
        systems = rows(connection, "SELECT operating_system, hourly_price::INT FROM price_intervals ORDER BY ALL")
        third = load(connection, landing, sources)

    assert loaded.rebuilt
    assert systems == [("windows", 1), ("windows", 2)]
    assert third == []


def test_a_dictionary_that_forgets_a_record_is_stopped(landing: Landing, tmp_path: Path) -> None:
    """Nothing vanishes unreported, not even by a mistake in a source's .sql."""
    sources = tmp_path / "sources"
    shutil.copytree(SOURCES, sources)
    sql = (SOURCES / "hand_written.sql").read_text()
    (sources / "hand_written.sql").write_text(sql.rstrip() + " where record->>'key' <> 'b'")
    write(landing, 0, {"key": "a", "price": "1"}, {"key": "b", "price": "2"})

    with open_warehouse(":memory:") as connection:
        (loaded,) = load(connection, landing, sources)

    assert loaded.error is not None
    assert "returns no row for 1 records" in loaded.error


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"key": "a", "price": "0"}, "price not positive"),
        ({"key": "a", "price": "-1"}, "price not positive"),
        ({"key": "a", "price": "0", "upfront": "8760"}, "hourly price zero"),  # effective 1.00, but not all upfront
        ({"key": "a", "price": "much"}, "price without a key or an amount"),
        ({"key": "a"}, "price without a key or an amount"),
        ({"price": "1"}, "price without a key or an amount"),
    ],
)
def test_no_dictionary_lets_an_impossible_price_through(
    landing: Landing, record: dict[str, object], reason: str
) -> None:
    """What no source may load is rejected with the raw record, whatever its .sql said of it."""
    write(landing, 0, record, {"key": "b", "price": "2"})

    with open_warehouse(":memory:") as connection:
        load(connection, landing, SOURCES)
        assert rows(connection, "SELECT instance_type FROM price_intervals") == [("b",)]
        assert [(r, json.loads(str(raw))) for r, raw in rows(connection, "SELECT reason, record FROM rejects")] == [
            (reason, record)
        ]
        assert rows(connection, "SELECT loaded, rejected, records FROM observations") == [(1, 1, 2)]


def test_a_reject_is_stored_once_with_its_sightings(landing: Landing) -> None:
    """Three days of the same bad record are one row; when it is gone, its last sighting is known."""
    bad = {"key": "a", "outcome": "rejected", "reason": "unit"}
    for days in range(3):
        write(landing, 24 * days, bad, {"key": "b", "price": str(days + 1)})
    write(landing, 72, {"key": "a", "price": "1"}, {"key": "b", "price": "3"})

    with open_warehouse(":memory:") as connection:
        load(connection, landing, SOURCES)
        found = rows(connection, "SELECT reason, first_seen_at, last_seen_at FROM rejects")

    assert found == [("unit", day(1), day(3))]


def test_an_announcement_outlives_a_partial_fetch(landing: Landing) -> None:
    """A walk that breaks off says nothing of what it lacks; the next complete one does."""
    announced = {"key": "a", "price": "2", "outcome": "announced", "start": "2026-03-01T00:00:00Z"}
    write(landing, 0, {"key": "a", "price": "1"}, announced)
    landing.write(
        source="hand_written",
        scope="place/USD",
        observed_at=START + timedelta(hours=24),
        status="partial",
        records=[{"key": "a", "price": "1"}],
    )
    with open_warehouse(":memory:") as connection:
        load(connection, landing, SOURCES)
        assert rows(connection, "SELECT last_seen_at FROM announced") == [(None,)]

        write(landing, 48, {"key": "a", "price": "1"})
        load(connection, landing, SOURCES)
        assert rows(connection, "SELECT last_seen_at FROM announced") == [(day(1),)]


def test_an_accepted_emptiness_closes_prices(landing: Landing) -> None:
    """A fetch that lacks everything is held; accepted, it and the one after close what they lack from the first on."""
    write(landing, 0, {"key": "a", "price": "1"})
    write(landing, 24, {"key": "z", "outcome": "excluded", "reason": "tenancy"})
    write(landing, 48, {"key": "z", "outcome": "excluded", "reason": "tenancy"})

    with open_warehouse(":memory:") as connection:
        (held,) = load(connection, landing, SOURCES)
        assert held.held
        assert rows(connection, "SELECT count(*) FROM price_intervals WHERE valid_to IS NULL") == [(1,)]

        landing.accept("hand_written", "place/USD", START + timedelta(hours=48), decided_by="ann", note="retired")
        (released,) = load(connection, landing, SOURCES)
        closed = rows(connection, "SELECT valid_to, close_reason, closed_known_at FROM price_intervals")
        statuses = rows(connection, "SELECT effective_status FROM observations ORDER BY observed_at")

    assert (released.rebuilt, released.held) == (True, False)
    assert closed == [(day(2), "absent", day(3))]
    assert statuses == [("complete",)] * 3
