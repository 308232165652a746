"""What the demo shows at its end: four answers, each with the day on which its figures were recorded, and ways on."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import typer

from connectors.sandbox import Sandbox
from connectors.sandbox.facts import RECORDERS
from reports.published import Published

Row = Mapping[str, Any]

H100 = ["H100-80GB", "H100-NVL-94GB"]
ANYWHERE: dict[str, Any] = {"provider": None, "region": None, "operating_system": "linux", "currencies": ["USD"]}
ANY_COUNT: dict[str, Any] = {"numerator": None, "denominator": None}
CUT = date(2025, 6, 5)  # AWS cut P4 and P5 by up to 44 % on this day


def show_answers(published: Published, stand_in: Sandbox) -> None:
    """Print what an analyst came for."""
    cheapest(published, stand_in)
    region(published, stand_in)
    reservation(published, stand_in)
    june_2025(published, stand_in)


def show_ways_on(home: Path) -> None:
    """Print where the files are, and what to ask next."""
    typer.echo(
        f"\nAll of it, as DuckDB, Parquet and CSV: {home / 'published'}/\n"
        f"Ask on:   gpu-prices --home {home} find --gpu A100 --count 8\n"
        f"          gpu-prices --home {home} history --instance-type p4d.24xlarge\n"
        f"          gpu-prices --home {home} status"
    )


def cheapest(published: Published, stand_in: Sandbox) -> None:
    """Print where one H100 for an hour costs least."""
    for title, option in (("Cheapest H100 hour, on demand", "on_demand"), ("Cheapest H100 hour, spot", "spot")):
        rows = published.ask("find", limit=1, gpu_models=H100, purchase_option=option, **ANY_COUNT, **ANYWHERE)
        for offer in rows.as_records():
            per_gpu = f"{money(offer['price_per_gpu_hour'])} per GPU"
            told(title, f"{per_gpu}, on {offered(offer)}", recorded(stand_in, offer))


def region(published: Published, stand_in: Sandbox) -> None:
    """Print what the region does to the price."""
    asked = ANYWHERE | {"provider": "azure", "purchase_option": "on_demand"}
    rows = published.ask("spread", gpu_models=["H100-80GB"], **asked).as_records()
    low, high = rows[0], rows[-1]
    told(
        "What the region does to it",
        f"{low['gpu_model']} on demand on Azure: {money(low['price_per_gpu_hour'])} per GPU in {low['region_id']}, "
        f"{money(high['price_per_gpu_hour'])} in {high['region_id']}, {high['spread_ratio']:.0%} more",
        recorded(stand_in, low | {"purchase_option": "on_demand"}),
        recorded(stand_in, high | {"purchase_option": "on_demand"}),
    )


def reservation(published: Published, stand_in: Sandbox) -> None:
    """Print the largest saving that a reservation brings."""
    asked = ANYWHERE | ANY_COUNT | {"purchase_option": "reserved", "term_months": None}
    (best,) = published.ask("savings", limit=1, gpu_models=H100, **asked).as_records()
    told(
        "Largest saving of a reservation",
        f"{best['saving_ratio']:.1%} for {best['term_months']} months of {offered(best)}: "
        f"{money(best['effective_hourly_price'])} an hour instead of {money(best['on_demand_hourly_price'])}",
        f"pays if it runs {best['break_even_utilization']:.0%} of the time; or for {best['break_even_month']} months",
        recorded(stand_in, best),
    )


def june_2025(published: Published, stand_in: Sandbox) -> None:
    """Print the price cut of June 2025."""
    asked = ANYWHERE | {"region": "us-east-1", "purchase_option": "on_demand"}
    prices = published.ask("history", gpu_models=None, instance_type="p5.48xlarge", **asked).as_records()
    before, after = next((a, b) for a, b in zip(prices, prices[1:], strict=False) if b["valid_from"].date() == CUT)
    told(
        "The cut of June 2025",
        f"{offered(after)}: {money(before['effective_hourly_price'])} -> {money(after['effective_hourly_price'])} "
        f"an hour ({after['change_ratio']:+.0%}) on {after['valid_from']:%Y-%m-%d}",
        f"before: {recorded(stand_in, before, date(2025, 4, 29))}",
        f"after: {recorded(stand_in, after, CUT)}",
    )


def told(title: str, *lines: str) -> None:
    """Print one answer; the lines under it stand back."""
    typer.echo(f"\n{title}")
    for line in dict.fromkeys(lines):
        typer.echo(f"  {line}")


def offered(row: Row) -> str:
    """The size and the place of an offer."""
    return f"{row['instance_type']} ({row['gpu_count']:.3g} x {row['gpu_model']}), {row['provider']} {row['region_id']}"


def recorded(stand_in: Sandbox, row: Row, day: date | None = None) -> str:
    """When, and by whom, the figure was read off the provider's list; on `day` if the stand-in has moved on since."""
    provider = row["provider"]
    today = stand_in.date_of(provider)
    try:
        stand_in.set_date(provider, day or today)
        figures = {figure.fact.key: figure.fact for figure in stand_in.figures(provider)}
    finally:
        stand_in.set_date(provider, today)
    words = ("region_id", "instance_type", "operating_system", "purchase_option", "offering_class", "payment_option")
    key = (provider, *(row[word] if row[word] != "any" else "" for word in words), row["term_months"])
    fact = figures[key]
    return f"recorded {fact.recorded_at:%Y-%m-%d}, {RECORDERS[fact.recorder]}"


def money(price: Decimal) -> str:
    """USD to as many places as the figure has, two at least."""
    places = max(2, min(6, -int(price.normalize().as_tuple().exponent)))
    return f"{price:,.{places}f} USD"
