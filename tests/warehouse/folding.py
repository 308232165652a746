"""The way of a test's fetches through the real landing and the real warehouse, and back as the oracle's words."""

import json
import shutil
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from tests.warehouse import oracle
from tests.warehouse.oracle import Accounted, Announced, Fetch, History, Interval, Refused
from warehouse.database import open_warehouse
from warehouse.landing import Landing
from warehouse.load import Loaded, load

SOURCE = "hand_written"
SOURCES_DIR = Path(__file__).parent / "sources"
TABLES = ("observations", "price_intervals", "announced", "rejects", "decisions")

Tables = dict[str, list[dict[str, Any]]]  # table: rows, in an order of their own


def land(root: Path, fetches: Iterable[Fetch], accepted: Iterable[tuple[str, datetime]] = ()) -> Landing:
    """Write the fetches as a refresh would, in the order they were made, then the decisions."""
    landing = Landing(root)
    latest: dict[str, Fetch] = {}
    for fetch in sorted(fetches, key=lambda fetch: fetch.observed_at):
        before = latest.get(fetch.scope)
        known = before is not None and fetch.version is not None and before.version == fetch.version
        unchanged = fetch.status == "complete" and known and before is not None and before.records == fetch.records
        landing.write(
            source=SOURCE,
            scope=fetch.scope,
            observed_at=fetch.observed_at,
            status="unchanged" if unchanged else fetch.status,
            records=() if unchanged else fetch.records,
            version=fetch.version,
            as_of=fetch.published_at,
            error="cut off" if fetch.status in ("partial", "failed") else None,
        )
        if fetch.status == "complete":
            latest[fetch.scope] = fetch
    for scope, observed_at in accepted:
        landing.accept(SOURCE, scope, observed_at, decided_by="a person")
    return landing


def documents(landing: Landing) -> list[Path]:
    """The manifests and decisions of a landing folder, below its root."""
    return sorted(path.relative_to(landing.root) for path in landing.root.rglob("*.json"))


def name_of(landing: Landing, document: Path) -> tuple[str, str, datetime]:
    """What a document speaks of: "fetch" or "accept", the scope, and the `observed_at` of the fetch."""
    content = json.loads((landing.root / document).read_bytes())
    kind = "accept" if document.name.startswith("accept-") else "fetch"
    return kind, content["scope"], datetime.fromisoformat(content["observed_at"])


def bring(landing: Landing, files: Iterable[Path], to: Landing) -> None:
    """Copy manifests and decisions to another landing folder, the bodies first; one that is there already stays."""
    for file in files:
        (to.root / file).parent.mkdir(parents=True, exist_ok=True)
        bodies = file.parent / "bodies"
        if (landing.root / bodies).exists():
            shutil.copytree(landing.root / bodies, to.root / bodies, dirs_exist_ok=True)
        shutil.copyfile(landing.root / file, to.root / file)


def fold(con: duckdb.DuckDBPyConnection, landing: Landing) -> list[Loaded]:
    """Load what is new; no scope may fail."""
    done = load(con, landing, sources_dir=SOURCES_DIR)
    assert not [loaded.error for loaded in done if loaded.error]
    return done


def folded(landing: Landing) -> Tables:
    """Every table after one load of everything into a fresh warehouse."""
    with open_warehouse(":memory:") as con:
        fold(con, landing)
        return tables(con)


def tables(con: duckdb.DuckDBPyConnection) -> Tables:
    """Every row of every table that the fold writes."""
    found: Tables = {}
    for table in TABLES:
        result = con.execute(f"from {table}")
        columns = [column[0] for column in result.description or ()]
        rows = [dict(zip(columns, row, strict=True)) for row in result.fetchall()]
        found[table] = sorted(rows, key=repr)
    return found


def of_scopes(found: Tables, scopes: Collection[str]) -> Tables:
    """The rows of these scopes."""
    return {table: [row for row in rows if row["scope"] in scopes] for table, rows in found.items()}


def told(found: Tables) -> History:
    """The tables in the oracle's words."""
    intervals = [_interval(row) for row in found["price_intervals"]]
    observations = [_accounted(row) for row in found["observations"]]
    rejects = [
        Refused(row["scope"], _line(row["record"]), *_utc(row, "first_seen_at", "last_seen_at"))
        for row in found["rejects"]
    ]
    announced = [
        Announced(
            row["scope"],
            row["instance_type"],
            _utc(row, "starts_at")[0],
            _price(row),
            *_utc(row, "first_seen_at", "last_seen_at"),
        )
        for row in found["announced"]
    ]
    for rows in (intervals, observations, rejects, announced):
        assert len(rows) == len(set(rows)), f"a row stands twice in {rows}"
    return History(frozenset(intervals), frozenset(observations), frozenset(rejects), frozenset(announced))


def _interval(row: dict[str, Any]) -> Interval:
    times = (
        "valid_from",
        "valid_to",
        "provider_effective_date",
        "missing_since",
        "first_seen_at",
        "last_seen_at",
        "partial_seen_at",
        "closed_known_at",
    )
    assert row["currency"] == row["scope"].split("/")[1]
    return Interval(
        scope=row["scope"],
        key=row["instance_type"],
        price=_price(row),
        valid_from_basis=row["valid_from_basis"],
        close_reason=row["close_reason"],
        rate_id=row["rate_id"],
        **dict(zip(times, _utc(row, *times), strict=True)),
    )


def _accounted(row: dict[str, Any]) -> Accounted:
    counts = ("effective_status", "records", "loaded", "duplicates", "excluded", "rejected", "keys", "missing")
    return Accounted(
        scope=row["scope"],
        observed_at=_utc(row, "observed_at")[0],
        exclusions=tuple(sorted(row["exclusions"].items())),
        **{name: row[name] for name in counts},
    )


def _announced(row: dict[str, Any]) -> Announced:
    starts_at, first, last = _utc(row, "starts_at", "first_seen_at", "last_seen_at")
    return Announced(row["scope"], row["instance_type"], starts_at, _price(row), first, last)


def _price(row: dict[str, Any]) -> oracle.Price:
    return row["hourly_price"], row["upfront_price"]


def _utc(row: dict[str, Any], *columns: str) -> list[Any]:
    return [row[column] and row[column].replace(tzinfo=UTC) for column in columns]


def _line(record: str) -> str:
    return json.dumps(json.loads(record), sort_keys=True)
