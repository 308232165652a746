"""What the items of Azure's retail prices say in our words: prices by hand, and a reason for each that gives none."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.warehouse.one_record import H100
from tests.warehouse.source_sql import COLUMNS, KEY, Row, SourceSql, open_source, utc

FIXTURES = Path(__file__).parents[1] / "fixtures" / "azure_retail_prices"
SEEN_AT = utc(2026, 8, 20, 5)

PLANS = [
    {"unitPrice": "2.26587", "retailPrice": "2.26587", "term": "3 Years"},
    {"unitPrice": "3.05741", "retailPrice": "3.05741", "term": "1 Year"},
]


@pytest.fixture(scope="module")
def source() -> Iterator[SourceSql]:
    """The .sql on the real reference tables."""
    yield from open_source("azure_retail_prices")


def item(**fields: object) -> dict[str, object]:
    """The H100 item with other fields; None leaves one out, as the API does."""
    return {name: value for name, value in (H100 | fields).items() if value is not None}


def reservation(term: str | None, total: str, **fields: object) -> dict[str, object]:
    """A reservation of the H100 size, under the meter of its hourly price."""
    return item(type="Reservation", reservationTerm=term, retailPrice=total, unitPrice=total, **fields)


def read(
    source: SourceSql, *records: dict[str, object], scope: str = "eastus/USD", seen_at: datetime = SEEN_AT
) -> list[Row]:
    """Rows of one fetch."""
    return source.read(scope, records, seen_at)


def said(row: Row) -> tuple[str, str]:
    """Outcome and reason."""
    return row["outcome"], row["reason"]


def test_the_columns_are_those_of_the_contract(source: SourceSql) -> None:
    """Names, order and types, as load.py takes them; a fetch without records gives no rows."""
    assert read(source) == []
    assert source.columns() == COLUMNS


def test_on_demand(source: SourceSql) -> None:
    """98.32 an hour: every column of the row."""
    assert read(source, H100) == [
        {
            "record_id": 0,
            "outcome": "price",
            "reason": "",
            "provider": "azure",
            "partition": "azure",
            "region_id": "eastus",
            "zone_id": "",
            "instance_type": "Standard_ND96isr_H100_v5",
            "operating_system": "linux",
            "purchase_option": "on_demand",
            "offering_class": "",
            "payment_option": "",
            "term_months": 0,
            "currency": "USD",
            "hourly_price": Decimal("98.32"),
            "upfront_price": Decimal(0),
            "total_price": None,
            "effective_hourly_price": Decimal("98.32"),
            "price_basis": "published",
            "provider_effective_date": utc(2023, 8, 1),
            "sku_id": "DZH318Z09ABC/0001",
            "rate_id": "00000000-0000-5000-8000-000000000001",
        }
    ]


def test_the_fixture_pages(source: SourceSql) -> None:
    """Twelve items: nine with a price, one of them with two savings plans too, and three left out."""
    pages = [json.loads((FIXTURES / f"page_{number}.json").read_text(), parse_float=str) for number in (1, 2)]

    rows = read(source, *pages[0]["Items"], *pages[1]["Items"])

    assert Counter(said(row) for row in rows) == {
        ("price", ""): 11,
        ("excluded", "Low Priority"): 1,
        ("excluded", "not a GPU"): 1,
        ("excluded", "promotional price"): 1,
    }
    assert {
        tuple(row[name] for name in ("instance_type", "operating_system", "purchase_option", "term_months")): str(
            row["effective_hourly_price"].normalize()
        )
        for row in rows
        if row["outcome"] == "price"
    } == {
        ("Standard_ND96isr_H100_v5", "linux", "on_demand", 0): "98.32",
        ("Standard_ND96isr_H100_v5", "windows", "on_demand", 0): "102.736",
        ("Standard_ND96isr_H100_v5", "linux", "spot", 0): "18.169536",
        ("Standard_ND96isr_H100_v5", "linux", "reserved", 12): "62.9247716895",  # 551,221 / 8,760
        ("Standard_ND96isr_H100_v5", "linux", "reserved", 36): "43.1624809741",  # 1,134,310 / 26,280
        ("Standard_NC24ads_A100_v4", "linux", "on_demand", 0): "3.673",
        ("Standard_NC24ads_A100_v4", "windows", "on_demand", 0): "4.777",
        ("Standard_NC24ads_A100_v4", "linux", "spot", 0): "0.67877",
        ("Standard_NC24ads_A100_v4", "linux", "savings_plan", 12): "3.05741",
        ("Standard_NC24ads_A100_v4", "linux", "savings_plan", 36): "2.26587",
        ("Standard_ND96asr_v4", "linux", "on_demand", 0): "27.197",
    }


@pytest.mark.parametrize(
    ("term", "total", "months", "hourly"),
    [
        ("1 Year", "551221.0", 12, "62.9247716895"),  # 551,221 / 8,760
        ("3 Years", "1134310.0", 36, "43.1624809741"),  # 1,134,310 / 26,280
        ("1 Year", "496.00", 12, "0.0566210046"),  # 496 / 8,760, not x 730
        ("3 Years", "933.00", 36, "0.0355022831"),  # 933 / 26,280
        ("5 Years", "43800", 60, "1.0000000000"),  # 43,800 hours
    ],
)
def test_a_reservation_is_a_total(source: SourceSql, term: str, total: str, months: int, hourly: str) -> None:
    """unitOfMeasure says 1 Hour; the number is what the whole term costs, for compute alone: linux."""
    [row] = read(source, reservation(term, total))

    assert said(row) == ("price", "")
    assert [row[name] for name in KEY[5:]] == ["linux", "reserved", "", "any", months, "USD"]
    assert (row["total_price"], row["upfront_price"]) == (Decimal(total), 0)
    assert (str(row["hourly_price"]), str(row["effective_hourly_price"])) == (hourly, hourly)
    assert row["price_basis"] == "derived"


def test_savings_plans_are_hourly(source: SourceSql) -> None:
    """3.05741 and 2.26587 beside 3.673 (NC24ads_A100_v4, first half of 2025); x 8,760 and x 26,280 in all."""
    record = item(armSkuName="Standard_NC24ads_A100_v4", retailPrice="3.673", savingsPlan=PLANS)

    on_demand, one, three = read(source, record)

    assert on_demand["hourly_price"] == Decimal("3.673")
    assert [one[name] for name in KEY[5:]] == ["linux", "savings_plan", "compute", "any", 12, "USD"]
    assert (one["hourly_price"], one["total_price"]) == (Decimal("3.05741"), Decimal("26782.9116"))
    assert (three["hourly_price"], three["total_price"]) == (Decimal("2.26587"), Decimal("59547.0636"))
    assert {row["price_basis"] for row in (on_demand, one, three)} == {"published"}


def test_savings_plans_on_windows_are_published_too(source: SourceSql) -> None:
    """As they stand on the Windows item; nothing is derived."""
    rows = read(source, item(productName="Virtual Machines NDsr H100 v5 Series Windows", savingsPlan=PLANS))

    assert [(row["operating_system"], row["purchase_option"]) for row in rows] == [
        ("windows", "on_demand"),
        ("windows", "savings_plan"),
        ("windows", "savings_plan"),
    ]


@pytest.mark.parametrize("plans", [None, []])
def test_no_savings_plan(source: SourceSql, plans: object) -> None:
    """The field may be absent, null or empty."""
    assert [said(row) for row in read(source, H100 | {"savingsPlan": plans})] == [("price", "")]


@pytest.mark.parametrize(
    ("plans", "reason"),
    [
        ([{"retailPrice": "60", "term": "2 Years"}], "term 2 Years"),
        ("", "unknown term"),
        ({}, "unknown term"),
        ([None], "unknown term"),
        ([5], "unknown term"),
        ([[]], "unknown term"),
        ([{"retailPrice": "60"}], "unknown term"),
        ("none", "unknown term"),
        ({"term": "1 Year", "retailPrice": "0"}, "price is zero"),
        ([{"term": "1 Year"}], "unreadable price"),
        ([{"retailPrice": "-1", "term": "1 Year"}], "price below zero"),
    ],
)
def test_savings_plans_nobody_foresaw(source: SourceSql, plans: object, reason: str) -> None:
    """The item's own price is kept, the plan is rejected."""
    rows = read(source, item(savingsPlan=plans))

    assert sorted(said(row) for row in rows) == [("price", ""), ("rejected", reason)]


