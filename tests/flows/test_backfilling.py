"""Back-fill: the recorded versions of AWS's price list, fetched after the day they were of, take their place."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner, Result

from connectors import aws_price_list
from connectors.client import Client
from connectors.errors import SourceError
from connectors.sandbox import Sandbox
from flows.backfilling import Lacking, backfill, from_day, lacking, lacking_windows, land
from flows.cli import app
from flows.fetching import fetch_scope
from flows.loading import load_and_publish, replay
from flows.settings import Settings, url_variable
from flows.updating import said_bytes
from flows.wanted import Wanted
from warehouse.database import open_warehouse
from warehouse.landing import Landing

REGION = "us-west-1"  # sold p5.48xlarge at 122.90 until 5 June 2025, at 68.80 since
APRIL, JUNE, JULY = "20250429043945", "20250605183345", "20260720134438"
SINCE = date(2025, 5, 1)
ONLY = Wanted(regions=(REGION,))


@pytest.fixture(scope="module")
def stand_in() -> Iterator[Sandbox]:
    """AWS as on 20 July 2026."""
    with Sandbox() as running:
        yield running


def settings_of(home: Path, stand_in: Sandbox) -> Settings:
    """A home that asks the stand-in, two days after its last version."""
    settings = Settings(home=home, base_urls={"aws_price_list": stand_in.url}, code_version="test")
    return settings.at(stand_in.observed_at("aws") + timedelta(days=2))


def refresh_today(settings: Settings) -> None:
    """The first refresh of one region."""
    fetch_scope(aws_price_list.SOURCE, REGION, settings)
    load_and_publish(settings, "a test")


def rows(home: Path, query: str) -> list[tuple[Any, ...]]:
    """A query on the published file."""
    with duckdb.connect(str(home / "published" / "gpu_prices.duckdb"), read_only=True) as connection:
        return connection.execute(query).fetchall()


def facts(settings: Settings) -> list[tuple[Any, ...]]:
    """What history says, but for when we looked."""
    columns = "* exclude (first_seen_at, last_seen_at, closed_known_at, partial_seen_at)"
    with open_warehouse(settings.warehouse) as connection:
        return sorted(connection.execute(f"select {columns} from price_intervals").fetchall(), key=repr)


def test_the_version_in_force_on_the_first_day_belongs_to_it() -> None:
    """Since 1 May 2025: the version of April held then, those of June and July came after."""
    versions = [APRIL, JUNE, JULY]

    assert from_day(aws_price_list.SOURCE, versions, date(2025, 5, 1)) == versions
    assert from_day(aws_price_list.SOURCE, versions, date(2025, 6, 5)) == versions
    assert from_day(aws_price_list.SOURCE, versions, date(2025, 6, 6)) == [JUNE, JULY]
    assert from_day(aws_price_list.SOURCE, versions, date(2020, 1, 1)) == versions


def test_the_cut_of_june_2025_is_in_the_history_and_no_news(stand_in: Sandbox, tmp_path: Path) -> None:
    """A first refresh in July 2026 knows 68.80 only; afterwards 122.90 is what p5 cost until 5 June 2025."""
    settings = settings_of(tmp_path, stand_in)
    refresh_today(settings)
    files = lacking(settings, SINCE, ONLY)
    assert [file.version for file in files] == [JUNE, APRIL]
    assert not [answer for _, answer in backfill(settings, files) if isinstance(answer, SourceError)]
    load_and_publish(settings, "a test")

    p5 = "instance_type = 'p5.48xlarge' and purchase_option = 'on_demand' and operating_system = 'linux'"
    query = (
        f"select hourly_price, valid_from::varchar, valid_from_basis from price_history where {p5} order by valid_from"
    )
    assert rows(tmp_path, query) == [
        (Decimal("122.9"), "2025-04-29 04:39:45", "backfilled"),
        (Decimal("68.8"), "2025-06-05 18:33:45", "backfilled"),
    ]
    assert rows(tmp_path, f"select hourly_price from prices_on('2025-06-04') where {p5}") == [(Decimal("122.9"),)]
    news = "select count(*) from price_changes where not backfilled and change not in ('coverage')"
    assert rows(tmp_path, news) == [(0,)]
    moved = f"select change_ratio, backfilled from price_changes where change = 'price move' and {p5}"
    assert [(round(ratio, 4), old) for ratio, old in rows(tmp_path, moved)] == [(-0.4402, True)]
    assert rows(tmp_path, "select last_attempt_status, last_version from sources") == [("complete", JULY)]
    assert lacking(settings, SINCE, ONLY) == []

    refresh_today(settings.at(stand_in.observed_at("aws") + timedelta(days=4)))
    this_week = "known_at > (select as_of - interval 7 days from publication)"
    assert rows(tmp_path, f"select count(*) from price_changes where {this_week} and backfilled") != [(0,)]
    assert rows(tmp_path, f"{news} and {this_week}") == [(0,)]


def test_broken_off_and_resumed_it_ends_in_the_same_history(stand_in: Sandbox, tmp_path: Path) -> None:
    """One version today, the rest another day: what has landed isn't asked again."""
    whole, parts = settings_of(tmp_path / "whole", stand_in), settings_of(tmp_path / "parts", stand_in)
    for settings in (whole, parts):
        refresh_today(settings)
    list(backfill(whole, lacking(whole, SINCE, ONLY)))
    list(backfill(parts, lacking(parts, SINCE, ONLY)[:1]))
    load_and_publish(parts, "a test")
    rest = lacking(parts, SINCE, ONLY)
    assert [file.version for file in rest] == [APRIL]
    list(backfill(parts, rest))
    for settings in (whole, parts):
        load_and_publish(settings, "a test")

    assert facts(whole) == facts(parts)


