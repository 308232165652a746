"""Rows of Resource Graph's table SpotResources: what a size on spot has cost, and how often it is taken back.

The latest price of a pool (region, size, system), and what it was before by the recordings of 2025 and 2026, are
recorded. Since nobody recorded the days of a change, each is put on the first of the month it was first recorded in,
or on the day of that recording where the price before it was still recorded in that month. Made up are

- a change of some tenths in one pool of five, before the recorded price or within its time;
- all eviction rates, which are percent an hour over the last 28 days;
- the form of the ids, and that Windows has no eviction rate of its own;
- the prices of sizes without a GPU.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache

from connectors.sandbox.arm_places import TENANT, display_names
from connectors.sandbox.azure_ordinary import CORES, FEW, SERIES
from connectors.sandbox.azure_windows import Run, month_start, runs_until, starts
from connectors.sandbox.ec2_places import digest
from connectors.sandbox.facts import REGIONS, plain
from connectors.sandbox.serving import Served, served_by_region

PRICE_TYPE = "microsoft.compute/skuspotpricehistory/ostype/location"
RATE_TYPE = "microsoft.compute/skuspotevictionrate/location"
RATES = ("0-5", "5-10", "10-15", "15-20", "20+")
DEPTH = timedelta(days=90)
UNLISTED_ONE_OF = 12
CHANGED_ONE_OF = 5
REPEATED_ONE_OF = 11  # pools whose list has their newest price twice, on two days or on one
FACTORS = tuple(map(Decimal, ("0.7", "0.9", "1.1", "1.2", "1.3")))
STEP = timedelta(days=17)  # a made-up change is so many days before the recorded one, which undoes it

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Pool:
    """What has a spot price."""

    region: str
    size: str
    system: str


@dataclass(frozen=True, slots=True)
class Point:
    """A price and the instant it begins at (UTC). The price is a recorded one, or made up."""

    at: datetime
    price: Decimal
    recorded: bool


@lru_cache(maxsize=6)
def price_points(day: date) -> Mapping[Pool, Sequence[Point]]:
    """The prices of each GPU pool on a day, newest first, 90 days deep; the newest is there however old it is."""
    found = {}
    for region in REGIONS["azure"]:
        for figure in served_by_region("azure", day).get(region, ()):
            if figure.fact.purchase_option == "spot":
                pool = Pool(region, figure.fact.instance_type, figure.fact.operating_system)
                found[pool] = _within_depth(_points(pool, figure, day), day)
    return found


def _points(pool: Pool, figure: Served, day: date) -> list[Point]:
    """Oldest first."""
    runs = list(runs_until(figure, day))
    if not runs or runs[-1].price != figure.fact.price:
        since = max(figure.since, runs[-1].last + timedelta(days=1)) if runs else figure.since
        runs.append(Run(figure.fact.price, since, since))
    begins = starts(runs)
    begins[0] = month_start(runs[0].first)
    points: list[Point] = []
    for run, start in zip(runs, begins, strict=True):
        if not points or points[-1].price != run.price:
            points.append(Point(_midnight(start), run.price, True))
    number = digest("spot", pool.region, pool.size, pool.system)
    if number % CHANGED_ONE_OF == 0:
        points = _changed(points, day, number)
    elif number % REPEATED_ONE_OF == 0:
        points.append(Point(_midnight(max(day - STEP, points[-1].at.date())), points[-1].price, True))
    return points


def _changed(points: list[Point], day: date, number: int) -> list[Point]:
    """With a made-up price from 34 to 17 days before the day; for a newer price, in the month before the first one."""
    oldest, newest, begins = points[0], points[-1], _midnight(day - 2 * STEP)
    factor = FACTORS[number // CHANGED_ONE_OF % len(FACTORS)]
    changed = (newest.price * factor).quantize(Decimal("0.000001"))
    if begins <= newest.at:
        before = month_start(oldest.at.date() - timedelta(days=1))
        return [Point(_midnight(before), changed, False), *points]
    again = Point(_midnight(day - STEP) + timedelta(hours=7, minutes=30), newest.price, True)
    return [*points, Point(begins, changed, False), again]


def _within_depth(points: Sequence[Point], day: date) -> Sequence[Point]:
    newest, *older = reversed(points)
    return [newest, *(point for point in older if point.at >= _midnight(day - DEPTH))]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def eviction_rate(region: str, size: str) -> str:
    """The band of a size in a region, in percent an hour. Made up."""
    return RATES[digest("evicted", region, size) % 9 % len(RATES)]


@lru_cache(maxsize=8)
def pools(day: date, full: bool, all_sizes: bool) -> Mapping[Pool, Sequence[Point]]:
    """Every pool that has rows: of GPU sizes most or all, of others a few or as many as there are."""
    listed = {
        pool: points
        for pool, points in price_points(day).items()
        if all_sizes or digest("listed", pool.region, pool.size) % UNLISTED_ONE_OF
    }
    for region in display_names():
        for pool, price in _ordinary(region, full):
            listed[pool] = [Point(_midnight(month_start(day)), price, False)]
    return listed


def _ordinary(region: str, full: bool) -> Iterator[tuple[Pool, Decimal]]:
    for pattern, _, _, per_core in SERIES:
        for cores in CORES:
            size = pattern.format(cores)
            if full or size in FEW:
                price = Decimal(per_core) * cores / 5
                yield Pool(region, size, "linux"), price
                yield Pool(region, size, "windows"), price * 2


@dataclass(frozen=True, slots=True)
class Element:
    """How an element of spotPrices is written."""

    date_field: str
    price_field: str
    date_digits: int
    as_text: bool

    def of(self, point: Point) -> dict[str, object]:
        """The element."""
        fraction = f".{'0' * self.date_digits}" if self.date_digits else ""
        told: dict[str, object] = {self.date_field: point.at.strftime(f"%Y-%m-%dT%H:%M:%S{fraction}Z")}
        if not self.date_field:
            told = {}
        return told | {self.price_field: plain(point.price) if self.as_text else float(point.price)}


def price_row(pool: Pool, points: Sequence[Point], element: Element, newest_first: bool, with_id: bool) -> Row:
    """The row of a pool's prices."""
    ordered = points if newest_first else list(reversed(points))
    told: dict[str, object] = {"osType": pool.system, "spotPrices": [element.of(point) for point in ordered]}
    name = f"skuspotpricehistory/{pool.size.lower()}/ostype/{pool.system}/location/{pool.region}"
    return _row(PRICE_TYPE, name, pool, told, with_id)


def rate_row(pool: Pool, with_id: bool) -> Row:
    """The row of how often a pool's machines are taken back."""
    told: dict[str, object] = {"evictionRate": eviction_rate(pool.region, pool.size)}
    name = f"skuspotevictionrate/{pool.size.lower()}/location/{pool.region}"
    return _row(RATE_TYPE, name, pool, told, with_id)


def _row(kind: str, name: str, pool: Pool, told: dict[str, object], with_id: bool) -> Row:
    """Every column of the table."""
    texts = {"kind": "", "resourceGroup": "", "subscriptionId": "", "managedBy": "", "tenantId": TENANT}
    row_id = f"/providers/Microsoft.Compute/{name}" if with_id else ""
    rest = dict.fromkeys(("plan", "tags", "identity", "zones", "extendedLocation"))
    words = {"id": row_id, "name": name.split("/")[1], "type": kind, "location": pool.region}
    return {**words, **texts, **rest, "sku": {"name": pool.size.lower()}, "properties": told}
