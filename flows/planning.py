"""`gpu-prices plan`: the cheapest mix of committed, on demand and spot for a load, with what was assumed."""

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from flows.asking import Currency, Gpu, Json, Provider, Region, moment

if TYPE_CHECKING:
    from reports.plan import Plan
    from reports.published import Rows

COLUMNS = [
    "instances", "instance_type", "gpu_count", "provider", "region_id", "zone_id", "purchase_option", "offering_class",
    "payment_option", "term_months", "currency", "hours_per_month", "effective_hourly_price", "upfront_price",
    "monthly_cost",
]  # fmt: skip


def parse_hours(text: str) -> Decimal:
    """Hours a month: 0 to 730."""
    try:
        hours = Decimal(text)
    except InvalidOperation:
        raise typer.BadParameter(f"'{text}' is no number of hours, like 400") from None
    if not hours.is_finite() or not 0 <= hours <= 730:
        raise typer.BadParameter(f"{text} hours are no part of a month, which has 730")
    return hours


def parse_share(text: str) -> Fraction:
    """A share from 0 to 1: 0.5 or 1/2."""
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise typer.BadParameter(f"'{text}' is no share, like 0.5") from None
    if not 0 <= share <= 1:
        raise typer.BadParameter(f"'{text}' is no share: it lies between 0 and 1")
    return share


def plan(
    context: typer.Context,
    gpu: Gpu,
    count: Annotated[int, typer.Option(help="GPUs that the load needs.", min=1, max=10_000, show_default=False)],
    hours_per_month: Annotated[
        Decimal, typer.Option(help="Hours a month that they run, of 730.", parser=parse_hours, show_default=False)
    ],
    steady: Annotated[int, typer.Option(help="So many of them run all the time.", min=0)] = 0,
    spot_tolerant: Annotated[
        Fraction, typer.Option(help="Share of the GPUs that bears an interruption: 0.5.", parser=parse_share)
    ] = Fraction(0),
    longest_term: Annotated[int, typer.Option(help="No commitment longer than this many months.", min=0)] = 36,
    provider: Provider = None,
    region: Region = None,
    os: Annotated[str, typer.Option("--os", help="linux or windows.")] = "linux",
    currency: Currency = "USD",
    json: Json = False,
) -> None:
    """The cheapest mix of committed, on demand and spot that carries a load, and its monthly cost."""
    from reports import lookup, terminal
    from reports.currency import in_currency, listed
    from reports.plan import Load, cheapest
    from reports.published import open_published

    if steady > count:
        raise typer.BadParameter(f"--steady {steady} is more than the {count} GPUs of --count")
    if (code := lookup.currency(currency)) is None:
        raise typer.BadParameter("a plan is made in one currency, like USD")
    load = Load(count, hours_per_month, steady, spot_tolerant)
    with open_published(context.obj.home) as published:
        models = lookup.gpu_models(published, gpu)
        asked: dict[str, str | None] = {
            "provider": lookup.one_of("provider", provider, lookup.PROVIDERS),
            "region": lookup.region(published, region),
            "operating_system": lookup.one_of("operating system", os, lookup.OPERATING_SYSTEMS) or "linux",
        }
        offers = published.ask(
            "plan_offers", limit=None, gpu_models=models, longest_term=longest_term, currencies=listed(code), **asked
        )
        asked["currency"] = code
        offers, exchange = in_currency(published, offers, code)
        best, on_demand = cheapest(offers.as_records(), load)
        rows = bought(best)
        if json:
            estimate = exchange.said() if exchange else {}
            about = {"gpu": gpu, "gpu_models": models, "count": count, "hours_per_month": hours_per_month, **asked}
            terminal.show_json(rows, as_of=published.as_of, **about, **summed(best, on_demand), **estimate)
            return
        terminal.note(f"{gpu} is {', '.join(models)}; {moment(published)}")
        terminal.show(rows, COLUMNS)
        for line in [*told(best, on_demand, code), *([exchange.sentence] if exchange else [])]:
            terminal.note(line)


def bought(best: "Plan") -> "Rows":
    """The parts of a plan as rows; a month's money to the cent."""
    from reports.currency import rounded
    from reports.published import Rows

    names = [name for name in COLUMNS if name not in ("instances", "gpu_count", "hours_per_month", "monthly_cost")]
    rows = []
    for part in best.parts:
        offer = part.offer
        values = {name: offer[name] for name in names} | {
            "instances": part.instances,
            "gpu_count": offer["gpu_numerator"] / offer["gpu_denominator"],
            "hours_per_month": Decimal(730) if part.paid_when_idle else _cents(part.hours),
            "monthly_cost": _cents(part.cost),
        }
        rows.append(tuple(values[name] for name in COLUMNS))
    return rounded(Rows(tuple(COLUMNS), rows))


def summed(best: "Plan", on_demand: Fraction | None) -> dict[str, object]:
    """The plan's month beside that of the cheapest way to have all of it on demand."""
    return {
        "monthly_cost": _cents(best.cost),
        "upfront": _cents(best.upfront),
        "on_demand_monthly_cost": None if on_demand is None else _cents(on_demand),
        "saving_ratio": None if not on_demand else float(1 - best.cost / on_demand),
    }


def told(best: "Plan", on_demand: Fraction | None, currency: str) -> list[str]:
    """The sum, the saving, and what was assumed."""
    sum_of = f"{_cents(best.cost):,} {currency} a month"
    if best.upfront:
        sum_of += f", what is paid at the start ({_cents(best.upfront):,} {currency}) spread over the term"
    beside = "nothing of it is sold on demand there"
    if on_demand is not None:
        beside = "all on demand: nothing is cheaper for these hours"
        if best.cost != on_demand:
            less = float(1 - best.cost / on_demand)
            beside = f"all on demand at its cheapest: {_cents(on_demand):,} {currency}, so {less:.1%} less"
    lines = [
        f"{sum_of}; {beside}",
        "Assumed: a month of 730 hours; list prices; one size in one place; whole instances; a commitment runs its "
        "whole term under this load.",
    ]
    if any(part.offer["purchase_option"] == "spot" for part in best.parts):
        lines.append("Spot: at today's price, running through; it may be interrupted, and may not be had.")
    return lines


def _cents(amount: Fraction) -> Decimal:
    return (Decimal(amount.numerator) / Decimal(amount.denominator)).quantize(Decimal("0.01"))


# Command -> an example that can be pasted.
COMMANDS: Mapping[Callable[..., None], str] = {
    plan: "gpu-prices plan --gpu H100 --count 16 --hours-per-month 400 --region 'us*' --steady 8",
}
