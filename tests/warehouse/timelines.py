"""Histories worked by hand, each beside the words of the definitions that decide it.

They are judged twice: `test_oracle.py` holds the oracle to them, `test_history_timelines.py` the warehouse. Days are
days of March 2026, UTC. Prices are US dollars an hour.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from tests.warehouse.oracle import Fetch, Interval, Record

USD = "place/USD"


@dataclass(frozen=True)
class Timeline:
    """Fetches, decisions, and the rows and effective statuses (in the order of history) they must come to."""

    words: str
    fetches: tuple[Fetch, ...]
    rows: tuple[Interval, ...]
    statuses: str
    accepted: tuple[tuple[str, datetime], ...] = ()

    def moved_to(self, place: str) -> "Timeline":
        """The same in scopes of its own, so that all timelines can lie in one landing folder."""
        return Timeline(
            self.words,
            tuple(replace(fetch, scope=fetch.scope.replace("place", place)) for fetch in self.fetches),
            tuple(replace(row, scope=row.scope.replace("place", place)) for row in self.rows),
            self.statuses,
            tuple((scope.replace("place", place), observed_at) for scope, observed_at in self.accepted),
        )


def at(day: int, hour: int = 0, minute: int = 0, second: int = 0) -> datetime:
    """A moment of March 2026."""
    return datetime(2026, 3, day, hour, minute, second, tzinfo=UTC)


def price(key: str, amount: str, **more: object) -> Record:
    """A plain record: `key` costs `amount` an hour."""
    return {"key": key, "price": amount, **more}


def rejected(key: str | None) -> Record:
    """A record that can't be used; its key may still be readable."""
    return {"key": key, "outcome": "rejected", "reason": "unit"}


def whole(observed_at: datetime, *records: Record, scope: str = USD, **prices: str) -> Fetch:
    """A complete fetch."""
    return Fetch(scope, observed_at, "complete", (*records, *(price(key, amount) for key, amount in prices.items())))


def part(observed_at: datetime, *records: Record, **prices: str) -> Fetch:
    """A fetch that ended early."""
    return Fetch(USD, observed_at, "partial", whole(observed_at, *records, **prices).records)


def version(published_at: datetime, observed_at: datetime, status: str = "complete", **prices: str) -> Fetch:
    """A look at the version of a price list that was published then."""
    records = tuple(price(key, amount) for key, amount in prices.items())
    return Fetch(USD, observed_at, status, records, f"{published_at:%Y%m%d%H%M%S}", published_at)


def row(key: str, amount: str, valid_from: datetime, valid_to: datetime | None = None, **more: Any) -> Interval:
    """A row of `price_intervals`: seen when it began, in the last complete look, and open, unless said otherwise."""
    plain: dict[str, Any] = {
        "scope": USD,
        "valid_from_basis": "observed",
        "provider_effective_date": None,
        "missing_since": None,
        "first_seen_at": valid_from,
        "last_seen_at": None,
        "partial_seen_at": None,
        "close_reason": "",
        "closed_known_at": None,
        "rate_id": "",
    }
    return Interval(
        key=key, price=(Decimal(amount), Decimal(0)), valid_from=valid_from, valid_to=valid_to, **plain | more
    )


def many(lowest: int, highest: int) -> dict[str, str]:
    """As many offers as the rule of "over half and at least 20" needs: k01, k02, ..."""
    return {f"k{number:02}": "1" for number in range(lowest, highest + 1)}


def rows_of(offers: Mapping[str, str], valid_from: datetime, **more: Any) -> tuple[Interval, ...]:
    """One row for each of many offers."""
    return tuple(row(key, amount, valid_from, **more) for key, amount in offers.items())


B_ALL_ALONG = row("b", "2", at(1))  # the offer that is always there, so that no fetch lacks all

