"""Recorded tables of AWS prices -> facts. Used only to build facts_aws.csv.

A reserved price was recorded as one effective figure of six decimals. AWS publishes two lines, so it is taken apart
again. All upfront is a whole number of dollars: every one recorded gives its figure back to the last digit. For
partial upfront the true split isn't known; the one nearest to half and half is taken that gives the figure back with
an hourly price of at most five decimals, as AWS writes them.
"""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any

from connectors.sandbox.facts import DATED, DATES, EVENT, REGIONS, SPLIT, TOTAL, Fact, utc

HALF_DIGIT = Decimal("0.0000005")  # of a figure recorded with six decimals
# A full list of all prices was recorded then. vantage says "first half of 2025": each of its Linux on-demand figures
# that is also in that list is the same there, and the cuts of 2025-06-05 begin at them.
WATCHER_DAY = datetime(2025, 4, 29, 4, 39, 45, tzinfo=UTC)
VANTAGE_DAY = WATCHER_DAY
DAYS = DATES["aws"]
# In China nobody recorded another region than cn-north-1, nor that after 2024-11-06.
KARPENTER_REGIONS = ("us-east-1", "us-gov-east-1", "us-gov-west-1", "cn-north-1")
# Accelerated by something else; nobody but karpenter recorded f1 and f2.
NOT_GPU_FAMILIES = ("f1", "f2", "vt1")

Place = tuple[str, str]  # region and instance type


def table_rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    """The rows of a recorded table."""
    with (folder / "tables" / name).open(encoding="utf-8-sig", newline="") as table:
        yield from csv.DictReader(table)


def aws_facts(folder: Path, names: Mapping[str, str]) -> Iterator[Fact]:
    """Every fact of the locations; `names` says how the pricing pages call each region code."""
    skus = _skus(folder)
    yield from _vantage(folder, skus)
    yield from _karpenter(folder, skus)
    yield from _price_watcher(folder, {name: region for region, name in names.items()}, skus)


def _skus(folder: Path) -> dict[Place, str]:
    """The SKU of the Linux product, where it was recorded; no price is taken from these pages."""
    pages = table_rows(folder, "aws_gpu_ondemand_all_regions_2025-04.csv")
    return {(row["region"], row["instance_type"]): row["sku"] for row in pages}


def recordings_to_keep(instants: Iterable[datetime], days: Iterable[date]) -> set[datetime]:
    """Of a recorder's recordings, the last on or before each day that is served."""
    known = set(instants)
    kept = (max((at for at in known if at.date() <= day), default=None) for day in days)
    return {at for at in kept if at is not None}


def _karpenter(folder: Path, skus: Mapping[Place, str]) -> Iterator[Fact]:
    history: dict[Place, dict[datetime, str]] = defaultdict(dict)
    for row in table_rows(folder, "aws_accel_ondemand_snapshots_2022_2026_karpenter.csv"):
        if row["region"] in KARPENTER_REGIONS:
            history[row["region"], row["instance_type"]][utc(row["generated_at"])] = row["price_hr"]
    for row in table_rows(folder, "aws_ondemand_karpenter_latest.csv"):
        if row["region"] == "us-east-1" and row["instance_type"].split(".")[0] in NOT_GPU_FAMILIES:
            history[row["region"], row["instance_type"]][utc(row["generated_at"])] = row["price_hr"]
    kept = {
        region: recordings_to_keep(
            (at for place, series in history.items() if place[0] == region for at in series), DAYS
        )
        for region in KARPENTER_REGIONS
    }
    for (region, instance_type), series in history.items():
        for at in sorted(kept[region] & set(series)):
            yield Fact(
                provider="aws",
                region=region,
                instance_type=instance_type,
                price=Decimal(series[at]),
                since=run_start(series, at),
                recorded_at=at,
                recorder="karpenter-aws",
                sku=skus.get((region, instance_type), ""),
            )


def run_start(series: dict[datetime, str], at: datetime) -> date:
    """The first day of the run of recordings up to `at` that have the same figure."""
    start = at
    for earlier in sorted((moment for moment in series if moment < at), reverse=True):
        if Decimal(series[earlier]) != Decimal(series[at]):
            break
        start = earlier
    return start.date()


def _price_watcher(folder: Path, codes: Mapping[str, str], skus: Mapping[Place, str]) -> Iterator[Fact]:
    """A list of all prices on 2025-04-29, and what changed by location after that, to the cuts of 2025-06-05."""
    for row in table_rows(folder, "aws_gpu_ondemand_location_events_2025-04_06.csv"):
        region, recorded_at = codes.get(row["location"], ""), utc(row["snapshot_at"])
        if region and row["price_usd_hr"]:
            yield Fact(
                provider="aws",
                region=region,
                instance_type=row["instance_type"],
                price=Decimal(row["price_usd_hr"]),
                recorded_at=recorded_at,
                recorder="price-watcher",
                marks=frozenset() if recorded_at == WATCHER_DAY else frozenset({EVENT}),
                sku=skus.get((region, row["instance_type"]), ""),
            )


def _vantage(folder: Path, skus: Mapping[Place, str]) -> Iterator[Fact]:
    """Each row has one reserved figure of each system, and repeats the on-demand one beside it."""
    done = set()
    for row in table_rows(folder, "aws_gpu_reserved_all_options_all_regions_2025-1H.csv"):
        if row["region"] not in REGIONS["aws"]:
            continue
        for system in ("linux", "windows"):
            sku = skus.get((row["region"], row["instance_type"]), "") if system == "linux" else ""
            known: dict[str, Any] = {
                "provider": "aws",
                "region": row["region"],
                "instance_type": row["instance_type"],
                "operating_system": system,
                "recorded_at": VANTAGE_DAY,
                "recorder": "vantage",
                "sku": sku,
            }
            on_demand, effective = row[f"{system}_ondemand_usd_hr"], row[f"{system}_reserved_effective_usd_hr"]
            place = (row["region"], row["instance_type"], system)
            if on_demand and place not in done:
                done.add(place)
                yield Fact(**known, price=Decimal(on_demand), marks=frozenset({DATED}))
            if effective:
                yield _reserved(row, known, Decimal(effective), Decimal(on_demand))


def _reserved(row: Mapping[str, str], known: Mapping[str, Any], effective: Decimal, on_demand: Decimal) -> Fact:
    payment, years = row["purchase_option"].lower().replace(" ", "_"), int(row["term_years"])
    hourly, upfront, mark = parts(effective, payment, years)
    return Fact(
        **known,
        purchase_option="reserved",
        offering_class=row["offering_class"],
        payment_option=payment,
        term_months=12 * years,
        price=effective,
        hourly=hourly,
        upfront=upfront,
        beside=on_demand,
        marks=frozenset({DATED, mark} - {""}),
    )


def parts(effective: Decimal, payment: str, years: int) -> tuple[Decimal | None, Decimal | None, str]:
    """(hourly line, upfront line, mark) of a recorded effective price; None where AWS has no such line or it is 0."""
    hours = 8760 * years
    if payment == "no_upfront":
        return None, None, ""
    if payment == "all_upfront":
        return None, (effective * hours).quantize(Decimal(1)), TOTAL
    half = int((effective * hours / 2).quantize(Decimal(1)))
    for step in count():
        for upfront in (half + step, half - step):
            hourly = (effective - Decimal(upfront) / hours).quantize(Decimal("0.00001"))
            if abs(hourly + Decimal(upfront) / hours - effective) <= HALF_DIGIT:
                return hourly, Decimal(upfront), SPLIT
    raise AssertionError("unreachable: within 8760 * years steps one fits")