def test_a_version_that_is_gone_is_said_and_leaves_the_scope_as_it_stands(tmp_path: Path) -> None:
    """Nobody knows how long old files are kept. The scope is no less fresh for it."""
    with Sandbox() as stand_in:
        stand_in.aws_unverified.old_versions = False
        settings = settings_of(tmp_path, stand_in)
        refresh_today(settings)
        answers = [answer for _, answer in backfill(settings, lacking(settings, SINCE, ONLY))]
        load_and_publish(settings, "a test")

    assert len(answers) == 2 and all(isinstance(answer, SourceError) for answer in answers)
    assert rows(tmp_path, "select last_attempt_status, last_error from sources") == [("complete", None)]


def command(home: Path, stand_in: Sandbox, *words: str) -> Result:
    """Run the command as a person does."""
    environment = {url_variable("aws_price_list"): stand_in.url}
    return CliRunner().invoke(app, ["--home", str(home), "backfill", *words], env=environment, prog_name="gpu-prices")


def test_a_dry_run_counts_and_fetches_nothing(stand_in: Sandbox, tmp_path: Path) -> None:
    """Three versions of two locations; the indexes are asked, and of the files how long they are."""
    result = command(tmp_path, stand_in, "--since", "2025-05-01", "--region", "us-west-?", "--dry-run")

    lacking, nothing, takes = result.stdout.splitlines()
    assert (result.exit_code, lacking) == (0, "lacking   6 files: 3 versions of 2 locations")
    assert nothing == "          0 windows of earlier prices in what has landed of 0 scopes: nothing to fetch"
    # The newest version of each is asked for its length, and three times that is taken for all.
    lengths = [
        Client().length(f"{stand_in.url}/offers/v1.0/aws/AmazonEC2/{JULY}/us-west-{n}/index.csv") for n in (1, 2)
    ]
    assert takes == f"takes     6 requests, about {said_bytes(sum(3 * (length or 0) for length in lengths))}"
    assert not (tmp_path / "landing").exists()


def test_the_command_fills_and_publishes(stand_in: Sandbox, tmp_path: Path) -> None:
    """Into an empty home: what it fetched is published; a second time nothing is lacking, and nothing new is loaded."""
    words = ("--since", "2025-05-01", "--region", "us-west-2-den-1")
    result = command(tmp_path, stand_in, *words)

    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("lacking   3 files: 3 versions of 1 locations\n")
    assert "\nloaded    " in result.stdout
    again = command(tmp_path, stand_in, *words).stdout
    assert again.startswith("lacking   0 files: 0 versions of 0 locations\n")
    assert "\nloaded    0 prices opened, 0 changed in the history of 0 scopes\n" in again