ABSENCE = {
    "present_at_the_same_price": Timeline(
        "present, same price: nothing is written. last_seen_at of an open row is its scope's last complete observation",
        (whole(at(1), a="1.5"), whole(at(2), a="1.50"), whole(at(3), a="1.5")),
        (row("a", "1.5", at(1)),),
        "complete complete complete",
    ),
    "present_at_a_new_price": Timeline(
        "present, new price: the open row's valid_to becomes the new row's valid_from (a ten-billionth is a new price)",
        (whole(at(1), a="1.5"), whole(at(2), a="1.5000000001")),
        (
            row("a", "1.5", at(1), at(2), last_seen_at=at(1), close_reason="changed", closed_known_at=at(2)),
            row("a", "1.5000000001", at(2)),
        ),
        "complete complete",
    ),
    "absent_from_one_fetch": Timeline(
        "one missed fetch is no news: until then the row stays and missing_since says so",
        (whole(at(1), a="1", b="2"), whole(at(2), b="2")),
        (row("a", "1", at(1), missing_since=at(2), last_seen_at=at(1)), B_ALL_ALONG),
        "complete complete",
    ),
    "absent_for_just_under_20_hours": Timeline(
        "closed once complete observations have lacked it over at least 20 hours: 00:00:00 to 19:59:59 is less",
        (whole(at(1), a="1", b="2"), whole(at(2), b="2"), whole(at(2, 19, 59, 59), b="2")),
        (row("a", "1", at(1), missing_since=at(2), last_seen_at=at(1)), B_ALL_ALONG),
        "complete complete complete",
    ),
    "absent_for_20_hours_exactly": Timeline(
        "closed once complete observations have lacked it over at least 20 hours, at the start of that span",
        (whole(at(1), a="1", b="2"), whole(at(2), b="2"), whole(at(2, 20), b="2")),
        (
            row("a", "1", at(1), at(2), last_seen_at=at(1), close_reason="absent", closed_known_at=at(2, 20)),
            B_ALL_ALONG,
        ),
        "complete complete complete",
    ),
    "absent_from_many_fetches": Timeline(
        "the span runs from the first fetch that lacked it, however many follow: 10 + 10 hours",
        (whole(at(1), a="1", b="2"), *(whole(at(2, hour), b="2") for hour in (0, 10, 20, 22))),
        (
            row("a", "1", at(1), at(2), last_seen_at=at(1), close_reason="absent", closed_known_at=at(2, 20)),
            B_ALL_ALONG,
        ),
        "complete " * 5,
    ),
    "back_before_20_hours": Timeline(
        "a sighting ends a span of absence: one row, as for the 23 Azure offers that were back after 5 to 12 hours",
        (whole(at(1), a="1", b="2"), whole(at(2), b="2"), whole(at(2, 12), a="1", b="2"), whole(at(3), b="2")),
        (row("a", "1", at(1), missing_since=at(3), last_seen_at=at(2, 12)), B_ALL_ALONG),
        "complete " * 4,
    ),
    "back_before_20_hours_at_another_price": Timeline(
        "present, new price: the open row's valid_to becomes the new row's valid_from, missing in between or not",
        (whole(at(1), a="1", b="2"), whole(at(2), b="2"), whole(at(2, 12), a="3", b="2")),
        (
            row("a", "1", at(1), at(2, 12), last_seen_at=at(1), close_reason="changed", closed_known_at=at(2, 12)),
            row("a", "3", at(2, 12)),
            B_ALL_ALONG,
        ),
        "complete " * 3,
    ),
    "back_after_closing": Timeline(
        "back after closing: a new row; the gap stays a gap",
        (whole(at(1), a="1", b="2"), whole(at(2), b="2"), whole(at(3), b="2"), whole(at(4), a="1", b="2")),
        (
            row("a", "1", at(1), at(2), last_seen_at=at(1), close_reason="absent", closed_known_at=at(3)),
            row("a", "1", at(4)),
            B_ALL_ALONG,
        ),
        "complete " * 4,
    ),
}

