"""Rows for a person's terminal, for a pipe, and for a program.

On a terminal: a table, prices to 4 places. Elsewhere: a line a row, tab-separated under a line of names, every digit.
With --json: one object, with every digit and the moment it speaks for.
"""

import json
import math
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal

from reports.published import Rows

# Columns of the published tables, by what a person wants of them on a terminal.
PRICES = ("_price", "_hour")
DAYS = ("valid_from", "valid_to", "changed_at", "oldest_complete_at")  # the minute is in the plain lines
SAID_ONCE = (
    "gpu_model",
    "operating_system",
    "purchase_option",
    "offering_class",
    "payment_option",
    "term_months",
    "currency",
    "list_currency",
)
PROSE = ("held_reason", "last_error", "must_hold", "example", "record")  # may take several lines; nothing else may
PROSE_WIDTH = 160
LABELS = {
    "price_per_gpu_hour": "GPU-hour",
    "previous_price_per_gpu_hour": "GPU-hour before",
    "effective_hourly_price": "effective",
    "previous_effective_hourly_price": "before",
    "on_demand_hourly_price": "on demand",
    "hourly_price": "hourly",
    "upfront_price": "upfront",
    "monthly_cost": "a month",
    "hours_per_month": "hours",
    "hours_since_seen": "seen",
    "hours_since_complete": "oldest look",
    "latest_complete_at": "latest look",
    "region_id": "region",
    "instance_type": "size",
    "premium_over_cheapest_ratio": "over cheapest",
    "premium_over_home_ratio": "over home",
    "break_even_utilization": "break-even at",
    "break_even_month": "in month",
    "saving_ratio": "saving",
    "change_ratio": "change",
    "gpu_model": "GPU",
    "gpu_count": "GPUs",
    "operating_system": "system",
    "purchase_option": "bought as",
    "region_rank": "#",
    "list_currency": "listed in",
}


def show(rows: Rows, columns: Sequence[str] | None = None) -> None:
    """Print rows to stdout: as a table of `columns` on a terminal, else as plain lines with every column."""
    if sys.stdout.isatty():
        _show_table(rows, columns or rows.columns)
    else:
        print_lines(rows)


def note(line: str) -> None:
    """Say something about the rows; on stderr, so that what is piped is rows only."""
    sys.stderr.write(line + "\n")


def show_json(rows: Rows, **about: object) -> None:
    """Print one JSON object: what is said `about` the rows, and `rows`."""
    whole = {name: _json_value(value) for name, value in about.items()}
    whole["more"] = rows.more
    whole["rows"] = [{name: _json_value(value) for name, value in row.items()} for row in rows.as_records()]
    sys.stdout.write(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")


def print_lines(rows: Rows) -> None:
    """Print a line of names and a line a row, tab-separated."""
    sys.stdout.write("\t".join(rows.columns) + "\n")
    for row in rows.values:
        sys.stdout.write("\t".join(plain(value) for value in row) + "\n")


def plain(value: object) -> str:
    """A value as text without loss: 6.88, 2026-07-20T00:00:00Z, nothing for NULL; tabs and line ends become spaces."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    if isinstance(value, float):
        return format(value, ".12g")
    if isinstance(value, datetime):
        return _utc(value).isoformat().replace("+00:00", "Z")
    if isinstance(value, list | tuple):
        return ", ".join(plain(item) for item in value)
    if isinstance(value, Mapping):
        return json.dumps(_json_value(value), ensure_ascii=False)
    return " ".join(str(value).split())


def for_person(name: str, value: object) -> str:
    """A value of the column `name` as a person reads it: 6.8800, +12.3 %, 2026-07-20, 5 h ago."""
    if value is None:
        return "-"
    if name.startswith("hours_since"):
        return _ago(float(str(value)))
    if name.endswith("_utilization"):
        return f"{float(str(value)):.1%}"
    if name == "saving_ratio":
        return f"{float(str(value)):.1%}"
    if name.endswith("_ratio"):
        return f"{float(str(value)):+.1%}"
    if isinstance(value, Decimal) and name.endswith("_cost"):
        return f"{value:,.2f}"
    if isinstance(value, Decimal) and name.endswith(PRICES):
        return f"{value:,.4f}"
    if isinstance(value, datetime):
        return format(value, "%Y-%m-%d" if name in DAYS else "%Y-%m-%d %H:%M")
    if isinstance(value, float) and name == "gpu_count":
        return format(value, ".3g")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(value)


def _show_table(rows: Rows, columns: Sequence[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    records = rows.as_records()
    filled = [name for name in columns if any(record[name] not in (None, "", 0, False) for record in records)]
    common = _common(records, filled)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    shown = [name for name in filled if name not in common]
    for name in shown:
        numbers = all(isinstance(record[name], int | float | Decimal | None) for record in records)
        label = LABELS.get(name, name.replace("_", " "))
        table.add_column(label, justify="right" if numbers else "left", no_wrap=name not in PROSE, overflow="fold")
    for record in records:
        table.add_row(*(Text(for_person(name, record[name])) for name in shown))
    # A price that is cut to fit the window is a wrong price: on a narrow one the lines run over instead.
    natural = Console(width=10_000).measure(table).maximum
    wanted = min(natural, PROSE_WIDTH) if set(PROSE) & set(shown) else natural
    console = Console(highlight=False)
    console.width = max(console.width, wanted)
    console.print(table)
    if common:
        console.print(Text(", ".join(common.values())))


def _common(records: Sequence[Mapping[str, object]], columns: Sequence[str]) -> dict[str, str]:
    """What all rows have in common of the words of an offer: said once under the table instead of in each row."""
    found = {}
    for name in SAID_ONCE:
        if name in columns and len({record[name] for record in records}) == 1:
            value = for_person(name, records[0][name])
            found[name] = {"term_months": f"{value} months", "list_currency": f"listed in {value}"}.get(name, value)
    return found


def _ago(hours: float) -> str:
    if hours < 1:
        return "just now"
    return f"{hours:.0f} h ago" if hours < 48 else f"{hours / 24:.0f} d ago"


def _json_value(value: object) -> object:
    if isinstance(value, Decimal):  # a double gives back 15 digits as they were; no price has more
        exact = len(value.normalize().as_tuple().digits) <= 15
        return float(value) if exact else plain(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no word for it
    if isinstance(value, datetime):
        return plain(value)
    if isinstance(value, Mapping):
        return {str(name): _json_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    return value if isinstance(value, int | float | str | bool | None) else str(value)


def _utc(moment: datetime) -> datetime:
    """Times in the tables are naive UTC; a query of a person may bring one with a zone."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
