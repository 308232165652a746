"""What holds, what held, and what one GPU of it costs."""

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.warehouse.price_rows import (
    START,
    Row,
    azure,
    azure_fetch,
    build,
    day,
    fetch,
    insert,
    price,
    published,
    table,
    warehouse_with,
)
from warehouse.build import create_macros


def of_size(rows: Iterable[Row]) -> dict[str, Row]:
    """Rows by their size."""
    return {row["instance_type"]: row for row in rows}


def test_slices_of_one_gpu_cost_the_same_by_the_whole_gpu() -> None:
    """Azure, eastus, 2026-08-01: NV6ads 0.454 and NV12ads 0.908 are a sixth and a third of an A10, so 2.724 both."""
    rows = of_size(
        published(
            "prices",
            azure("0.454", instance_type="Standard_NV6ads_A10_v5"),
            azure("0.908", instance_type="Standard_NV12ads_A10_v5"),
        )
    )
    sixth, third = rows["Standard_NV6ads_A10_v5"], rows["Standard_NV12ads_A10_v5"]

    assert sixth["price_per_gpu_hour"] == third["price_per_gpu_hour"] == Decimal("2.724")  # 0.454 * 6 = 0.908 * 3
    assert (sixth["gpu_model"], sixth["gpu_numerator"], sixth["gpu_denominator"]) == ("A10", 1, 6)
    assert sixth["gpu_memory_gb"] == 4  # 24 / 6
    assert sixth["price_per_gb_hour"] == Decimal("0.1135")  # 0.454 / 4
    assert sixth["price_per_tflop_hour"] == Decimal("0.021792")  # 2.724 / 125
    assert sixth["price_per_fp32_tflop_hour"] == Decimal("0.0873076923")  # 2.724 / 31.2


def test_a_third_of_a_price_is_rounded_once_to_ten_decimals() -> None:
    """98.32 / 8 is exact; 10 / 3 of an eight-GPU size isn't: 3.3333333333 / 8 = 0.4166666667 from the whole price."""
    rows = of_size(published("prices", price("98.32"), price("3.3333333333", instance_type="p4d.24xlarge")))

    assert rows["p5.48xlarge"]["price_per_gpu_hour"] == Decimal("12.29")
    assert rows["p4d.24xlarge"]["price_per_gpu_hour"] == Decimal("0.4166666667")  # 0.41666666666...


def test_a_reservation_is_compared_by_its_effective_price() -> None:
    """All upfront, nothing by the hour: 8760 / 8760 hours = 1 an hour, an eighth of it a GPU."""
    words = {"purchase_option": "reserved", "offering_class": "standard", "payment_option": "all_upfront"}
    (row,) = published("prices", price("0", upfront="8760", term_months=12, **words))

    assert (row["hourly_price"], row["price_per_gpu_hour"]) == (0, Decimal("0.125"))


def test_a_gpu_without_tensor_cores_has_no_price_by_its_tensor_rate() -> None:
    """K80: 0.9 an hour, 12 GB, 4.37 FP32 TFLOPS and no tensor cores."""
    (row,) = published("prices", price("0.9", instance_type="p2.xlarge"))

    assert row["price_per_tflop_hour"] is None
    assert row["price_per_fp32_tflop_hour"] == Decimal("0.2059496568")  # 0.9 / 4.37
    assert row["price_per_gb_hour"] == Decimal("0.075")


def test_an_unknown_gpu_and_an_unknown_place_are_published_and_listed() -> None:
    """p9 is in no table: its price stands, without a GPU; so does a price in a region nobody has heard of."""
    prices = [
        price("200", instance_type="p9.48xlarge"),
        price("1", region_id="mars-north-1", instance_type="g6.xlarge"),
    ]
    with warehouse_with(prices) as connection:
        build(connection, "prices", "unmapped_instance_types", "unmapped_regions", "instance_types")
        rows = of_size(table(connection, "from prices"))
        (size,) = table(connection, "from unmapped_instance_types")
        (place,) = table(connection, "from unmapped_regions")
        (listed,) = table(connection, "from instance_types where instance_type = 'p9.48xlarge'")

    unknown = rows["p9.48xlarge"]
    assert (unknown["hourly_price"], unknown["gpu_model"], unknown["gpu_count"]) == (200, None, None)
    assert (unknown["price_per_gpu_hour"], unknown["price_per_gb_hour"]) == (None, None)
    assert (rows["g6.xlarge"]["region_name"], rows["g6.xlarge"]["region_kind"]) == (None, None)
    assert (size["instance_type"], size["open_prices"], size["example_region_id"]) == ("p9.48xlarge", 1, "us-east-1")
    assert (place["region_id"], place["open_prices"], place["instance_types"]) == ("mars-north-1", 1, 1)
    assert (listed["gpu_model"], listed["regions_on_sale"], listed["purchase_options"]) == (None, 1, ["on_demand"])


