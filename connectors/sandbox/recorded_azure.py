"""Recorded tables of Azure prices -> facts, names and ids. Used only to build the tables.

A reservation was recorded as an hourly figure of five decimals; the feed publishes the total for the term, a whole
number of dollars: every one recorded gives its figure back to the last digit.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from connectors.sandbox.azure_regions import region_of_slug
from connectors.sandbox.facts import DATED, DATES, EVENT, MISFILED, TOTAL, Fact, utc
from connectors.sandbox.recorded_aws import recordings_to_keep, run_start, table_rows

# vantage says "first half of 2025". Its on-demand figures are those of the recordings of 2025-05-16 and 2025-06-03,
# not those of 2024-12-13 or 2026-04-02; the last day of that stretch is taken.
VANTAGE_DAY = datetime(2025, 6, 3, 21, 16, 7, tzinfo=UTC)
# vantage's spelling -> the feed's. The first two share every price with the size they are mapped to.
VANTAGE_NAMES = {
    "ng32adms_v620_v1": "Standard_NG32adms_V620",
    "nv28ads_v710_v5": "Standard_NV28adms_V710_v5",
    "nm16ads_ma35d": "Standard_NM16ads_MA35D",
}
# Figures of NCC40ads_H100_v5 filed under Linux that are those of "Virtual Machines NCCadsv5 Srs Win": vantage tells the
# two apart in all four regions (6.98 and 8.82 in eastus2), and so do the meters of westeurope on 2026-08-20: 10.74 and,
# low priority, 4.296 for Windows, 8.9 and 1.78 for Linux. Whose name ends in " Win" was taken for Linux, and which of
# the two prices a recorder kept changes from one recording to the next. No other size is recorded so.
MISFILED_SIZE = "Standard_NCC40ads_H100_v5"
MISFILED_PRICES = {
    ("centralus", Decimal("9.73")),
    ("eastus2", Decimal("8.82")),
    ("southcentralus", Decimal("9.73")),
    ("westeurope", Decimal("10.74")),
    ("westeurope", Decimal("4.296")),
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
# skuName in the feed, without blanks -> armSkuName, where one doesn't follow from the other.
ODD_SKU_NAMES = {
    "ndmr40sv2": "Standard_ND40s_v2",  # 18.03 in westeurope and 12.24 in swedencentral under both
    "ng8adsv620": "Standard_NG8ads_V620_v1",
    "ng16adsv620": "Standard_NG16ads_V620_v1",
    "ng32adsv620": "Standard_NG32ads_V620_v1",
    "nd96isnibh100v5": "Standard_ND96is_noIB_H100_v5",
    "nd96isflh100v5": "Standard_ND96is_flex_H100_v5",
    "nd96asra100v4nu": "Standard_ND96asr_v4",
}
TIERS = {"": "on_demand", " Spot": "spot", " Low Priority": "low_priority"}


def azure_facts(folder: Path) -> Iterator[Fact]:
    """Every fact of every region."""
    karpenter = list(_karpenter(folder))
    yield from karpenter
    locator = list(_locator(folder))
    yield from locator
    yield from _radar_events(folder)
    names = arm_names(folder)
    linux = {
        (fact.region, fact.instance_type)
        for fact in karpenter
        if fact.operating_system == "linux" and fact.recorded_at == VANTAGE_DAY
    }
    spots = {(fact.region, fact.instance_type) for fact in locator if fact.purchase_option == "spot"}
    slugs = region_of_slug()
    for row in table_rows(folder, "azure_gpu_reserved_savings_all_regions_2025-1H.csv"):
        yield from _vantage(row, slugs[row["region_slug"]], _vantage_name(row["vm_size_lower"], names), linux, spots)


def arm_names(folder: Path) -> dict[str, str]:
    """Size in lower case -> in the feed's spelling, for every size met in a recording of the feed."""
    found: dict[str, str] = {}
    for name in (
        "azure_gpu_ondemand_snapshots_2023_2026_karpenter.csv",
        "azure_gpu_linux_windows_spot_lowpri_snapshots_2026-05_08.csv",
    ):
        found |= {row["instance_type"].lower(): row["instance_type"] for row in table_rows(folder, name)}
    return found


def _vantage_name(size: str, names: Mapping[str, str]) -> str:
    return VANTAGE_NAMES.get(size) or names["standard_" + size.removeprefix("standard_")]


def _karpenter(folder: Path) -> Iterator[Fact]:
    history: dict[tuple[str, str], dict[datetime, str]] = defaultdict(dict)
    for row in table_rows(folder, "azure_gpu_ondemand_snapshots_2023_2026_karpenter.csv"):
        history[row["region"], row["instance_type"]][utc(row["generated_at"])] = row["price_usd_hr"]
    kept = recordings_to_keep((at for series in history.values() for at in series), DATES["azure"])
    for (region, size), series in history.items():
        for at in sorted(kept & set(series)):
            yield _filed(
                Fact(
                    provider="azure",
                    region=region,
                    instance_type=size,
                    price=Decimal(series[at]),
                    since=run_start(series, at),
                    recorded_at=at,
                    recorder="karpenter-azure",
                )
            )


