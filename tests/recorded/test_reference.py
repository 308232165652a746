"""The reference tables against the names in recorded price lists."""

import csv
from pathlib import Path

from warehouse.database import REFERENCE_DIR


def column(path: Path, name: str) -> set[str]:
    """The values of one column of a CSV file."""
    with path.open(newline="", encoding="utf-8") as file:
        return {row[name] for row in csv.DictReader(file)}


def test_every_recorded_aws_location_is_in_the_region_table(recorded: Path) -> None:
    """93 locations that sold GPUs in April 2025, 64 of them Local and Wavelength Zones."""
    locations = column(recorded / "tables" / "aws_gpu_ondemand_all_regions_2025-04.csv", "region")
    listed = column(recorded / "tables" / "aws_gpu_reserved_all_options_all_regions_2025-1H.csv", "region")

    assert (locations | listed) - column(REFERENCE_DIR / "regions.csv", "region_id") == set()


def test_every_recorded_azure_size_is_known_or_left_out_on_purpose(recorded: Path) -> None:
    """Five names have no GPU of ours: FPGAs, and two sizes whose share of a GPU no source tells."""
    prices = recorded / "tables" / "azure_gpu_ondemand_snapshots_2023_2026_karpenter.csv"
    names = column(prices, "instance_type")
    names |= column(recorded / "tables" / "azure_gpu_resource_skus_2026-08-01.csv", "name")
    known = column(REFERENCE_DIR / "instance_types.csv", "instance_type")
    known |= column(REFERENCE_DIR / "instance_aliases.csv", "alias")

    assert names - known == {
        "Standard_NP10s",
        "Standard_NP20s",
        "Standard_NP40s",
        "Standard_NC8lds_xl_RTXPRO6000BSE_v6",
        "Standard_NC16lds_xl_RTXPRO6000BSE_v6",
    }


def test_two_names_of_one_size_have_one_price(recorded: Path) -> None:
    """Where a list has both, they agree: so mapping one to the other loses nothing."""
    path = recorded / "tables" / "azure_gpu_ondemand_snapshots_2023_2026_karpenter.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    prices = {(row["region"], row["generated_at"], row["instance_type"]): row["price_usd_hr"] for row in rows}
    both = [
        (each, prices[region, at, "Standard_ND96asr_v4"])
        for (region, at, name), each in prices.items()
        if name == "Standard_ND96asr_A100_v4" and (region, at, "Standard_ND96asr_v4") in prices
    ]

    assert len(both) == 36
    assert [pair for pair in both if pair[0] != pair[1]] == []
