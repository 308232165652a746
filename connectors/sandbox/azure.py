"""The Azure retail price list as its host answers: filter, currency, API version and pages of 1,000.

Rows come twice at a page's border, as they do in the real list, whose table moves while it is read: the first row of
a page is the last one of the page before.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from urllib.parse import parse_qsl, quote

from connectors.sandbox.azure_currencies import RATES, converted
from connectors.sandbox.azure_faults import AzureFaults, AzureUnverified
from connectors.sandbox.azure_items import Item
from connectors.sandbox.azure_list import Shelf, selection
from connectors.sandbox.filters import Dialect, FilterError

PATH = "/api/retail/prices"
PAGE_SIZE = 1000
# The only version that answers with savings plans, and that tells upper from lower case in a filter's values.
WITH_SAVINGS_PLANS = "2023-01-01-preview"
VERSIONS = ("", "2021-10-01-preview", WITH_SAVINGS_PLANS)
PRICES = ("retailPrice", "unitPrice")


class BadRequest(ValueError):
    """The service answers 400; the text is its message."""


@dataclass(frozen=True, slots=True)
class Query:
    """A request's parameters. Those the service doesn't know are ignored, as it ignores them."""

    filter: str = ""
    api_version: str = ""
    currency: str = "USD"
    primary_only: bool = False
    skip: int = 0
    top: int | None = None

    @classmethod
    def of(cls, text: str) -> "Query":
        """The query of a URL. BadRequest for an unknown version or currency, or a skip or top that is no number."""
        given = dict(parse_qsl(text, keep_blank_values=True))
        version, currency = given.get("api-version", ""), given.get("currencyCode", "USD").strip("'").upper()
        skip, top = given.get("$skip", "0"), given.get("$top", "")
        if version not in VERSIONS:
            raise BadRequest(f"Unsupported api-version {version}")
        if currency not in RATES:
            raise BadRequest(f"Invalid currency code {currency}")
        if not skip.isdecimal() or not (top or "0").isdecimal():
            raise BadRequest("Invalid OData parameters supplied")
        primary = given.get("meterRegion", "").strip("'") == "primary" and version != ""
        return cls(given.get("$filter", ""), version, currency, primary, int(skip), int(top) if top else None)

    def link(self, base_url: str, skip: int) -> str:
        """The absolute address of the page that begins at `skip`."""
        pairs = [("api-version", self.api_version), ("currencyCode", self.currency), ("$filter", self.filter)]
        pairs += [("meterRegion", "'primary'" if self.primary_only else ""), ("$skip", str(skip))]
        pairs += [("$top", str(self.top or ""))]
        return f"{base_url}{PATH}?" + "&".join(f"{name}={quote(text, safe='')}" for name, text in pairs if text)


@dataclass(frozen=True, slots=True)
class Manner:
    """How the host answers: its address, the size of its pages, and its switches."""

    base_url: str
    page_size: int = PAGE_SIZE
    faults: AzureFaults = field(default_factory=AzureFaults)
    unverified: AzureUnverified = field(default_factory=AzureUnverified)
    unknown_field: str = ""  # stands in every item, empty
    missing_field: str = ""  # stands in none


def answer(query: Query, shelf: Shelf, manner: Manner) -> str:
    """The JSON of one page. BadRequest for a malformed filter or a skip beyond the end."""
    if not manner.unverified.top:
        query = replace(query, top=None)
    rows = _in_pages(_matching(query, shelf, manner.unverified), manner.page_size, manner.faults)
    if query.skip > len(rows):
        raise BadRequest("Invalid OData parameters supplied")
    until = min(query.skip + manner.page_size, len(rows))
    if query.top is not None:
        until = min(until, query.skip + query.top)
    page = [row for row in rows[query.skip : until] if row is not None]
    content = {
        "BillingCurrency": query.currency,
        "CustomerEntityId": "Default",
        "CustomerEntityType": "Retail",
        "Items": [_shown(row, query, manner) for row in page],
        "NextPageLink": _next_link(query, until, len(rows), manner),
        "Count": len(page) + manner.faults.count_off,
    }
    return json.dumps(content, default=float)


def _matching(query: Query, shelf: Shelf, unverified: AzureUnverified) -> Sequence[Item]:
    case_sensitive = query.api_version == WITH_SAVINGS_PLANS
    dialect = Dialect(case_sensitive, unverified.more_operators, unverified.type_name)
    try:
        return selection(shelf, query.filter, dialect, query.primary_only)
    except FilterError as error:
        raise BadRequest(f"Invalid OData parameters supplied: {error}") from error


def _in_pages(rows: Sequence[Item], size: int, faults: AzureFaults) -> list[Item | None]:
    """The rows as they are counted by $skip: one twice at each border, or some lost there. None is no row."""
    step = size + faults.lost_at_border if faults.lost_at_border else max(size - 1, 1)
    paged: list[Item | None] = list(rows[:size])
    place = step
    while place + size - step < len(rows):
        paged += rows[place : place + size]
        place += step
    if faults.empty_page is not None:
        gap = faults.empty_page * size
        paged[gap:gap] = [None] * size
    return paged


def _next_link(query: Query, until: int, end: int, manner: Manner) -> str | None:
    left = None if query.top is None else query.top - (until - query.skip)
    base_url, loop = manner.faults.link_host or manner.base_url, manner.faults.link_loop
    if loop == "itself":
        return query.link(base_url, query.skip)
    if loop == "back" and query.skip:
        return query.link(base_url, max(query.skip - manner.page_size, 0))
    return replace(query, top=left).link(base_url, until) if until < end and left != 0 else None


def _shown(row: Item, query: Query, manner: Manner) -> Item:
    currency, faults = query.currency, manner.faults
    shown = row | {"currencyCode": currency, "tierMinimumUnits": faults.tier_minimum_units}
    shown |= _priced(row, currency, faults.prices_as_text)
    plans = shown.pop("savingsPlan", None)
    if isinstance(plans, list) and query.api_version == WITH_SAVINGS_PLANS:
        shown["savingsPlan"] = [plan | _priced(plan, currency, faults.prices_as_text) for plan in plans]
    if manner.unknown_field:
        shown[manner.unknown_field] = ""
    shown.pop(manner.missing_field, None)
    return shown


def _priced(row: Mapping[str, object], currency: str, as_text: bool) -> Item:
    prices: Item = {}
    for name in PRICES:
        price = row[name]
        assert isinstance(price, Decimal)
        shown = converted(price, currency)
        prices[name] = format(shown, "f") if as_text else shown
    return prices