def test_an_absurd_price_is_published_and_breaks_nothing() -> None:
    """60 million an hour for an eighth of a GPU is over DECIMAL(18,10) by the GPU: that column is NULL."""
    (row,) = published("prices", price("60000000", instance_type="g6f.large"))

    assert (row["hourly_price"], row["price_per_gpu_hour"]) == (60000000, None)


@pytest.mark.parametrize(
    ("partition", "currency", "published_rows"),
    [
        ("azure", "USD", 1),
        ("azure", "EUR", 0),
        ("azure", "CNY", 0),
        ("azure-china", "CNY", 1),
        ("azure-china", "USD", 0),
    ],
)
def test_only_a_partitions_own_currency_is_an_offer(partition: str, currency: str, published_rows: int) -> None:
    """A euro list of eastus is a conversion: it is kept in the warehouse and stands in no price table."""
    rows = published("price_history", azure("98.32", partition=partition, currency=currency))

    assert len(rows) == published_rows


def test_what_holds_is_decided_by_the_latest_look_not_by_a_clock() -> None:
    """as_of is the latest attempt, a failed one too. What ended at that moment is over; what begins at it holds."""
    prices = [
        price("98.32", valid_to=day(2), close_reason="changed", closed_known_at=day(2)),
        price("55.04", valid_from=day(2)),
        price("7", instance_type="g6.xlarge", valid_from=day(3)),  # announced for later than as_of
    ]
    fetches = [fetch(START), fetch(day(1)), fetch(day(2), status="failed")]
    with warehouse_with(prices, fetches) as connection:
        build(connection, "prices", "publication")
        rows = table(connection, "from prices")
        (publication,) = table(connection, "from publication")

    assert publication["as_of"] == day(2)
    assert [row["hourly_price"] for row in rows] == [Decimal("55.04")]


@pytest.mark.parametrize(
    ("on_date", "held"),
    [
        ("2025-04-03", []),  # the first price is from 06:00 of the 4th
        ("2025-04-04", ["98.32"]),
        ("2025-04-05", ["55.04"]),  # changed on the 5th at 06:00, so at the end of that day the new one held
        ("2025-04-06", []),  # ended on the 6th at 06:00
    ],
)
def test_prices_on_a_day_are_those_at_the_end_of_it(on_date: str, held: list[str]) -> None:
    """A price first seen at six in the morning is a price of that day."""
    prices = [
        price("98.32", valid_to=day(1), close_reason="changed"),
        price("55.04", valid_from=day(1), valid_to=day(2), close_reason="absent"),
    ]
    with warehouse_with(prices) as connection:
        build(connection, "price_history", "buy_options")
        create_macros(connection)
        rows = table(connection, f"from prices_on('{on_date}')")
        by_date = table(connection, f"from prices_on(date '{on_date}')")

    assert [row["hourly_price"] for row in rows] == [Decimal(each) for each in held]
    assert rows == by_date


def test_a_price_that_ends_at_midnight_held_until_that_day_ended() -> None:
    """valid_to is exclusive: an end at 00:00 of the 6th leaves the 5th whole."""
    midnight = START.replace(day=6, hour=0)
    with warehouse_with([price("1", valid_to=midnight), price("2", valid_from=midnight)]) as connection:
        build(connection, "price_history", "buy_options")
        create_macros(connection)
        days = [table(connection, f"from prices_on('2025-04-{number:02}')")[0]["hourly_price"] for number in (5, 6)]

    assert days == [1, 2]


def test_an_open_price_was_last_seen_in_its_scopes_last_complete_fetch() -> None:
    """A quiet day writes no row: the look of day 3 found all as it was. Partial and failed ones say nothing of it."""
    fetches = [
        fetch(START),
        fetch(day(3), status="unchanged"),
        fetch(day(4), status="partial"),
        fetch(day(5), status="failed"),
        fetch(day(9), scope="us-west-2"),
    ]
    (row,) = published("prices", price("98.32"), fetches=fetches)

    assert (row["first_seen_at"], row["last_seen_at"]) == (START, day(3))


def test_a_price_that_fetches_lack_was_last_seen_when_it_was_seen() -> None:
    """Missing since day 1 and not yet closed: it still holds, and says since when it is missing."""
    (row,) = published(
        "prices", price("98.32", last_seen_at=START, missing_since=day(1)), fetches=[fetch(START), fetch(day(1))]
    )

    assert (row["last_seen_at"], row["missing_since"]) == (START, day(1))


def test_an_older_version_fetched_later_is_not_the_last_look() -> None:
    """History that is filled in on day 9 with a version of long ago says nothing of what holds since day 1."""
    fetches = [fetch(day(1), version="2"), fetch(day(9), as_of=day(-30), version="1")]
    (row,) = published("prices", price("98.32"), fetches=fetches)

    assert row["last_seen_at"] == day(1)


