"""The items of the sandbox's Azure retail price list: recorded prices, and every kind of item beside them."""

import uuid
from collections.abc import Iterable
from datetime import date

import pytest

from connectors.sandbox.azure_list import Shelf, region_items
from connectors.sandbox.azure_regions import kinds
from connectors.sandbox.facts import DATES, REGIONS, Fact
from connectors.sandbox.serving import served_by_region
from tests.connectors.sandbox.azure_asking import AUGUST_2026, JUNE_2025, JUNE_2026, PREVIEW, Item, page


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


def usual(found: Iterable[Item], day: date, windows: bool = False, tier: str = "") -> list[float]:
    """Consumption prices left to a careful reader: primary, in force, not 0, no cloud service; latest start wins."""
    kept = [
        item
        for item in found
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
        (JUNE_2026, "eastus2", "Standard_NCC40ads_H100_v5", False, "", 6.98),
        (JUNE_2026, "eastus2", "Standard_NCC40ads_H100_v5", True, "", 8.82),
        (JUNE_2025, "southafricawest", "Standard_ND96isr_H100_v5", False, "", 186.608),
        (AUGUST_2026, "australiacentral", "Standard_NC16as_T4_v3", False, " Spot", 0.45385),
        (JUNE_2025, "usgovvirginia", "Standard_NC16as_T4_v3", False, "", 1.505),
        (AUGUST_2026, "westeurope", "Standard_NC36ds_xl_RTXPRO6000BSE_v6", False, " Spot", 0.381242),
        (JUNE_2026, "westeurope", "Standard_NC144ds_xl_RTXPRO6000BSE_v6", False, "", 7.87),
        (AUGUST_2026, "westeurope", "Standard_NC144ds_xl_RTXPRO6000BSE_v6", False, "", 9.129),
        (AUGUST_2026, "westeurope", "Standard_NC144ds_xl_RTXPRO6000BSE_v6", True, "", 15.753),
        (AUGUST_2026, "westeurope", "Standard_NC144ds_xl_RTXPRO6000BSE_v6", True, " Spot", 2.911154),
    ],
)
def test_one_price_is_left(day: date, region: str, size: str, windows: bool, tier: str, price: float) -> None:
    """Recorded prices, after leaving out what is no price in force."""
    assert usual(items(day, region, size), day, windows, tier) == [price]


def test_a_sixth_and_a_third_of_an_a10_cost_the_same_per_gpu() -> None:
    """0.454 x 6 = 0.908 x 3 = 2.724."""
    sixth, third = (
        usual(items(AUGUST_2026, "eastus", f"Standard_NV{cores}ads_A10_v5"), AUGUST_2026)[0] for cores in (6, 12)
    )

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


SPOT, LOW_PRIORITY = " Spot", " Low Priority"
TIERS = {"on_demand": "", "spot": SPOT, "low_priority": LOW_PRIORITY}
WORDS = {12: "1 Year", 36: "3 Years"}


def answered(found: list[Item], fact: Fact, day: date) -> list[float]:
    """The hourly prices that items of a size give for what a fact is the price of."""
    if fact.purchase_option == "reserved":
        totals = [i["retailPrice"] for i in found if i.get("reservationTerm") == WORDS[fact.term_months]]
        return [round(float(total) / (fact.term_months * 730), 5) for total in totals]
    if fact.purchase_option == "savings_plan":
        plans = [plan for item in found for plan in item.get("savingsPlan", [])]
        return [float(plan["retailPrice"]) for plan in plans if plan["term"] == WORDS[fact.term_months]]
    windows = fact.operating_system == "windows"
    return [float(price) for price in usual(found, day, windows, TIERS[fact.purchase_option])]


@pytest.mark.parametrize("day", DATES["azure"])
def test_every_figure_is_answered_as_recorded(day: date) -> None:
    """Of each region, size and way of buying one price is left, and it is the recorded one to the last digit.

    A reservation's total over the hours of its term (730 a month) gives the recorded hour back to the fifth decimal.
    """
    figures = served_by_region("azure", day)
    wrong = []
    for region, in_region in figures.items():
        sizes: dict[str, list[Item]] = {}
        for item in region_items(region, day):
            sizes.setdefault(str(item["armSkuName"]), []).append(item)
        wrong += [
            figure.fact.key
            for figure in in_region
            if answered(sizes[figure.fact.instance_type], figure.fact, day) != [float(figure.fact.price)]
        ]

    assert wrong == []
    assert len(figures) == 55 and sum(map(len, figures.values())) > 6000


