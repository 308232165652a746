"""How the Azure retail price list names recorded sizes, products, skus and meters. Used only to build the tables."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from connectors.sandbox.recorded_aws import table_rows

# skuName in the feed, without blanks -> armSkuName, where one doesn't follow from the other.
ODD_SKU_NAMES = {
    "ndmr40sv2": "Standard_ND40s_v2",  # 18.03 in westeurope and 12.24 in swedencentral under both
    "ng8adsv620": "Standard_NG8ads_V620_v1",
    "ng16adsv620": "Standard_NG16ads_V620_v1",
    "ng32adsv620": "Standard_NG32ads_V620_v1",
    "nd96isnibh100v5": "Standard_ND96is_noIB_H100_v5",
    "nd96isflh100v5": "Standard_ND96is_flex_H100_v5",
    "nd96asra100v4nu": "Standard_ND96asr_v4",
}
TIERS = {"": "on_demand", " Spot": "spot", " Low Priority": "low_priority"}


def arm_names(folder: Path) -> dict[str, str]:
    """Size in lower case -> in the feed's spelling, for every size met in a recording of the feed."""
    found: dict[str, str] = {}
    for name in (
        "azure_gpu_ondemand_snapshots_2023_2026_karpenter.csv",
        "azure_gpu_linux_windows_spot_lowpri_snapshots_2026-05_08.csv",
    ):
        found |= {row["instance_type"].lower(): row["instance_type"] for row in table_rows(folder, name)}
    return found


def system_of(product_name: str) -> str:
    """windows where the product's last word is Windows or Win."""
    return "windows" if product_name.split()[-1] in ("Windows", "Win") else "linux"


def tier_of(sku_name: str) -> str:
    """The ending of a skuName that tells its tier, a key of TIERS."""
    return next(tier for tier in (" Spot", " Low Priority", "") if sku_name.endswith(tier))


def sku_name_key(product_name: str, sku_name: str) -> str:
    """A skuName without tier, prefix, blanks and case; promotional products share theirs with the plain ones."""
    base = re.sub(r" (Spot|Low Priority)$", "", sku_name).removeprefix("Standard_")
    return re.sub(r"[ _]", "", base).lower() + ("promo" if " Promo " in product_name else "")


def sizes_by_sku_name(folder: Path) -> dict[str, str]:
    """Key of a skuName -> armSkuName."""
    sizes = {}
    for size in arm_names(folder).values():
        sizes[sku_name_key("", size.replace("RTXPRO6000BSE", "RTX6k"))] = size
    return sizes | ODD_SKU_NAMES


NAME_COLUMNS = (
    "instance_type",
    "operating_system",
    "product_name",
    "sku_name",
    "meter_name",
    "product_id",
    *(f"{option}_{kind}" for option in TIERS.values() for kind in ("sku_id", "meter_id")),
)


def azure_names(folder: Path) -> Iterator[list[str]]:
    """Rows of azure_names.csv: how the feed names each size and system; ids of westeurope (2026-08-20)."""
    sizes = sizes_by_sku_name(folder)
    found: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in table_rows(folder, "azure_gpu_retail_meters_5_eu_regions_2026-08-20.csv"):
        size = sizes.get(sku_name_key(row["productName"], row["skuName"]))
        if size is None or " Dedicated Host" in row["productName"]:
            continue
        tier = tier_of(row["skuName"])
        entry = found[size, system_of(row["productName"])]
        entry |= {
            "product_name": row["productName"],
            "sku_name": row["skuName"].removesuffix(tier),
            "meter_name": row["meterName"].removesuffix(tier),
            "product_id": row["skuId"].split("/")[0],
        }
        if row["armRegionName"] == "westeurope":
            entry[f"{TIERS[tier]}_sku_id"] = row["skuId"].split("/")[1]
            entry[f"{TIERS[tier]}_meter_id"] = row["meterId"]
    for (size, system), entry in sorted(found.items()):
        yield [size, system, *(entry.get(column, "") for column in NAME_COLUMNS[2:])]
