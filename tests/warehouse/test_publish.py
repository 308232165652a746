"""A release: what is in it, that readers see it whole or not at all, and what happens when it can't be made."""

import csv
import hashlib
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from tests.warehouse.price_rows import Row, azure, day, fetch, insert, price, reject, table, warehouse_with
from warehouse.build import View, build_order, read_view, read_views
from warehouse.errors import CheckFailed, WarehouseError
from warehouse.publish import Release, publish

TABLES = {view.name: view for view in read_views() if not view.internal}
PRICES = [price("98.32"), price("66", region_id="eu-west-1"), azure("98.32")]


@pytest.fixture
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    """Three prices, fetched on 4 April 2025 at 06:00."""
    with warehouse_with(PRICES) as connection:
        yield connection


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Those prices published, for tests that only look."""
    with warehouse_with(PRICES) as connection:
        return publish(connection, tmp_path_factory.mktemp("home"), "0.1")


@pytest.fixture
def home(release: Release, tmp_path: Path) -> Path:
    """A home with that release in it."""
    return Path(shutil.copytree(release.path.parent.parent, tmp_path / "home", symlinks=True))


@contextmanager
def opened(file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A published file, opened as a person does."""
    connection = duckdb.connect(str(file), read_only=True)
    try:
        yield connection
    finally:
        connection.close()


def names(folder: Path) -> list[str]:
    """Names of all that is in a folder, hidden or not."""
    return sorted(path.name for path in folder.iterdir())


def releases(home: Path) -> list[str]:
    """Names of all that is in releases/, hidden or not."""
    return names(home / "releases")


def current(home: Path) -> str:
    """The name of the release that readers are pointed at."""
    return (home / "published").readlink().name


def fetched(warehouse: duckdb.DuckDBPyConnection, number: float) -> None:
    """Another complete fetch, some days later."""
    insert(warehouse, "observations", [fetch(day(number))])


def test_a_release_has_a_file_a_parquet_and_a_csv_of_every_table(release: Release) -> None:
    """Named by the moment it speaks for; the database was closed, so there is no .wal beside it."""
    home = release.path.parent.parent
    assert release.path == home / "releases" / "20250404T060000Z"
    assert release.as_of == datetime(2025, 4, 4, 6, tzinfo=UTC)
    assert (home / "published").resolve() == release.path.resolve()
    tables = {f"{name}.{suffix}" for name in TABLES for suffix in ("csv", "parquet")}
    assert set(names(release.path)) == tables | {"gpu_prices.duckdb", "SHA256SUMS"}
    assert {file.stat().st_mode & 0o777 for file in release.path.iterdir()} == {0o444}
    assert releases(home) == [release.path.name]


def test_the_three_forms_of_a_table_hold_the_same_rows(release: Release) -> None:
    """Prices stay exact in each of them."""
    with opened(release.path / "gpu_prices.duckdb") as published:
        in_database = table(published, "from prices")
        in_parquet = table(published, f"from '{release.path}/prices.parquet'")
    with (release.path / "prices.csv").open(newline="", encoding="utf-8") as file:
        in_csv = list(csv.DictReader(file))

    assert in_database == in_parquet
    assert [(row["region_id"], str(row["hourly_price"])) for row in in_database] == [
        ("eu-west-1", "66.0000000000"),
        ("us-east-1", "98.3200000000"),
        ("eastus", "98.3200000000"),
    ]
    assert [(row["region_id"], row["hourly_price"]) for row in in_csv] == [
        (row["region_id"], str(row["hourly_price"])) for row in in_database
    ]


def test_the_sums_are_those_of_the_csv_files(release: Release) -> None:
    """In the form that `sha256sum --check` reads."""
    lines = (release.path / "SHA256SUMS").read_text().splitlines()
    assert len(lines) == len(TABLES)
    for line in lines:
        digest, name = line.split("  ")
        assert hashlib.sha256((release.path / name).read_bytes()).hexdigest() == digest


