"""All lines of one location in one version of the EC2 price list, but for the ordinary ones of a full file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import lru_cache

from connectors.sandbox import aws_noise, aws_ordinary
from connectors.sandbox.aws_lines import Columns, Line, on_demand, reserved
from connectors.sandbox.aws_partition import CHINA, partition_of
from connectors.sandbox.aws_products import Product
from connectors.sandbox.aws_systems import (
    DEDICATED,
    LINUX,
    RESERVED_WORDS,
    SHARED,
    WINDOWS,
    Standing,
    description,
    sold,
)
from connectors.sandbox.aws_unverified import Metal
from connectors.sandbox.facts import Fact
from connectors.sandbox.serving import facts_of

DEDICATED_METAL = "g5g.metal"  # sold only Dedicated where the answer is "mixed"
DUPLICATED = 5  # of so many products one comes twice
SYSTEM_OF_FACT = {"linux": LINUX, "windows": WINDOWS}


@dataclass(frozen=True, slots=True)
class Shape:
    """What a file is like besides its day and location."""

    full: bool = False
    drop_reserved: bool = False
    columns: Columns = field(default_factory=Columns)
    metal_tenancy: Metal = "mixed"
    exact_duplicates: bool = False
    new_types: bool = False


PLAIN = Shape()


def lines(day: date, region: str, shape: Shape = PLAIN) -> Iterator[Line]:
    """The lines, in no order."""
    for line in _all_lines(day, region, shape):
        if has_term(line.cells[0], region, shape):
            yield line


def has_term(term: str, region: str, shape: Shape) -> bool:
    """Whether a file has lines of a TermType: of China no reservation was recorded, and so none is made up."""
    return term != "Reserved" or not (shape.drop_reserved or partition_of(region) is CHINA)


def _all_lines(day: date, region: str, shape: Shape) -> Iterator[Line]:
    partition = partition_of(region)
    published = partition.published_at(day).date()
    facts = [figure.fact for figure in partition.figures_of(day, region)]
    own: dict[tuple[str, str], Sequence[Product]] = {}
    linux = []
    for fact in facts:
        place = (fact.instance_type, fact.operating_system)
        if place not in own:
            own[place] = _products(region, fact, shape)
        for product in own[place]:
            yield from _fact_lines(product, fact, published)
        if fact.purchase_option == "on_demand" and fact.operating_system == "linux":
            linux.append((fact.instance_type, fact.price, own[place][0].sku))
    there = {aws_noise.what(product) for products in own.values() for product in products}
    yield from aws_noise.around(region, linux, there, published, shape.full)
    if any(instance_type.startswith("p5.") for instance_type, _, _ in linux):
        yield from aws_noise.capacity_blocks(region, aws_noise.ONLY_CAPACITY_BLOCKS, published)
    if shape.new_types:
        yield from aws_noise.without_on_demand(region, {name for name, _, _ in linux}, published)
    if not shape.full:
        yield from aws_ordinary.handful(region, published)
    yield from aws_ordinary.without_instance_type(region, published)


def _products(region: str, fact: Fact, shape: Shape) -> Sequence[Product]:
    """The products that a figure is the price of: more than one where a file says a thing twice."""
    system = SYSTEM_OF_FACT[fact.operating_system]
    recorded = _recorded_skus().get((region, fact.instance_type), "") if system is LINUX else ""
    skus = [recorded, ""]
    products = [
        sold(region, fact.instance_type, system, standing, skus.pop(0))
        for standing in _standings(fact.instance_type, shape.metal_tenancy)
    ]
    if shape.exact_duplicates and len(fact.instance_type) % DUPLICATED == 0:
        products += [aws_noise.twin(product) for product in products[:1]]
    return products


def _standings(instance_type: str, answer: Metal) -> Sequence[Standing]:
    if not instance_type.split(".")[1].startswith("metal"):
        return (SHARED,)
    if answer == "mixed":
        answer = "dedicated" if instance_type == DEDICATED_METAL else "both"
    return {"shared": (SHARED,), "dedicated": (DEDICATED,), "both": (SHARED, DEDICATED)}[answer]


@lru_cache(maxsize=1)
def _recorded_skus() -> Mapping[tuple[str, str], str]:
    return {(fact.region, fact.instance_type): fact.sku for fact in facts_of("aws") if fact.sku}


def _fact_lines(product: Product, fact: Fact, day: date) -> Sequence[Line]:
    if fact.purchase_option == "on_demand":
        standing = DEDICATED if product.attributes["Tenancy"] == "Dedicated" else SHARED
        return [on_demand(product, fact.price, day, words=description(product, standing))]
    hourly = fact.hourly if fact.upfront is not None else fact.price
    term = (fact.term_months, fact.offering_class, fact.payment_option)
    words = RESERVED_WORDS[product.software]
    return list(reserved(product, term, hourly or Decimal(0), fact.upfront, day, words))
