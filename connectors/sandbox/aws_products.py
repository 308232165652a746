"""Products of the EC2 price list: the columns that describe what is sold.

Column names, their order and the odd letter case are those of the bulk file of 2025-09-12 (version 20250912225308).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from connectors.sandbox.facts import read_table

TERM_COLUMNS = (
    "SKU,OfferTermCode,RateCode,TermType,PriceDescription,EffectiveDate,StartingRange,EndingRange,Unit,"
    "PricePerUnit,Currency,RelatedTo,LeaseContractLength,PurchaseOption,OfferingClass"
).split(",")
PRODUCT_COLUMNS = (
    "Product Family,serviceCode,Location,Location Type,Instance Type,Current Generation,Instance Family,vCPU,"
    "Physical Processor,Clock Speed,Memory,Storage,Network Performance,Processor Architecture,Storage Media,"
    "Volume Type,Max Volume Size,Max IOPS/volume,Max IOPS Burst Performance,Max throughput/volume,Provisioned,"
    "Tenancy,EBS Optimized,Operating System,License Model,Group,Group Description,Transfer Type,From Location,"
    "From Location Type,To Location,To Location Type,usageType,operation,AvailabilityZone,CapacityStatus,"
    "ClassicNetworkingSupport,Dedicated EBS Throughput,ECU,Elastic Graphics Type,Enhanced Networking Supported,"
    "From Region Code,GPU,GPU Memory,Instance,Instance Capacity - 10xlarge,Instance Capacity - 12xlarge,"
    "Instance Capacity - 16xlarge,Instance Capacity - 18xlarge,Instance Capacity - 24xlarge,"
    "Instance Capacity - 2xlarge,Instance Capacity - 32xlarge,Instance Capacity - 4xlarge,"
    "Instance Capacity - 8xlarge,Instance Capacity - 9xlarge,Instance Capacity - large,"
    "Instance Capacity - medium,Instance Capacity - metal,Instance Capacity - xlarge,instanceSKU,"
    "Intel AVX2 Available,Intel AVX Available,Intel Turbo Available,MarketOption,Normalization Size Factor,"
    "Physical Cores,Pre Installed S/W,Processor Features,Product Type,Region Code,Resource Type,serviceName,"
    "SnapshotArchiveFeeType,To Region Code,Volume API Name,VPCNetworkingSupport"
).split(",")

OLD_GENERATIONS = ("g2", "g3", "g3s", "p2", "p3")
UNLISTED_FAMILIES = {"f1": "FPGA Instances", "f2": "FPGA Instances", "vt1": "Media Accelerator Instances"}
# (name, GiB per vCPU) of a family without an accelerator, by its first letter; rounded, these are nobody's GPU.
ORDINARY: Mapping[str, tuple[str, int]] = {
    "c": ("Compute optimized", 2),
    "d": ("Storage optimized", 8),
    "h": ("Storage optimized", 4),
    "i": ("Storage optimized", 8),
    "m": ("General purpose", 4),
    "r": ("Memory optimized", 8),
    "t": ("General purpose", 4),
    "u": ("Memory optimized", 30),
    "x": ("Memory optimized", 30),
    "z": ("Memory optimized", 8),
}
# What the real file has in the GPU column of some types without one.
ODD_GPU_CELLS = {"i3en": "0", "x1e": "NA"}
SKU_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Product:
    """Something with one SKU in one region. `software` is how descriptions call its system: "Linux", "Windows BYOL"."""

    sku: str
    instance_type: str
    software: str
    attributes: Mapping[str, str] = field(hash=False)


class Place(NamedTuple):
    """How the price list writes a location. It has "EU (Ireland)" where the SDK has "Europe (Ireland)"."""

    location: str
    location_type: str
    prefix: str  # of usageType, with its hyphen


@lru_cache(maxsize=1)
def places() -> Mapping[str, Place]:
    """Location by region code."""
    rows = read_table("aws_locations.csv")
    return {row["region"]: Place(row["location"], row["location_type"], row["prefix"]) for row in rows}


def place_of(region: str) -> Place:
    """The place of a code; for one that nobody recorded, a made-up Local Zone."""
    return places().get(region) or Place(f"Unheard-of ({region})", "AWS Local Zone", "XXX1-")


@lru_cache(maxsize=1)
def instance_types() -> Mapping[str, Mapping[str, str]]:
    """Recorded attributes by instance type."""
    return {row["instance_type"]: row for row in read_table("aws_types.csv")}


def made_up_sku(*words: str) -> str:
    """A SKU of 16 letters that is always the same for the same words; for products whose own wasn't recorded."""
    digest = hashlib.sha256("|".join(words).encode()).digest()
    return "".join(SKU_LETTERS[byte % len(SKU_LETTERS)] for byte in digest[:16])


