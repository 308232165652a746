"""Recorded attributes of AWS instance types -> aws_types.csv: what a price list line says about the machine.

From the pricing pages of 2025-04-04 (family, vCPU, memory, storage, network) and, for newer types and for counts,
from the DescribeInstanceTypes dump in moto 5.2.5. Used only to build the table.
"""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from connectors.sandbox.facts import plain
from connectors.sandbox.recorded_aws import NOT_GPU_FAMILIES, table_rows

ORDINARY_COLUMNS = ("instance_type", "price")
TYPE_COLUMNS = ("instance_type", "family", "vcpu", "memory", "storage", "network", "gpu", "gpu_memory")

# GPUs of types that are in neither recording with a count. Source: aws.amazon.com/ec2/instance-types, previous
# generations.
OLDER_GPUS: Mapping[str, tuple[str, str]] = {
    "g2.2xlarge": ("1", "4 GB"),
    "g2.8xlarge": ("4", "16 GB"),
    "g3s.xlarge": ("1", "8 GB"),
    "g3.4xlarge": ("1", "8 GB"),
    "g3.8xlarge": ("2", "16 GB"),
    "g3.16xlarge": ("4", "32 GB"),
    "g4ad.xlarge": ("1", "8 GB"),
    "g4ad.2xlarge": ("1", "8 GB"),
    "g4ad.4xlarge": ("1", "8 GB"),
    "g4ad.8xlarge": ("2", "16 GB"),
    "g4ad.16xlarge": ("4", "32 GB"),
    "p2.xlarge": ("1", "12 GB"),
    "p2.8xlarge": ("8", "96 GB"),
    "p2.16xlarge": ("16", "192 GB"),
    "p3.2xlarge": ("1", "16 GB"),
    "p3.8xlarge": ("4", "64 GB"),
    "p3.16xlarge": ("8", "128 GB"),
    "dl1.24xlarge": ("8", "256 GB"),
}
# A file of 2024-05-28 has "NA" for p4d; it stands for all whose memory the list doesn't tell.
UNTOLD_MEMORY = ("p3dn.24xlarge", "p4d.24xlarge", "p5.48xlarge")


def aws_types(folder: Path) -> Iterator[list[str]]:
    """Rows of aws_types.csv, sorted by type."""
    found: dict[str, list[str]] = {}
    for name, described in descriptions(folder).items():
        found[name] = _from_description(name, described)
    for row in table_rows(folder, "aws_gpu_ondemand_all_regions_2025-04.csv"):
        name = row["instance_type"]
        gpu, memory = tuple(found[name][6:8]) if name in found else OLDER_GPUS.get(name, ("", ""))
        shown = [row[column] for column in ("instance_family", "vcpu", "memory", "storage", "network_performance")]
        found[name] = [name, *shown, gpu, memory]
    for name in UNTOLD_MEMORY:
        found[name][7] = "NA"
    yield from (found[name] for name in sorted(found))


def descriptions(folder: Path) -> dict[str, Any]:
    """Recorded entries of DescribeInstanceTypes by type."""
    path = folder / "aws" / "describe_instance_types" / "moto-5.2.5_accelerated.json"
    return {entry["InstanceType"]: entry for entry in json.loads(path.read_text())["InstanceTypes"]}


def _from_description(name: str, described: Mapping[str, Any]) -> list[str]:
    disks = described.get("InstanceStorageInfo", {}).get("Disks", [])
    storage = f"{disks[0]['Count']} x {disks[0]['SizeInGB']} NVMe SSD" if disks else "EBS only"
    return [
        name,
        "GPU instance" if "GpuInfo" in described else "Machine Learning ASIC Instances",
        str(described["VCpuInfo"]["DefaultVCpus"]),
        f"{described['MemoryInfo']['SizeInMiB'] // 1024} GiB",
        storage,
        described["NetworkInfo"]["NetworkPerformance"],
        *_accelerators(described),
    ]


def _accelerators(described: Mapping[str, Any]) -> tuple[str, str]:
    """(GPU cell, GPU Memory cell): a slice counts as its share, and a chip that is no GPU stands in the same column."""
    if "GpuInfo" in described:
        gpus = described["GpuInfo"]["Gpus"][0]
        mib = described["GpuInfo"]["TotalGpuMemoryInMiB"]
        share = gpus["LogicalGpuCount"] * gpus["GpuPartitionSize"]
        # 24 and 48 GB cards are reported in powers of ten (22888 MiB), the others in powers of two.
        gigabytes = mib // 1024 if mib % 1024 == 0 else round(mib * 1.048576 / 1000)
        return f"{share:g}", f"{gigabytes} GB"
    chips = (
        described.get("NeuronInfo", {}).get("NeuronDevices") or described["InferenceAcceleratorInfo"]["Accelerators"]
    )
    return str(chips[0]["Count"]), "NA"


def aws_ordinary(folder: Path) -> Iterator[tuple[str, str]]:
    """Rows of aws_ordinary.csv: types without a GPU or the like, with their Linux price in us-east-1 on 2026-07-20."""
    history = table_rows(folder, "aws_accel_ondemand_snapshots_2022_2026_karpenter.csv")
    accelerated = {row["instance_type"] for row in history}
    prices = {}
    for row in table_rows(folder, "aws_ondemand_karpenter_latest.csv"):
        name = row["instance_type"]
        if row["region"] == "us-east-1" and name not in accelerated and name.split(".")[0] not in NOT_GPU_FAMILIES:
            prices[name] = plain(Decimal(row["price_hr"]))
    yield from sorted(prices.items())
