"""The AWS price list as its host serves it: index documents and one CSV for each version and region.

A version is a day of `DATES["aws"]`; its id is the publication time as digits. `current` is the version of the day the
sandbox stands on, and earlier ones stay downloadable. JSON offer files and savings plans are not served.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache

from connectors.sandbox import aws_noise
from connectors.sandbox.aws_lines import Line, on_demand, quoted, reserved, table
from connectors.sandbox.aws_products import Product, compute, instance_types
from connectors.sandbox.facts import DATES, REGIONS, Fact
from connectors.sandbox.serving import facts_of, published_at, served

ROOT = "/offers/v1.0/aws"
# Listed among the regions of the real index without being one of this partition; no file stands behind it.
STRAY_REGION = "cn-north-1-pkx-1"
DISCLAIMER = (
    "This pricing list is for informational purposes only. All prices are subject to the additional terms included in "
    "the pricing pages on http://aws.amazon.com. All Free Tier prices are also subject to the terms included at "
    "https://aws.amazon.com/free/"
)
OTHER_OFFERS = ("AmazonECS", "AmazonS3", "AWSLambda")


def stamp(moment: datetime) -> str:
    """ISO text with Z."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def version_of(day: date) -> str:
    """The id of a day's version: its publication time as digits."""
    return published_at("aws", day).strftime("%Y%m%d%H%M%S")


def versions(day: date) -> Mapping[str, date]:
    """Version id -> day, oldest first, for the versions published on or before `day`."""
    return {version_of(earlier): earlier for earlier in DATES["aws"] if earlier <= day}


def offer_index(day: date) -> str:
    """`/offers/v1.0/aws/index.json`."""
    offers = {}
    for code in ("AmazonEC2", *OTHER_OFFERS):
        path = f"{ROOT}/{code}"
        offers[code] = {
            "offerCode": code,
            "versionIndexUrl": f"{path}/index.json",
            "currentVersionUrl": f"{path}/current/index.json",
            "currentRegionIndexUrl": f"{path}/current/region_index.json",
        }
    plans = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current"
    offers["AmazonEC2"] |= {
        "savingsPlanVersionIndexUrl": f"{plans}/index.json",
        "currentSavingsPlanIndexUrl": f"{plans}/region_index.json",
    }
    return _document(day, {"offers": offers})


def version_index(day: date) -> str:
    """`/offers/v1.0/aws/AmazonEC2/index.json`. A version holds from the first of its month to the next version's."""
    known = versions(day)
    begins = [f"{published.replace(day=1)}T00:00:00Z" for published in known.values()]
    listed = {
        version: {
            "versionEffectiveBeginDate": begin,
            "versionEffectiveEndDate": end,
            "offerVersionUrl": f"{ROOT}/AmazonEC2/{version}/index.json",
        }
        for version, begin, end in zip(known, begins, [*begins[1:], ""], strict=True)
    }
    return _document(day, {"offerCode": "AmazonEC2", "currentVersion": version_of(day), "versions": listed})


def region_index(day: date, omitted: frozenset[str] = frozenset()) -> str:
    """`region_index.json` of a day's version: paths relative to the host, and only those of JSON files."""
    version = version_of(day)
    regions = {
        code: {"regionCode": code, "currentVersionUrl": f"{ROOT}/AmazonEC2/{version}/{code}/index.json"}
        for code in (*REGIONS["aws"], STRAY_REGION)
        if code not in omitted
    }
    return _document(day, {"regions": regions})


def _document(day: date, content: Mapping[str, object]) -> str:
    head: dict[str, object] = {
        "formatVersion": "v1.0",
        "disclaimer": DISCLAIMER,
        "publicationDate": stamp(published_at("aws", day)),
    }
    return json.dumps({**head, **content}, indent=2, separators=(",", " : "))


def price_list(
    day: date, region: str, *, drop_reserved: bool = False, unknown_column: str = "", missing_column: str = ""
) -> bytes:
    """The CSV of one version and region: five lines about the file, the header, one line per rate, sorted by SKU."""
    preamble = (
        ("FormatVersion", "v1.0"),
        ("Disclaimer", DISCLAIMER),
        ("Publication Date", stamp(published_at("aws", day))),
        ("Version", version_of(day)),
        ("OfferCode", "AmazonEC2"),
    )
    lines = [line for line in _lines(day, region) if not (drop_reserved and line.cells[0] == "Reserved")]
    head = [",".join(map(quoted, row)) for row in preamble]
    return ("\n".join([*head, *table(lines, unknown_column, missing_column)]) + "\n").encode()


def _lines(day: date, region: str) -> Iterator[Line]:
    published = published_at("aws", day).date()
    facts = [s.fact for s in served("aws", day) if s.fact.region == region]
    facts = [fact for fact in facts if not aws_noise.is_ordinary(fact.instance_type)]
    products = {place: _product(region, *place) for place in {(f.instance_type, f.operating_system) for f in facts}}
    for fact in facts:
        yield from _fact_lines(products[fact.instance_type, fact.operating_system], fact, published)
    for fact in facts:
        if _surrounded(fact):
            sku = products[fact.instance_type, "linux"].sku
            yield from aws_noise.around(region, fact.instance_type, fact.price, sku, published)
    if region != "eu-west-1":
        yield from aws_noise.capacity_blocks(region, aws_noise.ONLY_CAPACITY_BLOCKS, published)
    yield from aws_noise.ordinary(region, published)
    yield from aws_noise.without_instance_type(region, published)


def _surrounded(fact: Fact) -> bool:
    told = instance_types().get(fact.instance_type)
    return fact.operating_system == "linux" and fact.purchase_option == "on_demand" and told is not None


def _product(region: str, instance_type: str, system: str) -> Product:
    columns = {"Operating_System": "Windows", "operation": "RunInstances:0002"} if system == "windows" else {}
    if instance_type == aws_noise.ONLY_DEDICATED:
        columns |= {"Tenancy": "Dedicated", "usage": "DedicatedUsage"}
    recorded = _recorded_skus().get((region, instance_type), "") if system == "linux" else ""
    return compute(region, instance_type, system.capitalize(), recorded, **columns)


@lru_cache(maxsize=1)
def _recorded_skus() -> Mapping[tuple[str, str], str]:
    return {(fact.region, fact.instance_type): fact.sku for fact in facts_of("aws") if fact.sku}


def _fact_lines(product: Product, fact: Fact, day: date) -> Sequence[Line]:
    if fact.purchase_option == "on_demand":
        return [on_demand(product, fact.price, day)]
    hourly = fact.hourly if fact.upfront is not None else fact.price
    term = (fact.term_months, fact.offering_class, fact.payment_option)
    return list(reserved(product, *term, hourly or Decimal(0), fact.upfront, day))
