"""Recorded tables of AWS prices -> facts. Used only to build facts_aws.csv.

A reserved price was recorded as one effective figure of six decimals. AWS publishes two lines, so it is taken apart
again. All upfront is a whole number of dollars: every one recorded gives its figure back to the last digit. For
partial upfront the true split isn't known; the one nearest to half and half is taken that gives the figure back with
an hourly price of at most five decimals, as AWS writes them.
"""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import count
from pathlib import Path

from connectors.sandbox.facts import DATED, DATES, EVENT, REGIONS, SPLIT, TOTAL, Fact, utc

HALF_DIGIT = Decimal("0.0000005")  # of a figure recorded with six decimals
LOCATIONS = {"US East (N. Virginia)": "us-east-1", "US West (Oregon)": "us-west-2", "EU (Ireland)": "eu-west-1"}
SHOP_DAY = datetime(2025, 4, 4, 22, 41, 22, tzinfo=UTC)
# vantage says "first half of 2025". Every on-demand figure beside its reservations is that of the recordings of
# 2025-04-04 and 2025-04-28, and those of 2025-06-05 differ.
VANTAGE_DAY = datetime(2025, 4, 28, 13, 22, 31, tzinfo=UTC)
# Types without a GPU whose recorded prices fill the file, as they fill the real one.
ORDINARY_FAMILIES = ("c5", "c6i", "i3en", "m5", "m6i", "r5", "t3", "x1e")
NOT_GPU_FAMILIES = ("f1", "f2", "vt1")


def table_rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    """The rows of a recorded table."""
    with (folder / "tables" / name).open(encoding="utf-8-sig", newline="") as table:
        yield from csv.DictReader(table)


def aws_facts(folder: Path) -> Iterator[Fact]:
    """Every fact of the three AWS regions."""
    shop = {(fact.region, fact.instance_type): fact for fact in _shop_on_demand(folder)}
    yield from shop.values()
    no_upfront = list(_shop_no_upfront(folder, shop))
    yield from no_upfront
    yield from _karpenter(folder)
    yield from _price_watcher(folder)
    yield from _vantage_on_demand(folder, set(shop))
    exact = {fact.key for fact in no_upfront}  # in ten decimals; vantage's six say the same
    yield from (fact for fact in _vantage_reserved(folder) if fact.key not in exact)


def recordings_to_keep(instants: Iterable[datetime], days: Iterable[date]) -> set[datetime]:
    """Of a recorder's recordings, the last on or before each day that is served."""
    known = set(instants)
    kept = (max((at for at in known if at.date() <= day), default=None) for day in days)
    return {at for at in kept if at is not None}


def _shop_on_demand(folder: Path) -> Iterator[Fact]:
    for row in table_rows(folder, "aws_gpu_ondemand_all_regions_2025-04.csv"):
        if row["region"] in REGIONS["aws"]:
            yield Fact(
                provider="aws",
                region=row["region"],
                instance_type=row["instance_type"],
                price=Decimal(row["price_usd_hr"]),
                recorded_at=SHOP_DAY,
                recorder="ec2.shop",
                sku=row["sku"],
            )


def _shop_no_upfront(folder: Path, shop: dict[tuple[str, str], Fact]) -> Iterator[Fact]:
    for row in table_rows(folder, "aws_gpu_reserved_noupfront_all_regions_2025-04.csv"):
        on_demand = shop.get((row["region"], row["instance_type"]))
        if on_demand is not None:
            yield Fact(
                provider="aws",
                region=row["region"],
                instance_type=row["instance_type"],
                purchase_option="reserved",
                offering_class=row["offering_class"],
                payment_option="no_upfront",
                term_months=12 * int(row["lease"].removesuffix("yr")),
                price=Decimal(row["price_usd_hr"]),
                beside=Decimal(row["ondemand_usd_hr"]),
                recorded_at=SHOP_DAY,
                recorder="ec2.shop",
                sku=row["sku"],
            )


