"""Rows of Azure China's price sheet. Nobody recorded a price of it: all but a few are synthetic.

A price of a GPU size is the one recorded last in eastus, in dollars, x 7.3 x 1.1, in yuan; which size is sold where is
made up from the series that 21Vianet sells. A size that is retired in eastus goes on here. There is no spot.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache

from connectors.sandbox.azure_china_noise import elsewhere, noise_of_size, other_services
from connectors.sandbox.azure_currencies import rounded
from connectors.sandbox.azure_items import TERM_WORDS, Item, item, made_up_sku, meter
from connectors.sandbox.azure_ordinary import hosts_and_licenses, ordinary_items
from connectors.sandbox.azure_windows import month_start
from connectors.sandbox.facts import Fact
from connectors.sandbox.serving import facts_of

YUAN = Decimal("7.3") * Decimal("1.1")  # synthetic: for a dollar of eastus
SERIES: Mapping[str, tuple[str, ...]] = {
    "NC": ("NC6", "NC12", "NC24"),
    "NCv3": ("NC6s_v3", "NC12s_v3", "NC24s_v3", "NC24rs_v3"),
    "NV": ("NV6", "NV12", "NV24"),
    "NVv3": ("NV12s_v3", "NV24s_v3", "NV48s_v3"),
    "NVv4": ("NV4as_v4", "NV8as_v4", "NV16as_v4", "NV32as_v4"),
    "T4": ("NC4as_T4_v3", "NC8as_T4_v3", "NC16as_T4_v3", "NC64as_T4_v3"),
    "A10": ("NV6ads_A10_v5", "NV12ads_A10_v5", "NV18ads_A10_v5", "NV36ads_A10_v5", "NV72ads_A10_v5"),
    "A100": ("NC24ads_A100_v4", "NC48ads_A100_v4", "NC96ads_A100_v4"),
}
SOLD: Mapping[str, tuple[str, ...]] = {
    "chinaeast": (),
    "chinaeast2": ("NC", "NCv3", "NV", "NVv3", "T4"),
    "chinaeast3": ("T4", "A10"),
    "chinanorth": (),
    "chinanorth2": ("NC", "NCv3", "NV", "NVv3", "NVv4"),
    "chinanorth3": ("NVv4", "T4", "A10", "A100"),
}
SINCE = date(2024, 4, 1)  # synthetic, of every row of a GPU size
ANNOUNCED = ("chinaeast3", "A100")  # begins three months after the sheet's
Offer = tuple[str, str, str, int]  # size, system, way of buying, months


def china_items(day: date, full: bool) -> Iterator[Item]:
    """Every row of a day's sheet as an item, in yuan; `full` with all other sizes."""
    for region, series in SOLD.items():
        for name in series:
            for size in SERIES[name]:
                yield from _size(region, f"Standard_{size}", day, SINCE)
        yield from _converted(region, ordinary_items(region, day, full))
        yield from _converted(region, hosts_and_licenses(region, day))
        yield from other_services(region, location(region), day)
    region, name = ANNOUNCED
    for size in SERIES[name]:
        yield from _size(region, f"Standard_{size}", day, month_start(month_start(day) + timedelta(days=95)))
    yield from elsewhere(day, yuan(_dollars(day)["Standard_NC6s_v3", "linux", "on_demand", 0].price))


def location(region: str) -> str:
    """What the sheet's `location` says: chinaeast2 is "CN East 2"."""
    return " ".join(["CN", *region.removeprefix("china").replace("2", " 2").replace("3", " 3").title().split()])


def yuan(dollars: Decimal) -> Decimal:
    """The synthetic price for one of eastus."""
    return rounded(dollars * YUAN)


@lru_cache(maxsize=4)
def _dollars(day: date) -> Mapping[Offer, Fact]:
    """The last figure of each offer of eastus by a day, whether or not it was still sold then."""
    known = [fact for fact in facts_of("azure") if fact.region == "eastus" and fact.recorded_at.date() <= day]
    return {
        (fact.instance_type, fact.operating_system, fact.purchase_option, fact.term_months): fact
        for fact in sorted(known, key=lambda fact: fact.recorded_at)
    }


def _size(region: str, size: str, day: date, start: date) -> Iterator[Item]:
    """Linux and Windows by the hour and under a savings plan, a reservation's total, and DevTest at Linux's price."""
    dollars, words = _dollars(day), {"currencyCode": "CNY", "location": location(region)}
    linux = dollars[size, "linux", "on_demand", 0].price
    for system in ("linux", "windows"):
        named, hour = meter(region, size, system, "on_demand"), dollars[size, system, "on_demand", 0].price
        yield item(region, size, named, yuan(hour), start, **words)
        for months in (12, 36):
            plan = dollars.get((size, "linux", "savings_plan", months))
            if plan is not None:  # of Windows, the license comes on top
                price, term = yuan(plan.price + hour - linux), {"reservationTerm": TERM_WORDS[months]}
                yield item(region, size, named, price, start, type="SavingsPlanConsumption", **term, **words)
    named = meter(region, size, "windows", "on_demand")
    yield item(region, size, named, yuan(linux), start, type="DevTestConsumption", **words)
    named = meter(region, size, "linux", "on_demand")
    for months in (12, 36):
        reserved = dollars.get((size, "linux", "reserved", months))
        if reserved is not None and reserved.upfront is not None:
            own = replace(named, sku_id=f"{named.product_id}/{made_up_sku(region, size, TERM_WORDS[months])}")
            term = {"reservationTerm": TERM_WORDS[months], "type": "Reservation"}
            yield item(region, size, own, yuan(reserved.upfront), start, **term, **words)
    yield from noise_of_size(region, location(region), size, yuan(linux), start)


def _converted(region: str, items: Iterator[Item]) -> Iterator[Item]:
    """Items of other sizes in yuan, without spot; the sheet has terms of one and three years."""
    for one in items:
        if not str(one["skuName"]).endswith((" Spot", " Low Priority")) and one.get("reservationTerm") != "5 Years":
            price = yuan(Decimal(str(one["retailPrice"])))
            words = {"currencyCode": "CNY", "location": location(region)}
            yield one | words | {"retailPrice": price, "unitPrice": price}
