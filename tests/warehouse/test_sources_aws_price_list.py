"""What the lines of an AWS price list say in our words: prices by hand, and a reason for each line that gives none."""

import csv
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.warehouse.one_record import P4D
from tests.warehouse.source_sql import COLUMNS, KEY, Row, SourceSql, open_source, utc

FIXTURE = Path(__file__).parents[1] / "fixtures" / "aws_price_list" / "index.csv"
SEEN_AT = utc(2025, 4, 5)

WINDOWS = {"Operating System": "Windows", "operation": "RunInstances:0002"}
METAL = {"Instance Type": "g4dn.metal", "Product Family": "Compute Instance (bare metal)"}


@pytest.fixture(scope="module")
def source() -> Iterator[SourceSql]:
    """The .sql on the real reference tables."""
    yield from open_source("aws_price_list")


def line(**cells: str | None) -> dict[str, str]:
    """The p4d line with other cells; `_` in a name stands for a blank."""
    return with_cells(P4D, {name.replace("_", " "): cell for name, cell in cells.items()})


def with_cells(line: dict[str, str], cells: dict[str, str | None]) -> dict[str, str]:
    """The line with other cells; None leaves one out, as an empty cell is."""
    return {name: cell for name, cell in {**line, **cells}.items() if cell is not None}


def reserved(unit: str, price: str, payment: str, *, lease: str = "1yr", offering: str = "standard") -> dict[str, str]:
    """One line of a Reserved offer of p4d; its term code is made of the words, since ours is never read from it."""
    term = f"{lease}{offering}{payment}".replace(" ", "").upper()
    upfront = unit == "Quantity"
    return P4D | {
        "TermType": "Reserved",
        "OfferTermCode": term,
        "RateCode": f"H7NGEAC6UEHNTKSJ.{term}.{'2TG2D8R56U' if upfront else '6YS6EN2CT7'}",
        "Unit": unit,
        "PricePerUnit": price,
        "LeaseContractLength": lease,
        "PurchaseOption": payment,
        "OfferingClass": offering,
        "StartingRange": "" if upfront else "0",
        "EndingRange": "" if upfront else "Inf",
    }


def read(source: SourceSql, *records: dict[str, str], scope: str = "us-east-1") -> list[Row]:
    """Rows of one fetch of `scope`."""
    return source.read(scope, records, SEEN_AT)


def said(row: Row) -> tuple[str, str]:
    """Outcome and reason."""
    return row["outcome"], row["reason"]


def test_the_columns_are_those_of_the_contract(source: SourceSql) -> None:
    """Names, order and types, as load.py takes them; a fetch without records gives no rows."""
    assert read(source) == []
    assert source.columns() == COLUMNS


def test_on_demand(source: SourceSql) -> None:
    """p4d at 32.7726 an hour: every column of the row."""
    assert read(source, P4D) == [
        {
            "record_id": 0,
            "outcome": "price",
            "reason": "",
            "provider": "aws",
            "partition": "aws",
            "region_id": "us-east-1",
            "zone_id": "",
            "instance_type": "p4d.24xlarge",
            "operating_system": "linux",
            "purchase_option": "on_demand",
            "offering_class": "",
            "payment_option": "",
            "term_months": 0,
            "currency": "USD",
            "hourly_price": Decimal("32.7726"),
            "upfront_price": Decimal(0),
            "total_price": None,
            "effective_hourly_price": Decimal("32.7726"),
            "price_basis": "published",
            "provider_effective_date": utc(2025, 4, 1),
            "sku_id": "H7NGEAC6UEHNTKSJ",
            "rate_id": "H7NGEAC6UEHNTKSJ.JRTCKXETXF.6YS6EN2CT7",
        }
    ]