def _karpenter(folder: Path) -> Iterator[Fact]:
    history: dict[str, dict[datetime, str]] = defaultdict(dict)
    for row in table_rows(folder, "aws_accel_ondemand_snapshots_2022_2026_karpenter.csv"):
        if row["region"] == "us-east-1":
            history[row["instance_type"]][utc(row["generated_at"])] = row["price_hr"]
    for row in table_rows(folder, "aws_ondemand_karpenter_latest.csv"):
        if row["region"] == "us-east-1" and row["instance_type"].split(".")[0] in ORDINARY_FAMILIES + NOT_GPU_FAMILIES:
            history[row["instance_type"]][utc(row["generated_at"])] = row["price_hr"]
    kept = recordings_to_keep((at for series in history.values() for at in series), DATES["aws"])
    for instance_type, series in history.items():
        for at in sorted(kept & set(series)):
            yield Fact(
                provider="aws",
                region="us-east-1",
                instance_type=instance_type,
                price=Decimal(series[at]),
                since=run_start(series, at),
                recorded_at=at,
                recorder="karpenter-aws",
            )


def run_start(series: dict[datetime, str], at: datetime) -> date:
    """The first day of the run of recordings up to `at` that have the same figure."""
    start = at
    for earlier in sorted((moment for moment in series if moment < at), reverse=True):
        if Decimal(series[earlier]) != Decimal(series[at]):
            break
        start = earlier
    return start.date()


def _price_watcher(folder: Path) -> Iterator[Fact]:
    """A list of all prices on 2025-04-29, and the cuts of 2025-06-05 as changes by location."""
    for row in table_rows(folder, "aws_gpu_ondemand_location_events_2025-04_06.csv"):
        if row["location"] in LOCATIONS and row["price_usd_hr"]:
            yield Fact(
                provider="aws",
                region=LOCATIONS[row["location"]],
                instance_type=row["instance_type"],
                price=Decimal(row["price_usd_hr"]),
                recorded_at=utc(row["snapshot_at"]),
                recorder="price-watcher",
                marks=frozenset({EVENT} if row["event"] == "changed" else ()),
            )


def _vantage_rows(folder: Path) -> Iterator[dict[str, str]]:
    for row in table_rows(folder, "aws_gpu_reserved_all_options_all_regions_2025-1H.csv"):
        if row["region"] in REGIONS["aws"]:
            yield row


def _vantage_on_demand(folder: Path, elsewhere: set[tuple[str, str]]) -> Iterator[Fact]:
    """Windows, which nobody else recorded, and Linux of the types nobody else has."""
    done = set()
    for row in _vantage_rows(folder):
        for system in ("linux", "windows"):
            price = row[f"{system}_ondemand_usd_hr"]
            place = (row["region"], row["instance_type"])
            if price and (*place, system) not in done and (system == "windows" or place not in elsewhere):
                done.add((*place, system))
                yield Fact(
                    provider="aws",
                    region=row["region"],
                    instance_type=row["instance_type"],
                    operating_system=system,
                    price=Decimal(price),
                    recorded_at=VANTAGE_DAY,
                    recorder="vantage",
                    marks=frozenset({DATED}),
                )


def _vantage_reserved(folder: Path) -> Iterator[Fact]:
    for row in _vantage_rows(folder):
        for system in ("linux", "windows"):
            effective, on_demand = row[f"{system}_reserved_effective_usd_hr"], row[f"{system}_ondemand_usd_hr"]
            if not effective:
                continue
            payment = row["purchase_option"].lower().replace(" ", "_")
            hourly, upfront, mark = parts(Decimal(effective), payment, int(row["term_years"]))
            yield Fact(
                provider="aws",
                region=row["region"],
                instance_type=row["instance_type"],
                operating_system=system,
                purchase_option="reserved",
                offering_class=row["offering_class"],
                payment_option=payment,
                term_months=12 * int(row["term_years"]),
                price=Decimal(effective),
                hourly=hourly,
                upfront=upfront,
                beside=Decimal(on_demand),
                recorded_at=VANTAGE_DAY,
                recorder="vantage",
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