def test_every_published_column_has_a_comment(release: Release) -> None:
    """Each column of each table, and each table, says what it means; a head names no column that isn't there."""
    with opened(release.path / "gpu_prices.duckdb") as published:
        columns = table(published, "select table_name, column_name, comment from duckdb_columns() where not internal")
        tables = table(published, "select table_name, comment from duckdb_tables()")
        macros = table(published, "select comment from duckdb_functions() where function_name = 'prices_on'")

    assert [f"{row['table_name']}.{row['column_name']}" for row in columns if not row["comment"]] == []
    assert {row["table_name"]: bool(row["comment"]) for row in tables} == dict.fromkeys(TABLES, True)
    written = {(name, column) for name, view in TABLES.items() for column in view.columns}
    assert {(row["table_name"], row["column_name"]) for row in columns} == written
    assert all(row["comment"] for row in macros) and macros


def test_a_column_means_the_same_wherever_it_stands() -> None:
    """Columns of the offer's key are described with the same words in every table."""
    key = TABLES["prices"].grain
    told = {(column, view.columns[column]) for view in TABLES.values() for column in key if column in view.grain}
    plain = {(column, meaning.removesuffix("; NULL if it can't be read")) for column, meaning in told}

    assert {column for column, _ in plain} == set(key)
    assert len(plain) == len(key)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_has_one_row_for_each_of_its_grain_and_is_in_its_order(name: str) -> None:
    """The grain is columns of the table, and what the file orders its rows by, so two releases can be compared."""
    view = TABLES[name]
    order = " ".join(view.select.rpartition("order by")[2].split())
    plain = [column.rpartition(".")[2] for column in order.split(", ")]

    assert set(view.grain) <= view.columns.keys()
    assert plain[: len(view.grain)] == list(view.grain) or set(plain) == set(view.grain)


@pytest.mark.parametrize("attached", ["opened", "attached", "used under another name"])
def test_prices_on_is_found_however_the_file_is_opened(release: Release, attached: str) -> None:
    """Directly, attached under its own name, or put in use: the macro's tables are found."""
    file = release.path / "gpu_prices.duckdb"
    if attached == "opened":
        connection, macro = duckdb.connect(str(file), read_only=True), "prices_on"
    else:
        connection, macro = duckdb.connect(), "gpu_prices.prices_on"
        connection.execute(f"ATTACH '{file}' AS gpu_prices (READ_ONLY)").fetchall()
        if attached == "used under another name":
            connection.execute("USE gpu_prices").fetchall()
            macro = "prices_on"
    try:
        assert len(connection.execute(f"from {macro}(?)", ["2025-04-04"]).fetchall()) == 3
        assert connection.execute(f"from {macro}('2025-04-03')").fetchall() == []
    finally:
        connection.close()


