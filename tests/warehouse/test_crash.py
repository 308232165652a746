"""kill -9 during landing and load: the next run ends in the tables of an undisturbed one."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warehouse.crash_driver import Points, run
from warehouse.database import open_warehouse

TABLES = ("price_intervals", "observations", "rejects", "announced", "decisions", "dictionaries")
REPOSITORY = Path(__file__).parents[2]


Tables = dict[str, list[tuple[object, ...]]]


def tables(home: Path) -> Tables:
    """Every row of every table that the fold writes, sorted."""
    with open_warehouse(home / "warehouse.duckdb") as connection:
        return {table: sorted(connection.execute(f"FROM {table}").fetchall(), key=repr) for table in TABLES}


def drive(home: Path, *kill_at: str) -> subprocess.CompletedProcess[str]:
    """Run the driver in a process of its own."""
    command = [sys.executable, "-m", "tests.warehouse.crash_driver", str(home), *kill_at]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Tables]:
    """The names of all points in order, and the tables in the end."""
    home = tmp_path_factory.mktemp("undisturbed")
    result = drive(home)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines(), tables(home)


@pytest.mark.parametrize(
    ("kind", "which"),
    [
        ("fsync", 0),  # the first body is not on disk
        ("rename .json", 0),  # a body without its manifest
        ("BEGIN", 0),
        ("delete from price_intervals", -1),  # a rebuilt scope has lost its old rows
        ("insert into price_intervals", -1),
        ("COMMIT", 0),
        ("", random.Random(20260801).randrange(1_000)),  # anywhere
        ("", random.Random(20260802).randrange(1_000)),
    ],
)
def test_killed_anywhere_the_next_run_ends_the_same(
    undisturbed: tuple[list[str], Tables], tmp_path: Path, kind: str, which: int
) -> None:
    """Whatever was under way when the process died, running again gives the tables of a run that was not killed."""
    names, expected = undisturbed
    points = [number for number, name in enumerate(names, start=1) if name.startswith(kind)]
    kill_at = points[which % len(points)]

    result = drive(tmp_path, str(kill_at))
    assert result.returncode == -signal.SIGKILL, result.stderr
    run(tmp_path, Points(None))
    assert tables(tmp_path) == expected, f"after a kill at point {kill_at}, {names[kill_at - 1]!r}"
