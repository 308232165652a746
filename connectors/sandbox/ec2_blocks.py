"""DescribeCapacityBlockOfferings: GPUs for a span of days, paid in advance.

Nobody has recorded the fees at length, so they are synthetic: about six tenths of the recorded price on demand of the
day, by zone and day of start. What is known of real answers is kept to: a block ends at 11:30 UTC; one that could start
now has the hours up to some 11:30, so it is shorter or longer than what was asked for; the fee is for all its instances
and its whole span. (An answer published of 2025-02-14, p4d.24xlarge in us-east-2, 24 hours asked: 24 from 11:30 the
next day for 283, 19 and 43 from 16:13 for 228 and 511.)
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from connectors.sandbox.aws_products import instance_types
from connectors.sandbox.ec2_call import Call
from connectors.sandbox.ec2_errors import Refusal, invalid, missing
from connectors.sandbox.ec2_paging import Bounds, page
from connectors.sandbox.ec2_places import Scene, Zone, digest, local_zones, zones
from connectors.sandbox.ec2_xml import Reply, Value
from connectors.sandbox.facts import read_table
from connectors.sandbox.serving import served_by_region

BOUNDS = Bounds(least=1, most=1000, usual=100)
# Where each type is sold in blocks, if it has a price on demand there that day. p5.48xlarge has one in more places.
PLACES: Mapping[str, Sequence[str]] = {
    "p4d.24xlarge": ("us-east-1", "us-east-2", "us-west-2"),
    "p4de.24xlarge": ("us-east-1", "us-west-2"),
    "p5.4xlarge": ("us-east-1",),
    "p5.48xlarge": (
        *("us-east-1", "us-east-1-atl-1", "us-east-2", "us-west-2", "ap-northeast-1", "ap-southeast-3"),
        *("eu-north-1", "eu-west-2"),
    ),
    "p5e.48xlarge": ("us-east-2", "us-west-2"),
    "p5en.48xlarge": ("us-east-1", "us-east-1-atl-1", "us-east-2", "us-west-2", "ap-northeast-1", "ap-southeast-3"),
    "p6-b200.48xlarge": ("us-east-1",),
    "trn1.32xlarge": ("us-east-1",),
    "trn2.48xlarge": ("us-east-2",),
}
# A type without a price on demand -> the one whose price it follows, and how much dearer it is.
LIKE: Mapping[str, tuple[str, Decimal]] = {"p5e.48xlarge": ("p5.48xlarge", Decimal("1.15"))}
ULTRASERVERS = ("u-p6e-gb200x36", "u-p6e-gb200x72")  # known, and never on offer here: no price of them is recorded
SHARE_OF_ON_DEMAND = Decimal("0.6")
CENT = Decimal("0.01")
END_OF_DAY = time(11, 30, tzinfo=UTC)
DAY = timedelta(days=1)
NOTICE = timedelta(minutes=30)
DAYS_AHEAD = 56
MOST_INSTANCES = 64
AT_ONCE = 8  # instances that the first zone of a type can always give at once


class Block(NamedTuple):
    """A block on offer."""

    instance_type: str
    zone: Zone
    start: datetime
    end: datetime
    hourly: Decimal  # of one instance

    @property
    def minutes(self) -> int:
        """How long it lasts."""
        return int((self.end - self.start).total_seconds()) // 60


def describe(call: Call, scene: Scene) -> Reply:
    """The answer."""
    hours = _duration(call)
    count = call.number("InstanceCount", 1)
    if not 1 <= count <= MOST_INSTANCES:
        raise invalid("instanceCount", count, f"Expecting a value from 1 to {MOST_INSTANCES}.")
    earliest, latest = call.moment("StartDateRange"), call.moment("EndDateRange")
    if earliest and latest and latest < earliest:
        raise invalid("endDateRange", call.parameters["EndDateRange"], "It is before the start date range.")
    found = [
        block
        for instance_type in _types(call, scene)
        for block in blocks(instance_type, hours, count, call, scene)
        if (earliest is None or block.start >= earliest) and (latest is None or block.end <= latest)
    ]
    items = [_item(block, count, call.key, scene) for block in found]
    return Reply("capacityBlockOfferingSet", *page(items, call, BOUNDS, scene.unverified))


def sold_in(region: str, scene: Scene, with_local_zones: bool = True) -> Sequence[str]:
    """The types that a region sells in blocks on the day."""
    places = {zone.place for zone in (*zones(region), *(local_zones(region) if with_local_zones else ()))}
    return [name for name, sold in PLACES.items() if any(_price(name, place, scene) for place in places & set(sold))]


def blocks(instance_type: str, hours: int, count: int, call: Call, scene: Scene) -> Iterator[Block]:
    """What is on offer of a type for a duration: first what has just that, then what could start now."""
    there = _zones(instance_type, call.region, scene, call.yes("AllAvailabilityZones"))
    for zone in there:
        first = datetime.combine(scene.now.date() + DAY, END_OF_DAY)
        for start in (first + lead * DAY for lead in range(DAYS_AHEAD)):
            if _free(instance_type, zone, start, hours) >= count:
                yield _block(instance_type, zone, start, start + timedelta(hours=hours), scene)
    for zone in there:
        start = (scene.now + NOTICE).replace(second=0, microsecond=0) + timedelta(minutes=1)
        if max(_free(instance_type, zone, start, hours), AT_ONCE if zone is there[0] else 0) >= count:
            first = datetime.combine(start.date(), END_OF_DAY)
            first += DAY if first <= start else timedelta(0)
            for end in (first + timedelta(hours=hours - 24), first + timedelta(hours=hours)):
                yield _block(instance_type, zone, start, end, scene)


def _duration(call: Call) -> int:
    hours = call.number("CapacityDurationHours")
    if hours > 0 and ((hours % 24 == 0 and hours <= 14 * 24) or (hours % 168 == 0 and hours <= 182 * 24)):
        return hours
    raise invalid("capacityDurationHours", hours, "Expecting days, up to 14, or weeks, up to 182 days.")


def _types(call: Call, scene: Scene) -> Sequence[str]:
    """The types asked for that are sold here."""
    named = [call.parameters["InstanceType"]] if "InstanceType" in call.parameters else []
    named += call.numbered("InstanceTypePreference", ".InstanceType")
    servers = call.parameters.get("UltraserverType")
    if servers and servers not in ULTRASERVERS:
        raise invalid("ultraserverType", servers, "The UltraServer type does not exist.")
    if not named and not servers:
        raise missing("InstanceType")
    here = sold_in(call.region, scene, call.yes("AllAvailabilityZones"))
    for name in named:
        if name not in _known():
            raise invalid("instanceType", name, "The instance type does not exist.")
        if name not in here and scene.unverified.type_without_blocks == "Unsupported":
            raise Refusal("Unsupported", f"Capacity Blocks are not supported for {name} in this Region.")
    return [name for name in named if name in here]


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(instance_types()) | {row["instance_type"] for row in read_table("aws_ordinary.csv")}


def _zones(instance_type: str, region: str, scene: Scene, with_local_zones: bool) -> Sequence[Zone]:
    """One or two of the region's, and each Local Zone if it is asked for; the account is opted in to none."""
    sold = [place for place in PLACES[instance_type] if _price(instance_type, place, scene)]
    every, found = zones(region), []
    if region in sold:
        chosen = digest(instance_type, region)
        found = [every[(chosen + step) % len(every)] for step in range(1 + chosen // 7 % 2)]
    return found + [zone for zone in local_zones(region) if with_local_zones and zone.place in sold]


def _price(instance_type: str, place: str, scene: Scene) -> Decimal | None:
    """The recorded price on demand that fees follow."""
    followed, dearer = LIKE.get(instance_type, (instance_type, Decimal(1)))
    price = _on_demand(scene.day, place).get(followed)
    return price and price * dearer


@lru_cache(maxsize=128)
def _on_demand(day: date, place: str) -> Mapping[str, Decimal]:
    """Recorded prices on demand for Linux, by type."""
    facts = [figure.fact for figure in served_by_region("aws", day).get(place, ())]
    return {
        fact.instance_type: fact.price
        for fact in facts
        if (fact.purchase_option, fact.operating_system) == ("on_demand", "linux")
    }


def _block(instance_type: str, zone: Zone, start: datetime, end: datetime, scene: Scene) -> Block:
    """With its hourly price: from 5 hundredths below the share of the price on demand to 5 above."""
    turn = Decimal(95 + digest("fee", instance_type, zone.id, start.date()) % 11) / 100
    on_demand = _price(instance_type, zone.place, scene) or Decimal(0)
    return Block(instance_type, zone, start, end, (on_demand * SHARE_OF_ON_DEMAND * turn).quantize(CENT))


def _free(instance_type: str, zone: Zone, start: datetime, hours: int) -> int:
    """How many instances could be had, on half of all days none; the longer, the fewer."""
    return digest("free", instance_type, zone.id, start.date()) % 130 - 65 - hours // 96


def _item(block: Block, count: int, key: str, scene: Scene) -> dict[str, Value]:
    hours, minutes = divmod(block.minutes, 60)
    digits = Decimal(1) if scene.unverified.fee_in_whole_dollars else CENT
    fee = (block.hourly * block.minutes / 60 * count).quantize(digits)
    again = scene.serial if scene.unverified.fresh_offering_ids else 0
    words = (block.instance_type, block.zone.id, block.start, block.end, count, again)
    same: dict[str, Value] = {
        "instanceType": block.instance_type,
        "availabilityZone": block.zone.name(key),
        "instanceCount": count,
        "startDate": block.start.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "endDate": block.end.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "capacityBlockDurationHours": hours,
        "capacityBlockDurationMinutes": minutes or None,
        "upfrontFee": str(fee),
        "currencyCode": "USD",
        "zoneType": block.zone.kind,
    }
    item = {"capacityBlockOfferingId": f"cb-0{digest(*words):016x}", **same, "tenancy": "default"}
    if scene.unverified.block_segments:
        item["capacityBlockOfferingSegmentSet"] = [{**same, "availabilityZoneId": block.zone.id}]
    return item
