"""Checks: a file whose SELECT returns the offending rows, and whose name is the sentence that must hold.

checks/invariant: one that fails stops the publication. checks/notice: published in `check_results`, holds nothing back.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from warehouse.errors import CheckFailed, WarehouseError

CHECKS_DIR = Path(__file__).parent / "checks"


@dataclass(frozen=True)
class Outcome:
    """What a check found: `kind` is invariant or notice, `rows` how many offend, `examples` up to three, as JSON."""

    check_name: str
    kind: str
    rows: int
    examples: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """No row offends."""
        return self.rows == 0

    def __str__(self) -> str:
        """In words: the sentence that must hold, how many rows offend it, and the first of them."""
        sentence = self.check_name.replace("_", " ")
        if self.passed:
            return f"{sentence}: holds"
        shown = "; ".join(_in_words(example) for example in self.examples)
        return f"{sentence}: {self.rows} {'row doesn' if self.rows == 1 else 'rows don'}'t, first {shown}"


def run_checks(connection: duckdb.DuckDBPyConnection, folder: Path = CHECKS_DIR) -> list[Outcome]:
    """Run every check; what each found is also in the temporary table `check_outcomes`.

    Raises:
        WarehouseError: a check can't be run; it is named.
    """
    connection.execute((folder / "outcomes.sql").read_text(encoding="utf-8")).fetchall()
    count = (folder / "count.sql").read_text(encoding="utf-8")
    for path in sorted([*folder.glob("invariant/*.sql"), *folder.glob("notice/*.sql")]):
        select = path.read_text(encoding="utf-8").rstrip().removesuffix(";")
        try:
            connection.execute(f"CREATE OR REPLACE TEMP TABLE offending AS {select}").fetchall()
        except (duckdb.DataError, duckdb.ProgrammingError) as error:
            raise WarehouseError(f"check {path.stem} can't be run: {str(error).splitlines()[0]}") from error
        connection.execute(count, {"check_name": path.stem, "kind": path.parent.name}).fetchall()
    rows = connection.execute("SELECT * FROM check_outcomes").fetchall()
    return [Outcome(name, kind, count, tuple(examples)) for name, kind, count, examples in rows]


def require_invariants(outcomes: Iterable[Outcome]) -> None:
    """Nothing, if every invariant holds.

    Raises:
        CheckFailed: one or more don't; each is told in words.
    """
    broken = [str(outcome) for outcome in outcomes if outcome.kind == "invariant" and not outcome.passed]
    if broken:
        raise CheckFailed(f"nothing was published, the last release stays: {' | '.join(broken)}")


def _in_words(example: str) -> str:
    return ", ".join(f"{name} {value}" for name, value in json.loads(example).items() if value not in (None, ""))
