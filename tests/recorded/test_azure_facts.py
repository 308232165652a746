"""What the sandbox makes of the recorded Azure tables: regions, misfiled prices, totals of reservations."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path

from connectors.sandbox.azure_list import region_items
from connectors.sandbox.azure_regions import kinds, region_of_slug
from connectors.sandbox.facts import read_table
from connectors.sandbox.recorded_aws import table_rows
from connectors.sandbox.recorded_azure import MISFILED_PRICES, MISFILED_SIZE, azure_facts
from connectors.sandbox.recorded_azure_past import PAST_COLUMNS, azure_past
from connectors.sandbox.recorded_vantage import clean
from connectors.sandbox.serving import served

KARPENTER = "azure_gpu_ondemand_snapshots_2023_2026_karpenter.csv"
LOCATOR = "azure_gpu_linux_windows_spot_lowpri_snapshots_2026-05_08.csv"
VANTAGE = "azure_gpu_reserved_savings_all_regions_2025-1H.csv"

Sizes = dict[str, tuple[Decimal, Decimal | None]]  # size in lower case -> Linux and Windows, on demand


def of_vantage(recorded: Path) -> Mapping[str, Sizes]:
    """Region -> vantage's on-demand prices."""
    found: dict[str, Sizes] = defaultdict(dict)
    regions = region_of_slug()
    for row in table_rows(recorded, VANTAGE):
        if row["linux_ondemand_usd_hr"]:
            windows = row["windows_ondemand_usd_hr"]
            size = "standard_" + row["vm_size_lower"].removeprefix("standard_")
            prices = clean(row["linux_ondemand_usd_hr"]), clean(windows) if windows else None
            found[regions[row["region_slug"]]][size] = prices
    return found


def of_karpenter(recorded: Path, day: str) -> Mapping[str, dict[str, Decimal]]:
    """Region -> karpenter's on-demand prices of a day, filed under Linux; sizes in lower case."""
    found: dict[str, dict[str, Decimal]] = defaultdict(dict)
    for row in table_rows(recorded, KARPENTER):
        if row["generated_at"].startswith(day):
            found[row["region"]][row["instance_type"].lower()] = Decimal(row["price_usd_hr"])
    return found


def test_each_slug_is_the_region_that_has_its_prices(recorded: Path) -> None:
    """vantage's and karpenter's prices of 2025-06-03 are equal, 773 of 775; the two are Windows prices under Linux.

    41 regions and 3 of Azure Government, which karpenter doesn't have, are all 44.
    """
    karpenter = of_karpenter(recorded, "2025-06-03")
    compared, different = 0, []
    for region, sizes in of_vantage(recorded).items():
        for size in sizes.keys() & karpenter[region].keys():
            compared += 1
            if sizes[size][0] != karpenter[region][size]:
                different.append((region, size))

    assert sorted(different) == [(region, MISFILED_SIZE.lower()) for region in ("southcentralus", "westeurope")]
    assert compared == 775
    assert len(region_of_slug()) == 44
    assert sum(kinds()[region] == "government" for region in region_of_slug().values()) == 3


def test_no_other_windows_price_is_filed_under_linux(recorded: Path) -> None:
    """Where a Linux price of karpenter or sku-locator is vantage's Windows price, it is one of the misfiled ones.

    vantage's own slip, NV8ads_V710_v5 whose Windows price repeats its Linux price, is told apart by that.
    """
    vantage = {
        (region, size): windows
        for region, sizes in of_vantage(recorded).items()
        for size, (linux, windows) in sizes.items()
        if windows != linux
    }
    filed = [(row["region"], row["instance_type"], row["price_usd_hr"]) for row in table_rows(recorded, KARPENTER)]
    filed += [(row["region"], row["instance_type"], row["linux_usd_hr"]) for row in table_rows(recorded, LOCATOR)]
    found = {
        (region, size, clean(price))
        for region, size, price in filed
        if price and clean(price) == vantage.get((region, size.lower()))
    }

    assert found == {(region, MISFILED_SIZE, price) for region, price in MISFILED_PRICES if price != Decimal("4.296")}


