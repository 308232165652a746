"""What the lines of Azure China's price sheet say in our words: prices by hand, and a reason for each without one."""

import csv
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.warehouse.source_sql import COLUMNS, KEY, Row, SourceSql, open_source, utc

FIXTURES = Path(__file__).parents[1] / "fixtures" / "azure_china_price_sheet"
SEEN_AT = utc(2026, 8, 20, 5)

# The line of the fixture about NC4as_T4_v3 in chinanorth3, Linux on demand. Its price is made up.
T4: dict[str, object] = {
    "currencyCode": "CNY",
    "tierMinimumUnits": "0",
    "retailPrice": "4.0",
    "unitPrice": "4.0",
    "armRegionName": "chinanorth3",
    "location": "CN North 3",
    "effectiveStartDate": "2023-06-01T00:00:00Z",
    "meterId": "00000000-0000-5000-8000-000000000104",
    "meterName": "NC4as T4 v3",
    "productId": "DZH318Z0CN04",
    "skuId": "DZH318Z0CN04/0004",
    "productName": "Virtual Machines NCasT4 v3 Series",
    "skuName": "NC4as T4 v3",
    "serviceName": "Virtual Machines",
    "serviceFamily": "Compute",
    "unitOfMeasure": "1 Hour",
    "type": "Consumption",
    "armSkuName": "Standard_NC4as_T4_v3",
    "term": "",
    "isPrimaryMeterRegion": "True",
}
WINDOWS = "Virtual Machines NCasT4 v3 Series Windows"


@pytest.fixture(scope="module")
def source() -> Iterator[SourceSql]:
    """The .sql on the real reference tables."""
    yield from open_source("azure_china_price_sheet")


def line(**cells: object) -> dict[str, object]:
    """The T4 line with other cells; None leaves one out, as if the sheet had no such column."""
    return {name: value for name, value in (T4 | cells).items() if value is not None}


def reservation(term: str, total: str, **cells: object) -> dict[str, object]:
    """A reservation of the T4 size, under the meter of its hourly price."""
    return line(**{"type": "Reservation", "term": term, "retailPrice": total, "unitPrice": total} | cells)


def plan(term: str, hourly: str, **cells: object) -> dict[str, object]:
    """A savings plan of the T4 size, under the meter of its hourly price."""
    return line(**{"type": "SavingsPlanConsumption", "term": term, "retailPrice": hourly, "unitPrice": hourly} | cells)


def read(source: SourceSql, *records: dict[str, object], seen_at: datetime = SEEN_AT) -> list[Row]:
    """Rows of one fetch."""
    return source.read("china/CNY", records, seen_at)


def said(row: Row) -> tuple[str, str]:
    """Outcome and reason."""
    return row["outcome"], row["reason"]


def test_the_columns_are_those_of_the_contract(source: SourceSql) -> None:
    """Names, order and types, as load.py takes them; a fetch without records gives no rows."""
    assert read(source) == []
    assert source.columns() == COLUMNS


def test_on_demand(source: SourceSql) -> None:
    """4 yuan an hour: every column of the row."""
    assert read(source, T4) == [
        {
            "record_id": 0,
            "outcome": "price",
            "reason": "",
            "provider": "azure",
            "partition": "azure-china",
            "region_id": "chinanorth3",
            "zone_id": "",
            "instance_type": "Standard_NC4as_T4_v3",
            "operating_system": "linux",
            "purchase_option": "on_demand",
            "offering_class": "",
            "payment_option": "",
            "term_months": 0,
            "currency": "CNY",
            "hourly_price": Decimal(4),
            "upfront_price": Decimal(0),
            "total_price": None,
            "effective_hourly_price": Decimal(4),
            "price_basis": "published",
            "provider_effective_date": utc(2023, 6, 1),
            "sku_id": "DZH318Z0CN04/0004",
            "rate_id": "00000000-0000-5000-8000-000000000104",
        }
    ]


