"""The reference tables against the names in recorded price lists."""

import csv
from pathlib import Path

import pytest

from warehouse.database import REFERENCE_DIR


def column(path: Path, name: str) -> set[str]:
    """The values of one column of a CSV file."""
    with path.open(newline="", encoding="utf-8") as file:
        return {row[name] for row in csv.DictReader(file)}


def region_names(provider: str) -> dict[str, str]:
    """Code, display name and other names of a region, in lower case -> its code."""
    names: dict[str, str] = {}
    with (REFERENCE_DIR / "regions.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["provider"] == provider:
                names |= {row["region_id"]: row["region_id"], row["display_name"].lower(): row["region_id"]}
    with (REFERENCE_DIR / "region_aliases.csv").open(newline="", encoding="utf-8") as file:
        return names | {row["alias"]: row["region_id"] for row in csv.DictReader(file) if row["provider"] == provider}


def recorded_places(recorded: Path, provider: str) -> set[str]:
    """Every code or name of a place in the provider's recorded tables, in lower case."""
    places = set()
    for path in sorted((recorded / "tables").glob(f"{provider}_*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file)
            columns = {"region", "location", "Region", "armRegionName"}.intersection(rows.fieldnames or ())
            places |= {row[name].lower() for row in rows for name in columns}
    return places


@pytest.mark.parametrize(
    ("provider", "unknown"),
    # AWS's pages named these two for a few days: no places; 140 of their 146 prices are those of us-east-1
    [("aws", {"default", "regionless"}), ("azure", set())],
)
def test_every_recorded_place_is_in_the_region_table(recorded: Path, provider: str, unknown: set[str]) -> None:
    """94 codes of AWS, under names of two spellings, and 52 of Azure, under the price list's names too."""
    assert recorded_places(recorded, provider) - region_names(provider).keys() == unknown


def test_the_table_says_which_places_have_recorded_prices(recorded: Path) -> None:
    """AWS Beijing and Ningxia by name only; three regions of Azure Government by name, as every recorded place."""
    with (REFERENCE_DIR / "regions.csv").open(newline="", encoding="utf-8") as file:
        told = {(r["provider"], r["region_id"]) for r in csv.DictReader(file) if r["has_recorded_prices"] == "true"}
    seen = {
        (provider, names[place])
        for provider in ("aws", "azure")
        for names in [region_names(provider)]
        for place in recorded_places(recorded, provider) & names.keys()
    }

    assert told == seen


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