def test_where_vantages_windows_price_repeats_linux_the_other_size_has_it(recorded: Path) -> None:
    """NV8ads_V710_v5, in five regions: NV4's row has its Windows price, Linux and 8 x 0.046 for the license."""
    repeated = {
        (region, size): linux
        for region, sizes in of_vantage(recorded).items()
        for size, (linux, windows) in sizes.items()
        if linux == windows
    }
    facts = {
        fact.key[1:4]: fact.price
        for fact in azure_facts(recorded)
        if fact.key[4:5] == ("on_demand",) and fact.recorder == "vantage"
    }

    assert len(repeated) == 5 and {size for _, size in repeated} == {"standard_nv8ads_v710_v5"}
    for (region, _), linux in repeated.items():
        assert facts[region, "Standard_NV8ads_V710_v5", "windows"] == linux + 8 * Decimal("0.046")
        assert (region, "Standard_NV4ads_V710_v5", "windows") not in facts


def test_karpenters_last_recording_is_served_whole(recorded: Path) -> None:
    """All 1,412 prices of 2026-06-18 are served on that day, four of them as the Windows prices that they are."""
    prices = {
        figure.fact.key[1:4]: figure.fact.price
        for figure in served("azure", date(2026, 6, 18))
        if figure.fact.purchase_option == "on_demand"
    }
    systems = defaultdict(list)
    for row in table_rows(recorded, "azure_gpu_ondemand_karpenter_2026-06.csv"):
        place, price = (row["region"], row["instance_type"]), Decimal(row["price_usd_hr"])
        system = next((name for name in ("linux", "windows") if prices.get((*place, name)) == price), "none")
        systems[system].append(place)

    assert {system: len(places) for system, places in systems.items()} == {"linux": 1408, "windows": 4}
    assert sorted(systems["windows"]) == [
        (region, MISFILED_SIZE) for region in ("centralus", "eastus2", "southcentralus", "westeurope")
    ]


def test_each_total_gives_its_recorded_hour_back(recorded: Path) -> None:
    """Whole dollars over 8,760 or 26,280 hours, rounded to five places, are what vantage has, for every reservation."""
    reserved = [fact for fact in azure_facts(recorded) if fact.purchase_option == "reserved"]
    back = [round((fact.upfront or 0) / (fact.term_months * 730), 5) for fact in reserved]

    assert len(reserved) == 1257
    assert back == [fact.price for fact in reserved]
    assert all(fact.upfront == int(fact.upfront or 0) for fact in reserved)


def test_the_table_of_past_prices_is_that_of_the_recordings(recorded: Path) -> None:
    """Row for row."""
    rows = [dict(zip(PAST_COLUMNS, row, strict=True)) for row in azure_past(recorded)]

    assert rows == read_table("azure_past.csv")


def test_every_price_that_karpenter_ever_recorded_is_in_force_at_its_time(recorded: Path) -> None:
    """Of what is still listed on 2026-08-01, at each of the eight recordings since 2023: where the list goes back that
    far, one item of the size's Linux meter holds, at the recorded price. A price that never changed may begin later by
    its items, never with another price before it; the size filed under Linux with the price of Windows is left out."""
    windows = defaultdict(list)
    for region in {row["region"] for row in table_rows(recorded, KARPENTER)}:
        for item in region_items(region, date(2026, 8, 1)):
            if item["type"] == "Consumption" and item["isPrimaryMeterRegion"] and item["retailPrice"]:
                start, end = str(item["effectiveStartDate"]), str(item.get("effectiveEndDate", "9"))
                words = str(item["productName"]) + " " + str(item["meterName"])
                if "2019" < start < end and not words.endswith((" Spot", " Priority", " Expired")):
                    if not {"Windows", "Win", "CloudServices", "Cloud"} & set(words.split()):
                        windows[region, item["armSkuName"]].append((start, end, item["retailPrice"]))
    wrong, compared = [], 0
    for row in table_rows(recorded, KARPENTER):
        place, at = (row["region"], row["instance_type"]), row["generated_at"]
        prices = [price for start, end, price in windows[place] if start <= at < end]
        if prices and row["instance_type"] != MISFILED_SIZE:
            compared += 1
            if prices != [Decimal(row["price_usd_hr"])]:
                wrong.append((place, at, prices))

    assert wrong == []
    assert compared > 7000
