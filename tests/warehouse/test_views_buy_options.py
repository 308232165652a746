"""The ways to buy a GPU side by side: the cheapest size of each, what is paid when it is idle, and when that pays."""

from decimal import Decimal

import duckdb
import pytest

from tests.warehouse.price_rows import START, build, day, fetch, price, published, table, warehouse_with
from warehouse.build import create_macros

RESERVED = {
    "purchase_option": "reserved",
    "offering_class": "standard",
    "term_months": 12,
    "instance_type": "p4d.24xlarge",
}


def test_each_way_is_beside_on_demand_of_the_same_place() -> None:
    """p4d.24xlarge, April 2025: 32.7726 / 8 = 4.096575; no upfront 20.175498 / 8 = 2.52193725, 0.615621 of it."""
    rows = published(
        "buy_options",
        price("32.7726", instance_type="p4d.24xlarge"),
        price("20.175498", payment_option="no_upfront", **RESERVED),
    )
    on_demand, reserved = rows

    assert on_demand["price_per_gpu_hour"] == Decimal("4.096575")
    assert (on_demand["paid_when_idle"], on_demand["break_even_utilization"]) == (False, None)
    assert on_demand["saving_ratio"] == 0
    assert reserved["price_per_gpu_hour"] == Decimal("2.52193725")
    assert reserved["on_demand_price_per_gpu_hour"] == Decimal("4.096575")
    assert reserved["paid_when_idle"] is True
    assert reserved["break_even_utilization"] == pytest.approx(0.615621, abs=5e-7)
    assert reserved["saving_ratio"] == pytest.approx(0.384379, abs=5e-7)


def test_of_several_sizes_the_cheapest_by_the_gpu_stands_for_the_model() -> None:
    """p5.48xlarge at 55.04 is 6.88 by the GPU, a p5.4xlarge at 6.5 is cheaper; slices don't count as a GPU."""
    (row,) = published(
        "buy_options",
        price("55.04"),
        price("6.5", instance_type="p5.4xlarge"),
    )
    assert (row["instance_type"], row["price_per_gpu_hour"]) == ("p5.4xlarge", Decimal("6.5"))
    assert published("buy_options", price("0.202", instance_type="g6f.large")) == []


def test_a_commitment_without_on_demand_beside_it_has_no_ratio() -> None:
    """p5.48xlarge reserved where it isn't sold on demand: the row stays."""
    (row,) = published(
        "buy_options", price("30", payment_option="all_upfront", **RESERVED | {"instance_type": "p5.48xlarge"})
    )
    assert (row["on_demand_price_per_gpu_hour"], row["saving_ratio"], row["break_even_utilization"]) == (
        None,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("utilization", "cheapest", "each"),
    [
        ("1", "reserved", "2.52193725"),  # 2.52193725 / 1
        ("0.62", "reserved", "4.0676407258"),  # 2.52193725 / 0.62, under 4.096575
        ("0.61", "on_demand", "4.096575"),  # 2.52193725 / 0.61 = 4.134...
    ],
)
def test_one_query_tells_the_cheapest_way_at_a_utilization(utilization: str, cheapest: str, each: str) -> None:
    """What a commitment costs for an hour that is used: its price over the share of hours in use."""
    rows = [
        price("32.7726", instance_type="p4d.24xlarge"),
        price("20.175498", payment_option="no_upfront", **RESERVED),
    ]
    with warehouse_with(rows) as connection:
        build(connection, "buy_options", "price_history")
        create_macros(connection)
        query = f"from buy_options_at({utilization}) order by price_per_used_gpu_hour limit 1"
        (found,) = table(connection, query)
    assert (found["purchase_option"], found["price_per_used_gpu_hour"]) == (cheapest, Decimal(each))


@pytest.mark.parametrize(("utilization", "each"), [("0", None), ("1e-12", None), ("1", Decimal("2.52193725"))])
def test_a_utilization_near_nothing_is_no_error(utilization: str, each: Decimal | None) -> None:
    """2.52193725 / 10^-12 is a price that no column holds."""
    with warehouse_with([price("20.175498", payment_option="no_upfront", **RESERVED)]) as connection:
        build(connection, "buy_options", "price_history")
        create_macros(connection)
        (found,) = table(connection, f"from buy_options_at({utilization})")
    assert found["price_per_used_gpu_hour"] == each


@pytest.mark.parametrize("utilization", ["60", "-0.5", "1.01"])
def test_a_utilization_that_is_no_share_is_refused(utilization: str) -> None:
    """60 percent written as 60 would make a reservation cost a sixtieth."""
    with warehouse_with([price("20.175498", payment_option="no_upfront", **RESERVED)]) as connection:
        build(connection, "buy_options", "price_history")
        create_macros(connection)
        with pytest.raises(duckdb.Error, match="a share from 0 to 1"):
            table(connection, f"from buy_options_at({utilization})")


def block(fee: str, starts: float, **words: object) -> dict[str, object]:
    """An offer of one p5.48xlarge for a day, as the first fetch saw it."""
    return {
        "source": "aws_capacity_blocks",
        "scope": "us-east-1",
        "observed_at": START,
        "partition": "aws",
        "region_id": "us-east-1",
        "availability_zone": "us-east-1a",
        "instance_type": "p5.48xlarge",
        "instance_count": 1,
        "starts_at": day(starts),
        "ends_at": day(starts + 1),
        "block_minutes": 1440,
        "currency": "USD",
        "total_price": Decimal(fee),
        "hourly_price": Decimal(fee) / 24,
    } | words


def test_the_cheapest_block_that_is_open_is_one_of_the_ways() -> None:
    """755.136 / 24 = 31.464, by the GPU 3.933, against 6.88: 0.571657 of the day. What began or is gone is none."""
    blocks = [
        block("755.136", 3),
        block("960", 2),
        block("500", -1),  # it has begun
        block("400", 4, observed_at=day(-1)),  # the last fetch has it no more
    ]
    looks = [fetch(START, source="aws_capacity_blocks"), fetch(day(-1), source="aws_capacity_blocks")]
    with warehouse_with([price("55.04")], looks, blocks=blocks) as connection:
        build(connection, "buy_options")
        rows = table(connection, "from buy_options order by purchase_option")
        offers = table(connection, "from capacity_block_offers order by total_price")

    found = rows[0]
    assert [row["purchase_option"] for row in rows] == ["capacity_block", "on_demand"]
    assert (found["effective_hourly_price"], found["price_per_gpu_hour"]) == (Decimal("31.464"), Decimal("3.933"))
    assert (found["upfront_price"], found["hourly_price"]) == (Decimal("755.136"), 0)
    assert (found["paid_when_idle"], found["starts_at"], found["ends_at"]) == (True, day(3), day(4))
    assert found["break_even_utilization"] == pytest.approx(0.571657, abs=5e-7)
    assert [(offer["total_price"], offer["is_open"]) for offer in offers] == [
        (Decimal("400"), False),
        (Decimal("500"), False),
        (Decimal("755.136"), True),
        (Decimal("960"), True),
    ]
    assert offers[2]["saving_ratio"] == pytest.approx(1 - 31.464 / 55.04)