def test_the_fixture_sheet(source: SourceSql) -> None:
    """All 21 lines, also those that aren't landed: eight prices, one of them twice, one announced, eleven left out."""
    with (FIXTURES / "sheet.csv").open(newline="") as file:
        rows = read(source, *csv.DictReader(file))

    assert Counter(said(row) for row in rows) == {
        ("price", ""): 9,
        ("announced", "announced"): 1,
        ("excluded", "another service"): 2,
        ("excluded", "not a GPU"): 5,
        ("excluded", "DevTest"): 1,
        ("excluded", "not the primary meter"): 1,
        ("excluded", "Cloud Services"): 1,
        ("excluded", "no region"): 1,
    }
    names = ("region_id", "instance_type", "operating_system", "purchase_option", "term_months")
    assert {
        tuple(row[name] for name in names): row["effective_hourly_price"] for row in rows if row["outcome"] == "price"
    } == {
        ("chinanorth3", "Standard_NC4as_T4_v3", "linux", "on_demand", 0): Decimal("4"),
        ("chinanorth3", "Standard_NC4as_T4_v3", "windows", "on_demand", 0): Decimal("5.2"),
        ("chinanorth3", "Standard_NC4as_T4_v3", "linux", "savings_plan", 12): Decimal("3"),
        ("chinanorth3", "Standard_NC4as_T4_v3", "linux", "savings_plan", 36): Decimal("2"),
        ("chinanorth3", "Standard_NC4as_T4_v3", "windows", "savings_plan", 12): Decimal("4.2"),
        ("chinanorth3", "Standard_NC4as_T4_v3", "linux", "reserved", 12): Decimal("2.4"),  # 21,024 / 8,760
        ("chinanorth3", "Standard_NC4as_T4_v3", "linux", "reserved", 36): Decimal("1.6"),  # 42,048 / 26,280
        ("chinaeast2", "Standard_NC6s_v3", "linux", "on_demand", 0): Decimal("30"),
    }


def test_what_somebody_read_off_the_real_sheet() -> None:
    """D2 v3 in chinaeast2, 2026: 0.678302 on demand, plans by the hour, reservations in all. No GPU, so it is made one.

    1,624.528302 / 8,760 = 0.1854484363…, 2,801.886792 / 26,280 = 0.1066166968…; plans x 8,760 and x 26,280 in all.
    """
    with (FIXTURES / "sheet.csv").open(newline="") as file:
        records = [record for record in csv.DictReader(file) if record["armSkuName"] == "Standard_D2_v3"]
    for source in open_source("azure_china_price_sheet"):
        source.know("azure", "Standard_D2_v3")

        rows = source.read("china/CNY", records, SEEN_AT)

    assert {said(row) for row in rows} == {("price", "")}
    assert [(*[row[name] for name in KEY[6:]], str(row["hourly_price"]), row["total_price"]) for row in rows] == [
        ("on_demand", "", "", 0, "CNY", "0.6783020000", None),
        ("savings_plan", "compute", "any", 12, "CNY", "0.5155100000", Decimal("4515.8676")),
        ("savings_plan", "compute", "any", 36, "CNY", "0.3730660000", Decimal("9804.17448")),
        ("reserved", "", "any", 12, "CNY", "0.1854484363", Decimal("1624.528302")),
        ("reserved", "", "any", 36, "CNY", "0.1066166968", Decimal("2801.886792")),
    ]


@pytest.mark.parametrize(
    ("term", "total", "months", "hourly"),
    [
        ("1 Year", "21024", 12, "2.4000000000"),  # 21,024 / 8,760
        ("3 Years", "42048.0", 36, "1.6000000000"),  # 42,048 / 26,280
        ("5 Years", "43800", 60, "1.0000000000"),  # 43,800 hours
        ("1 year", "1000", 12, "0.1141552511"),  # 1,000 / 8,760 = 0.11415525114…
    ],
)
def test_a_reservation_is_a_total(source: SourceSql, term: str, total: str, months: int, hourly: str) -> None:
    """unitOfMeasure says 1 Hour; the number is what the whole term costs, for compute alone: linux."""
    [row] = read(source, reservation(term, total))

    assert said(row) == ("price", "")
    assert [row[name] for name in KEY[5:]] == ["linux", "reserved", "", "any", months, "CNY"]
    assert (row["total_price"], row["upfront_price"]) == (Decimal(total), 0)
    assert (str(row["hourly_price"]), str(row["effective_hourly_price"])) == (hourly, hourly)
    assert row["price_basis"] == "derived"


