"""The words of the definitions in plain Python: what a set of fetches says about the history of its prices.

It judges `warehouse/load.py`, so it is written from the words alone: no SQL, nothing incremental, clear before fast.
The source is `hand_written` (see `sources/hand_written.sql`): a record is
`{"key", "price", "upfront", "start", "outcome", "reason", "n"}`, its key stands for all the key words of an offer.

Times are aware UTC, prices are Decimals per hour, money at the start beside them.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TypeVar

Record = Mapping[str, object]
Price = tuple[Decimal, Decimal]  # by the hour, at the start
What = TypeVar("What")

ABSENCE = timedelta(hours=20)  # "over at least 20 hours"
DAY = timedelta(days=1)
RELEASE = timedelta(hours=72)  # "three complete fetches over 72 hours"
RELEASE_FETCHES = 3
HELD_KEYS = 20  # "over half and at least 20, of the keys open"


@dataclass(frozen=True)
class Fetch:
    """One attempt at one scope: what a test writes into landing and what the oracle folds.

    `unchanged` is written by landing for a body it knows, it counts as complete. `version` and `published_at` belong to
    versioned sources (the AWS price list); a failed attempt has neither, and no records.
    """

    scope: str
    observed_at: datetime
    status: str
    records: tuple[Record, ...] = ()
    version: str | None = None
    published_at: datetime | None = None

    @property
    def as_of(self) -> datetime:
        """The place in history: the provider's version time where there is one, else `observed_at`."""
        return self.published_at or self.observed_at


@dataclass(frozen=True)
class Interval:
    """One row of `price_intervals`, without the words that are the same on every row of the source."""

    scope: str
    key: str
    price: Price
    valid_from: datetime
    valid_to: datetime | None
    valid_from_basis: str
    provider_effective_date: datetime | None
    missing_since: datetime | None
    first_seen_at: datetime
    last_seen_at: datetime | None
    partial_seen_at: datetime | None
    close_reason: str
    closed_known_at: datetime | None
    rate_id: str


@dataclass(frozen=True)
class Accounted:
    """One row of `observations`: how a fetch was read, and where its records went."""

    scope: str
    observed_at: datetime
    effective_status: str
    records: int
    loaded: int
    duplicates: int
    excluded: int
    rejected: int
    exclusions: tuple[tuple[str, int], ...]
    keys: int
    missing: int


@dataclass(frozen=True)
class Announced:
    """One row of `announced`: a price whose start lay ahead."""

    scope: str
    key: str
    starts_at: datetime
    price: Price
    first_seen_at: datetime
    last_seen_at: datetime | None


@dataclass(frozen=True)
class Refused:
    """One row of `rejects`: a distinct raw record that was rejected or in conflict."""

    scope: str
    line: str
    first_seen_at: datetime
    last_seen_at: datetime | None


@dataclass(frozen=True)
class History:
    """All that the fetches of any number of scopes say."""

    intervals: frozenset[Interval] = frozenset()
    observations: frozenset[Accounted] = frozenset()
    rejects: frozenset[Refused] = frozenset()
    announced: frozenset[Announced] = frozenset()

    def __or__(self, other: "History") -> "History":
        """Both."""
        return History(
            self.intervals | other.intervals,
            self.observations | other.observations,
            self.rejects | other.rejects,
            self.announced | other.announced,
        )


@dataclass(frozen=True)
class Sighting:
    """The price of one key in one fetch, the start the provider claims for it, and the id of its record."""

    price: Price
    start: datetime | None
    rate_id: str = ""


@dataclass
class Reading:
    """What one fetch says about each key, and the account of its records."""

    priced: dict[str, Sighting] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    unreadable: bool = False
    records: int = 0
    account: Counter[str] = field(default_factory=Counter)
    exclusions: Counter[str] = field(default_factory=Counter)
    refused: set[str] = field(default_factory=set)
    announced: set[tuple[str, datetime, Price]] = field(default_factory=set)

    @property
    def keys(self) -> frozenset[str]:
        """The keys that this fetch shows, with a price or without."""
        return frozenset(self.priced) | self.unknown


