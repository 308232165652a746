"""Asking the sandbox's Azure retail price list without a server."""

import json
from datetime import date
from typing import Any
from urllib.parse import urlencode, urlsplit

from connectors.sandbox import azure
from connectors.sandbox.azure_faults import AzureFaults, AzureUnverified
from connectors.sandbox.azure_list import Shelf
from connectors.sandbox.facts import DATES

JUNE_2025, JUNE_2026, AUGUST_2026 = DATES["azure"]
PREVIEW = "2023-01-01-preview"
BASE = "http://127.0.0.1:8080"
Item = dict[str, Any]


def page(
    on: date | Shelf,
    filter: str = "",
    page_size: int = 1000,
    faults: AzureFaults | None = None,
    unverified: AzureUnverified | None = None,
    **parameters: Any,
) -> dict[str, Any]:
    """One answer. `parameters` with underscores for hyphens; skip and top are $skip and $top."""
    given = {name.replace("_", "-"): text for name, text in parameters.items()}
    for name in ("skip", "top"):
        if name in given:
            given[f"${name}"] = given.pop(name)
    query = urlencode({"$filter": filter, **given})
    manner = azure.Manner(BASE, page_size, faults or AzureFaults(), unverified or AzureUnverified())
    return asked(query, on, manner)


def asked(query: str, on: date | Shelf, manner: azure.Manner) -> dict[str, Any]:
    """The answer to a query."""
    shelf = on if isinstance(on, Shelf) else Shelf(on)
    content: dict[str, Any] = json.loads(azure.answer(azure.Query.of(query), shelf, manner))
    return content


def pages(filter: str, on: date | Shelf, manner: azure.Manner, **parameters: Any) -> list[dict[str, Any]]:
    """All answers along the links, at most 50."""
    found = [asked(urlencode({"$filter": filter, **parameters}), on, manner)]
    while found[-1]["NextPageLink"] and len(found) < 50:
        found.append(asked(urlsplit(found[-1]["NextPageLink"]).query, on, manner))
    return found


def items_of(found: list[dict[str, Any]]) -> list[Item]:
    """The items of some pages, in order."""
    return [item for one in found for item in one["Items"]]