@pytest.mark.parametrize(("product", "system"), [(T4["productName"], "linux"), (WINDOWS, "windows")])
def test_a_savings_plan_is_hourly(source: SourceSql, product: str, system: str) -> None:
    """A line of its own, on Windows too, as published: 3 and 2 yuan an hour, x 8,760 and x 26,280 in all."""
    one, three = read(source, plan("1 Year", "3.0", productName=product), plan("3 Years", "2.0", productName=product))

    assert [said(one), said(three)] == 2 * [("price", "")]
    assert [one[name] for name in KEY[5:]] == [system, "savings_plan", "compute", "any", 12, "CNY"]
    assert [three[name] for name in KEY[5:]] == [system, "savings_plan", "compute", "any", 36, "CNY"]
    assert (one["hourly_price"], one["effective_hourly_price"], one["total_price"]) == (3, 3, 26280)
    assert (three["hourly_price"], three["total_price"], three["price_basis"]) == (2, 52560, "published")


@pytest.mark.parametrize(
    ("product", "system"),
    [
        ("Virtual Machines NCasT4 v3 Series Windows", "windows"),
        ("Virtual Machines NCasT4 v3 Series windows", "windows"),
        ("Virtual Machines NCCadsv5 Srs Win", "windows"),
        ("NCasT4 v3 SeriesWindows", "windows"),
        ("NCasT4 v3 SeriesWin", "windows"),
        ("NCasT4 v3 Series Win10", "windows"),
        ("NCasT4 v3 Series Linux", "linux"),
        ("Virtual Machines Winter Series", "linux"),
        ("Virtual Machines Darwin Series", "linux"),
    ],
)
def test_windows_is_told_by_the_product(source: SourceSql, product: str, system: str) -> None:
    """As in the list of the public cloud; skuName is the same on both."""
    [row] = read(source, line(productName=product))

    assert (said(row), row["operating_system"]) == (("price", ""), system)


@pytest.mark.parametrize(
    "region",
    ["chinaeast", "chinaeast2", "chinaeast3", "chinanorth", "chinanorth2", "chinanorth3", "chinawest", "ChinaEast2 "],
)
def test_every_region_is_in_the_one_scope(source: SourceSql, region: str) -> None:
    """The six of 2026 and one that nobody knows yet, in lower case and without blanks."""
    [row] = read(source, line(armRegionName=region))

    assert (said(row), row["region_id"]) == (("price", ""), region.lower().strip())


OUT_OF_SCOPE: list[tuple[dict[str, object], str]] = [
    ({"serviceName": "Cloud Services"}, "another service"),
    ({"type": "DevTestConsumption"}, "DevTest"),
    ({"armRegionName": ""}, "no region"),
    ({"armRegionName": "Global"}, "no region"),
    ({"armRegionName": "China"}, "no region"),
    ({"armRegionName": "CN Zone 1"}, "no region"),
    ({"armRegionName": "CN Zone 2"}, "no region"),
    ({"armRegionName": "Zone 1 (China)"}, "no region"),
    ({"armRegionName": "Azure Stack CN"}, "no region"),
    ({"armRegionName": " china "}, "no region"),
    ({"armSkuName": ""}, "no armSkuName"),
    ({"productName": None}, "no productName"),
    ({"productName": ""}, "no productName"),
    ({"productName": "NCasT4 v3 Series CloudServices"}, "Cloud Services"),
    ({"productName": "Virtual Machines NCSv3 Series cloud-services"}, "Cloud Services"),
    ({"productName": "NVasv4 Series Dedicated Host", "armSkuName": "NVasv4_Type1"}, "Dedicated Host"),
    ({"productName": "Virtual Machines Licenses"}, "licence"),
    ({"armSkuName": "Standard_D2s_v5"}, "not a GPU"),
    ({"armSkuName": "Standard_NP10s"}, "not a GPU"),
    ({"armSkuName": "Standard_NC6_Promo"}, "promotional price"),
    ({"armSkuName": "Standard_NC6", "productName": "Virtual Machines NC Promo Series"}, "promotional price"),
    ({"skuName": "NC4as T4 v3 Low Priority"}, "Low Priority"),
    ({"meterName": "NC4as_T4_v3_LowPriority"}, "Low Priority"),
    ({"meterName": "NC4as T4 v3 Expired"}, "Expired"),
    ({"isPrimaryMeterRegion": "False"}, "not the primary meter"),
    ({"isPrimaryMeterRegion": "FALSE "}, "not the primary meter"),
    ({"effectiveEndDate": "2022-08-01T00:00:00Z"}, "impossible window"),
    ({"effectiveEndDate": "2023-06-01T00:00:00Z"}, "impossible window"),
    ({"effectiveEndDate": "2026-08-20T05:00:00Z"}, "ended window"),
]