def _filed(fact: Fact) -> Fact:
    """The fact under the system it is the price of."""
    if fact.instance_type != MISFILED_SIZE or (fact.region, fact.price) not in MISFILED_PRICES:
        return fact
    return replace(fact, operating_system="windows", marks=fact.marks | {MISFILED})


def _locator(folder: Path) -> Iterator[Fact]:
    columns = {
        "linux_usd_hr": ("linux", "on_demand"),
        "windows_usd_hr": ("windows", "on_demand"),
        "spot_usd_hr": ("linux", "spot"),
        "low_priority_usd_hr": ("linux", "low_priority"),
    }
    recorded: dict[str, list[tuple[datetime, dict[str, str]]]] = defaultdict(list)
    for row in table_rows(folder, "azure_gpu_linux_windows_spot_lowpri_snapshots_2026-05_08.csv"):
        recorded[row["region"]].append((utc(row["last_updated"]), row))
    for region, rows in recorded.items():
        kept = recordings_to_keep((at for at, _ in rows), DATES["azure"])
        for at, row in rows:
            for column, (system, option) in columns.items():
                if at in kept and row[column]:
                    yield _filed(
                        Fact(
                            provider="azure",
                            region=region,
                            instance_type=row["instance_type"],
                            operating_system=system,
                            purchase_option=option,
                            price=Decimal(row[column]),
                            recorded_at=at,
                            recorder="sku-locator",
                        )
                    )


def _radar_events(folder: Path) -> Iterator[Fact]:
    """The prices that changed on 2026-08-01. No other recording of that year has spot prices of Windows."""
    sizes = sizes_by_sku_name(folder)
    for row in table_rows(folder, "azure_gpu_retail_change_events_2026-07_08.csv"):
        at = utc(row["at"]).replace(microsecond=0)
        size = sizes.get(sku_name_key(row["productName"], row["skuName"]))
        wanted = at.date() <= max(DATES["azure"]) and row["event"] == "changed"
        # What is recorded as changed may be the savings plan alone.
        if wanted and size and row["before_retailPrice"] != row["after_retailPrice"]:
            yield Fact(
                provider="azure",
                region=row["armRegionName"],
                instance_type=size,
                operating_system=system_of(row["productName"]),
                purchase_option=TIERS[tier_of(row["skuName"])],
                price=Decimal(row["after_retailPrice"]),
                recorded_at=at,
                recorder="pricing-radar",
                marks=frozenset({EVENT}),
            )


def system_of(product_name: str) -> str:
    """windows where the product's last word is Windows or Win."""
    return "windows" if product_name.split()[-1] in ("Windows", "Win") else "linux"


def tier_of(sku_name: str) -> str:
    """The ending of a skuName that tells its tier, a key of TIERS."""
    return next(tier for tier in (" Spot", " Low Priority", "") if sku_name.endswith(tier))


def sku_name_key(product_name: str, sku_name: str) -> str:
    """A skuName without tier, prefix, blanks and case; promotional products share theirs with the plain ones."""
    base = re.sub(r" (Spot|Low Priority)$", "", sku_name).removeprefix("Standard_")
    return re.sub(r"[ _]", "", base).lower() + ("promo" if " Promo " in product_name else "")


def sizes_by_sku_name(folder: Path) -> dict[str, str]:
    """Key of a skuName -> armSkuName."""
    sizes = {}
    for size in arm_names(folder).values():
        sizes[sku_name_key("", size.replace("RTXPRO6000BSE", "RTX6k"))] = size
    return sizes | ODD_SKU_NAMES


def _vantage(
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


NAME_COLUMNS = (
    "instance_type",
    "operating_system",
    "product_name",
    "sku_name",
    "meter_name",
    "product_id",
    *(f"{option}_{kind}" for option in TIERS.values() for kind in ("sku_id", "meter_id")),
)


def azure_names(folder: Path) -> Iterator[list[str]]:
    """Rows of azure_names.csv: how the feed names each size and system; ids of westeurope (2026-08-20)."""
    sizes = sizes_by_sku_name(folder)
    found: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in table_rows(folder, "azure_gpu_retail_meters_5_eu_regions_2026-08-20.csv"):
        size = sizes.get(sku_name_key(row["productName"], row["skuName"]))
        if size is None or " Dedicated Host" in row["productName"]:
            continue
        tier = tier_of(row["skuName"])
        entry = found[size, system_of(row["productName"])]
        entry |= {
            "product_name": row["productName"],
            "sku_name": row["skuName"].removesuffix(tier),
            "meter_name": row["meterName"].removesuffix(tier),
            "product_id": row["skuId"].split("/")[0],
        }
        if row["armRegionName"] == "westeurope":
            entry[f"{TIERS[tier]}_sku_id"] = row["skuId"].split("/")[1]
            entry[f"{TIERS[tier]}_meter_id"] = row["meterId"]
    for (size, system), entry in sorted(found.items()):
        yield [size, system, *(entry.get(column, "") for column in NAME_COLUMNS[2:])]
