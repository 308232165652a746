"""The comparison with the judges, without the judges: prices are made up, USD an hour."""

from collections.abc import Set
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from tests.judges.compare import (
    MISSING_HERE,
    MISSING_THERE,
    OTHER_PRICE,
    Difference,
    Pair,
    Reason,
    Verdict,
    compare,
    equal,
    explain,
    read_reasons,
)
from tests.judges.summary import Outcome, as_markdown

DAY = date(2026, 8, 1)
EAST, WEST, GOV = ("aws", "east", "p9.big"), ("aws", "west", "p9.big"), ("aws", "gov", "p9.big")
REASON = Reason("peer", "aws", "e*", "p9.*", OTHER_PRICE, "", "because", "somebody/something#1")


def verdict(
    prices: dict[Pair, Set[str]], accelerated: Set[Pair] = frozenset(), regions: Set[str] = frozenset()
) -> Verdict:
    """A judge that goes to `regions`, or everywhere."""
    found = {pair: {Decimal(text) for text in texts} for pair, texts in prices.items()}
    return Verdict("peer", "1.0", found, accelerated, {"aws": regions} if regions else None)


def kinds(differences: list[Difference]) -> list[tuple[Pair, str]]:
    """What is said of which pair."""
    return [(one.pair, one.kind) for one in differences]


def test_a_float_is_the_price_it_stands_for() -> None:
    """1e-9 of the price is forgiven (2 and 2.000000002), ten times as much isn't."""
    assert equal(Decimal(2), Decimal("2.000000002"))
    assert not equal(Decimal(2), Decimal("2.00000002"))


def test_each_kind_of_difference() -> None:
    """Equal, another price, none there; and none here only if the judge says that there is an accelerator."""
    theirs = verdict({EAST: {"1.5"}, GOV: {"3"}, ("aws", "east", "c9.big"): {"4"}}, {GOV})
    ours = {EAST: Decimal("1.50"), WEST: Decimal(2)}
    agreed, different = compare(theirs, ours)
    assert agreed == [EAST]
    assert kinds(different) == [(GOV, MISSING_HERE), (WEST, MISSING_THERE)]


def test_a_judge_with_two_prices_differs_by_the_wrong_one() -> None:
    """Two prices for one pair, one of them ours: not equal, and the other one is the difference."""
    agreed, different = compare(verdict({EAST: {"1", "2"}}), {EAST: Decimal(1)})
    assert agreed == []
    assert [(one.kind, one.theirs, one.ours) for one in different] == [(OTHER_PRICE, Decimal(2), Decimal(1))]


def test_a_region_it_does_not_go_to_is_no_difference() -> None:
    """Our price of a region that isn't on the judge's list says nothing about either."""
    assert compare(verdict({}, regions={"east"}), {WEST: Decimal(1)}) == ([], [])


@pytest.mark.parametrize(
    ("theirs", "fits"), [("", True), ("1.3", True), ("x1.3", True), ("x1.4", False), ("0.002", False)]
)
def test_a_reason_may_name_the_price(theirs: str, fits: bool) -> None:
    """Ours is 1, theirs 1.3: it is that price, and 1.3 times ours, and neither 1.4 times ours nor 0.002."""
    difference = Difference("peer", EAST, OTHER_PRICE, Decimal("1.3"), Decimal(1))
    assert replace(REASON, theirs=theirs).explains(difference) is fits


@pytest.mark.parametrize(("price", "fits"), [("2", True), ("3", False)])
def test_a_reason_may_be_that_the_price_is_an_earlier_one(price: str, fits: bool) -> None:
    """Ours is 1 and was 2 before: who has 2 has an earlier price, who has 3 hasn't."""
    _, (difference,) = compare(verdict({EAST: {price}}), {EAST: Decimal(1)}, {(EAST, Decimal(2))})
    assert replace(REASON, theirs="past").explains(difference) is fits


@pytest.mark.parametrize(
    "other", [{"judge": "another"}, {"region": "w*"}, {"instance_type": "g*"}, {"kind": MISSING_HERE}]
)
def test_a_reason_fits_in_all_its_words(other: dict[str, str]) -> None:
    """One word that doesn't fit, and the difference stays unexplained, and the reason is left with nothing."""
    difference = Difference("peer", EAST, OTHER_PRICE, Decimal(2), Decimal(1))
    ((_, found),), unexplained = explain([difference], [replace(REASON, **other)])
    assert (found, unexplained) == ([], [difference])


def test_the_first_reason_that_fits_counts() -> None:
    """A difference is counted once, though two rows of the table would explain it."""
    difference = Difference("peer", EAST, OTHER_PRICE, Decimal(2), Decimal(1))
    explained, unexplained = explain([difference], [REASON, replace(REASON, region="*")])
    assert ([found for _, found in explained], unexplained) == ([[difference], []], [])


def test_a_summary_counts_every_pair_once_and_names_stale_rows() -> None:
    """Three pairs: equal; ours (1) beside another (2), explained; none there, unexplained. One row is left over."""
    theirs = verdict({GOV: {"5"}, EAST: {"1", "2"}})
    agreed, different = compare(theirs, {GOV: Decimal(5), EAST: Decimal(1), WEST: Decimal(7)})
    stale = replace(REASON, kind=MISSING_HERE, why="long ago")
    explained, unexplained = explain(different, [REASON, stale])
    outcome = Outcome([theirs], {"peer": agreed}, explained, unexplained, {"aws": DAY, "azure": DAY})
    text = as_markdown(outcome)
    assert outcome.stale == [stale]
    assert "| peer 1.0 | aws | 3 | 1 | 1 | 0 | 1 | 0 | 1 |" in text
    assert "- peer, aws west p9.big, missing there: theirs None, ours 7" in text
    assert "long ago" in text


def test_every_row_of_the_table_says_why_and_who_says_so() -> None:
    """No reason without its words and its source, and only the three kinds."""
    rows = read_reasons()
    assert all(row.why and row.source for row in rows)
    assert {row.kind for row in rows} <= {MISSING_THERE, MISSING_HERE, OTHER_PRICE}