def test_the_fixture_file(source: SourceSql) -> None:
    """Twelve lines: five prices, the upfront line of one of them, and six left out for five reasons."""
    rows = list(csv.reader(FIXTURE.read_text().splitlines()))
    records = [{name: cell for name, cell in zip(rows[5], row, strict=True) if cell} for row in rows[6:]]

    got = read(source, *records)

    assert Counter(said(row) for row in got) == {
        ("price", ""): 6,
        ("price", "upfront"): 1,
        ("excluded", "capacity block"): 1,
        ("excluded", "bring your own license"): 1,
        ("excluded", "capacity reservation"): 1,
        ("excluded", "not a GPU"): 2,
    }
    assert {
        (row["instance_type"], row["operating_system"], row["payment_option"]): row["effective_hourly_price"]
        for row in got
        if row["outcome"] == "price"
    } == {
        ("p5.48xlarge", "linux", ""): Decimal("98.32"),
        ("p4d.24xlarge", "linux", ""): Decimal("32.7726"),
        ("p4d.24xlarge", "linux", "no_upfront"): Decimal("20.1754983"),
        ("p4d.24xlarge", "linux", "all_upfront"): Decimal("18.8304794521"),
        ("g4dn.xlarge", "linux", ""): Decimal("0.526"),
        ("g4dn.xlarge", "windows", ""): Decimal("0.71"),
    }


def test_all_upfront(source: SourceSql) -> None:
    """164,955 dollars for 8,760 hours is 18.8304794521 an hour (18.830479 was recorded); both lines say so."""
    hourly, upfront = read(
        source, reserved("Hrs", "0.0000000000", "All Upfront"), reserved("Quantity", "164955", "All Upfront")
    )

    assert (said(hourly), said(upfront)) == (("price", ""), ("price", "upfront"))
    for row in (hourly, upfront):
        assert [row[name] for name in KEY[6:]] == ["reserved", "standard", "all_upfront", 12, "USD"]
        assert row["hourly_price"] == 0
        assert row["upfront_price"] == Decimal(164955)
        assert row["total_price"] == Decimal(164955)
        assert row["effective_hourly_price"] == Decimal("18.8304794521")


def test_partial_upfront(source: SourceSql) -> None:
    """AWS's own figures for c6i.large in Tokyo, price list of 2025-09-12: 0.10463 an hour and 2,750 for three years.

    26,280 hours: 0.10463 x 26,280 + 2,750 = 5,499.6764 in all, and 5,499.6764 / 26,280 = 0.2092723135 an hour.
    """
    row, upfront = read(
        source,
        reserved("Hrs", "0.1046300000", "Partial Upfront", lease="3yr"),
        reserved("Quantity", "2750", "Partial Upfront", lease="3yr"),
    )

    assert (row["term_months"], row["payment_option"], upfront["reason"]) == (36, "partial_upfront", "upfront")
    assert row["total_price"] == Decimal("5499.6764")
    assert row["effective_hourly_price"] == Decimal("0.2092723135")


@pytest.mark.parametrize(("lease", "months", "hours"), [("1yr", 12, 8760), ("1 yr", 12, 8760), ("3yr", 36, 26280)])
@pytest.mark.parametrize("offering", ["standard", "convertible"])
def test_no_upfront(source: SourceSql, lease: str, months: int, hours: int, offering: str) -> None:
    """No second line; the total is the hourly price over the term. Convertible is an offer of its own."""
    [row] = read(source, reserved("Hrs", "20.1754983000", "No Upfront", lease=lease, offering=offering))

    assert said(row) == ("price", "")
    assert (row["term_months"], row["offering_class"]) == (months, offering)
    assert row["total_price"] == Decimal("20.1754983") * hours
    assert row["effective_hourly_price"] == Decimal("20.1754983")


def test_each_term_is_an_offer_of_its_own(source: SourceSql) -> None:
    """All upfront of 1 and 3 years, standard and convertible: four offers, each with its own upfront line.

    p4d in us-east-1, first half of 2025: 164,955 and 3 years standard 285,893 dollars, which is 10.878729 an hour;
    convertible 197,946 (22.596575) and 357,670 (13.609970).
    """
    offers = {
        ("1yr", "standard"): ("164955", "18.8304794521"),
        ("3yr", "standard"): ("285893", "10.8787290715"),
        ("1yr", "convertible"): ("197946", "22.5965753425"),
        ("3yr", "convertible"): ("357670", "13.6099695586"),
    }
    lines = [
        reserved(unit, upfront if unit == "Quantity" else "0", "All Upfront", lease=lease, offering=offering)
        for (lease, offering), (upfront, _) in offers.items()
        for unit in ("Hrs", "Quantity")
    ]
    Random(7).shuffle(lines)

    rows = read(source, *lines)

    assert Counter(row["reason"] for row in rows) == {"": 4, "upfront": 4}
    assert {
        (f"{row['term_months'] // 12}yr", row["offering_class"]): str(row["effective_hourly_price"]) for row in rows
    } == {offer: effective for offer, (_, effective) in offers.items()}


