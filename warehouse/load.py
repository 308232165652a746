"""Loading: landing files become rows, scope by scope, one transaction each.

A scope whose new manifests all come after what is loaded grows by them; any other (late or back-filled files, a
person's decision, another reading of the source, a held run released) is folded anew from its first landing file.
Either way the tables are the same function of the set of landing files.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from pathlib import Path

import duckdb

from warehouse.database import REFERENCE_DIR
from warehouse.errors import LoadFailed
from warehouse.landing import Landing, Manifest
from warehouse.timeline import ReleasedLater, Timeline, fold_sql, naive, rules

SOURCES_DIR = Path(__file__).parent / "sources"

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
    """
    done = []
    known = _known_scopes(connection)
    dictionary = cache(partial(_dictionary, sources_dir))  # a source has many scopes
    for place in sorted({*landing.scopes(), *known}):
        try:
            loaded = _load_scope(connection, landing, dictionary, place, known.get(place, NOTHING_KNOWN))
        except (LoadFailed, duckdb.Error) as error:
            loaded = Loaded(*place, manifests=0, error=str(error).splitlines()[0])
        if loaded is not None:
            done.append(loaded)
            progress(loaded)
    return done


def _load_scope(
    connection: duckdb.DuckDBPyConnection,
    landing: Landing,
    dictionary: Callable[[str], tuple[str, str]],
    place: tuple[str, str],
    known: Known,
) -> Loaded | None:
    source_sql, dictionary_hash = dictionary(place[0])
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
    timeline = Timeline(connection, landing, source_sql, place)
    manifests = _in_order(landing.manifest(*place, moment) for moment in new)
    grows = not read_otherwise and all(known.is_before(manifest) for manifest in manifests)
    accepted = frozenset(moment for moment, _, _ in decisions)
    if grows:
        try:
            _fold(timeline, manifests, anew=False, released=frozenset(), accepted=accepted)
        except ReleasedLater:
            grows = False
    if not grows:
        manifests = landing.manifests(*place)
        _fold_anew(timeline, manifests, accepted)
    opened, changed, closed, held = timeline.counts()
    timeline.store(decisions, dictionary_hash)
    return Loaded(*place, len(manifests), not grows, opened, changed, closed, held)


def _known_scopes(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], Known]:
    found = {}
    for source, scope, dictionary_hash, decisions, observed, latest, last_look in connection.execute(
        fold_sql("known_scopes")
    ).fetchall():
        decided = [(d["observed_at"], d["decided_by"], d["note"]) for d in decisions]
        order = latest and (latest["as_of"], latest["observed_at"], latest["sha256"])
        found[source, scope] = Known(dictionary_hash, decided, frozenset(observed), order, last_look)
    return found


def _fold_anew(timeline: Timeline, manifests: list[Manifest], accepted: frozenset[datetime]) -> None:
    """Fold from the first manifest, over again each time that held fetches turn out to have been right."""
    released: frozenset[datetime] = frozenset()
    while True:
        try:
            _fold(timeline, manifests, anew=True, released=released, accepted=accepted)
        except ReleasedLater as run:
            released |= run.observed_at
        else:
            return


def _fold(
    timeline: Timeline,
    manifests: list[Manifest],
    *,
    anew: bool,
    released: frozenset[datetime],
    accepted: frozenset[datetime],
) -> None:
    timeline.begin(anew=anew, released=released, accepted=accepted)
    published = sorted({manifest.as_of for manifest in manifests if manifest.status != "failed"})
    for manifest in manifests:
        later = bisect_right(published, manifest.as_of)
        timeline.step(manifest, published[later] if later < len(published) else None)


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
    digest.update(b"\0" + rules().encode())
    return source_sql, digest.hexdigest()
