"""What others got wrong about the GPUs of a size, each at the published price."""

from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pytest

from tests.faults.records import Fetch, item, line, published
from tests.warehouse.price_rows import Row, table

# fmt: off
LINES = [
    line("p5en.48xlarge", "84.8"), line("p5e.48xlarge", "72"), line("g6e.12xlarge", "10.49264", GPU="4"),
    line("g6.48xlarge", "13.3504"), line("g6f.large", "0.202", GPU="0.125"), line("g6f.xlarge", "0.24", GPU="0.125"),
    line("g6f.2xlarge", "0.48", GPU="0.25"), line("g6f.4xlarge", "0.96", GPU="0.5"),
    line("gr6f.4xlarge", "1.1", GPU="0.5"),
    line("g7e.2xlarge", "3.36312", GPU="1"), line("p3dn.24xlarge", "31.212"), line("p4d.24xlarge", "32.7726"),
    line("p4de.24xlarge", "40.96575"), line("p9.48xlarge", "200"), line("inf2.24xlarge", "6.49063", GPU="6"),
]
ITEMS = [
    item("Standard_ND96isr_H100_v5", "117.984"), item("Standard_NC48ads_A100_v4", "7.346"),
    item("Standard_NV6ads_A10_v5", "0.454"), item("Standard_NV12ads_A10_v5", "0.908"),
    item("Standard_NV18ads_A10_v5", "1.6"),
    item("Standard_NC40ads_H100_v5", "6.98"), item("Standard_NC80adis_H100_v5", "13.96"),
    item("Standard_NCC40ads_H100_v5", "6.98"), item("Standard_ND96asr_v4", "27.197"),
    item("Standard_ND96amsr_A100_v4", "32.77"), item("Standard_NC24ads_A100_v4", "3.673"),
    item("Standard_ND96isr_MI300X_v5", "48"), item("Standard_NV24ads_V710_v5", "2"),
    item("Standard_NZ96quantum_v9", "50"),
]
# fmt: on


@pytest.fixture(scope="module")
def sizes() -> Iterator[duckdb.DuckDBPyConnection]:
    """Prices of all of them."""
    tables = ("prices", "instance_types", "gpu_models", "unmapped_instance_types")
    with published(Fetch("us-east-1", LINES), Fetch("eastus/USD", ITEMS), tables=tables) as connection:
        yield connection


def size(connection: duckdb.DuckDBPyConnection, name: str) -> Row:
    """Its one price."""
    (row,) = table(connection, f"from prices where instance_type = '{name}'")
    return row


