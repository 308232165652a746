"""The Azure retail price list as its host answers: filter, currency, API version and pages of 1,000.

Rows come twice at a page's border, as they do in the real list, whose table moves while it is read: the first row of
a page is the last one of the page before.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from urllib.parse import parse_qsl, quote

from connectors.sandbox.azure_items import Item, recorded_items
from connectors.sandbox.azure_noise import items_elsewhere, noise_items
from connectors.sandbox.facts import REGIONS
from connectors.sandbox.filters import FilterError, compile_filter

PATH = "/api/retail/prices"
PAGE_SIZE = 1000
# The only version that answers with savings plans, and that tells upper from lower case in a filter's values.
WITH_SAVINGS_PLANS = "2023-01-01-preview"
VERSIONS = ("", "2021-10-01-preview", WITH_SAVINGS_PLANS)
# Made-up reference rates: units of the currency for a US dollar. The service converts; its price is in dollars.
RATES: Mapping[str, str] = {
    "USD": "1",
    "AUD": "1.55",
    "BRL": "5.6",
    "CAD": "1.37",
    "CHF": "0.82",
    "CNY": "7.2",
    "DKK": "6.55",
    "EUR": "0.88",
    "GBP": "0.75",
    "INR": "86",
    "JPY": "145",
    "KRW": "1370",
    "NOK": "10.1",
    "NZD": "1.66",
    "RUB": "79",
    "SEK": "9.6",
    "TWD": "30",
}
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

    @classmethod
    def of(cls, text: str) -> "Query":
        """The query of a URL. BadRequest for an unknown version or currency, or a skip that is no number."""
        given = dict(parse_qsl(text, keep_blank_values=True))
        version, currency = given.get("api-version", ""), given.get("currencyCode", "USD").strip("'").upper()
        skip = given.get("$skip", "0")
        if version not in VERSIONS:
            raise BadRequest(f"Unsupported api-version {version}")
        if currency not in RATES:
            raise BadRequest(f"Invalid currency code {currency}")
        if not skip.isdecimal():
            raise BadRequest("Invalid OData parameters supplied")
        primary = given.get("meterRegion", "").strip("'") == "primary" and version != ""
        return cls(given.get("$filter", ""), version, currency, primary, int(skip))

    def link(self, base_url: str, skip: int) -> str:
        """The absolute address of the page that begins at `skip`."""
        pairs = [("api-version", self.api_version), ("currencyCode", self.currency), ("$filter", self.filter)]
        pairs += [("meterRegion", "'primary'" if self.primary_only else ""), ("$skip", str(skip))]
        return f"{base_url}{PATH}?" + "&".join(f"{name}={quote(text, safe='')}" for name, text in pairs if text)


@dataclass(frozen=True, slots=True)
class Spoiled:
    """What is wrong with the answers, on purpose."""

    drop_reserved: bool = False
    omitted_regions: frozenset[str] = frozenset()
    unknown_field: str = ""
    missing_field: str = ""


@lru_cache(maxsize=len(REGIONS) * 3)
def all_items(day: date) -> tuple[Item, ...]:
    """The whole list on a day, in an order that tells nothing."""
    found = list(items_elsewhere(day))
    for region in REGIONS["azure"]:
        found += [*recorded_items(region, day), *noise_items(region, day)]
    return tuple(
        sorted(found, key=lambda item: (str(item["meterId"]), str(item["type"]), str(item["effectiveStartDate"])))
    )


def answer(query: Query, day: date, base_url: str, spoiled: Spoiled = Spoiled(), page_size: int = PAGE_SIZE) -> str:
    """The JSON of one page. BadRequest for a malformed filter or a skip beyond the end."""
    rows = _with_border_repeats(_matching(query, day, spoiled), page_size)
    if query.skip > len(rows):
        raise BadRequest("Invalid OData parameters supplied")
    page = rows[query.skip : query.skip + page_size]
    after = query.skip + page_size
    content = {
        "BillingCurrency": query.currency,
        "CustomerEntityId": "Default",
        "CustomerEntityType": "Retail",
        "Items": [_shown(row, query, spoiled) for row in page],
        "NextPageLink": query.link(base_url, after) if after < len(rows) else None,
        "Count": len(page),
    }
    return json.dumps(content, default=float)


def _matching(query: Query, day: date, spoiled: Spoiled) -> list[Item]:
    case_sensitive = query.api_version == WITH_SAVINGS_PLANS
    try:
        wanted = compile_filter(query.filter, case_sensitive=case_sensitive) if query.filter else lambda item: True
    except FilterError as error:
        raise BadRequest(f"Invalid OData parameters supplied: {error}") from error
    return [
        item
        for item in all_items(day)
        if wanted(item)
        and not (query.primary_only and not item["isPrimaryMeterRegion"])
        and not (spoiled.drop_reserved and item["type"] == "Reservation")
        and item["armRegionName"] not in spoiled.omitted_regions
    ]


def _with_border_repeats(rows: list[Item], page_size: int) -> list[Item]:
    repeated = list(rows)
    place = page_size
    while place < len(repeated):
        repeated.insert(place, repeated[place - 1])
        place += page_size
    return repeated


def _shown(row: Item, query: Query, spoiled: Spoiled) -> Item:
    rate = Decimal(RATES[query.currency])
    shown = row | {"currencyCode": query.currency} | _converted(row, rate)
    plans = shown.pop("savingsPlan", None)
    if isinstance(plans, list) and query.api_version == WITH_SAVINGS_PLANS:
        shown["savingsPlan"] = [plan | _converted(plan, rate) for plan in plans]
    if spoiled.unknown_field:
        shown[spoiled.unknown_field] = ""
    shown.pop(spoiled.missing_field, None)
    return shown


def _converted(row: Mapping[str, object], rate: Decimal) -> Item:
    prices = {name: row[name] for name in PRICES}
    return {name: price * rate if rate != 1 and isinstance(price, Decimal) else price for name, price in prices.items()}