def read(records: Iterable[Record]) -> Reading:
    """Sort the records of one fetch out; equal records are one, and their order means nothing."""
    lines = sorted({json.dumps(record, sort_keys=True) for record in records})
    landed = [json.loads(line) for line in lines]
    reading = Reading(records=len(lines))
    prices: dict[str, set[Price]] = defaultdict(set)
    for record in landed:
        if _outcome(record) == "price":
            prices[record["key"]].add(_price(record))
    conflicts = {key for key, found in prices.items() if len(found) > 1}
    for line, record in zip(lines, landed, strict=True):
        fate = _fate(record, conflicts, reading)
        reading.account[fate] += 1
        if fate == "rejected":
            reading.refused.add(line)
        if fate == "excluded":
            reading.exclusions["announced" if _outcome(record) == "announced" else record["reason"]] += 1
    reading.unknown -= set(reading.priced)
    return reading


def _fate(record: dict[str, str], conflicts: set[str], reading: Reading) -> str:
    """Where one record goes, in the order of the body; notes what it says about its key."""
    outcome, key = _outcome(record), record["key"]
    if outcome == "announced":
        reading.announced.add((key, datetime.fromisoformat(record["start"]), _price(record)))
        return "excluded"
    if outcome == "excluded":
        return "excluded"
    if key is None:
        reading.unreadable = True
        return "rejected"
    if outcome == "rejected" or key in conflicts:
        reading.unknown.add(key)
        return "rejected"
    if record.get("reason") == "upfront":  # the second line of a pair is loaded with the first
        return "loaded"
    if key in reading.priced:
        return "duplicate"
    start = record.get("start")
    claimed = datetime.fromisoformat(start) if start else None
    reading.priced[key] = Sighting(_price(record), claimed, str(record.get("n", "")))
    return "loaded"


def _outcome(record: Mapping[str, str]) -> str:
    return record.get("outcome", "price")


def _price(record: Mapping[str, str]) -> Price:
    return Decimal(record["price"]), Decimal(record.get("upfront", "0"))


@dataclass(eq=False)
class Look:
    """One fetch that takes part in the fold, with how it was read in the end."""

    number: int
    fetch: Fetch
    reading: Reading
    in_force_until: datetime
    status: str = ""
    missing: int = 0

    @property
    def as_of(self) -> datetime:
        """Its place in history."""
        return self.fetch.as_of


@dataclass(eq=False)
class Row:
    """One price of one key while the fold runs."""

    key: str
    sighting: Sighting
    valid_from: datetime
    basis: str
    looks: list[Look]
    valid_to: datetime | None = None
    missing_since: datetime | None = None
    close_reason: str = ""
    closed_known_at: datetime | None = None

    def close(self, at: datetime, reason: str, look: Look) -> None:
        """End the row at `at`, for the reason that `look` showed."""
        self.valid_to, self.close_reason, self.closed_known_at = at, reason, look.fetch.observed_at
        self.missing_since = None