# fmt: off
@pytest.mark.parametrize(("name", "model", "count", "memory_gb", "per_gpu"), [
    ("p5en.48xlarge", "H200-141GB", 8, 1128, "10.6"),      # skypilot-org/skypilot#4652: NVIDIA; 8 x 141, 84.8 / 8
    ("p5e.48xlarge", "H200-141GB", 8, 1128, "9"),          # vantage-sh/ec2instances.info#776: eight of no model; 72 / 8
    ("g6e.12xlarge", "L40S", 4, 192, "2.62316"),           # aws/aws-cli#8970: the total for each; 4 x 48, 10.49264 / 4
    ("g6.48xlarge", "L4", 8, 192, "1.6688"),               # Cyclenerd/aws-pricing#1: 1430 GB; 8 x 24, 13.3504 / 8
    ("g6f.large", "L4", 0.125, 3, "1.616"),                # aws/aws-cli#9659: a count of 0; 0.202 x 8
    ("g6f.xlarge", "L4", 0.125, 3, "1.92"),                # DigitalPebble/spruce#265: an eighth cut to 0; 0.24 x 8
    ("g6f.2xlarge", "L4", 0.25, 6, "1.92"),                # 0.48 x 4
    ("g6f.4xlarge", "L4", 0.5, 12, "1.92"),                # 0.96 x 2
    ("gr6f.4xlarge", "L4", 0.5, 12, "2.2"),                # 1.1 x 2
    ("g7e.2xlarge", "RTX-PRO-6000", 1, 96, "3.36312"),     # vantage-sh/ec2instances.info#978: called GB202
    ("p3dn.24xlarge", "V100-32GB", 8, 256, "3.9015"),      # a patch in skypilot's fetch_aws.py: V100 of 16; 31.212 / 8
    ("p4d.24xlarge", "A100-40GB", 8, 320, "4.096575"),     # 32.7726 / 8
    ("p4de.24xlarge", "A100-80GB", 8, 640, "5.12071875"),  # sc-crawler's inspector: 40 GB; 40.96575 / 8
    ("Standard_ND96isr_H100_v5", "H100-80GB", 8, 640, "14.748"),           # Azure/azure-cli#31176: 12; 117.984 / 8
    ("Standard_NC48ads_A100_v4", "A100-PCIe-80GB", 2, 160, "3.673"),       # sc-crawler@68c9fa4: 1; 7.346 / 2
    ("Standard_NV6ads_A10_v5", "A10", 1 / 6, 4, "2.724"),                  # skypilot-org/skypilot#3708: 1; 0.454 x 6
    ("Standard_NV12ads_A10_v5", "A10", 1 / 3, 8, "2.724"),                 # 0.908 x 3
    ("Standard_NV18ads_A10_v5", "A10", 1 / 2, 12, "3.2"),                  # 1.6 x 2
    ("Standard_NC40ads_H100_v5", "H100-NVL-94GB", 1, 94, "6.98"),          # dstackai/gpuhunt#101: H100 of 80 GB
    ("Standard_NC80adis_H100_v5", "H100-NVL-94GB", 2, 188, "6.98"),        # dstackai/gpuhunt#220; 13.96 / 2
    ("Standard_NCC40ads_H100_v5", "H100-NVL-94GB", 1, 94, "6.98"),         # skypilot-catalog#79: no accelerator
    ("Standard_ND96asr_v4", "A100-40GB", 8, 320, "3.399625"),              # azure-docs#117824: 40 each; 27.197 / 8
    ("Standard_ND96amsr_A100_v4", "A100-80GB", 8, 640, "4.09625"),         # skypilot tells by family; 32.77 / 8
    ("Standard_NC24ads_A100_v4", "A100-PCIe-80GB", 1, 80, "3.673"),
    ("Standard_ND96isr_MI300X_v5", "MI300X", 8, 1536, "6"),                # gpuhunt drops the family; 8 x 192, 48 / 8
    ("Standard_NV24ads_V710_v5", "V710", 1, 24, "2"),                      # the same
])
# fmt: on
def test_a_size_is_priced_by_the_gpus_it_has(
    sizes: duckdb.DuckDBPyConnection, name: str, model: str, count: float, memory_gb: int, per_gpu: str
) -> None:
    """Model, number, memory of all of it, and the price of one whole GPU."""
    row = size(sizes, name)
    assert (row["gpu_model"], row["price_per_gpu_hour"]) == (model, Decimal(per_gpu))
    assert (row["gpu_count"], row["gpu_memory_gb"]) == (pytest.approx(count), memory_gb)


def test_an_unknown_family_is_published_and_listed(sizes: duckdb.DuckDBPyConnection) -> None:
    """vantage-sh/ec2instances.info#751 showed a new family with 0 GB; gpuhunt drops what its patterns don't know."""
    for name in ("p9.48xlarge", "Standard_NZ96quantum_v9"):
        row = size(sizes, name)
        assert (row["gpu_model"], row["price_per_gpu_hour"], row["gpu_memory_gb"]) == (None, None, None)
    unmapped = table(sizes, "from unmapped_instance_types")
    assert [row["instance_type"] for row in unmapped] == ["p9.48xlarge", "Standard_NZ96quantum_v9"]


def test_a_chip_for_inference_is_no_gpu(sizes: duckdb.DuckDBPyConnection) -> None:
    """dstackai/gpuhunt#169: no GpuInfo, though the price list counts six."""
    assert table(sizes, "from prices where instance_type like 'inf%'") == []


def test_rtx_pro_6000_is_blackwell_of_12_0(sizes: duckdb.DuckDBPyConnection) -> None:
    """vantage-sh/ec2instances.info#979: compute capability 10.0."""
    (row,) = table(sizes, "from gpu_models where gpu_model = 'RTX-PRO-6000'")
    assert row["compute_capability"] == "12.0"
