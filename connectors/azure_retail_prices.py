"""Azure Retail Prices API: one walk over a region's GPU sizes, every way of buying them in one list.

learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices; api-version 2023-01-01-preview, the only
one that returns savings plans. It compares filter values with case, and answers a value it doesn't know with an empty
list.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from http import HTTPStatus
from math import ceil

from connectors.client import Client, host_of, stay_on_host
from connectors.contract import Record, Size
from connectors.errors import SourceChanged, SourceIncomplete, SourceRefused, SourceUnavailable

HOST = "https://prices.azure.com"
# Regions of Azure Government stand in the public list, though it is documented for the public cloud alone.
HOSTS: Mapping[str, str] = {"azure": HOST, "azure-us-gov": HOST}
PATH = "/api/retail/prices"
PAGE = 1000  # items
ITEM_BYTES = 900  # of JSON, about
MOST_PAGES = 500  # all virtual machines of all regions were 150 pages
API_VERSION = "2023-01-01-preview"
VIRTUAL_MACHINES = "serviceName eq 'Virtual Machines'"
OF_REGION = " and armRegionName eq '{region}'"
# All GPU sizes are N sizes, and a meter without armSkuName can't be mapped to a size. With this a region is one page or
# two instead of five or more; fewer pages also mean fewer borders for `$skip` to lose a row at while the list changes.
# No filter on the price type: tiers that are out of scope come along and are counted.
GPU_SIZES = " and startswith(armSkuName,'Standard_N')"
# What one meter's windows have in common; meterId alone serves several types and terms.
METER = ("meterId", "skuId", "armSkuName", "productName", "type", "reservationTerm", "currencyCode", "armRegionName")
END_OF_TIME = datetime.max.replace(tzinfo=UTC)
EVERYWHERE = "*"  # the region of a walk without a region filter, which finds regions that nobody listed
REGION = re.compile(r"[a-z][a-z0-9]*")
# Rows of clouds with accounts and prices of their own do appear here, but not all of them.
# Prices are made in USD; in these the list has conversions of them, also in CNY.
CURRENCIES = tuple("AUD BRL CAD CHF CNY DKK EUR GBP INR JPY KRW NOK NZD RUB SEK TWD".split())
RATE_REGION = "eastus"  # whose prices tell the rates: it sells as many sizes as any
PARTITION_OF_PREFIX = {
    "usgov": "azure-us-gov",
    "usdod": "azure-us-gov",
    "china": "azure-china",
    "germanycentral": "azure-germany",
    "germanynortheast": "azure-germany",
}


@dataclass(frozen=True)
class AzureRetailPrices:
    """The feed. A scope is a region and a currency: `eastus/USD`; `*/USD` is all regions in one walk."""

    name: str = "azure_retail_prices"
    provider: str = "azure"
    hosts: Mapping[str, str] = field(default_factory=lambda: HOSTS)
    everywhere: str = f"{EVERYWHERE}/USD"

    def scope_of(self, record: Record) -> str | None:
        """Its region in USD, if that is spelled as regions are and of the public partition; `Global` is none."""
        region = str(record.get("armRegionName"))
        if not REGION.fullmatch(region) or region == "global" or self.partition_of(region) != "azure":
            return None
        return f"{region}/USD"

    def predicate_of(self, known_types: Collection[str]) -> str:
        """One rule, GPU_SIZES, whatever types are known."""
        return "1"

    def why_not_asked(self) -> str:
        """It is public."""
        return ""

    def partition_of(self, scope: str) -> str:
        """The partition of a region, by how its name begins."""
        return next((name for prefix, name in PARTITION_OF_PREFIX.items() if scope.startswith(prefix)), "azure")

    @property
    def currencies(self) -> Collection[str]:
        """Those that the documentation names, but for USD."""
        return CURRENCIES

    def rate_scope(self, currency: str) -> str:
        """A large region in that currency."""
        return f"{RATE_REGION}/{currency}"

    def is_rate_scope(self, scope: str) -> bool:
        """Whether it is in anything but USD."""
        return not scope.endswith("/USD")

    def scopes(self, client: Client, base_url: str, partition: str, known_regions: Sequence[str] = ()) -> Sequence[str]:
        """The known regions in USD, the currency Azure's prices are made in; the feed has no list of regions."""
        return tuple(f"{region}/USD" for region in sorted(set(known_regions)))

    def fetch(
        self,
        client: Client,
        base_url: str,
        scope: str,
        known_version: str | None = None,
        known_types: Collection[str] = (),
    ) -> "RetailPricesFetch":
        """Begin the walk; nothing is asked before the fetch is iterated, since the feed has no versions."""
        return RetailPricesFetch(base_url.rstrip("/") + PATH, scope, client)

    def earlier(
        self, records: Iterable[Record], seen_at: datetime, since: datetime
    ) -> Mapping[datetime, Sequence[Record]]:
        """The items whose windows chain up to the one in force when they were seen, by their start.

        The list keeps ended windows beside the one in force, in some meters back to 2018.
        """
        meters: dict[tuple[str, ...], list[Record]] = defaultdict(list)
        for record in records:
            meters[tuple(str(record.get(word, "")) for word in METER)].append(record)
        found: dict[datetime, list[Record]] = defaultdict(list)
        for same in meters.values():
            for start, record in chain_up_to(seen_at, same, since):
                found[start].append(record)
        return found


