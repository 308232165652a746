"""Words and numbers written as nobody has met them yet: a price is right or it is no price, in either cloud."""

from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pytest

from tests.faults.records import Fetch, Row, item, line, outcomes, prices_of, published
from tests.warehouse.price_rows import table

SERIES = "Virtual Machines NDsr H100 v5 Series"
# Each size once, so that every odd record stands alone: a fetch of one line each would take a minute.
AWS: list[tuple[str, Row]] = [
    ("p5.48xlarge", line(" P5.48xlarge ", "98.32")),
    ("p4d.24xlarge", line("p4d.24xlarge", "1_098.32")),
    ("p4de.24xlarge", line("p4de.24xlarge", "4.096575e1")),
    ("g4dn.xlarge", line("g4dn.xlarge", "1e400")),
    ("g4dn.2xlarge", line("g4dn.2xlarge", "-0.752")),
    ("g5.xlarge", line("g5.xlarge", "NaN")),
    ("g5.2xlarge", line("g5.2xlarge", "$1.212")),
    ("g6.xlarge", line("g6.xlarge", "0.8048", operation="RunInstances:9999")),
    ("g6.2xlarge", line("g6.2xlarge", "0.9776", MarketOption="Capacity Block")),
    ("g6e.xlarge", line("g6e.xlarge", "1.861", Location_Type="AWS Outpost")),
    ("g6e.2xlarge", line("g6e.2xlarge", "2.24208", Region_Code="US-East-1 ")),
    ("g6f.4xlarge", line("g6f.4xlarge", "0.96", GPU="0.5 ")),
    ("g4dn.4xlarge", line("g4dn.4xlarge", "1.204", Currency="EUR")),
    ("g4dn.8xlarge", line("g4dn.8xlarge", "2.176", EndingRange="100")),
]
AZURE: list[tuple[str, Row]] = [
    ("Standard_ND96isr_H100_v5", item("Standard_ND96isr_H100_v5", "120", productName=f"{SERIES} Windows Server")),
    ("Standard_NC24ads_A100_v4", item("Standard_NC24ads_A100_v4", "4.777", productName="NCads A100 v4 SeriesWin")),
    ("Standard_NC48ads_A100_v4", item("Standard_NC48ads_A100_v4", "9.554", productName="NCads A100 v4 WinSrv")),
    ("Standard_NC96ads_A100_v4", item("Standard_NC96ads_A100_v4", "2.9", meterName="NC96ads A100 v4 LowPri")),
    ("Standard_NC40ads_H100_v5", item("Standard_NC40ads_H100_v5", "1.4", skuName="NC40ads H100 v5 Preemptible")),
    ("Standard_NC80adis_H100_v5", item("Standard_NC80adis_H100_v5", "7", meterName="NC80adis H100 v5 Promo")),
    ("Standard_NV6ads_A10_v5", item("Standard_NV6ads_A10_v5", "0.454", serviceName="virtual machines ")),
    ("Standard_NV12ads_A10_v5", item("Standard_NV12ads_A10_v5", "0_908")),
    ("Standard_NV18ads_A10_v5", item("Standard_NV18ads_A10_v5", "1.6e0")),
    ("Standard_NV36ads_A10_v5", item("Standard_NV36ads_A10_v5", "3.2", currencyCode="EUR")),
    ("Standard_NC4as_T4_v3", item("Standard_NC4as_T4_v3", "52.6", unitOfMeasure="100 Hours")),
    ("Standard_ND96amsr_A100_v4", item("Standard_ND96amsr_A100_v4", "-32.77")),
]


@pytest.fixture(scope="module")
def odd() -> Iterator[duckdb.DuckDBPyConnection]:
    """One fetch of each cloud, all of it odd."""
    fetches = Fetch("us-east-1", [row for _, row in AWS]), Fetch("eastus/USD", [row for _, row in AZURE])
    with published(*fetches, tables=("prices", "rejected_rows", "unmapped_instance_types")) as connection:
        yield connection