def test_files_are_named_by_version_newest_first(stand_in: Sandbox, tmp_path: Path) -> None:
    """The history nearest to today is filled first."""
    found = lacking(settings_of(tmp_path, stand_in), date(2025, 6, 6), ONLY)

    assert found == [Lacking(aws_price_list.SOURCE, REGION, JULY), Lacking(aws_price_list.SOURCE, REGION, JUNE)]


H100 = {
    "currencyCode": "USD", "tierMinimumUnits": "0.0", "retailPrice": "98.32", "unitPrice": "98.32",
    "armRegionName": "eastus", "location": "US East", "effectiveStartDate": "2026-06-01T00:00:00Z",
    "meterId": "9b1a9a6f", "meterName": "ND96isr H100 v5", "productId": "DZH318Z0D1L7", "skuId": "DZH318Z0D1L7/0001",
    "productName": "Virtual Machines NDsrf H100 v5 Series", "skuName": "ND96isr H100 v5",
    "serviceName": "Virtual Machines", "serviceFamily": "Compute", "unitOfMeasure": "1 Hour", "type": "Consumption",
    "isPrimaryMeterRegion": "true", "armSkuName": "Standard_ND96isr_H100_v5",
}  # fmt: skip
BEFORE = H100 | {
    "effectiveStartDate": "2025-03-01T00:00:00Z",
    "effectiveEndDate": "2026-05-31T23:59:59Z",
    "retailPrice": "110.5",
}
LONG_AGO = H100 | {
    "effectiveStartDate": "2024-01-01T00:00:00Z",
    "effectiveEndDate": "2024-06-30T23:59:59Z",
    "retailPrice": "120",
}


def azure_home(home: Path) -> Settings:
    """A home whose first look at eastus, on 2026-08-01, told of two earlier windows; the next look found 90 an hour."""
    settings = Settings(home=home, code_version="test")
    first, second = (datetime(2026, 8, day, 6, tzinfo=UTC) for day in (1, 2))
    later = H100 | {"retailPrice": "90", "effectiveStartDate": "2026-08-02T00:00:00Z"}
    for moment, records in ((first, [H100, BEFORE, LONG_AGO]), (second, [later, BEFORE])):
        Landing(settings.landing).write(
            source="azure_retail_prices",
            scope="eastus/USD",
            observed_at=moment,
            status="complete",
            records=records,
            predicate="1",
        )
    load_and_publish(settings, "a test")
    return settings.at(second + timedelta(days=3))


AZURE = Wanted(provider="azure")


def test_windows_that_chain_up_to_the_first_look_are_history_and_no_news(tmp_path: Path) -> None:
    """110.5 held from March 2025 to the end of May 2026; what held until June 2024 has a gap behind it."""
    settings = azure_home(tmp_path)
    before = rows(tmp_path, "from price_changes")
    windows = lacking_windows(settings, date(2023, 1, 1), AZURE)
    land(settings, windows)
    load_and_publish(settings, "a test")

    assert [f"{window.start:%Y-%m-%d}" for window in windows] == ["2026-06-01", "2025-03-01"]
    query = "select hourly_price, valid_from::varchar, valid_to::varchar, valid_from_basis from price_history"
    assert rows(tmp_path, f"{query} order by valid_from") == [
        (Decimal("110.5"), "2025-03-01 00:00:00", "2026-06-01 00:00:00", "backfilled"),
        (Decimal("98.32"), "2026-06-01 00:00:00", "2026-08-02 00:00:00", "backfilled"),
        (Decimal("90"), "2026-08-02 00:00:00", None, "window"),
    ]
    news = rows(tmp_path, "from price_changes where not backfilled")
    assert [row for row in before if "price move" in row] == [row for row in news if "price move" in row]
    assert rows(tmp_path, "select count(*) from price_changes where backfilled and change = 'price move'") == [(1,)]
    assert rows(tmp_path, "select last_attempt_status, last_complete_at::varchar from sources") == [
        ("complete", "2026-08-02 06:00:00")
    ]


