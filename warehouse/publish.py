"""Publishing: the views become tables of a new file, the checks run, and readers are pointed at it in one step."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from warehouse.build import CATALOG, View, build_order, create_macros, create_views, read_views, tables_read
from warehouse.check import Outcome, require_invariants, run_checks
from warehouse.discounts import Discount, put_in, read_discounts
from warehouse.errors import WarehouseError
from warehouse.release import building_folder, point_at, put_in_place, remove_old

# Of the published tables: a column that goes or changes its meaning raises it.
SCHEMA_VERSION = "1"
# So that people's older clients open the file; 2.0 and 1.5 both take it.
STORAGE_VERSION = "v1.5.0"


@dataclass(frozen=True)
class Release:
    """A published release: its folder, the moment it speaks for (aware UTC), and the notices that found something."""

    path: Path
    as_of: datetime
    failed_notices: tuple[Outcome, ...]


def publish(
    connection: duckdb.DuckDBPyConnection,
    home: Path,
    code_version: str,
    progress: Callable[[str], None] = lambda step: None,
) -> Release:
    """Build, check and publish a release of the warehouse that the connection has open; call with the lock held.

    Any failure leaves the last release as it is, and nothing of this one.

    Raises:
        CheckFailed: an invariant doesn't hold.
        WarehouseError: nothing is loaded yet, the home's discounts can't be read, or the release can't be written (the
            disk is full, say).
    """
    discounts = read_discounts(home)
    try:
        with building_folder(home / "releases") as folder:
            as_of, outcomes = _build(connection, folder, code_version, discounts, progress)
            release = put_in_place(folder, as_of)
            point_at(home, release)
    except (OSError, duckdb.OperationalError) as error:
        raise WarehouseError(f"can't publish to {home}, the last release stays: {_reason(error)}") from error
    remove_old(home / "releases", release)
    notices = tuple(outcome for outcome in outcomes if outcome.kind == "notice" and not outcome.passed)
    return Release(path=release, as_of=as_of, failed_notices=notices)


def _build(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    code_version: str,
    discounts: list[Discount],
    progress: Callable[[str], None],
) -> tuple[datetime, list[Outcome]]:
    views = build_order(connection, read_views())
    after_checks = [view for view in views if "check_outcomes" in tables_read(connection, view)]
    with _new_file(connection, folder / f"{CATALOG}.duckdb", views):
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE publishing AS SELECT ? AS code_version, ? AS schema_version",
            [code_version, SCHEMA_VERSION],
        ).fetchall()
        put_in(connection, discounts)
        create_views(connection, [view for view in views if view not in after_checks], progress)
        [(as_of, *_)] = connection.execute(f"SELECT * FROM {CATALOG}.main.publication").fetchall()
        if as_of is None:
            raise WarehouseError("nothing is loaded yet, so nothing to publish: run `gpu-prices refresh` first")
        progress("checks")
        outcomes = run_checks(connection)
        require_invariants(outcomes)
        create_views(connection, after_checks, progress)
        create_macros(connection)
        progress("files")
        for view in views:
            if not view.internal:
                _export(connection, view.name, folder)
    return as_of.replace(tzinfo=UTC), outcomes


@contextmanager
def _new_file(connection: duckdb.DuckDBPyConnection, path: Path, views: list[View]) -> Iterator[None]:
    """The file, attached AS gpu_prices and looked in first; closed and whole on leaving, without a .wal.

    All of it is one transaction: a commit for each comment would cost more than the tables.
    """
    options = f"READ_WRITE, STORAGE_VERSION '{STORAGE_VERSION}'"
    connection.execute(f"ATTACH {_quoted(path)} AS {CATALOG} ({options})").fetchall()
    try:
        connection.execute(f"SET search_path = '{CATALOG}.main,warehouse.main'").fetchall()
        connection.execute("BEGIN").fetchall()
        yield
        connection.execute("COMMIT").fetchall()
    finally:
        with suppress(duckdb.TransactionException):  # there is one only if something failed
            connection.execute("ROLLBACK").fetchall()
        connection.execute("USE warehouse").fetchall()
        steps = [view.name for view in views if view.internal]
        for name in [*steps, "publishing", "discounts", "check_outcomes", "offending"]:
            connection.execute(f"DROP TABLE IF EXISTS temp.main.{name}").fetchall()
        connection.execute(f"DETACH {CATALOG}").fetchall()
    if path.with_name(f"{path.name}.wal").exists():
        raise WarehouseError(f"{path.name} was not closed cleanly: its .wal is still there")


def _export(connection: duckdb.DuckDBPyConnection, table: str, folder: Path) -> None:
    for suffix, options in (("parquet", "FORMAT parquet, COMPRESSION zstd"), ("csv", "FORMAT csv, HEADER")):
        file = folder / f"{table}.{suffix}"
        connection.execute(f"COPY {CATALOG}.main.{table} TO {_quoted(file)} ({options})").fetchall()


def _reason(error: OSError | duckdb.Error) -> str:
    said = str(error).splitlines()[0]
    return "no space left on the disk" if "No space left" in said else said


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