def gpus(found: Iterable[Item]) -> list[Item]:
    """Those whose size's name begins as that of GPU sizes."""
    return [item for item in found if item["armSkuName"].startswith("Standard_N")]


@pytest.mark.parametrize("day", DATES["azure"])
def test_every_kind_of_item_is_there(day: date) -> None:
    """In each region, what a reader must know how to leave out or to choose between."""
    for region in REGIONS["azure"]:
        found: list[Item] = list(region_items(region, day))
        gpu = gpus(found)
        consumption = [item for item in gpu if item["type"] == "Consumption"]

        def named(field: str, text: str, among: list[Item] = found) -> list[Item]:
            return [item for item in among if text in item[field]]

        kinds_of_items = {
            "consumption": consumption,
            "reservation": [item for item in found if item["type"] == "Reservation"],
            "DevTest": [item for item in gpu if item["type"] == "DevTestConsumption"],
            "spot": named("skuName", SPOT),
            "low priority": [item for item in gpu if item["meterName"].endswith(LOW_PRIORITY)],
            "expired": named("meterName", " Expired"),
            "CloudServices": named("productName", "CloudServices"),
            "Cloud Services": named("productName", "Cloud Services"),
            "dedicated host": named("productName", "Dedicated Host"),
            "license": named("productName", "Virtual Machines Licenses"),
            "zero": [item for item in gpu if item["retailPrice"] == 0],
            "not primary": [item for item in gpu if not item["isPrimaryMeterRegion"]],
            "no size": [item for item in found if item["armSkuName"] == ""],
            "no GPU": named("armSkuName", "Standard_D8s_v5"),
            "two sizes in one name": named("skuName", "D4 v3/D4s v3"),
            "fewer cores": named("armSkuName", "Standard_M8-2ms_v2"),
            "five years": [item for item in found if item.get("reservationTerm") == "5 Years"],
            "another service": [item for item in found if item["serviceName"] == "Storage"],
            "ended": [
                item
                for item in consumption
                if item.get("effectiveEndDate", "9") < str(day) and item["effectiveStartDate"] == "2018-01-01T00:00:00Z"
            ],
            "impossible": [i for i in gpu if i.get("effectiveEndDate", "9") < i["effectiveStartDate"]],
            "announced": [item for item in consumption if item["effectiveStartDate"][:10] > str(day)],
        }

        assert (region, [name for name, some in kinds_of_items.items() if not some]) == (region, [])


def test_locations_are_in_the_lists_own_word_order() -> None:
    """ "US East", where everybody else says East US; each region has its own."""
    found = {region: {i["location"] for i in region_items(region, AUGUST_2026)} for region in REGIONS["azure"]}

    assert all(len(words) == 1 for words in found.values())
    assert len({words.pop() for words in found.values() if words}) == 52
    (southeast,) = {i["location"] for i in region_items("southeastasia", AUGUST_2026)}
    assert southeast == "AP Southeast"


@pytest.mark.parametrize("region", ["eastus2euap", "centraluseuap"])
def test_a_canary_has_no_product_names(region: str) -> None:
    """Its items are those of its neighbor, GPU sizes among them."""
    found: list[Item] = list(region_items(region, AUGUST_2026))

    assert len(gpus(found)) > 50
    assert not any("productName" in item for item in found)


def test_places_that_are_no_region() -> None:
    """An edge zone sells GPUs, and GPU items stand under "" and Global as well."""
    for place, location in (("attatlanta1", "ATT Atlanta 1"), ("", ""), ("Global", "Global")):
        found = gpus(region_items(place, AUGUST_2026))
        assert found
        assert {item["location"] for item in found} == {location}


def test_other_clouds() -> None:
    """Government rows are whole, those of China are few: Linux alone, no spot, no reservation."""
    government = gpus(region_items("usgovvirginia", JUNE_2025))
    china = gpus(region_items("chinanorth3", JUNE_2025))

    assert {item["type"] for item in government} == {"Consumption", "DevTestConsumption", "Reservation"}
    assert {item["location"] for item in government} == {"US Gov Virginia"}
    assert {item["type"] for item in china} == {"Consumption"}
    assert not any(is_windows(item) or item["skuName"].endswith(SPOT) for item in china)
    assert 0 < len(china) < 10


