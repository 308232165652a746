"""Products of the EC2 price list: the columns that describe what is sold.

Column names, their order and the odd letter case are those of the bulk file of 2025-09-12 (version 20250912225308).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

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

# Region code -> (Location, prefix of usageType). The price list has "EU (Ireland)", the SDK "Europe (Ireland)".
# (Ireland)".
PLACES: Mapping[str, tuple[str, str]] = {
    "us-east-1": ("US East (N. Virginia)", ""),
    "us-west-2": ("US West (Oregon)", "USW2-"),
    "eu-west-1": ("EU (Ireland)", "EU-"),
}
OLD_GENERATIONS = ("g2", "g3", "g3s", "p2", "p3")
UNLISTED_FAMILIES = {"f1": "FPGA Instances", "f2": "FPGA Instances", "vt1": "Media Accelerator Instances"}
SKU_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Product:
    """Something with one SKU in one region. `software` is how descriptions call its system: "Linux", "Windows BYOL"."""

    sku: str
    instance_type: str
    software: str
    attributes: Mapping[str, str] = field(hash=False)


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
        | _machine(instance_type)
        | {
            "Tenancy": "Shared",
            "Operating System": "Linux",
            "License Model": "No License required",
            "usageType": f"{PLACES[region][1]}{usage}:{instance_type}",
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
    attributes = _place(region) | {"Product Family": family, "usageType": PLACES[region][1] + usage_type} | given
    return Product(made_up_sku(region, family, usage_type), "", "", attributes)


def _place(region: str) -> dict[str, str]:
    return {
        "serviceCode": "AmazonEC2",
        "Location": PLACES[region][0],
        "Location Type": "AWS Region",
        "Region Code": region,
        "serviceName": "Amazon Elastic Compute Cloud",
    }


def _machine(instance_type: str) -> dict[str, str]:
    known = instance_types().get(instance_type, {})
    family, _, size = instance_type.partition(".")
    metal = size.startswith("metal")
    return {
        "Product Family": "Compute Instance (bare metal)" if metal else "Compute Instance",
        "Instance Type": instance_type,
        "Current Generation": "No" if family in OLD_GENERATIONS else "Yes",
        "Instance Family": known.get("family") or UNLISTED_FAMILIES[family],
        "vCPU": known.get("vcpu", ""),
        "Physical Processor": "AWS Graviton2 Processor" if family.endswith("g") else "Intel Xeon Family",
        "Clock Speed": "2.5 GHz",
        "Memory": known.get("memory", "NA"),
        "Storage": known.get("storage", "EBS only"),
        "Network Performance": known.get("network", "NA"),
        "Processor Architecture": "64-bit",
        "Dedicated EBS Throughput": "Up to 10000 Mbps",
        "GPU": known.get("gpu", "") or {"x1e": "NA", "i3en": "0"}.get(family, ""),
        "GPU Memory": known.get("gpu_memory", "") or "NA",
        "Normalization Size Factor": "NA" if metal else "4",
        "Processor Features": "Intel AVX; Intel AVX2; Intel Turbo",
    }