def test_savings_plans_belong_to_on_demand(source: SourceSql) -> None:
    """One on a spot item would be another plan than the one of the same size on demand."""
    rows = read(source, item(skuName="ND96isr H100 v5 Spot", savingsPlan=PLANS[:1]))

    assert [said(row) for row in rows] == [("rejected", "savings plan of a spot price"), ("price", "")]


@pytest.mark.parametrize(
    ("product", "system"),
    [
        ("Virtual Machines NCCadsv5 Srs Win", "windows"),  # met in westeurope, 2026-08-20: 10.74 beside 8.90
        ("Virtual Machines NCCadsv5 Srs", "linux"),
        ("NCads A100 v4 Series Windows", "windows"),
        ("NCads A100 v4 Series Linux", "linux"),
        ("Virtual Machines NV Series windows", "windows"),
        ("Virtual Machines Winter Series", "linux"),
        ("NCads A100 v4 SeriesWindows", "windows"),
        ("NCads A100 v4 Series WindowsServer", "windows"),
        ("NCads A100 v4 Series Win10", "windows"),
        ("NCads A100 v4 Series_WIN", "windows"),
        ("NCads A100 v4 Series\u00a0win\u00a0", "windows"),
        ("Virtual Machines Darwin Series", "linux"),
    ],
)
def test_windows_is_told_by_the_product(source: SourceSql, product: str, system: str) -> None:
    """Windows, or the word Win, or Win before digits in productName; skuName is the same on both."""
    [row] = read(source, item(productName=product))

    assert (said(row), row["operating_system"]) == (("price", ""), system)


