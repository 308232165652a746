"""Rows of Azure China's price sheet that are no price of a GPU size in a region.

The prices of blobs are recorded (chinaeast2, by a public design for a calculator of Azure China); the others are made
up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal

from connectors.sandbox.azure_currencies import rounded
from connectors.sandbox.azure_items import Item, item, made_up_meter, made_up_sku, meter
from connectors.sandbox.azure_ordinary import made_up_names
from connectors.sandbox.azure_windows import LONG_AGO, month_start

# armRegionName of what is sold in no region; the sheet's location says the same.
LOGICAL_REGIONS = ("", "China", "CN Zone 1", "CN Zone 2", "Zone 1 (China)", "Azure Stack CN")
NOISE_KINDS = 6  # of rows beside a size's own; the last two are none
STORAGE: Mapping[str, object] = {"serviceName": "Storage", "serviceFamily": "Storage"}
TIERS = (("0", "0.140564"), ("51200", "0.134938"), ("512000", "0.129317"))  # GB a month, from so many on


def noise_of_size(region: str, location: str, size: str, price: Decimal, start: date) -> Iterator[Item]:
    """A row with the size's name that is no price of it: not primary, expired, of a cloud service, or zero."""
    named, words = meter(region, size, "linux", "on_demand"), {"currencyCode": "CNY", "location": location}
    twin = replace(
        named,
        sku_id=f"{named.product_id}/{made_up_sku(region, size, 'twin')}",
        meter_id=made_up_meter(region, size, "twin"),
    )
    kind = int(twin.meter_id[0], 16) % NOISE_KINDS
    if kind == 0:
        yield item(region, size, twin, price, start, isPrimaryMeterRegion=False, **words)
    elif kind == 1:
        expired = replace(twin, meter_name=f"{named.meter_name} Expired")
        yield item(region, size, expired, rounded(price * 2), LONG_AGO, **words)
    elif kind == 2:
        service = replace(twin, product_name=f"{named.product_name.removesuffix(' Series')} Series CloudServices")
        yield item(region, size, service, rounded(price * Decimal("1.3")), start, **words)
    elif kind == 3:
        yield item(region, size, twin, Decimal(0), start, **words)


def other_services(region: str, location: str, day: date) -> Iterator[Item]:
    """Blobs in tiers, a product whose name has a comma and one whose name has quotes."""
    words = {"currencyCode": "CNY", "location": location}
    blobs = made_up_names(region, "General Block Blob v2", "Hot LRS Data Stored")
    for units, price in TIERS:
        tier = {"tierMinimumUnits": units, "unitOfMeasure": "1 GB/Month", **STORAGE}
        yield item(region, "", blobs, Decimal(price), month_start(day), **tier, **words)
    database = made_up_names(region, "SQL Database Single, General Purpose - Compute Gen5", "vCore")
    service = {"serviceName": "SQL Database", "serviceFamily": "Databases"}
    yield item(region, "", database, Decimal("1.072641"), month_start(day), **service, **words)
    logs = made_up_names(region, 'Azure Monitor "Basic" Logs', "Basic Logs Data Ingestion")
    service = {"serviceName": "Azure Monitor", "serviceFamily": "Management and Governance", "unitOfMeasure": "1 GB"}
    yield item(region, "", logs, Decimal("4.41"), month_start(day), **service, **words)


def elsewhere(day: date, price: Decimal) -> Iterator[Item]:
    """What stands under a logical region: licenses, traffic, and a GPU size that no region is named for."""
    for region in LOGICAL_REGIONS:
        words = {"currencyCode": "CNY", "location": region}
        licenses = made_up_names(region, "Virtual Machines Licenses", "4 vCPU VM License")
        yield item(region, "", licenses, Decimal("0.74"), LONG_AGO, **words)
        traffic = made_up_names(region, "Bandwidth", "Standard Data Transfer Out")
        service = {"serviceName": "Bandwidth", "serviceFamily": "Networking", "unitOfMeasure": "1 GB"}
        yield item(region, "", traffic, Decimal("0.67"), month_start(day), **service, **words)
        size = "Standard_NC6s_v3"
        yield item(region, size, meter(region, size, "linux", "on_demand"), price, month_start(day), **words)
