"""Recorded payloads and tables of prices through connectors and source SQL: `make check-recorded DIR=...`."""

import csv
import json
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from connectors import aws_price_list, azure_retail_prices
from tests.connectors.scripted_server import Reply, patient_client, serve
from tests.warehouse.source_sql import Row, open_source, utc

SEEN_AT = utc(2026, 8, 20, 12)

# CSV column -> attribute of the JSON form of the same price list.
ATTRIBUTES = {
    "Location Type": "locationType",
    "Region Code": "regionCode",
    "Instance Type": "instanceType",
    "Tenancy": "tenancy",
    "Operating System": "operatingSystem",
    "License Model": "licenseModel",
    "Pre Installed S/W": "preInstalledSw",
    "CapacityStatus": "capacitystatus",
    "MarketOption": "marketoption",
    "operation": "operation",
    "usageType": "usagetype",
    "GPU": "gpu",
}


def table(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of a recorded table."""
    with (folder / "tables" / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def lines_of(product: dict[str, Any], terms: dict[str, Any]) -> list[dict[str, str]]:
    """A product of the JSON form, one CSV line a price dimension, without empty cells."""
    lines = []
    for kind, offers in terms.items():
        for offer in offers.values():
            for rate in offer["priceDimensions"].values():
                [(currency, price)] = rate["pricePerUnit"].items()
                cells = {
                    "SKU": product["sku"],
                    "RateCode": rate["rateCode"],
                    "OfferTermCode": offer["offerTermCode"],
                    "TermType": kind,
                    "EffectiveDate": offer["effectiveDate"],
                    "StartingRange": rate.get("beginRange", ""),
                    "EndingRange": rate.get("endRange", ""),
                    "Unit": rate["unit"],
                    "PricePerUnit": price,
                    "Currency": currency,
                    "Product Family": product.get("productFamily", ""),
                    **offer["termAttributes"],
                    **{column: product["attributes"].get(name, "") for column, name in ATTRIBUTES.items()},
                }
                lines.append({name: cell for name, cell in cells.items() if cell})
    return lines


def lines_of_offer(path: Path) -> list[dict[str, str]]:
    """Every line of a JSON price list."""
    offer = json.loads(path.read_text())
    return [
        line
        for sku, product in offer["products"].items()
        for line in lines_of(product, {kind: skus[sku] for kind, skus in offer["terms"].items() if sku in skus})
    ]


def read(source: str, scope: str, records: list[dict[str, Any]], known: tuple[str, ...] = ()) -> list[Row]:
    """Rows of a source's .sql, with `known` counted among the GPU types."""
    for sql in open_source(source):
        for instance_type in known:
            sql.know(source.partition("_")[0], instance_type)
        rows = sql.read(scope, records, SEEN_AT)
    return rows


def test_the_recorded_csv_is_landed(recorded: Path) -> None:
    """The head of AWS's file of 2025-09-12, byte for byte: 44 lines, one of a GPU type (g5.48xlarge in Sydney)."""
    body = (recorded / "aws/pricelist/ec2-priceit_3-global-pricing-file-sample.csv").read_bytes()
    path = "/offers/v1.0/aws/AmazonEC2/20250912225308/ap-southeast-2/index.json"
    index = {"regions": {"ap-southeast-2": {"regionCode": "ap-southeast-2", "currentVersionUrl": path}}}
    with serve() as server:
        server.script["/offers/v1.0/aws/AmazonEC2/current/region_index.json"] = [Reply(json.dumps(index).encode())]
        server.script[path.replace(".json", ".csv")] = [Reply(body)]
        fetch = aws_price_list.SOURCE.fetch(patient_client([]), server.url, "ap-southeast-2")
        records = [dict(record) for record in fetch]
        everything = aws_price_list.SOURCE.fetch(
            patient_client([]), server.url, "ap-southeast-2", known_types={"c6i.large", "m6id.2xlarge"}
        )
        assert len(list(everything)) == 32  # 21 lines of c6i.large, 10 of m6id.2xlarge, and the GPU line

    assert fetch.lines_read == 44
    [row] = read("aws_price_list", "ap-southeast-2", records)
    assert (row["instance_type"], row["outcome"], row["reason"]) == ("g5.48xlarge", "excluded", "capacity reservation")


def test_every_line_of_the_recorded_csv_is_accounted_for(recorded: Path) -> None:
    """Each of the 44 lines gives one row in the file of its own region, and none is unforeseen."""
    rows = list(
        csv.reader((recorded / "aws/pricelist/ec2-priceit_3-global-pricing-file-sample.csv").read_text().splitlines())
    )
    lines = [{name: cell for name, cell in zip(rows[5], row, strict=True) if cell} for row in rows[6:]]
    types = tuple({line["Instance Type"] for line in lines})

    by_region = defaultdict(list)
    for line in lines:
        by_region[line["Region Code"]].append(line)
    got = [row for region, own in by_region.items() for row in read("aws_price_list", region, own, types)]

    assert Counter(row["reason"] for row in got) == {
        "tenancy Dedicated": 21 + 1,  # Windows with SQL Web; bring your own license
        "with SQL Std": 10,
        "capacity reservation": 8,
        "tenancy Host": 2,
        "operating system RHEL": 2,  # one of them metal, where Dedicated alone is no reason
    }


def test_p4d_and_its_capacity_block(recorded: Path) -> None:
    """us-east-1, 2024-05-28: 32.7726 on demand; the capacity block of the same type says 0 and is left out."""
    path = recorded / "aws/pricelist/offer_AmazonEC2_us-east-1_p4d_ondemand+capacityblock_excerpt_2024-05-28.json"

    rows = read("aws_price_list", "us-east-1", lines_of_offer(path))

    assert {(row["reason"], row["hourly_price"]) for row in rows} == {
        ("", Decimal("32.7726")),
        ("capacity block", None),
    }


def test_all_twelve_reserved_offers(recorded: Path) -> None:
    """One GetProducts item (m5.large, us-east-1, 2021-02): on demand and twelve offers, eight of them of two lines."""
    item = json.loads((recorded / "aws/pricelist/get_products_m5.large_us-east-1_2021-02.json").read_text())
    item["product"]["attributes"]["regionCode"] = "us-east-1"  # the item of 2021 has `location` alone

    lines = [line for kind, offers in item["terms"].items() for line in lines_of(item["product"], {kind: offers})]
    rows = read("aws_price_list", "us-east-1", lines, ("m5.large",))

    offers = Counter(
        (row["purchase_option"], row["offering_class"], row["payment_option"], row["term_months"]) for row in rows
    )
    assert {row["outcome"] for row in rows} == {"price"}
    assert len(offers) == 13
    assert sum(offers.values()) == 1 + 4 * 1 + 8 * 2
    assert all(count == 2 for offer, count in offers.items() if offer[2] in ("partial_upfront", "all_upfront"))


def test_old_and_foreign_price_lists_do_not_crash(recorded: Path) -> None:
    """A file of 2018 without Region Code, excerpts about disks and of China: each line has one row and a reason."""
    names = {
        "offer_AmazonEC2_us-west-2_trimmed_2018-05-04.json": "us-west-2",
        "offer_AmazonEC2_us-east-2_excerpt_2023-03.json": "us-east-2",
        "offer_AmazonEC2_cn-northwest-1_gp3_excerpt_2023-03-14.json": "cn-northwest-1",
    }
    for name, region in names.items():
        lines = lines_of_offer(recorded / "aws/pricelist" / name)
        rows = read("aws_price_list", region, lines)
        assert [row["record_id"] for row in rows] == list(range(len(lines)))
        assert all(row["outcome"] == "price" or row["reason"] for row in rows)


def test_recorded_on_demand_prices(recorded: Path) -> None:
    """1,020 prices of 2025-04-04 in all regions: 868 as they were recorded, 152 of Inferentia, Trainium and Gaudi."""
    lines = defaultdict(list)
    for price in table(recorded, "aws_gpu_ondemand_all_regions_2025-04.csv"):
        lines[price["region"]].append(aws_line(price, price["price_usd_hr"], price["rate_code"]))

    assert compare(lines) == {("price", ""): 868, ("excluded", "not a GPU"): 152}


def test_recorded_reserved_prices(recorded: Path) -> None:
    """3,174 No Upfront prices of 2025-04 in all regions: 2,570 as recorded, 604 of chips that are no GPUs."""
    lines = defaultdict(list)
    for price in table(recorded, "aws_gpu_reserved_noupfront_all_regions_2025-04.csv"):
        reserved = {
            "TermType": "Reserved",
            "LeaseContractLength": price["lease"],
            "PurchaseOption": price["purchase_option"],
            "OfferingClass": price["offering_class"],
        }
        lines[price["region"]].append(aws_line(price, price["price_usd_hr"], price["rate_code"]) | reserved)

    assert compare(lines) == {("price", ""): 2570, ("excluded", "not a GPU"): 604}


def compare(lines: dict[str, list[dict[str, str]]]) -> Counter[tuple[str, str]]:
    """Outcomes over all regions; each price must be that of its line."""
    outcomes: Counter[tuple[str, str]] = Counter()
    for sql in open_source("aws_price_list"):
        for region, own in lines.items():
            for line, row in zip(own, sql.read(region, own, SEEN_AT), strict=True):
                outcomes[row["outcome"], row["reason"]] += 1
                if row["outcome"] == "price":
                    assert row["effective_hourly_price"] == Decimal(line["PricePerUnit"]), line
    return outcomes


def aws_line(price: dict[str, str], amount: str, rate_code: str) -> dict[str, str]:
    """A line of the price list about one recorded price."""
    zone = price["region"].count("-") > 2 and not price["region"].startswith("us-gov")
    return {
        "SKU": price["sku"],
        "RateCode": rate_code,
        "TermType": "OnDemand",
        "Unit": "Hrs",
        "PricePerUnit": amount,
        "Currency": "USD",
        "Product Family": "Compute Instance",
        "Location Type": "AWS Local Zone" if zone else "AWS Region",
        "Region Code": price["region"],
        "Instance Type": price["instance_type"],
        "Tenancy": "Shared",
        "Operating System": price["os"],
        "License Model": "No License required",
        "Pre Installed S/W": "NA",
        "CapacityStatus": "Used",
        "operation": "RunInstances",
        "GPU": "1",
    }


def test_the_recorded_azure_page(recorded: Path) -> None:
    """westeurope, D8 v4, 2022-03: 0.46 an hour; 2,377 for a year is 0.2713470320, 4,594 for three 0.1748097412."""
    body = (recorded / "azure/retail_westeurope_D8v4_2022-03.json").read_bytes()
    with serve() as server:
        server.script[azure_retail_prices.PATH] = [Reply(body)]
        fetch = azure_retail_prices.SOURCE.fetch(patient_client([]), server.url, "westeurope/USD")
        records = [dict(record) for record in fetch]

    rows = read("azure_retail_prices", "westeurope/USD", records, ("Standard_D8_v4",))

    assert [(row["purchase_option"], row["term_months"], str(row["hourly_price"])) for row in rows] == [
        ("reserved", 12, "0.2713470320"),
        ("on_demand", 0, "0.4600000000"),
        ("reserved", 36, "0.1748097412"),
    ]


def test_recorded_azure_meters(recorded: Path) -> None:
    """1,103 meters of five regions, 2026-08-20, against another recorder's prices of 2026-08-01.

    The table has no armSkuName, so it is made from the meter's display name: only here, and only to tell sizes apart.
    """
    items = defaultdict(list)
    for meter in table(recorded, "azure_gpu_retail_meters_5_eu_regions_2026-08-20.csv"):
        items[meter["armRegionName"]].append(azure_item(meter))
    got = {}
    outcomes: Counter[str] = Counter()
    for region, own in items.items():
        for row in read("azure_retail_prices", f"{region}/USD", own):
            outcomes[row["outcome"]] += row["purchase_option"] != "savings_plan"
            if row["outcome"] == "price":
                key = (region, row["instance_type"].lower(), row["operating_system"], row["purchase_option"])
                got[key] = row["hourly_price"]

    columns = {("linux", "on_demand"): "linux_usd_hr", ("windows", "on_demand"): "windows_usd_hr"}
    compared = differing = 0
    for price in table(recorded, "azure_gpu_linux_windows_spot_lowpri_2026-08-01.csv"):
        for (system, option), column in columns.items():
            ours = got.get((price["region"], price["instance_type"].lower(), system, option))
            if ours is not None and price[column]:
                compared += 1
                differing += ours != Decimal(price[column])
    assert outcomes == {"price": 792, "excluded": 311}
    assert (compared, differing) == (154, 0)


def azure_item(meter: dict[str, str]) -> dict[str, object]:
    """An item of the feed about one recorded meter."""
    size = meter["skuName"].removesuffix(" Spot").removesuffix(" Low Priority").removeprefix("Standard_")
    plan = meter["savingsPlan1YearRetailPrice"]
    return {
        **{
            name: meter[name]
            for name in ("armRegionName", "productName", "skuName", "meterName", "type", "unitOfMeasure")
        },
        **{name: meter[name] for name in ("retailPrice", "unitPrice", "skuId", "meterId")},
        "armSkuName": f"Standard_{size.replace(' ', '_')}",
        "currencyCode": "USD",
        "tierMinimumUnits": "0.0",
        "serviceName": "Virtual Machines",
        "effectiveStartDate": "2020-01-01T00:00:00Z",
        "isPrimaryMeterRegion": True,
        "savingsPlan": [{"term": "1 Year", "retailPrice": plan, "unitPrice": plan}] if plan else None,
    }
