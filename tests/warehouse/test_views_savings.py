"""What a commitment saves against on demand at the same moment, and when it pays."""

from decimal import Decimal
from typing import Any

import pytest

from tests.warehouse.price_rows import Row, azure, day, fetch, price, published

P4D = {"instance_type": "p4d.24xlarge"}
YEAR = {"purchase_option": "reserved", "offering_class": "standard", "term_months": 12}


def savings(*rows: Row, **others: Any) -> Row:
    """The one commitment among these rows."""
    (row,) = published("commitment_savings", *rows, **others)
    return row


def test_all_upfront_pays_in_month_seven() -> None:
    """AWS, April 2025, p4d in us-east-1: 32.7726 on demand, a year all upfront 18.830479 an hour, so 164955 (to 0.004).

    18.830479 / 32.7726 = 0.574580. A month on demand is 32.7726 * 730 = 23923.998; 164955 / 23923.998 = 6.895.
    """
    row = savings(price("32.7726", **P4D), price("0", upfront="164955", payment_option="all_upfront", **P4D, **YEAR))

    assert row["effective_hourly_price"] == Decimal("18.8304794521")  # 164955 / 8760
    assert row["on_demand_hourly_price"] == Decimal("32.7726")
    assert row["break_even_utilization"] == pytest.approx(0.574580, abs=5e-7)
    assert row["saving_ratio"] == pytest.approx(0.425420, abs=5e-7)
    assert (row["break_even_month"], row["payback_month"]) == (7, 7)


def test_no_upfront_is_paid_back_at_once() -> None:
    """The same, no upfront, 20.175498: 0.615621; 176737.36 / 23923.998 = 7.39, so month 8."""
    row = savings(price("32.7726", **P4D), price("20.175498", payment_option="no_upfront", **P4D, **YEAR))

    assert row["break_even_utilization"] == pytest.approx(0.615621, abs=5e-7)
    assert (row["break_even_month"], row["payback_month"]) == (8, 0)


def test_partial_upfront_is_paid_back_by_what_each_hour_saves() -> None:
    """Half at the start: 7300 and 1 an hour, on demand 6: a month saves 5 * 730 = 3650, so 2 months.

    In all 7300 + 8760 = 16060, which is 3.67 months of 4380 on demand.
    """
    row = savings(price("6"), price("1", upfront="7300", payment_option="partial_upfront", **YEAR))

    assert (row["total_price"], row["break_even_month"], row["payback_month"]) == (16060, 4, 2)


def test_an_azure_reservation_pays_in_month_eight() -> None:
    """Azure, ND96isr H100 v5: 551221 for a year, 98.32 on demand: 551221 / (98.32 * 730) = 7.68."""
    reserved = azure("62.9247716895", purchase_option="reserved", payment_option="any", term_months=12)  # 551221 / 8760
    row = savings(azure("98.32"), reserved | {"total_price": Decimal(551221), "price_basis": "derived"})

    assert (row["break_even_month"], row["payback_month"]) == (8, 0)
    assert row["saving_ratio"] == pytest.approx(0.36, abs=1e-4)


THREE_YEARS = {"purchase_option": "reserved", "offering_class": "standard", "term_months": 36}
PLAN = {"purchase_option": "savings_plan", "offering_class": "compute", "payment_option": "all_upfront"}


@pytest.mark.parametrize(
    ("hourly", "upfront", "words", "utilization", "break_even_month", "payback_month"),
    [
        # p5.48xlarge at 55.04: 40,179.2 a month. 700000 / 26280 = 26.636225; / 55.04. 700000 / 40179.2 = 17.42, twice.
        ("0", "700000", THREE_YEARS | {"payment_option": "all_upfront"}, 0.483943, 18, 18),
        # 30 / 55.04; 30 x 26280 = 788400; / 40179.2 = 19.62
        ("30", "0", THREE_YEARS | {"payment_option": "no_upfront"}, 0.545058, 20, 0),
        # 12 + 300000 / 26280 = 23.415525; 300000 + 12 x 26280 = 615360; / 40179.2 = 15.32.
        # A month saves (55.04 - 12) x 730 = 31419.2 of what it cost: 300000 / 31419.2 = 9.55
        ("12", "300000", THREE_YEARS | {"payment_option": "partial_upfront"}, 0.425428, 16, 10),
        # A plan's rate is all in, though it is paid ahead: 25 / 55.04; 25 x 26280 = 657000; / 40179.2 = 16.35
        ("25", "0", PLAN | {"term_months": 36}, 0.454215, 17, 0),
        # 60 / 55.04 is over 1: it never pays
        ("60", "0", PLAN | {"term_months": 12}, 1.090116, None, None),
    ],
    ids=["all upfront", "no upfront", "partial upfront", "savings plan", "never"],
)
def test_each_kind_of_payment(
    hourly: str,
    upfront: str,
    words: dict[str, Any],
    utilization: float,
    break_even_month: int | None,
    payback_month: int | None,
) -> None:
    """One more of each by hand, against p5.48xlarge on demand at 55.04."""
    row = savings(price("55.04"), price(hourly, upfront=upfront, **words))

    assert row["break_even_utilization"] == pytest.approx(utilization, abs=1e-6)
    assert row["saving_ratio"] == pytest.approx(1 - utilization, abs=1e-6)
    assert (row["break_even_month"], row["payback_month"]) == (break_even_month, payback_month)


