"""What a dollar is elsewhere: the median of Azure's own local and USD prices, at each look at the local list."""

from decimal import Decimal
from typing import Any

import pytest

from tests.warehouse.price_rows import START, Row, azure, azure_fetch, build, day, published, table, warehouse_with

EURO: Row = {"currency": "EUR", "scope": "eastus/EUR"}


def meters(number: int, ratio: str, first: int = 0, **words: Any) -> list[Row]:
    """So many meters with a price of 1, 2, 3 ... dollars and of `ratio` times that in euro."""
    rows = []
    for each in range(first + 1, first + number + 1):
        ids = {"sku_id": f"DZH318Z09TGJ/{each:04}", "rate_id": f"meter-{each}", "instance_type": f"Standard_N{each}"}
        rows.append(azure(str(each), **ids))
        rows.append(azure(str(each * Decimal(ratio)), **(EURO | ids | words)))
    return rows


def test_the_rate_is_the_median_of_local_over_dollar() -> None:
    """19 meters at 0.9 and two at 5: the eleventh of 21 in order of size is 0.9; a mean would be 1.29."""
    (row,) = published("exchange_rates", *meters(19, "0.9"), *meters(2, "5", first=19))

    assert (row["provider"], row["from_currency"], row["to_currency"]) == ("azure", "USD", "EUR")
    assert (row["rate"], row["meters"], row["offers"]) == (Decimal("0.9"), 21, 21)
    assert (row["observed_at"], row["source"]) == (START, "azure_retail_prices")


def test_of_an_even_number_the_two_in_the_middle_are_averaged() -> None:
    """Ten meters at 0.9 and ten at 0.92: (0.9 + 0.92) / 2 = 0.91."""
    (row,) = published("exchange_rates", *meters(10, "0.9"), *meters(10, "0.92", first=10))

    assert row["rate"] == Decimal("0.91")


def test_under_twenty_meters_there_is_no_rate() -> None:
    """19 meters are too few, and a savings plan beside each adds offers, not meters."""
    plan = {"purchase_option": "savings_plan", "offering_class": "compute", "payment_option": "any", "term_months": 12}
    plans = [row | plan for row in meters(19, "0.9")]

    assert published("exchange_rates", *meters(19, "0.9"), *plans) == []
    (row,) = published("exchange_rates", *meters(20, "0.9"), *plans)
    assert (row["meters"], row["offers"]) == (20, 39)


@pytest.mark.parametrize(
    "other", [{"rate_id": "another"}, {"sku_id": "another"}, {"region_id": "westus"}, {"operating_system": "windows"}]
)
def test_only_the_same_offer_of_the_same_meter_is_compared(other: Row) -> None:
    """The twentieth pair differs in one word, so 19 are left."""
    assert published("exchange_rates", *meters(19, "0.9"), *meters(1, "0.9", first=19, **other)) == []


def test_each_complete_look_at_the_local_list_has_its_rate() -> None:
    """0.9 at the start, 0.92 from day 31 on; a partial look and one at the dollar list say nothing."""
    moved: Row = {"valid_to": day(31), "close_reason": "changed", "closed_known_at": day(31)}
    later = [row for row in meters(20, "0.92", valid_from=day(31)) if row["currency"] == "EUR"]
    rows = [*meters(20, "0.9", **moved), *later]
    looks = [
        azure_fetch(),
        azure_fetch(scope="eastus/EUR"),
        azure_fetch(day(1), scope="eastus/EUR", status="unchanged"),
        azure_fetch(day(2), scope="eastus/EUR", status="partial"),
        azure_fetch(day(30)),
        azure_fetch(day(31), scope="eastus/EUR"),
    ]

    found = published("exchange_rates", *rows, fetches=looks)
    assert [(row["observed_at"], row["rate"]) for row in found] == [
        (START, Decimal("0.9")),
        (day(1), Decimal("0.9")),
        (day(31), Decimal("0.92")),
    ]


def test_both_prices_must_hold_at_the_moment_of_the_look() -> None:
    """The dollar price ends on day 1 and its successor begins on day 3: between them nothing is compared."""
    euro = [row for row in meters(20, "0.9") if row["currency"] == "EUR"]
    dollar = [row for row in meters(20, "0.9") if row["currency"] == "USD"]
    ended = [row | {"valid_to": day(1), "close_reason": "absent", "closed_known_at": day(2)} for row in dollar]
    back = [row | {"valid_from": day(3), "effective_hourly_price": 2 * row["hourly_price"]} for row in dollar]
    looks = [azure_fetch(day(number), scope="eastus/EUR") for number in (0, 2, 3)]

    found = published("exchange_rates", *euro, *ended, *back, fetches=looks)
    assert [(row["observed_at"], row["rate"]) for row in found] == [(START, Decimal("0.9")), (day(3), Decimal("0.45"))]


@pytest.mark.parametrize(("later", "known"), [(0.5, True), (1, True), (1.1, False)])
def test_a_first_look_at_dollars_just_after_that_at_euro_counts(later: float, known: bool) -> None:
    """One refresh asks both in any order; a day later at most, and only if nothing was known of the dollars before."""
    rows = [row | {"valid_from": day(later if row["currency"] == "USD" else 0)} for row in meters(20, "0.9")]
    looks = [azure_fetch(scope="eastus/EUR"), azure_fetch(day(later))]

    assert [row["rate"] for row in published("exchange_rates", *rows, fetches=looks)] == [Decimal("0.9")] * known
    before = azure_fetch(day(-1))
    assert published("exchange_rates", *rows, fetches=[before, *looks]) == []


def test_each_pair_is_compared_once() -> None:
    """A dollar price that is known from before the first look, at twice what it is, has been followed by then."""
    known: Row = {"valid_to": day(0.2), "close_reason": "changed", "closed_known_at": day(0.5)}
    euro = [row for row in meters(20, "0.9") if row["currency"] == "EUR"]
    dollar = [row for row in meters(20, "0.9") if row["currency"] == "USD"]
    dearer = [row | known | {"effective_hourly_price": 2 * row["hourly_price"]} for row in dollar]
    later = [row | {"valid_from": day(0.2)} for row in dollar]
    looks = [azure_fetch(scope="eastus/EUR"), azure_fetch(day(0.5))]

    (row,) = published("exchange_rates", *euro, *dearer, *later, fetches=looks)
    assert (row["rate"], row["offers"]) == (Decimal("0.9"), 20)


def test_the_price_list_of_china_is_no_conversion() -> None:
    """CNY in Azure's public list is one: 7.1. CNY of the China partition is its own list and makes no rate."""
    yuan: Row = {"currency": "CNY", "scope": "eastus/CNY"}
    (row,) = published("exchange_rates", *meters(20, "7.1", **yuan))
    assert (row["to_currency"], row["rate"]) == ("CNY", Decimal("7.1"))

    china = [row | {"partition": "azure-china"} for row in meters(20, "7.1", **yuan)]
    assert published("exchange_rates", *china) == []


def test_a_converted_price_is_no_offer() -> None:
    """Prices has the twenty in USD; the same in EUR are read by exchange_rates alone."""
    with warehouse_with(meters(20, "0.9")) as connection:
        build(connection, "exchange_rates", "prices", "price_changes")
        assert table(connection, "select currency, count(*) as n from prices group by all") == [
            {"currency": "USD", "n": 20}
        ]
        assert table(connection, "select distinct currency from price_changes where currency <> 'USD'") == []
