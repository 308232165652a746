"""The Azure retail price list of the sandbox: recorded prices, kinds of items, currency, versions and pages."""

import json
import uuid
from collections import Counter
from datetime import date
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from connectors.sandbox import azure
from connectors.sandbox.facts import DATES, REGIONS

JUNE_2025, JUNE_2026, AUGUST_2026 = DATES["azure"]
PREVIEW = "2023-01-01-preview"
BASE = "http://127.0.0.1:8080"
Item = dict[str, Any]


def page(day: date, filter: str = "", page_size: int = 1000, **parameters: Any) -> dict[str, Any]:
    """One answer. `parameters` with underscores for hyphens; skip is $skip."""
    given = {name.replace("_", "-"): text for name, text in parameters.items()}
    if "skip" in given:
        given["$skip"] = given.pop("skip")
    query = azure.Query.of(urlencode({"$filter": filter, **given}))
    content: dict[str, Any] = json.loads(azure.answer(query, day, BASE, page_size=page_size))
    return content


def items(day: date, region: str, size: str, api_version: str = PREVIEW) -> list[Item]:
    """The items of a size in a region."""
    wanted = f"armRegionName eq '{region}' and armSkuName eq '{size}'"
    found: list[Item] = page(day, wanted, api_version=api_version)["Items"]
    return found


def is_windows(item: Item) -> bool:
    """The product's name ends in Windows or Win; nothing else tells."""
    return item["productName"].split()[-1] in ("Windows", "Win")


def in_force(item: Item, day: date) -> bool:
    """The item's window holds the day."""
    end = item.get("effectiveEndDate", "9999")
    return bool(item["effectiveStartDate"][:10] <= day.isoformat() < end)


def usual(day: date, region: str, size: str, windows: bool = False, tier: str = "") -> list[float]:
    """Consumption prices left to a careful reader: primary, in force, not 0, no cloud service; latest start wins."""
    kept = [
        item
        for item in items(day, region, size)
        if item["type"] == "Consumption"
        and item["isPrimaryMeterRegion"]
        and item["retailPrice"] > 0
        and is_windows(item) is windows
        and in_force(item, day)
        and "loud" not in item["productName"]
        and not item["meterName"].endswith(" Expired")
    ]
    kept = [
        item
        for item in kept
        if item["skuName"].endswith(tier) and (tier or not item["skuName"].endswith((" Spot", "Priority")))
    ]
    latest = {item["meterId"]: item for item in sorted(kept, key=lambda item: str(item["effectiveStartDate"]))}
    return [item["retailPrice"] for item in latest.values()]