@pytest.mark.parametrize(
    ("size", "hourly"),
    [
        ("p5.48xlarge", "98.32"),  # a size is the same in any case and with blanks around it
        ("p4de.24xlarge", "40.96575"),  # 4.096575e1
        ("g6e.2xlarge", "2.24208"),
        ("g6f.4xlarge", "0.96"),
        ("Standard_NV6ads_A10_v5", "0.454"),
        ("Standard_NV18ads_A10_v5", "1.6"),
    ],
)
def test_what_can_be_read_is_a_price(odd: duckdb.DuckDBPyConnection, size: str, hourly: str) -> None:
    """Case, blanks and exponents change no meaning; skypilot's join lost WestUS3 beside westus3 for less."""
    (row,) = prices_of(odd, size)
    assert (row["hourly_price"], row["gpu_model"] is None) == (Decimal(hourly), False)


@pytest.mark.parametrize(
    ("size", "hourly"),
    [
        ("Standard_ND96isr_H100_v5", "120"),
        ("Standard_NC24ads_A100_v4", "4.777"),
        ("Standard_NC48ads_A100_v4", "9.554"),
    ],
)
def test_windows_in_any_spelling_is_no_linux(odd: duckdb.DuckDBPyConnection, size: str, hourly: str) -> None:
    """skypilot's fetch_azure.py met "Srs Win"; one that is glued to its neighbour is Windows as well."""
    assert prices_of(odd, size) == []
    (row,) = prices_of(odd, size, operating_system="windows")
    assert row["hourly_price"] == Decimal(hourly)


@pytest.mark.parametrize(
    ("size", "reason"),
    [
        ("p4d.24xlarge", "unreadable PricePerUnit"),  # the engine's own way of writing numbers is nobody's price
        ("g4dn.xlarge", "unreadable PricePerUnit"),
        ("g4dn.2xlarge", "price below zero"),
        ("g5.xlarge", "unreadable PricePerUnit"),
        ("g5.2xlarge", "unreadable PricePerUnit"),
        ("g6.xlarge", "unknown operation"),
        ("g6.2xlarge", "unknown MarketOption"),
        ("g6e.xlarge", "unknown Location Type"),
        ("g4dn.4xlarge", "currency other than the scope's"),
        ("g4dn.8xlarge", "price in tiers"),
        ("Standard_NC40ads_H100_v5", "unforeseen meter name"),
        ("Standard_NV12ads_A10_v5", "unreadable price"),
        ("Standard_NV36ads_A10_v5", "currency other than the scope's"),
        ("Standard_NC4as_T4_v3", "unknown unitOfMeasure"),
        ("Standard_ND96amsr_A100_v4", "price below zero"),
    ],
)
def test_what_nobody_foresaw_is_rejected(odd: duckdb.DuckDBPyConnection, size: str, reason: str) -> None:
    """dstackai/gpuhunt#36 and skypilot-org/skypilot#3615: a record that wasn't understood passed for a price."""
    assert table(odd, f"from prices where instance_type = '{size}'") == []
    rows = table(odd, f"from rejected_rows where instance_type = '{size}'")
    assert [row["reason"] for row in rows] == [reason]


def test_a_lower_tier_is_never_on_demand(odd: duckdb.DuckDBPyConnection) -> None:
    """flexera/policy_templates#1334 took cheaper tiers for the price: LowPri and Promo are excluded by name."""
    assert outcomes(odd, "eastus/USD")["exclusions"] == {"Low Priority": 1, "promotional price": 1}
    assert prices_of(odd, "Standard_NC96ads_A100_v4") == prices_of(odd, "Standard_NC80adis_H100_v5") == []


def test_no_spelling_makes_a_size_of_its_own(odd: duckdb.DuckDBPyConnection) -> None:
    """A second P5 beside p5 would have a price, and no GPU."""
    assert table(odd, "from unmapped_instance_types") == []
