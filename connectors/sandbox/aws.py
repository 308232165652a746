"""The AWS price list as its host serves it: index documents and one CSV for each version and location.

A version is a day of `DATES["aws"]`; its id is the publication time as digits. `current` is the version of the day the
sandbox stands on, and earlier ones stay downloadable. JSON offer files are not served; savings plans
are `aws_plans`.
"""

import json
from collections.abc import Mapping
from datetime import date, datetime

from connectors.sandbox.aws_lines import quoted, table
from connectors.sandbox.aws_region import PLAIN, Shape, lines
from connectors.sandbox.facts import DATES, REGIONS
from connectors.sandbox.serving import published_at

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


def region_index(day: date, omitted: frozenset[str] = frozenset(), added: frozenset[str] = frozenset()) -> str:
    """`region_index.json` of a day's version: paths relative to the host, and only those of JSON files."""
    version = version_of(day)
    regions = {
        code: {"regionCode": code, "currentVersionUrl": f"{ROOT}/AmazonEC2/{version}/{code}/index.json"}
        for code in (*REGIONS["aws"], STRAY_REGION, *sorted(added))
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


def preamble(day: date) -> str:
    """The five lines about the file."""
    rows = (
        ("FormatVersion", "v1.0"),
        ("Disclaimer", DISCLAIMER),
        ("Publication Date", stamp(published_at("aws", day))),
        ("Version", version_of(day)),
        ("OfferCode", "AmazonEC2"),
    )
    return "".join(",".join(map(quoted, row)) + "\n" for row in rows)


def price_list(day: date, region: str, shape: Shape = PLAIN) -> bytes:
    """The small CSV of one version and location: about the file, the header, one line per rate, sorted by SKU."""
    text = [preamble(day), shape.columns.header, "\n"]
    for _, line in table(lines(day, region, shape), shape.columns):
        text += (line, "\n")
    return "".join(text).encode()
