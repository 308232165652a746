"""Every recorded region through the whole pipeline, against tables that the stand-in is not fed from.

Run by `make check-recorded DIR=...`; the counts are printed. Each difference is explained in `differences.csv`: a
difference that is not in it fails, and so does a line of it that explains nothing.
"""

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import duckdb
import pytest

from connectors import SOURCES
from connectors.sandbox import DATES, Sandbox
from connectors.sandbox.azure_regions import region_of_slug
from flows.fetching import fetch_scope
from flows.loading import load_and_publish
from flows.settings import Settings
from flows.wanted import source_named
from tests.recorded.test_recorded_payloads import table
from warehouse.database import REFERENCE_DIR

DIFFERENCES = Path(__file__).parent / "differences.csv"
SOURCE_OF = {"aws": "aws_price_list", "azure": "azure_retail_prices"}

Prices = dict[tuple[str, ...], Decimal]  # (region, size, ...): price an hour


@pytest.fixture(scope="module")
def prices(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """The published tables after every recorded location was asked on every recorded day."""
    home = tmp_path_factory.mktemp("wide")
    with Sandbox() as stand_in:
        settings = Settings(home=home, base_urls={s.name: stand_in.url for s in SOURCES}, code_version="test")
        for day, provider in sorted((day, provider) for provider, days in DATES.items() for day in days):
            stand_in.set_date(provider, day)
            for region in sorted({figure.fact.region for figure in stand_in.figures(provider)}):
                scope = region if provider == "aws" else f"{region}/USD"
                fetch_scope(source_named(SOURCE_OF[provider]), scope, settings.at(stand_in.observed_at(provider)))
        loaded, _ = load_and_publish(settings, "a test")
    assert not [done for done in loaded if done.error]
    with duckdb.connect(str(home / "published" / "gpu_prices.duckdb"), read_only=True) as published:
        yield published


def held_on(
    connection: duckdb.DuckDBPyConnection, day: date, provider: str, option: str, *columns: str, system: str = "linux"
) -> Prices:
    """What held at the end of a day: effective hourly price by region, size and further columns of the key."""
    key = ", ".join(("region_id", "instance_type", *columns))
    found = connection.execute(
        f"SELECT {key}, effective_hourly_price FROM prices_on(?) "
        "WHERE provider = ? AND purchase_option = ? AND operating_system = ?",
        [day, provider, option, system],
    ).fetchall()
    prices = {tuple(str(word) for word in key): price for *key, price in found}
    assert len(prices) == len(found)
    return prices


@cache
def aliases() -> Mapping[str, str]:
    """Other names of a size in lower case -> the size's own."""
    with (REFERENCE_DIR / "instance_aliases.csv").open(newline="", encoding="utf-8") as file:
        return {
            row["alias"].lower(): row["instance_type"].lower() for row in csv.DictReader(file) if row["instance_type"]
        }


def _spelled(key: tuple[str, ...]) -> tuple[str, ...]:
    region, size, *others = (word.lower() for word in key)
    return region, aliases().get(size, size), *others


@dataclass
class Comparison:
    """Prices that a recorder has against ours, to some decimals. A size may have another spelling or a known alias."""

    name: str
    theirs: Prices
    ours: Prices
    decimals: int

    def differences(self) -> dict[tuple[str, ...], str]:
        """Key of the recorder -> what is wrong."""
        ours = {_spelled(key): price for key, price in self.ours.items()}
        half_a_digit = Decimal(5).scaleb(-self.decimals - 1)
        found = {}
        for key, price in self.theirs.items():
            own = ours.get(_spelled(key))
            if own is None:
                found[key] = "not held"
            elif abs(own - price) > half_a_digit:
                found[key] = f"{price:f} there, {own:f} here"
        return found

    def judge(self, capsys: pytest.CaptureFixture[str]) -> float:
        """Print the counts, fail on what nobody explains, and return the equal share of GPUs' prices."""
        found = self.differences()
        explained: Counter[str] = Counter()
        unexplained = []
        for key, what in sorted(found.items()):
            why = next((line for line in explanations(self.name) if line.explains(key)), None)
            if why is None:
                unexplained.append(f"{' '.join(key)}: {what}")
            else:
                explained[why.why] += 1
        equal = len(self.theirs) - len(found)
        counts = [f"{equal:,} of {len(self.theirs):,} equal", *(f"{count} {why}" for why, count in explained.items())]
        with capsys.disabled():
            sys.stdout.write(f"\n{self.name}: {'; '.join(counts)}\n")
        assert not unexplained, "\n".join(unexplained[:40])
        idle = [line for line in explanations(self.name) if line.why not in explained]
        assert not idle, f"explains nothing: {idle}"
        of_gpus = len(self.theirs) - sum(count for why, count in explained.items() if why.endswith("no GPU"))
        return equal / of_gpus


@dataclass(frozen=True)
class Explanation:
    """A line of differences.csv; `region` and `size` are patterns."""

    comparison: str
    region: str
    size: str
    why: str

    def explains(self, key: tuple[str, ...]) -> bool:
        """Whether a difference at this key is meant."""
        return fnmatchcase(key[0], self.region) and fnmatchcase(key[1].lower(), self.size.lower())


def explanations(comparison: str) -> list[Explanation]:
    """The lines about one comparison."""
    with DIFFERENCES.open(newline="", encoding="utf-8") as file:
        lines = [Explanation(**row) for row in csv.DictReader(file)]
    return [line for line in lines if line.comparison == comparison]


def price_of(row: Mapping[str, str], column: str) -> Decimal:
    """A recorded figure."""
    return Decimal(row[column])


def test_aws_on_demand_of_every_location(
    recorded: Path, prices: duckdb.DuckDBPyConnection, capsys: pytest.CaptureFixture[str]
) -> None:
    """On demand on 2025-04-30 as yeo/ec2.shop read it on 2025-04-04; the stand-in has others' figures."""
    rows = table(recorded, "aws_gpu_ondemand_all_regions_2025-04.csv")
    theirs: Prices = {(row["region"], row["instance_type"]): price_of(row, "price_usd_hr") for row in rows}
    assert len(theirs) == 1020
    ours = held_on(prices, date(2025, 4, 30), "aws", "on_demand")
    assert Comparison("aws on demand, ec2.shop", theirs, ours, 10).judge(capsys) == 1


def test_aws_reserved_of_every_location(
    recorded: Path, prices: duckdb.DuckDBPyConnection, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every reserved option on 2025-05-01, effective to the sixth decimal, as instances.vantage.sh computed it."""
    theirs: Prices = {}
    for row in table(recorded, "aws_gpu_reserved_all_options_all_regions_2025-1H.csv"):
        if row["linux_reserved_effective_usd_hr"]:
            payment = row["purchase_option"].lower().replace(" ", "_")
            key = (
                row["region"],
                row["instance_type"],
                str(12 * int(row["term_years"])),
                row["offering_class"],
                payment,
            )
            theirs[key] = price_of(row, "linux_reserved_effective_usd_hr")
    ours = held_on(prices, date(2025, 5, 1), "aws", "reserved", "term_months", "offering_class", "payment_option")
    assert Comparison("aws reserved, vantage", theirs, ours, 6).judge(capsys) == 1
    p4d = {payment: ours["us-east-1", "p4d.24xlarge", "12", "standard", payment] for payment in PAYMENTS}
    assert {payment: round(price, 6) for payment, price in p4d.items()} == PAYMENTS


PAYMENTS = {
    "all_upfront": Decimal("18.830479"),
    "partial_upfront": Decimal("19.2148"),
    "no_upfront": Decimal("20.175498"),
}


def test_aws_reserved_without_upfront_by_another_recorder(
    recorded: Path, prices: duckdb.DuckDBPyConnection, capsys: pytest.CaptureFixture[str]
) -> None:
    """No upfront on 2025-05-01 as yeo/ec2.shop read it; the stand-in has vantage's figures, of six decimals."""
    theirs: Prices = {}
    for row in table(recorded, "aws_gpu_reserved_noupfront_all_regions_2025-04.csv"):
        term = str(12 * int(row["lease"].removesuffix("yr")))
        theirs[row["region"], row["instance_type"], term, row["offering_class"]] = price_of(row, "price_usd_hr")
    ours = held_on(prices, date(2025, 5, 1), "aws", "reserved", "term_months", "offering_class", "payment_option")
    without = {key[:-1]: price for key, price in ours.items() if key[-1] == "no_upfront"}
    assert Comparison("aws reserved, ec2.shop", theirs, without, 6).judge(capsys) >= 0.95


def test_azure_on_demand_of_every_region(
    recorded: Path, prices: duckdb.DuckDBPyConnection, capsys: pytest.CaptureFixture[str]
) -> None:
    """On demand on 2026-06-30 as Azure/karpenter recorded it, which is what is served: it proves the path."""
    rows = table(recorded, "azure_gpu_ondemand_karpenter_2026-06.csv")
    theirs: Prices = {(row["region"], row["instance_type"]): price_of(row, "price_usd_hr") for row in rows}
    assert len(theirs) == 1412
    ours = held_on(prices, date(2026, 6, 30), "azure", "on_demand")
    Comparison("azure on demand, karpenter", theirs, ours, 6).judge(capsys)


def test_azure_on_demand_by_another_recorder(
    recorded: Path, prices: duckdb.DuckDBPyConnection, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same day, where DarrenJohns/djtools-azure-vm-sku-locator has it: its figure before, else after."""
    day = "2026-06-30"
    pairs = {
        (row["region"], row["instance_type"].lower())
        for row in table(recorded, "azure_gpu_ondemand_karpenter_2026-06.csv")
    }
    series: dict[tuple[str, str], dict[str, Decimal]] = defaultdict(dict)
    for row in table(recorded, "azure_gpu_linux_windows_spot_lowpri_snapshots_2026-05_08.csv"):
        if (row["region"], row["instance_type"].lower()) in pairs and row["linux_usd_hr"]:
            series[row["region"], row["instance_type"]][row["last_updated"]] = price_of(row, "linux_usd_hr")
    assert len(series) == 772
    theirs: Prices = {
        key: seen[max((at for at in seen if at < day), default=min(seen))] for key, seen in series.items()
    }
    ours = held_on(prices, date.fromisoformat(day), "azure", "on_demand")
    assert Comparison("azure on demand, sku-locator", theirs, ours, 6).judge(capsys) >= 0.95


@pytest.mark.parametrize("years", [1, 3])
def test_azure_reservations_of_every_region(
    recorded: Path, prices: duckdb.DuckDBPyConnection, capsys: pytest.CaptureFixture[str], years: int
) -> None:
    """Reservations on 2025-06-04, the whole-dollar total spread over the hours, to vantage's fifth decimal."""
    regions = region_of_slug()
    theirs: Prices = {}
    for row in table(recorded, "azure_gpu_reserved_savings_all_regions_2025-1H.csv"):
        if row["saving"] == f"yrTerm{years}Standard.allUpfront" and row["linux_committed_effective_usd_hr"]:
            size = "standard_" + row["vm_size_lower"].removeprefix("standard_")
            theirs[regions[row["region_slug"]], size] = price_of(row, "linux_committed_effective_usd_hr")
    ours = held_on(prices, date(2025, 6, 4), "azure", "reserved", "term_months")
    of_term = {key[:2]: price for key, price in ours.items() if key[2] == str(12 * years)}
    assert Comparison(f"azure reserved {years} years, vantage", theirs, of_term, 5).judge(capsys) >= 0.95


def test_the_hand_worked_reservation(prices: duckdb.DuckDBPyConnection) -> None:
    """ND96isr_H100_v5 in eastus: 551221 / 8760 = 62.9247716895 and 1134310 / 26280 = 43.1624809741 USD an hour."""
    ours = held_on(prices, date(2025, 6, 4), "azure", "reserved", "term_months")
    found = [ours["eastus", "Standard_ND96isr_H100_v5", months] for months in ("12", "36")]
    assert found == [Decimal("62.9247716895"), Decimal("43.1624809741")]