@pytest.mark.parametrize("field", ["skuName", "meterName"])
def test_spot(source: SourceSql, field: str) -> None:
    """Told by the end of either name."""
    [row] = read(source, item(**{field: "ND96isr H100 v5 Spot", "retailPrice": "18.169536"}))

    assert [row[name] for name in KEY[5:]] == ["linux", "spot", "", "", 0, "USD"]
    assert row["hourly_price"] == Decimal("18.169536")


OUT_OF_SCOPE: list[tuple[dict[str, object], str]] = [
    ({"serviceName": "Cloud Services"}, "another service"),
    ({"type": "DevTestConsumption"}, "DevTest"),
    ({"armRegionName": ""}, "no region"),
    ({"armRegionName": "Global"}, "no region"),
    ({"armRegionName": "germanycentral"}, "closed partition"),
    ({"armSkuName": ""}, "no armSkuName"),
    ({"productName": None}, "no productName"),
    ({"productName": ""}, "no productName"),
    ({"productName": "NCasT4 v3 Series CloudServices"}, "Cloud Services"),
    ({"productName": "Virtual Machines NCSv3 Series Cloud Services"}, "Cloud Services"),
    ({"productName": "NVasv4 Series Dedicated Host", "armSkuName": "NVasv4_Type1"}, "Dedicated Host"),
    ({"productName": "Virtual Machines Licenses"}, "licence"),
    ({"productName": "VIRTUAL MACHINES LICENSES"}, "licence"),
    ({"productName": "NCasT4 v3 Series cloud-services"}, "Cloud Services"),
    ({"productName": "NCasT4 v3 Series CLOUD\u00a0SERVICES"}, "Cloud Services"),
    ({"productName": "NVasv4 Series DedicatedHost"}, "Dedicated Host"),
    ({"productName": "NVasv4 Series dedicated_host"}, "Dedicated Host"),
    ({"armSkuName": "Standard_NC6", "productName": "Virtual Machines NC PROMO Series"}, "promotional price"),
    ({"armSkuName": " Standard_NC6_promo "}, "promotional price"),
    ({"skuName": "ND96isr H100 v5 LowPriority"}, "Low Priority"),
    ({"skuName": "ND96isr H100 v5 low-priority "}, "Low Priority"),
    ({"meterName": "ND96isr H100 v5 Low\u00a0\u00a0Priority"}, "Low Priority"),
    ({"meterName": "ND96isr_H100_v5_Low_Priority"}, "Low Priority"),
    ({"armSkuName": "Standard_D2s_v5"}, "not a GPU"),
    ({"armSkuName": "Standard_NP10s"}, "not a GPU"),
    ({"armSkuName": "standard_nm16ads_ma35d"}, "not a GPU"),
    ({"armSkuName": "Standard_NC6_Promo"}, "promotional price"),
    ({"armSkuName": "Standard_NC6", "productName": "Virtual Machines NC Promo Series"}, "promotional price"),
    ({"skuName": "ND96isr H100 v5 Low Priority"}, "Low Priority"),
    ({"meterName": "ND96isr H100 v5 Low Priority"}, "Low Priority"),
    ({"meterName": "ND96isr H100 v5 Expired"}, "Expired"),
    ({"isPrimaryMeterRegion": False}, "not the primary meter"),
    ({"effectiveEndDate": "2022-08-01T00:00:00Z"}, "impossible window"),
    ({"effectiveEndDate": "2023-08-01T00:00:00Z"}, "impossible window"),
    ({"effectiveEndDate": "2026-08-20T05:00:00Z"}, "ended window"),
]


