"""The cheapest mix for a load: hand-worked months, and a search over all mixes that never finds a cheaper one."""

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.errors import NothingFits
from reports.plan import Load, Plan, Row, carry, cheapest


def offer(price: str, option: str = "on_demand", months: int = 0, gpus: int = 8, **words: Any) -> Row:
    """A row of plan_offers; p5.48xlarge in us-east-1 unless it says otherwise."""
    return {
        "provider": "aws",
        "region_id": "us-east-1",
        "zone_id": "",
        "instance_type": "p5.48xlarge",
        "gpu_numerator": gpus,
        "gpu_denominator": 1,
        "operating_system": "linux",
        "purchase_option": option,
        "offering_class": "",
        "payment_option": "",
        "term_months": months,
        "currency": "USD",
        "upfront_price": Decimal(0),
        "effective_hourly_price": Decimal(price),
    } | words


def told(plan: Plan) -> list[tuple[str, int, Fraction]]:
    """What is bought, how many of it, and its month."""
    return [(part.offer["purchase_option"], part.instances, part.cost) for part in plan.parts]


def test_each_step_is_committed_where_its_hours_pass_the_break_even() -> None:
    """p4d in April 2025: on demand 32.7726, no upfront 20.175498, which pays from 61.56% of 730 h = 449.4 h on.

    16 GPUs for 400 h, 8 of them always: 8 committed for 20.175498 x 730 = 14728.11354, 8 on demand for 32.7726 x 400 =
    13109.04; together 27837.15354 instead of 32.7726 x (730 + 400) = 37033.038.
    """
    offers = [offer("32.7726"), offer("20.175498", "reserved", 12)]
    plan, on_demand = cheapest(offers, Load(count=16, hours=Decimal(400), steady=8))

    assert told(plan) == [("reserved", 1, Fraction("14728.11354")), ("on_demand", 1, Fraction("13109.04"))]
    assert (plan.cost, on_demand) == (Fraction("27837.15354"), Fraction("37033.038"))
    assert told(cheapest(offers, Load(16, Decimal(450)))[0]) == [("reserved", 2, 2 * Fraction("14728.11354"))]
    assert told(cheapest(offers, Load(16, Decimal(449)))[0]) == [("on_demand", 2, 2 * Fraction("32.7726") * 449)]


def test_spot_takes_no_more_than_bears_an_interruption() -> None:
    """24 GPUs are three instances; half of 24 is 12 GPUs, which is one instance of eight as spot, not two."""
    offers = [offer("30"), offer("10", "spot", zone_id="use1-az2")]
    plan, _ = cheapest(offers, Load(24, Decimal(100), spot_tolerant=Fraction(1, 2)))

    assert sorted(told(plan)) == [("on_demand", 2, Fraction(6000)), ("spot", 1, Fraction(1000))]


def test_a_load_that_bears_interruption_is_all_spot_though_it_fills_no_last_instance() -> None:
    """Ten GPUs are two instances of eight, one GPU is one; all may be spot. Of ten, half: five find room on one."""
    offers = [offer("30"), offer("10", "spot")]
    for count, share, spots, others in ((10, "1", 2, 0), (1, "1", 1, 0), (10, "1/2", 1, 1), (10, "1/10", 0, 2)):
        plan, _ = cheapest(offers, Load(count, Decimal(100), spot_tolerant=Fraction(share)))
        bought = {option: number for option, number, _ in told(plan)}
        assert (bought.get("spot", 0), bought.get("on_demand", 0)) == (spots, others)


def test_spot_goes_to_the_step_that_saves_most() -> None:
    """Committed 20 x 730 = 14600 against spot 15 x 730 = 10950 saves 3650; on demand (30 - 15) x 200 saves 3000."""
    offers = [offer("30"), offer("20", "savings_plan", 36), offer("15", "spot")]
    plan, _ = cheapest(offers, Load(16, Decimal(200), steady=8, spot_tolerant=Fraction(1, 2)))

    assert told(plan) == [("spot", 1, Fraction(10950)), ("on_demand", 1, Fraction(6000))]


