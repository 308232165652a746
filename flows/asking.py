"""What the commands that ask have in common: their options, the filters of a question, and how it is answered."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from reports.published import Published, Rows

UNDERSTOOD = (
    "gpu_models",
    "instance_type",
    "provider",
    "region",
    "purchase_option",
    "operating_system",
    "currency",
    "since",
)

MOST_ROWS = 100_000


def parse_count(text: str) -> Fraction:
    """A number of GPUs: 8, 0.5 or 1/6."""
    try:
        count = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise typer.BadParameter(f"'{text}' is no number of GPUs, like 8 or 1/6") from None
    if not 0 < count <= 1000 or count.denominator > 1000:
        raise typer.BadParameter(f"'{text}' is out of range")
    return count


def parse_day(text: str) -> date:
    """A UTC day: 2025-06-01."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is no day, like 2025-06-01") from None


Gpu = Annotated[str, typer.Option(help="GPU, in anyone's words: H100, 'A100 80GB', MI300X.", show_default=False)]
AnyGpu = Annotated[str | None, typer.Option(help="GPU, in anyone's words: H100.", show_default=False)]
Count = Annotated[
    Fraction | None,
    typer.Option(help="Only sizes with exactly this many GPUs: 8, or 1/6.", parser=parse_count, show_default=False),
]
Provider = Annotated[str | None, typer.Option(help="aws or azure.", show_default=False)]
Region = Annotated[
    str | None, typer.Option(help="The provider's code, or a pattern: us-east-1, 'eu-*'.", show_default=False)
]
Bought = Annotated[str, typer.Option("--option", help="on_demand, spot, reserved, savings_plan or any.")]
System = Annotated[str, typer.Option("--os", help="linux, windows or any.")]
Currency = Annotated[
    str, typer.Option(help="USD, CNY or any: list prices. Another, like EUR: those in USD, converted; an estimate.")
]
Limit = Annotated[int, typer.Option(help="At most this many rows.", min=1, max=MOST_ROWS)]
Json = Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")]


def offers(
    published: "Published", provider: str | None, region: str | None, option: str, system: str
) -> dict[str, str | None]:
    """The filters of most questions, as the published tables spell them.

    Raises:
        UnknownName: a word means nothing; the nearest are offered.
    """
    from reports import lookup

    return {
        "provider": lookup.one_of("provider", provider, lookup.PROVIDERS),
        "region": lookup.region(published, region),
        "purchase_option": lookup.one_of("purchase option", option, lookup.PURCHASE_OPTIONS),
        "operating_system": lookup.one_of("operating system", system, lookup.OPERATING_SYSTEMS),
    }


def fraction(count: Fraction | None) -> dict[str, int | None]:
    """A number of GPUs as the queries take it."""
    return {
        "numerator": None if count is None else count.numerator,
        "denominator": None if count is None else count.denominator,
    }


def list_currencies(word: str) -> dict[str, list[str] | None]:
    """The currencies of the list prices that answer a question about a currency, as the queries take them."""
    from reports import currency, lookup

    return {"currencies": currency.listed(lookup.currency(word))}


def answer(
    published: "Published",
    rows: "Rows",
    columns: list[str] | None,
    json: bool,
    asked: Mapping[str, object],
    none: str = "No price matches. `--option any`, `--os any` or `--currency any` asks for more.",
) -> "Rows":
    """Print the rows; beside a table, on stderr, what was understood and as of when; without a row, `none`.

    They are printed, and returned, in the currency that was asked for.
    """
    from reports import currency, lookup, terminal

    exchange = None
    if asked.get("currency"):
        code = lookup.currency(str(asked["currency"]))
        asked = {**asked, "currency": code or lookup.ANY}
        rows, exchange = currency.in_currency(published, rows, code)
    if exchange:
        rows = currency.rounded(rows)
        columns = columns and [*columns, "list_currency"]
    if json:
        terminal.show_json(rows, as_of=published.as_of, **asked, **(exchange.said() if exchange else {}))
        return rows
    understood = [terminal.plain(asked[name]) for name in UNDERSTOOD if asked.get(name) not in (None, lookup.ANY)]
    if asked.get("gpu") and asked.get("gpu_models"):
        understood[0] = f"{asked['gpu']} is {understood[0]}"
    terminal.note("; ".join([*understood, moment(published)]))
    if not rows and none:
        terminal.note(none)
    elif rows.columns:
        terminal.show(rows, columns)
    if rows.more:
        terminal.note(f"There are more than these {len(rows.values)} rows: --limit shows them.")
    if exchange:
        terminal.note(exchange.sentence)
    return rows


def moment(published: "Published") -> str:
    """The moment a publication speaks for, in words."""
    return f"as of {published.as_of:%Y-%m-%d %H:%M} UTC"