def test_what_is_known_and_out_of_scope(source: SourceSql) -> None:
    """Excluded, each under one reason that can be counted; its savings plans go with it."""
    rows = read(source, *(item(**fields, savingsPlan=PLANS) for fields, _ in OUT_OF_SCOPE))

    assert [said(row) for row in rows] == [("excluded", reason) for _, reason in OUT_OF_SCOPE]


UNFORESEEN: list[tuple[dict[str, object], str]] = [
    ({"serviceName": None}, "no serviceName or armSkuName"),
    ({"armSkuName": None}, "no serviceName or armSkuName"),
    ({"type": "Subscription"}, "unknown type"),
    ({"type": None}, "unknown type"),
    ({"armRegionName": "westus"}, "another region"),
    ({"armRegionName": None}, "another region"),
    ({"unitOfMeasure": "100 Hours"}, "unknown unitOfMeasure"),
    ({"unitOfMeasure": None}, "unknown unitOfMeasure"),
    ({"currencyCode": "EUR"}, "currency other than the scope's"),
    ({"currencyCode": None}, "currency other than the scope's"),
    ({"effectiveStartDate": None}, "unreadable window"),
    ({"effectiveStartDate": "soon"}, "unreadable window"),
    ({"effectiveStartDate": "-infinity"}, "unreadable window"),  # DuckDB reads a moment
    ({"effectiveEndDate": "never"}, "unreadable window"),
    ({"tierMinimumUnits": "100"}, "price in tiers"),
    ({"tierMinimumUnits": "none"}, "price in tiers"),
    ({"reservationTerm": "1 Year"}, "reservationTerm of a price by the hour"),
    ({"retailPrice": "0.0"}, "price is zero"),
    ({"retailPrice": "0.00000000001"}, "price is zero"),
    ({"retailPrice": "-3"}, "price below zero"),
    ({"retailPrice": "1,5"}, "unreadable price"),
    ({"retailPrice": "NaN"}, "unreadable price"),
    ({"retailPrice": None}, "unreadable price"),
    ({"retailPrice": "123456789"}, "price out of range"),
]


def test_what_nobody_foresaw(source: SourceSql) -> None:
    """Rejected, never taken for a price and never dropped."""
    rows = read(source, *(item(**fields) for fields, _ in UNFORESEEN))

    assert [said(row) for row in rows] == [("rejected", reason) for _, reason in UNFORESEEN]


