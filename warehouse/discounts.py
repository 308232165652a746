"""An analyst's negotiated discounts: `discounts.csv` in the home, applied in the view `your_prices` and nowhere else.

provider,purchase_option,discount_ratio
aws,on_demand,0.09
azure,reserved,0.05
"""

import csv
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import duckdb

from warehouse.errors import WarehouseError

FILE = "discounts.csv"
TABLE = Path(__file__).with_suffix(".sql")
COLUMNS = ["provider", "purchase_option", "discount_ratio"]
PROVIDERS = ("aws", "azure")
PURCHASE_OPTIONS = ("on_demand", "spot", "reserved", "savings_plan")
# Python would take 0_9, 9e-2 and digits of other scripts too: a slip of the hand must not become a discount.
RATIO = re.compile(r"0|0?\.[0-9]{1,8}")

Discount = tuple[str, str, Decimal]


def read_discounts(home: Path) -> list[Discount]:
    """The discounts of a home, none if it has no such file: 0.09 is nine percent less.

    Raises:
        WarehouseError: a line is not as it should be; it says which, and what to write.
    """
    path = home / FILE
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            discounts = list(_discounts(path, csv.reader(file)))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise WarehouseError(f"{path} can't be read: {error}") from error
    return discounts


def put_in(connection: duckdb.DuckDBPyConnection, discounts: list[Discount]) -> None:
    """Make the temporary table `discounts` that the view reads."""
    connection.execute(TABLE.read_text(encoding="utf-8")).fetchall()
    for discount in discounts:
        connection.execute("INSERT INTO discounts VALUES (?, ?, ?)", list(discount)).fetchall()


def _discounts(path: Path, lines: Iterator[list[str]]) -> Iterator[Discount]:
    header = [cell.strip() for cell in next(lines, [])]
    if header != COLUMNS:
        raise WarehouseError(f"{path} line 1: the header must be {','.join(COLUMNS)}, not {','.join(header)!r}")
    seen: dict[tuple[str, str], int] = {}
    for number, line in enumerate(lines, start=2):
        cells = [cell.strip() for cell in line]
        if not any(cells):
            continue
        where = f"{path} line {number}"
        if len(cells) != len(COLUMNS):
            raise WarehouseError(f"{where}: {len(cells)} cells, not {len(COLUMNS)}")
        provider, option, ratio = cells
        if provider not in PROVIDERS:
            raise WarehouseError(f"{where}: provider {provider!r} is none of {', '.join(PROVIDERS)}")
        if option not in PURCHASE_OPTIONS:
            raise WarehouseError(f"{where}: purchase option {option!r} is none of {', '.join(PURCHASE_OPTIONS)}")
        if (provider, option) in seen:
            raise WarehouseError(f"{where}: {provider} {option} stands in line {seen[provider, option]} already")
        seen[provider, option] = number
        yield provider, option, _ratio(where, ratio)


def _ratio(where: str, text: str) -> Decimal:
    if not RATIO.fullmatch(text):
        raise WarehouseError(f"{where}: discount {text!r} is no ratio from 0 to below 1, like 0.09 for nine percent")
    return Decimal(text)