def test_three_years_of_an_azure_reservation_pay_in_month_sixteen() -> None:
    """ND96isr H100 v5: 1134310 / 26280 = 43.162481; / 98.32 = 0.439. A month is 71773.6: 1134310 / 71773.6 = 15.80."""
    reserved = azure("43.1624809741", purchase_option="reserved", payment_option="any", term_months=36)
    row = savings(azure("98.32"), reserved | {"total_price": Decimal(1134310), "price_basis": "derived"})

    assert row["break_even_utilization"] == pytest.approx(0.439, abs=1e-6)
    assert (row["break_even_month"], row["payback_month"]) == (16, 0)


@pytest.mark.parametrize(
    ("hourly", "upfront", "break_even_month", "payback_month"),
    [
        # 0.1 on demand is 73 a month; a total of exactly 7 months is month 7, and a cent more is month 8
        ("0", "511", 7, 7),
        ("0", "511.01", 8, 8),
        ("0", "510.99", 7, 7),
        # 12 months of on demand: as dear as it, on the last day of the term; more: never within it
        ("0", "876", 12, 12),
        ("0", "876.01", None, 13),
        # an hour costs what on demand costs, or more: nothing is ever won back
        ("0.1", "1", None, None),
        ("0.2", "0", None, None),
    ],
)
def test_months_are_whole_and_exact(
    hourly: str, upfront: str, break_even_month: int | None, payback_month: int | None
) -> None:
    """0.1 has no exact binary form, so a month computed with it in floating point would come out one too late."""
    row = savings(price("0.1"), price(hourly, upfront=upfront, payment_option="partial_upfront", **YEAR))

    assert (row["break_even_month"], row["payback_month"]) == (break_even_month, payback_month)


def test_a_commitment_dearer_than_on_demand_keeps_its_negative_saving() -> None:
    """12 against 10: -0.2, and at a utilization of 1.2 it never pays."""
    row = savings(price("10"), price("12", payment_option="no_upfront", **YEAR))

    assert row["saving_ratio"] == pytest.approx(-0.2)
    assert row["break_even_utilization"] == pytest.approx(1.2)
    assert (row["break_even_month"], row["payback_month"]) == (None, None)


@pytest.mark.parametrize(
    "other",
    [
        {"region_id": "us-west-2"},
        {"operating_system": "windows"},
        {"instance_type": "p5.4xlarge"},
        {"purchase_option": "spot"},
    ],
    ids=str,
)
def test_without_on_demand_of_its_own_the_row_stays_and_compares_with_nothing(other: dict[str, Any]) -> None:
    """Another region, system, size, or spot is not what it is compared with."""
    row = savings(price("10", **other), price("5", payment_option="no_upfront", **YEAR))

    assert row["effective_hourly_price"] == 5
    for column in (
        "on_demand_hourly_price",
        "saving_ratio",
        "break_even_utilization",
        "break_even_month",
        "payback_month",
    ):
        assert row[column] is None


def test_on_demand_is_the_one_in_force_at_the_same_moment() -> None:
    """AWS, June 2025: on demand fell from 32.7726 to 21.957642, and the old reserved price of 20.175498 saves 8 %."""
    row = savings(
        price("32.7726", valid_to=day(62), close_reason="changed", **P4D),
        price("21.957642", valid_from=day(62), **P4D),
        price("20.175498", payment_option="no_upfront", **P4D, **YEAR),
        fetches=[fetch(day(0)), fetch(day(63))],
    )

    assert row["on_demand_hourly_price"] == Decimal("21.957642")
    assert row["saving_ratio"] == pytest.approx(0.0811628, abs=1e-7)  # 1 - 20.175498 / 21.957642


def test_a_savings_plan_is_compared_like_a_reservation() -> None:
    """Three years at 5 against 10: half, month 18 of 36; Windows against Windows."""
    plan = {
        "purchase_option": "savings_plan",
        "offering_class": "compute",
        "term_months": 36,
        "payment_option": "all_upfront",
    }
    windows = {"operating_system": "windows"}
    row = savings(price("8"), price("10", **windows), price("5", **plan, **windows))

    assert (row["saving_ratio"], row["break_even_month"], row["payback_month"]) == (0.5, 18, 0)
    assert row["total_price"] == 131400  # 5 * 26280


def test_a_windows_reservation_of_azure_is_compared_with_windows() -> None:
    """60 reserved, 98 and 102 on demand: 64 against 102."""
    rows = published(
        "commitment_savings",
        azure("60", purchase_option="reserved", payment_option="any", term_months=36, price_basis="derived"),
        azure("98"),
        azure("102", operating_system="windows"),
    )
    (row,) = (row for row in rows if row["operating_system"] == "windows")

    assert (row["effective_hourly_price"], row["on_demand_hourly_price"]) == (64, 102)
    assert row["saving_ratio"] == pytest.approx(38 / 102)
