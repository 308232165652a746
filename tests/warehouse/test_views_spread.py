"""What one offer costs from region to region: like with like, regions only."""

from decimal import Decimal
from typing import Any

import pytest

from tests.warehouse.price_rows import Row, azure, price, published


def by_region(rows: list[Row]) -> dict[str, Row]:
    """Rows by their region; there is one offer."""
    found = {row["region_id"]: row for row in rows}
    assert len(found) == len(rows)
    return found


def test_a_region_is_ranked_against_all_that_sell_the_size() -> None:
    """AWS, July 2026, p5.48xlarge: N. Virginia and Ohio 55.04, Tokyo 66.048; 66.048 / 55.04 is 1.2."""
    rows = by_region(
        published(
            "instance_regional_spread",
            price("55.04"),
            price("55.04", region_id="us-east-2"),
            price("66.048", region_id="ap-northeast-1"),
        )
    )
    tokyo, home, ohio = rows["ap-northeast-1"], rows["us-east-1"], rows["us-east-2"]

    for row in rows.values():
        assert (row["regions"], row["cheapest_price"], row["dearest_price"]) == (3, Decimal("55.04"), Decimal("66.048"))
        assert row["cheapest_region_id"] == "us-east-1"  # of two at one price the first by name
        assert row["median_price"] == Decimal("55.04")
        assert row["spread_ratio"] == pytest.approx(0.2)
    assert (home["region_rank"], ohio["region_rank"], tokyo["region_rank"]) == (1, 1, 3)
    assert tokyo["premium_over_cheapest_ratio"] == pytest.approx(0.2)
    assert tokyo["premium_over_home_ratio"] == pytest.approx(0.2)
    assert (home["premium_over_home_ratio"], home["regional_price"]) == (0, Decimal("55.04"))


@pytest.mark.parametrize(
    ("prices", "median"),
    [((1,), 1), ((1, 2), 1), ((1, 2, 9), 2), ((1, 2, 3, 9), 2)],  # of an even number the lower middle one
)
def test_the_median_is_a_price_that_somebody_asks(prices: tuple[int, ...], median: int) -> None:
    """Never the mean of two."""
    regions = ("us-east-1", "us-east-2", "us-west-1", "us-west-2")
    rows = published(
        "instance_regional_spread",
        *(price(str(each), region_id=region) for each, region in zip(prices, regions, strict=False)),
    )

    assert {row["median_price"] for row in rows} == {median}


def test_one_region_has_no_spread() -> None:
    """And where the home region doesn't sell it, nothing is compared with home."""
    (row,) = published("instance_regional_spread", price("9", region_id="eu-west-1"))

    assert (row["regions"], row["spread_ratio"], row["region_rank"]) == (1, 0, 1)
    assert (row["premium_over_cheapest_ratio"], row["premium_over_home_ratio"]) == (0, None)


def test_zones_canaries_and_unknown_places_are_left_out() -> None:
    """Atlanta's Local Zone, a test region of Azure and a place in no table set no price for anyone."""
    rows = published(
        "instance_regional_spread",
        price("9"),
        price("1", region_id="us-east-1-atl-1"),
        price("2", region_id="us-east-1-wl1-atl1"),
        price("3", region_id="mars-north-1"),
        azure("9"),
        azure("1", region_id="eastus2euap"),
    )

    assert {(row["region_id"], row["regions"], row["cheapest_price"]) for row in rows} == {
        ("us-east-1", 1, 9),
        ("eastus", 1, 9),
    }


OTHER_OFFERS: list[dict[str, Any]] = [
    {"operating_system": "windows"},
    {"purchase_option": "spot"},
    {"purchase_option": "reserved", "offering_class": "standard", "payment_option": "no_upfront", "term_months": 12},
    {"partition": "aws-us-gov"},
    {"partition": "aws-cn", "currency": "CNY"},
    {"instance_type": "p5.4xlarge"},
]


@pytest.mark.parametrize("words", OTHER_OFFERS, ids=str)
def test_unlike_offers_are_never_compared(words: dict[str, Any]) -> None:
    """Another system, way to buy, partition, currency or size is a ranking of its own."""
    rows = published("instance_regional_spread", price("10"), price("1", region_id="us-west-2", **words))

    assert [row["regions"] for row in rows] == [1, 1]