def test_one_line_of_a_pair_is_missing(source: SourceSql) -> None:
    """Rejected with a key that can be read, so that an open price is neither closed nor taken for hourly 0."""
    cases = [
        (reserved("Hrs", "0", "All Upfront"), "upfront line missing"),
        (reserved("Hrs", "9.5", "Partial Upfront"), "upfront line missing"),
        (reserved("Quantity", "164955", "All Upfront"), "hourly line missing"),
    ]
    for record, reason in cases:
        [row] = read(source, record)
        assert said(row) == ("rejected", reason)
        assert None not in [row[name] for name in KEY]


def test_a_line_that_is_unreadable_takes_its_pair_with_it(source: SourceSql) -> None:
    """An upfront fee of 'n/a': neither line is a price."""
    rows = read(source, reserved("Hrs", "0", "All Upfront"), reserved("Quantity", "n/a", "All Upfront"))

    assert [said(row) for row in rows] == [
        ("rejected", "upfront line missing"),
        ("rejected", "unreadable PricePerUnit"),
    ]


def test_lines_that_contradict_each_other(source: SourceSql) -> None:
    """Two fees for one offer, or a fee for No Upfront."""
    fees = [reserved("Quantity", fee, "All Upfront") for fee in ("164955", "164956")]
    rows = read(source, reserved("Hrs", "0", "All Upfront"), *fees)
    assert {said(row) for row in rows} == {("rejected", "lines of one offer differ")}

    rows = read(source, reserved("Hrs", "20.1", "No Upfront"), reserved("Quantity", "5", "No Upfront"))
    assert {said(row) for row in rows} == {("rejected", "upfront line of a No Upfront offer")}


OUT_OF_SCOPE: list[tuple[dict[str, str], str]] = [
    ({"Instance Type": "inf2.24xlarge", "GPU": "6"}, "not a GPU"),
    ({"Instance Type": "trn1n.32xlarge"}, "not a GPU"),
    ({"Instance Type": "f1.16xlarge"}, "not a GPU"),
    ({"Instance Type": "m5.large", "GPU": "NA"}, "not a GPU"),
    ({"Location Type": "AWS Outposts"}, "Outposts"),
    ({"Location Type": "AWS Local Zone", "Region Code": "us-east-1-atl-1"}, "own scope"),
    ({"Location Type": "AWS Wavelength Zone", "Region Code": "us-east-1-wl1-chi1"}, "own scope"),
    ({"Product Family": "Dedicated Host", "Instance Type": "p4d", "Tenancy": "Host"}, "Dedicated Host"),
    ({"MarketOption": "CapacityBlock"}, "capacity block"),
    ({"operation": "RunInstances:CB"}, "capacity block"),
    ({"CapacityStatus": "UnusedCapacityReservation"}, "capacity reservation"),
    ({"CapacityStatus": "AllocatedCapacityReservation", "PricePerUnit": "0"}, "capacity reservation"),
    ({"TermType": "FlatRate"}, "term FlatRate"),
    ({"Tenancy": "Dedicated"}, "tenancy Dedicated"),
    ({"Tenancy": "Host", "PricePerUnit": "0"}, "tenancy Host"),
    ({"Operating System": "RHEL", "operation": "RunInstances:0010"}, "operating system RHEL"),
    (
        {"Operating System": "Red Hat Enterprise Linux with HA", "operation": "RunInstances:1010"},
        "operating system Red Hat Enterprise Linux with HA",
    ),
    ({"Operating System": "SUSE", "operation": "RunInstances:000g"}, "operating system SUSE"),
    ({"Operating System": "Ubuntu Pro", "operation": "RunInstances:0g00"}, "operating system Ubuntu Pro"),
    (WINDOWS | {"License Model": "Bring your own license"}, "bring your own license"),
    ({"Pre Installed S/W": "SQL Web", "operation": "RunInstances:0200"}, "with SQL Web"),
    (WINDOWS | {"Pre Installed S/W": "SQL Ent", "operation": "RunInstances:0102"}, "with SQL Ent"),
]


