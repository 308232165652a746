"""What the rows of the sandbox's SpotResources say: recorded spot prices, and what is made up around them."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from connectors.sandbox import DATES, Sandbox
from connectors.sandbox.arm_switches import DATE_FIELDS
from connectors.sandbox.facts import REGIONS
from connectors.sandbox.graph_rows import Pool, price_points
from tests.connectors.sandbox.arm_asking import PRICES, RATES, SHOWN, rows

T4 = f"{PRICES} | where sku.name =~ 'standard_nc4as_t4_v3' and location =~ 'eastus' and properties.osType =~ 'linux'"


def elements(sandbox: Sandbox) -> list[dict[str, Any]]:
    """spotPrices of the T4 in eastus."""
    (row,) = rows(sandbox, f"{T4} | {SHOWN}")
    found: list[dict[str, Any]] = row["spotPrices"]
    return found


@pytest.mark.parametrize("day", DATES["azure"])
def test_the_newest_price_is_the_recorded_one(arm: Sandbox, day: date) -> None:
    """Of every GPU pool of the public cloud that a spot price was recorded of, by size, region and system."""
    arm.set_date("azure", day)
    arm.arm_unverified.all_sizes = True
    found = {
        (row["location"], row["skuName"], row["osType"]): row["spotPrices"][0]["priceUSD"]
        for row in rows(arm, f"{PRICES} | {SHOWN}")
    }
    recorded = {
        (figure.fact.region, figure.fact.instance_type.lower(), figure.fact.operating_system): float(figure.fact.price)
        for figure in arm.figures("azure")
        if figure.fact.purchase_option == "spot" and figure.fact.region in REGIONS["azure"]
    }

    assert len(recorded) > 1500
    assert recorded.items() <= found.items()


def test_recorded_changes_are_change_points(arm: Sandbox) -> None:
    """NC4as_T4_v3 in eastus: 0.204246 on 2 May 2026, 0.179734 on 20 July, 0.15254 on 1 August.

    The one of May began on the 1st, more than 90 days before 1 August; that of July is dated to its month's 1st. On
    18 June a made-up price has come and gone, 34 and 17 days before.
    """
    assert elements(arm) == [
        {"effectiveDate": "2026-08-01T00:00:00Z", "priceUSD": 0.15254},
        {"effectiveDate": "2026-07-01T00:00:00Z", "priceUSD": 0.179734},
    ]
    arm.set_date("azure", "2026-06-18")
    newest, made_up, first = elements(arm)
    assert newest == {"effectiveDate": "2026-06-01T07:30:00Z", "priceUSD": 0.204246}
    assert made_up["effectiveDate"] == "2026-05-15T00:00:00Z"
    assert first == {"effectiveDate": "2026-05-01T00:00:00Z", "priceUSD": 0.204246}


@pytest.mark.parametrize("day", DATES["azure"])
def test_prices_are_newest_first_and_90_days_deep(day: date) -> None:
    """Only the newest may be older; two in a row differ, unless the pool repeats its newest price."""
    several = 0
    for points in price_points(day).values():
        days = [point.at.date() for point in points]
        assert days == sorted(days, reverse=True)
        assert all(one >= day - timedelta(days=90) for one in days[1:])
        assert all(one <= day for one in days)
        assert all(one.price != other.price for one, other in zip(points[1:], points[2:], strict=False))
        several += len(points) > 1
    assert several > 100


@pytest.mark.parametrize("day", DATES["azure"])
def test_what_is_made_up_is_marked_and_never_the_newest(day: date) -> None:
    """Some pools have a price that nobody recorded, from 0.7 to 1.3 times the newest."""
    made_up = 0
    for points in price_points(day).values():
        assert points[0].recorded
        for point in points:
            if not point.recorded:
                made_up += 1
                assert Decimal("0.69") < point.price / points[0].price < Decimal("1.31")
    assert made_up > 100


def test_one_pool_by_hand() -> None:
    """NC24ads_A100_v4 in eastus on 2026-08-01: 0.67877 since July, as on 20 July and 1 August; 0.746721 was in May."""
    (point,) = price_points(date(2026, 8, 1))[Pool("eastus", "Standard_NC24ads_A100_v4", "linux")]

    assert (str(point.price), str(point.at.date()), point.recorded) == ("0.67877", "2026-07-01", True)


@pytest.mark.parametrize("name", [*filter(None, DATE_FIELDS), "validFrom"])
def test_the_day_of_a_price_under_any_name(arm: Sandbox, name: str) -> None:
    """Three names are read by programs, none is documented, and one is known to nobody."""
    arm.arm_unverified.date_field = name

    assert elements(arm)[0] == {name: "2026-08-01T00:00:00Z", "priceUSD": 0.15254}


def test_an_element_in_its_other_forms(arm: Sandbox) -> None:
    """unitPrice for priceUSD, text for number, seven digits of a second, no day at all, and the oldest first."""
    arm.arm_unverified.price_field, arm.arm_unverified.prices_as_text = "unitPrice", True
    arm.arm_unverified.date_digits = 7
    assert elements(arm)[0] == {"effectiveDate": "2026-08-01T00:00:00.0000000Z", "unitPrice": "0.15254"}

    arm.arm_unverified.clear()
    arm.arm_unverified.date_field, arm.arm_unverified.newest_first = "", False
    assert elements(arm) == [{"priceUSD": 0.179734}, {"priceUSD": 0.15254}]


def test_not_every_size_has_a_row(arm: Sandbox) -> None:
    """One in twelve or so has a spot price in the list and none here, nor a rate; or all have."""
    some = {row["id"] for row in rows(arm, f"{PRICES} | {SHOWN}")}
    rated = len(rows(arm, f"{RATES} | {SHOWN}"))
    arm.arm_unverified.all_sizes = True
    every = {row["id"] for row in rows(arm, f"{PRICES} | {SHOWN}")}

    assert some < every
    assert len(every) / 24 < len(every - some) < len(every) / 6
    assert rated < len(rows(arm, f"{RATES} | {SHOWN}"))


def test_sizes_without_gpus_and_every_band_stand_between(arm: Sandbox) -> None:
    """The five documented bands all occur, and so do sizes that no GPU table knows."""
    found = rows(arm, f"{RATES} | project id, size = tostring(sku.name), band = properties.evictionRate")

    assert {row["band"] for row in found} == {"0-5", "5-10", "10-15", "15-20", "20+"}
    assert {"standard_d8s_v5", "standard_nc4as_t4_v3"} <= {row["size"] for row in found}


def test_properties_can_be_missing_or_too_many(arm: Sandbox) -> None:
    """The switches that hold for every feed hold for a row's properties."""
    arm.faults.missing_column, arm.faults.unknown_column = "spotPrices", "carbon"
    (row,) = rows(arm, T4)

    assert row["properties"] == {"osType": "linux", "carbon": ""}


def test_full_has_the_other_sizes(arm: Sandbox) -> None:
    """104 sizes without a GPU, each for Linux and Windows, instead of 4: a region has 2 x 100 rows more."""
    query = f"{PRICES} | where location =~ 'swedensouth' | {SHOWN}"
    with Sandbox(size="full") as full:
        assert (len(rows(arm, query)), len(rows(full, query))) == (8, 208)