def test_what_is_known_and_out_of_scope(source: SourceSql) -> None:
    """Excluded, each under one reason that can be counted."""
    rows = read(source, *(line(**cells) for cells, _ in OUT_OF_SCOPE))

    assert [said(row) for row in rows] == [("excluded", reason) for _, reason in OUT_OF_SCOPE]


UNFORESEEN: list[tuple[dict[str, object], str]] = [
    ({"serviceName": None}, "no serviceName or armSkuName"),
    ({"armSkuName": None}, "no serviceName or armSkuName"),
    ({"armSkuName": "nc4as_t4_v3"}, "size name without its tier"),
    ({"type": "Subscription"}, "unknown type"),
    ({"type": ""}, "unknown type"),
    ({"type": None}, "unknown type"),
    ({"armRegionName": "eastus"}, "unforeseen region name"),
    ({"armRegionName": "China East 2"}, "unforeseen region name"),
    ({"armRegionName": "CN Zone 3"}, "unforeseen region name"),
    ({"armRegionName": None}, "unforeseen region name"),
    ({"unitOfMeasure": "100 Hours"}, "unknown unitOfMeasure"),
    ({"unitOfMeasure": None}, "unknown unitOfMeasure"),
    ({"currencyCode": "USD"}, "currency other than the scope's"),
    ({"currencyCode": ""}, "currency other than the scope's"),
    ({"isPrimaryMeterRegion": "N"}, "unknown isPrimaryMeterRegion"),
    ({"effectiveStartDate": ""}, "unreadable window"),
    ({"effectiveStartDate": "infinity"}, "unreadable window"),  # DuckDB reads a moment
    ({"effectiveStartDate": "6/1/2023 12:00:00 AM"}, "unreadable window"),
    ({"effectiveEndDate": "never"}, "unreadable window"),
    ({"tierMinimumUnits": "100"}, "price in tiers"),
    ({"tierMinimumUnits": "none"}, "price in tiers"),
    ({"term": "1 Year"}, "term of a price by the hour"),
    ({"retailPrice": "0.0"}, "price is zero"),
    ({"retailPrice": "0.00000000001"}, "price is zero"),
    ({"retailPrice": "-3"}, "price below zero"),
    ({"retailPrice": "1,5"}, "unreadable price"),
    ({"retailPrice": "1_5"}, "unreadable price"),
    ({"retailPrice": "NA"}, "unreadable price"),
    ({"retailPrice": ""}, "unreadable price"),
    ({"retailPrice": "123456789"}, "price out of range"),
]


def test_what_nobody_foresaw(source: SourceSql) -> None:
    """Rejected, never taken for a price and never dropped."""
    rows = read(source, *(line(**cells) for cells, _ in UNFORESEEN))

    assert [said(row) for row in rows] == [("rejected", reason) for _, reason in UNFORESEEN]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (reservation("", "21024"), "unknown term"),
        (reservation("for ever", "21024"), "unknown term"),
        (reservation("10 Years", "21024"), "term 10 Years"),
        (reservation("1 Year", "0"), "price is zero"),
        (reservation("1 Year", "21024", productName=WINDOWS), "reservation under Windows"),
        (plan("", "3"), "unknown term"),
        (plan("2 Years", "3"), "term 2 Years"),
        (plan("5 Years", "3"), "term 5 Years"),
        (plan("1 Year", "0"), "price is zero"),
    ],
)
def test_commitments_nobody_foresaw(source: SourceSql, record: dict[str, object], reason: str) -> None:
    """A term without its hours is no price, neither is compute under a licence, nor a plan of five years."""
    assert [said(row) for row in read(source, record)] == [("rejected", reason)]


@pytest.mark.parametrize("field", ["skuName", "meterName"])
@pytest.mark.parametrize(
    ("name", "purchase_option"),
    [
        ("NC4as T4 v3 Spot", "spot"),
        ("NC4as_T4_v3_SPOT", "spot"),
        ("NC4as T4 v3\u00a0Spot ", "spot"),
        ("Spot NC4as T4 v3", "spot"),
        ("NC4as T4 v3 High Priority", "on_demand"),
    ],
)
def test_no_spot_is_sold(source: SourceSql, field: str, name: str, purchase_option: str) -> None:
    """21Vianet has none: whatever such a line means, it is no spot price and none on demand. Its key is its own."""
    [row] = read(source, line(**{field: name}))

    assert said(row) == ("rejected", "unforeseen meter name")
    assert [row[column] for column in KEY[5:]] == ["linux", purchase_option, "", "", 0, "CNY"]


