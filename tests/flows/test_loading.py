"""From landing files to a publication, without Prefect."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from flows.loading import accept, load_and_publish, publish_again, replay
from reports.errors import UnknownName
from reports.published import open_published
from tests.flows.tiny_source import APRIL, JUNE, Answer, april, april_2025, fetch_all, publish_both, settings_at
from warehouse.database import open_warehouse, writer_lock
from warehouse.errors import LoadFailed, WarehouseBusy, WarehouseError
from warehouse.landing import Landing

P5_PRICES = "SELECT hourly_price FROM prices WHERE instance_type = 'p5.48xlarge' ORDER BY region_id"
KEPT_TABLES = ("observations", "price_intervals", "rejects", "announced", "decisions")


def rows_of(warehouse: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of the tables that are a function of landing, in an order of their own."""
    with open_warehouse(warehouse, read_only=True) as connection:
        return {table: sorted(connection.execute(f"FROM {table}").fetchall(), key=repr) for table in KEPT_TABLES}


def p5_prices(home: Path) -> list[object]:
    """What p5.48xlarge costs now, on demand, region by region."""
    with open_published(home) as published:
        return published.sql(P5_PRICES, 10).column("hourly_price")


def test_what_landed_is_loaded_and_published(tmp_path: Path) -> None:
    """April: p5 costs 98.32 in both regions that sell it. June, fetched and loaded on top: 55.04."""
    source = april_2025()
    fetch_all(source, settings_at(tmp_path, APRIL))
    loaded, release = load_and_publish(settings_at(tmp_path, APRIL), "a test")

    assert sorted((done.scope, done.opened) for done in loaded) == [
        ("eu-west-1", 1),
        ("us-east-1", 4),
        ("us-west-2", 4),
    ]
    assert release.as_of - APRIL < timedelta(minutes=1)
    assert p5_prices(tmp_path) == [Decimal("98.32")] * 2


def test_publishing_again_publishes_the_same(tmp_path: Path) -> None:
    """Another release of the same moment, with the same prices."""
    publish_both(tmp_path)
    before = (tmp_path / "published").resolve()
    again = publish_again(settings_at(tmp_path, JUNE)).path

    assert (tmp_path / "published").resolve() == again != before
    assert (again / "prices.csv").read_bytes() == (before / "prices.csv").read_bytes()


def test_a_persons_discounts_are_those_in_the_home(tmp_path: Path) -> None:
    """`discounts.csv` beside the warehouse: p5 at 55.04 less a quarter is 41.28."""
    publish_both(tmp_path)
    (tmp_path / "discounts.csv").write_text("provider,purchase_option,discount_ratio\naws,on_demand,0.25\n")
    publish_again(settings_at(tmp_path, JUNE))

    with open_published(tmp_path) as published:
        yours = published.sql("SELECT your_hourly_price FROM your_prices WHERE instance_type = 'p5.48xlarge'", 10)
    assert yours.values == [(Decimal("41.28"),)] * 2
    assert p5_prices(tmp_path) == [Decimal("55.04")] * 2


def test_replay_builds_the_same_tables(tmp_path: Path) -> None:
    """From the landing files alone, row for row; beside the warehouse if told so, else in its place."""
    publish_both(tmp_path)
    settings, elsewhere = settings_at(tmp_path, JUNE), tmp_path / "elsewhere.duckdb"
    before = rows_of(settings.warehouse)
    assert len(before["price_intervals"]) == 14  # 9 of April, and 5 on-demand prices that June cut

    replay(settings, elsewhere)
    assert rows_of(elsewhere) == before

    settings.warehouse.unlink()
    replay(settings)
    assert rows_of(settings.warehouse) == before
    assert not list(tmp_path.glob(".warehouse*"))


def test_replay_refuses_what_would_lose_something(tmp_path: Path) -> None:
    """Nothing to replay from, or a file in the way: one line, and everything as it was."""
    settings = settings_at(tmp_path, JUNE)
    with pytest.raises(WarehouseError, match="run `gpu-prices refresh` first"):
        replay(settings)

    publish_both(tmp_path)
    with pytest.raises(WarehouseError, match="exists: name a new file"):
        replay(settings, settings.warehouse)