def test_a_load_is_bought_in_whole_instances() -> None:
    """Nine GPUs need two instances of eight, or nine of one GPU each: 9 x 7 = 63 is less than 2 x 55.04 = 110.08."""
    single = offer("7", instance_type="p5.4xlarge", gpus=1)
    plan, _ = cheapest([offer("55.04"), single], Load(9, Decimal(1)))

    assert told(plan) == [("on_demand", 9, Fraction(63))]
    assert plan.parts[0].offer["instance_type"] == "p5.4xlarge"


def test_what_is_sold_as_spot_only_needs_a_load_that_bears_it() -> None:
    """And says so."""
    only = [offer("10", "spot")]
    with pytest.raises(NothingFits, match="spot only"):
        cheapest(only, Load(8, Decimal(100)))
    plan, on_demand = cheapest(only, Load(8, Decimal(100), spot_tolerant=Fraction(1)))
    assert (told(plan), on_demand) == ([("spot", 1, Fraction(1000))], None)


PRICES = st.integers(1, 40).map(str)
SIZES = st.sampled_from([("p5.48xlarge", 8), ("p5.4xlarge", 1), ("g5.12xlarge", 4), ("g4.24xlarge", 2)])


@st.composite
def markets(draw: st.DrawFn) -> list[Row]:
    """Some sizes in some places, each with some of the ways to buy it."""
    found = []
    for name, gpus in draw(st.lists(SIZES, min_size=1, max_size=2, unique=True)):
        for region in draw(st.lists(st.sampled_from(["us-east-1", "eu-west-1"]), min_size=1, max_size=2, unique=True)):
            where: dict[str, Any] = {"instance_type": name, "gpus": gpus, "region_id": region}
            for option, months in draw(
                st.lists(
                    st.sampled_from([("on_demand", 0), ("spot", 0), ("reserved", 12), ("reserved", 36)]),
                    min_size=1,
                    unique=True,
                )
            ):
                found.append(offer(draw(PRICES), option, months, **where))
    return found


@st.composite
def loads(draw: st.DrawFn) -> Load:
    """Up to six GPUs' load, so that every mix can be tried."""
    count = draw(st.integers(1, 6))
    share = draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)]))
    return Load(count, Decimal(draw(st.integers(0, 730))), draw(st.integers(0, count)), share)


def every_mix(offers: list[Row], load: Load) -> list[Fraction]:
    """The month of every way to buy every instance of every size in every place, counted by hand."""
    found = []
    for place in {(each["region_id"], each["instance_type"]) for each in offers}:
        ways = [each for each in offers if (each["region_id"], each["instance_type"]) == place]
        gpus = ways[0]["gpu_numerator"]
        number, always = ceil(load.count / gpus), ceil(load.steady / gpus)
        for mix in product(ways, repeat=number):
            on_spot = sum(each["purchase_option"] == "spot" for each in mix)
            if (number - on_spot) * gpus < load.count * (1 - load.spot_tolerant):
                continue  # what bears no interruption finds no place
            month = Fraction(0)
            for step, each in enumerate(mix):
                runs = 730 if step < always else Fraction(load.hours)
                month += Fraction(each["effective_hourly_price"]) * (730 if each["term_months"] else runs)
            found.append(month)
    return found


@given(offers=markets(), load=loads())
def test_no_mix_is_cheaper(offers: list[Row], load: Load) -> None:
    """The closed form gives the least of all mixes, or says that there is none."""
    mixes = every_mix(offers, load)
    if not mixes:
        with pytest.raises(NothingFits):
            cheapest(offers, load)
        return
    plan, _ = cheapest(offers, load)
    assert plan.cost == min(mixes)
    on_spot = sum(part.instances for part in plan.parts if part.offer["purchase_option"] == "spot")
    gpus = plan.parts[0].offer["gpu_numerator"]
    instances = sum(part.instances for part in plan.parts)
    assert (instances - on_spot) * gpus >= load.count * (1 - load.spot_tolerant)
    assert instances == ceil(load.count / gpus)


def test_offers_in_any_order_give_the_same_plan() -> None:
    """Equal prices: what is paid at the start decides, then the term."""
    offers = [offer("20", "reserved", 36), offer("20", "reserved", 12), offer("30")]
    first, second = carry(offers, Load(8, Decimal(730))), carry(offers[::-1], Load(8, Decimal(730)))

    assert first is not None and second is not None
    assert first.parts[0].offer["term_months"] == second.parts[0].offer["term_months"] == 12