def test_windows_are_landed_once_and_resumed(tmp_path: Path) -> None:
    """Broken off after the first, the rest is lacking; the history is that of one go.

    The first is the newest: 98.32 held since June. Had the oldest come first, 110.5 would seem to hold until August.
    """
    whole, parts = azure_home(tmp_path / "whole"), azure_home(tmp_path / "parts")
    land(whole, lacking_windows(whole, date(2023, 1, 1), AZURE))
    land(parts, lacking_windows(parts, date(2023, 1, 1), AZURE)[:1])
    load_and_publish(parts, "a test")
    query = "select hourly_price, valid_from::date::varchar from price_history order by valid_from"
    assert rows(parts.home, query) == [(Decimal("98.32"), "2026-06-01"), (Decimal("90"), "2026-08-02")]
    rest = lacking_windows(parts, date(2023, 1, 1), AZURE)
    assert [f"{window.start:%Y-%m-%d}" for window in rest] == ["2025-03-01"]
    land(parts, rest)
    for settings in (whole, parts):
        load_and_publish(settings, "a test")

    assert lacking_windows(parts, date(2023, 1, 1), AZURE) == []
    assert facts(whole) == facts(parts)


def test_what_was_never_fetched_whole_has_no_past_to_chain_to(tmp_path: Path) -> None:
    """A walk saw some of a region: what else it sells, and since when, its own fetch will tell."""
    settings = Settings(home=tmp_path, code_version="test").at(datetime(2026, 8, 2, tzinfo=UTC))
    Landing(settings.landing).write(
        source="azure_retail_prices",
        scope="eastus/USD",
        observed_at=datetime(2026, 8, 1, tzinfo=UTC),
        status="partial",
        records=[H100, BEFORE],
    )

    assert lacking_windows(settings, date(2023, 1, 1), AZURE) == []


A100 = H100 | {
    "effectiveStartDate": "2025-01-01T00:00:00Z", "retailPrice": "3.67", "meterId": "a100", "skuId": "a100",
    "armSkuName": "Standard_NC24ads_A100_v4", "productName": "Virtual Machines NCads A100 v4 Series",
    "meterName": "NC24ads A100 v4", "skuName": "NC24ads A100 v4",
}  # fmt: skip
A100_BEFORE = A100 | {
    "effectiveStartDate": "2024-01-01T00:00:00Z",
    "effectiveEndDate": "2024-12-31T23:59:59Z",
    "retailPrice": "4.1",
}
H100_OF_2024 = H100 | {"effectiveStartDate": "2024-01-01T00:00:00Z"}


def looked_at(home: Path, *records: dict[str, str]) -> Settings:
    """A home that looked at eastus once, on 2026-08-01; it is three days later."""
    settings = Settings(home=home, code_version="test")
    first = datetime(2026, 8, 1, 6, tzinfo=UTC)
    Landing(settings.landing).write(
        source="azure_retail_prices",
        scope="eastus/USD",
        observed_at=first,
        status="complete",
        records=records,
        predicate="1",
    )
    load_and_publish(settings, "a test")
    return settings.at(first + timedelta(days=3))


def fill(settings: Settings, since: date) -> None:
    """Back-fill from the windows that have landed."""
    land(settings, lacking_windows(settings, since, AZURE))
    load_and_publish(settings, "a test")


def test_a_second_backfill_reaches_further_back_in_every_meter(tmp_path: Path) -> None:
    """Since 2025 the H100's window of January 2024 lands, and the A100's of January 2025, but not its one before.

    That one begins with the H100's: the next back-fill, since 2023, must land it all the same.
    """
    twice = looked_at(tmp_path / "twice", H100_OF_2024, A100, A100_BEFORE)
    once = looked_at(tmp_path / "once", H100_OF_2024, A100, A100_BEFORE)
    fill(twice, date(2025, 1, 1))
    fill(twice.at(datetime(2026, 8, 5, tzinfo=UTC)), date(2023, 1, 1))
    fill(once, date(2023, 1, 1))

    query = "select hourly_price from prices_on('2024-06-01') order by all"
    assert rows(twice.home, query) == [(Decimal("4.1"),), (Decimal("98.32"),)]
    assert facts(twice) == facts(once)
    assert lacking_windows(twice, date(2023, 1, 1), AZURE) == []


