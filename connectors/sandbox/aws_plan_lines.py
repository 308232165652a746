"""Lines of the Savings Plans file: what an hour of each product of the EC2 price list costs under each plan.

What is recorded: AWS's own calculator has the No Upfront rate of an EC2 Instance plan equal to the standard
reservation of the same words, so that reservation's figure is the rate. What is synthetic, and never a recorded fact:

- that the same holds of the other two payments;
- Compute plans, since no rate of a GPU family was ever recorded: the EC2 Instance rate x 1.08, of five decimals;
- every rate of another system, another standing, a type without GPU, Fargate and Lambda.

A type without a recorded reservation has no plan, and so no GPU of a zone has one; only in China, where nobody recorded
any reservation, all rates follow from the price on demand. Only the wanted lines have all twelve plans in a small file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import product as combined

from connectors.sandbox.aws_lines import ON_DEMAND, PAYMENT_WORDS
from connectors.sandbox.aws_partition import CHINA, partition_of
from connectors.sandbox.aws_products import Product, made_up_sku, other, place_of
from connectors.sandbox.aws_region import Shape, lines
from connectors.sandbox.aws_systems import DEDICATED_FACTOR, SYSTEMS, surcharge
from connectors.sandbox.facts import plain

COLUMNS = (
    "SKU,RateCode,Unit,EffectiveDate,DiscountedRate,Currency,DiscountedSKU,DiscountedServiceCode,DiscountedUsageType,"
    "DiscountedOperation,PurchaseOption,LeaseContractLength,LeaseContractLengthUnit,ServiceCode,UsageType,Operation,"
    "Description,Instance Family,Location,Location Type,Granularity,Product Family,DiscountedRegionCode,"
    "DiscountedInstanceType"
).split(",")
EC2_INSTANCE, COMPUTE = "EC2InstanceSavingsPlans", "ComputeSavingsPlans"
COMPUTE_FACTOR = Decimal("1.08")
MADE_UP_SHARE = {12: Decimal("0.63"), 36: Decimal("0.43")}  # of the price on demand, where nothing was recorded
FIVE_DECIMALS = Decimal("0.00001")
OFFERS_IN_SMALL = 2  # of the twelve, for a line that isn't wanted
SYSTEM_OF_OPERATION = {"RunInstances": "linux", "RunInstances:0002": "windows"}
# Usage types that the file has; of a capacity reservation in use nobody recorded a rate, and a tenth of its box's is no
# price of anything.
FACTORS = {
    "BoxUsage": Decimal(1),
    "UnusedBox": Decimal(1),  # recorded: r7g costs the same either way
    "DedicatedUsage": DEDICATED_FACTOR,
    "UnusedDed": DEDICATED_FACTOR,
    "Reservation": Decimal("0.1"),
}
# (service, usage type, operation, unit, USD on demand) of what else a Compute plan pays for.
SERVERLESS = (
    ("AmazonECS", "Fargate-vCPU-Hours:perCPU", "", "hours", "0.04048"),
    ("AmazonECS", "Fargate-GB-Hours", "", "hours", "0.004445"),
    ("AmazonEKS", "Fargate-vCPU-Hours:perCPU", "", "hours", "0.04048"),
    ("AWSLambda", "Lambda-GB-Second", "Invoke", "seconds", "0.0000166667"),
    ("AWSLambda", "Lambda-Provisioned-Concurrency", "", "seconds", "0.0000041667"),
)
HOST_HOUR = Decimal("17.9168")  # of a machine of one's own of the family g5, as in the price list

Offer = tuple[int, str]  # months and payment
Rates = Mapping[Offer, Decimal]
OFFERS: tuple[Offer, ...] = tuple(combined((12, 36), PAYMENT_WORDS))


@dataclass(frozen=True, slots=True)
class Discounted:
    """What a plan pays for, as a line says it."""

    sku: str
    service: str
    usage_type: str
    operation: str
    instance_type: str
    unit: str = "Hrs"


Row = tuple[str, ...]


def rows(day: date, published: date, region: str, shape: Shape) -> list[Row]:
    """The cells of all lines of a location, sorted by RateCode. `published` is the day of the file."""
    found = []
    since = f"{published.replace(day=1)}T00:00:00Z"
    for turn, (what, rates, whole) in enumerate(_discounted(day, region, shape)):
        plans = [(kind, offer) for kind in (EC2_INSTANCE, COMPUTE) for offer in OFFERS if offer in rates]
        if not what.instance_type:
            plans = [(kind, offer) for kind, offer in plans if kind == COMPUTE]
        if not (whole or shape.full):
            plans = [plans[(turn * OFFERS_IN_SMALL + step) % len(plans)] for step in range(OFFERS_IN_SMALL)]
        found += [_row(region, since, what, kind, offer, rates[offer]) for kind, offer in dict.fromkeys(plans)]
    return sorted(found, key=lambda row: row[1])


def _row(region: str, since: str, what: Discounted, kind: str, offer: Offer, rate: Decimal) -> Row:
    months, payment = offer
    years, words, place = months // 12, PAYMENT_WORDS[payment], place_of(region)
    family = what.instance_type.split(".")[0] if kind == EC2_INSTANCE else ""
    term = f"{years}yr{words.replace(' ', '')}"
    if kind == EC2_INSTANCE:
        usage, location = f"{place.prefix}EC2SP:{family}.{term}", place.location
        plan = f"{years} year {words} {family} EC2 Instance Savings Plan in {region}"
    else:
        usage, location, plan = f"ComputeSP:{term}", "Any", f"{years} year {words} Compute Savings Plan"
        rate = (rate * COMPUTE_FACTOR).quantize(FIVE_DECIMALS if what.unit == "Hrs" else FIVE_DECIMALS / 10**7)
    sku = made_up_sku(kind, usage)
    return (
        *(sku, f"{sku}.{what.sku}", what.unit, since, plain(rate), partition_of(region).currency),
        *(what.sku, what.service, what.usage_type, what.operation),
        *(words, str(years), "year", "ComputeSavingsPlans", usage, ""),
        *(plan, family, location, place.location_type if kind == EC2_INSTANCE else "AWS Region", "hourly", kind),
        *(region, what.instance_type),
    )


def _discounted(day: date, region: str, shape: Shape) -> Iterator[tuple[Discounted, Rates, bool]]:
    """(what, its rates, whether it is a wanted line), in the order of the price list's SKUs."""
    recorded = rates_of(day, region)
    found = {line.product.sku: line for line in lines(day, region, shape) if line.term_code == ON_DEMAND}
    for sku, line in sorted(found.items()):
        attributes = line.product.attributes
        if not line.product.instance_type or attributes["MarketOption"] != "OnDemand":
            continue
        if attributes["Location Type"] != place_of(region).location_type:
            continue
        what = Discounted(
            sku, "AmazonEC2", attributes["usageType"], attributes["operation"], line.product.instance_type
        )
        rates, whole = _rates(line.product, Decimal(line.cells[6]), recorded)
        if rates:
            yield what, rates, whole
    yield from _without_instance(region)


