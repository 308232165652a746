"""One scope's history as far as the fold needs it: how its next fetch is to be read, judged without a database.

The rules are the words of the project's definitions ("What opens, moves and closes a price"). Times are naive UTC, as
in the tables, where nothing else is said.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import takewhile

from warehouse.landing import Manifest

# A complete fetch that lacks this many of the open offers, and over half of them, is not believed at once.
HELD_AT_LEAST = 20
# ... until this many in a row, over this time, say the same.
RELEASED_BY = 3
RELEASED_OVER = timedelta(hours=72)

# A version that was looked at so long after the next one came out was fetched to fill history.
FILLS_HISTORY_AFTER = timedelta(days=1)

CONSTANTS = f"{HELD_AT_LEAST} {RELEASED_BY} {RELEASED_OVER} {FILLS_HISTORY_AFTER}"


@dataclass(frozen=True)
class Seen:
    """A folded observation, as far as later ones need it."""

    as_of: datetime
    observed_at: datetime
    effective_status: str
    keys_hash: str


@dataclass(frozen=True)
class Summary:
    """What one fetch brought, counted by record, and how it stands to the scope's open rows: a row of summary.sql."""

    loaded: int = 0
    duplicates: int = 0
    excluded: int = 0
    rejected: int = 0
    exclusions: dict[str, int] = field(default_factory=dict)
    unreadable: bool = False  # a rejected record's key can't be told
    side_rows: bool = False  # there are rejects or announced prices
    vanished: int = 0
    keys: int = 0
    keys_hash: str = ""
    open_rows: int = 0
    missing: int = 0


class ReleasedLater(Exception):
    """A held run was released: its fetches count as complete from their own times, so the scope folds anew."""

    def __init__(self, observed_at: Iterable[datetime]) -> None:
        self.observed_at = frozenset(observed_at)
        super().__init__(f"{len(self.observed_at)} held fetches released")


@dataclass
class Timeline:
    """The fold of one scope.

    `manifests`: what is to be folded, in the order of history. `anew`: from nothing, else after what is stored.
    `released`: held observations that turned out to count as complete. `accepted`: those a person accepted.
    """

    source: str
    scope: str
    manifests: list[Manifest]
    anew: bool
    accepted: frozenset[datetime] = frozenset()
    released: frozenset[datetime] = frozenset()
    seen: list[Seen] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._published = sorted({naive(m.as_of) for m in self.manifests if m.status != "failed"})

    def superseded_at(self, manifest: Manifest) -> datetime | None:
        """When the next version was published, as far as this fold knows."""
        later = bisect_right(self._published, naive(manifest.as_of))
        return self._published[later] if later < len(self._published) else None

    def newer_version_closes(self, manifest: Manifest) -> bool:
        """Whether the version before this one was seen whole, so that its silence counts until now."""
        as_of = naive(manifest.as_of)
        if manifest.version is None or not self.seen or self.seen[-1].as_of >= as_of:
            return False
        previous = self.seen[-1].as_of
        of_previous = takewhile(lambda s: s.as_of == previous, reversed(self.seen))
        return any(s.effective_status == "complete" for s in of_previous)

    def windows_lead_to(self, manifest: Manifest) -> bool:
        """Whether windows that were back-filled must chain up to this fetch: the first whole one of the scope."""
        first = next((m for m in self.manifests if m.status == "complete"), None)
        return (
            manifest is first and manifest.version is None and any(seen.as_of < seen.observed_at for seen in self.seen)
        )

    def reading(self, manifest: Manifest, *, complete: bool) -> dict[str, object]:
        """How the fold reads a fetch: a row of `step`, without its scope_id."""
        as_of, observed_at = naive(manifest.as_of), naive(manifest.observed_at)
        reach = as_of
        superseded_at = self.superseded_at(manifest)
        if manifest.version is not None:
            # A version speaks from its publication until the next one's, as far as we looked.
            reach = max(as_of, min(observed_at, superseded_at) if superseded_at else observed_at)
        last_complete = next((s for s in reversed(self.seen) if s.effective_status == "complete"), None)
        return {
            "as_of": as_of,
            "observed_at": observed_at,
            "versioned": manifest.version is not None,
            "fills_history": (
                as_of < observed_at
                if manifest.version is None  # a window that had begun, and maybe ended, before the first look
                else superseded_at is not None and superseded_at <= observed_at - FILLS_HISTORY_AFTER
            ),
            "complete": complete,
            "reach": reach,
            "previous_observed_at": self.seen[-1].observed_at if self.seen else None,
            "previous_complete_as_of": last_complete.as_of if last_complete else None,
            "previous_complete_observed_at": last_complete.observed_at if last_complete else None,
            "closes_previous": self.newer_version_closes(manifest),
        }

    def effective_status(self, manifest: Manifest, summary: Summary) -> tuple[str, str]:
        """complete, partial or held, and why held.

        Raises:
            ReleasedLater: it releases held fetches that are not in `released`.
        """
        if manifest.status == "partial" or summary.unreadable:
            return "partial", ""
        observed_at = naive(manifest.observed_at)
        if observed_at in self.released:
            return "complete", ""
        open_rows, missing = summary.open_rows, summary.missing
        if not missing or not (missing == open_rows or (missing * 2 > open_rows and missing >= HELD_AT_LEAST)):
            return "complete", ""
        run = self._held_run()
        like_this = [observed_at]
        for seen in reversed(run):
            if seen.keys_hash != summary.keys_hash:
                break
            like_this.append(seen.observed_at)
        enough = len(like_this) >= RELEASED_BY and max(like_this) - min(like_this) >= RELEASED_OVER
        if enough or observed_at in self.accepted:
            raise ReleasedLater([*(seen.observed_at for seen in run), observed_at])
        return "held", f"lacks {missing} of {open_rows} open offers"

    def note(self, manifest: Manifest, status: str, summary: Summary) -> None:
        """Remember a folded fetch."""
        self.seen.append(Seen(naive(manifest.as_of), naive(manifest.observed_at), status, summary.keys_hash))

    def _held_run(self) -> list[Seen]:
        """The held observations since the last complete one, in order."""
        run: list[Seen] = []
        for seen in reversed(self.seen):
            if seen.effective_status == "complete":
                break
            if seen.effective_status == "held":
                run.append(seen)
        return run[::-1]


def naive(moment: datetime) -> datetime:
    """Aware UTC as the naive UTC that the tables hold."""
    return moment.replace(tzinfo=None)
