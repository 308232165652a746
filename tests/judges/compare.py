"""A judge's prices against ours, and which differences are explained. No network, no files but the table."""

import csv
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path

Pair = tuple[str, str, str]  # provider, region, instance type

TABLE = Path(__file__).parent / "differences.csv"
RELATIVE = Decimal("1e-9")  # what a float may have cost
ROUNDED = Decimal("0.00005") + RELATIVE  # half of the last digit of a price that the stand-in makes up
PAST = "past"
MISSING_THERE, MISSING_HERE, OTHER_PRICE = "missing there", "missing here", "other price"


@dataclass(frozen=True)
class Verdict:
    """A judge's prices (USD an hour) by pair, and the pairs that have an accelerator by its own word.

    `regions`: provider -> where it goes; None is everywhere. More than one price of a pair is its own confusion.
    """

    judge: str
    version: str
    prices: Mapping[Pair, Set[Decimal]]
    accelerated: Set[Pair]
    regions: Mapping[str, Set[str]] | None

    def goes_to(self, pair: Pair) -> bool:
        """Whether it asks for that pair's region at all."""
        return self.regions is None or pair[1] in self.regions[pair[0]]


@dataclass(frozen=True)
class Difference:
    """One price that isn't on both sides; None is no price."""

    judge: str
    pair: Pair
    kind: str
    theirs: Decimal | None
    ours: Decimal | None
    is_past: bool = False  # theirs was ours before


@dataclass(frozen=True)
class Reason:
    """A row of the table.

    `theirs`: '' any price, `x1.3` that multiple of ours, `past` an earlier one of ours, else that price.
    """

    judge: str
    provider: str
    region: str
    instance_type: str
    kind: str
    theirs: str
    why: str
    source: str

    def explains(self, difference: Difference) -> bool:
        """Whether judge, place, size, kind and price all fit."""
        words = (difference.judge, *difference.pair)
        patterns = (self.judge, self.provider, self.region, self.instance_type)
        return (
            self.kind == difference.kind
            and all(fnmatchcase(word, pattern) for word, pattern in zip(words, patterns, strict=True))
            and (difference.is_past if self.theirs == PAST else self._fits(difference.theirs, difference.ours))
        )

    def _fits(self, theirs: Decimal | None, ours: Decimal | None) -> bool:
        if not self.theirs:
            return True
        if theirs is None:
            return False
        if not self.theirs.startswith("x"):
            return equal(theirs, Decimal(self.theirs))
        return ours is not None and abs(theirs - ours * Decimal(self.theirs[1:])) <= ROUNDED


def read_reasons(path: Path = TABLE) -> list[Reason]:
    """The table's rows."""
    with path.open(newline="", encoding="utf-8") as file:
        return [Reason(**row) for row in csv.DictReader(file)]


def equal(one: Decimal, other: Decimal) -> bool:
    """Whether two prices are one, after what a float may have cost."""
    return abs(one - other) <= RELATIVE * max(abs(one), abs(other))


def compare(
    verdict: Verdict, ours: Mapping[Pair, Decimal], past: Collection[tuple[Pair, Decimal]] = ()
) -> tuple[list[Pair], list[Difference]]:
    """The pairs on which both agree wholly, and every difference. `past` are the prices before today's.

    In question is what we price where the judge goes, and what it prices of accelerators.
    """
    agreed, different = [], []
    asked = {pair for pair in ours if verdict.goes_to(pair)}
    for pair in sorted(asked | (verdict.accelerated & verdict.prices.keys())):
        found = list(_differences(verdict, pair, ours.get(pair), past))
        different += found
        if not found:
            agreed.append(pair)
    return agreed, different


def _differences(
    verdict: Verdict, pair: Pair, ours: Decimal | None, past: Collection[tuple[Pair, Decimal]]
) -> Sequence[Difference]:
    theirs = sorted(verdict.prices.get(pair, ()))
    if not theirs:
        return [Difference(verdict.judge, pair, MISSING_THERE, None, ours)]
    if ours is None:
        return [Difference(verdict.judge, pair, MISSING_HERE, price, None) for price in theirs]
    return [
        Difference(verdict.judge, pair, OTHER_PRICE, price, ours, (pair, price) in past)
        for price in theirs
        if not equal(price, ours)
    ]


def explain(
    differences: Sequence[Difference], reasons: Sequence[Reason]
) -> tuple[list[tuple[Reason, list[Difference]]], list[Difference]]:
    """Each reason with what it explains (the first that fits counts), and what none explains."""
    found: list[tuple[Reason, list[Difference]]] = [(reason, []) for reason in reasons]
    unexplained: list[Difference] = []
    for difference in differences:
        fitting = next((taken for reason, taken in found if reason.explains(difference)), unexplained)
        fitting.append(difference)
    return found, unexplained