# karpenter-provider-azure 2025-06-03 and 2026-06-18 (Linux), vantage first half of 2025 (Windows, spot),
# djtools-azure-vm-sku-locator 2026-08-01 (all), azure-pricing-radar 2026-08-01 (RTX PRO 6000).
@pytest.mark.parametrize(
    ("day", "region", "size", "windows", "tier", "price"),
    [
        (JUNE_2025, "eastus", "Standard_ND96isr_H100_v5", False, "", 98.32),
        (JUNE_2026, "westus3", "Standard_ND96isr_H100_v5", False, "", 98.32),
        (AUGUST_2026, "eastus", "Standard_ND96isr_H100_v5", True, "", 102.736),
        (AUGUST_2026, "eastus", "Standard_NC40ads_H100_v5", False, "", 6.98),
        (AUGUST_2026, "eastus", "Standard_NV6ads_A10_v5", False, "", 0.454),
        (AUGUST_2026, "eastus", "Standard_NV12ads_A10_v5", False, "", 0.908),
        (AUGUST_2026, "eastus", "Standard_NV6ads_A10_v5", True, "", 0.73),
        (AUGUST_2026, "eastus", "Standard_NV6ads_A10_v5", False, " Spot", 0.083899),
        (AUGUST_2026, "eastus", "Standard_NV6ads_A10_v5", False, " Low Priority", 0.0908),
        (JUNE_2025, "eastus", "Standard_NV6ads_A10_v5", False, " Spot", 0.066738),
        (AUGUST_2026, "westeurope", "Standard_NC16as_T4_v3", False, "", 1.505),  # an older row of the meter says 2.2575
        (JUNE_2025, "westeurope", "Standard_NV12ads_V710_v5", False, "", 1.547),
        (JUNE_2026, "westeurope", "Standard_NV12ads_V710_v5", False, "", 1.3),
        (AUGUST_2026, "westeurope", "Standard_NCC40ads_H100_v5", False, "", 8.9),
        (AUGUST_2026, "westeurope", "Standard_NCC40ads_H100_v5", True, "", 10.74),
        (AUGUST_2026, "westeurope", "Standard_NC36ds_xl_RTXPRO6000BSE_v6", False, " Spot", 0.381242),
        (JUNE_2026, "westeurope", "Standard_NC144ds_xl_RTXPRO6000BSE_v6", False, "", 7.87),
        (AUGUST_2026, "westeurope", "Standard_NC144ds_xl_RTXPRO6000BSE_v6", False, "", 9.129),
        (AUGUST_2026, "westeurope", "Standard_NC144ds_xl_RTXPRO6000BSE_v6", True, "", 15.753),
        (AUGUST_2026, "westeurope", "Standard_NC144ds_xl_RTXPRO6000BSE_v6", True, " Spot", 2.911154),
    ],
)
def test_one_price_is_left(day: date, region: str, size: str, windows: bool, tier: str, price: float) -> None:
    """Recorded prices, after leaving out what is no price in force."""
    assert usual(day, region, size, windows, tier) == [price]


def test_a_sixth_and_a_third_of_an_a10_cost_the_same_per_gpu() -> None:
    """0.454 x 6 = 0.908 x 3 = 2.724."""
    (sixth,) = usual(AUGUST_2026, "eastus", "Standard_NV6ads_A10_v5")
    (third,) = usual(AUGUST_2026, "eastus", "Standard_NV12ads_A10_v5")

    assert round(sixth * 6, 10) == round(third * 3, 10) == 2.724


@pytest.mark.parametrize("day", DATES["azure"])
def test_a_reservation_is_a_total_with_a_unit_of_an_hour(day: date) -> None:
    """ND96isr_H100_v5 in eastus: 551221 for a year, 1134310 for three; sku of its own, the consumption's meter."""
    found = items(day, "eastus", "Standard_ND96isr_H100_v5")
    reservations = {item["reservationTerm"]: item for item in found if item["type"] == "Reservation"}
    (consumption,) = [
        i for i in found if i["type"] == "Consumption" and i["retailPrice"] == 98.32 and i["isPrimaryMeterRegion"]
    ]

    assert {term: item["retailPrice"] for term, item in reservations.items()} == {
        "1 Year": 551221.0,
        "3 Years": 1134310.0,
    }
    for item in reservations.values():
        assert item["unitOfMeasure"] == "1 Hour"
        assert item["meterId"] == consumption["meterId"]
        assert item["skuId"] != consumption["skuId"]
        assert item["skuId"].split("/")[0] == consumption["skuId"].split("/")[0] == item["productId"]
        assert not is_windows(item)


@pytest.mark.parametrize(("version", "shown"), [(PREVIEW, True), ("2021-10-01-preview", False), ("", False)])
def test_savings_plans_come_with_one_version_only(version: str, shown: bool) -> None:
    """NV6ads_A10_v5 in eastus: 0.37791 an hour for one year, 0.28007 for three (vantage, first half of 2025)."""
    found = [
        item["savingsPlan"]
        for item in items(JUNE_2025, "eastus", "Standard_NV6ads_A10_v5", version)
        if "savingsPlan" in item
    ]
    plans = [
        {"unitPrice": 0.28007, "retailPrice": 0.28007, "term": "3 Years"},
        {"unitPrice": 0.37791, "retailPrice": 0.37791, "term": "1 Year"},
    ]

    assert found == ([plans] if shown else [])