def test_the_last_digit_of_a_price_per_gpu_is_right() -> None:
    """2.795890411 over 4 is 0.69897260275, which rounds up; 25.45956621 over 8 is 3.18244577625, up too."""
    rows = published(
        "prices",
        price("2.795890411", instance_type="g6.12xlarge"),
        price("25.45956621", instance_type="p3dn.24xlarge"),
    )

    assert [(row["gpu_count"], row["price_per_gpu_hour"]) for row in rows] == [
        (4, Decimal("0.6989726028")),
        (8, Decimal("3.1824457763")),
    ]


RESERVED = {"purchase_option": "reserved", "payment_option": "any", "term_months": 12, "price_basis": "derived"}


def windows(rows: Iterable[Row]) -> list[tuple[Any, Any, Any]]:
    """(hourly price, from, to) of the reserved Windows rows."""
    found = [row for row in rows if (row["operating_system"], row["purchase_option"]) == ("windows", "reserved")]
    return [(row["hourly_price"], row["valid_from"], row["valid_to"]) for row in found]


def test_a_windows_reservation_is_the_reserved_compute_and_the_licence() -> None:
    """Azure, ND96isr H100 v5: 62.9248 reserved, and Windows asks 102.736 - 98.32 = 4.416 more: 67.3408."""
    rows = published(
        "prices", azure("62.9248", **RESERVED), azure("98.32"), azure("102.736", operating_system="windows")
    )
    (row,) = (row for row in rows if row["purchase_option"] == "reserved" and row["operating_system"] == "windows")

    assert (row["hourly_price"], row["price_basis"]) == (Decimal("67.3408"), "derived")
    assert row["total_price"] == Decimal("589905.408")  # 67.3408 * 8760
    assert (row["upfront_price"], row["term_months"], row["last_seen_at"]) == (0, 12, START)


def test_a_windows_reservation_holds_while_its_three_prices_hold() -> None:
    """Linux on demand falls by 1 on day 2 and is gone on day 4: two rows, 1 apart, and none afterwards."""
    rows = published(
        "price_history",
        azure("60", **RESERVED),
        azure("100", operating_system="windows", valid_from=day(1)),
        azure("90", valid_to=day(2), close_reason="changed", closed_known_at=day(2)),
        azure("89", valid_from=day(2), valid_to=day(4), close_reason="absent", closed_known_at=day(5)),
        fetches=[azure_fetch(START), azure_fetch(day(5))],
    )

    assert windows(rows) == [(70, day(1), day(2)), (71, day(2), day(4))]  # 60 + 100 - 90, 60 + 100 - 89


def test_no_windows_reservation_without_both_on_demand_prices() -> None:
    """Without the Linux price the licence isn't known; with an AWS reservation nothing is derived."""
    rows = published("prices", azure("60", **RESERVED), azure("100", operating_system="windows"))

    assert windows(rows) == []


def test_a_windows_reservation_that_the_feed_itself_prices_stands() -> None:
    """Should Azure ever publish one at 65, nothing is derived beside it."""
    rows = published(
        "price_history",
        azure("60", **RESERVED),
        azure("65", operating_system="windows", **RESERVED),
        azure("98"),
        azure("102", operating_system="windows"),
    )

    assert [hourly for hourly, *_ in windows(rows)] == [65]


offers = st.lists(
    st.tuples(
        st.sampled_from(["p5.48xlarge", "p4d.24xlarge", "g6f.large", "p9.48xlarge"]),
        st.sampled_from(["us-east-1", "us-west-2", "eu-west-1", "us-east-1-atl-1"]),
        st.decimals("0.1", "99", places=4),
    ),
    unique_by=lambda offer: offer[:2],
    max_size=10,
)


@settings(max_examples=10)
@given(offers=offers, shuffle=st.randoms(use_true_random=False))
def test_the_order_of_rows_decides_nothing(offers: list[tuple[str, str, Decimal]], shuffle: Random) -> None:
    """The same rows of the warehouse in another order give the same tables, in the same order."""
    rows = [price(str(each), instance_type=size, region_id=region) for size, region, each in offers]
    shuffled = shuffle.sample(rows, len(rows))
    names = ("gpu_regional_spread", "instance_regional_spread", "price_changes")

    with warehouse_with(rows) as connection:
        build(connection, *names)
        told = [table(connection, f"from {name}") for name in names]
        connection.execute("DELETE FROM warehouse.main.price_intervals").fetchall()
        insert(connection, "price_intervals", shuffled)
        build(connection, *names)
        assert [table(connection, f"from {name}") for name in names] == told


def test_a_moment_is_not_rounded() -> None:
    """Times are kept to the microsecond."""
    moment = START + timedelta(microseconds=1)
    (row,) = published("prices", price("1", valid_from=moment), fetches=[fetch(moment)])

    assert row["valid_from"] == moment