def test_what_is_known_and_out_of_scope(source: SourceSql) -> None:
    """Excluded, each under one reason that can be counted."""
    rows = read(source, *(P4D | cells for cells, _ in OUT_OF_SCOPE))

    assert [said(row) for row in rows] == [("excluded", reason) for _, reason in OUT_OF_SCOPE]


def test_a_capacity_block_that_looks_like_on_demand(source: SourceSql) -> None:
    """p5e in us-east-2, 2025-02-01: 0.336 is the surcharge of Ubuntu Pro, not the price of eight H200.

    Term, tenancy, capacity status and usage type are those of an on-demand line.
    """
    block = line(
        Instance_Type="p5e.48xlarge",
        Region_Code="us-east-2",
        Operating_System="Ubuntu Pro",
        PricePerUnit="0.3360000000",
        MarketOption="CapacityBlock",
        operation="RunInstances:0g00:CB",
        usageType="USE2-BoxUsage:p5e.48xlarge",
    )
    linux = block | {"Operating System": "Linux", "operation": "RunInstances:CB", "PricePerUnit": "0.0000000000"}

    rows = read(source, block, linux, scope="us-east-2")

    assert [said(row) for row in rows] == 2 * [("excluded", "capacity block")]


UNFORESEEN: list[tuple[dict[str, str | None], str]] = [
    ({"Instance Type": None}, "no SKU, RateCode or Instance Type"),
    ({"SKU": None}, "no SKU, RateCode or Instance Type"),
    ({"Region Code": None}, "another region"),
    ({"Region Code": "us-east-2"}, "another region"),
    ({"Location Type": "AWS Moon Base"}, "unknown Location Type"),
    ({"Location Type": None}, "unknown Location Type"),
    ({"Product Family": "Compute Instance (liquid)"}, "unknown Product Family"),
    ({"TermType": "Subscription"}, "unknown TermType"),
    ({"MarketOption": "Auction"}, "unknown MarketOption"),
    ({"CapacityStatus": "Half"}, "unknown CapacityStatus"),
    ({"CapacityStatus": None}, "unknown CapacityStatus"),
    ({"Tenancy": "Borrowed"}, "unknown Tenancy"),
    ({"Operating System": "Plan 9"}, "unknown Operating System"),
    ({"License Model": "By the core"}, "unknown License Model"),
    ({"Pre Installed S/W": "Oracle"}, "unknown Pre Installed S/W"),
    ({"operation": "RunInstances:9999"}, "unknown operation"),
    ({"operation": None}, "unknown operation"),
    ({"Unit": "Days"}, "unknown Unit"),
    ({"Unit": "Quantity"}, "unknown Unit"),
    ({"StartingRange": "750"}, "price in tiers"),
    ({"EndingRange": "750"}, "price in tiers"),
    ({"Currency": "CNY"}, "currency other than the scope's"),
    ({"Currency": None}, "currency other than the scope's"),
    ({"PricePerUnit": "1,152.5"}, "unreadable PricePerUnit"),
    ({"PricePerUnit": "N/A*"}, "unreadable PricePerUnit"),
    ({"PricePerUnit": "Inf"}, "unreadable PricePerUnit"),
    ({"PricePerUnit": None}, "unreadable PricePerUnit"),
    ({"PricePerUnit": "0.0000000000"}, "price is zero"),
    ({"PricePerUnit": "-1"}, "price below zero"),
    ({"PricePerUnit": "123456789.5"}, "price out of range"),
]


def test_what_nobody_foresaw(source: SourceSql) -> None:
    """Rejected, never taken for a price and never dropped."""
    rows = read(source, *(with_cells(P4D, cells) for cells, _ in UNFORESEEN))

    assert [said(row) for row in rows] == [("rejected", reason) for _, reason in UNFORESEEN]