def test_fields_the_feed_leaves_out_are_absent() -> None:
    """A plain consumption item has these 20 fields in this order; no empty savingsPlan, end or term stands in it."""
    found = items(AUGUST_2026, "eastus", "Standard_ND96isr_H100_v5")
    plain = next(item for item in found if item["skuName"].endswith(" Low Priority"))

    assert list(plain) == (
        "currencyCode tierMinimumUnits retailPrice unitPrice armRegionName location effectiveStartDate meterId "
        "meterName productId skuId productName skuName serviceName serviceId serviceFamily unitOfMeasure type "
        "isPrimaryMeterRegion armSkuName"
    ).split(" ")
    assert plain["location"] == "US East"
    assert uuid.UUID(plain["meterId"])


def test_names_and_ids_are_the_recorded_ones() -> None:
    """NV6ads_A10_v5 in westeurope on 2026-08-20: sku DZH318Z09JCN/00JV, spot …JCN/00JX, Windows …JCM/00JQ."""
    found = {
        (item["productName"], item["skuName"], item["meterName"], item["skuId"])
        for item in items(AUGUST_2026, "westeurope", "Standard_NV6ads_A10_v5")
        if item["type"] == "Consumption" and item["isPrimaryMeterRegion"]
    }

    assert {
        ("Virtual Machines NVadsA10v5 Series", "Standard_NV6ads_A10_v5", "NV6ads A10 v5", "DZH318Z09JCN/00JV"),
        (
            "Virtual Machines NVadsA10v5 Series",
            "Standard_NV6ads_A10_v5 Spot",
            "NV6ads A10 v5 Spot",
            "DZH318Z09JCN/00JX",
        ),
        ("Virtual Machines NVadsA10v5 Series Windows", "Standard_NV6ads_A10_v5", "NV6ads A10 v5", "DZH318Z09JCM/00JQ"),
    } <= found


def test_one_windows_product_is_called_win() -> None:
    """ "Virtual Machines NCCadsv5 Srs Win", and an A100 product ends in Linux."""
    confidential = {item["productName"] for item in items(AUGUST_2026, "westeurope", "Standard_NCC40ads_H100_v5")}
    a100 = {item["productName"] for item in items(AUGUST_2026, "eastus", "Standard_NC24ads_A100_v4")}

    assert "Virtual Machines NCCadsv5 Srs Win" in confidential
    assert {"NCads A100 v4 Series Linux", "NCads A100 v4 Series Windows"} <= a100


@pytest.mark.parametrize("region", REGIONS["azure"])
@pytest.mark.parametrize("day", DATES["azure"])
def test_every_kind_of_item_is_there(day: date, region: str) -> None:
    """What a reader must know how to leave out or to choose between."""
    found = [item for item in azure.all_items(day) if item["armRegionName"] == region]
    gpu = [item for item in found if str(item["armSkuName"]).startswith("Standard_N")]

    def named(field: str, text: str) -> list[dict[str, object]]:
        return [item for item in found if text in str(item[field])]

    kinds = {
        "consumption": [item for item in gpu if item["type"] == "Consumption"],
        "reservation": [item for item in gpu if item["type"] == "Reservation"],
        "DevTest": [item for item in gpu if item["type"] == "DevTestConsumption"],
        "spot": named("skuName", " Spot"),
        "low priority": [item for item in gpu if str(item["meterName"]).endswith(" Low Priority")],
        "expired": named("meterName", " Expired"),
        "CloudServices": named("productName", "CloudServices"),
        "Cloud Services": named("productName", "Cloud Services"),
        "dedicated host": named("productName", "Dedicated Host"),
        "license": named("productName", "Virtual Machines Licenses"),
        "zero": [item for item in gpu if item["retailPrice"] == 0],
        "not primary": [item for item in gpu if not item["isPrimaryMeterRegion"]],
        "no size": [item for item in found if item["armSkuName"] == ""],
        "no GPU": named("armSkuName", "Standard_D8s_v5"),
        "five years": [item for item in found if item.get("reservationTerm") == "5 Years"],
        "ended": [
            item
            for item in gpu
            if str(item.get("effectiveEndDate", "9")) < str(day)
            and item["effectiveStartDate"] == "2018-01-01T00:00:00Z"
        ],
        "impossible": [
            item
            for item in gpu
            if "effectiveEndDate" in item and str(item["effectiveEndDate"]) < str(item["effectiveStartDate"])
        ],
    }

    assert [name for name, some in kinds.items() if not some] == []


