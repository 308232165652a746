"""A run of fetches and loads that kills itself (SIGKILL) at a chosen point.

`python -m tests.warehouse.crash_driver HOME N`: points are the moments at which something reaches the disk or the
database: every fsync and rename of landing, every statement of a load. Without N it runs through and prints the name of
each.
"""

import os
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb

from warehouse.database import open_warehouse
from warehouse.landing import Landing
from warehouse.load import load

SOURCES = Path(__file__).parent / "sources"
START = datetime(2026, 1, 1, tzinfo=UTC)

# Hours after the start, status, and (offer, price) of each fetch: one opens, one moves, b and c go, d is announced by
# nobody, a conflict, a late one at hour 30 that folds the scope anew.
FETCHES: list[tuple[float, str, list[tuple[str, str]]]] = [
    (0, "complete", [("a", "1"), ("b", "2"), ("c", "3")]),
    (24, "complete", [("a", "1.5"), ("b", "2"), ("d", "4")]),
    (48, "complete", [("a", "1.5"), ("b", "2"), ("b", "2.5")]),
    (72, "failed", []),
    (96, "complete", [("a", "1.5"), ("d", "4")]),
    (30, "partial", [("a", "1.7")]),
]


class Points:
    """Counts points, and kills the process at the chosen one."""

    def __init__(self, kill_at: int | None) -> None:
        self.kill_at = kill_at
        self.names: list[str] = []

    def pass_by(self, name: str) -> None:
        """One point."""
        self.names.append(name)
        if len(self.names) == self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


class Watched:
    """A connection whose every statement is a point."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, points: Points) -> None:
        self.connection, self.points = connection, points

    def execute(self, query: str, *parameters: Any) -> duckdb.DuckDBPyConnection:
        """Run one statement; a script of many is taken apart, so that the process can die between them."""
        if parameters and parameters[0] is not None:
            self.points.pass_by(first_words(query))
            return self.connection.execute(query, *parameters)
        result = self.connection
        for statement in duckdb.extract_statements(query):
            self.points.pass_by(first_words(statement.query))
            result = self.connection.execute(statement)
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


def first_words(statement: str) -> str:
    """The first line of a statement that is no comment."""
    return next(line for line in statement.strip().splitlines() if not line.startswith("--"))


def run(home: Path, points: Points) -> None:
    """Make each fetch that has not been made, and load after each."""
    landing = Landing(home / "landing")
    for hours, status, offers in FETCHES:
        observed_at = START + timedelta(hours=hours)
        if observed_at not in landing.observed("hand_written", "place/USD"):
            records = [{"key": key, "price": price} for key, price in offers]
            landing.write(
                source="hand_written", scope="place/USD", observed_at=observed_at, status=status, records=records
            )
        with open_warehouse(home / "warehouse.duckdb") as connection:
            load(Watched(connection, points), landing, SOURCES)  # type: ignore[arg-type]  # stands in for the connection


def main() -> None:
    """Run with the file system's points counted too."""
    home, kill_at = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None
    points = Points(kill_at)
    fsync, replace = os.fsync, Path.replace

    def watched_fsync(descriptor: int) -> None:
        points.pass_by("fsync")
        fsync(descriptor)

    def watched_replace(self: Path, target: Path) -> Path:
        points.pass_by(f"rename {target.suffix}")
        return replace(self, target)

    os.fsync = watched_fsync  # type: ignore[assignment]  # landing calls it with a descriptor
    Path.replace = watched_replace  # type: ignore[method-assign,assignment]  # a point before every rename
    run(home, points)
    sys.stdout.write("\n".join(points.names))


if __name__ == "__main__":
    main()