PARTIAL = {
    "a_partial_fetch_closes_nothing": Timeline(
        "Partial fetch: opens and changes rows, nothing else. An absence means nothing, over days too",
        (whole(at(1), a="1", b="2"), part(at(2), b="2"), part(at(4), b="2"), part(at(6), b="2")),
        (row("a", "1", at(1)), row("b", "2", at(1), partial_seen_at=at(6))),
        "complete partial partial partial",
    ),
    "a_partial_fetch_opens_and_changes": Timeline(
        "Partial fetch: opens and changes rows; last_seen_at is the last real sighting until a complete fetch shows it",
        (whole(at(1), a="1"), part(at(2), a="3", c="4"), part(at(3), c="4")),
        (
            row("a", "1", at(1), at(2), last_seen_at=at(1), close_reason="changed", closed_known_at=at(2)),
            row("a", "3", at(2), last_seen_at=at(2)),
            row("c", "4", at(2), last_seen_at=at(3)),
        ),
        "complete partial partial",
    ),
    "a_price_that_comes_back_in_a_partial_fetch": Timeline(
        "last_seen_at is about the row: 1, 3, 1 are three rows, and the third was not in the last complete observation",
        (whole(at(1), a="1"), part(at(2), a="3"), part(at(3), a="1")),
        (
            row("a", "1", at(1), at(2), last_seen_at=at(1), close_reason="changed", closed_known_at=at(2)),
            row("a", "3", at(2), at(3), last_seen_at=at(2), close_reason="changed", closed_known_at=at(3)),
            row("a", "1", at(3), last_seen_at=at(3)),
        ),
        "complete partial partial",
    ),
    "a_sighting_in_a_partial_fetch_ends_an_absence": Timeline(
        "A sighting, in a partial fetch too, ends a span of absence: 12 hours since, not 30",
        (
            whole(at(1), a="1", b="2"),
            whole(at(2), b="2"),
            part(at(2, 12), a="1"),
            whole(at(2, 18), b="2"),
            whole(at(3, 6), b="2"),
        ),
        (row("a", "1", at(1), missing_since=at(2, 18), last_seen_at=at(2, 12)), B_ALL_ALONG),
        "complete complete partial complete complete",
    ),
    "a_failed_fetch_takes_no_part": Timeline(
        "A failed attempt has as_of = observed_at, no body, no part in the fold",
        (whole(at(1), a="1"), Fetch(USD, at(2), "failed"), Fetch(USD, at(4), "failed"), whole(at(5), a="1")),
        (row("a", "1", at(1)),),
        "complete failed failed complete",
    ),
    "only_complete_fetches_span_an_absence": Timeline(
        "complete observations have lacked it over at least 20 hours: the partial one of day 3 adds nothing to day 2",
        (whole(at(1), a="1", b="2"), whole(at(2), b="2"), part(at(3), b="2")),
        (row("a", "1", at(1), missing_since=at(2), last_seen_at=at(1)), row("b", "2", at(1), partial_seen_at=at(3))),
        "complete complete partial",
    ),
}

UNKNOWN = {
    "a_conflict_is_no_price": Timeline(
        "same key, different price = both rejected, the open row kept: 1, conflict, 1 is one row",
        (whole(at(1), a="1"), whole(at(2), price("a", "1"), price("a", "3")), whole(at(3), a="1")),
        (row("a", "1", at(1)),),
        "complete complete complete",
    ),
    "a_conflict_neither_extends_nor_opens": Timeline(
        "rejected or in conflict: unknown; neither closes nor extends. last_seen_at: else its last real sighting",
        (whole(at(1), a="1"), whole(at(2), price("a", "1"), price("a", "3"), price("c", "4"), price("c", "5"))),
        (row("a", "1", at(1), last_seen_at=at(1)),),
        "complete complete",
    ),
    "a_conflict_ends_an_absence": Timeline(
        "a sighting ends a span of absence, and so does a reject or conflict whose key can be read",
        (
            whole(at(1), a="1", b="2"),
            whole(at(2), b="2"),
            whole(at(2, 12), price("a", "1"), price("a", "3"), b="2"),
            whole(at(3), b="2"),
        ),
        (row("a", "1", at(1), missing_since=at(3), last_seen_at=at(1)), B_ALL_ALONG),
        "complete " * 4,
    ),
    "a_reject_with_a_readable_key_ends_an_absence": Timeline(
        "a sighting ends a span of absence, and so does a reject or conflict whose key can be read",
        (
            whole(at(1), a="1", b="2"),
            whole(at(2), b="2"),
            whole(at(3), rejected("a"), b="2"),
            whole(at(4), b="2"),
            whole(at(4, 19), b="2"),
        ),
        (row("a", "1", at(1), missing_since=at(4), last_seen_at=at(1)), B_ALL_ALONG),
        "complete " * 5,
    ),
    "a_reject_beside_a_good_price": Timeline(
        "priced: exactly one price among its price rows, whatever else of the key was rejected",
        (whole(at(1), a="1"), whole(at(2), rejected("a"), price("a", "3"))),
        (
            row("a", "1", at(1), at(2), last_seen_at=at(1), close_reason="changed", closed_known_at=at(2)),
            row("a", "3", at(2)),
        ),
        "complete complete",
    ),
    "an_unreadable_reject_makes_a_fetch_partial": Timeline(
        "partial because an unreadable row's key can't be told: it may be a's, so a is not absent",
        (whole(at(1), a="1", b="2"), whole(at(2), rejected(None), b="2"), whole(at(4), rejected(None), b="2")),
        (row("a", "1", at(1)), row("b", "2", at(1), partial_seen_at=at(4))),
        "complete partial partial",
    ),
    "excluded_and_announced_are_no_sighting": Timeline(
        "ended and impossible windows are excluded with a reason, future ones go to announced_prices: neither is seen",
        (
            whole(at(1), a="1", b="2", c="3"),
            whole(
                at(2),
                price("a", "1", outcome="excluded", reason="ended"),
                price("c", "4", outcome="announced", start="2026-04-01T00:00:00Z"),
                b="2",
            ),
        ),
        (
            row("a", "1", at(1), missing_since=at(2), last_seen_at=at(1)),
            row("c", "3", at(1), missing_since=at(2), last_seen_at=at(1)),
            B_ALL_ALONG,
        ),
        "complete complete",
    ),
}

