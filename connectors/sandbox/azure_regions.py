"""The regions met in the Azure retail price list, with the list's own names for them.

`azure_regions.csv`: region (armRegionName), location (as the list writes it), kind, and vantage_slug, what
instances.vantage.sh calls it. Kinds: `public`, whose GPU prices were recorded; `no GPUs`, public without any;
`government` and `china`, of other clouds and met in the list all the same; `canary` and `edge zone`.
"""

from collections.abc import Mapping
from functools import lru_cache

from connectors.sandbox.facts import read_table

PUBLIC, WITHOUT_GPUS, GOVERNMENT, CHINA, CANARY, EDGE_ZONE = (
    "public",
    "no GPUs",
    "government",
    "china",
    "canary",
    "edge zone",
)


@lru_cache(maxsize=1)
def kinds() -> Mapping[str, str]:
    """Region -> its kind, of every region."""
    return {row["region"]: row["kind"] for row in read_table("azure_regions.csv")}


@lru_cache(maxsize=1)
def locations() -> Mapping[str, str]:
    """Region -> what the list's `location` says."""
    return {row["region"]: row["location"] for row in read_table("azure_regions.csv")}


def region_of_slug() -> Mapping[str, str]:
    """What instances.vantage.sh calls a region -> the region. Both have the same prices, size for size."""
    return {row["vantage_slug"]: row["region"] for row in read_table("azure_regions.csv") if row["vantage_slug"]}