def test_replay_leaves_the_warehouse_if_a_landing_file_is_damaged(tmp_path: Path) -> None:
    """The file is named; the old warehouse stays, and nothing half built lies beside it."""
    publish_both(tmp_path)
    settings = settings_at(tmp_path, JUNE)
    before = settings.warehouse.read_bytes()
    body = next((tmp_path / "landing/aws_price_list/us-east-1/bodies").iterdir())
    body.write_bytes(body.read_bytes()[:-20])

    with pytest.raises(LoadFailed, match=body.name):
        replay(settings)
    assert settings.warehouse.read_bytes() == before
    assert not list(tmp_path.glob(".warehouse*"))


def test_a_damaged_landing_file_holds_up_its_own_scope_only(tmp_path: Path) -> None:
    """The other scopes are loaded and published; the error names the file."""
    source = april_2025()
    fetch_all(source, settings_at(tmp_path, APRIL))
    body = next((tmp_path / "landing/aws_price_list/us-east-1/bodies").iterdir())
    body.write_bytes(b"no gzip")
    loaded, _ = load_and_publish(settings_at(tmp_path, APRIL), "a test")

    errors = {done.scope: done.error for done in loaded}
    assert errors["eu-west-1"] is None and errors["us-west-2"] is None
    assert body.name in str(errors["us-east-1"])
    assert p5_prices(tmp_path) == [Decimal("98.32")]  # us-west-2's


def test_one_writer_at_a_time_and_the_other_is_named(tmp_path: Path) -> None:
    """Loading while another command writes fails at once, in words."""
    fetch_all(april_2025(), settings_at(tmp_path, APRIL))

    with writer_lock(tmp_path, "gpu-prices replay"), pytest.raises(WarehouseBusy, match="in use by gpu-prices replay"):
        load_and_publish(settings_at(tmp_path, APRIL), "a test")


def test_a_held_fetch_is_accepted_by_name(tmp_path: Path) -> None:
    """A file without any offer is held back and the prices stay; accepted, the offers end, a day after it came out."""
    source = april_2025()
    fetch_all(source, settings_at(tmp_path, APRIL))
    source.answers["us-east-1"] = Answer([], published_at=JUNE)
    later = settings_at(tmp_path, JUNE + timedelta(days=1))
    fetch_all(source, later)
    loaded, _ = load_and_publish(later, "a test")
    assert {done.scope: done.held for done in loaded} == {"eu-west-1": False, "us-east-1": True, "us-west-2": False}
    assert p5_prices(tmp_path) == [Decimal("98.32")] * 2

    observed_at, _ = accept(later, "aws_price_list", "us-east-1", "the tester", "closed for good")

    assert p5_prices(tmp_path) == [Decimal("98.32")]
    (decision,) = Landing(later.landing).decisions("aws_price_list", "us-east-1")
    assert (decision.observed_at, decision.decided_by, decision.note) == (observed_at, "the tester", "closed for good")


def test_nothing_can_be_accepted_that_is_not_held(tmp_path: Path) -> None:
    """A well scope, and names that do not exist."""
    publish_both(tmp_path)
    settings = settings_at(tmp_path, JUNE)

    with pytest.raises(WarehouseError, match="nothing is held back there"):
        accept(settings, "aws_price_list", "us-east-1", "the tester", "")
    with pytest.raises(UnknownName, match="unknown scope 'us-east-2'.*us-east-1"):
        accept(settings, "aws_price_list", "us-east-2", "the tester", "")
    with pytest.raises(UnknownName, match="unknown source 'aws'"):
        accept(settings, "aws", "us-east-1", "the tester", "")


def test_the_figures_of_the_tiny_feed_are_whole() -> None:
    """The hand-made lines hold what the tests count on: 5 lines in a US region, 1 in Ireland."""
    assert [len(april(region)) for region in ("us-east-1", "eu-west-1")] == [5, 1]
