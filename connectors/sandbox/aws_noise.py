"""Lines of the EC2 price list that are no price of a GPU hour, in every kind the real file has.

They stand around the recorded prices so that a reader must choose. Their prices are synthetic: they follow from the
recorded on-demand price of the same type, by the rules of `aws_systems`.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from connectors.sandbox.aws_lines import RESERVED_CODES, Line, flat_rate, on_demand, reserved
from connectors.sandbox.aws_products import Product, compute, made_up_sku
from connectors.sandbox.aws_systems import (
    ALLOCATED,
    DEDICATED,
    DEDICATED_UNUSED,
    HA_RHEL,
    HOST,
    LINUX,
    OWN_WINDOWS,
    RESERVED_WORDS,
    RHEL,
    SHARED,
    SQL,
    SQL_RHEL,
    STANDINGS,
    SUSE,
    SYSTEMS,
    UBUNTU_PRO,
    UNLICENSED_WINDOWS,
    UNUSED,
    WINDOWS,
    Standing,
    System,
    description,
    price_of,
    sold,
    surcharge,
)

ZERO = Decimal(0)
CAPACITY_BLOCK_FAMILIES = ("p4d", "p4de", "p5", "p5en", "p6-b200", "p6-b300")
ONLY_CAPACITY_BLOCKS = "p5e.48xlarge"  # no on-demand price anywhere in the recordings
OUTPOST_FAMILIES = ("g4dn",)
# Types that only the answer `new_types` sells, by the places it sells them in; none has an on-demand line there.
NEW_TYPES = {
    "p6-b300.48xlarge": ("us-west-2", "us-east-2"),
    "p6e-gb200.36xlarge": ("us-east-1-dfw-1",),
}

Kind = tuple[System, Standing]
Sold = tuple[str, str, str]
ALWAYS: tuple[Kind, ...] = ((OWN_WINDOWS, SHARED), (LINUX, UNUSED))
# In a small file each type has some of these, and each location all of them.
IN_TURN: tuple[Kind, ...] = (
    (LINUX, DEDICATED),
    (RHEL, SHARED),
    (LINUX, HOST),
    (LINUX, ALLOCATED),
    (SUSE, SHARED),
    (UBUNTU_PRO, SHARED),
    *((system, SHARED) for system in SQL),
    (HA_RHEL, SHARED),
    (SQL_RHEL, SHARED),
    (UNLICENSED_WINDOWS, HOST),
    (WINDOWS, DEDICATED),
    (OWN_WINDOWS, DEDICATED),
    (WINDOWS, UNUSED),
    (RHEL, ALLOCATED),
    (SUSE, DEDICATED_UNUSED),
)
FULL: tuple[Kind, ...] = (
    *((system, standing) for standing in STANDINGS for system in SYSTEMS if (system, standing) not in ALWAYS),
    (UNLICENSED_WINDOWS, HOST),
)
LEAST_IN_TURN = 2
OFFERED_IN_SMALL = ((12, "standard", "no_upfront"), (36, "convertible", "partial_upfront"))
RESERVED_BESIDES: tuple[Kind, ...] = ((RHEL, SHARED), (LINUX, DEDICATED), (SQL[5], DEDICATED))


def around(
    region: str, linux: Iterable[tuple[str, Decimal, str]], own: set[Sold], day: date, full: bool
) -> Iterator[Line]:
    """The lines that surround the Linux prices of a location: (type, USD an hour, SKU of its own line).

    `own` says what the lines already there sell: nothing is said twice.
    """
    found = sorted(linux)
    made: set[Sold] = set()
    share = max(LEAST_IN_TURN, -(-len(IN_TURN) // max(1, len(found))))
    for place, (instance_type, price, sku) in enumerate(found):
        turn = FULL if full else [IN_TURN[(place * share + step) % len(IN_TURN)] for step in range(share)]
        for system, standing in dict.fromkeys((*ALWAYS, *turn)):
            more = {"instanceSKU": sku} if standing.status != "Used" else {}
            product = sold(region, instance_type, system, standing, **more)
            if what(product) not in own and (system, standing) not in ((LINUX, SHARED), (WINDOWS, SHARED)):
                made.add(what(product))
                cost = price_of(price, instance_type, system, standing)
                yield on_demand(product, cost, day, words=description(product, standing))
        if full or place == 0:
            yield from _reserved_besides(region, instance_type, price, made, day, full)
        yield from _of_family(region, instance_type, price, day)
    if found:
        instance_type, price, sku = found[0]
        yield flat_rate(sold(region, instance_type, LINUX, SHARED, sku), price * 500, day)


def what(product: Product) -> Sold:
    """What a product sells, whatever its SKU."""
    attributes = product.attributes
    return attributes["usageType"], attributes["operation"], attributes["License Model"]


def _reserved_besides(
    region: str, instance_type: str, linux: Decimal, made: set[Sold], day: date, full: bool
) -> Iterator[Line]:
    """Reservations of what isn't asked for: other systems and machines of one's own."""
    for system, standing in RESERVED_BESIDES:
        product = sold(region, instance_type, system, standing)
        hour = price_of(linux, instance_type, system, standing)
        if what(product) in made:
            yield from made_up_reserved(product, hour, day, list(RESERVED_CODES) if full else OFFERED_IN_SMALL)


def made_up_reserved(
    product: Product, hour: Decimal, day: date, terms: Iterable[tuple[int, str, str]]
) -> Iterator[Line]:
    """Offers at 63 percent of the hour for a year and 43 for three."""
    for months, offering, payment in terms:
        effective = hour * (Decimal("0.63") if months == 12 else Decimal("0.43"))
        whole = (effective * 730 * months).quantize(Decimal(1))
        hourly, upfront = {
            "no_upfront": (effective, None),
            "partial_upfront": (effective / 2, (whole / 2).quantize(Decimal(1))),
            "all_upfront": (ZERO, whole),
        }[payment]
        words = RESERVED_WORDS.get(product.software, product.software)
        yield from reserved(product, (months, offering, payment), hourly, upfront, day, words)


def _of_family(region: str, instance_type: str, linux: Decimal, day: date) -> Iterator[Line]:
    family = instance_type.split(".")[0]
    if family in CAPACITY_BLOCK_FAMILIES:
        yield from capacity_blocks(region, instance_type, day)
    if family in OUTPOST_FAMILIES:
        product = compute(region, instance_type, Location_Type="AWS Outposts")
        yield on_demand(product, linux / 2, day, words=description(product, SHARED))


def capacity_blocks(region: str, instance_type: str, day: date) -> Iterator[Line]:
    """What the file says of capacity blocks: 0 for Linux, and the bare surcharge for Ubuntu Pro."""
    for system in (LINUX, UBUNTU_PRO):
        operation = f"{system.operation}:CB"
        product = sold(region, instance_type, system, SHARED, operation=operation, MarketOption="CapacityBlock")
        price = surcharge(instance_type, system)
        yield on_demand(product, price, day, words=f"Capacity Block {system.words} {instance_type} Instance Hour")


def without_on_demand(region: str, known: set[str], day: date) -> Iterator[Line]:
    """The lines of types that are listed before they can be bought by the hour."""
    for instance_type, regions in NEW_TYPES.items():
        if region in regions and instance_type not in known:
            yield from capacity_blocks(region, instance_type, day)
            for standing in (HOST, ALLOCATED):
                product = sold(region, instance_type, LINUX, standing)
                yield on_demand(product, ZERO, day, words=description(product, standing))


def twin(product: Product) -> Product:
    """The same product but for its SKU."""
    sku = made_up_sku(product.sku, "again")
    return Product(sku, product.instance_type, product.software, product.attributes)
