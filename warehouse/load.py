"""Loading: landing files become rows, the scopes of a source side by side.

A scope whose new manifests all come after what is loaded grows by them; any other (late or back-filled files, a
person's decision, another reading of the source, a held run released) is folded anew from its first landing file.
Either way the tables are the same function of the set of landing files.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import duckdb

from warehouse.database import REFERENCE_DIR
from warehouse.errors import LoadFailed
from warehouse.folding import Fold, facts_sql, fold_sql, rules
from warehouse.landing import Landing, Manifest
from warehouse.timeline import ReleasedLater, Timeline, naive

SOURCES_DIR = Path(__file__).parent / "sources"

# Scopes folded at one time: they share the time it takes to plan a statement, and memory for their bodies.
SIDE_BY_SIDE = 64

# The reference tables that a source's .sql reads: when one changes, history is read anew.
DICTIONARY_TABLES = ("instance_types", "instance_aliases", "not_gpus")


@dataclass(frozen=True)
class Known:
    """What is loaded of a scope; times are naive UTC. `latest`: (as_of, observed_at, sha256) of the last in history."""

    dictionary_hash: str | None
    decisions: list[tuple[datetime, str, str]]
    observed: frozenset[datetime]
    latest: tuple[datetime, datetime, str] | None
    last_look: datetime | None

    def is_before(self, manifest: Manifest) -> bool:
        """Whether a manifest comes after all that is loaded, and takes nothing of it back.

        Failed ones have no place in history. A version published before our last look at an earlier one ends the time
        for which that one spoke.
        """
        if manifest.status == "failed" or self.latest is None or self.last_look is None:
            return True
        as_of, observed_at = naive(manifest.as_of), naive(manifest.observed_at)
        takes_back = manifest.version is not None and self.latest[0] < as_of < self.last_look
        return self.latest < (as_of, observed_at, manifest.sha256) and not takes_back


NOTHING_KNOWN = Known(None, [], frozenset(), None, None)


@dataclass(frozen=True)
class Loaded:
    """What one scope's load did; counts are of rows written, so a rebuilt scope counts its whole history.

    `held`: its newest fetch is held back until a person or later fetches confirm it. `error` is the reason why the
    scope was left as it was, else None.
    """

    source: str
    scope: str
    manifests: int
    rebuilt: bool = False
    opened: int = 0
    changed: int = 0
    closed: int = 0
    held: bool = False
    error: str | None = None


def load(
    connection: duckdb.DuckDBPyConnection,
    landing: Landing,
    sources_dir: Path = SOURCES_DIR,
    *,
    progress: Callable[[Loaded], None] = lambda loaded: None,
) -> list[Loaded]:
    """Fold every manifest and decision that is not loaded yet; nothing new, nothing written.

    A scope that can't be loaded stays as it was and says why in `error`; the others are loaded all the same.

    Raises:
        WarehouseError: the disk does not take what was folded.
    """
    done: list[Loaded] = []

    def note(loaded: Loaded) -> None:
        done.append(loaded)
        progress(loaded)

    known = _known_scopes(connection)
    waiting: dict[str, list[Plan]] = defaultdict(list)
    readings: dict[str, tuple[str, str]] = {}
    for place in sorted({*landing.scopes(), *known}):
        try:
            reading = readings.get(place[0]) or readings.setdefault(place[0], _dictionary(sources_dir, place[0]))
            plan = _plan(landing, place, known.get(place, NOTHING_KNOWN), reading[1])
        except LoadFailed as error:
            note(_left(place, error))
        else:
            waiting[place[0]] += [plan] if plan else []
    for source, plans in waiting.items():
        for first in range(0, len(plans), SIDE_BY_SIDE):
            for loaded in _fold(connection, landing, readings[source], plans[first : first + SIDE_BY_SIDE]):
                note(loaded)
    return sorted(done, key=lambda loaded: (loaded.source, loaded.scope))


@dataclass(frozen=True)
class Plan:
    """What is to be folded of one scope: `manifests` in the order of history, `anew` if from nothing."""

    source: str
    scope: str
    manifests: list[Manifest]
    anew: bool
    decisions: list[tuple[datetime, str, str]]
    released: frozenset[datetime] = frozenset()

    @property
    def place(self) -> tuple[str, str]:
        """Source and scope."""
        return self.source, self.scope

    def timeline(self) -> Timeline:
        """The fold's state of the scope, at its beginning."""
        accepted = frozenset(moment for moment, _, _ in self.decisions)
        return Timeline(self.source, self.scope, self.manifests, self.anew, accepted, self.released)


