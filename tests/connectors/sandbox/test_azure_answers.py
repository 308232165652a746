"""How the sandbox's Azure retail price list is asked and answers: envelope, pages, currency, versions, bad requests."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from connectors.sandbox.azure import BadRequest, Manner
from connectors.sandbox.azure_list import Shelf
from connectors.sandbox.azure_regions import kinds
from connectors.sandbox.facts import REGIONS
from tests.connectors.sandbox.azure_asking import AUGUST_2026, BASE, JUNE_2025, PREVIEW, items_of, page, pages

EASTUS = "armRegionName eq 'eastus'"


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
    """Following the links of pages of 20 gives each item of eastus's V100s, and one twice for each border."""
    wanted = "armRegionName eq 'eastus' and contains(armSkuName,'s_v3')"
    whole = page(AUGUST_2026, wanted)["Items"]
    found = pages(wanted, AUGUST_2026, Manner(BASE, 20))
    link = urlsplit(found[0]["NextPageLink"])
    rows = [json.dumps(item) for item in items_of(found)]

    assert f"{link.scheme}://{link.netloc}{link.path}" == f"{BASE}/api/retail/prices"
    assert len(found) > 2
    assert all(one["Count"] == len(one["Items"]) for one in found)
    assert [one["Count"] for one in found[:-1]] == [20] * (len(found) - 1)
    assert all(a["Items"][-1] == b["Items"][0] for a, b in zip(found, found[1:], strict=False))
    assert set(rows) == {json.dumps(item) for item in whole}
    assert len(rows) == len(whole) + len(found) - 1


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
    """With all other sizes in the list, the whole service of one region can't be read without following a link."""
    wanted = "serviceName eq 'Virtual Machines' and armRegionName eq 'eastus'"
    found = page(Shelf(AUGUST_2026, full=True), wanted)

    assert (found["Count"], found["NextPageLink"] is None) == (1000, False)


def test_all_gpu_sizes_can_be_walked_without_naming_a_region() -> None:
    """Pages of 1,000 hold what the questions by region hold, and what stands in no region or in none that is public."""
    wanted = "serviceName eq 'Virtual Machines' and startswith(armSkuName,'Standard_N')"
    whole = items_of(pages(wanted, AUGUST_2026, Manner(BASE)))
    westus3 = page(AUGUST_2026, f"{wanted} and armRegionName eq 'westus3'")["Items"]

    assert len(whole) > 10_000
    assert {json.dumps(item) for item in westus3} == {
        json.dumps(item) for item in whole if item["armRegionName"] == "westus3"
    }
    assert {item["armRegionName"] for item in whole} == {
        region for region, kind in kinds().items() if kind != "no GPUs"
    } | {"", "Global"}


@pytest.mark.parametrize("text", ["EUR", "'EUR'", "eur"])
def test_another_currency_is_a_conversion(text: str) -> None:
    """At the made-up rate of 0.88 EUR for a dollar, rounded to six decimals: 98.32 is 86.5216, a year's total of 551221
    is 485074.48, 0.083899 on spot is 0.07383112 and so 0.073831, a plan of 0.37791 is 0.3325608 and so 0.332561."""
    found = {
        (item["currencyCode"], item["retailPrice"], item["unitPrice"])
        for size in ("ND96isr_H100_v5", "NV6ads_A10_v5")
        for item in page(AUGUST_2026, f"{EASTUS} and armSkuName eq 'Standard_{size}'", currencyCode=text)["Items"]
    }
    wanted = f"{EASTUS} and armSkuName eq 'Standard_NV6ads_A10_v5'"
    answer = page(JUNE_2025, wanted, api_version=PREVIEW, currencyCode=text)
    plans = [plan for item in answer["Items"] for plan in item.get("savingsPlan", [])]

    assert answer["BillingCurrency"] == "EUR"
    assert found >= {("EUR", price, price) for price in (86.5216, 485074.48, 0.073831)}
    assert {"unitPrice": 0.332561, "retailPrice": 0.332561, "term": "1 Year"} in plans


# The seventeen that the documentation names.
CURRENCIES = "USD AUD BRL CAD CHF CNY DKK EUR GBP INR JPY KRW NOK NZD RUB SEK TWD".split(" ")


@pytest.mark.parametrize("code", CURRENCIES)
def test_every_documented_currency_has_the_same_list(code: str) -> None:
    """The same items at one rate: what a price of at least a dollar is divided by its dollars differs by rounding."""
    wanted = "armRegionName eq 'uksouth' and startswith(armSkuName,'Standard_N')"
    local, dollar = (page(AUGUST_2026, wanted, currencyCode=currency)["Items"] for currency in (code, "USD"))
    prices = ("retailPrice", "unitPrice", "currencyCode")
    rates = {
        round(a["retailPrice"] / b["retailPrice"], 5)
        for a, b in zip(local, dollar, strict=True)
        if b["retailPrice"] >= 1
    }

    assert {item["currencyCode"] for item in local} == {code}
    assert [{k: v for k, v in item.items() if k not in prices} for item in local] == [
        {k: v for k, v in item.items() if k not in prices} for item in dollar
    ]
    assert len(rates) == 1
    assert (rates == {1.0}) is (code == "USD")


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
    regions = {item["armRegionName"] for item in page(AUGUST_2026, armRegionName="eastus", page_size=9999)["Items"]}

    assert set(REGIONS["azure"]) <= regions


def test_the_order_of_the_list_tells_nothing() -> None:
    """Neither regions nor prices stand in order."""
    found = page(AUGUST_2026, "startswith(armSkuName,'Standard_N')")["Items"]
    regions, prices = [item["armRegionName"] for item in found], [item["retailPrice"] for item in found]

    assert regions != sorted(regions)
    assert prices != sorted(prices)


@pytest.mark.parametrize(
    ("filter", "parameters"),
    [
        ("not(contains(productName,'Windows'))", {}),
        ("armRegionName eq 'eastus'", {"skip": "5000"}),
        ("armRegionName eq 'eastus'", {"skip": "many"}),
        ("armRegionName eq 'eastus'", {"top": "few"}),
        ("armRegionName eq 'eastus'", {"currencyCode": "XXX"}),
        ("armRegionName eq 'eastus'", {"api_version": "1999-01-01"}),
    ],
)
def test_bad_requests(filter: str, parameters: dict[str, Any]) -> None:
    """A malformed filter, a skip beyond the end, a skip or top that is no number, an unknown currency or version."""
    with pytest.raises(BadRequest):
        page(AUGUST_2026, filter, **parameters)