@pytest.mark.parametrize(
    ("cells", "reason", "words"),
    [
        ({"LeaseContractLength": "5yr"}, "term 5yr", {"term_months": 60}),
        ({"LeaseContractLength": "2 yr"}, "term 2 yr", {"term_months": 24}),
        ({"LeaseContractLength": "soon"}, "unknown LeaseContractLength", {"term_months": None}),
        ({"LeaseContractLength": "0yr"}, "unknown LeaseContractLength", {"term_months": None}),
        ({"LeaseContractLength": "99999yr"}, "unknown LeaseContractLength", {"term_months": None}),
        ({"LeaseContractLength": None}, "unknown LeaseContractLength", {"term_months": None}),
        ({"PurchaseOption": "Heavy Utilization"}, "unknown PurchaseOption", {"payment_option": "heavy_utilization"}),
        ({"PurchaseOption": None}, "unknown PurchaseOption", {"payment_option": None}),
        ({"OfferingClass": "Flexible"}, "unknown OfferingClass", {"offering_class": "flexible"}),
        ({"OfferingClass": None}, "unknown OfferingClass", {"offering_class": None}),
        ({"TermType": "Subscription"}, "unknown TermType", {"purchase_option": "subscription"}),
        ({"Operating System": "Plan 9"}, "unknown Operating System", {"operating_system": "plan 9"}),
        ({"PricePerUnit": "0"}, "price is zero", {"term_months": 12}),
    ],
)
def test_reserved_offers_nobody_foresaw(
    source: SourceSql, cells: dict[str, str | None], reason: str, words: dict[str, object]
) -> None:
    """AWS's own word stands in the key of what is rejected, so that it can be read; only what can't be told is NULL."""
    [row] = read(source, with_cells(reserved("Hrs", "20.1", "No Upfront"), cells))

    assert said(row) == ("rejected", reason)
    assert {name: row[name] for name in words} == words
    assert [name for name in KEY if row[name] is None] == [name for name, word in words.items() if word is None]


@pytest.mark.parametrize("record", [{}, {"unheard": "of"}, [1], "text", 5, None])
def test_a_record_that_is_no_line(source: SourceSql, record: Any) -> None:
    """Whatever was landed, each record gives one row and nothing crashes."""
    [row] = source.read("us-east-1", [record], SEEN_AT)

    assert said(row) == ("rejected", "no SKU, RateCode or Instance Type")


def test_optional_cells_may_be_absent(source: SourceSql) -> None:
    """Older files have no MarketOption, and an empty cell for software means what NA means."""
    [row] = read(
        source, line(MarketOption=None, GPU=None, StartingRange=None, EndingRange=None) | {"Pre Installed S/W": ""}
    )

    assert said(row) == ("price", "")


def test_an_unknown_gpu_type_is_a_price_all_the_same(source: SourceSql) -> None:
    """A family that is in no table of ours, with eight GPUs by the file's own word."""
    [row] = read(source, line(Instance_Type="p9.48xlarge"))

    assert said(row) == ("price", "")
    assert row["instance_type"] == "p9.48xlarge"


def test_a_fraction_of_a_gpu(source: SourceSql) -> None:
    """g6f.large, 0.202 an hour on 2026-07-20, has an eighth of an L4."""
    [row] = read(source, line(Instance_Type="g6f.large", GPU="0.125", PricePerUnit="0.2020000000"))

    assert (said(row), row["hourly_price"]) == (("price", ""), Decimal("0.202"))


def test_every_decimal_is_kept(source: SourceSql) -> None:
    """us-east-1's 21.957642 and us-west-2's 21.95764 differ in the sixth; a double would lose the last of these."""
    for price in ("21.9576420000", "21.9576400000", "12345678.0123456789", "0.0000000001"):
        rows = read(source, line(PricePerUnit=price), reserved("Hrs", price, "No Upfront"))

        for row in rows:
            assert (row["hourly_price"], row["effective_hourly_price"]) == (Decimal(price), Decimal(price))