def test_terms_and_payments_are_never_compared() -> None:
    """One year and three years, no upfront and all upfront: four rankings."""
    reserved = {"purchase_option": "reserved", "offering_class": "standard"}
    rows = published(
        "gpu_regional_spread",
        *(
            price(str(10 + months), region_id=region, payment_option=payment, term_months=months, **reserved)
            for months, payment in ((12, "no_upfront"), (36, "no_upfront"), (36, "partial_upfront"))
            for region in ("us-east-1", "us-west-2")
        ),
    )

    assert len(rows) == 6
    assert {(row["regions"], row["spread_ratio"]) for row in rows} == {(2, 0)}


def test_a_spot_region_costs_what_its_cheapest_zone_costs() -> None:
    """Two zones at 3 and 2: the region is at 2."""
    rows = published(
        "instance_regional_spread",
        price("3", purchase_option="spot", zone_id="use1-az1"),
        price("2", purchase_option="spot", zone_id="use1-az2"),
        price("5", purchase_option="spot", zone_id="usw2-az1", region_id="us-west-2"),
    )

    assert {region: row["regional_price"] for region, row in by_region(rows).items()} == {
        "us-east-1": 2,
        "us-west-2": 5,
    }


def test_a_gpu_costs_what_its_cheapest_whole_size_asks_by_the_gpu() -> None:
    """p5.48xlarge 55.04 / 8 = 6.88 in us-east-1, p5.4xlarge 7 there; in us-west-2 only p5.4xlarge, at 6.5."""
    rows = by_region(
        published(
            "gpu_regional_spread",
            price("55.04"),
            price("7", instance_type="p5.4xlarge"),
            price("6.5", instance_type="p5.4xlarge", region_id="us-west-2"),
        )
    )
    home, west = rows["us-east-1"], rows["us-west-2"]

    assert (home["price_per_gpu_hour"], home["instance_type"], home["hourly_price"]) == (
        Decimal("6.88"),
        "p5.48xlarge",
        Decimal("55.04"),
    )
    assert (west["price_per_gpu_hour"], west["region_rank"], home["region_rank"]) == (Decimal("6.5"), 1, 2)
    assert west["premium_over_home_ratio"] == pytest.approx(6.5 / 6.88 - 1)
    assert home["premium_over_cheapest_ratio"] == pytest.approx(6.88 / 6.5 - 1)


def test_of_equal_sizes_the_smaller_is_named() -> None:
    """AWS, July 2026: p5.4xlarge 6.88 and p5.48xlarge 55.04 are one price by the GPU."""
    (row,) = published("gpu_regional_spread", price("55.04"), price("6.88", instance_type="p5.4xlarge"))

    assert (row["instance_type"], row["effective_hourly_price"], row["gpu_count"]) == ("p5.4xlarge", Decimal("6.88"), 1)


def test_a_slice_is_no_whole_gpu() -> None:
    """A sixth of an A10 at 2.724 by the GPU doesn't stand for the A10; a half and a whole differ too."""
    rows = published(
        "gpu_regional_spread",
        azure("0.454", instance_type="Standard_NV6ads_A10_v5"),
        azure("0.1", instance_type="Standard_NV18ads_A10_v5"),
        azure("3.2", instance_type="Standard_NV36ads_A10_v5"),
    )

    assert [(row["gpu_model"], row["price_per_gpu_hour"]) for row in rows] == [("A10", Decimal("3.2"))]


def test_only_slices_on_sale_make_no_row() -> None:
    """And neither does a GPU we don't know."""
    rows = published(
        "gpu_regional_spread",
        azure("0.454", instance_type="Standard_NV6ads_A10_v5"),
        azure("9", instance_type="Standard_NX1_v1"),
    )

    assert rows == []


def test_devices_of_one_name_are_apart() -> None:
    """A100 on Azure is 40 GB, 80 GB or PCIe: three models; SXM and PCIe differ in what they can."""
    rows = published(
        "gpu_regional_spread",
        azure("27.197", instance_type="Standard_ND96asr_v4"),
        azure("32.77", instance_type="Standard_ND96amsr_A100_v4"),
        azure("3.673", instance_type="Standard_NC24ads_A100_v4"),
    )

    assert {row["gpu_model"]: row["price_per_gpu_hour"] for row in rows} == {
        "A100-40GB": Decimal("3.399625"),  # 27.197 / 8
        "A100-80GB": Decimal("4.09625"),  # 32.77 / 8
        "A100-PCIe-80GB": Decimal("3.673"),
    }