def test_a_publication_says_what_it_is(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """The latest attempt, a failed one too, and the code it was built by."""
    insert(warehouse, "observations", [fetch(day(0.5), status="failed", error="no answer")])
    release = publish(warehouse, tmp_path, "0.1+abc")

    with opened(release.path / "gpu_prices.duckdb") as published:
        (row,) = table(published, "from publication")
    (state,) = table(warehouse, "from warehouse_state")
    assert (row["as_of"], row["code_version"], row["schema_version"]) == (day(0.5), "0.1+abc", "1")
    assert row["reference_hash"] == state["reference_hash"]


def test_the_same_warehouse_gives_the_same_content(
    warehouse: duckdb.DuckDBPyConnection, home: Path, release: Release
) -> None:
    """Published again, from another connection, every CSV file is the same byte for byte."""
    again = publish(warehouse, home, "0.1")

    assert (again.path / "SHA256SUMS").read_bytes() == (release.path / "SHA256SUMS").read_bytes()


def test_publishing_again_mends_a_damaged_release(warehouse: duckdb.DuckDBPyConnection, home: Path) -> None:
    """Readers are pointed at a whole file, though the damaged one is of the same moment."""
    (home / "published" / "gpu_prices.duckdb").chmod(0o644)
    (home / "published" / "gpu_prices.duckdb").write_bytes(b"damaged")

    again = publish(warehouse, home, "0.1")
    with opened(again.path / "gpu_prices.duckdb") as published:
        assert table(published, "from publication")
    assert (home / "published").resolve() == again.path.resolve()


def test_another_build_of_the_same_moment_stands_beside_it(warehouse: duckdb.DuckDBPyConnection, home: Path) -> None:
    """A price that another reading of the same fetch found: readers get the latest build."""
    insert(warehouse, "price_intervals", [price("1", instance_type="g6.xlarge")])
    second = publish(warehouse, home, "0.1")

    assert releases(home) == ["20250404T060000Z", "20250404T060000Z-2"]
    assert current(home) == second.path.name == "20250404T060000Z-2"


def refused(warehouse: duckdb.DuckDBPyConnection, home: Path, error: type[WarehouseError]) -> str:
    """The one line a refused publication says; the release before it and the connection are as they were."""
    before = (releases(home), current(home)) if (home / "published").is_symlink() else None
    with pytest.raises(error) as failed:
        publish(warehouse, home, "0.1")
    said = str(failed.value)
    assert len(said.splitlines()) == 1
    if before:
        assert (releases(home), current(home)) == before
        with opened(home / "published" / "gpu_prices.duckdb") as published:
            assert len(table(published, "from prices")) == 3
    assert {row["database_name"] for row in table(warehouse, "from duckdb_databases() where not internal")} == {
        "memory",
        "warehouse",
    }
    assert table(warehouse, "select count(*) as n from duckdb_tables() where temporary") == [{"n": 0}]
    return said


def test_a_broken_invariant_publishes_nothing(warehouse: duckdb.DuckDBPyConnection, home: Path) -> None:
    """Two open prices of one offer: the last release stays. Mended, the next one is published."""
    fetched(warehouse, 1)
    insert(warehouse, "price_intervals", [price("99", valid_from=day(1), scope="another")])

    said = refused(warehouse, home, CheckFailed)
    assert "a key has at most one open price within a source: 1 row doesn't, first source aws_price_list" in said
    assert "the last release stays" in said

    warehouse.execute("delete from price_intervals where scope = 'another'").fetchall()
    publish(warehouse, home, "0.1")
    assert current(home) == "20250405T060000Z"


def test_a_notice_is_published_and_holds_nothing_back(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A GPU nobody knows: the release says so, in its table and to the caller."""
    insert(warehouse, "price_intervals", [price("200", instance_type="p9.48xlarge")])
    release = publish(warehouse, tmp_path, "0.1")

    assert [(notice.check_name, notice.rows) for notice in release.failed_notices] == [
        ("every_size_with_a_price_is_in_the_gpu_table", 1)
    ]
    with opened(release.path / "gpu_prices.duckdb") as published:
        failed = table(published, "from check_results where not passed")
        held = table(published, "from check_results where passed")
    assert [(row["check_name"], row["kind"], row["rows"]) for row in failed] == [
        ("every_size_with_a_price_is_in_the_gpu_table", "notice", 1)
    ]
    assert '"instance_type":"p9.48xlarge"' in failed[0]["example"]
    assert {row["kind"] for row in held} == {"invariant", "notice"}


def test_nothing_loaded_is_nothing_to_publish(tmp_path: Path) -> None:
    """An empty release would look like a market without prices."""
    with warehouse_with() as connection:
        connection.execute("delete from observations").fetchall()
        said = refused(connection, tmp_path, WarehouseError)

    assert said == "nothing is loaded yet, so nothing to publish: run `gpu-prices refresh` first"
    assert releases(tmp_path) == []


@pytest.mark.parametrize("limit", [100_000, 1_000_000])  # within a CSV file, within the database
def test_a_full_disk_leaves_the_last_release(warehouse: duckdb.DuckDBPyConnection, home: Path, limit: int) -> None:
    """A file that may not grow stands in for the disk; one clear line, and with room again it works."""
    fetched(warehouse, 1)
    insert(
        warehouse, "price_intervals", [price("1", instance_type=f"p9.{n}", source="another_list") for n in range(150)]
    )
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, unlimited[1]))
    try:
        said = refused(warehouse, home, WarehouseError)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)

    assert said.startswith(f"can't publish to {home}, the last release stays: ")
    publish(warehouse, home, "0.1")
    assert current(home) == "20250405T060000Z"


def test_a_home_that_is_no_folder_is_said_in_one_line(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A file stands where the home should be."""
    (tmp_path / "home").write_text("")

    assert f"can't publish to {tmp_path}/home, the last release stays:" in refused(
        warehouse, tmp_path / "home", WarehouseError
    )


def test_text_of_a_feed_is_data_in_a_csv_file(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A record that begins like a formula, with quotes, commas and line ends, comes back as it was."""
    record = '=1+1,"a"\n-2;@b'
    insert(warehouse, "rejects", [reject("unit Quantity", record=record)])
    release = publish(warehouse, tmp_path, "0.1")

    with (release.path / "rejected_rows.csv").open(newline="", encoding="utf-8") as file:
        assert [row["record"] for row in csv.DictReader(file)] == [record]


def test_steps_are_told_as_they_are_taken(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Each table by its name, then the checks and the files."""
    steps: list[str] = []
    publish(warehouse, tmp_path, "0.1", progress=steps.append)

    assert set(steps) == {view.name for view in read_views()} | {"checks", "files"}
    assert steps.index("prices") < steps.index("checks") < steps.index("check_results") < steps.index("files")


def view_file(folder: Path, name: str, text: str) -> View:
    """A view written for this test."""
    path = folder / f"{name}.sql"
    path.write_text(text)
    return read_view(path)


def test_a_view_file_says_what_its_table_is(tmp_path: Path) -> None:
    """A sentence over two lines, the grain, a column whose meaning goes on below; later comments are no part of it."""
    view = view_file(
        tmp_path,
        "some_prices",
        "-- Some prices,\n--     of somebody.\n-- grain: a,\n--     b\n"
        "-- a: what: it is\n-- b: the\n--     other\nselect 1;\n-- c: no\n",
    )

    assert (view.sentence, view.grain) == ("Some prices, of somebody.", ("a", "b"))
    assert view.columns == {"a": "what: it is", "b": "the other"}


def test_views_are_built_after_what_they_read(tmp_path: Path) -> None:
    """Joins with USING, subqueries and WITH are all read by DuckDB's own parser."""
    texts = {
        "a": "select * from c join b using (x)",
        "b": "with d as (select 1 as x) select *, (select max(x) from c) from d",
        "c": "select 1 as x",
    }
    views = [view_file(tmp_path, name, text) for name, text in texts.items()]
    connection = duckdb.connect()

    assert [view.name for view in build_order(connection, views)] == ["c", "b", "a"]
    with pytest.raises(WarehouseError, match="view e can't be parsed: syntax error"):
        build_order(connection, [view_file(tmp_path, "e", "select from where")])


def history(rows: list[Row], tmp_path: Path) -> bytes:
    """The sums of a release of these prices."""
    with warehouse_with(rows) as connection:
        return (publish(connection, tmp_path, "0.1").path / "SHA256SUMS").read_bytes()


def test_the_order_of_rows_in_the_warehouse_leaves_no_trace(tmp_path: Path) -> None:
    """Loaded from the other end, the release is the same, byte for byte."""
    ended = {"valid_to": day(1), "close_reason": "changed", "closed_known_at": day(1)}
    rows = [
        *PRICES,
        price("7", instance_type="g6.xlarge", **ended),
        price("6", instance_type="g6.xlarge", valid_from=day(1)),
    ]

    assert history(rows, tmp_path / "a") == history(rows[::-1], tmp_path / "b")
