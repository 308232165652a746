"""Since when and until when the items of the sandbox's Azure retail price list hold."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

import pytest

from connectors.sandbox.azure_list import region_items
from connectors.sandbox.azure_past import past_items
from connectors.sandbox.facts import DATES, REGIONS, read_table
from connectors.sandbox.serving import served_by_region
from tests.connectors.sandbox.azure_asking import AUGUST_2026, JUNE_2025, JUNE_2026, Item, page

Window = tuple[float, str, str]  # price, start, end ("" for none)


def windows(day: date, region: str, size: str, tier: str = "", windows_product: bool = False) -> list[Window]:
    """The Consumption items of a size's own meter by start, without those from 2018 and impossible ones."""
    wanted = f"armRegionName eq '{region}' and armSkuName eq '{size}' and priceType eq 'Consumption'"
    found = [
        item
        for item in page(day, wanted)["Items"]
        if item["meterName"].endswith(tier)
        and (tier or not item["meterName"].endswith((" Spot", " Priority", " Expired")))
        and item["productName"].endswith((" Windows", " Win")) is windows_product
        and "loud" not in item["productName"]
        and item["isPrimaryMeterRegion"]
        and item["effectiveStartDate"] > "2019" < item.get("effectiveEndDate", "9")
        and item["retailPrice"] > 0.002
    ]
    return sorted(
        (
            (item["retailPrice"], item["effectiveStartDate"][:10], item.get("effectiveEndDate", "").removesuffix("Z"))
            for item in found
        ),
        key=lambda window: window[1],
    )


def test_earlier_prices_stand_beside_todays_with_windows_that_chain() -> None:
    """NG16ads_V620_v1 in eastus2, by karpenter-provider-azure: 2.19 on 2023-10-27, 1.815 from 2023-12-18 to 2024-12-13,
    1.27 since 2025-05-16. Starts are the first recording, then the first of the month of a price's first recording."""
    for day in DATES["azure"]:
        assert windows(day, "eastus2", "Standard_NG16ads_V620_v1") == [
            (2.19, "2023-10-27", "2023-12-01T00:00:00"),
            (1.815, "2023-12-01", "2025-05-01T00:00:00"),
            (1.27, "2025-05-01", ""),
        ]


def test_what_was_recorded_later_is_in_no_past() -> None:
    """NV12ads_V710_v5 in eastus: 1.4 on 2024-12-13, 1.19 on 2025-05-16 and 2025-06-03, 1 since 2026-04-02. In June 2025
    1.19 has no end, and 1 is announced for April 2026; from then on 1.19 is past."""
    before, after = (windows(on, "eastus", "Standard_NV12ads_V710_v5") for on in (JUNE_2025, JUNE_2026))

    assert [(price, start) for price, start, _ in before] == [
        (1.4, "2024-12-13"),
        (1.19, "2025-05-01"),
        (1.0, "2026-04-01"),
    ]
    assert [bool(end) for _, _, end in before] == [True, False, False]
    assert [(price, start) for price, start, _ in after] == [(price, start) for price, start, _ in before]
    assert [bool(end) for _, _, end in after] == [True, True, False]


def test_windows_prices_have_a_past_as_well() -> None:
    """NV12ads_A10_v5 in centralus: 1.669 in June 2025 (vantage) and on 2026-07-20 (sku-locator), 1.46 on 2026-08-01,
    when Linux fell from 1.117 to 0.908."""
    found = [
        windows(AUGUST_2026, "centralus", "Standard_NV12ads_A10_v5", "", on_windows) for on_windows in (True, False)
    ]

    assert [[(price, start) for price, start, _ in one] for one in found] == [
        [(1.669, "2025-06-03"), (1.46, "2026-08-01")],
        [(1.117, found[1][0][1]), (0.908, "2026-08-01")],
    ]


def test_spot_prices_hold_for_a_month_each() -> None:
    """NC24ads_A100_v4 in westeurope, by sku-locator: 1.905225 on 2026-05-02, 1.37138 on 2026-07-20, 1.097295 on
    2026-08-01; nobody recorded June. On 2026-06-18 it still costs what it did in May."""
    may = (1.905225, "2026-05-01", "2026-05-31T00:00:00")

    assert windows(AUGUST_2026, "westeurope", "Standard_NC24ads_A100_v4", " Spot") == [
        may,
        (1.37138, "2026-07-01", "2026-07-31T00:00:00"),
        (1.097295, "2026-08-01", "2026-08-31T00:00:00"),
    ]
    assert windows(JUNE_2026, "westeurope", "Standard_NC24ads_A100_v4", " Spot") == [
        may,
        (1.905225, "2026-06-01", "2026-06-30T00:00:00"),
    ]


