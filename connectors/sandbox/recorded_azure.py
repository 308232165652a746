"""Recorded tables of Azure prices -> facts. Used only to build the tables."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

from connectors.sandbox.facts import DATES, EVENT, MISFILED, Fact, utc
from connectors.sandbox.recorded_aws import recordings_to_keep, run_start, table_rows
from connectors.sandbox.recorded_azure_names import TIERS, sizes_by_sku_name, sku_name_key, system_of, tier_of
from connectors.sandbox.recorded_vantage import vantage_facts

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


def azure_facts(folder: Path) -> Iterator[Fact]:
    """Every fact of every region, of the recordings that are served."""
    full = list(whole_recordings(folder, DATES["azure"]))
    yield from full
    yield from _radar_events(folder)
    yield from vantage_facts(folder, full)


def whole_recordings(folder: Path, days: Sequence[date] | None = None) -> Iterator[Fact]:
    """The facts of those who recorded all prices again and again: by these days, or every recording."""
    yield from _karpenter(folder, days)
    yield from _locator(folder, days)


def _kept(instants: Iterable[datetime], days: Sequence[date] | None) -> set[datetime]:
    return set(instants) if days is None else recordings_to_keep(instants, days)


def _karpenter(folder: Path, days: Sequence[date] | None) -> Iterator[Fact]:
    history: dict[tuple[str, str], dict[datetime, str]] = defaultdict(dict)
    for row in table_rows(folder, "azure_gpu_ondemand_snapshots_2023_2026_karpenter.csv"):
        history[row["region"], row["instance_type"]][utc(row["generated_at"])] = row["price_usd_hr"]
    kept = _kept((at for series in history.values() for at in series), days)
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


def _locator(folder: Path, days: Sequence[date] | None) -> Iterator[Fact]:
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
        kept = _kept((at for at, _ in rows), days)
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
