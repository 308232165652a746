"""The whole Azure retail price list of a day, by region, and what of it a filter finds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from connectors.sandbox.azure_elsewhere import NOWHERE, items_elsewhere, moved
from connectors.sandbox.azure_items import Item, recorded_items
from connectors.sandbox.azure_noise import noise_items
from connectors.sandbox.azure_ordinary import hosts_and_licenses, ordinary_items, storage_items
from connectors.sandbox.azure_past import past_items
from connectors.sandbox.azure_regions import CHINA, GOVERNMENT, PUBLIC, WITHOUT_GPUS, kinds
from connectors.sandbox.filters import Dialect, Filter, compile_filter

NEIGHBOR = "eastus"  # a region that nobody listed sells what this one sells


@dataclass(frozen=True, slots=True)
class Shelf:
    """Which items stand in the list: the day's, `full` with all other sizes, without what is taken off on purpose."""

    day: date
    full: bool = False
    other_clouds: bool = True  # rows of Azure Government and China
    without_reservations: bool = False
    without_regions: frozenset[str] = frozenset()
    without_sizes: frozenset[tuple[str, str]] = frozenset()  # (region, size)
    without_meters: frozenset[str] = frozenset()
    halved_regions: frozenset[str] = frozenset()
    new_region: str = ""

    def regions(self) -> Iterator[str]:
        """Every armRegionName of the list."""
        for region, kind in kinds().items():
            if self.other_clouds or kind not in (CHINA, GOVERNMENT):
                yield region
        yield from NOWHERE
        if self.new_region:
            yield self.new_region


@lru_cache(maxsize=128)  # all regions of one day, and as many again
def region_items(region: str, day: date, full: bool = False) -> tuple[Item, ...]:
    """The items of a region on a day, in an order that tells nothing."""
    found: list[Item] = []
    if kinds().get(region) in (PUBLIC, GOVERNMENT):
        found += [*recorded_items(region, day), *past_items(region, day), *noise_items(region, day)]
        found += hosts_and_licenses(region, day)
    else:
        found += items_elsewhere(region, day)
    if kinds().get(region) in (PUBLIC, GOVERNMENT, WITHOUT_GPUS):
        found += [*ordinary_items(region, day, full), *storage_items(region, day)]
    return tuple(sorted(found, key=_place))


def _place(item: Item) -> tuple[str, str, str]:
    return str(item["meterId"]), str(item["type"]), str(item["effectiveStartDate"])


@lru_cache(maxsize=8)
def selection(shelf: Shelf, text: str, dialect: Dialect, primary_only: bool) -> tuple[Item, ...]:
    """The items that pass a filter; an empty text passes all. FilterError if it is malformed."""
    wanted = compile_filter(text, dialect) if text else Filter(lambda item: True)
    regions = [
        region
        for region in shelf.regions()
        if region not in shelf.without_regions and (wanted.regions is None or dialect.fold(region) in wanted.regions)
    ]
    found = [
        item
        for region in regions
        for item in _on_shelf(shelf, region)
        if wanted.passes(item) and (item["isPrimaryMeterRegion"] or not primary_only)
    ]
    return tuple(sorted(found, key=_place) if len(regions) > 1 else found)


def _on_shelf(shelf: Shelf, region: str) -> Iterable[Item]:
    if region == shelf.new_region:
        return [moved(item, region) for item in region_items(NEIGHBOR, shelf.day, shelf.full)]
    found: Iterable[Item] = region_items(region, shelf.day, shelf.full)
    missing = {size for place, size in shelf.without_sizes if place == region}
    if region in shelf.halved_regions:
        missing |= set(sorted({str(item["armSkuName"]) for item in found} - {""})[::2])
    return [
        item
        for item in found
        if item["armSkuName"] not in missing
        and item["meterId"] not in shelf.without_meters
        and not (shelf.without_reservations and item["type"] == "Reservation")
    ]