HELD = {
    "a_fetch_that_lacks_all_is_held": Timeline(
        "held: a complete fetch that lacks all of the keys open in its scope at that point: read as partial",
        (whole(at(1), a="1", b="2"), whole(at(2)), whole(at(3))),
        (row("a", "1", at(1)), row("b", "2", at(1))),
        "complete held held",
    ),
    "a_held_fetch_still_opens": Timeline(
        "held: read as partial: opens and changes rows; then c is open too, and its next fetch lacks only half",
        (whole(at(1), a="1"), whole(at(2), c="3"), whole(at(3), c="3")),
        (row("a", "1", at(1), missing_since=at(3), last_seen_at=at(1)), row("c", "3", at(2))),
        "complete held complete",
    ),
    "an_empty_scope_holds_nothing": Timeline(
        "all of the keys open: where none is open, an empty fetch lacks nothing",
        (whole(at(1)), whole(at(2)), whole(at(3), a="1")),
        (row("a", "1", at(3)),),
        "complete complete complete",
    ),
    "unknown_keys_are_not_lacking": Timeline(
        "a reject is not an absence: a fetch of nothing but a reject of the one open key lacks none of them",
        (whole(at(1), a="1"), whole(at(2), rejected("a"))),
        (row("a", "1", at(1), last_seen_at=at(1)),),
        "complete complete",
    ),
    "over_half_and_20_are_held": Timeline(
        "over half and at least 20 of the keys open: 20 of 39 (2 x 20 = 40 > 39)",
        (whole(at(1), **many(1, 39)), whole(at(2), **many(21, 39))),
        (*rows_of(many(1, 20), at(1)), *rows_of(many(21, 39), at(1), partial_seen_at=at(2))),
        "complete held",
    ),
    "half_is_not_over_half": Timeline(
        "over half: 20 of 40 is half",
        (whole(at(1), **many(1, 40)), whole(at(2), **many(21, 40))),
        (*rows_of(many(1, 20), at(1), missing_since=at(2), last_seen_at=at(1)), *rows_of(many(21, 40), at(1))),
        "complete complete",
    ),
    "over_half_but_19_are_not_held": Timeline(
        "at least 20: 19 of 37 is over half, but 19 (52 of 93 AWS locations sell one GPU type: a share alone fails)",
        (whole(at(1), **many(1, 37)), whole(at(2), **many(20, 37))),
        (*rows_of(many(1, 19), at(1), missing_since=at(2), last_seen_at=at(1)), *rows_of(many(20, 37), at(1))),
        "complete complete",
    ),
    "three_over_72_hours_release": Timeline(
        "Released by three complete fetches over 72 hours with the same set of keys. That manifest and every held one "
        "since the run began count as complete from their own times",
        (whole(at(1), a="1", b="2"), whole(at(2)), whole(at(3)), whole(at(5))),
        (
            row("a", "1", at(1), at(2), last_seen_at=at(1), close_reason="absent", closed_known_at=at(3)),
            row("b", "2", at(1), at(2), last_seen_at=at(1), close_reason="absent", closed_known_at=at(3)),
        ),
        "complete complete complete complete",
    ),
    "two_over_72_hours_do_not_release": Timeline(
        "three complete fetches: two are too few, however far apart",
        (whole(at(1), a="1"), whole(at(2)), whole(at(9))),
        (row("a", "1", at(1)),),
        "complete held held",
    ),
    "three_over_less_than_72_hours_do_not_release": Timeline(
        "over 72 hours: from day 2, 00:00:00, to day 4, 23:59:59, is a second less",
        (whole(at(1), a="1"), whole(at(2)), whole(at(3)), whole(at(4, 23, 59, 59))),
        (row("a", "1", at(1)),),
        "complete held held held",
    ),
    "another_set_of_keys_begins_the_count_anew": Timeline(
        "with the same set of keys: the third of day 6 shows c as well, so three alike are not yet there",
        (
            whole(at(1), **many(1, 40)),
            whole(at(2), **many(30, 40)),
            whole(at(4), **many(30, 40)),
            whole(at(6), **many(31, 40)),
            whole(at(8), **many(31, 40)),
        ),
        (
            *rows_of(many(1, 29), at(1)),
            row("k30", "1", at(1), partial_seen_at=at(4)),
            *rows_of(many(31, 40), at(1), partial_seen_at=at(8)),
        ),
        "complete held held held held",
    ),
    "partial_and_failed_fetches_do_not_interrupt_a_held_run": Timeline(
        "three complete fetches over 72 hours: a partial and a failed one between them say nothing",
        (
            whole(at(1), a="1"),
            whole(at(2)),
            part(at(2, 12)),
            whole(at(3)),
            Fetch(USD, at(4), "failed"),
            whole(at(5)),
        ),
        (row("a", "1", at(1), at(2), last_seen_at=at(1), close_reason="absent", closed_known_at=at(3)),),
        "complete complete partial complete failed complete",
    ),
    "what_is_back_before_the_release_was_only_missing": Timeline(
        "a complete fetch that shows a ends the run: the two held ones before it stay partial",
        (whole(at(1), a="1"), whole(at(2)), whole(at(3)), whole(at(3, 1), a="1"), whole(at(5))),
        (row("a", "1", at(1)),),
        "complete held held complete held",
    ),
    "an_accepted_fetch_counts_with_the_run_before_it": Timeline(
        "Released by accept: that manifest and every held one since the run began count as complete from their own "
        "times",
        (whole(at(1), a="1"), whole(at(2)), whole(at(2, 20))),
        (row("a", "1", at(1), at(2), last_seen_at=at(1), close_reason="absent", closed_known_at=at(2, 20)),),
        "complete complete complete",
        ((USD, at(2, 20)),),
    ),
    "an_accepted_fetch_alone_is_one_absence": Timeline(
        "count as complete from their own times: the accepted one is the first that lacks a; the next is held again",
        (whole(at(1), a="1"), whole(at(2)), whole(at(3))),
        (row("a", "1", at(1), missing_since=at(2), last_seen_at=at(1)),),
        "complete complete held",
        ((USD, at(2)),),
    ),
    "a_change_in_a_held_fetch_counts_from_its_own_time": Timeline(
        "count as complete from their own times: a start is judged against the released look of day 2",
        (
            whole(at(1), a="1"),
            whole(at(2), c="3"),
            whole(at(3), price("c", "4", start="2026-03-01T12:00:00Z"), a="1"),
        ),
        (
            row("a", "1", at(1)),
            row("c", "3", at(2), at(3), last_seen_at=at(2), close_reason="changed", closed_known_at=at(3)),
            row("c", "4", at(3), provider_effective_date=at(1, 12)),
        ),
        "complete complete complete",
        ((USD, at(2)),),
    ),
    "accepting_what_is_not_held_changes_nothing": Timeline(
        "accept names the latest held manifest: named where nothing is held, it says nothing",
        (whole(at(1), a="1", b="2"), whole(at(2), b="2"), part(at(3)), whole(at(4))),
        (
            row("a", "1", at(1), missing_since=at(2), last_seen_at=at(1)),
            B_ALL_ALONG,
        ),
        "complete complete partial held",
        ((USD, at(2)), (USD, at(3)), ("place/CNY", at(4))),
    ),
}

