"""The fold: landing files of many scopes of one source, each in the order of its history, become prices with a
beginning and an end.

All scopes go side by side, a fetch of each a round, since DuckDB takes as long to plan a statement for one scope as to
run it for a hundred. The same round serves a scope that grows by one fetch and a scope rebuilt from its first, so there
is one statement of the rules: the SQL of `warehouse/fold/`, and `timeline.py` for what is decided from counts alone.
Only temporary tables change until `Fold.store`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from warehouse.errors import LoadFailed, WarehouseError
from warehouse.landing import Landing, Manifest
from warehouse.timeline import CONSTANTS, ReleasedLater, Seen, Summary, Timeline, naive

FOLD_DIR = Path(__file__).parent / "fold"
FACTS_DIR = Path(__file__).parent / "facts"

INSTANT = pa.timestamp("us")
SCOPE = {"scope_id": pa.int32(), "source": pa.string(), "scope": pa.string()}
FETCHES = pa.schema(SCOPE | {"as_of": INSTANT, "observed_at": INSTANT, "version": pa.string()})
STEPS = pa.schema(
    {
        "scope_id": pa.int32(),
        "as_of": INSTANT,
        "observed_at": INSTANT,
        "versioned": pa.bool_(),
        "fills_history": pa.bool_(),
        "complete": pa.bool_(),
        "reach": INSTANT,
        "previous_observed_at": INSTANT,
        "previous_complete_as_of": INSTANT,
        "previous_complete_observed_at": INSTANT,
        "closes_previous": pa.bool_(),
    }
)
LEAVING = pa.schema({"scope_id": pa.int32()})
LINES = pa.schema({"record_id": pa.uint64(), "scope_id": pa.int32(), "record": pa.string()})
COUNTS = ("loaded", "duplicates", "excluded", "rejected", "keys", "missing")
OBSERVATIONS = pa.schema(
    {
        "source": pa.string(),
        "scope": pa.string(),
        "as_of": INSTANT,
        "observed_at": INSTANT,
        **dict.fromkeys(("status", "effective_status", "version", "address"), pa.string()),
        **dict.fromkeys(("lines_read", "records"), pa.int64()),
        **dict.fromkeys(("sha256", "predicate", "error"), pa.string()),
        **dict.fromkeys(COUNTS, pa.int64()),
        "exclusions": pa.map_(pa.string(), pa.int64()),
        **dict.fromkeys(("keys_hash", "held_reason"), pa.string()),
    }
)
DICTIONARIES = pa.schema(dict.fromkeys(("source", "scope", "dictionary_hash"), pa.string()))

Decided = list[tuple[datetime, str, str]]  # observed_at (naive UTC), who, note


@cache
def fold_sql(name: str) -> str:
    """The text of one script of the fold."""
    return (FOLD_DIR / f"{name}.sql").read_text()


@cache
def facts_sql(source: str) -> str:
    """How the facts of a source go into the table that bears its name; '' for a source of prices alone."""
    path = FACTS_DIR / f"{source}.sql"
    return path.read_text() if path.exists() else ""


@cache
def rules() -> str:
    """The text of all that decides how fetches become history; under other rules, history is folded anew."""
    scripts = "".join(path.name + path.read_text() for path in sorted(FOLD_DIR.glob("*.sql")))
    return f"{CONSTANTS} {scripts}"


class Fold:
    """The fold of some scopes of one source: `run`, then `store`.

    `left` says which scopes left it and why: LoadFailed, or ReleasedLater for those that fold anew.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        landing: Landing,
        source_sql: str,
        timelines: Sequence[Timeline],
    ) -> None:
        self.connection = connection
        self.landing = landing
        self.source_sql = source_sql
        self.timelines = dict(enumerate(timelines))
        self.left: dict[tuple[str, str], LoadFailed | ReleasedLater] = {}
        self._observations: list[dict[str, object]] = []
        self._side_rows_stand = False  # a reject or announcement of an earlier fetch is still without an end
        self._facts_sql = facts_sql(next(iter(t.source for t in timelines), ""))
        self._facts_came = False

    def run(self) -> None:
        """Fold every manifest of the scopes.

        Raises:
            LoadFailed: the source's .sql fails on a body; whose it is can't be told unless there is one scope.
        """
        self._begin()
        for number in range(max((len(t.manifests) for t in self.timelines.values()), default=0)):
            here = {i: t.manifests[number] for i, t in self.timelines.items() if number < len(t.manifests)}
            self._round(here)

    def _begin(self) -> None:
        scopes = [
            {"scope_id": i, "source": t.source, "scope": t.scope, "anew": t.anew} for i, t in self.timelines.items()
        ]
        with self._given("folded_scopes", scopes, pa.schema(SCOPE | {"anew": pa.bool_()})):
            self._run("begin")
        for scope_id, *seen in self._run("seen_so_far"):
            self.timelines[scope_id].seen.append(Seen(*seen))
        self._side_rows_stand = bool(self._run("side_rows_open")[0][0])
        self._run("facts_begin")

    def _round(self, manifests: Mapping[int, Manifest]) -> None:
        """Fold one fetch of each of these scopes; it must come after all before it in the order of history."""
        for scope_id, manifest in manifests.items():
            if manifest.status == "failed":
                self._observe(scope_id, manifest, "failed", Summary())
        here = self._parse({i: manifest for i, manifest in manifests.items() if manifest.status != "failed"})
        first = {i: m for i, m in here.items() if self.timelines[i].windows_lead_to(m)}
        if first:
            self._set_step(first, ())
            self._run("unchained")
        closing = {i: m for i, m in here.items() if self.timelines[i].newer_version_closes(m)}
        if closing:
            self._set_step(closing, ())
            self._run("close_by_version")
        summaries, statuses = self._judge(here)
        here = {i: manifest for i, manifest in here.items() if i in statuses}
        if not here:
            return
        self._set_step(here, [i for i, (status, _) in statuses.items() if status == "complete"])
        self._run("apply")
        if self._side_rows_stand or any(summaries[i].side_rows for i in here):
            self._run("side_rows")
            self._side_rows_stand = bool(self._run("side_rows_open")[0][0])
        for scope_id, manifest in here.items():
            status, held_reason = statuses[scope_id]
            self._observe(scope_id, manifest, status, summaries[scope_id], held_reason)
            self.timelines[scope_id].note(manifest, status, summaries[scope_id])

    def _parse(self, manifests: dict[int, Manifest]) -> dict[int, Manifest]:
        """Read the bodies and stage what they say; returns the manifests whose body could be read."""
        ids: list[int] = []
        lines: list[str] = []
        unreadable: dict[int, LoadFailed] = {}
        for scope_id, manifest in manifests.items():
            try:
                found = self.landing.lines(manifest)
            except LoadFailed as error:
                unreadable[scope_id] = error
            else:
                ids += [scope_id] * len(found)
                lines += found
        self._leave(unreadable)
        here = {i: manifest for i, manifest in manifests.items() if i not in unreadable}
        if not here:
            return here
        records = pa.table([range(len(lines)), ids, lines], schema=LINES)
        fetches = [
            {
                "scope_id": i,
                "source": m.source,
                "scope": m.scope,
                "as_of": naive(m.as_of),
                "observed_at": naive(m.observed_at),
                "version": m.version,
            }
            for i, m in here.items()
        ]
        try:
            with self._given("landed_lines", records), self._given("round_fetches", fetches, FETCHES):
                self._run("landed")
            self.connection.execute(f"CREATE OR REPLACE TEMP TABLE parsed AS {self.source_sql}").fetchall()
            self._run("stage")
            if self._facts_sql:
                self._run("facts_stage")
                self._facts_came = True
        except duckdb.Error as error:
            manifest = next(iter(here.values()))
            path = self.landing.body_path(manifest)
            first = str(error).splitlines()[0]
            raise LoadFailed(f"{path}: warehouse/sources/{manifest.source}.sql fails on it: {first}") from error
        return here

    def _judge(self, here: Mapping[int, Manifest]) -> tuple[dict[int, Summary], dict[int, tuple[str, str]]]:
        """What each fetch brought, and its effective status; a scope whose status can't be told leaves the fold."""
        if not here:
            return {}, {}
        summaries = self._summaries()
        statuses: dict[int, tuple[str, str]] = {}
        leaving: dict[int, LoadFailed | ReleasedLater] = {}
        for scope_id, manifest in here.items():
            timeline, summary = self.timelines[scope_id], summaries[scope_id]
            try:
                if summary.vanished:
                    raise LoadFailed(
                        f"{timeline.source} {timeline.scope}: warehouse/sources/{timeline.source}.sql returns no row "
                        f"for {summary.vanished} records; every record must have an outcome"
                    )
                statuses[scope_id] = timeline.effective_status(manifest, summary)
            except (LoadFailed, ReleasedLater) as reason:
                leaving[scope_id] = reason
        self._leave(leaving)
        return summaries, statuses

    def _summaries(self) -> dict[int, Summary]:
        cursor = self.connection.execute(fold_sql("summary"))
        names = [column[0] for column in cursor.description or ()][1:]
        return {scope_id: Summary(**dict(zip(names, values, strict=True))) for scope_id, *values in cursor.fetchall()}

    def _leave(self, leaving: Mapping[int, LoadFailed | ReleasedLater]) -> None:
        """Take scopes out of the fold: they stay in the warehouse as they were."""
        if not leaving:
            return
        for scope_id, reason in leaving.items():
            timeline = self.timelines.pop(scope_id)
            self.left[timeline.source, timeline.scope] = reason
        with self._given("leaving", [{"scope_id": scope_id} for scope_id in leaving], LEAVING):
            self._run("drop")

    def _set_step(self, manifests: Mapping[int, Manifest], complete: Collection[int]) -> None:
        steps = [
            {"scope_id": i} | self.timelines[i].reading(manifest, complete=i in complete)
            for i, manifest in manifests.items()
        ]
        with self._given("round_steps", steps, STEPS):
            self._run("step")

    def _observe(self, scope_id: int, manifest: Manifest, status: str, summary: Summary, held_reason: str = "") -> None:
        counted = asdict(summary)
        self._observations.append(
            asdict(manifest)
            | {name: counted[name] for name in (*COUNTS, "keys_hash")}
            | {
                "as_of": naive(manifest.as_of),
                "observed_at": naive(manifest.observed_at),
                "effective_status": status,
                "exclusions": list(summary.exclusions.items()),
                "held_reason": held_reason,
            }
        )

    def store(
        self, decisions: Mapping[tuple[str, str], Decided], dictionary_hash: str
    ) -> dict[tuple[str, str], tuple[int, int, int, bool]]:
        """Write what changed, in one transaction, with the decisions and the reading under which the scopes now stand.

        Returns what was written of each scope: prices opened, changed, closed; and whether its newest fetch is held.

        Raises:
            WarehouseError: the disk does not take it; nothing is written.
        """
        scopes = {i: (t.source, t.scope) for i, t in self.timelines.items()}
        readings = [{"source": s, "scope": p, "dictionary_hash": dictionary_hash} for s, p in scopes.values()]
        decided = [[*place, *decision] for place in scopes.values() for decision in decisions[place]]
        with (
            self._given("fold_observations", self._observations, OBSERVATIONS),
            self._given("fold_dictionaries", readings, DICTIONARIES),
        ):
            counts = {
                scopes[i]: (opened, changed, closed, held) for i, opened, changed, closed, held in self._run("counts")
            }
            try:
                self.connection.execute("BEGIN").fetchall()
                self._run("finish")
                if self._facts_came:
                    self.connection.execute(self._facts_sql).fetchall()
                for decision in decided:
                    self.connection.execute("INSERT INTO decisions VALUES (?, ?, ?, ?, ?)", decision).fetchall()
                self.connection.execute("COMMIT").fetchall()
            except duckdb.Error as error:
                with suppress(duckdb.Error):  # a broken connection has nothing to roll back
                    self.connection.execute("ROLLBACK").fetchall()
                first = str(error).splitlines()[0]
                names = ", ".join(sorted(f"{source} {scope}" for source, scope in scopes.values()))
                raise WarehouseError(f"{names}: the warehouse can't be written ({first})") from error
        return counts

    def _run(self, name: str, values: object = None) -> list[tuple[Any, ...]]:
        return self.connection.execute(fold_sql(name), values).fetchall()

    @contextmanager
    def _given(self, name: str, rows: Any, schema: pa.Schema | None = None) -> Iterator[None]:
        """A table of Python's, under a name that SQL can read, for a while."""
        self.connection.register(name, pa.Table.from_pylist(rows, schema=schema) if schema is not None else rows)
        try:
            yield
        finally:
            self.connection.unregister(name)