def moment(text: str) -> datetime:
    """The instant of a start or an end."""
    return datetime.fromisoformat(text)


def by_meter(items: Iterable[Item]) -> dict[tuple[str, str], list[Item]]:
    """(region, meterId) -> its items by start."""
    found: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in sorted(items, key=lambda item: str(item["effectiveStartDate"])):
        found[item["armRegionName"], item["meterId"]].append(item)
    return found


def past(day: date) -> Iterator[Item]:
    """The recorded earlier prices of every region."""
    for region in REGIONS["azure"]:
        yield from past_items(region, day)


def gaps(items: Sequence[Item]) -> list[timedelta]:
    """What lies between each end and the next start."""
    return [
        moment(after["effectiveStartDate"]) - moment(before["effectiveEndDate"])
        for before, after in zip(items, items[1:], strict=False)
    ]


@pytest.mark.parametrize("day", DATES["azure"])
def test_every_recorded_past_price_chains_up_to_the_one_in_force(day: date) -> None:
    """Each ends at the start of the next one, a second before it, or at midnight of the day before; all three occur.

    The last one chains with the item of the same meter that has no end, and no meter has two of those from then on.
    """
    met = set()
    for (region, meter), items in by_meter(one for one in past(day) if not one["meterName"].endswith(" Spot")).items():
        last = max(item["effectiveStartDate"] for item in items)
        (today,) = [
            item
            for item in region_items(region, day)
            if item["meterId"] == meter
            and item["type"] == "Consumption"
            and "effectiveEndDate" not in item
            and last < str(item["effectiveStartDate"]) <= f"{day}T00:00:00Z"
        ]
        met |= set(gaps([*items, today]))

    assert met == {timedelta(0), timedelta(seconds=1), timedelta(days=1)}


@pytest.mark.parametrize("day", DATES["azure"])
def test_each_recorded_run_of_a_price_lies_within_its_items_window(day: date) -> None:
    """For what is still served: the first and the last recording are in the window, if it ended before the day.

    And each item is of one run.
    """
    known = {figure.fact.key[1:5] for figures in served_by_region("azure", day).values() for figure in figures}
    items = defaultdict(list)
    for item in past(day):
        system = "windows" if item["productName"].endswith((" Windows", " Win")) else "linux"
        tier = "spot" if item["meterName"].endswith(" Spot") else "on_demand"
        items[item["armRegionName"], item["armSkuName"], system, tier].append(item)
    checked = 0
    for row in read_table("azure_past.csv"):
        offer = row["region"], row["instance_type"], row["operating_system"], row["purchase_option"]
        recorded = [moment(row[name]).replace(tzinfo=UTC) for name in ("first_recorded", "last_recorded")]
        for item in items.get(offer, []):
            if moment(item["effectiveStartDate"]) <= recorded[1] < moment(item["effectiveEndDate"]):
                assert str(item["retailPrice"]) == row["price"]
                assert moment(item["effectiveStartDate"]) <= recorded[0]
                checked += 1

    assert checked == sum(map(len, items.values()))
    assert set(items) <= known


@pytest.mark.parametrize("day", DATES["azure"])
def test_some_windows_do_not_chain(day: date) -> None:
    """A made-up earlier price ended four months before its meter's next one starts, of some sizes of most regions.

    It ends on the first of the month that holds the 120th day before, which is 120 to 150 days.
    """
    found = {}
    for region in REGIONS["azure"]:
        items = [
            item
            for item in region_items(region, day)
            if item["type"] == "Consumption"
            and str(item["armSkuName"]).startswith("Standard_N")
            and not str(item["meterName"]).endswith((" Spot", " Priority"))
            and "2019" < str(item["effectiveStartDate"]) < min(str(day), str(item.get("effectiveEndDate", "9")))
        ]
        for (_, meter), of_meter in by_meter(items).items():
            found[region, meter] = max(gaps(of_meter), default=timedelta(0))
    months = {place: gap for place, gap in found.items() if gap > timedelta(days=1)}

    assert len({region for region, _ in months}) > 40
    assert all(timedelta(days=120) <= gap <= timedelta(days=151) for gap in months.values())