class Fold:
    """The history of one scope, fetch after fetch.

    `released` are the numbers of the held looks that a later look or a person has made complete.
    """

    def __init__(self, looks: Sequence[Look], released: frozenset[int]) -> None:
        self.looks = looks
        self.released = released
        self.rows: list[Row] = []
        self.open: dict[str, Row] = {}
        self.last_complete: Look | None = None
        self.held_run: list[Look] = []
        self.versions_complete: set[datetime] = set()

    def run(self, accepted: frozenset[datetime]) -> frozenset[int]:
        """Fold every look; stop early, with their numbers, where held looks are released."""
        for look, previous in zip(self.looks, [None, *self.looks], strict=False):
            if previous is not None and look.fetch.version is not None and look.as_of > previous.as_of:
                self.close_by_newer_version(look, previous)
            look.missing = len([key for key in self.open if key not in look.reading.keys])
            look.status = self.judge(look)
            if look.status == "held":
                self.held_run.append(look)
                if self.is_released(look, accepted):
                    return frozenset(held.number for held in self.held_run)
            self.sight(look)
            if look.status == "complete":
                self.miss(look)
                self.last_complete = look
                self.held_run = []
                self.versions_complete.add(look.as_of)
        return frozenset()

    def close_by_newer_version(self, look: Look, previous: Look) -> None:
        """A versioned file speaks from its publication to the next one's."""
        if previous.as_of not in self.versions_complete:
            return
        for row in list(self.open.values()):
            if row.missing_since is not None and look.as_of - row.missing_since >= ABSENCE:
                self.end(row, row.missing_since, "absent", look)

    def judge(self, look: Look) -> str:
        """How a look counts: `complete`, `partial` (an absence means nothing) or `held` (read as partial)."""
        if look.fetch.status == "partial" or look.reading.unreadable:
            return "partial"
        if look.number in self.released or not self.open:
            return "complete"
        lacks_all = look.missing == len(self.open)
        lacks_many = 2 * look.missing > len(self.open) and look.missing >= HELD_KEYS
        return "held" if lacks_all or lacks_many else "complete"

    def is_released(self, look: Look, accepted: frozenset[datetime]) -> bool:
        """A person names it, or three held looks with the same keys span 72 hours."""
        if look.fetch.observed_at in accepted:
            return True
        same: list[datetime] = []
        for held in reversed(self.held_run):
            if held.reading.keys != look.reading.keys:
                break
            same.append(held.fetch.observed_at)
        return len(same) >= RELEASE_FETCHES and max(same) - min(same) >= RELEASE

    def sight(self, look: Look) -> None:
        """Open and change rows; any sighting, a price or an unknown one, ends a span of absence."""
        for key, sighting in look.reading.priced.items():
            row = self.open.get(key)
            if row is None:
                self.begin(key, sighting, look)
            elif row.sighting.price == sighting.price:
                row.looks.append(look)
                row.missing_since = None
            else:
                self.end(row, self.begin(key, sighting, look).valid_from, "changed", look)
        for key in look.reading.unknown & set(self.open):
            self.open[key].missing_since = None

    def begin(self, key: str, sighting: Sighting, look: Look) -> Row:
        """Open a row."""
        valid_from, basis = self.boundary(key, sighting, look)
        row = Row(key, sighting, valid_from, basis, [look])
        self.rows.append(row)
        self.open[key] = row
        return row

    def boundary(self, key: str, sighting: Sighting, look: Look) -> tuple[datetime, str]:
        """Where a new row begins: a provider's start may only place it between two of our looks."""
        if look.fetch.version is not None:
            late = look.fetch.observed_at - DAY >= look.in_force_until  # fetched to fill history
            return look.as_of, "backfilled" if late else "published"
        if sighting.start is None or self.last_complete is None:
            return look.as_of, "observed"
        preceding = [row.looks[-1].as_of for row in self.rows if row.key == key]
        if max([self.last_complete.as_of, *preceding]) < sighting.start <= look.as_of:
            return sighting.start, "window"
        return look.as_of, "observed"

    def end(self, row: Row, at: datetime, reason: str, look: Look) -> None:
        """Close a row."""
        row.close(at, reason, look)
        if self.open[row.key] is row:
            del self.open[row.key]

    def miss(self, look: Look) -> None:
        """What a complete look lacks is missing, and closed once it has been so for 20 hours."""
        reach = max(look.as_of, min(look.fetch.observed_at, look.in_force_until))
        for row in list(self.open.values()):
            if row.key in look.reading.keys:
                continue
            row.missing_since = row.missing_since or look.as_of
            if reach - row.missing_since >= ABSENCE:
                self.end(row, row.missing_since, "absent", look)


def history(fetches: Iterable[Fetch], accepted: Iterable[tuple[str, datetime]] = ()) -> History:
    """The history that fetches and decisions (scope, observed_at) tell; a fetch speaks for its own scope only."""
    scopes: dict[str, list[Fetch]] = defaultdict(list)
    for fetch in set_of(fetches):
        scopes[fetch.scope].append(fetch)
    told = History()
    for scope, found in scopes.items():
        told |= _scope_history(found, frozenset(at for named, at in accepted if named == scope))
    return told