@pytest.mark.parametrize(
    ("term", "fields", "reason"),
    [
        (None, {}, "unknown term"),
        ("for ever", {}, "unknown term"),
        ("10 Years", {}, "term 10 Years"),
        ("1 Year", {"productName": "Virtual Machines NDsr H100 v5 Series Windows"}, "reservation under Windows"),
    ],
)
def test_reservations_nobody_foresaw(
    source: SourceSql, term: str | None, fields: dict[str, object], reason: str
) -> None:
    """A term without its hours is no price, and neither is compute under a licence."""
    assert [said(row) for row in read(source, reservation(term, "551221", **fields))] == [("rejected", reason)]


def test_a_fault_of_the_item_is_one_of_its_plans_too(source: SourceSql) -> None:
    """Rejected with their keys, so that open savings plans are not taken for gone."""
    rows = read(source, item(unitOfMeasure="1 Month", savingsPlan=PLANS))

    assert [said(row) for row in rows] == 3 * [("rejected", "unknown unitOfMeasure")]
    assert [(row["purchase_option"], row["term_months"]) for row in rows] == [
        ("on_demand", 0),
        ("savings_plan", 12),
        ("savings_plan", 36),
    ]
    assert not any(row[name] is None for row in rows for name in KEY)


@pytest.mark.parametrize("record", [{}, {"unheard": "of"}, [1], "text", 5, None])
def test_a_record_that_is_no_item(source: SourceSql, record: Any) -> None:
    """Whatever was landed, each record gives one row and nothing crashes."""
    [row] = source.read("eastus/USD", [record], SEEN_AT)

    assert said(row) == ("rejected", "no serviceName or armSkuName")


@pytest.mark.parametrize("zero", [0, 0.0, "0", "0.0", "0E+1", None])
def test_numbers_may_be_numbers_or_text(source: SourceSql, zero: object) -> None:
    """tierMinimumUnits was "0", 0 and 0.0 in turn; a price landed as a JSON number is read all the same."""
    [row] = read(source, item(tierMinimumUnits=zero, retailPrice=98.32))

    assert (said(row), row["hourly_price"]) == (("price", ""), Decimal("98.32"))


def test_every_decimal_of_the_text_is_kept(source: SourceSql) -> None:
    """Ten decimals; a double has no room for these seventeen digits and gives …6788."""
    [row] = read(source, item(retailPrice="1234567.0123456789"))

    assert str(row["hourly_price"]) == "1234567.0123456789"


@pytest.mark.parametrize(
    ("priced", "ours"),
    [
        ("standard_nd96isr_h100_V5", "Standard_ND96isr_H100_v5"),
        ("Standard_ND96asr_A100_v4", "Standard_ND96asr_v4"),
        ("STANDARD_NG32adms_V620", "Standard_NG32adms_V620_v1"),
        ("Standard_NX1_unheard_v9", "Standard_NX1_unheard_v9"),
    ],
)
def test_sizes_are_spelled_our_way(source: SourceSql, priced: str, ours: str) -> None:
    """Case and aliases by the reference tables; a size they don't know keeps its name and its price."""
    [row] = read(source, item(armSkuName=priced))

    assert (said(row), row["instance_type"]) == (("price", ""), ours)


def test_regions_are_lower_case(source: SourceSql) -> None:
    """WestUS3 in one list, westus3 in another; the scope's spelling doesn't matter either."""
    [row] = read(source, item(armRegionName="WestUS3"), scope="westus3/USD")

    assert (said(row), row["region_id"]) == (("price", ""), "westus3")


@pytest.mark.parametrize(
    ("region", "partition"),
    [
        ("usgovvirginia", "azure-us-gov"),
        ("usdodeast", "azure-us-gov"),
        ("chinaeast2", "azure-china"),
        ("uksouth", "azure"),
    ],
)
def test_partitions(source: SourceSql, region: str, partition: str) -> None:
    """Read from the region's name."""
    [row] = read(source, item(armRegionName=region), scope=f"{region}/USD")

    assert (said(row), row["partition"]) == (("price", ""), partition)


