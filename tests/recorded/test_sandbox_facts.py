"""The sandbox's tables come from the recorded payloads, byte for byte."""

import json
from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from connectors.sandbox import Sandbox
from connectors.sandbox.aws_plan_lines import COLUMNS
from connectors.sandbox.aws_products import PRODUCT_COLUMNS, TERM_COLUMNS
from connectors.sandbox.build_facts import tables
from connectors.sandbox.facts import DATES, REGIONS
from connectors.sandbox.recorded_aws import table_rows
from connectors.sandbox.serving import served
from tests.connectors.sandbox.arm_asking import all_skus, capabilities


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


WHOLE = ("resource_skus_eastus_full_skewer_2020.json", "resource_skus_southcentralus_recomposed_2025-06-03.json")


def skus_of(answer: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """(resource type, name) -> SKU of an answer."""
    return {(sku["resourceType"], sku["name"]): sku for sku in answer["value"]}


def test_skus_have_the_form_of_recorded_ones(recorded: Path) -> None:
    """Each kind has the fields it was recorded with, in locationInfo and restrictions too, and no other."""
    forms: dict[str, set[str]] = defaultdict(set)
    for name in WHOLE:
        for (kind, _), sku in skus_of(json.loads((recorded / "azure" / name).read_text())).items():
            forms[kind] |= fields_of(sku)
    with Sandbox() as sandbox:
        served_skus = [
            sku for region in ("eastus", "westus") for sku in all_skus(sandbox, f"location eq '{region}'")[0]
        ]

    for sku in served_skus:
        assert fields_of(sku) <= forms[sku["resourceType"]], sku
    machines = set().union(*(fields_of(sku) for sku in served_skus if sku["resourceType"] == "virtualMachines"))
    assert machines == forms["virtualMachines"]


def fields_of(sku: Mapping[str, Any]) -> set[str]:
    """The names of a SKU's fields, and of those within."""
    found = set(sku)
    for outer in ("locationInfo", "restrictions", "capabilities"):
        for one in sku.get(outer, ()):
            found |= {f"{outer}.{name}" for name in one}
            found |= {f"{outer}.zoneDetails.{name}" for details in one.get("zoneDetails", ()) for name in details}
            found |= {f"{outer}.restrictionInfo.{name}" for name in one.get("restrictionInfo", ())}
    return found


def test_sizes_of_a_whole_answer_have_its_capabilities(recorded: Path) -> None:
    """NC6s_v3, NC16as_T4_v3 and NC24ads_A100_v4 of southcentralus on 2025-06-03, but for LowPriorityCapable."""
    whole = skus_of(json.loads((recorded / "azure" / WHOLE[1]).read_text()))
    compared = 0
    with Sandbox() as sandbox:
        found = skus_of({"value": all_skus(sandbox, "location eq 'southcentralus'")[0]})
    for key, sku in whole.items():
        if key in found and key[1].startswith("Standard_N"):
            expected = {**capabilities(dict(sku)), "LowPriorityCapable": ""}
            assert expected.items() <= (capabilities(dict(found[key])) | {"LowPriorityCapable": ""}).items()
            compared += 1
    assert compared == 3