def set_of(fetches: Iterable[Fetch]) -> list[Fetch]:
    """The fetches in the order of history, each once: (scope, observed_at) names a fetch, so no tie is left."""
    by_name = {(fetch.scope, fetch.observed_at): fetch for fetch in fetches}
    return sorted(by_name.values(), key=lambda fetch: (fetch.as_of, fetch.observed_at))


def _scope_history(fetches: Sequence[Fetch], accepted: frozenset[datetime]) -> History:
    taking_part = [fetch for fetch in fetches if fetch.status != "failed"]
    looks = [Look(n, f, read(f.records), _in_force_until(f, taking_part)) for n, f in enumerate(taking_part)]
    released: frozenset[int] = frozenset()
    while True:
        fold = Fold(looks, released)
        newly = fold.run(accepted)
        if not newly:
            break
        released |= newly
    failed = [_failed(fetch) for fetch in fetches if fetch.status == "failed"]
    return History(
        frozenset(_interval(row, fold) for row in fold.rows if row.valid_to != row.valid_from),
        frozenset([*(_accounted(look) for look in looks), *failed]),
        frozenset(
            Refused(*named) for named in _first_and_last(looks, fold.last_complete, lambda look: look.reading.refused)
        ),
        frozenset(
            Announced(scope, *what, first, last)
            for scope, what, first, last in _first_and_last(
                looks, fold.last_complete, lambda look: look.reading.announced
            )
        ),
    )


def _in_force_until(fetch: Fetch, fetches: Sequence[Fetch]) -> datetime:
    """The as_of of the next version that we know; nothing newer known: as long as we saw it."""
    return min((later.as_of for later in fetches if later.as_of > fetch.as_of), default=fetch.observed_at)


def _interval(row: Row, fold: Fold) -> Interval:
    last = row.looks[-1]
    complete = fold.last_complete
    in_last_complete = row.valid_to is None and any(look is complete for look in row.looks)
    later = in_last_complete and complete is not None and last.number > complete.number
    return Interval(
        scope=last.fetch.scope,
        key=row.key,
        price=row.sighting.price,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        valid_from_basis=row.basis,
        provider_effective_date=row.sighting.start,
        missing_since=row.missing_since,
        first_seen_at=min(look.fetch.observed_at for look in row.looks),
        last_seen_at=None if in_last_complete else last.fetch.observed_at,
        partial_seen_at=last.fetch.observed_at if later else None,
        close_reason=row.close_reason,
        closed_known_at=row.closed_known_at,
        rate_id=row.sighting.rate_id,
    )


def _accounted(look: Look) -> Accounted:
    reading = look.reading
    return Accounted(
        scope=look.fetch.scope,
        observed_at=look.fetch.observed_at,
        effective_status=look.status,
        records=reading.records,
        loaded=reading.account["loaded"],
        duplicates=reading.account["duplicate"],
        excluded=reading.account["excluded"],
        rejected=reading.account["rejected"],
        exclusions=tuple(sorted(reading.exclusions.items())),
        keys=len(reading.keys),
        missing=look.missing,
    )


def _failed(fetch: Fetch) -> Accounted:
    return Accounted(fetch.scope, fetch.observed_at, "failed", 0, 0, 0, 0, 0, (), 0, 0)


def _first_and_last(
    looks: Sequence[Look], last_complete: Look | None, said: Callable[[Look], Iterable[What]]
) -> Iterator[tuple[str, What, datetime, datetime | None]]:
    """Scope, thing said, first and last sighting of it; no last one until a complete fetch lacks it."""
    found: dict[What, list[Look]] = defaultdict(list)
    for look in looks:
        for what in said(look):
            found[what].append(look)
    for what, seen in found.items():
        first = min(look.fetch.observed_at for look in seen)
        gone = last_complete is not None and last_complete.number > seen[-1].number
        last = seen[-1].fetch.observed_at if gone else None
        yield seen[0].fetch.scope, what, first, last