def test_another_currency_in_its_own_scope(source: SourceSql) -> None:
    """2-vCPU D4s_v5 in australiaeast cost 1,771.8082 AUD for a year: 0.2022612100 an hour, in AUD."""
    record = reservation("1 Year", "1771.8082", currencyCode="AUD", armRegionName="australiaeast")

    [row] = read(source, record, scope="australiaeast/AUD")

    assert (said(row), row["currency"], str(row["hourly_price"])) == (("price", ""), "AUD", "0.2022612100")


def test_the_window_in_force_is_taken(source: SourceSql) -> None:
    """One meter, five windows on 2026-08-20: ended, in force since July and since August, in September, impossible."""
    windows = [
        ("2026-06-01T00:00:00Z", "2026-06-30T23:59:59Z", "17"),
        ("2026-07-01T00:00:00Z", None, "18"),
        ("2026-08-01T00:00:00Z", "2026-08-31T23:59:59Z", "19"),
        ("2026-09-01T00:00:00Z", None, "20"),
        ("2026-09-01T00:00:00Z", "2026-08-01T00:00:00Z", "0.002"),
    ]
    records = [
        item(effectiveStartDate=start, effectiveEndDate=end, retailPrice=price, skuName="ND96isr Spot")
        for start, end, price in windows
    ]
    expected = {
        "17": ("excluded", "ended window"),
        "18": ("excluded", "superseded window"),
        "19": ("price", ""),
        "20": ("announced", "announced"),
        "0.002": ("excluded", "impossible window"),
    }
    for seed in range(3):
        Random(seed).shuffle(records)
        rows = read(source, *records)
        assert {str(row["hourly_price"].normalize()): said(row) for row in rows} == {
            str(Decimal(price).normalize()): outcome for price, outcome in expected.items()
        }

    announced = next(row for row in rows if row["outcome"] == "announced")
    assert announced["provider_effective_date"] == utc(2026, 9, 1)
    assert not any(announced[name] is None for name in KEY)


@pytest.mark.parametrize(
    ("seen_at", "outcome"),
    [
        (utc(2026, 7, 31, 23, 59), "announced"),
        (utc(2026, 8, 1), "price"),
        (utc(2026, 8, 31, 23, 58), "price"),
        (utc(2026, 8, 31, 23, 59), "excluded"),
    ],
)
def test_a_window_holds_from_its_start_until_before_its_end(source: SourceSql, seen_at: datetime, outcome: str) -> None:
    """From inclusive, to exclusive, judged at the moment of the fetch."""
    record = item(effectiveStartDate="2026-08-01T00:00:00Z", effectiveEndDate="2026-08-31T23:59:00Z")

    [row] = read(source, record, seen_at=seen_at)

    assert row["outcome"] == outcome


def test_announced_items_announce_their_plans(source: SourceSql) -> None:
    """A price cut of September with its savings plans: three announcements."""
    rows = read(source, item(effectiveStartDate="2026-09-01T00:00:00Z", savingsPlan=PLANS))

    assert [said(row) for row in rows] == 3 * [("announced", "announced")]


def test_a_start_with_an_offset_is_a_moment(source: SourceSql) -> None:
    """Half past four in New York (-04:00) is half past eight in UTC: not begun at five."""
    [row] = read(source, item(effectiveStartDate="2026-08-20T04:30:00-04:00"))

    assert (row["outcome"], row["provider_effective_date"]) == ("announced", utc(2026, 8, 20, 8, 30))


def test_a_placeholder_of_zero_supersedes_nothing(source: SourceSql) -> None:
    """0.0 and 3.673 for NC24ads_A100_v4: the later zero is rejected, 3.673 holds."""
    a100 = {"armSkuName": "Standard_NC24ads_A100_v4"}
    rows = read(
        source,
        item(**a100, retailPrice="3.673"),
        item(**a100, retailPrice="0.0", effectiveStartDate="2026-08-01T00:00:00Z"),
    )

    assert [said(row) for row in rows] == [("price", ""), ("rejected", "price is zero")]