def test_aliases_promotions_and_announcements() -> None:
    """Names priced beside the size's own, sizes on promotion, and V710 at 1.3 announced while 1.547 held."""
    sizes = {day: {str(item["armSkuName"]) for item in azure.all_items(day)} for day in (JUNE_2025, JUNE_2026)}
    v710 = [
        i for i in items(JUNE_2025, "westeurope", "Standard_NV12ads_V710_v5") if i["effectiveStartDate"] > "2025-07"
    ]

    assert {"Standard_NG32adms_V620", "Standard_ND96asr_A100_v4"} <= sizes[JUNE_2025]
    assert "Standard_NC6_Promo" in sizes[JUNE_2026]
    assert [(item["retailPrice"], item["effectiveStartDate"]) for item in v710] == [(1.3, "2026-04-01T00:00:00Z")]


def test_spot_prices_hold_for_a_month() -> None:
    """The window of the month the list is of: 2026-08-01 to 2026-08-31."""
    spot = [
        item for item in items(AUGUST_2026, "eastus", "Standard_NC24ads_A100_v4") if item["skuName"].endswith(" Spot")
    ]

    assert {(item["effectiveStartDate"], item["effectiveEndDate"]) for item in spot} == {
        ("2026-08-01T00:00:00Z", "2026-08-31T00:00:00Z")
    }


def test_the_envelope_of_an_empty_answer() -> None:
    """A filter that matches nothing is answered with 200 and no items, also for a mis-cased value."""
    wanted = "serviceName eq 'virtual machines'"

    assert page(AUGUST_2026, wanted, api_version=PREVIEW) == {
        "BillingCurrency": "USD",
        "CustomerEntityId": "Default",
        "CustomerEntityType": "Retail",
        "Items": [],
        "NextPageLink": None,
        "Count": 0,
    }
    assert page(AUGUST_2026, wanted)["Count"] == 1000


def test_pages_repeat_the_row_at_their_border() -> None:
    """Following the links of pages of 50 gives each item of eastus's V100s, and one twice for each border."""
    wanted = "armRegionName eq 'eastus' and contains(armSkuName,'s_v3')"
    whole = page(AUGUST_2026, wanted)["Items"]
    pages = [page(AUGUST_2026, wanted, 50)]
    while pages[-1]["NextPageLink"]:
        link = urlsplit(pages[-1]["NextPageLink"])
        assert f"{link.scheme}://{link.netloc}{link.path}" == f"{BASE}/api/retail/prices"
        pages.append(json.loads(azure.answer(azure.Query.of(link.query), AUGUST_2026, BASE, page_size=50)))
    rows = [json.dumps(item) for found in pages for item in found["Items"]]

    assert len(pages) > 2
    assert all(found["Count"] == len(found["Items"]) for found in pages)
    assert [found["Count"] for found in pages[:-1]] == [50] * (len(pages) - 1)
    assert all(a["Items"][-1] == b["Items"][0] for a, b in zip(pages, pages[1:], strict=False))
    assert set(rows) == {json.dumps(item) for item in whole}
    assert sum(Counter(rows).values()) == len(whole) + len(pages) - 1