def _rates(product: Product, on_demand: Decimal, recorded: Mapping[tuple[str, str], Rates]) -> tuple[Rates, bool]:
    """The rates of a product, none if it has no plan, and whether they are those of its recorded reservations."""
    attributes = product.attributes
    usage = attributes["usageType"].rpartition(":")[0].rpartition("-")[2]
    system = SYSTEM_OF_OPERATION.get(attributes["operation"], "")
    metal = product.instance_type.split(".")[1].startswith("metal")
    own = recorded.get((product.instance_type, system), {})
    gpu = attributes["GPU"] not in ("", "0", "NA")
    wanted = gpu and system != "" and (usage == "BoxUsage" or (usage == "DedicatedUsage" and metal))
    if partition_of(attributes["Region Code"]) is CHINA:
        return made_up(on_demand) if on_demand and usage in FACTORS else {}, wanted
    if wanted:
        return own, True
    if usage not in FACTORS:
        return {}, False
    if not gpu:
        return made_up(on_demand) if on_demand else {}, False
    linux = recorded.get((product.instance_type, "linux"), {})
    known = next((one for one in SYSTEMS if one.operation == attributes["operation"]), None)
    added = surcharge(product.instance_type, known) if known else Decimal(0)
    return {offer: ((rate + added) * FACTORS[usage]).quantize(FIVE_DECIMALS) for offer, rate in linux.items()}, False


def made_up(on_demand: Decimal) -> Rates:
    """Rates that follow from the price on demand."""
    places = FIVE_DECIMALS if on_demand > FIVE_DECIMALS * 100 else FIVE_DECIMALS / 10**7
    return {(months, payment): (on_demand * MADE_UP_SHARE[months]).quantize(places) for months, payment in OFFERS}


def _without_instance(region: str) -> Iterator[tuple[Discounted, Rates, bool]]:
    place = place_of(region)
    if place.location_type != "AWS Region":
        return
    host = other(region, "Dedicated Host", "HostUsage:g5")
    yield (
        Discounted(host.sku, "AmazonEC2", host.attributes["usageType"], "RunInstances", "g5"),
        made_up(HOST_HOUR),
        False,
    )
    for service, usage, operation, unit, price in SERVERLESS:
        sku = made_up_sku(region, service, usage)
        yield Discounted(sku, service, place.prefix + usage, operation, "", unit), made_up(Decimal(price)), False


@lru_cache(maxsize=300)
def rates_of(day: date, region: str) -> Mapping[tuple[str, str], Rates]:
    """(type, system) -> the standard reservations in force, as the hour that each comes to."""
    found: dict[tuple[str, str], dict[Offer, Decimal]] = {}
    for figure in partition_of(region).figures_of(day, region):
        fact = figure.fact
        if (fact.purchase_option, fact.offering_class) == ("reserved", "standard"):
            offers = found.setdefault((fact.instance_type, fact.operating_system), {})
            offers[fact.term_months, fact.payment_option] = fact.price
    return found
