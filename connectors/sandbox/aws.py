"""The AWS price list as its host serves it: index documents and one CSV for each version and location.

A version is a day of `DATES["aws"]`; its id is the publication time as digits. `current` is the version of the day the
sandbox stands on, and earlier ones stay downloadable. JSON offer files are not served; savings plans
are `aws_plans`.
"""

import json
from collections.abc import Mapping
from datetime import date, datetime

from connectors.sandbox.aws_lines import quoted, table
from connectors.sandbox.aws_partition import AWS, Partition, partition_of
from connectors.sandbox.aws_region import PLAIN, Shape, lines

OTHER_OFFERS = ("AmazonECS", "AmazonS3", "AWSLambda")


def stamp(moment: datetime) -> str:
    """ISO text with Z."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def version_of(moment: datetime) -> str:
    """The id of what was published then."""
    return moment.strftime("%Y%m%d%H%M%S")


def versions(day: date, partition: Partition = AWS) -> Mapping[str, date]:
    """Version id -> the last day it is served on, oldest first, for the versions published on or before `day`."""
    return {version_of(moment): last for moment, last in partition.versions(day).items()}


def root(partition: Partition) -> str:
    """Where all paths of a partition begin."""
    return f"/offers/v1.0/{partition.name}"


def offer_index(day: date, partition: Partition = AWS) -> str:
    """`/offers/v1.0/aws/index.json`."""
    offers = {}
    for code in ("AmazonEC2", *OTHER_OFFERS):
        path = f"{root(partition)}/{code}"
        offers[code] = {
            "offerCode": code,
            "versionIndexUrl": f"{path}/index.json",
            "currentVersionUrl": f"{path}/current/index.json",
            "currentRegionIndexUrl": f"{path}/current/region_index.json",
        }
    plans = f"/savingsPlan/v1.0/{partition.name}/AWSComputeSavingsPlan/current"
    offers["AmazonEC2"] |= {
        "savingsPlanVersionIndexUrl": f"{plans}/index.json",
        "currentSavingsPlanIndexUrl": f"{plans}/region_index.json",
    }
    return _document(day, partition, {"offers": offers})


def version_index(day: date, partition: Partition = AWS) -> str:
    """`/offers/v1.0/aws/AmazonEC2/index.json`. A version holds from the first of its month to the next version's."""
    known = versions(day, partition)
    begins = [f"{moment.date().replace(day=1)}T00:00:00Z" for moment in partition.versions(day)]
    listed = {
        version: {
            "versionEffectiveBeginDate": begin,
            "versionEffectiveEndDate": end,
            "offerVersionUrl": f"{root(partition)}/AmazonEC2/{version}/index.json",
        }
        for version, begin, end in zip(known, begins, [*begins[1:], ""], strict=True)
    }
    current = version_of(partition.published_at(day))
    return _document(day, partition, {"offerCode": "AmazonEC2", "currentVersion": current, "versions": listed})


def region_index(
    day: date,
    omitted: frozenset[str] = frozenset(),
    added: frozenset[str] = frozenset(),
    partition: Partition = AWS,
) -> str:
    """`region_index.json` of a day's version: paths relative to the host, and only those of JSON files."""
    version = version_of(partition.published_at(day))
    regions = {
        code: {"regionCode": code, "currentVersionUrl": f"{root(partition)}/AmazonEC2/{version}/{code}/index.json"}
        for code in (*partition.regions, partition.stray, *sorted(added))
        if code not in omitted
    }
    return _document(day, partition, {"regions": regions})


def _document(day: date, partition: Partition, content: Mapping[str, object]) -> str:
    head: dict[str, object] = {
        "formatVersion": "v1.0",
        "disclaimer": partition.disclaimer,
        "publicationDate": stamp(partition.published_at(day)),
    }
    return json.dumps({**head, **content}, indent=2, separators=(",", " : "))


def preamble(day: date, partition: Partition = AWS) -> str:
    """The five lines about the file."""
    rows = (
        ("FormatVersion", "v1.0"),
        ("Disclaimer", partition.disclaimer),
        ("Publication Date", stamp(partition.published_at(day))),
        ("Version", version_of(partition.published_at(day))),
        ("OfferCode", "AmazonEC2"),
    )
    return "".join(",".join(map(quoted, row)) + "\n" for row in rows)


def price_list(day: date, region: str, shape: Shape = PLAIN) -> bytes:
    """The small CSV of one version and location: about the file, the header, one line per rate, sorted by SKU."""
    text = [preamble(day, partition_of(region)), shape.columns.header, "\n"]
    for _, line in table(lines(day, region, shape), shape.columns):
        text += (line, "\n")
    return "".join(text).encode()
