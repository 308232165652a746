"""Lines of the EC2 price list that have no GPU: a handful in a small file, nearly all of a full one.

Instances carry the Linux price of their type in us-east-1 on 2026-07-20, in each location and on each day, and in China
the same number of yuan; everything derived from it is synthetic.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import count

from connectors.sandbox.aws_lines import RESERVED_CODES, Line, on_demand
from connectors.sandbox.aws_noise import made_up_reserved
from connectors.sandbox.aws_products import SKU_LETTERS, made_up_sku, other, place_of
from connectors.sandbox.aws_systems import (
    LINUX,
    OWN_WINDOWS,
    SHARED,
    STANDINGS,
    SYSTEMS,
    WINDOWS,
    description,
    price_of,
    sold,
)
from connectors.sandbox.facts import read_table

# Ordinary types of a small file: empty, "0" and "NA" in the GPU column.
HANDFUL = ("t3.micro", "i3en.large", "x1e.xlarge")
KINDS = tuple((system, standing) for standing in STANDINGS for system in SYSTEMS)
SKU_HEAD = 8  # letters that put ordinary products evenly among the others


@lru_cache(maxsize=1)
def prices() -> tuple[tuple[str, Decimal], ...]:
    """(type, USD an hour of Linux)."""
    return tuple((row["instance_type"], Decimal(row["price"])) for row in read_table("aws_ordinary.csv"))


def handful(region: str, day: date) -> Iterator[Line]:
    """A few ordinary instances; in a region one of them with all twelve reservations."""
    known = dict(prices())
    in_region = place_of(region).location_type == "AWS Region"
    for instance_type in HANDFUL if in_region else HANDFUL[:1]:
        for system in (LINUX, WINDOWS, OWN_WINDOWS):
            product = sold(region, instance_type, system, SHARED)
            hour = price_of(known[instance_type], instance_type, system, SHARED)
            yield on_demand(product, hour, day, words=description(product, SHARED))
        if in_region and instance_type == HANDFUL[0]:
            product = sold(region, instance_type, LINUX, SHARED)
            yield from made_up_reserved(product, known[instance_type], day, RESERVED_CODES)


def products(region: str, day: date, total: int) -> Iterator[list[Line]]:
    """The lines of each of `total` ordinary products, by ascending SKU."""
    for number in range(total):
        yield lines_of(region, day, number, _sku(region, number, total))


def lines_of(region: str, day: date, number: int, sku: str) -> list[Line]:
    """The lines of the product of a number: each type in each kind, and then the same of a made-up next generation."""
    kind, place = divmod(number, len(prices()))
    generation, kind = divmod(kind, len(KINDS))
    instance_type, linux = prices()[place]
    if generation:
        family, size = instance_type.split(".")
        instance_type = f"{family}v{generation + 1}.{size}"
    system, standing = KINDS[kind]
    product = sold(region, instance_type, system, standing, sku)
    hour = price_of(linux, instance_type, system, standing)
    lines = [on_demand(product, hour, day, words=description(product, standing))]
    if standing.usage in ("BoxUsage", "DedicatedUsage") and system is not OWN_WINDOWS:
        lines += made_up_reserved(product, hour, day, RESERVED_CODES)
    return lines


def products_for(lines: int) -> int:
    """How many products it takes to have so many lines."""
    found = 0
    for number in count():
        if found >= lines:
            return number
        kind = number // len(prices()) % len(KINDS)
        system, standing = KINDS[kind]
        found += 21 if standing.usage in ("BoxUsage", "DedicatedUsage") and system is not OWN_WINDOWS else 1
    raise AssertionError("unreachable: every product has a line")


def _sku(region: str, number: int, total: int) -> str:
    """The SKU of a product: ascending with its number over the whole range of SKUs, and else as good as random."""
    place = number * len(SKU_LETTERS) ** SKU_HEAD // total
    head = ""
    for _ in range(SKU_HEAD):
        place, letter = divmod(place, len(SKU_LETTERS))
        head = SKU_LETTERS[letter] + head
    return head + made_up_sku(region, str(number))[SKU_HEAD:]


def without_instance_type(region: str, day: date) -> Iterator[Line]:
    """Storage, data transfer and the like; of a zone only the disks."""
    only = place_of(region).location_type != "AWS Region"
    for family, usage, unit, price, columns in (
        ("Storage", "EBS:VolumeUsage.gp3", "GB-Mo", "0.08", {"Volume_API_Name": "gp3", "Storage_Media": "SSD-backed"}),
        ("Storage", "EBS:VolumeUsage.io2", "GB-Mo", "0.125", {"Volume_API_Name": "io2", "Storage_Media": "SSD-backed"}),
        ("Storage Snapshot", "EBS:SnapshotUsage", "GB-Mo", "0.05", {}),
        ("System Operation", "EBS:VolumeP-IOPS.gp3", "IOPS-Mo", "0.005", {"Provisioned": "Yes"}),
        ("Provisioned Throughput", "EBS:VolumeP-Throughput.gp3", "GiBps-mo", "40.96", {"Provisioned": "Yes"}),
        ("Data Transfer", "DataTransfer-Regional-Bytes", "GB", "0.01", {"Transfer_Type": "IntraRegion"}),
        ("Data Transfer", "DataTransfer-In-Bytes", "GB", "0", {"Transfer_Type": "AWS Inbound"}),
        ("IP Address", "ElasticIP:IdleAddress", "Hrs", "0.005", {"Group": "ElasticIP:Address"}),
        ("NAT Gateway", "NatGateway-Hours", "Hrs", "0.045", {"Group": "NGW:NatGateway"}),
        ("Dedicated Host", "HostUsage:g5", "Hrs", "17.9168", {"Instance_Type": "g5", "Tenancy": "Host", "GPU": "8"}),
        ("Elastic Graphics", "Elastic-Graphics:eg1.medium", "Hrs", "0.05", {"Elastic_Graphics_Type": "eg1.medium"}),
    ):
        if family == "Storage" or not only:
            product = other(region, family, usage, **columns)
            yield on_demand(product, Decimal(price), day, words=f"{family} {usage}", unit=unit)