def test_windows_of_different_meters_do_not_supersede(source: SourceSql) -> None:
    """Two meters of one size at two prices are a conflict for the load, not a succession; nor do terms mix."""
    rows = read(
        source,
        H100,
        item(meterId="another", retailPrice="99", effectiveStartDate="2026-08-01T00:00:00Z"),
        reservation("1 Year", "551221"),
        reservation("3 Years", "1134310", effectiveStartDate="2026-08-01T00:00:00Z"),
    )

    assert [said(row) for row in rows] == 4 * [("price", "")]


def test_equal_starts_are_left_to_the_load(source: SourceSql) -> None:
    """Nothing says which of two prices of one meter and start is right: both rows are given."""
    assert [said(row) for row in read(source, H100, item(retailPrice="99"))] == 2 * [("price", "")]


SPOT_NAMES = [
    "ND96isr H100 v5 SPOT",
    "ND96isr H100 v5 Spot ",
    "ND96isr_H100_v5_Spot",
    "ND96isr H100 v5-spot",
    "ND96isr\u00a0H100\u00a0v5\u00a0Spot",
]


@pytest.mark.parametrize("field", ["skuName", "meterName"])
@pytest.mark.parametrize("name", SPOT_NAMES)
def test_spot_however_it_is_spelled(source: SourceSql, field: str, name: str) -> None:
    """Case, blanks, underscores and hyphens are nobody's decision: 18.169536 is never the price on demand."""
    [row] = read(source, item(**{field: name, "retailPrice": "18.169536"}))

    assert (said(row), row["purchase_option"]) == (("price", ""), "spot")


@pytest.mark.parametrize(
    ("name", "purchase_option"),
    [
        ("ND96isr H100 v5 Spot v2", "spot"),
        ("Spot ND96isr H100 v5", "spot"),
        ("ND96isrSpot", "spot"),
        ("ND96isr H100 v5 Spots", "spot"),
        ("ND96isr H100 v5 High Priority", "on_demand"),
        ("ND96isr H100 v5 Priority", "on_demand"),
    ],
)
def test_meter_names_nobody_foresaw(source: SourceSql, name: str, purchase_option: str) -> None:
    """A name that says something of spot or priority, otherwise than known, is no price; its key can be read."""
    for field in ("skuName", "meterName"):
        [row] = read(source, item(**{field: name}))

        assert said(row) == ("rejected", "unforeseen meter name")
        assert [row[column] for column in KEY[5:]] == ["linux", purchase_option, "", "", 0, "USD"]


@pytest.mark.parametrize(
    "words", ["BYOL", "Hybrid Benefit", "HybridBenefit", "SQL Server", "Red Hat", "RedHat", "RHEL", "SUSE", "red-hat"]
)
def test_products_nobody_foresaw(source: SourceSql, words: str) -> None:
    """Another system or licence than ours is not Linux on demand."""
    [row] = read(source, item(productName=f"Virtual Machines NDsr H100 v5 Series {words}"))

    assert said(row) == ("rejected", "unforeseen product")
    assert not any(row[name] is None for name in KEY)


@pytest.mark.parametrize(("term", "months"), [("10 Years", 120), ("2 Years", 24), ("1 Month", None), ("0 Years", None)])
def test_a_term_nobody_foresaw_is_in_the_key(source: SourceSql, term: str, months: int | None) -> None:
    """Ten years are 120 months; a month is no number of years, and what can't be told is NULL."""
    [row] = read(source, reservation(term, "551221"))

    assert (row["outcome"], row["term_months"]) == ("rejected", months)
    assert [name for name in KEY if row[name] is None] == ([] if months else ["term_months"])


def test_a_plan_of_five_years(source: SourceSql) -> None:
    """There are reservations of 60 months, and no savings plans: rejected under its own key."""
    price, plan = read(source, item(savingsPlan=[{"term": "5 Years", "retailPrice": "60"}]))

    assert (said(price), said(plan)) == (("price", ""), ("rejected", "term 5 Years"))
    assert [plan[name] for name in KEY[6:]] == ["savings_plan", "compute", "any", 60, "USD"]


