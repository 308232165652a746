"""Azure Retail Prices API: one walk over a region's GPU sizes, every way of buying them in one list.

learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices; api-version 2023-01-01-preview, the only
one that returns savings plans. It compares filter values with case, and answers a value it doesn't know with an empty
list.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus

from connectors.client import Client, host_of, stay_on_host
from connectors.contract import Record
from connectors.errors import SourceChanged, SourceIncomplete, SourceRefused, SourceUnavailable

DEFAULT_URL = "https://prices.azure.com"
PATH = "/api/retail/prices"
MOST_PAGES = 500  # of 1,000 items; all virtual machines of all regions were 150 pages
API_VERSION = "2023-01-01-preview"
VIRTUAL_MACHINES = "serviceName eq 'Virtual Machines' and armRegionName eq '{region}'"
# All GPU sizes are N sizes, and a meter without armSkuName can't be mapped to a size. With this a region is one page or
# two instead of five or more; fewer pages also mean fewer borders for `$skip` to lose a row at while the list changes.
# No filter on the price type: tiers that are out of scope come along and are counted.
GPU_SIZES = VIRTUAL_MACHINES + " and startswith(armSkuName,'Standard_N')"


@dataclass(frozen=True)
class AzureRetailPrices:
    """The feed. A scope is a region and a currency: `eastus/USD`."""

    name: str = "azure_retail_prices"
    provider: str = "azure"
    default_url: str = DEFAULT_URL

    def predicate_of(self, known_types: Collection[str]) -> str:
        """One rule, GPU_SIZES, whatever types are known."""
        return "1"

    def scopes(self, client: Client, base_url: str, known_regions: Sequence[str] = ()) -> Sequence[str]:
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

    def __iter__(self) -> Iterator[Record]:
        """Every item of every page, also one that comes twice because the list moved under the page border."""
        region = self.scope.partition("/")[0]
        for items in self._pages(GPU_SIZES.format(region=region)):
            if items and not any(str(item.get("armRegionName", "")).lower() == region.lower() for item in items):
                raise SourceChanged(f"{self._name}: the filter isn't applied, a page has nothing of the region")
            self.lines_read += len(items)
            yield from items
        if self.lines_read == 0:
            self._make_sure_none_is_sold(region)

    @property
    def _name(self) -> str:
        return f"{host_of(self.address)}: {self.scope}"

    def _make_sure_none_is_sold(self, region: str) -> None:
        """An empty list is what a misspelled value gets too: so the region must have other sizes, and none of ours."""
        pages = self._pages(VIRTUAL_MACHINES.format(region=region))
        items = next((page for page in pages if page), [])
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
