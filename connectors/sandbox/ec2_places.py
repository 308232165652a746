"""Regions as an account sees them: which it may ask, and by which names it knows their zones.

The name of a zone is the account's own: us-east-1a of one is us-east-1c of another. A zone's id, use1-az4, is the same
for all.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple

from connectors.sandbox.aws_products import place_of
from connectors.sandbox.aws_unverified import AwsUnverified
from connectors.sandbox.facts import REGIONS, read_table
from connectors.sandbox.faults import Faults
from connectors.sandbox.serving import published_at

LETTERS = "abcdefgh"


@dataclass(frozen=True, slots=True)
class Scene:
    """What the answer to a call depends on beside the call."""

    day: date
    faults: Faults
    unverified: AwsUnverified
    opted_in: frozenset[str]  # regions that are off until an account turns them on, and that this one has turned on
    serial: int = 0  # another for each request

    @property
    def now(self) -> datetime:
        """The instant the sandbox stands on."""
        return published_at("aws", self.day)


class Region(NamedTuple):
    """A region of the commercial partition."""

    opt_in: bool
    zones: int
    geography: str


class Zone(NamedTuple):
    """An availability zone, or the one zone of a Local Zone group; `place` is the region or the group."""

    id: str
    place: str
    number: int  # from 0; of a Local Zone -1

    @property
    def kind(self) -> str:
        """The zone type."""
        return "availability-zone" if self.number >= 0 else "local-zone"

    def name(self, key: str) -> str:
        """What the account of a key calls it. Only the zones of regions go by names of one's own."""
        if self.number < 0:
            return f"{self.place}a"
        turned = self.number + digest(key, self.place)
        return f"{self.place}{LETTERS[turned % regions()[self.place].zones]}"


def digest(*words: object) -> int:
    """A number that is always the same for the same words."""
    return int.from_bytes(hashlib.sha256("|".join(map(str, words)).encode()).digest()[:8])


@lru_cache(maxsize=1)
def regions() -> Mapping[str, Region]:
    """The commercial regions that prices were recorded of, by code."""
    return {
        row["region"]: Region(row["opt_in"] == "yes", int(row["zones"]), row["geography"])
        for row in read_table("aws_zones.csv")
    }


def zones(region: str) -> Sequence[Zone]:
    """The availability zones of a region."""
    return [Zone(f"{_short(region)}-az{number + 1}", region, number) for number in range(regions()[region].zones)]


def local_zones(region: str) -> Sequence[Zone]:
    """The Local Zones of a region."""
    groups = [
        code
        for code in REGIONS["aws"]
        if code.startswith(f"{region}-") and place_of(code).location_type == "AWS Local Zone"
    ]
    return [Zone(f"{_short(code)}-az1", code, -1) for code in groups]


def _short(place: str) -> str:
    """use1 of us-east-1, apne2 of ap-northeast-2, use1-atl1 of us-east-1-atl-1."""
    area, direction, number, *group = place.split("-")
    heads = re.sub(r"(north|south|east|west|central)", lambda word: word[0][0], direction)
    return "-".join([area + heads + number, "".join(group)]).rstrip("-")
