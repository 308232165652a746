"""From recorded byte to published price, whole: the figures people check first, a quiet day, and a replay.

Figures are those of the price lists as others recorded them, each with its origin beside it.
"""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from connectors import SOURCES
from connectors.sandbox import Sandbox
from flows.fetching import fetch_scope, list_scopes
from flows.loading import load_and_publish
from flows.settings import Settings
from flows.wanted import Wanted, region_of
from warehouse.database import open_warehouse
from warehouse.landing import Landing
from warehouse.load import load

Demo = tuple[Path, Sandbox]
FACTS = ("price_intervals", "rejects", "announced", "decisions")


def ask(home: Path, query: str) -> list[tuple[object, ...]]:
    """Rows of a query on the published file."""
    with duckdb.connect(str(home / "published" / "gpu_prices.duckdb"), read_only=True) as connection:
        return connection.execute(query).fetchall()


def offer(instance_type: str, region_id: str, operating_system: str = "linux", option: str = "on_demand") -> str:
    """The WHERE of one offer."""
    return (
        f"WHERE instance_type = '{instance_type}' AND region_id = '{region_id}'"
        f" AND operating_system = '{operating_system}' AND purchase_option = '{option}'"
    )


@pytest.mark.parametrize(
    ("instance_type", "region_id", "hourly", "per_gpu", "gpu_model"),
    [
        ("p5.48xlarge", "us-east-1", "55.04", "6.88", "H100-80GB"),  # Karpenter's table of 2026-07-20; 55.04 / 8
        ("p4d.24xlarge", "us-east-1", "21.957642", "2.74470525", "A100-40GB"),  # the same; / 8
        ("g6f.large", "us-east-1", "0.202", "1.616", "L4"),  # the same; an eighth of an L4, so x 8
        ("Standard_ND96isr_H100_v5", "eastus", "98.32", "12.29", "H100-80GB"),  # retail prices, 2026; / 8
        ("Standard_NC40ads_H100_v5", "eastus", "6.98", "6.98", "H100-NVL-94GB"),
        ("Standard_NV6ads_A10_v5", "eastus", "0.454", "2.724", "A10"),  # a sixth: x 6
        ("Standard_NV12ads_A10_v5", "eastus", "0.908", "2.724", "A10"),  # a third: x 3
    ],
)
def test_a_price_is_the_recorded_one(
    demo_home: Demo, instance_type: str, region_id: str, hourly: str, per_gpu: str, gpu_model: str
) -> None:
    """On demand, Linux, at the last recorded day."""
    found = ask(
        demo_home[0],
        f"SELECT hourly_price, price_per_gpu_hour, gpu_model FROM prices {offer(instance_type, region_id)}",
    )

    assert found == [(Decimal(hourly), Decimal(per_gpu), gpu_model)]


def test_a_reservation_is_its_total_over_its_hours(demo_home: Demo) -> None:
    """551221 USD for a year of ND96isr H100 v5 in eastus: 551221 / 8760 = 62.92477168949..."""
    found = ask(
        demo_home[0],
        "SELECT total_price, effective_hourly_price, price_basis FROM prices "
        + offer("Standard_ND96isr_H100_v5", "eastus", option="reserved")
        + " AND term_months = 12",
    )

    assert found == [(Decimal(551221), Decimal("62.9247716895"), "derived")]


@pytest.mark.parametrize(("day", "hourly"), [("2025-06-01", "98.32"), ("2025-06-06", "55.04")])
def test_the_cut_of_june_2025_is_in_the_history(demo_home: Demo, day: str, hourly: str) -> None:
    """p5.48xlarge cost 98.32 until 5 June 2025, then 55.04."""
    found = ask(
        demo_home[0],
        f"SELECT hourly_price FROM prices_on(DATE '{day}') {offer('p5.48xlarge', 'us-east-1')}",
    )

    assert found == [(Decimal(hourly),)]


def test_no_windows_price_is_a_linux_price(demo_home: Demo) -> None:
    """NCC40ads H100 v5, whose product is called "… Win": 10.74 with Windows, 8.9 without (westeurope, 2026)."""
    windows, linux = (
        ask(
            demo_home[0],
            f"SELECT hourly_price FROM prices {offer('Standard_NCC40ads_H100_v5', 'westeurope', system)}",
        )
        for system in ("windows", "linux")
    )

    assert (windows, linux) == ([(Decimal("10.74"),)], [(Decimal("8.9"),)])
    # On demand a licence costs something, everywhere
    assert not ask(
        demo_home[0],
        "SELECT * FROM prices w JOIN prices l USING (provider, region_id, instance_type, purchase_option)"
        " WHERE w.operating_system = 'windows' AND l.operating_system = 'linux' AND purchase_option = 'on_demand'"
        " AND w.hourly_price <= l.hourly_price",
    )


def test_a_second_refresh_writes_no_fact_and_moves_sources(demo_home: Demo, tmp_path: Path) -> None:
    """The same answers a day later: no row of a fact table comes, goes or moves; `sources` says when we looked last."""
    with Sandbox() as stand_in:
        settings = Settings(home=tmp_path, base_urls={source.name: stand_in.url for source in SOURCES})
        looks, facts = [], []
        for days in range(2):
            for provider, region in (("aws", "eu-west-1"), ("azure", "westeurope")):
                then = settings.at(stand_in.observed_at(provider) + timedelta(days=days))
                for source, partition in Wanted(provider=provider).asked():
                    for scope in list_scopes(source, partition, then).scopes:
                        if region_of(scope) == region:
                            fetch_scope(source, scope, then)
            load_and_publish(settings, "a test")
            looks.append(ask(tmp_path, "SELECT source, scope, last_complete_at FROM sources ORDER BY ALL"))
            with open_warehouse(settings.warehouse) as connection:
                facts.append([connection.execute(f"SELECT rowid, * FROM {table}").fetchall() for table in FACTS])

    assert facts[0] == facts[1]
    assert len(facts[0][0]) > 500
    assert [row[:2] for row in looks[0]] == [row[:2] for row in looks[1]]
    assert all(first[2] < second[2] for first, second in zip(*looks, strict=True))


def test_a_replay_into_a_new_warehouse_gives_identical_tables(demo_home: Demo) -> None:
    """All landing files folded at once into a new file: every table, row for row."""
    home = demo_home[0]
    with open_warehouse(":memory:") as replayed, open_warehouse(home / "warehouse.duckdb") as loaded:
        assert all(done.error is None for done in load(replayed, Landing(home / "landing")))
        for table in (*FACTS, "observations", "dictionaries"):
            rows = [sorted(con.execute(f"FROM {table}").fetchall(), key=repr) for con in (loaded, replayed)]
            assert rows[0] == rows[1], table