def test_what_landed_before_a_run_was_killed_is_loaded_by_the_next(stand_in: Sandbox, tmp_path: Path) -> None:
    """Killed between the last file and the load: nothing is lacking any more, and history still gets it."""
    settings = azure_home(tmp_path)
    land(settings, lacking_windows(settings, date(2023, 1, 1), AZURE))
    result = command(tmp_path, stand_in, "--since", "2023-01-01", "--provider", "azure")

    assert (result.exit_code, "0 windows of earlier prices" in result.stdout) == (0, True)
    query = "select hourly_price, valid_from::date::varchar from price_history order by valid_from limit 1"
    assert rows(tmp_path, query) == [(Decimal("110.5"), "2025-03-01")]


def test_a_region_that_nobody_knows_is_said(stand_in: Sandbox, tmp_path: Path) -> None:
    """`lacking 0 files` would read as: all is there. A region of Azure that hasn't landed yet is known all the same."""
    result = command(tmp_path, stand_in, "--since", "2025-05-01", "--region", "us-weast-1")

    assert (result.exit_code, "'us-weast-1'" in result.stderr) == (1, True)
    assert command(tmp_path, stand_in, "--since", "2025-05-01", "--region", "eastus").exit_code == 0


def test_a_dry_run_leaves_no_trace_of_a_location_that_is_gone(stand_in: Sandbox, tmp_path: Path) -> None:
    """A failed attempt would stand in `sources` though nobody asked for prices."""
    refresh_today(settings_of(tmp_path, stand_in))
    gone = tmp_path / "landing" / "aws_price_list" / "us-gone-1"
    moment = datetime(2026, 7, 1, tzinfo=UTC)
    Landing(tmp_path / "landing").write(
        source="aws_price_list", scope="us-gone-1", observed_at=moment, status="partial", version=APRIL
    )
    result = command(tmp_path, stand_in, "--since", "2025-05-01", "--dry-run")

    assert (result.exit_code, len(list(gone.glob("*.json")))) == (0, 1)


def said(home: Path) -> list[tuple[Any, ...]]:
    """What history and the news say, without what is only about when we looked."""
    prices = "select purchase_option, hourly_price, valid_from, valid_to, close_reason from price_history order by all"
    news = (
        "select change, purchase_option, changed_at, hourly_price from price_changes where not backfilled order by all"
    )
    return rows(home, prices) + rows(home, news)


PLAN: dict[str, Any] = {"savingsPlan": [{"unitPrice": "60", "retailPrice": "60", "term": "1 Year"}]}


@pytest.mark.parametrize(
    "items",
    [
        [H100, BEFORE, H100 | {"meterId": "9c2b", "retailPrice": "97", "effectiveStartDate": "2026-07-01T00:00:00Z"}],
        [
            H100 | {"effectiveEndDate": "2026-06-30T23:59:59Z"},
            H100 | {"effectiveStartDate": "2026-07-01T00:00:00Z", "retailPrice": "0.0"},
        ],
    ],
    ids=["two meters contradict each other", "a placeholder follows"],
)
def test_what_has_no_price_at_the_first_look_has_no_past(items: list[dict[str, str]], tmp_path: Path) -> None:
    """Else an old window would be today's price, last seen on the day of the back-fill."""
    settings = looked_at(tmp_path, *items)
    assert said(tmp_path) == []
    fill(settings, date(2020, 1, 1))
    replay(settings, tmp_path / "rebuilt.duckdb")

    assert said(tmp_path) == []
    with open_warehouse(tmp_path / "rebuilt.duckdb") as connection:
        assert connection.execute("from price_intervals").fetchall() == []


def test_a_plan_that_only_an_ended_window_has_is_no_offer_removed_at_the_first_look(tmp_path: Path) -> None:
    """110.5 had a plan for 60 until May 2026, 98.32 has none: on 1 August nothing was removed."""
    settings = looked_at(tmp_path, H100, BEFORE | PLAN)
    Landing(settings.landing).write(
        source="azure_retail_prices",
        scope="eastus/USD",
        observed_at=datetime(2026, 8, 3, 6, tzinfo=UTC),
        status="complete",
        records=[H100],
        predicate="1",
    )
    fill(settings, date(2020, 1, 1))

    assert rows(tmp_path, "select distinct purchase_option from price_history") == [("on_demand",)]
    assert rows(tmp_path, "from price_changes where not backfilled") == []
