"""What Azure China's price host answers: where the price sheet lies, and the sheet, a CSV file in yuan.

The real sheet lies on another host than the address that tells where. Name another sandbox in
`azure_unverified.sheet_host` to have it there.
"""

import csv
import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from io import StringIO
from urllib.parse import parse_qs

from connectors.sandbox.answer import Answer
from connectors.sandbox.azure_china import china_items
from connectors.sandbox.azure_faults import AzureUnverified
from connectors.sandbox.azure_items import Item
from connectors.sandbox.facts import plain
from connectors.sandbox.faults import Faults

PATH = "/api/retail/pricesheet/download"
VERSION = "2023-06-01-preview"
SHEET_PATH = "/pricesheets/AzureRetailPrices.csv"
SIGNATURE = "sv=2023-11-03&sr=b&sp=r&sig=c2FuZGJveA%3D%3D"  # as addresses of stored files have one
COLUMNS = (
    "currencyCode",
    "tierMinimumUnits",
    "retailPrice",
    "unitPrice",
    "armRegionName",
    "location",
    "effectiveStartDate",
    "meterId",
    "meterName",
    "productId",
    "skuId",
    "productName",
    "skuName",
    "serviceName",
    "serviceFamily",
    "unitOfMeasure",
    "type",
    "armSkuName",
    "term",
    "isPrimaryMeterRegion",
)


def where(query: str, url: str, faults: Faults, unverified: AzureUnverified) -> Answer:
    """The answer to who asks where the sheet lies; `url` is our own address."""
    headers = {"Content-Type": "application/json; charset=utf-8"}
    version = parse_qs(query).get("api-version", [""])[0]
    if version != VERSION:
        error = {"error": {"code": "BadRequest", "message": f"Unsupported api-version {version}"}}
        return Answer(400, json.dumps(error).encode(), headers)
    host = unverified.sheet_host or url
    content = {} if faults.azure.without_download_url else {"DownloadUrl": f"{host}{SHEET_PATH}?{SIGNATURE}"}
    return Answer(200, json.dumps(content).encode(), headers)


def sheet(day: date, full: bool, faults: Faults, unverified: AzureUnverified) -> Answer:
    """The sheet of a day; `full` with all other sizes."""
    columns = [column for column in COLUMNS if column != faults.missing_column]
    text = StringIO()
    writer = csv.DictWriter(text, [*columns, *filter(None, [faults.unknown_column])], lineterminator="\r\n")
    writer.writeheader()
    if not faults.azure.empty_sheet:
        for item in sorted(china_items(day, full), key=_place):
            if _is_there(item, faults):
                writer.writerow({name: cell for name, cell in _line(item, unverified).items() if name in columns})
    encoding = "utf-8-sig" if unverified.sheet_mark else "utf-8"
    return Answer(200, text.getvalue().encode(encoding), {"Content-Type": "text/csv"})


def _place(item: Item) -> tuple[str, ...]:
    """An order that tells nothing."""
    return tuple(str(item.get(name, "")) for name in ("meterId", "type", "reservationTerm", "tierMinimumUnits"))


def _is_there(item: Item, faults: Faults) -> bool:
    region = str(item["armRegionName"])
    return not (
        region in faults.omitted_regions
        or (region, item["armSkuName"]) in faults.azure.without_sizes
        or item["meterId"] in faults.azure.without_meters
        or (faults.drop_reserved and item["type"] == "Reservation")
    )


def _line(item: Item, unverified: AzureUnverified) -> Mapping[str, str]:
    """The cells of an item. In `term` stands what the price list of other clouds calls reservationTerm."""
    primary = str(item["isPrimaryMeterRegion"])
    return {name: str(item.get(name, "")) for name in COLUMNS} | {
        "tierMinimumUnits": str(item["tierMinimumUnits"]).removesuffix(".0"),
        "retailPrice": plain(Decimal(str(item["retailPrice"]))),
        "unitPrice": plain(Decimal(str(item["unitPrice"]))),
        "term": str(item.get("reservationTerm", "")),
        "isPrimaryMeterRegion": primary if unverified.sheet_capitals else primary.lower(),
    }
