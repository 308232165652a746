"""The feeds: network only. What they send is landed as it came; what it means is said in warehouse/sources."""

from connectors import aws_price_list, azure_retail_prices
from connectors.contract import Source, VersionedSource

SOURCES: tuple[Source, ...] = (aws_price_list.SOURCE, azure_retail_prices.SOURCE)
# Those whose earlier versions can still be had, for `gpu-prices backfill`.
VERSIONED: tuple[VersionedSource, ...] = (aws_price_list.SOURCE,)