def _plan(landing: Landing, place: tuple[str, str], known: Known, dictionary_hash: str) -> Plan | None:
    """What is new of a scope, and whether it grows by that or is folded anew; None: nothing is new."""
    decisions = [(naive(d.observed_at), d.decided_by, d.note) for d in landing.decisions(*place)]
    landed = {naive(moment): moment for moment in landing.observed(*place)}
    if gone := known.observed - landed.keys():
        raise LoadFailed(
            f"{landing.folder(*place)}: {len(gone)} landing files that were loaded are gone, of {min(gone)} first: "
            "restore them, or run `gpu-prices replay` to do without them"
        )
    new = [moment for naive_moment, moment in landed.items() if naive_moment not in known.observed]
    read_otherwise = known.dictionary_hash not in (None, dictionary_hash) or known.decisions != decisions
    if not new and not read_otherwise:
        return None
    manifests = _in_order(landing.manifest(*place, moment) for moment in new)
    grows = not read_otherwise and all(known.is_before(manifest) for manifest in manifests)
    return Plan(*place, manifests if grows else landing.manifests(*place), not grows, decisions)


def _fold(
    connection: duckdb.DuckDBPyConnection, landing: Landing, reading: tuple[str, str], plans: list[Plan]
) -> Iterator[Loaded]:
    """Fold scopes of one source side by side, those whose held fetches turn out to have been right once more."""
    source_sql, dictionary_hash = reading
    while plans:
        fold = Fold(connection, landing, source_sql, [plan.timeline() for plan in plans])
        try:
            fold.run()
        except (LoadFailed, duckdb.Error) as error:
            if len(plans) == 1:
                yield _left(plans[0].place, error)
            for plan in plans if len(plans) > 1 else []:  # whose fault it is shows when each is alone
                yield from _fold(connection, landing, reading, [plan])
            return
        counts = fold.store({plan.place: plan.decisions for plan in plans}, dictionary_hash)
        again = []
        for plan in plans:
            reason = fold.left.get(plan.place)
            if isinstance(reason, ReleasedLater):
                again.append(_anew(landing, plan, reason))
            elif reason is not None:
                yield _left(plan.place, reason)
            else:
                opened, changed, closed, held = counts[plan.place]
                yield Loaded(*plan.place, len(plan.manifests), plan.anew, opened, changed, closed, held)
        plans = again


def _anew(landing: Landing, plan: Plan, reason: ReleasedLater) -> Plan:
    """The scope from its first manifest; what was released counts as complete from then on."""
    if plan.anew:
        return replace(plan, released=plan.released | reason.observed_at)
    return replace(plan, manifests=landing.manifests(*plan.place), anew=True)


def _left(place: tuple[str, str], error: Exception) -> Loaded:
    return Loaded(*place, manifests=0, error=str(error).splitlines()[0])


def _known_scopes(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], Known]:
    found = {}
    for source, scope, dictionary_hash, decisions, observed, latest, last_look in connection.execute(
        fold_sql("known_scopes")
    ).fetchall():
        decided = [(d["observed_at"], d["decided_by"], d["note"]) for d in decisions]
        order = latest and (latest["as_of"], latest["observed_at"], latest["sha256"])
        found[source, scope] = Known(dictionary_hash, decided, frozenset(observed), order, last_look)
    return found


def _in_order(manifests: Iterable[Manifest]) -> list[Manifest]:
    return sorted(manifests, key=lambda manifest: manifest.order)


def _dictionary(sources_dir: Path, source: str) -> tuple[str, str]:
    """The source's .sql, and the hash of all that decides what its landing files say: it, what it reads, the fold."""
    path = sources_dir / f"{source}.sql"
    if not path.exists():
        raise LoadFailed(f"landing/{source}: no such source ({path} does not exist); move the folder away")
    source_sql = path.read_text()
    digest = hashlib.sha256(source_sql.encode())
    for table in DICTIONARY_TABLES:
        digest.update(b"\0" + (REFERENCE_DIR / f"{table}.csv").read_bytes())
    digest.update(b"\0" + facts_sql(source).encode() + b"\0" + rules().encode())
    return source_sql, digest.hexdigest()