def test_an_unknown_type_is_in_the_key(source: SourceSql) -> None:
    """Azure's own word in lower case."""
    [row] = read(source, item(type="Subscription"))

    assert said(row) == ("rejected", "unknown type")
    assert [row[name] for name in KEY[5:]] == ["linux", "subscription", "", "", 0, "USD"]


def test_places_currencies_and_sizes_are_compared_without_case_and_blanks(source: SourceSql) -> None:
    """One offer, however it is spelled, is one key."""
    [row] = read(
        source,
        item(armRegionName=" EastUS ", currencyCode="usd ", armSkuName=" standard_nd96isr_h100_V5\u00a0"),
        scope="EastUS/usd",
    )

    assert said(row) == ("price", "")
    assert (row["region_id"], row["currency"]) == ("eastus", "USD")
    assert row["instance_type"] == "Standard_ND96isr_H100_v5"


def test_a_size_without_its_tier(source: SourceSql) -> None:
    """Probably ours, but nobody said so: rejected under the key of the size with the prefix, never 'not a GPU'."""
    [row] = read(source, item(armSkuName="nd96isr_h100_v5"))

    assert said(row) == ("rejected", "size name without its tier")
    assert row["instance_type"] == "Standard_ND96isr_H100_v5"
    assert not any(row[name] is None for name in KEY)


@pytest.mark.parametrize(
    ("end", "seen_at", "outcome"),
    [
        ("2026-08-20T00:00:00Z", utc(2026, 8, 20, 5), "price"),
        ("2026-08-20T00:00:00Z", utc(2026, 8, 20, 23, 59), "price"),
        ("2026-08-20T00:00:00Z", utc(2026, 8, 21), "excluded"),
        ("2026-08-20T00:01:00Z", utc(2026, 8, 20, 5), "excluded"),
        ("294247-01-10T00:00:00Z", utc(2026, 8, 20, 5), "price"),  # the last day that a timestamp can hold
        ("infinity", utc(2026, 8, 20, 5), "price"),
    ],
)
def test_an_end_at_midnight_counts_its_day(source: SourceSql, end: str, seen_at: datetime, outcome: str) -> None:
    """It may be a date. The 20th is in the window, the 21st isn't; any other end is a moment."""
    [row] = read(source, item(effectiveEndDate=end), seen_at=seen_at)

    assert row["outcome"] == outcome


def test_a_later_start_wins_on_the_day_of_an_end(source: SourceSql) -> None:
    """98.32 until the 20th, 90 from the 20th on: 90 holds on the 20th."""
    rows = read(
        source,
        item(effectiveEndDate="2026-08-20T00:00:00Z"),
        item(effectiveStartDate="2026-08-20T00:00:00Z", retailPrice="90"),
    )

    assert [said(row) for row in rows] == [("excluded", "superseded window"), ("price", "")]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"retailPrice": "0"}, "price is zero"),
        ({"retailPrice": "n/a"}, "unreadable price"),
        ({"retailPrice": "-1"}, "price below zero"),
        ({"unitOfMeasure": "1 Month"}, "unknown unitOfMeasure"),
    ],
)
def test_what_is_rejected_supersedes_nothing_and_has_no_plans(
    source: SourceSql, fields: dict[str, object], reason: str
) -> None:
    """The earlier window holds with its plans, 3.05741 and 2.26587; those of the rejected item contradict nothing."""
    other = [{"retailPrice": "1", "term": "1 Year"}, {"retailPrice": "2", "term": "3 Years"}]
    rows = read(
        source,
        item(savingsPlan=PLANS),
        item(**fields, savingsPlan=other, effectiveStartDate="2026-08-01T00:00:00Z"),
    )

    assert [said(row) for row in rows] == 3 * [("price", "")] + 3 * [("rejected", reason)]
    assert [str(row["hourly_price"].normalize()) for row in rows[:3]] == ["98.32", "3.05741", "2.26587"]
