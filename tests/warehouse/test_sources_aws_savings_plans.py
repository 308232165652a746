"""What the lines of AWS's Savings Plans files say in our words: prices by hand, a reason for each that gives none."""

import csv
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest

from tests.warehouse.source_sql import COLUMNS, Row, SourceSql, open_source, utc

FIXTURE = Path(__file__).parents[1] / "fixtures" / "aws_savings_plans" / "index.csv"
SEEN_AT = utc(2025, 9, 12)

# p4d.24xlarge in us-east-1, 1 year No Upfront: AWS's rate of April 2025 for the reserved instance and for the plan.
P4D = {
    "SKU": "MADEUPEC2NOUPF1Y",
    "RateCode": "MADEUPEC2NOUPF1Y.H7NGEAC6UEHNTKSJ",
    "Unit": "Hrs",
    "EffectiveDate": "2025-09-11T18:44:47Z",
    "DiscountedRate": "20.175498",
    "Currency": "USD",
    "DiscountedSKU": "H7NGEAC6UEHNTKSJ",
    "DiscountedServiceCode": "AmazonEC2",
    "DiscountedUsageType": "BoxUsage:p4d.24xlarge",
    "DiscountedOperation": "RunInstances",
    "PurchaseOption": "No Upfront",
    "LeaseContractLength": "1",
    "LeaseContractLengthUnit": "year",
    "Product Family": "EC2InstanceSavingsPlans",
    "DiscountedRegionCode": "us-east-1",
    "DiscountedInstanceType": "p4d.24xlarge",
}


@pytest.fixture(scope="module")
def source() -> Iterator[SourceSql]:
    """The .sql on the real reference tables."""
    yield from open_source("aws_savings_plans")


def line(**cells: str | None) -> dict[str, str]:
    """The p4d line with other cells; `_` in a name stands for a blank, None leaves a cell out."""
    changed = P4D | {name.replace("_", " "): cell for name, cell in cells.items()}
    return {name: cell for name, cell in changed.items() if cell is not None}


def one(source: SourceSql, **cells: str | None) -> Row:
    """The row of one line."""
    (row,) = source.read("us-east-1", [line(**cells)], SEEN_AT)
    return row


def test_a_rate_is_the_price_of_an_hour(source: SourceSql) -> None:
    """20.175498 an hour over 8,760 hours are 176737.36248; nothing is paid at the start beside it."""
    row = one(source)

    assert (row["outcome"], row["reason"]) == ("price", "")
    assert row["hourly_price"] == row["effective_hourly_price"] == Decimal("20.175498")
    assert (row["upfront_price"], row["total_price"]) == (0, Decimal("176737.362480"))
    assert (row["purchase_option"], row["offering_class"], row["payment_option"]) == (
        "savings_plan",
        "ec2_instance",
        "no_upfront",
    )
    assert (row["term_months"], row["operating_system"], row["region_id"]) == (12, "linux", "us-east-1")
    assert (row["sku_id"], row["rate_id"]) == ("H7NGEAC6UEHNTKSJ", "MADEUPEC2NOUPF1Y.H7NGEAC6UEHNTKSJ")


def test_two_plans_of_one_product_are_two_prices(source: SourceSql) -> None:
    """The kind of plan is in the key: in one public loader the later rate of a SKU overwrites the earlier."""
    rows = source.read(
        "us-east-1", [line(), line(Product_Family="ComputeSavingsPlans", DiscountedRate="23.2")], SEEN_AT
    )

    assert [(row["offering_class"], row["hourly_price"]) for row in rows] == [
        ("ec2_instance", Decimal("20.175498")),
        ("compute", Decimal("23.2")),
    ]


def test_all_upfront_is_the_same_rate_paid_ahead(source: SourceSql) -> None:
    """13.5 an hour for 26,280 hours are 354,780; the rate is all in, so no upfront is added."""
    row = one(source, PurchaseOption="All Upfront", LeaseContractLength="3", DiscountedRate="13.5")

    assert (row["payment_option"], row["term_months"]) == ("all_upfront", 36)
    assert (row["hourly_price"], row["upfront_price"], row["total_price"]) == (Decimal("13.5"), 0, 354780)


