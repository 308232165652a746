"""Recorded locations of AWS -> aws_locations.csv. Used only to build the table.

Codes and names are those of the pricing pages of 2025-04; the type and, where nobody recorded it, the prefix of the
usage types follow from the code.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from connectors.sandbox.recorded_aws import table_rows

LOCATION_COLUMNS = ("region", "location", "location_type", "prefix")

# The price list of 2025-09-12 says so; the pricing pages have "AWS GovCloud (US)".
PRICE_LIST_NAMES = {"us-gov-west-1": "AWS GovCloud (US-West)"}
# In the figures of 2025-1H but not on the pricing pages of 2025-04; named by a list of changes of 2025-04-29.
ONLY_BY_NAME = {"eu-west-3-wl1-dss1": "Senegal (Dakar)"}
# Ningxia's name and prefix are those of a price list of 2023-03-14; Beijing's follow the same pattern.
CHINA = {"cn-north-1": "China (Beijing)", "cn-northwest-1": "China (Ningxia)"}
PREFIXES: Mapping[str, str] = {
    "us-east-1": "",
    "eu-west-1": "EU",
    "af-south-1": "AFS1",
    "ap-east-1": "APE1",
    "ap-northeast-1": "APN1",
    "ap-northeast-2": "APN2",
    "ap-northeast-3": "APN3",
    "ap-south-1": "APS3",
    "ap-southeast-1": "APS1",
    "ap-southeast-2": "APS2",
    "ap-southeast-3": "APS4",
    "ap-southeast-5": "APS7",
    "ca-central-1": "CAN1",
    "cn-north-1": "CNN1",
    "cn-northwest-1": "CNW1",
    "eu-central-1": "EUC1",
    "eu-central-2": "EUC2",
    "eu-north-1": "EUN1",
    "eu-south-1": "EUS1",
    "eu-south-2": "EUS2",
    "eu-west-2": "EUW2",
    "eu-west-3": "EUW3",
    "il-central-1": "ILC1",
    "me-central-1": "MEC1",
    "me-south-1": "MES1",
    "sa-east-1": "SAE1",
    "us-east-2": "USE2",
    "us-gov-east-1": "UGE1",
    "us-gov-west-1": "UGW1",
    "us-west-1": "USW1",
    "us-west-2": "USW2",
}
ZONE = re.compile(
    r"(?P<parent>[a-z]+(?:-[a-z]+)+-\d)-(?:(?P<wavelength>wl\d)(?:-(?P<carrier>[a-z]+\d))?|(?P<local>[a-z]+-\d))"
)


def location_names(folder: Path) -> dict[str, str]:
    """Region code -> name on the pricing pages."""
    pages = table_rows(folder, "aws_gpu_ondemand_all_regions_2025-04.csv")
    return {row["region"]: row["location"] for row in pages} | ONLY_BY_NAME


def aws_locations(folder: Path) -> Iterator[tuple[str, ...]]:
    """Rows of aws_locations.csv, sorted by region."""
    for region, name in sorted((location_names(folder) | PRICE_LIST_NAMES | CHINA).items()):
        kind, prefix = _kind_and_prefix(region)
        yield region, name, kind, f"{prefix}-" if prefix else ""


def _kind_and_prefix(region: str) -> tuple[str, str]:
    """A Local Zone's prefix is its place's, as NYC1 for us-east-1-nyc-1; one for a Wavelength Zone wasn't recorded."""
    zone = ZONE.fullmatch(region)
    if zone is None:
        return "AWS Region", PREFIXES[region]
    if zone["local"]:
        return "AWS Local Zone", zone["local"].replace("-", "").upper()
    parent = PREFIXES[zone["parent"]] or "USE1"
    return "AWS Wavelength Zone", parent + zone["wavelength"].upper() + (zone["carrier"] or "").upper()
