"""Since when and until when the items of the Azure retail price list hold.

`azure_past.csv` holds what was recorded: each run of recordings with one price, of every on-demand price that has
changed, and the spot prices of past months. The days of its runs are recorded, but nobody recorded a window's own, and
so those are synthetic, always the same:

- The first price of a meter begins on the day of its first recording, another on the first of the month it was first
  recorded in, or on that day where the price before it was still recorded in that month. A price that never changed
  begins with the month it was first recorded in.
- An item ends when the next one of its meter begins. Which of three ways that is written in (`end_before`) is chosen by
  the meter's id.
- A spot price holds from the first day of its month to midnight of the last one.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache

from connectors.sandbox.facts import read_table
from connectors.sandbox.serving import Served

LONG_AGO = date(2018, 1, 1)
ONE_DAY = timedelta(days=1)

Offer = tuple[str, str, str, str]  # region, size, system, way of buying


@dataclass(frozen=True, slots=True)
class Run:
    """A price, and the days of the first and the last recording of it without another between them."""

    price: Decimal
    first: date
    last: date


def instant(day: date) -> str:
    """Midnight UTC, as the feed writes it."""
    return f"{day.isoformat()}T00:00:00Z"


def month_start(day: date) -> date:
    """The first day of the month, since when most made-up items hold."""
    return day.replace(day=1)


def month_end(day: date) -> str:
    """The last day of the month, as the end of a spot price's window.

    The feed's windows are known as 2026-08-01 to 2026-08-31 only, not whether the last day belongs to them: on it,
    whoever reads the end as exclusive finds no spot price.
    """
    first_of_next = month_start(month_start(day) + timedelta(days=32))
    return instant(first_of_next - ONE_DAY)


def end_before(start: date, meter_id: str) -> str:
    """The end of an item whose next one starts on a day: that instant, the second before it, or a day before it."""
    way = int(meter_id[0], 16) % 3
    return (instant(start), f"{start - ONE_DAY}T23:59:59Z", instant(start - ONE_DAY))[way]


@lru_cache(maxsize=1)
def _recorded_runs() -> Mapping[Offer, tuple[Run, ...]]:
    found: dict[Offer, list[Run]] = defaultdict(list)
    for row in read_table("azure_past.csv"):
        offer = row["region"], row["instance_type"], row["operating_system"], row["purchase_option"]
        days = (date.fromisoformat(row[name]) for name in ("first_recorded", "last_recorded"))
        found[offer].append(Run(Decimal(row["price"]), *days))
    return {offer: tuple(runs) for offer, runs in found.items()}


def runs_until(figure: Served, day: date) -> Sequence[Run]:
    """The runs recorded by a day of what a figure is the price of, in order; none for a price that never changed."""
    _, region, size, system, option, *_ = figure.fact.key
    return [run for run in _recorded_runs().get((region, size, system, option), ()) if run.first <= day]


def starts(runs: Sequence[Run]) -> list[date]:
    """The day that each run's item starts on."""
    found = [run.first for run in runs[:1]]
    for before, run in zip(runs, runs[1:], strict=False):
        month = month_start(run.first)
        found.append(month if month > before.last else run.first)
    return found


def start_of(figure: Served, day: date) -> date:
    """The day that the item of a figure starts on in the list of a day."""
    if figure.fact.purchase_option == "spot":
        return month_start(day)
    runs = runs_until(figure, day)
    return starts(runs)[-1] if runs else month_start(figure.since)