@pytest.mark.parametrize("make", [reservation, plan])
def test_a_commitment_to_spot_is_unforeseen(source: SourceSql, make: Any) -> None:
    """Under the key of the commitment that it says it is."""
    [row] = read(source, make("1 Year", "21024", meterName="NC4as T4 v3 Spot"))

    assert said(row) == ("rejected", "unforeseen meter name")
    assert row["term_months"] == 12
    assert not any(row[name] is None for name in KEY)


@pytest.mark.parametrize("words", ["BYOL", "Hybrid Benefit", "SQL Server", "Red Hat", "RHEL", "SUSE"])
def test_products_nobody_foresaw(source: SourceSql, words: str) -> None:
    """Another system or licence than ours is not Linux on demand."""
    [row] = read(source, line(productName=f"Virtual Machines NCasT4 v3 Series {words}"))

    assert said(row) == ("rejected", "unforeseen product")
    assert not any(row[name] is None for name in KEY)


@pytest.mark.parametrize("cells", [cells for cells, _ in UNFORESEEN if not set(cells) & {"armSkuName", "type"}])
def test_the_key_of_a_reject_can_be_read(source: SourceSql, cells: dict[str, object]) -> None:
    """So that nobody takes the offer for gone; what the sheet doesn't say at all is NULL."""
    [row] = read(source, line(**cells))

    lacking = {"armRegionName": "region_id", "currencyCode": "currency"}
    unreadable = [lacking[name] for name, value in cells.items() if name in lacking and value in (None, "")]
    assert [name for name in KEY if row[name] is None] == unreadable


def test_an_unknown_type_is_in_the_key(source: SourceSql) -> None:
    """Azure's own word in lower case."""
    [row] = read(source, line(type="Subscription"))

    assert [row[name] for name in KEY[5:]] == ["linux", "subscription", "", "", 0, "CNY"]


@pytest.mark.parametrize("record", [{}, {"unheard": "of"}, [1], "text", 5, None])
def test_a_record_that_is_no_line(source: SourceSql, record: Any) -> None:
    """Whatever was landed, each record gives one row and nothing crashes."""
    [row] = source.read("china/CNY", [record], SEEN_AT)

    assert said(row) == ("rejected", "no serviceName or armSkuName")


@pytest.mark.parametrize("primary", ["True", "true", "TRUE", "", None])
def test_what_says_that_a_meter_is_the_primary_one(source: SourceSql, primary: str | None) -> None:
    """In whatever case; where nothing is said, none of the copies is meant."""
    assert [said(row) for row in read(source, line(isPrimaryMeterRegion=primary))] == [("price", "")]


@pytest.mark.parametrize("zero", ["0", "0.0", "0.000000", "", None])
def test_no_tier(source: SourceSql, zero: str | None) -> None:
    """However a zero is written."""
    assert [said(row) for row in read(source, line(tierMinimumUnits=zero))] == [("price", "")]


def test_every_decimal_of_the_text_is_kept(source: SourceSql) -> None:
    """Ten decimals; a double has no room for these seventeen digits and gives …6788."""
    [row] = read(source, line(retailPrice="1234567.0123456789"))

    assert str(row["hourly_price"]) == "1234567.0123456789"


@pytest.mark.parametrize(
    ("priced", "ours"),
    [
        (" standard_nc4as_t4_V3\u00a0", "Standard_NC4as_T4_v3"),
        ("Standard_ND96asr_A100_v4", "Standard_ND96asr_v4"),
        ("Standard_NX1_unheard_v9", "Standard_NX1_unheard_v9"),
    ],
)
def test_sizes_are_spelled_our_way(source: SourceSql, priced: str, ours: str) -> None:
    """Case and aliases by the reference tables; a size they don't know keeps its name and its price."""
    [row] = read(source, line(armSkuName=priced))

    assert (said(row), row["instance_type"]) == (("price", ""), ours)


def test_a_line_that_comes_twice_is_given_twice(source: SourceSql) -> None:
    """The load counts the second as a duplicate: one price, two records."""
    assert [said(row) for row in read(source, T4, T4)] == 2 * [("price", "")]


