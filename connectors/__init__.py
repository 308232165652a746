"""The feeds: network only. What they send is landed as it came; what it means is said in warehouse/sources."""

from connectors import (
    aws_capacity_blocks,
    aws_price_list,
    aws_savings_plans,
    azure_china_price_sheet,
    azure_retail_prices,
)
from connectors.contract import ConvertingSource, Source, VersionedSource, WindowedSource

SOURCES: tuple[Source, ...] = (
    aws_price_list.SOURCE,
    aws_savings_plans.SOURCE,
    aws_capacity_blocks.SOURCE,
    azure_retail_prices.SOURCE,
    azure_china_price_sheet.SOURCE,
)
# For `gpu-prices backfill`: whose earlier versions can still be had, and whose records tell of earlier times.
VERSIONED: tuple[VersionedSource, ...] = (aws_price_list.SOURCE,)
WINDOWED: tuple[WindowedSource, ...] = (azure_retail_prices.SOURCE,)
# Those that give their prices in other currencies too, for `gpu-prices refresh --currency`.
CONVERTING: tuple[ConvertingSource, ...] = (azure_retail_prices.SOURCE,)