@pytest.mark.parametrize(
    ("usage", "region"),
    [("BoxUsage:p4d.24xlarge", "us-east-1"), ("USW2-LAX1-BoxUsage:p4d.24xlarge", "us-east-1")],
)
def test_a_prefix_of_the_usage_is_a_place(source: SourceSql, usage: str, region: str) -> None:
    """Its code may have several parts."""
    assert one(source, DiscountedUsageType=usage)["outcome"] == "price"


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"DiscountedServiceCode": "AmazonECS"}, "another service"),
        ({"DiscountedInstanceType": "m5.large"}, "not a GPU"),
        ({"DiscountedUsageType": "USW2-DedicatedUsage:p4d.24xlarge"}, "usage DedicatedUsage"),
        ({"DiscountedUsageType": "UnusedBox:p4d.24xlarge"}, "usage UnusedBox"),
        ({"DiscountedOperation": "RunInstances:0010"}, "operating system RHEL"),
        ({"DiscountedOperation": "RunInstances:000g"}, "operating system SUSE"),
        ({"DiscountedOperation": "RunInstances:0g00"}, "operating system Ubuntu Pro"),
        ({"DiscountedOperation": "RunInstances:0g00:CB"}, "capacity block"),
        ({"DiscountedOperation": "RunInstances:0800"}, "bring your own license"),
        ({"DiscountedOperation": "RunInstances:0102"}, "with SQL Server"),
        ({"DiscountedRegionCode": "us-east-1-bos-1"}, "own scope"),
    ],
)
def test_what_is_out_of_scope_is_excluded_by_name(source: SourceSql, cells: dict[str, str], reason: str) -> None:
    """Known, and no list price of a shared Linux or Windows instance here."""
    row = one(source, **cells)

    assert (row["outcome"], row["reason"]) == ("excluded", reason)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"DiscountedOperation": "RunInstances:ffff"}, "unknown DiscountedOperation"),
        ({"DiscountedOperation": "Linux"}, "unknown DiscountedOperation"),
        ({"DiscountedUsageType": "QuantumUsage:p4d.24xlarge"}, "unknown DiscountedUsageType"),
        ({"DiscountedUsageType": "BoxUsage:p4de.24xlarge"}, "usage of another size"),
        ({"DiscountedServiceCode": None}, "no DiscountedServiceCode"),
        ({"Product_Family": "DatabaseSavingsPlans"}, "unknown Product Family"),
        ({"Product_Family": "Compute"}, "unknown Product Family"),
        ({"PurchaseOption": "Some Upfront"}, "unknown PurchaseOption"),
        ({"LeaseContractLength": "5"}, "term 5 year"),
        ({"LeaseContractLength": "1.4"}, "unknown LeaseContractLength"),  # DuckDB would round it to 1
        ({"LeaseContractLength": "3000"}, "unknown LeaseContractLength"),  # 36,000 months fit no SMALLINT
        ({"LeaseContractLengthUnit": "month"}, "unknown LeaseContractLength"),
        ({"Unit": "Quantity"}, "unknown Unit"),
        ({"Currency": "CNY"}, "currency other than the scope's"),
        ({"DiscountedRate": "free"}, "unreadable DiscountedRate"),
        ({"DiscountedRate": "20_175498"}, "unreadable DiscountedRate"),  # DuckDB would read twenty million
        ({"DiscountedRate": "0"}, "price is zero"),
        ({"DiscountedRate": "-1"}, "price below zero"),
        ({"DiscountedRate": "99999999999"}, "price out of range"),
        ({"DiscountedRegionCode": "eu-west-1"}, "another region"),
        ({"DiscountedSKU": None}, "no DiscountedSKU, RateCode or DiscountedInstanceType"),
    ],
)
def test_what_nobody_foresaw_is_rejected(source: SourceSql, cells: dict[str, str | None], reason: str) -> None:
    """Strict about input: never a default, never dropped."""
    row = one(source, **cells)

    assert (row["outcome"], row["reason"]) == ("rejected", reason)


def test_every_line_of_the_file_has_an_outcome_in_any_order(source: SourceSql) -> None:
    """Ten lines: three prices of Linux, one of Windows; RHEL, Dedicated and unused are out, the rest another's."""
    with FIXTURE.open(newline="") as file:
        for _ in range(5):
            next(file)
        lines = [{name: cell for name, cell in row.items() if cell} for row in csv.DictReader(file)]
    rows = source.read("us-east-1", lines, SEEN_AT)
    prices = sorted(
        (row["operating_system"], row["offering_class"], row["hourly_price"])
        for row in rows
        if row["outcome"] == "price"
    )

    assert len(rows) == 10
    assert [(system, kind, str(price.normalize())) for system, kind, price in prices] == [
        ("linux", "compute", "13.5"),
        ("linux", "compute", "23.2"),
        ("linux", "ec2_instance", "20.175498"),
        ("windows", "ec2_instance", "24.591498"),
    ]
    Random(1).shuffle(lines)
    again = source.read("us-east-1", lines, SEEN_AT)
    told = [sorted(str({**row, "record_id": 0}) for row in some) for some in (rows, again)]
    assert told[0] == told[1]


def test_the_columns_are_those_of_every_source(source: SourceSql) -> None:
    """Names, order and types."""
    one(source)
    assert source.columns() == COLUMNS
