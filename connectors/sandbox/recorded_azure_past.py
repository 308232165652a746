"""What Azure's prices were before -> rows of azure_past.csv. Used only to build the tables."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from connectors.sandbox.facts import DATES, Fact, Key, plain
from connectors.sandbox.recorded_azure import azure_facts, whole_recordings

PAST_COLUMNS = (
    "region",
    "instance_type",
    "operating_system",
    "purchase_option",
    "price",
    "first_recorded",
    "last_recorded",
    "recorder",
)
LAST_MONTH = (DATES["azure"][-1].year, DATES["azure"][-1].month)  # in force on the last day that is served


def azure_past(folder: Path) -> Iterator[list[str]]:
    """Each run of records with one price, of each on-demand price that has changed, and of spot prices of past months.

    What was on demand is taken from every recording, spot from sku-locator's alone, who says when each was read.
    """
    series: dict[Key, list[Fact]] = defaultdict(list)
    facts = [*azure_facts(folder), *whole_recordings(folder)]
    for fact in {(fact.key, fact.recorded_at): fact for fact in facts}.values():
        if fact.purchase_option == "on_demand" or (fact.purchase_option, fact.recorder) == ("spot", "sku-locator"):
            series[fact.key].append(fact)
    for key in sorted(series):
        runs = _runs(sorted(series[key], key=lambda fact: fact.recorded_at))
        if key[4] == "spot":
            runs = [run for run in runs if _month(run[0]) != LAST_MONTH]
        elif len(runs) == 1:
            continue
        for run in runs:
            days = (str(run[place].recorded_at.date()) for place in (0, -1))
            yield [*map(str, key[1:5]), plain(run[0].price), *days, run[0].recorder]


def _runs(facts: Sequence[Fact]) -> list[list[Fact]]:
    runs: list[list[Fact]] = []
    for fact in facts:
        if not runs or _told_apart(runs[-1][-1], fact):
            runs.append([])
        runs[-1].append(fact)
    return runs


def _told_apart(before: Fact, after: Fact) -> bool:
    """Another price, or of spot prices, which hold for a month, another month."""
    return before.price != after.price or (after.purchase_option == "spot" and _month(before) != _month(after))


def _month(fact: Fact) -> tuple[int, int]:
    return fact.recorded_at.year, fact.recorded_at.month
