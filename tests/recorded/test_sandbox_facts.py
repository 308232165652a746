"""The sandbox's tables come from the recorded payloads, byte for byte."""

import json
from decimal import Decimal
from importlib.resources import files
from pathlib import Path

import pytest

from connectors.sandbox.aws_plan_lines import COLUMNS
from connectors.sandbox.aws_products import PRODUCT_COLUMNS, TERM_COLUMNS
from connectors.sandbox.build_facts import tables
from connectors.sandbox.facts import DATES, REGIONS
from connectors.sandbox.recorded_aws import table_rows
from connectors.sandbox.serving import served


@pytest.mark.parametrize(
    "name",
    [
        *("facts_aws.csv", "facts_azure.csv", "aws_types.csv", "aws_locations.csv", "aws_ordinary.csv"),
        *("azure_names.csv", "azure_past.csv", "azure_skus.csv", "azure_sku_places.csv", "ec2_types.csv"),
    ],
)
def test_a_table_is_what_the_recordings_give(name: str, recorded: Path) -> None:
    """Building again gives the committed table."""
    committed = files("connectors.sandbox").joinpath(name).read_bytes().decode()

    assert tables(recorded)[name] == committed


def test_the_header_is_that_of_the_real_file(recorded: Path) -> None:
    """Names, order and letter case of the bulk file of 2025-09-12, line 6."""
    sample = recorded / "aws" / "pricelist" / "ec2-priceit_3-global-pricing-file-sample.csv"
    line = sample.read_text().split("\n")[5]

    assert line == ",".join(f'"{name}"' for name in [*TERM_COLUMNS, *PRODUCT_COLUMNS])


def test_the_savings_plans_have_the_columns_and_locations_of_the_real_ones(recorded: Path) -> None:
    """Line 6 of the file of 2025-09-11, and its region index: each location of ours is among its 103."""
    lists = recorded / "aws" / "pricelist"
    header = (lists / "ec2-priceit_5-ap-east-2-savingsplan-pricing.csv").read_text().split("\n")[5]
    index = json.loads((lists / "ec2-priceit_4-currentSavingsPlanIndexUrl-list.json").read_text())

    assert header == ",".join(COLUMNS)
    assert set(REGIONS["aws"]) <= {entry["regionCode"] for entry in index["regions"]}


def test_china_is_as_last_recorded(recorded: Path) -> None:
    """Each figure in yuan is that of the recorder's latest list, which no fact of China is taken from."""
    latest = {
        (row["region"], row["instance_type"]): (Decimal(row["price_hr"]), row["generated_at"])
        for row in table_rows(recorded, "aws_ondemand_karpenter_latest.csv")
        if row["currency"] == "CNY"
    }
    found = [figure.fact for figure in served("aws-cn", DATES["aws"][-1])]

    assert len(found) == 28
    for fact in found:
        stamp = fact.recorded_at.strftime("%Y-%m-%dT%H:%M:%SZ")
        assert latest[fact.region, fact.instance_type] == (fact.price, stamp)


def served_on_the_first_day() -> dict[tuple[str, ...], Decimal]:
    """(region, type, option, class, months) -> price, for Linux on demand and without upfront on 2025-04-29."""
    return {
        (fact.region, fact.instance_type, fact.purchase_option, fact.offering_class, str(fact.term_months)): fact.price
        for fact in (figure.fact for figure in served("aws", DATES["aws"][0]))
        if fact.operating_system == "linux" and fact.payment_option in ("", "no_upfront")
    }


def test_the_pages_of_2025_04_04_agree(recorded: Path) -> None:
    """No fact is from those pages, so they judge: on demand to the last digit, reserved to the six digits recorded."""
    ours, judged = served_on_the_first_day(), 0

    for row in table_rows(recorded, "aws_gpu_ondemand_all_regions_2025-04.csv"):
        found = ours.get((row["region"], row["instance_type"], "on_demand", "", "0"))
        assert found is None or found == Decimal(row["price_usd_hr"])
        judged += found is not None
    for row in table_rows(recorded, "aws_gpu_reserved_noupfront_all_regions_2025-04.csv"):
        months = str(12 * int(row["lease"].removesuffix("yr")))
        found = ours.get((row["region"], row["instance_type"], "reserved", row["offering_class"], months))
        assert found is None or abs(found - Decimal(row["price_usd_hr"])) <= Decimal("0.0000005")
        judged += found is not None

    assert judged > 4_000