def test_zones_are_locations_of_their_own(source: SourceSql) -> None:
    """A Local Zone's own file: its code is the region of the price."""
    zone = line(Location_Type="AWS Local Zone", Region_Code="us-west-2-lax-1", usageType="LAX1-BoxUsage:p4d.24xlarge")

    [row] = read(source, zone, scope="us-west-2-lax-1")

    assert (said(row), row["region_id"], row["zone_id"]) == (("price", ""), "us-west-2-lax-1", "")


@pytest.mark.parametrize(
    ("region", "partition", "currency"),
    [
        ("us-gov-west-1", "aws-us-gov", "USD"),
        ("cn-northwest-1", "aws-cn", "CNY"),
        ("eusc-de-east-1", "aws-eusc", "EUR"),
    ],
)
def test_other_partitions(source: SourceSql, region: str, partition: str, currency: str) -> None:
    """Both regions of China have yuan, the European cloud has euros; the partition is read from the region's code."""
    [row] = read(source, line(Region_Code=region, Currency=currency), scope=region)

    assert (said(row), row["partition"], row["currency"]) == (("price", ""), partition, currency)


def test_metal_takes_shared_tenancy_where_it_is(source: SourceSql) -> None:
    """g4dn.metal at 7.824 (2025-04-04). Dedicated counts alone, or where Shared is a line of 0; else Shared does."""
    shared = line(PricePerUnit="7.8240000000") | METAL
    dedicated = shared | {
        "Tenancy": "Dedicated",
        "SKU": "D",
        "RateCode": "D.JRTCKXETXF.6YS6EN2CT7",
        "PricePerUnit": "8.6",
    }

    both = read(source, dedicated, shared)
    assert [said(row) for row in both] == [("excluded", "tenancy Dedicated"), ("price", "")]

    [alone] = read(source, dedicated)
    assert (said(alone), alone["hourly_price"]) == (("price", ""), Decimal("8.6"))

    beside_nothing = read(source, dedicated, shared | {"PricePerUnit": "0.0000000000"})
    assert [said(row) for row in beside_nothing] == [("price", ""), ("rejected", "price is zero")]

    other_system = read(source, dedicated, shared | WINDOWS)
    assert [said(row) for row in other_system] == 2 * [("price", "")]


def test_a_second_line_of_the_same_offer_is_left_to_the_load(source: SourceSql) -> None:
    """Two SKUs, one key, two prices: both rows are given, the fold sees the conflict."""
    other = line(SKU="OTHER", RateCode="OTHER.JRTCKXETXF.6YS6EN2CT7", PricePerUnit="33")

    assert [row["hourly_price"] for row in read(source, P4D, other)] == [Decimal("32.7726"), Decimal(33)]


@pytest.mark.parametrize(
    ("cell", "moment"),
    [
        ("2025-04-01", utc(2025, 4, 1)),
        ("2024-05-01T00:00:00Z", utc(2024, 5, 1)),
        ("2024-05-01T05:30:00+05:30", utc(2024, 5, 1)),
        ("soon", None),
        (None, None),
    ],
)
def test_the_effective_date(source: SourceSql, cell: str | None, moment: datetime | None) -> None:
    """A day in the CSV, a time in the JSON; it decides nothing, so one that can't be read is no fault."""
    [row] = read(source, line(EffectiveDate=cell))

    assert (said(row), row["provider_effective_date"]) == (("price", ""), moment)


def test_the_order_of_the_lines_decides_nothing(source: SourceSql) -> None:
    """The same lines in three orders: the same rows, but for their numbers."""
    lines = [
        P4D,
        line(PricePerUnit="7.824") | METAL,
        line(Tenancy="Dedicated", PricePerUnit="8.6") | METAL,
        reserved("Hrs", "0", "All Upfront"),
        reserved("Quantity", "164955", "All Upfront"),
        line(Currency="CNY"),
    ]
    readings = []
    for seed in range(3):
        Random(seed).shuffle(lines)
        rows = [{name: value for name, value in row.items() if name != "record_id"} for row in read(source, *lines)]
        readings.append(sorted(rows, key=str))

    assert readings[0] == readings[1] == readings[2]


