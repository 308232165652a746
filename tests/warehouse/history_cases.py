"""Random landing sets that reach the corners of the definitions: Hypothesis strategies for `test_history_laws.py`.

A case is made of moves on a small world of offers ("a look that lacks some", "an outage of three equal looks"), with
gaps that lie around 20 and 72 hours, so that rare regions are met in a hundred examples and shrink to a few fetches.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import strategies as st

from tests.warehouse import oracle
from tests.warehouse.oracle import Fetch, Record

SCOPES = ("place/USD", "place/CNY")
# Scopes are folded side by side: each goes its own way, and a case of many costs little more than one of two.
MORE_SCOPES = ("far/USD", "near/USD", "nowhere/USD", "somewhere/USD")
START = datetime(2026, 3, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

# Between two fetches. 10 + 10 h and 20 h are exactly an absence, 36 + 36 h exactly a release.
GAPS = (DAY, 10 * HOUR, 20 * HOUR, 20 * HOUR - SECOND, 36 * HOUR, HOUR, timedelta(minutes=1), 5 * DAY)
# Between the three fetches of an outage: around a release where they lack all or half a crowd, else around an absence.
RELEASE_PACES = ((36 * HOUR, 36 * HOUR), (36 * HOUR, 36 * HOUR - SECOND), (HOUR, 71 * HOUR), (DAY, 3 * DAY))
ABSENCE_PACES = (
    (10 * HOUR, 10 * HOUR),
    (10 * HOUR, 10 * HOUR - SECOND),
    (20 * HOUR, HOUR),
    (20 * HOUR - SECOND, timedelta(minutes=1)),
)
VERSION_GAPS = (20 * HOUR, DAY, 20 * HOUR - SECOND, 2 * HOUR, 10 * HOUR, 4 * DAY)
# From a version's publication to a look at it: before it (a clock that runs behind), after the next one, long after.
LAGS = (timedelta(minutes=5), 6 * HOUR, -HOUR, 20 * HOUR, 20 * HOUR - SECOND, 30 * HOUR, 80 * HOUR)
# One price in two spellings; two prices a tenth of a nano apart.
PRICES = ("1.5", "1.50", "2", "1.5000000001")
MOVES = ("whole", "lacking", "outage", "outage", "hint", "part", "again", "failed")
KEYS = tuple("abcdefgh")  # each goes its own way, and they cost one fold: many to a fetch
CROWD = tuple(f"k{number:02}" for number in range(45))
CROWDS = (39, 40, 37, 40, 45)  # around "over half and at least 20"

World = dict[str, str]  # key: price on sale
Starts = Sequence[datetime | None]  # what a provider may claim


@dataclass(frozen=True)
class Case:
    """A set of fetches, and the fetches (scope, observed_at) that a person accepted."""

    fetches: tuple[Fetch, ...]
    accepted: tuple[tuple[str, datetime], ...]

    def told(self) -> oracle.History:
        """What the words say of it."""
        return oracle.history(self.fetches, self.accepted)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """A few offers, or so many that the rule of "over half and at least 20" can speak."""
    if draw(st.integers(0, 3)) == 3:
        return dict.fromkeys(CROWD[: draw(st.sampled_from(CROWDS))], "1.5")
    return {key: draw(st.sampled_from(PRICES)) for key in KEYS[: draw(st.sampled_from([8, 4, 2, 1]))]}


@st.composite
def moved(draw: st.DrawFn, world: World) -> World:
    """The world some time later: prices flap, offers go for good, new ones come."""
    later = dict(world)
    for key in sorted(world)[: len(KEYS)]:
        later[key] = draw(st.sampled_from([world[key]] * 6 + [*PRICES]))
    if draw(st.integers(0, 3)) == 3:
        key = draw(st.sampled_from(KEYS))
        if later.pop(key, None) is None:
            later[key] = PRICES[0]
    return later


@st.composite
def thinned(draw: st.DrawFn, world: World) -> World:
    """The part of the world that a fetch brought: none of it, some of it, or about half of a crowd."""
    keys = sorted(world)
    if len(keys) > len(CROWD) // 2:
        lacking = (len(keys) + 1) // 2 + draw(st.sampled_from([0, 1, -1]))
        return {key: world[key] for key in keys[lacking:]}
    if draw(st.integers(0, 2)) == 0:
        return {}
    return {key: price for key, price in world.items() if draw(st.booleans())}


@st.composite
def bodies(draw: st.DrawFn, world: World, starts: Starts = (None,), strange: bool = True) -> tuple[Record, ...]:
    """The records of one fetch: mostly one plain price a key, now and then each of the other forms."""
    odd = {key: draw(st.integers(0, 15)) for key in sorted(world)[: len(KEYS)]} if strange else {}
    records: list[Record] = []
    for key, price in world.items():
        start = draw(st.sampled_from(starts)) if key in odd and len(starts) > 1 else None
        records += _forms(key, price, start)[odd.get(key, 0)]
    if strange and draw(st.integers(0, 11)) == 11:
        records.append({"key": None, "outcome": "rejected", "reason": "unit", "n": draw(st.integers(0, 1))})
    if strange and draw(st.integers(0, 5)) == 5:
        records.append({"key": "z", "price": "9", "outcome": "excluded", "reason": "Dedicated"})
    return tuple(records)


def _forms(key: str, price: str, start: datetime | None) -> dict[int, list[Record]]:
    plain: dict[str, object] = {"key": key, "price": price}
    if start is not None:
        plain["start"] = start.strftime("%Y-%m-%dT%H:%M:%SZ")
    pair = plain | {"upfront": "100.000001"}
    rejected: Record = {"key": key, "outcome": "rejected", "reason": "unit"}
    forms: dict[int, list[Record]] = dict.fromkeys(range(7), [plain])
    return forms | {
        7: [plain, plain | {"n": 1}],
        8: [plain, plain | {"price": "1.500", "start": "2025-01-01T00:00:00Z"}],  # a duplicate of 1.5, else a conflict
        9: [plain, plain | {"price": "7"}],
        10: [rejected],
        11: [rejected, plain],
        12: [pair, pair | {"reason": "upfront"}],
        13: [pair],
        14: [plain | {"outcome": "announced", "start": "2027-01-01T00:00:00Z"}],
        15: [plain | {"outcome": "excluded", "reason": "Low Priority"}],
    }


@st.composite
def unversioned(draw: st.DrawFn, scope: str) -> tuple[Fetch, ...]:
    """Looks at a feed without versions: `as_of` is `observed_at`. A hint brings all, but as a partial fetch."""
    world, now = draw(worlds()), START
    fetches = [Fetch(scope, now, "complete", draw(bodies(world, strange=False)))] if draw(st.booleans()) else []
    for _ in range(draw(st.integers(1, 6))):
        move = draw(st.sampled_from(MOVES))
        now += draw(st.sampled_from(GAPS))
        world = draw(moved(world))
        if move == "outage":
            fetches += draw(outages(scope, now, world))
            now = fetches[-1].observed_at
            continue
        part = draw(thinned(world)) if move in ("lacking", "part") else world
        body = fetches[-1].records if move == "again" and fetches else draw(bodies(part, _starts(fetches, now)))
        status = {"part": "partial", "hint": "partial", "failed": "failed"}.get(move, "complete")
        fetches.append(Fetch(scope, now, status, () if status == "failed" else body))
    return tuple(fetches)


@st.composite
def outages(draw: st.DrawFn, scope: str, now: datetime, world: World) -> list[Fetch]:
    """Three looks that lack the same; the second may have ended early, or have shown all again, in part or whole."""
    part = draw(thinned(world))
    first, second = draw(st.sampled_from(ABSENCE_PACES if 0 < len(part) <= len(KEYS) else RELEASE_PACES))
    same = ("complete", part)
    middle, shown = draw(st.sampled_from([same, same, ("partial", world), ("failed", {}), ("complete", world)]))
    flapped = {key: draw(st.sampled_from(PRICES)) if key in KEYS else price for key, price in part.items()}
    looks = ((now, "complete", part), (now + first, middle, shown), (now + first + second, "complete", flapped))
    return [Fetch(scope, at, status, draw(bodies(some, strange=False))) for at, status, some in looks]


def _starts(fetches: Sequence[Fetch], now: datetime) -> list[datetime | None]:
    """Starts a provider may claim: none, between the looks, at them and just after, and long before the first."""
    looks = [fetch.observed_at for fetch in fetches[-3:]]
    between = [look + (later - look) // 2 for look, later in zip(looks, [*looks[1:], now], strict=False)]
    return [None, *between, now, *looks, *(look + SECOND for look in looks[-1:]), START - 90 * DAY, now + SECOND]


@st.composite
def versioned(draw: st.DrawFn, scope: str) -> tuple[Fetch, ...]:
    """Looks at published versions: some seen again, some only in part, some with another body, some long after."""
    world, published = draw(worlds()), START
    late = draw(st.booleans())  # as a backfill looks: at old versions, one after another
    fetches: list[Fetch] = []
    taken: set[datetime] = set()
    for number in range(draw(st.integers(2, 5))):
        published += draw(st.sampled_from(VERSION_GAPS))
        world = draw(moved(world))
        body = draw(bodies(draw(thinned(world)) if draw(st.booleans()) else world))
        for again in range(draw(st.sampled_from([1, 1, 2, 3]))):
            status = draw(st.sampled_from(["complete"] * 4 + ["partial", "failed"]))
            if again and draw(st.booleans()):
                body = draw(bodies(draw(moved(world))))
            looked = START + 90 * DAY + number * HOUR if late else published + draw(st.sampled_from(LAGS))
            observed = next(moment for moment in _from(looked) if moment not in taken)
            taken.add(observed)
            if status == "failed":
                fetches.append(Fetch(scope, observed, "failed"))
            else:
                fetches.append(Fetch(scope, observed, status, body, f"v{number}", published))
    return tuple(fetches)


def _from(moment: datetime) -> list[datetime]:
    return [moment + step * timedelta(microseconds=1) for step in range(20)]


@st.composite
def cases(draw: st.DrawFn, scopes: int | None = None) -> Case:
    """Some scopes of one source, and decisions: of held fetches mostly, of others and of unknown ones too."""
    number = scopes or draw(st.sampled_from([1, 2, 6]))
    kinds = st.sampled_from([unversioned, versioned])
    fetches = tuple(fetch for scope in (*SCOPES, *MORE_SCOPES)[:number] for fetch in draw(draw(kinds)(scope)))
    accepted: list[tuple[str, datetime]] = []
    for _ in range(draw(st.integers(0, max(2, number)))):
        told = oracle.history(fetches, accepted)
        held = sorted((o.scope, o.observed_at) for o in told.observations if o.effective_status == "held")
        anything = sorted((fetch.scope, fetch.observed_at) for fetch in fetches)
        usual = draw(st.integers(0, 4)) < 4
        named = held if held and usual else anything
        accepted.append(draw(st.sampled_from(named)))
    return Case(fetches, tuple(sorted(set(accepted))))


@st.composite
def arrivals(draw: st.DrawFn, files: Sequence[Path]) -> list[list[Path]]:
    """The files in any order, in batches of any size, some of them twice."""
    again = draw(st.lists(st.sampled_from(files), max_size=2))
    in_time = sorted(files, key=lambda file: file.name)
    order = [*draw(st.one_of(st.just(in_time), st.permutations(in_time))), *again]
    one_by_one = draw(st.booleans())
    batches: list[list[Path]] = [[]]
    for file in order:
        if batches[-1] and (one_by_one or draw(st.integers(0, 2)) == 0):
            batches.append([])
        batches[-1].append(file)
    return batches


@st.composite
def shuffled(draw: st.DrawFn, case: Case) -> Case:
    """The same case with the records of every fetch in another order, some said twice."""
    fetches = []
    for fetch in case.fetches:
        again: list[Record] = draw(st.lists(st.sampled_from(fetch.records), max_size=2)) if fetch.records else []
        fetches.append(replace(fetch, records=tuple(draw(st.permutations([*fetch.records, *again])))))
    return replace(case, fetches=tuple(fetches))
