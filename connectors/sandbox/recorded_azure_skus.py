"""Recorded answers of Azure Resource Manager about SKUs -> azure_skus.csv and azure_sku_places.csv.

Which GPU size is in which region, in which zones and whether it is restricted, was recorded of 39 regions on
2026-08-01 (sku-locator), with a few of the capabilities. All capabilities of some sizes, and everything that is no
GPU, are from answers for eastus of 2020 and southcentralus of 2025-06-03. Used only to build the tables.
"""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from connectors.sandbox.facts import plain
from connectors.sandbox.recorded_aws import table_rows

SKU_COLUMNS = ("resource_type", "name", "tier", "size", "family", "capabilities")
PLACE_COLUMNS = ("region", "name", "zones", "restrictions", "spot")
WHOLE_ANSWERS = (
    "resource_skus_eastus_full_skewer_2020.json",
    "resource_skus_southcentralus_recomposed_2025-06-03.json",  # later, so it goes before
)
# What sku-locator kept of the capabilities -> the capability.
KEPT = {
    "vcpus": "vCPUs",
    "memory_gb": "MemoryGB",
    "max_data_disks": "MaxDataDiskCount",
    "max_nics": "MaxNetworkInterfaces",
    "cpu_architecture": "CpuArchitectureType",
    "hyperv_generations": "HyperVGenerations",
}
# Of sizes whose `GPUs` nobody recorded in a whole answer, what it says, if it isn't 1. Reported as wrong: 12 of
# ND96isr_H100_v5 (Azure/azure-cli#31176), 1 of NC48ads_A100_v4, which has two; and none is told of the last three.
TOLD_GPUS = {
    "Standard_NC96ads_A100_v4": "4",
    "Standard_NC64as_T4_v3": "4",
    "Standard_NC80adis_H100_v5": "2",
    "Standard_NC288ds_xl_RTXPRO6000BSE_v6": "2",
    "Standard_NC288lds_xl_RTXPRO6000BSE_v6": "2",
    "Standard_NV72ads_A10_v5": "2",
    "Standard_ND96asr_v4": "8",
    "Standard_ND96amsr_A100_v4": "8",
    "Standard_ND96isr_H100_v5": "12",
    "Standard_ND96isr_H200_v5": "8",
    "Standard_ND96isr_MI300X_v5": "8",
    "Standard_ND96is_MI300X_v5": "",
    "Standard_ND128isr_NDR_GB200_v6": "",
    "Standard_ND128isr_GB300_v6": "",
}
OTHER_KINDS = {("availabilitySets", "Aligned"), ("disks", "Premium_LRS"), ("snapshots", "Premium_LRS")}
ONE_OF = 16  # of what is no GPU size, so many are left out for one that is kept


def azure_skus(folder: Path) -> Iterator[list[str]]:
    """Rows of azure_skus.csv: each GPU size with what is told of it, and a few other SKUs."""
    whole = _whole_answers(folder)
    sizes = {row["name"]: row for row in table_rows(folder, "azure_gpu_resource_skus_2026-08-01.csv")}
    for name in sorted(sizes):
        sku = whole.get(("virtualMachines", name), {})
        told = _capabilities(sku) | _kept(sizes[name])
        if not sku:
            told |= _made_up(name, told["vCPUs"])
        short = name.removeprefix("Standard_")
        yield ["virtualMachines", name, "Standard", short, sizes[name]["family"], _joined(told)]
    others = [key for key in sorted(whole) if not key[1].startswith("Standard_N")]
    for kind, name in sorted({*others[::ONE_OF], *OTHER_KINDS}):
        sku = whole[kind, name]
        words = [sku.get("tier") or "", sku.get("size") or "", sku.get("family") or ""]
        yield [kind, name, *words, _joined(_capabilities(sku))]


def azure_sku_places(folder: Path) -> Iterator[list[str]]:
    """Rows of azure_sku_places.csv: a GPU size in a region, and how many restrictions it has there."""
    rows = table_rows(folder, "azure_gpu_resource_skus_2026-08-01.csv")
    for row in sorted(rows, key=lambda row: (row["region"], row["name"])):
        restrictions = len(row["restrictions"].split("|")) if row["restrictions"] else 0
        zones = row["zones"].replace("|", " ")
        yield [row["region"], row["name"], zones, str(restrictions), row["spot_eligible"]]


def _whole_answers(folder: Path) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """(resource type, name) -> the SKU, of whole answers."""
    found = {}
    for name in WHOLE_ANSWERS:
        for sku in json.loads((folder / "azure" / name).read_text())["value"]:
            found[sku["resourceType"], sku["name"]] = sku
    return found


def _capabilities(sku: Mapping[str, Any]) -> dict[str, str]:
    return {one["name"]: one["value"] for one in sku.get("capabilities", ())}


def _kept(row: Mapping[str, str]) -> dict[str, str]:
    told = {capability: row[column] for column, capability in KEPT.items()}
    return told | {"MemoryGB": plain(Decimal(row["memory_gb"])), "LowPriorityCapable": row["spot_eligible"]}


def _made_up(name: str, vcpus: str) -> dict[str, str]:
    """What nobody recorded of a size: its GPUs as reported, and RDMA by the letter that says so."""
    letters = name.removeprefix("Standard_").split("_")[0].lstrip("NDCVGP0123456789")
    told = {
        "vCPUsAvailable": vcpus,
        "PremiumIO": "True",
        "VMDeploymentTypes": "IaaS",
        "AcceleratedNetworkingEnabled": "True",
        "RdmaEnabled": str("r" in letters),
    }
    gpus = TOLD_GPUS.get(name, "1")
    return told | ({"GPUs": gpus} if gpus else {})


def _joined(told: Mapping[str, str]) -> str:
    """LowPriorityCapable differs from region to region and stands with the place of a GPU size."""
    return ";".join(f"{name}={value}" for name, value in told.items())
