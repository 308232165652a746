"""AWS's Savings Plans files as their host serves them: a region index, and one CSV for each version and location.

A version belongs to one of the price list and was published some minutes before it: its id is its
own. Nothing is served that nobody recorded the form of: not the version index, and no JSON file.
"""

import csv
import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from io import StringIO

from connectors.sandbox.aws import stamp
from connectors.sandbox.aws import version_of as id_of
from connectors.sandbox.aws_partition import AWS, Partition, partition_of
from connectors.sandbox.aws_plan_lines import COLUMNS, rows
from connectors.sandbox.aws_region import PLAIN, Shape

BEFORE = timedelta(minutes=17, seconds=31)


def root(partition: Partition) -> str:
    """Where all paths of a partition begin."""
    return f"/savingsPlan/v1.0/{partition.name}/AWSComputeSavingsPlan"


def published_at(day: date, partition: Partition = AWS) -> datetime:
    """When the file of a day was published."""
    return partition.published_at(day) - BEFORE


def versions(day: date, partition: Partition = AWS) -> Mapping[str, date]:
    """Version id -> the last day it is served on, oldest first, for the versions published on or before `day`."""
    return {id_of(moment - BEFORE): last for moment, last in partition.versions(day).items()}


def region_index(
    day: date,
    omitted: frozenset[str] = frozenset(),
    added: frozenset[str] = frozenset(),
    partition: Partition = AWS,
) -> str:
    """`region_index.json`: a list, unlike that of the price list, with the keys in the recorded order."""
    version = id_of(published_at(day, partition))
    regions = [
        {"regionCode": code, "versionUrl": f"{root(partition)}/{version}/{code}/index.json"}
        for code in (*partition.regions, *sorted(added))
        if code not in omitted
    ]
    content = {
        "disclaimer": partition.disclaimer,
        "publicationDate": stamp(published_at(day, partition)),
        "regions": regions,
        "formatVersion": "v1.0",
    }
    return json.dumps(content, indent=2, separators=(",", " : "))


def plans(day: date, region: str, shape: Shape = PLAIN) -> bytes:
    """The CSV of one version and location: five lines about the file, the header, one line per rate."""
    partition, text = partition_of(region), StringIO()
    published = published_at(day, partition)
    for line in (
        "FormatVersion,v1.0",
        f"Disclaimer,{partition.disclaimer}",
        f"Publication Date,{stamp(published)}",
        f"Version,{id_of(published)}",
        "OfferCode,AmazonComputeSavingsPlan",
    ):
        text.write(line + "\n")
    places = [place for place, name in enumerate(COLUMNS) if name != shape.columns.missing]
    added = [shape.columns.unknown] if shape.columns.unknown else []
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*(COLUMNS[place] for place in places), *added])
    for row in rows(day, published.date(), region, shape):
        writer.writerow([*(row[place] for place in places), *("" for _ in added)])
    return text.getvalue().encode()