STARTS = {
    "before_our_first_look_a_start_is_not_believed": Timeline(
        "before our first look it would fill the past with only the prices that never changed",
        (whole(at(5), price("a", "1", start="2026-03-02T00:00:00Z")),),
        (row("a", "1", at(5), provider_effective_date=at(2)),),
        "complete",
    ),
    "before_our_first_complete_look_too": Timeline(
        "it lies after the previous complete look: where there was none, valid_from is the first sighting",
        (part(at(4), b="2"), whole(at(5), price("a", "1", start="2026-03-04T12:00:00Z"), b="2")),
        (row("a", "1", at(5), provider_effective_date=at(4, 12)), row("b", "2", at(4))),
        "partial complete",
    ),
    "a_start_between_two_looks_is_the_boundary": Timeline(
        "it becomes valid_from if it lies after the previous complete look and not after the first sighting",
        (
            whole(at(1), a="1"),
            whole(at(3), price("a", "2", start="2026-03-02T07:00:00Z"), price("c", "4", start="2026-03-03T00:00:00Z")),
        ),
        (
            row("a", "1", at(1), at(2, 7), last_seen_at=at(1), close_reason="changed", closed_known_at=at(3)),
            row(
                "a",
                "2",
                at(2, 7),
                valid_from_basis="window",
                provider_effective_date=at(2, 7),
                first_seen_at=at(3),
            ),
            row("c", "4", at(3), valid_from_basis="window", provider_effective_date=at(3)),
        ),
        "complete complete",
    ),
    "a_start_at_or_before_the_previous_look_contradicts_it": Timeline(
        "after the previous complete look: at it, or before it, we saw that it was not so",
        (
            whole(at(1), b="2"),
            whole(at(2), b="2"),
            whole(
                at(3),
                price("a", "1", start="2026-03-02T00:00:00Z"),
                price("c", "1", start="2026-03-01T12:00:00Z"),
                price("d", "1", start="2026-03-02T00:00:01Z"),
                b="2",
            ),
        ),
        (
            row("a", "1", at(3), provider_effective_date=at(2)),
            row("c", "1", at(3), provider_effective_date=at(1, 12)),
            row(
                "d",
                "1",
                at(2, 0, 0, 1),
                valid_from_basis="window",
                provider_effective_date=at(2, 0, 0, 1),
                first_seen_at=at(3),
            ),
            B_ALL_ALONG,
        ),
        "complete complete complete",
    ),
    "a_start_before_the_last_sighting_contradicts_it": Timeline(
        "after both the previous complete look and the preceding row's last sighting: the partial fetch of day 2 saw 1",
        (
            whole(at(1), a="1", b="1"),
            part(at(2), a="1", b="1"),
            whole(
                at(3),
                price("a", "2", start="2026-03-01T12:00:00Z"),
                price("b", "2", start="2026-03-02T12:00:00Z"),
            ),
        ),
        (
            row("a", "1", at(1), at(3), last_seen_at=at(2), close_reason="changed", closed_known_at=at(3)),
            row("a", "2", at(3), provider_effective_date=at(1, 12)),
            row("b", "1", at(1), at(2, 12), last_seen_at=at(2), close_reason="changed", closed_known_at=at(3)),
            row(
                "b",
                "2",
                at(2, 12),
                valid_from_basis="window",
                provider_effective_date=at(2, 12),
                first_seen_at=at(3),
            ),
        ),
        "complete partial complete",
    ),
    "a_start_after_the_sighting_is_not_believed": Timeline(
        "not after the first sighting",
        (whole(at(1), a="1"), whole(at(3), price("a", "2", start="2026-03-03T00:00:01Z"))),
        (
            row("a", "1", at(1), at(3), last_seen_at=at(1), close_reason="changed", closed_known_at=at(3)),
            row("a", "2", at(3), provider_effective_date=at(3, 0, 0, 1)),
        ),
        "complete complete",
    ),
    "a_start_may_reach_across_a_partial_look": Timeline(
        "after the previous complete look: a partial one that lacked c on day 2 says nothing about it",
        (
            whole(at(1), b="2"),
            part(at(2), b="2"),
            whole(at(3), price("c", "4", start="2026-03-01T12:00:00Z"), b="2"),
        ),
        (
            B_ALL_ALONG,
            row(
                "c",
                "4",
                at(1, 12),
                valid_from_basis="window",
                provider_effective_date=at(1, 12),
                first_seen_at=at(3),
            ),
        ),
        "complete partial complete",
    ),
    "a_row_keeps_what_its_first_sighting_said": Timeline(
        "the ids and the start kept on a row are those of its first sighting, of the first of equal-priced records",
        (
            whole(at(1), price("a", "1", n=7), price("a", "1", n=5)),
            whole(at(2), price("a", "1", n=1, start="2026-03-01T12:00:00Z")),
        ),
        (row("a", "1", at(1), rate_id="5"),),
        "complete complete",
    ),
}


