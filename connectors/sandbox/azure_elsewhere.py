"""Items of the Azure retail price list in places that are no public region: canaries, edge zones, China, nowhere.

A canary has the items of its neighbor, without a product's name. The other prices are made up from those of a public
region, except for the licenses' which are made up from nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal

from connectors.sandbox.azure_items import Item, item, made_up_meter, recorded_items
from connectors.sandbox.azure_ordinary import made_up_names
from connectors.sandbox.azure_regions import CANARY, CHINA, EDGE_ZONE, kinds, locations
from connectors.sandbox.azure_windows import LONG_AGO

NOWHERE: Mapping[str, str] = {"": "", "Global": "Global"}  # armRegionName -> location
NEIGHBORS: Mapping[str, str] = {"eastus2euap": "eastus2", "centraluseuap": "centralus"}
EDGE_SIZES = frozenset({"Standard_NC4as_T4_v3", "Standard_NC16as_T4_v3"})
CHINA_SIZES = frozenset({"Standard_NC4as_T4_v3", "Standard_NC8as_T4_v3", "Standard_NC6s_v3"})
SURCHARGE = Decimal("1.25")


def items_elsewhere(place: str, day: date) -> Iterator[Item]:
    """The items of a place that is no public region, and none of Azure Government either."""
    if place in NOWHERE:
        yield from _nowhere(place, day)
    kind = kinds().get(place)
    if kind == CANARY:
        for found in recorded_items(NEIGHBORS[place], day):
            yield without_product(moved(found, place))
    elif kind == EDGE_ZONE:
        yield from _dearer(place, _hourly(EDGE_SIZES, day, windows=True))
    elif kind == CHINA:  # Linux alone, a few sizes, no spot and no reservation
        yield from _dearer(place, _hourly(CHINA_SIZES, day, windows=False))


def _nowhere(place: str, day: date) -> Iterator[Item]:
    licenses = made_up_names(place, "Virtual Machines Licenses", "1 vCPU VM License")
    yield item(place, "", licenses, Decimal("0.046"), LONG_AGO, location=NOWHERE[place])
    for found in _hourly(frozenset({"Standard_NC6s_v3"}), day, windows=True):
        yield moved(found, place) | {"location": NOWHERE[place]}


def _hourly(sizes: frozenset[str], day: date, windows: bool) -> Iterator[Item]:
    for found in recorded_items("eastus2", day):
        tier = str(found["skuName"]).endswith((" Spot", " Priority"))
        if found["armSkuName"] in sizes and found["type"] == "Consumption" and not tier:
            if windows or "Windows" not in str(found["productName"]):
                yield {name: value for name, value in found.items() if name != "savingsPlan"}


def _dearer(place: str, found: Iterable[Item]) -> Iterator[Item]:
    for one in found:
        price = Decimal(str(one["retailPrice"])) * SURCHARGE
        yield moved(one, place) | {"retailPrice": price, "unitPrice": price}


def moved(one: Item, place: str) -> Item:
    """The item in another place, with ids of its own."""
    words = (place, str(one["meterId"]))
    return one | {
        "armRegionName": place,
        "location": locations().get(place, place),
        "meterId": made_up_meter(*words),
    }


def without_product(one: Item) -> Item:
    """The item without its product's name, as canaries have it."""
    return {name: value for name, value in one.items() if name != "productName"}
