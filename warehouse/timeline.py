"""The fold: one scope's landing files, in the order of history, become prices with a beginning and an end.

The rules are the words of the project's definitions ("What opens, moves and closes a price"); each step is the SQL of
`warehouse/fold/`. The same step serves a scope that grows by one fetch and a scope rebuilt from its first, so there is
one statement of the rules. Only temporary tables change until `Timeline.store`.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from warehouse.errors import LoadFailed, WarehouseError
from warehouse.landing import Landing, Manifest

FOLD_DIR = Path(__file__).parent / "fold"

# A complete fetch that lacks this many of the open offers, and over half of them, is not believed at once.
HELD_AT_LEAST = 20
# ... until this many in a row, over this time, say the same.
RELEASED_BY = 3
RELEASED_OVER = timedelta(hours=72)


@dataclass(frozen=True)
class Seen:
    """A folded observation, as far as later ones need it; times are naive UTC."""

    as_of: datetime
    observed_at: datetime
    effective_status: str
    keys_hash: str


class ReleasedLater(Exception):
    """A held run was released: its fetches count as complete from their own times, so the scope folds anew."""

    def __init__(self, observed_at: Iterable[datetime]) -> None:
        self.observed_at = frozenset(observed_at)
        super().__init__(f"{len(self.observed_at)} held fetches released")


@cache
def fold_sql(name: str) -> str:
    """The text of one script of the fold."""
    return (FOLD_DIR / f"{name}.sql").read_text()


@cache
def rules() -> str:
    """The text of all that decides how fetches become history; under other rules, history is folded anew."""
    scripts = "".join(path.name + path.read_text() for path in sorted(FOLD_DIR.glob("*.sql")))
    return f"{HELD_AT_LEAST} {RELEASED_BY} {RELEASED_OVER} {scripts}"


class Timeline:
    """The fold of one scope: `begin`, `step` for each manifest in the order of history, `store`."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, landing: Landing, source_sql: str, place: tuple[str, str]
    ) -> None:
        self.connection = connection
        self.landing = landing
        self.source_sql = source_sql
        self.source, self.scope = place
        self.seen: list[Seen] = []
        self.side_rows_stand = False  # a reject or announcement of an earlier fetch is still without an end
        self.released: frozenset[datetime] = frozenset()
        self.accepted: frozenset[datetime] = frozenset()

    def begin(self, *, anew: bool, released: frozenset[datetime], accepted: frozenset[datetime]) -> None:
        """Take up the fold from what is stored, or from nothing (`anew`).

        `released`: held observations (naive UTC) that turned out to count as complete. `accepted`: those a person
        accepted.
        """
        self.released, self.accepted = released, accepted
        self._run("scope_now", [self.source, self.scope, anew])
        self._run("begin")
        self.seen = [Seen(*row) for row in self._run("seen_so_far")]
        self.side_rows_stand = bool(self._run("side_rows_open")[0][0])

    def step(self, manifest: Manifest, superseded_at: datetime | None) -> None:
        """Fold one manifest; it must come after all before it in the order of history.

        `superseded_at` (aware UTC): when the next version was published, as far as is known.

        Raises:
            LoadFailed: its body can't be read, or the source's .sql fails on it.
            ReleasedLater: it releases held fetches that are not in `released`.
        """
        if manifest.status == "failed":
            self._observe(manifest, "failed")
            return
        self._parse(manifest)
        now = naive(manifest.as_of), naive(manifest.observed_at)
        if manifest.version is not None and self._previous_version_spoke_until(now[0]):
            self._set_step(manifest, superseded_at, complete=False)
            self._run("close_by_version")
        summary = self._summary()
        status, held_reason = self._effective_status(manifest, summary)
        self._set_step(manifest, superseded_at, complete=status == "complete")
        self._run("apply")
        if summary["side_rows"] or self.side_rows_stand:
            self._run("side_rows")
            self.side_rows_stand = bool(self._run("side_rows_open")[0][0])
        self._observe(manifest, status, summary, held_reason)
        self.seen.append(Seen(*now, status, str(summary["keys_hash"])))

    def counts(self) -> tuple[int, int, int, bool]:
        """What `store` is about to write: prices opened, changed, closed; and whether the newest fetch is held."""
        opened, changed, closed, held = self._run("counts")[0]
        return opened, changed, closed, held

    def store(self, decisions: list[tuple[datetime, str, str]], dictionary_hash: str) -> None:
        """Write what changed, in one transaction, with the decisions and the reading under which the scope now stands.

        Raises:
            WarehouseError: the disk does not take it; nothing of the scope is written.
        """
        try:
            self.connection.execute("BEGIN").fetchall()
            self._run("finish")
            for decision in decisions:
                self.connection.execute(
                    "INSERT INTO decisions VALUES (?, ?, ?, ?, ?)", [self.source, self.scope, *decision]
                ).fetchall()
            self.connection.execute(
                "INSERT INTO dictionaries VALUES (?, ?, ?)", [self.source, self.scope, dictionary_hash]
            ).fetchall()
            self.connection.execute("COMMIT").fetchall()
        except duckdb.Error as error:
            with suppress(duckdb.Error):  # a broken connection has nothing to roll back
                self.connection.execute("ROLLBACK").fetchall()
            first = str(error).splitlines()[0]
            raise WarehouseError(f"{self.source} {self.scope}: the warehouse can't be written ({first})") from error

    def _run(self, name: str, values: object = None) -> list[tuple[Any, ...]]:
        return self.connection.execute(fold_sql(name), values).fetchall()

    def _parse(self, manifest: Manifest) -> None:
        lines = self.landing.lines(manifest)
        table = pa.table(
            {"record_id": pa.array(range(len(lines)), pa.uint64()), "record": pa.array(lines, pa.string())}
        )
        values = [self.source, self.scope, naive(manifest.as_of), naive(manifest.observed_at), manifest.version]
        self.connection.register("landed_lines", table)
        try:
            self._run("landed")
            self._run("this_fetch", values)
            self.connection.execute(f"CREATE OR REPLACE TEMP TABLE parsed AS {self.source_sql}").fetchall()
            self._run("stage")
        except duckdb.Error as error:
            path = self.landing.body_path(manifest)
            first = str(error).splitlines()[0]
            raise LoadFailed(f"{path}: warehouse/sources/{self.source}.sql fails on it: {first}") from error
        finally:
            self.connection.unregister("landed_lines")

    def _set_step(self, manifest: Manifest, superseded_at: datetime | None, *, complete: bool) -> None:
        as_of, observed_at = naive(manifest.as_of), naive(manifest.observed_at)
        reach = as_of
        if manifest.version is not None:
            # A version speaks from its publication until the next one's, as far as we looked.
            reach = max(as_of, min(observed_at, naive(superseded_at)) if superseded_at else observed_at)
        last_complete = next((s for s in reversed(self.seen) if s.effective_status == "complete"), None)
        self._run(
            "step",
            {
                "as_of": as_of,
                "observed_at": observed_at,
                "versioned": manifest.version is not None,
                "complete": complete,
                "reach": reach,
                "previous_observed_at": self.seen[-1].observed_at if self.seen else None,
                "previous_complete_as_of": last_complete.as_of if last_complete else None,
                "previous_complete_observed_at": last_complete.observed_at if last_complete else None,
            },
        )

    def _previous_version_spoke_until(self, as_of: datetime) -> bool:
        """Whether the version before this one was seen whole, so that its silence counts until now."""
        if not self.seen or self.seen[-1].as_of >= as_of:
            return False
        previous = self.seen[-1].as_of
        return any(s.as_of == previous and s.effective_status == "complete" for s in self.seen)

    def _summary(self) -> dict[str, object]:
        cursor = self.connection.execute(fold_sql("summary"))
        names = [column[0] for column in cursor.description or ()]
        summary = dict(zip(names, cursor.fetchall()[0], strict=True))
        if summary["vanished"]:
            raise LoadFailed(
                f"{self.source} {self.scope}: warehouse/sources/{self.source}.sql returns no row for "
                f"{summary['vanished']} records; every record must have an outcome"
            )
        return summary

    def _effective_status(self, manifest: Manifest, summary: dict[str, object]) -> tuple[str, str]:
        """complete, partial or held, and why held."""
        if manifest.status == "partial" or summary["unreadable"]:
            return "partial", ""
        observed_at = naive(manifest.observed_at)
        if observed_at in self.released:
            return "complete", ""
        open_rows, missing = int(str(summary["open_rows"])), int(str(summary["missing"]))
        if not missing or not (missing == open_rows or (missing * 2 > open_rows and missing >= HELD_AT_LEAST)):
            return "complete", ""
        run = self._held_run()
        like_this = [observed_at]
        for seen in reversed(run):
            if seen.keys_hash != summary["keys_hash"]:
                break
            like_this.append(seen.observed_at)
        enough = len(like_this) >= RELEASED_BY and max(like_this) - min(like_this) >= RELEASED_OVER
        if enough or observed_at in self.accepted:
            raise ReleasedLater([*(seen.observed_at for seen in run), observed_at])
        return "held", f"lacks {missing} of {open_rows} open offers"

    def _held_run(self) -> list[Seen]:
        """The held observations since the last complete one, in order."""
        run: list[Seen] = []
        for seen in reversed(self.seen):
            if seen.effective_status == "complete":
                break
            if seen.effective_status == "held":
                run.append(seen)
        return run[::-1]

    def _observe(
        self, manifest: Manifest, status: str, summary: dict[str, object] | None = None, held_reason: str = ""
    ) -> None:
        counts = summary or {}
        self._run(
            "observe",
            {
                "source": self.source,
                "scope": self.scope,
                "as_of": naive(manifest.as_of),
                "observed_at": naive(manifest.observed_at),
                "status": manifest.status,
                "effective_status": status,
                "version": manifest.version,
                "address": manifest.address,
                "lines_read": manifest.lines_read,
                "records": manifest.records,
                "sha256": manifest.sha256,
                "predicate": manifest.predicate,
                "error": manifest.error,
                "reasons": list(_mapping(counts.get("exclusions")).keys()),
                "reason_records": list(_mapping(counts.get("exclusions")).values()),
                "held_reason": held_reason,
                **{
                    name: counts.get(name, 0)
                    for name in ("loaded", "duplicates", "excluded", "rejected", "keys", "missing")
                },
                "keys_hash": counts.get("keys_hash", ""),
            },
        )


def _mapping(value: object) -> dict[str, int]:
    return dict(value) if isinstance(value, dict) else {}


def naive(moment: datetime) -> datetime:
    """Aware UTC as the naive UTC that the tables hold."""
    return moment.replace(tzinfo=None)
