"""The cheapest mix of committed, on-demand and spot instances for a load, in closed form.

A load is some GPUs that all run a number of hours a month, a part of them all the time. It is carried by instances of
one size in one place, as a training cluster is, so it falls into steps of one instance. What a step costs depends on
nothing but its own hours: the cheapest of `effective price x 730` (a commitment is paid for every hour), `on demand x
hours` and, as long as instances that bear an interruption are left, `spot x hours`. So each step is bought by itself,
and the spot places go to the steps that save most by them. Trying every mix finds none that is cheaper; a test does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

from reports.errors import NothingFits

HOURS_A_MONTH = 730

Row = Mapping[str, Any]  # a row of plan_offers


@dataclass(frozen=True)
class Load:
    """`count` GPUs that run `hours` a month, `steady` of them always; the share `spot_tolerant` may be interrupted."""

    count: int
    hours: Decimal
    steady: int = 0
    spot_tolerant: Fraction = Fraction(0)

    def instances(self, gpus: Fraction) -> list[Fraction]:
        """Hours a month of each instance of a size, the busiest first. An instance runs if one of its GPUs must."""
        number, always = ceil(self.count / gpus), ceil(self.steady / gpus)
        return [Fraction(HOURS_A_MONTH)] * always + [Fraction(self.hours)] * (number - always)

    def interruptible(self, gpus: Fraction) -> int:
        """How many of those instances may be bought as spot: the others have room for what bears no interruption."""
        return ceil(self.count / gpus) - ceil(self.count * (1 - self.spot_tolerant) / gpus)


@dataclass(frozen=True)
class Part:
    """Equal instances that are bought the same way; money is a month's."""

    offer: Row
    instances: int
    hours: Fraction  # a month that each of them runs
    cost: Fraction

    @property
    def paid_when_idle(self) -> bool:
        """Whether the hours in which they don't run are paid too."""
        return bool(self.offer["term_months"])


@dataclass(frozen=True)
class Plan:
    """A mix that carries the load; `all_on_demand`: what it would cost on demand there, None where that is not sold."""

    parts: tuple[Part, ...]
    all_on_demand: Fraction | None

    @property
    def cost(self) -> Fraction:
        """USD (or the offers' currency) a month."""
        return sum((part.cost for part in self.parts), Fraction(0))

    @property
    def upfront(self) -> Fraction:
        """Paid once at the start; spread over the months in `cost`."""
        return sum((part.instances * Fraction(part.offer["upfront_price"]) for part in self.parts), Fraction(0))


def cheapest(offers: Iterable[Row], load: Load) -> tuple[Plan, Fraction | None]:
    """The cheapest plan over all sizes and places, and the cheapest month of the whole load on demand (None: nowhere).

    Of equal plans the one with less to pay at the start, then the first by name.

    Raises:
        NothingFits: there is no offer, or none can carry the load: all are spot, and the load bears no interruption.
    """
    sizes = _by_size(offers)
    if not sizes:
        raise NothingFits("no price matches: another --region, --provider, --os or --currency may have one")
    plans = [plan for size in sizes if (plan := carry(size, load)) is not None]
    if not plans:
        raise NothingFits("no offer can carry this load: what is on sale there is spot only; see --spot-tolerant")
    on_demand = [plan.all_on_demand for plan in plans if plan.all_on_demand is not None]
    return min(plans, key=lambda plan: (plan.cost, plan.upfront)), min(on_demand, default=None)


def carry(offers: Sequence[Row], load: Load) -> Plan | None:
    """The cheapest mix of the ways to buy one size in one place; None if they can't carry the load."""
    gpus = Fraction(offers[0]["gpu_numerator"], offers[0]["gpu_denominator"])
    hours = load.instances(gpus)
    on_demand = _lowest(offer for offer in offers if offer["purchase_option"] == "on_demand")
    spot = _lowest(offer for offer in offers if offer["purchase_option"] == "spot")
    committed = _lowest(offer for offer in offers if offer["term_months"])
    sure = [_cheaper(on_demand, committed, each) for each in hours]
    chosen = list(sure)
    if spot is not None:
        for step in _most_saved(sure, spot, hours)[: load.interruptible(gpus)]:
            chosen[step] = spot
    bought = [(offer, each) for offer, each in zip(chosen, hours, strict=True) if offer is not None]
    if len(bought) < len(hours):
        return None
    everything = None if on_demand is None else sum(_cost(on_demand, each) for each in hours)
    return Plan(tuple(_parts(bought)), None if everything is None else Fraction(everything))


def _by_size(offers: Iterable[Row]) -> list[list[Row]]:
    """The offers of each size and place; spot of every zone of a region belongs to the region's size."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for offer in offers:
        place = tuple(
            offer[word] for word in ("provider", "region_id", "instance_type", "operating_system", "currency")
        )
        found.setdefault(place, []).append(offer)
    return [found[place] for place in sorted(found)]


def _lowest(offers: Iterable[Row]) -> Row | None:
    """The cheapest; of equal ones the one with less at the start, then the shorter term."""
    words = ("effective_hourly_price", "upfront_price", "term_months", "zone_id", "offering_class", "payment_option")
    return min(offers, key=lambda offer: [offer[word] for word in words], default=None)


def _cost(offer: Row, hours: Fraction) -> Fraction:
    """What one instance costs in a month of so many hours."""
    return Fraction(offer["effective_hourly_price"]) * (HOURS_A_MONTH if offer["term_months"] else hours)


def _cheaper(on_demand: Row | None, committed: Row | None, hours: Fraction) -> Row | None:
    """On demand unless the commitment is cheaper: at the break-even itself, nobody ties himself down."""
    if on_demand is None or committed is None:
        return on_demand or committed
    return committed if _cost(committed, hours) < _cost(on_demand, hours) else on_demand


def _most_saved(sure: Sequence[Row | None], spot: Row, hours: Sequence[Fraction]) -> list[int]:
    """The steps that are cheaper as spot, those first that can't be bought otherwise, then those that save most."""
    saved: dict[int, Fraction | None] = {}
    for step, (offer, each) in enumerate(zip(sure, hours, strict=True)):
        saving = None if offer is None else _cost(offer, each) - _cost(spot, each)
        if saving is None or saving > 0:
            saved[step] = saving
    return sorted(saved, key=lambda step: (saved[step] is not None, -(saved[step] or 0), -step))


def _parts(bought: Sequence[tuple[Row, Fraction]]) -> Iterable[Part]:
    """Equal steps together, the busiest first."""
    counted: dict[tuple[int, Fraction], list[Row]] = {}
    for offer, hours in bought:
        counted.setdefault((id(offer), hours), []).append(offer)
    for (_, hours), same in counted.items():
        yield Part(same[0], len(same), hours, len(same) * _cost(same[0], hours))
