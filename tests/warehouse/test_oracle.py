"""The oracle against histories worked by hand: the judge is judged first."""

import pytest

from tests.warehouse import oracle
from tests.warehouse.oracle import Fetch, History
from tests.warehouse.timelines import TIMELINES, USD, at, price, rejected, whole


@pytest.mark.parametrize("name", TIMELINES)
def test_the_oracle_tells_the_history_worked_by_hand(name: str) -> None:
    """Rows and effective statuses are those worked out from the words beside the timeline."""
    timeline = TIMELINES[name]
    told = oracle.history(timeline.fetches, timeline.accepted)
    assert told.intervals == frozenset(timeline.rows)
    assert statuses(told, timeline.fetches) == timeline.statuses.split()


@pytest.mark.parametrize("name", TIMELINES)
def test_the_order_of_fetches_means_nothing_to_the_oracle(name: str) -> None:
    """The oracle is a function of the set of fetches and decisions."""
    timeline = TIMELINES[name]
    told = oracle.history(timeline.fetches, timeline.accepted)
    backwards = [*reversed(timeline.fetches), *timeline.fetches]
    assert oracle.history(backwards, reversed(timeline.accepted)) == told


def test_every_record_has_one_account() -> None:
    """Ten distinct records: 4 loaded (two of a pair), 1 duplicate, 2 excluded, 3 rejected (a conflict and a reject)."""
    pair = price("c", "3", upfront="100")
    records = (
        price("a", "1"),
        price("a", "1.0"),  # duplicate of a
        price("b", "2"),
        pair,
        {**pair, "reason": "upfront"},
        price("d", "4"),
        price("d", "5"),  # in conflict
        rejected("b"),
        price("e", "6", outcome="excluded", reason="Dedicated"),
        price("a", "2", outcome="announced", start="2026-04-01T00:00:00Z"),
    )
    (observation,) = oracle.history([whole(at(1), *records, *records[:3])]).observations
    account = (observation.loaded, observation.duplicates, observation.excluded, observation.rejected)
    assert account == (4, 1, 2, 3)
    assert observation.records == 10
    assert observation.exclusions == (("Dedicated", 1), ("announced", 1))
    assert observation.keys == 4  # a, b, c priced, d in conflict


def statuses(told: History, fetches: tuple[Fetch, ...]) -> list[str]:
    """Effective statuses, in the order of history."""
    found = {(row.scope, row.observed_at): row.effective_status for row in told.observations}
    return [found[fetch.scope, fetch.observed_at] for fetch in oracle.set_of(fetches)]


def test_a_reject_is_kept_once_with_its_first_and_last_sighting() -> None:
    """That of `a` is seen on days 1 and 3, and the complete fetch of day 4 lacks it; that of `c` is in it."""
    fetches = [
        whole(at(1), rejected("a")),
        whole(at(2), a="1"),
        whole(at(3), rejected("a")),
        whole(at(4), rejected("c"), a="1"),
        Fetch(USD, at(5), "failed"),
    ]
    told = oracle.history(fetches)
    assert {(row.first_seen_at, row.last_seen_at) for row in told.rejects} == {(at(1), at(3)), (at(4), None)}


def test_a_reject_stands_until_a_complete_fetch_lacks_it() -> None:
    """The unreadable reject of day 2 makes that fetch partial, and what a partial fetch lacks means nothing."""
    told = oracle.history([whole(at(1), rejected("a")), whole(at(2), rejected(None), a="1")])
    assert {(row.first_seen_at, row.last_seen_at) for row in told.rejects} == {(at(1), None), (at(2), None)}