# instances.vantage.sh, first half of 2025; locations as the list spells them.
@pytest.mark.parametrize("day", DATES["azure"])
@pytest.mark.parametrize(
    ("region", "location", "size", "linux", "windows"),
    [
        ("usgovvirginia", "US Gov Virginia", "Standard_NC4as_T4_v3", 0.658, 0.842),
        ("usgovarizona", "US Gov AZ", "Standard_NV6", 1.366, 1.603),
        ("usgovtexas", "US Gov TX", "Standard_NV6", 1.366, 1.603),
    ],
)
def test_government_regions_answer_as_others_do(
    day: date, region: str, location: str, size: str, linux: float, windows: float
) -> None:
    """Asked by armRegionName, with or without a size, in dollars, with the recorded prices on every day."""
    everything = page(day, f"armRegionName eq '{region}' and startswith(armSkuName,'Standard_N')")
    found = items(day, region, size)

    assert {(item["currencyCode"], item["location"]) for item in everything["Items"]} == {("USD", location)}
    assert len({item["armSkuName"] for item in everything["Items"]}) >= 3
    assert (usual(found, day), usual(found, day, windows=True)) == ([linux], [windows])


def test_a_government_reservation_is_a_total() -> None:
    """0.3879 and 0.24985 an hour were recorded: 0.3879 x 8,760 = 3398 and 0.24985 x 26,280 = 6566, to the dollar."""
    found = items(AUGUST_2026, "usgovvirginia", "Standard_NC4as_T4_v3")

    assert {item["reservationTerm"]: item["retailPrice"] for item in found if item["type"] == "Reservation"} == {
        "1 Year": 3398,
        "3 Years": 6566,
    }


def test_a_region_without_gpus_has_other_sizes() -> None:
    """So an empty answer about GPUs can be told from a misspelt region."""
    for region in (name for name, kind in kinds().items() if kind == "no GPUs"):
        found = [item for item in region_items(region, AUGUST_2026) if item["serviceName"] == "Virtual Machines"]
        assert found and not gpus(found)


def test_a_full_list_has_all_other_sizes() -> None:
    """A small one has a few of them and the same GPU sizes."""
    small, full = (list(region_items("uksouth", AUGUST_2026, size)) for size in (False, True))

    assert gpus(small) == gpus(full)
    assert len(full) - len(gpus(full)) > 700
    assert len(small) - len(gpus(small)) < 60


def test_aliases_promotions_and_announcements() -> None:
    """Names priced beside the size's own, sizes on promotion, and V710 at 1.3 announced while 1.547 held."""
    sizes = {
        day: {item["armSkuName"] for region in Shelf(day).regions() for item in region_items(region, day)}
        for day in (JUNE_2025, JUNE_2026)
    }
    v710 = [
        i for i in items(JUNE_2025, "westeurope", "Standard_NV12ads_V710_v5") if i["effectiveStartDate"] > "2025-07"
    ]

    assert {"Standard_NG32adms_V620", "Standard_ND96asr_A100_v4"} <= sizes[JUNE_2025]
    assert "Standard_NC6_Promo" in sizes[JUNE_2026]
    assert [(item["retailPrice"], item["effectiveStartDate"]) for item in v710] == [(1.3, "2026-04-01T00:00:00Z")]


def test_no_made_up_price_is_announced_for_what_people_buy() -> None:
    """What is announced on a day is a price recorded on the next; on the last there are low priority prices alone."""
    for day, later in ((JUNE_2025, JUNE_2026), (JUNE_2026, AUGUST_2026), (AUGUST_2026, AUGUST_2026)):
        recorded = {
            (figure.fact.region, figure.fact.instance_type, figure.fact.price)
            for figures in served_by_region("azure", later).values()
            for figure in figures
        }
        announced = {
            (region, item["armSkuName"], item["retailPrice"])
            for region in REGIONS["azure"]
            for item in gpus(region_items(region, day))
            if item["effectiveStartDate"][:10] > str(day) and not item["skuName"].endswith(LOW_PRIORITY)
        }
        assert announced <= recorded
        assert bool(announced) is (day != AUGUST_2026)
