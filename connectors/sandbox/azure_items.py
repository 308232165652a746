"""Items of the Azure retail price list that come from recorded figures, in the form and field order of the feed.

Product, sku and meter names are the recorded ones (westeurope, 2026-08-20) where the size was met there, else built
by the same pattern; ids are the recorded ones in westeurope and made up, always the same, elsewhere.
"""

import hashlib
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from connectors.sandbox.azure_regions import locations
from connectors.sandbox.azure_windows import instant, month_end, start_of
from connectors.sandbox.facts import read_table
from connectors.sandbox.serving import Served, served_by_region

Item = dict[str, object]

TIER_WORDS: Mapping[str, str] = {"on_demand": "", "spot": " Spot", "low_priority": " Low Priority"}
TERM_WORDS: Mapping[int, str] = {12: "1 Year", 36: "3 Years", 60: "5 Years"}
MADE_UP_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "https://prices.azure.com/api/retail/prices")


@dataclass(frozen=True, slots=True)
class Meter:
    """What a size is called on one system and tier in one region, with its ids."""

    product_name: str
    sku_name: str
    meter_name: str
    product_id: str
    sku_id: str
    meter_id: str


@lru_cache(maxsize=1)
def _recorded_names() -> Mapping[tuple[str, str], Mapping[str, str]]:
    return {(row["instance_type"], row["operating_system"]): row for row in read_table("azure_names.csv")}


def meter(region: str, size: str, system: str, tier: str) -> Meter:
    """The meter of a size. `tier`: on_demand, spot or low_priority."""
    known = _recorded_names().get((size, system)) or _built_names(size, system)
    ids = known if region == "westeurope" else {}
    word = TIER_WORDS[tier]
    sku = ids.get(f"{tier}_sku_id") or made_up_sku(region, size, system, tier)
    return Meter(
        known["product_name"],
        known["sku_name"] + word,
        known["meter_name"] + word,
        known["product_id"],
        f"{known['product_id']}/{sku}",
        ids.get(f"{tier}_meter_id") or made_up_meter(region, size, system, tier),
    )


def _built_names(size: str, system: str) -> Mapping[str, str]:
    """Names by the pattern of older series: Standard_NC24s_v2 is "NC24s v2" of "Virtual Machines NCs v2 Series"."""
    name = size.removeprefix("Standard_").removesuffix("_Promo")
    series = re.sub(r"\d+", "", name, count=1).replace("_", " ")
    promo = " Promo" if size.endswith("_Promo") else ""
    windows = " Windows" if system == "windows" else ""
    product_name = f"Virtual Machines {series}{promo} Series{windows}"
    shown = name.replace("_", " ")
    return {
        "product_name": product_name,
        "sku_name": shown,
        "meter_name": shown,
        "product_id": "DZH318Z0" + made_up_sku(product_name),
    }


def made_up_sku(*words: str) -> str:
    """Four letters or digits that are always the same for the same words."""
    digest = hashlib.sha256("|".join(words).encode()).digest()
    return "".join("0123456789BCDFGHJKLMNPQRSTVWXZ"[byte % 30] for byte in digest[:4])


def made_up_meter(*words: str) -> str:
    """A GUID that is always the same for the same words."""
    return str(uuid.uuid5(MADE_UP_IDS, "|".join(words)))


def item(region: str, size: str, named: Meter, price: Decimal, start: date, **fields: object) -> Item:
    """One item. `fields` replace or add; a field that is None is left out, as the feed leaves it out."""
    content: Item = {
        "currencyCode": "USD",
        "tierMinimumUnits": 0.0,
        "reservationTerm": None,
        "retailPrice": price,
        "unitPrice": price,
        "armRegionName": region,
        "location": locations().get(region, ""),
        "effectiveStartDate": instant(start),
        "effectiveEndDate": None,
        "meterId": named.meter_id,
        "meterName": named.meter_name,
        "productId": named.product_id,
        "skuId": named.sku_id,
        "productName": named.product_name,
        "skuName": named.sku_name,
        "serviceName": "Virtual Machines",
        "serviceId": "DZH313Z7MMC8",
        "serviceFamily": "Compute",
        "unitOfMeasure": "1 Hour",
        "type": "Consumption",
        "isPrimaryMeterRegion": True,
        "armSkuName": size,
        "savingsPlan": None,
    }
    return {name: value for name, value in (content | fields).items() if value is not None}


def recorded_items(region: str, day: date) -> Iterator[Item]:
    """The items of one region's figures on a day."""
    figures = served_by_region("azure", day).get(region, ())
    plans: dict[str, list[Served]] = {}
    for figure in figures:
        if figure.fact.purchase_option == "savings_plan":
            plans.setdefault(figure.fact.instance_type, []).append(figure)
    for figure in figures:
        fact = figure.fact
        start = start_of(figure, day)
        if fact.purchase_option == "reserved":
            yield _reservation(region, figure, start)
        elif fact.purchase_option != "savings_plan":
            named = meter(region, fact.instance_type, fact.operating_system, fact.purchase_option)
            fields: Item = {}
            if fact.purchase_option == "spot":
                fields = {"effectiveEndDate": month_end(day)}
            elif (fact.operating_system, fact.purchase_option) == ("linux", "on_demand"):
                fields = {"savingsPlan": _plans(plans.get(fact.instance_type, []))}
            yield item(region, fact.instance_type, named, fact.price, start, **fields)


def _reservation(region: str, figure: Served, start: date) -> Item:
    """The total for the term, in a unit that says an hour; the meter is the consumption's, the sku is not."""
    fact = figure.fact
    named = meter(region, fact.instance_type, "linux", "on_demand")
    assert fact.upfront is not None
    term = TERM_WORDS[fact.term_months]
    sku_id = f"{named.product_id}/{made_up_sku(region, fact.instance_type, term)}"
    return item(
        region,
        fact.instance_type,
        named,
        fact.upfront,
        start,
        reservationTerm=term,
        type="Reservation",
        skuId=sku_id,
    )


def _plans(figures: Sequence[Served]) -> list[Item] | None:
    """The savings plans of a consumption item, hourly, three years first; None if it has none."""
    longest_first = sorted((figure.fact for figure in figures), key=lambda fact: -fact.term_months)
    plans: list[Item] = [
        {"unitPrice": fact.price, "retailPrice": fact.price, "term": TERM_WORDS[fact.term_months]}
        for fact in longest_first
    ]
    return plans or None
