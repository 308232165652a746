"""The feeds: network only. What they send is landed as it came; what it means is said in warehouse/sources."""

from connectors import aws_price_list, azure_retail_prices
from connectors.contract import Source

SOURCES: tuple[Source, ...] = (aws_price_list.SOURCE, azure_retail_prices.SOURCE)
