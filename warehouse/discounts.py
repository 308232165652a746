"""A person's own discounts, read from a file of the home: provider, purchase_option, discount_ratio.

They stand in one published table, your_prices; every other table is of list prices.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TextIO

import duckdb

from warehouse.errors import WarehouseError

TABLE = Path(__file__).with_suffix(".sql")
HEADER = ["provider", "purchase_option", "discount_ratio"]
PROVIDERS = ("aws", "azure")
PURCHASE_OPTIONS = ("on_demand", "spot", "reserved", "savings_plan")
RATIO = re.compile(r"0|0?\.[0-9]{1,6}")  # below 1, to the table's six decimals


@dataclass(frozen=True)
class Discount:
    """What is taken off each list price of a provider that is bought in this way: 0.15 is 15 % off."""

    provider: str
    purchase_option: str
    ratio: Decimal


def read_discounts(path: Path | None) -> list[Discount]:
    """The discounts in a file; none where there is no file.

    Raises:
        WarehouseError: a line can't be used, or the file can't be read; both are named.
    """
    if path is None or not path.exists():
        return []
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:  # some programs begin a CSV file with a mark
            return list(_discounts(path, _lines(path, file)))
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise WarehouseError(f"{path} can't be read ({said}): the last release stays") from error


def load_discounts(connection: duckdb.DuckDBPyConnection, discounts: Iterable[Discount]) -> None:
    """Put them where the view your_prices reads them, a temporary table; most releases have none."""
    connection.execute(TABLE.read_text(encoding="utf-8")).fetchall()
    for discount in discounts:
        values = [discount.provider, discount.purchase_option, discount.ratio]
        connection.execute("INSERT INTO discounts VALUES (?, ?, ?)", values).fetchall()


def _discounts(path: Path, lines: Iterator[tuple[int, list[str]]]) -> Iterator[Discount]:
    number, header = next(lines, (1, []))
    if header != HEADER:
        raise _unusable(path, number, f"the first line must be {','.join(HEADER)}")
    seen: dict[tuple[str, str], int] = {}
    for number, cells in lines:
        problem = _problem(cells)
        if problem:
            raise _unusable(path, number, problem)
        provider, option, ratio = cells
        before = seen.setdefault((provider, option), number)
        if before != number:
            raise _unusable(path, number, f"{provider} {option} stands in line {before} already")
        yield Discount(provider, option, Decimal(ratio))


def _lines(path: Path, file: TextIO) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that has any, with its number."""
    reader = csv.reader(file, strict=True)
    try:
        for line in reader:
            cells = [cell.strip() for cell in line]
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise _unusable(path, reader.line_num, str(error)) from error


def _problem(cells: list[str]) -> str | None:
    """What is wrong with a line; None: nothing."""
    if len(cells) != len(HEADER):
        return f"it has {len(cells)} cells, not {len(HEADER)}"
    provider, option, ratio = cells
    if provider not in PROVIDERS:
        return f"unknown provider '{provider}': it is one of {', '.join(PROVIDERS)}"
    if option not in PURCHASE_OPTIONS:
        return f"unknown purchase_option '{option}': it is one of {', '.join(PURCHASE_OPTIONS)}"
    if not RATIO.fullmatch(ratio):
        return f"discount_ratio '{ratio}' is not a share from 0 to below 1 of six decimals at most, like 0.15"
    return None


def _unusable(path: Path, number: int, problem: str) -> WarehouseError:
    return WarehouseError(f"{path}, line {number}: {problem}; the last release stays")
