"""Today's prices under the names of FOCUS: one row for what is paid by the hour, one for what is paid at the start."""

import json
import re
from decimal import Decimal
from pathlib import Path

from tests.warehouse.price_rows import azure, price, published
from warehouse.build import read_views

PAGE = Path(__file__).parents[2] / "docs" / "focus.md"

P4D = {"instance_type": "p4d.24xlarge", "sku_id": "H7NGEAC6UEHNTKSJ"}


def test_on_demand_is_a_standard_price_by_the_hour() -> None:
    """p4d.24xlarge in April 2025, 32.7726 an hour: 8 GPUs of 40 GB are 320 GB."""
    (row,) = published("focus_prices", price("32.7726", rate_id="H7NGEAC6UEHNTKSJ.JRTCKXETXF.6YS6EN2CT7", **P4D))

    assert (row["ProviderName"], row["ServiceCategory"], row["RegionId"]) == ("AWS", "Compute", "us-east-1")
    assert (row["PricingCategory"], row["ChargeFrequency"], row["PricingUnit"]) == ("Standard", "Usage-Based", "Hours")
    assert row["ListUnitPrice"] == row["ContractedUnitPrice"] == Decimal("32.7726")
    assert row["SkuPriceId"] == "H7NGEAC6UEHNTKSJ.JRTCKXETXF.6YS6EN2CT7"
    assert row["CommitmentDiscountCategory"] is None
    assert json.loads(row["SkuPriceDetails"]) == {
        "InstanceType": "p4d.24xlarge",
        "OperatingSystem": "linux",
        "GpuCount": 8,
        "x_GpuModel": "A100-40GB",
        "x_GpuMemory": 320,
    }


def test_a_partial_upfront_reservation_is_two_charges() -> None:
    """84,160 at the start and 9.607 an hour: 84160 / 8760 = 9.6073059361, so 19.2143059361 an hour in all."""
    reserved = {"purchase_option": "reserved", "offering_class": "standard", "payment_option": "partial_upfront"}
    rows = published(
        "focus_prices", price("32.7726", **P4D), price("9.607", upfront="84160", term_months=12, **reserved, **P4D)
    )
    once, hourly = (row for row in rows if row["x_PurchaseOption"] == "reserved")

    assert (once["ChargeFrequency"], once["PricingUnit"]) == ("One-Time", "Units")
    assert (once["ContractedUnitPrice"], once["ListUnitPrice"]) == (84160, None)
    assert (hourly["ChargeFrequency"], hourly["ContractedUnitPrice"]) == ("Recurring", Decimal("9.607"))
    assert hourly["ListUnitPrice"] == Decimal("32.7726")
    for row in (once, hourly):
        assert (row["PricingCategory"], row["CommitmentDiscountCategory"]) == ("Committed", "Usage")
        assert row["x_EffectiveUnitPrice"] == Decimal("19.2143059361")


def test_all_upfront_is_one_charge() -> None:
    """An hour of it costs nothing more: 164955 at the start and no row of 0."""
    reserved = {"purchase_option": "reserved", "offering_class": "standard", "payment_option": "all_upfront"}
    (row,) = published("focus_prices", price("0", upfront="164955", term_months=12, **reserved, **P4D))

    assert (row["ChargeFrequency"], row["ContractedUnitPrice"]) == ("One-Time", 164955)


def test_spot_is_dynamic_and_a_savings_plan_commits_spend() -> None:
    """Azure's ids: the same sku and meter for on demand and its plan, told apart by the term."""
    ids = {"sku_id": "DZH318Z09TGJ/0097", "rate_id": "14d858c7"}
    rows = published(
        "focus_prices",
        azure("20.5", purchase_option="spot", **ids),
        azure(
            "70", purchase_option="savings_plan", offering_class="compute", payment_option="any", term_months=36, **ids
        ),
    )
    plan, spot = rows

    assert (spot["ProviderName"], spot["PricingCategory"], spot["SkuPriceId"]) == (
        "Microsoft",
        "Dynamic",
        "DZH318Z09TGJ/0097/14d858c7",
    )
    assert (plan["CommitmentDiscountCategory"], plan["CommitmentDiscountType"]) == ("Spend", "Savings Plan")
    assert plan["SkuPriceId"] == "DZH318Z09TGJ/0097/14d858c7/36"


def test_the_page_says_where_each_column_is_from() -> None:
    """docs/focus.md has a line for every column of the view in the view's order, and none for another."""
    (view,) = (view for view in read_views() if view.name == "focus_prices")
    told = re.findall(r"^\| `(\w+)` \| (\S.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert [column for column, _ in told] == list(view.columns)


def test_the_page_names_columns_that_prices_has() -> None:
    """What a column is from is a column of prices, or of regions where that is said."""
    (view,) = (view for view in read_views() if view.name == "prices")
    told = re.findall(r"^\| `\w+` \| (\S.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    named = {name for origin in told for name in re.findall(r"`([a-z_.]+)`", origin)}

    assert named - view.columns.keys() == {"regions.display_name"}
