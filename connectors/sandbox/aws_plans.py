"""AWS's Savings Plans files as their host serves them: a region index, and one CSV for each version and location.

A version belongs to a day of `DATES["aws"]` and was published some minutes before that day's price list: its id is its
own. Nothing is served that nobody recorded the form of: not the version index, and no JSON file.
"""

import csv
import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from io import StringIO

from connectors.sandbox.aws import DISCLAIMER, stamp
from connectors.sandbox.aws_plan_lines import COLUMNS, rows
from connectors.sandbox.aws_region import PLAIN, Shape
from connectors.sandbox.facts import DATES, REGIONS
from connectors.sandbox.serving import published_at as price_list_published_at

ROOT = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan"
BEFORE = timedelta(minutes=17, seconds=31)


def published_at(day: date) -> datetime:
    """When the file of a day was published."""
    return price_list_published_at("aws", day) - BEFORE


def version_of(day: date) -> str:
    """The id of a day's version."""
    return published_at(day).strftime("%Y%m%d%H%M%S")


def versions(day: date) -> Mapping[str, date]:
    """Version id -> day, oldest first, for the versions published on or before `day`."""
    return {version_of(earlier): earlier for earlier in DATES["aws"] if earlier <= day}


def region_index(day: date, omitted: frozenset[str] = frozenset(), added: frozenset[str] = frozenset()) -> str:
    """`region_index.json`: a list, unlike that of the price list, with the keys in the recorded order."""
    version = version_of(day)
    regions = [
        {"regionCode": code, "versionUrl": f"{ROOT}/{version}/{code}/index.json"}
        for code in (*REGIONS["aws"], *sorted(added))
        if code not in omitted
    ]
    content = {
        "disclaimer": DISCLAIMER,
        "publicationDate": stamp(published_at(day)),
        "regions": regions,
        "formatVersion": "v1.0",
    }
    return json.dumps(content, indent=2, separators=(",", " : "))


def plans(day: date, region: str, shape: Shape = PLAIN) -> bytes:
    """The CSV of one version and location: five lines about the file, the header, one line per rate."""
    text = StringIO()
    for line in (
        "FormatVersion,v1.0",
        f"Disclaimer,{DISCLAIMER}",
        f"Publication Date,{stamp(published_at(day))}",
        f"Version,{version_of(day)}",
        "OfferCode,AmazonComputeSavingsPlan",
    ):
        text.write(line + "\n")
    places = [place for place, name in enumerate(COLUMNS) if name != shape.columns.missing]
    added = [shape.columns.unknown] if shape.columns.unknown else []
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*(COLUMNS[place] for place in places), *added])
    for row in rows(day, published_at(day).date(), region, shape):
        writer.writerow([*(row[place] for place in places), *("" for _ in added)])
    return text.getvalue().encode()