def chain_up_to(seen_at: datetime, meter: Iterable[Record], since: datetime) -> Iterator[tuple[datetime, Record]]:
    """The windows of one meter with their starts, from the one in force at `seen_at` back to `since` or the first gap.

    A gap is also where two items begin at one moment with different prices, or a window can't be read.
    """
    windows: dict[datetime, list[tuple[datetime, Record]]] = defaultdict(list)
    for record in meter:
        start = _time(record.get("effectiveStartDate"))
        end = _time(record["effectiveEndDate"]) if record.get("effectiveEndDate") else END_OF_TIME
        if start is not None and end is not None and start < end and start < seen_at:
            windows[start].append((end, record))
    until = seen_at
    for start in sorted(windows, reverse=True):
        end = max(end for end, _ in windows[start])
        prices = {str(record.get("retailPrice")) for _, record in windows[start]}
        # Whether an end is inclusive is documented nowhere: one at midnight may be meant as a date.
        if len(prices) > 1 or until - end > (timedelta(days=1) if end.time() == time() else timedelta(seconds=1)):
            return
        for _, record in windows[start]:
            yield start, record
        if start <= since:
            return
        until = start


def _time(text: object) -> datetime | None:
    """An aware UTC time, as the dictionary reads it; None if there is none, or it can't be read."""
    try:
        moment = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


@dataclass
class RetailPricesFetch:
    """One walk over one scope. See `connectors.contract.Fetch`."""

    address: str
    scope: str
    client: Client = field(repr=False)
    lines_read: int = 0
    version: str | None = None
    published_at: datetime | None = None
    unchanged: bool = False

    def size(self, lines_before: int) -> Size:
        """The pages of as many items as last time; the list doesn't say beforehand how many it has."""
        return Size(max(1, ceil(lines_before / PAGE)), lines_before * ITEM_BYTES if lines_before else None)

    def __iter__(self) -> Iterator[Record]:
        """Every item of every page, also one that comes twice because the list moved under the page border."""
        for items in self._pages(self._condition(GPU_SIZES)):
            if items and not any(self._is_asked_for(item) for item in items):
                raise SourceChanged(f"{self._name}: the filter isn't applied, a page has nothing that was asked for")
            self.lines_read += len(items)
            yield from items
        if self.lines_read == 0:
            self._make_sure_none_is_sold()

    @property
    def _name(self) -> str:
        return f"{host_of(self.address)}: {self.scope}"

    @property
    def _region(self) -> str:
        return self.scope.partition("/")[0]

    def _condition(self, sizes: str = "") -> str:
        """The filter: virtual machines of the region, or of all of them."""
        region = "" if self._region == EVERYWHERE else OF_REGION.format(region=self._region)
        return VIRTUAL_MACHINES + region + sizes

    def _is_asked_for(self, item: Mapping[str, object]) -> bool:
        """Whether an item is of the region; on the walk over all of them, whether it is of a GPU size."""
        if self._region == EVERYWHERE:
            return str(item.get("armSkuName", "")).startswith("Standard_N")
        return str(item.get("armRegionName", "")).lower() == self._region.lower()

    def _make_sure_none_is_sold(self) -> None:
        """An empty list is what a misspelled value gets too: so the region must have other sizes, and none of ours."""
        if self._region == EVERYWHERE:
            raise SourceChanged(f"{self._name}: no GPU size in any region")
        items = next((page for page in self._pages(self._condition()) if page), [])
        sizes = [str(item.get("armSkuName", "")) for item in items]
        if not sizes:
            raise SourceChanged(f"{self._name}: no virtual machine at all: is the region's name still right?")
        if ours := [size for size in sizes if size.startswith("Standard_N")]:
            raise SourceChanged(f"{self._name}: the list of GPU sizes is empty, but the region has {ours[0]}")

    def _pages(self, condition: str) -> Iterator[list[Mapping[str, object]]]:
        """The items of each page, from the first to the one without a next. An empty page may have a next."""
        parameters: Mapping[str, str] | None = {
            "api-version": API_VERSION,
            "currencyCode": self.scope.partition("/")[2],
            "$filter": condition,
        }
        address, seen = self.address, {self.address}
        while True:
            page = self._page(address, parameters, len(seen))
            items = _items(page, self._name)
            yield items
            count = page.get("Count", len(items))
            if str(count) != str(len(items)):
                raise SourceIncomplete(f"{self._name}: a page states {count} items and has {len(items)}")
            following = page.get("NextPageLink") or ""
            if not isinstance(following, str):
                raise SourceChanged(f"{self._name}: NextPageLink is {str(following)[:100]!r}")
            if not following:
                return
            stay_on_host(self.address, following, "the next page leads")
            if following in seen or len(seen) == MOST_PAGES:
                raise SourceChanged(f"{self._name}: the pages don't end, {len(seen)} were read")
            seen.add(following)
            address, parameters = following, None

    def _page(self, address: str, parameters: Mapping[str, str] | None, number: int) -> Mapping[str, object]:
        try:
            page = self.client.get_json(address, parameters)
        except SourceUnavailable as error:
            if number == 1:
                raise
            raise SourceIncomplete(f"{error}, at page {number} of {self.scope}") from error
        except SourceRefused as error:
            # The list grew shorter under the walk: a `$skip` beyond its end is answered with 400.
            if number == 1 or error.status != HTTPStatus.BAD_REQUEST:
                raise
            raise SourceIncomplete(f"{error}, at page {number} of {self.scope}") from error
        if not isinstance(page, dict):
            raise SourceChanged(f"{self._name}: a page is not an object")
        return page


def _items(page: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    """The items of a page as the feed wrote them, numbers as text."""
    items = page.get("Items")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise SourceChanged(f"{name}: a page without a list of Items")
    return items


SOURCE = AzureRetailPrices()