def test_the_window_in_force_is_taken(source: SourceSql) -> None:
    """One meter on 2026-08-20: since 2023, since August, from September on, and two with an end, should there be any.

    Whatever the order of the lines.
    """
    windows = [
        ("2023-06-01T00:00:00Z", "", "5", ("excluded", "superseded window")),
        ("2026-08-01T00:00:00Z", "", "4", ("price", "")),
        ("2026-09-01T00:00:00Z", "", "3", ("announced", "announced")),
        ("2026-06-01T00:00:00Z", "2026-06-30T23:59:59Z", "6", ("excluded", "ended window")),
        ("2026-09-01T00:00:00Z", "2026-08-01T00:00:00Z", "7", ("excluded", "impossible window")),
    ]
    records = [
        line(effectiveStartDate=start, effectiveEndDate=end, retailPrice=price) for start, end, price, _ in windows
    ]
    for seed in range(3):
        Random(seed).shuffle(records)
        rows = read(source, *records)
        assert {str(row["hourly_price"].normalize()): said(row) for row in rows} == {
            price: outcome for _, _, price, outcome in windows
        }

    announced = next(row for row in rows if row["outcome"] == "announced")
    assert announced["provider_effective_date"] == utc(2026, 9, 1)
    assert not any(announced[name] is None for name in KEY)


def test_a_window_is_judged_at_the_time_of_the_sheet(source: SourceSql) -> None:
    """`as_of` orders history. Where it is not the time we looked, it alone decides what was in force: July's price."""
    july, august = line(effectiveStartDate="2026-07-01"), line(effectiveStartDate="2026-08-01", retailPrice="3")

    rows = source.read("china/CNY", [july, august], SEEN_AT, as_of=utc(2026, 7, 15))

    assert [said(row) for row in rows] == [("price", ""), ("announced", "announced")]


@pytest.mark.parametrize(
    ("start", "outcome"),
    [
        ("2026-08-20T05:00:00Z", "price"),
        ("2026-08-20T05:00:01Z", "announced"),
        ("2026-08-20T12:30:00+08:00", "price"),  # half past four in UTC
        ("2026-08-20T13:30:00+08:00", "announced"),
        ("2026-08-20 05:00:00", "price"),  # without a zone: UTC
        ("2026-08-20", "price"),
        ("2026/8/20 5:00:00", "price"),
    ],
)
def test_a_window_begins_with_its_start(source: SourceSql, start: str, outcome: str) -> None:
    """From inclusive. The year comes first, however it is written; anything else is not guessed at."""
    assert [row["outcome"] for row in read(source, line(effectiveStartDate=start))] == [outcome]


@pytest.mark.parametrize(
    "other",
    [
        {"armRegionName": "chinaeast2"},
        {"meterId": "another"},
        {"productName": WINDOWS},
        {"armSkuName": "Standard_NC8as_T4_v3"},
        {"type": "SavingsPlanConsumption", "term": "1 Year"},
        {"type": "Reservation", "term": "1 Year", "retailPrice": "21024"},
    ],
)
def test_windows_of_different_offers_do_not_supersede(source: SourceSql, other: dict[str, object]) -> None:
    """One meter serves regions, plans and reservations; two meters of one offer are a conflict for the load."""
    rows = read(source, T4, line(**other | {"effectiveStartDate": "2026-08-01T00:00:00Z"}))

    assert [said(row) for row in rows] == 2 * [("price", "")]


def test_plans_of_one_meter_do_not_supersede_each_other(source: SourceSql) -> None:
    """The plan of three years began later than that of one year: both hold."""
    rows = read(source, plan("1 Year", "3"), plan("3 Years", "2", effectiveStartDate="2026-08-01T00:00:00Z"))

    assert [said(row) for row in rows] == 2 * [("price", "")]


def test_equal_starts_are_left_to_the_load(source: SourceSql) -> None:
    """Nothing says which of two prices of one meter and start is right: both rows are given."""
    assert [said(row) for row in read(source, T4, line(retailPrice="5"))] == 2 * [("price", "")]


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"retailPrice": "0"}, "price is zero"),
        ({"retailPrice": "NA"}, "unreadable price"),
        ({"unitOfMeasure": "1 Month"}, "unknown unitOfMeasure"),
    ],
)
def test_what_is_rejected_supersedes_nothing(source: SourceSql, cells: dict[str, object], reason: str) -> None:
    """The earlier window holds."""
    rows = read(source, T4, line(**cells | {"effectiveStartDate": "2026-08-01T00:00:00Z"}))

    assert [said(row) for row in rows] == [("price", ""), ("rejected", reason)]