def published(key: str, amount: str, valid_from: datetime, valid_to: datetime | None = None, **more: Any) -> Interval:
    """A row whose `valid_from` is the publication time of a version."""
    return row(key, amount, valid_from, valid_to, valid_from_basis="published", **more)


VERSIONS = {
    "valid_from_is_the_publication_time": Timeline(
        "valid_from: AWS, publication time of the first version that carries the price",
        (
            version(at(1), at(1, 9), a="1"),
            version(at(2), at(2, 9), a="3"),
            version(at(3), at(3, 9), a="3"),
        ),
        (
            published(
                "a",
                "1",
                at(1),
                at(2),
                first_seen_at=at(1, 9),
                last_seen_at=at(1, 9),
                close_reason="changed",
                closed_known_at=at(2, 9),
            ),
            published("a", "3", at(2), first_seen_at=at(2, 9)),
        ),
        "complete complete complete",
    ),
    "one_version_in_force_for_20_hours": Timeline(
        "one version in force for 20 hours suffices: seen again at 20:00, it still lacks a",
        (
            version(at(1), at(1, 9), a="1", b="2"),
            version(at(2), at(2, 9), b="2"),
            version(at(2), at(2, 20), b="2"),
        ),
        (
            published(
                "a",
                "1",
                at(1),
                at(2),
                first_seen_at=at(1, 9),
                last_seen_at=at(1, 9),
                close_reason="absent",
                closed_known_at=at(2, 20),
            ),
            published("b", "2", at(1), first_seen_at=at(1, 9)),
        ),
        "complete complete complete",
    ),
    "one_version_not_yet_in_force_for_20_hours": Timeline(
        "at least 20 hours: at 19:59:59 the version has spoken for a second less",
        (version(at(1), at(1, 9), a="1", b="2"), version(at(2), at(2, 19, 59, 59), b="2")),
        (
            published("a", "1", at(1), missing_since=at(2), first_seen_at=at(1, 9), last_seen_at=at(1, 9)),
            published("b", "2", at(1), first_seen_at=at(1, 9)),
        ),
        "complete complete",
    ),
    "a_version_speaks_until_the_next_one": Timeline(
        "A versioned file speaks from its publication to the next one's: day 2, 00:00 to 20:00, seen once at 09:00; so "
        "a was gone, and is back in a new row",
        (
            version(at(1), at(1, 9), a="1", b="2"),
            version(at(2), at(2, 9), b="2"),
            version(at(2, 20), at(3, 9), a="1", b="2"),
        ),
        (
            published(
                "a",
                "1",
                at(1),
                at(2),
                first_seen_at=at(1, 9),
                last_seen_at=at(1, 9),
                close_reason="absent",
                closed_known_at=at(3, 9),
            ),
            published("a", "1", at(2, 20), first_seen_at=at(3, 9)),
            published("b", "2", at(1), first_seen_at=at(1, 9)),
        ),
        "complete complete complete",
    ),
    "a_version_replaced_before_20_hours": Timeline(
        "speaks from its publication to the next one's: that of day 2 was in force for 19:59:59, a stays one row",
        (
            version(at(1), at(1, 9), a="1", b="2"),
            version(at(2), at(2, 9), b="2"),
            version(at(2, 19, 59, 59), at(3, 9), a="1", b="2"),
        ),
        (published("a", "1", at(1), first_seen_at=at(1, 9)), published("b", "2", at(1), first_seen_at=at(1, 9))),
        "complete complete complete",
    ),
    "old_versions_looked_at_late": Timeline(
        "speaks from its publication to the next one's, not to the day we looked: in force for two hours, a is no news",
        (
            version(at(1), at(20, 1), a="1", b="2"),
            version(at(2), at(20, 2), b="2"),
            version(at(2, 2), at(20, 3), a="1", b="2"),
        ),
        (
            row("a", "1", at(1), valid_from_basis="backfilled", first_seen_at=at(20, 1)),
            row("b", "2", at(1), valid_from_basis="backfilled", first_seen_at=at(20, 1)),
        ),
        "complete complete complete",
    ),
    "a_backfilled_version_takes_its_place": Timeline(
        "History of a scope is the fold of its manifests in the order (as_of, observed_at): the version of day 2 was "
        "fetched last, and the price moved on day 2",
        (
            version(at(1), at(1, 9), a="1"),
            version(at(3), at(3, 9), a="3"),
            version(at(2), at(9), a="3"),
        ),
        (
            published(
                "a",
                "1",
                at(1),
                at(2),
                first_seen_at=at(1, 9),
                last_seen_at=at(1, 9),
                close_reason="changed",
                closed_known_at=at(9),
            ),
            row("a", "3", at(2), valid_from_basis="backfilled", first_seen_at=at(3, 9)),
        ),
        "complete complete complete",
    ),
    "two_bodies_of_one_version": Timeline(
        "a row whose valid_to = its valid_from held for no time and is dropped: the version's later body counts",
        (
            version(at(1), at(1, 9), a="1"),
            version(at(2), at(2, 9), a="3"),
            version(at(2), at(2, 10), a="4"),
        ),
        (
            published(
                "a",
                "1",
                at(1),
                at(2),
                first_seen_at=at(1, 9),
                last_seen_at=at(1, 9),
                close_reason="changed",
                closed_known_at=at(2, 9),
            ),
            published("a", "4", at(2), first_seen_at=at(2, 10)),
        ),
        "complete complete complete",
    ),
    "a_version_first_seen_in_part": Timeline(
        "among the looks at a version one complete is enough for it to speak; an offer new in it begins with it",
        (
            version(at(1), at(1, 9), a="1", b="2"),
            version(at(2), at(2, 9), "partial", b="2"),
            version(at(2), at(2, 10), b="2", c="3"),
            version(at(3), at(3, 9), b="2", c="3"),
        ),
        (
            published(
                "a",
                "1",
                at(1),
                at(2),
                first_seen_at=at(1, 9),
                last_seen_at=at(1, 9),
                close_reason="absent",
                closed_known_at=at(3, 9),
            ),
            published("b", "2", at(1), first_seen_at=at(1, 9)),
            published("c", "3", at(2), first_seen_at=at(2, 10)),
        ),
        "complete partial complete complete",
    ),
    "a_version_seen_in_part_only": Timeline(
        "Partial fetch: an absence means nothing, so the version of day 2 doesn't speak and a is missing since day 3",
        (
            version(at(1), at(1, 9), a="1", b="2"),
            version(at(2), at(2, 9), "partial", b="2"),
            version(at(3), at(3, 9), b="2"),
        ),
        (
            published("a", "1", at(1), missing_since=at(3), first_seen_at=at(1, 9), last_seen_at=at(1, 9)),
            published("b", "2", at(1), first_seen_at=at(1, 9)),
        ),
        "complete partial complete",
    ),
    "a_clock_that_runs_behind": Timeline(
        "as_of orders history: publication time, though our clock said an hour before it",
        (version(at(1), at(1, 9), a="1"), version(at(2), at(1, 23), a="3")),
        (
            published(
                "a",
                "1",
                at(1),
                at(2),
                first_seen_at=at(1, 9),
                last_seen_at=at(1, 9),
                close_reason="changed",
                closed_known_at=at(1, 23),
            ),
            published("a", "3", at(2), first_seen_at=at(1, 23)),
        ),
        "complete complete",
    ),
    "held_looks_at_one_version_release": Timeline(
        "three complete fetches over 72 hours of observed_at with the same set of keys (unchanged ones count)",
        (
            version(at(1), at(1, 9), a="1"),
            version(at(2), at(2, 9)),
            version(at(2), at(3, 9)),
            version(at(2), at(5, 9)),
        ),
        (
            published(
                "a",
                "1",
                at(1),
                at(2),
                first_seen_at=at(1, 9),
                last_seen_at=at(1, 9),
                close_reason="absent",
                closed_known_at=at(3, 9),
            ),
        ),
        "complete complete complete complete",
    ),
}

SCOPES = {
    "two_currencies_of_one_region": Timeline(
        "A fetch speaks for its own scope only: without currency in it, a CNY fetch would close every USD row",
        (
            whole(at(1), a="1"),
            whole(at(1), scope="place/CNY", a="7"),
            whole(at(2), scope="place/CNY", a="7"),
            whole(at(4), scope="place/CNY", a="8"),
        ),
        (
            row("a", "1", at(1)),
            row(
                "a",
                "7",
                at(1),
                at(4),
                scope="place/CNY",
                last_seen_at=at(2),
                close_reason="changed",
                closed_known_at=at(4),
            ),
            row("a", "8", at(4), scope="place/CNY"),
        ),
        "complete complete complete complete",
    ),
}

_ALL = ABSENCE | PARTIAL | UNKNOWN | HELD | STARTS | VERSIONS | SCOPES
TIMELINES = {name: timeline.moved_to(name) for name, timeline in _ALL.items()}
