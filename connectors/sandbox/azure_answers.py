"""What Azure's price host answers: a page of the list with its quota in the headers, 400, or 429."""

import json
from dataclasses import replace
from datetime import date

from connectors.sandbox import azure
from connectors.sandbox.answer import Answer
from connectors.sandbox.azure_faults import REMAINING, RETRY_AFTER, AzureUnverified, Window, throttled
from connectors.sandbox.azure_list import Shelf
from connectors.sandbox.faults import Faults

WAIT = 60  # seconds to wait when throttled, which it tells on good answers too


def answer(query: str, shelf: Shelf, manner: azure.Manner, window: Window) -> Answer:
    """The answer to a GET of the list with a query."""
    left = window.left_after(manner.unverified.quota)
    if left is None:
        return Answer(429, b"", throttled(WAIT))
    headers = {"Content-Type": "application/json; charset=utf-8", REMAINING: str(left), RETRY_AFTER: str(WAIT)}
    try:
        asked = azure.Query.of(query)
        manner = replace(manner, faults=manner.faults.on(asked.filter))
        body = azure.answer(asked, shelf, manner)
    except azure.BadRequest as error:
        content = {"error": {"code": "BadRequest", "message": str(error)}}
        return Answer(400, json.dumps(content).encode(), headers)
    if manner.faults.without_quota_headers:
        del headers[REMAINING], headers[RETRY_AFTER]
    return Answer(200, body.encode(), headers)


def shelf_of(day: date, full: bool, faults: Faults, unverified: AzureUnverified) -> Shelf:
    """What stands in the list of a day under some switches."""
    return Shelf(
        day,
        full,
        other_clouds=unverified.other_clouds,
        without_reservations=faults.drop_reserved,
        without_regions=frozenset(faults.omitted_regions),
        without_sizes=frozenset(faults.azure.without_sizes),
        without_meters=frozenset(faults.azure.without_meters),
        halved_regions=frozenset(faults.azure.halved_regions),
        new_region=faults.azure.new_region,
    )