def test_a_link_keeps_what_was_asked() -> None:
    """Filter, currency, version and meterRegion stand in the link, with the place where the next page begins."""
    link = page(
        AUGUST_2026,
        "serviceName eq 'Virtual Machines'",
        api_version=PREVIEW,
        currencyCode="'EUR'",
        meterRegion="'primary'",
    )

    assert parse_qs(urlsplit(link["NextPageLink"]).query) == {
        "api-version": [PREVIEW],
        "currencyCode": ["EUR"],
        "$filter": ["serviceName eq 'Virtual Machines'"],
        "meterRegion": ["'primary'"],
        "$skip": ["1000"],
    }


def test_a_region_of_virtual_machines_has_more_than_one_page() -> None:
    """So the whole service of one region can't be read without following a link."""
    for region in REGIONS["azure"]:
        found = page(AUGUST_2026, f"serviceName eq 'Virtual Machines' and armRegionName eq '{region}'")
        assert (found["Count"], found["NextPageLink"] is None) == (1000, False)


@pytest.mark.parametrize("text", ["EUR", "'EUR'", "eur"])
def test_another_currency_is_a_conversion(text: str) -> None:
    """At the made-up rate of 0.88 EUR for a dollar 98.32 is 86.5216; plans are converted as well, and dollars stay."""
    wanted = "armRegionName eq 'eastus' and armSkuName eq 'Standard_NC24ads_A100_v4' and priceType eq 'Consumption'"
    (euro, dollar) = (page(AUGUST_2026, wanted, api_version=PREVIEW, currencyCode=code) for code in (text, "USD"))
    pairs = list(zip(euro["Items"], dollar["Items"], strict=True))

    assert euro["BillingCurrency"] == "EUR"
    assert all(
        a["currencyCode"] == "EUR" and round(b["retailPrice"] * 0.88, 9) == round(a["retailPrice"], 9) for a, b in pairs
    )
    (plans,) = [(a["savingsPlan"], b["savingsPlan"]) for a, b in pairs if "savingsPlan" in b]
    assert [round(plan["retailPrice"] * 0.88, 9) for plan in plans[1]] == [round(p["retailPrice"], 9) for p in plans[0]]


def test_primary_meters_only() -> None:
    """meterRegion='primary' leaves out the other rows, from 2021-10-01-preview on; before, it is ignored."""
    wanted = "armRegionName eq 'eastus' and startswith(armSkuName,'Standard_N')"

    def primary(version: str) -> set[bool]:
        answer = page(AUGUST_2026, wanted, api_version=version, meterRegion="primary")
        return {item["isPrimaryMeterRegion"] for item in answer["Items"]}

    assert primary("2021-10-01-preview") == {True}
    assert primary("") == {True, False}


def test_unknown_parameters_are_ignored() -> None:
    """?armRegionName=eastus gives the whole list, as it does there; only $filter restricts."""
    regions = {item["armRegionName"] for item in page(AUGUST_2026, armRegionName="eastus", top="5")["Items"]}

    assert set(REGIONS["azure"]) <= regions


@pytest.mark.parametrize(
    ("filter", "parameters"),
    [
        ("not(contains(productName,'Windows'))", {}),
        ("armRegionName eq 'eastus'", {"skip": "5000"}),
        ("armRegionName eq 'eastus'", {"skip": "many"}),
        ("armRegionName eq 'eastus'", {"currencyCode": "XXX"}),
        ("armRegionName eq 'eastus'", {"api_version": "1999-01-01"}),
    ],
)
def test_bad_requests(filter: str, parameters: dict[str, Any]) -> None:
    """A malformed filter, a skip beyond the end, an unknown currency or version."""
    with pytest.raises(azure.BadRequest):
        page(AUGUST_2026, filter, **parameters)
