"""SKUs of Microsoft.Compute, as a subscription sees them in a region.

Which GPU sizes a region has, in which zones and under how many restrictions, is recorded of 39 regions on 2026-08-01
and told on every day. Elsewhere a region has the sizes that are priced there on the day, without zones. Of what is no
GPU size only the capabilities are recorded: that it is everywhere is made up.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from connectors.sandbox.arm_places import ZONES, Subscription, display_names, zoned_regions
from connectors.sandbox.arm_switches import ArmFaults, ArmUnverified
from connectors.sandbox.azure_ordinary import CORES, SERIES
from connectors.sandbox.ec2_places import digest
from connectors.sandbox.facts import read_table
from connectors.sandbox.serving import served_by_region

MACHINES = "virtualMachines"
GPU_PREFIX = "Standard_N"
CAPITALS_ONE_OF = 5  # SKUs spell their region as WestUS3, which nobody recorded but several programs met
PLAIN_ONE_OF = 3  # sizes have nothing special in any zone
GIB_A_CORE = 4
# Edge zones hang on the region they are reached through; that they sell this size is made up.
EDGE_ZONES = {"eastus2": "attatlanta1", "southcentralus": "attdallas1"}
EDGE_SIZE = "Standard_NC4as_T4_v3"

Sku = dict[str, object]


class Kind(NamedTuple):
    """What is told of a SKU wherever it is; `capabilities` are pairs of texts."""

    resource_type: str
    name: str
    tier: str
    size: str
    family: str
    capabilities: tuple[tuple[str, str], ...]


class Place(NamedTuple):
    """A SKU in a region: the zones as the recorder numbers them, how many restrictions, and whether spot is told."""

    kind: Kind
    zones: tuple[str, ...]
    restrictions: int
    spot: str
    edge_zone: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """Who looks, and under which switches."""

    subscription: Subscription
    faults: ArmFaults
    unverified: ArmUnverified


@lru_cache(maxsize=1)
def kinds() -> Mapping[tuple[str, str], Kind]:
    """(resource type, name) -> the SKU."""
    found = {}
    for row in read_table("azure_skus.csv"):
        pairs = (pair.partition("=") for pair in row["capabilities"].split(";") if pair)
        told = tuple((name, value) for name, _, value in pairs)
        kind = Kind(row["resource_type"], row["name"], row["tier"], row["size"], row["family"], told)
        found[kind.resource_type, kind.name] = kind
    return found


@lru_cache(maxsize=1)
def _recorded() -> Mapping[str, Sequence[Place]]:
    found: dict[str, list[Place]] = defaultdict(list)
    for row in read_table("azure_sku_places.csv"):
        kind, zones = kinds()[MACHINES, row["name"]], tuple(row["zones"].split())
        found[row["region"]].append(Place(kind, zones, int(row["restrictions"]), row["spot"]))
    return found


@lru_cache(maxsize=128)
def places(region: str, day: date, full: bool) -> Sequence[Place]:
    """Every SKU of a region, in an order that tells nothing."""
    found = list(_recorded().get(region) or _priced(region, day))
    zones = ZONES if region in zoned_regions() else ()
    others = [kind for kind in kinds().values() if not kind.name.startswith(GPU_PREFIX)]
    found += [Place(kind, zones if kind.size else (), 0, "") for kind in (*others, *(_ordinary() if full else ()))]
    if region in EDGE_ZONES:
        found.append(Place(kinds()[MACHINES, EDGE_SIZE], (), 0, "False", EDGE_ZONES[region]))
    return sorted(found, key=lambda place: digest(region, *place.kind[:2], place.edge_zone))


def _priced(region: str, day: date) -> Iterator[Place]:
    figures = served_by_region("azure", day).get(region, ())
    for size in sorted({figure.fact.instance_type for figure in figures}):
        if (MACHINES, size) in kinds():
            yield Place(kinds()[MACHINES, size], (), 0, "True")


def _ordinary() -> Iterator[Kind]:
    """The other sizes of the price list; what they can is made up."""
    for pattern, _, series, _ in SERIES:
        for cores in CORES:
            name = pattern.format(cores)
            told = {"vCPUs": str(cores), "MemoryGB": str(cores * GIB_A_CORE), "LowPriorityCapable": "True"}
            yield Kind(MACHINES, name, "Standard", name.partition("_")[2], f"standard{series}Family", (*told.items(),))


def sku(place: Place, region: str, view: View, extended: bool) -> Sku:
    """A SKU as it is answered; `extended` tells of edge zones too."""
    kind, unverified = place.kind, view.unverified
    capital = unverified.capital_locations and digest(region, kind.name) % CAPITALS_ONE_OF == 0
    location = display_names()[region].replace(" ", "") if capital else region
    words = {"resourceType": kind.resource_type, "name": kind.name, "tier": kind.tier, "size": kind.size}
    told: Sku = {name: text for name, text in (words | {"family": kind.family}).items() if text}
    told["locations"] = [location]
    zones = [view.subscription.zone(region, zone) for zone in place.zones]
    info: dict[str, object] = {"location": location, "zones": zones, "zoneDetails": _details(zones, kind, unverified)}
    if extended and place.edge_zone:
        info |= {"type": "EdgeZone", "extendedLocations": [place.edge_zone]}
    told["locationInfo"] = [info]
    if kind.capabilities:
        told["capabilities"] = [_capability(one, place.spot, view.faults) for one in kind.capabilities]
    told["restrictions"] = list(_restrictions(place, location, zones, view.subscription))
    return told


def _details(zones: Sequence[str], kind: Kind, unverified: ArmUnverified) -> list[dict[str, object]]:
    """What only some zones can do: disks of the fastest kind. Which sizes have them is made up."""
    if not zones or kind.resource_type != MACHINES or digest("fast", kind.name) % PLAIN_ONE_OF == 0:
        return []
    names: dict[str, object] = {"Name": list(zones), "name": None}
    if unverified.zone_names == "name":
        names = {"name": list(zones)}
    elif unverified.zone_names == "Name":
        del names["name"]
    return [names | {"capabilities": [{"name": "UltraSSDAvailable", "value": "True"}]}]


def _capability(told: tuple[str, str], spot: str, faults: ArmFaults) -> dict[str, object]:
    name, value = told
    if name == "LowPriorityCapable" and spot:
        value = spot
    number = faults.values_as_numbers and value.replace(".", "", 1).isdecimal()
    return {"name": name, "value": float(value) if number else value}


def _restrictions(
    place: Place, location: str, zones: Sequence[str], subscription: Subscription
) -> Iterator[dict[str, object]]:
    """Two are of the whole location and of its zones; one is of the zones, where there are any."""
    kinds_of: tuple[str, ...] = ()
    if subscription.restricted == "by quota" and place.kind.name.startswith(GPU_PREFIX):
        kinds_of = ("Location",)
    elif subscription.restricted == "as recorded" and place.restrictions:
        kinds_of = ("Location", "Zone")[-place.restrictions :] if zones else ("Location",)
    reason = "QuotaId" if subscription.restricted == "by quota" else "NotAvailableForSubscription"
    for kind in kinds_of:
        info: dict[str, object] = {"locations": [location]}
        if kind == "Zone":
            info["zones"] = list(zones)
        yield {"type": kind, "values": [location], "restrictionInfo": info, "reasonCode": reason}