@pytest.mark.parametrize(("cell", "word"), [("Subscription", "subscription"), (None, None)])
def test_an_unknown_term_type(source: SourceSql, cell: str | None, word: str | None) -> None:
    """No commitment is named, so there is none: the key can be read. Without a TermType it can't."""
    [row] = read(source, line(TermType=cell))

    assert said(row) == ("rejected", "unknown TermType")
    assert [row[name] for name in KEY[6:]] == [word, "", "", 0 if word else None, "USD"]


@pytest.mark.parametrize(
    "cells",
    [
        {"Instance Type": "p5.48xlarge"},
        WINDOWS,
        {"OfferingClass": "convertible"},
        {"PurchaseOption": "Partial Upfront"},
        {"LeaseContractLength": "3yr"},
        {"LeaseContractLength": "5yr"},
        {"Region Code": "us-east-2"},
        {"Currency": "CNY"},
    ],
)
def test_the_lines_of_one_offer_agree_on_what_it_is(source: SourceSql, cells: dict[str, str]) -> None:
    """164,955 dollars of one size, term or system aren't the fee of another: both lines are rejected, keys readable."""
    hourly = reserved("Hrs", "0", "All Upfront")
    upfront = reserved("Quantity", "164955", "All Upfront")

    for lines in ((hourly, upfront | cells), (hourly | cells, upfront), (upfront | cells, hourly)):
        rows = read(source, *lines)
        assert [said(row) for row in rows] == 2 * [("rejected", "lines of one offer differ")]
        assert not any(row[name] is None for row in rows for name in KEY)


def test_lines_without_a_rate_code_are_no_offer_together(source: SourceSql) -> None:
    """Two lines whose RateCode can't be read have nothing to do with each other."""
    broken = reserved("Hrs", "20.1", "No Upfront") | {"RateCode": "?"}

    rows = read(source, broken, broken | {"Instance Type": "p5.48xlarge"})

    assert [said(row) for row in rows] == 2 * [("rejected", "no SKU, RateCode or Instance Type")]


def test_places_and_currencies_are_compared_without_case_and_blanks(source: SourceSql) -> None:
    """'US-East-1 ' and 'usd' are us-east-1 and USD, and are written so; the scope's spelling doesn't matter either."""
    [row] = read(source, line(Region_Code=" US-East-1 ", Currency="usd "), scope="US-EAST-1")

    assert (said(row), row["region_id"], row["currency"]) == (("price", ""), "us-east-1", "USD")


@pytest.mark.parametrize("kind", ["AWS Local Zone", "AWS Wavelength Zone"])
@pytest.mark.parametrize("scope", ["us-east-1", "us-gov-west-1", "eusc-de-east-1"])
def test_a_zone_under_the_code_of_its_region(source: SourceSql, kind: str, scope: str) -> None:
    """Its price is not the region's, which stands beside it: 32.7726 is loaded, 40 is not."""
    currency = "EUR" if scope.startswith("eusc") else "USD"
    region = line(Region_Code=scope, Currency=currency)

    rows = read(source, region | {"Location Type": kind, "PricePerUnit": "40"}, region, scope=scope)

    assert [said(row) for row in rows] == [("excluded", "zone under its region's code"), ("price", "")]


@pytest.mark.parametrize(
    ("scope", "kind"), [("us-west-2-lax-1", "AWS Local Zone"), ("us-east-1-wl1-chi1", "AWS Wavelength Zone")]
)
def test_a_zone_under_its_own_code_is_a_price(source: SourceSql, scope: str, kind: str) -> None:
    """Its own file, its own code."""
    assert [said(row) for row in read(source, line(Location_Type=kind, Region_Code=scope), scope=scope)] == [
        ("price", "")
    ]


@pytest.mark.parametrize(
    ("region", "currency"), [("eusc-de-east-1", "USD"), ("cn-north-1", "USD"), ("us-east-1", "EUR")]
)
def test_a_partition_has_one_currency(source: SourceSql, region: str, currency: str) -> None:
    """Euros in the European cloud, yuan in China, dollars elsewhere: anything else is no offer."""
    [row] = read(source, line(Region_Code=region, Currency=currency), scope=region)

    assert said(row) == ("rejected", "currency other than the scope's")
