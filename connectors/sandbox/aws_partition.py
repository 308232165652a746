"""The partitions of AWS whose price lists the sandbox answers: each has a root path, regions and a currency of its own.

In reality China's has a host of its own, pricing.cn-north-1.amazonaws.com.cn; here one server answers both roots.
GovCloud stands in the commercial index and is priced in USD. The sovereign cloud (eusc-de-east-1) is left out: no price
of it was recorded, and nobody has verified where it is served.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from connectors.sandbox.facts import CHINA_PREFIX, CHINA_REGIONS, DATES, REGIONS
from connectors.sandbox.serving import Served, published_at, served_by_region


class Partition(NamedTuple):
    """A price list of its own."""

    name: str  # in its paths
    regions: Sequence[str]
    figures: str  # what its recorded figures stand under
    currency: str
    terms_page: str  # whose address the disclaimer ends with
    stray: str  # listed among the regions of the index without being one; no file stands behind it
    like_the_unknown: str  # a location that isn't in the recordings sells what this one does

    @property
    def disclaimer(self) -> str:
        """What every document says of itself."""
        return (
            "This pricing list is for informational purposes only. All prices are subject to the additional terms "
            f"included in the pricing pages on {self.terms_page}"
        )

    def published_at(self, day: date) -> datetime:
        """When the version of a day was published."""
        return published_at(self.figures, day)

    def versions(self, day: date) -> Mapping[datetime, date]:
        """When each version so far was published -> the last day it is served on, oldest first."""
        return {self.published_at(earlier): earlier for earlier in DATES["aws"] if earlier <= day}

    def figures_of(self, day: date, region: str) -> Sequence[Served]:
        """The recorded figures in force in a location; those of another for one that nobody recorded."""
        known = region if region in self.regions else self.like_the_unknown
        return served_by_region(self.figures, day).get(known, ())


AWS = Partition(
    "aws",
    REGIONS["aws"],
    "aws",
    "USD",
    "http://aws.amazon.com. All Free Tier prices are also subject to the terms included at https://aws.amazon.com/free/",
    "cn-north-1-pkx-1",
    "us-west-2-den-1",
)
# The disclaimer is that of a file of cn-northwest-1 of 2023-03-14.
CHINA = Partition("cn", CHINA_REGIONS, "aws-cn", "CNY", "http://www.amazonaws.cn.", "aws-cn-other", "cn-north-1")
PARTITIONS = (AWS, CHINA)


def partition_of(region: str) -> Partition:
    """The partition of a location, known or not."""
    return CHINA if region.startswith(CHINA_PREFIX) else AWS