def compute(region: str, instance_type: str, software: str = "Linux", sku: str = "", **columns: str) -> Product:
    """An instance of a type. `columns` (blanks as underscores) replace the cells of a shared, used, Linux instance."""
    given = {name.replace("_", " "): text for name, text in columns.items()}
    usage = given.pop("usage", "BoxUsage")
    attributes = (
        _place(region)
        | dict(_machine(instance_type))
        | {
            "Tenancy": "Shared",
            "Operating System": "Linux",
            "License Model": "No License required",
            "usageType": f"{place_of(region).prefix}{usage}:{instance_type}",
            "operation": "RunInstances",
            "AvailabilityZone": "NA",
            "CapacityStatus": "Used",
            "ClassicNetworkingSupport": "false",
            "ECU": "NA",
            "Enhanced Networking Supported": "Yes",
            "Intel AVX2 Available": "Yes",
            "Intel AVX Available": "Yes",
            "Intel Turbo Available": "Yes",
            "MarketOption": "OnDemand",
            "Pre Installed S/W": "NA",
            "VPCNetworkingSupport": "true",
        }
        | given
    )
    told = ("Location Type", "Tenancy", "License Model", "usageType", "operation", "Pre Installed S/W", "MarketOption")
    return Product(
        sku or made_up_sku(region, *(attributes[name] for name in told)), instance_type, software, attributes
    )


def other(region: str, family: str, usage_type: str, **columns: str) -> Product:
    """Something without an instance type: storage, data transfer, an address."""
    given = {name.replace("_", " "): text for name, text in columns.items()}
    attributes = _place(region) | {"Product Family": family, "usageType": place_of(region).prefix + usage_type} | given
    return Product(made_up_sku(region, family, usage_type), "", "", attributes)


def _place(region: str) -> dict[str, str]:
    place = place_of(region)
    return {
        "serviceCode": "AmazonEC2",
        "Location": place.location,
        "Location Type": place.location_type,
        "Region Code": region,
        "serviceName": "Amazon Elastic Compute Cloud",
    }


@lru_cache(maxsize=4096)
def _machine(instance_type: str) -> Mapping[str, str]:
    known = instance_types().get(instance_type) or _ordinary(instance_type)
    family, _, size = instance_type.partition(".")
    metal = size.startswith("metal")
    return {
        "Product Family": "Compute Instance (bare metal)" if metal else "Compute Instance",
        "Instance Type": instance_type,
        "Current Generation": "No" if family in OLD_GENERATIONS else "Yes",
        "Instance Family": known["family"],
        "vCPU": known["vcpu"],
        "Physical Processor": "AWS Graviton2 Processor" if family.endswith("g") else "Intel Xeon Family",
        "Clock Speed": "2.5 GHz",
        "Memory": known["memory"],
        "Storage": known["storage"],
        "Network Performance": known["network"],
        "Processor Architecture": "64-bit",
        "Dedicated EBS Throughput": "Up to 10000 Mbps",
        "GPU": known["gpu"] or ODD_GPU_CELLS.get(family, ""),
        "GPU Memory": known["gpu_memory"] or "NA",
        "Normalization Size Factor": "NA" if metal else "4",
        "Processor Features": "Intel AVX; Intel AVX2; Intel Turbo",
    }


def _ordinary(instance_type: str) -> Mapping[str, str]:
    family, _, size = instance_type.partition(".")
    name, memory = ORDINARY.get(family[0], ("General purpose", 4))
    vcpu = 96 if "metal" in size else 4 * int(size[:-6]) if size[0].isdigit() else {"xlarge": 4}.get(size, 2)
    unlisted = UNLISTED_FAMILIES.get(family)
    return {
        "family": unlisted or name,
        "vcpu": "" if unlisted else str(vcpu),
        "memory": "NA" if unlisted else f"{vcpu * memory:,} GiB",
        "storage": "EBS only",
        "network": "NA" if unlisted else "Up to 10 Gigabit",
        "gpu": "",
        "gpu_memory": "",
    }
