"""What instances.vantage.sh recorded of Azure -> facts. Used only to build the tables.

A reservation was recorded as an hourly figure of five decimals; the feed publishes the total for the term, a whole
number of dollars: every one recorded gives its figure back to the last digit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from connectors.sandbox.azure_regions import region_of_slug
from connectors.sandbox.facts import DATED, MISFILED, TOTAL, Fact
from connectors.sandbox.recorded_aws import table_rows
from connectors.sandbox.recorded_azure_names import arm_names

# vantage says "first half of 2025". Its on-demand figures are those of the recordings of 2025-05-16 and 2025-06-03,
# not those of 2024-12-13 or 2026-04-02; the last day of that stretch is taken.
VANTAGE_DAY = datetime(2025, 6, 3, 21, 16, 7, tzinfo=UTC)
# vantage's spelling -> the feed's. The first two share every price with the size they are mapped to.
VANTAGE_NAMES = {
    "ng32adms_v620_v1": "Standard_NG32adms_V620",
    "nv28ads_v710_v5": "Standard_NV28adms_V710_v5",
    "nm16ads_ma35d": "Standard_NM16ads_MA35D",
}
# Size whose vantage row holds a Windows price of another size -> that size; "" where the row holds none. NV4's row has
# NV8's, on demand and spot, in every region: 1.161 in eastus and 1.399 in westeurope are NV8's Linux price, 0.793 and
# 1.031, and 0.368 for the license, which is also what lies between NV8's Windows and Linux commitments (0.046 a vCPU in
# every row, 0.184 for NV4). NV8's row repeats its Linux prices. NV4's own (0.581 and 0.7 by that rule) has no record,
# and the rule is none: Windows prices of older sizes differ from it.
MISFILED_ROWS = {"Standard_NV4ads_V710_v5": "Standard_NV8ads_V710_v5", "Standard_NV8ads_V710_v5": ""}
# Two names of one size at one price. Where sku-locator goes on with the second, the older spot price of vantage stands
# under it as well: else the two names would be served with prices of different days.
SECOND_NAMES = {"Standard_ND96asr_A100_v4": "Standard_ND96asr_v4"}


def vantage_facts(folder: Path, elsewhere: list[Fact]) -> Iterator[Fact]:
    """What the recordings of others, given as facts, don't have: other sizes, systems and ways of buying."""
    names, slugs = arm_names(folder), region_of_slug()
    linux = {
        (fact.region, fact.instance_type)
        for fact in elsewhere
        if (fact.operating_system, fact.purchase_option, fact.recorded_at) == ("linux", "on_demand", VANTAGE_DAY)
    }
    spots = {(fact.region, fact.instance_type) for fact in elsewhere if fact.purchase_option == "spot"}
    for row in table_rows(folder, "azure_gpu_reserved_savings_all_regions_2025-1H.csv"):
        size = _arm_name(row["vm_size_lower"], names)
        yield from _facts_of_row(row, slugs[row["region_slug"]], size, linux, spots)


def _arm_name(size: str, names: Mapping[str, str]) -> str:
    return VANTAGE_NAMES.get(size) or names["standard_" + size.removeprefix("standard_")]


def _facts_of_row(
    row: dict[str, str],
    region: str,
    size: str,
    linux_elsewhere: set[tuple[str, str]],
    spot_elsewhere: set[tuple[str, str]],
) -> Iterator[Fact]:
    """What one row adds. Each of a size's rows repeats its on-demand and spot prices: they are taken from one of them.

    Committed figures of Windows are left out: vantage computes them (Linux commitment + 0.046 a vCPU), while the
    savings plans of Windows that the feed published on 2026-08-20 have other figures.
    """

    def found(system: str, option: str, text: str, **other: Any) -> Fact:
        return Fact(
            provider="azure",
            region=region,
            instance_type=size,
            operating_system=system,
            purchase_option=option,
            price=clean(text),
            recorded_at=VANTAGE_DAY,
            recorder="vantage",
            **{"marks": frozenset({DATED}), **other},
        )

    plan, _, payment = row["saving"].partition(".")
    if payment != "allUpfront":  # hybrid benefit: out of scope
        return
    years = int(plan.removeprefix("yrTerm")[0])
    on_demand, committed = row["linux_ondemand_usd_hr"], row["linux_committed_effective_usd_hr"]
    if plan == "yrTerm1Standard":
        if row["linux_ondemand_usd_hr"] and (region, size) not in linux_elsewhere:
            yield found("linux", "on_demand", row["linux_ondemand_usd_hr"])
        if row["linux_spot_min_usd_hr"]:
            second = SECOND_NAMES.get(size, size)
            spot = found("linux", "spot", row["linux_spot_min_usd_hr"])
            yield replace(spot, instance_type=second) if (region, second) in spot_elsewhere else spot
        owner = MISFILED_ROWS.get(size, size)
        marks = frozenset({DATED} if owner == size else {DATED, MISFILED})
        for option, column in (("on_demand", "windows_ondemand_usd_hr"), ("spot", "windows_spot_min_usd_hr")):
            if owner and row[column]:
                yield replace(found("windows", option, row[column], marks=marks), instance_type=owner)
    if on_demand and committed:
        if plan.endswith("Standard"):
            total = (Decimal(committed) * 8760 * years).quantize(Decimal(1))
            yield found(
                "linux",
                "reserved",
                committed,
                term_months=12 * years,
                upfront=total,
                beside=clean(on_demand),
                marks=frozenset({DATED, TOTAL}),
            )
        else:
            yield found("linux", "savings_plan", committed, term_months=12 * years, beside=clean(on_demand))


def clean(text: str) -> Decimal:
    """A recorded figure without the digits a binary fraction added (0.9400000000000001)."""
    return Decimal(text).quantize(Decimal("0.00000001")).normalize()
