"""What changed, when it held and when we knew; what is news and what isn't."""

from decimal import Decimal
from typing import Any

import pytest

from tests.warehouse.price_rows import START, Row, announced, azure, day, fetch, price, published

Event = tuple[str, object, object]


def chain(*prices: tuple[str, float], **words: object) -> list[Row]:
    """Prices that follow each other without a gap, each from its day on; each was known by the fetch of that day."""
    rows = []
    for (hourly, begins), (_, ends) in zip(prices, [*prices[1:], ("", -1)], strict=True):
        ended: Row = (
            {"valid_to": day(ends), "close_reason": "changed", "closed_known_at": day(ends)} if ends >= 0 else {}
        )
        rows.append(price(hourly, valid_from=day(begins), **(ended | words)))
    return rows


def looks(*days: float, **words: object) -> list[Row]:
    """Complete fetches on these days."""
    return [fetch(day(number), **words) for number in days]


def events(rows: list[Row], fetches: list[Row]) -> list[Event]:
    """(change, held at, known at) of each event, in order of time."""
    found = published("price_changes", *rows, fetches=fetches)
    return sorted(
        ((row["change"], row["changed_at"], row["known_at"]) for row in found), key=lambda event: str(event[1:])
    )


def test_a_price_cut_is_a_move_with_both_prices() -> None:
    """AWS, June 2025: p5.48xlarge from 98.32 to 55.04, which is -0.440195..., and from 12.29 to 6.88 a GPU."""
    rows = published("price_changes", *chain(("98.32", 0), ("55.04", 62)), fetches=looks(0, 62))
    (row,) = (row for row in rows if row["change"] == "price move")

    assert (row["changed_at"], row["known_at"], row["backfilled"]) == (day(62), day(62), False)
    assert (row["previous_hourly_price"], row["hourly_price"]) == (Decimal("98.32"), Decimal("55.04"))
    assert row["change_ratio"] == pytest.approx(-0.4401953, abs=1e-7)  # 55.04 / 98.32 = 0.5598047
    assert (row["previous_price_per_gpu_hour"], row["price_per_gpu_hour"]) == (Decimal("12.29"), Decimal("6.88"))


def test_what_the_first_fetch_finds_is_coverage() -> None:
    """It was on sale before we looked: nothing happened."""
    assert events(chain(("98.32", 0)), looks(0, 1)) == [("coverage", day(0), day(0))]


def test_what_is_found_before_the_first_complete_fetch_is_coverage_too() -> None:
    """The first fetch was cut off and showed one offer; the first complete one, a day later, showed the other."""
    other = price("7", instance_type="g6.xlarge", valid_from=day(1))
    fetches = [fetch(day(0), status="partial"), fetch(day(1))]

    assert events([*chain(("98.32", 0)), other], fetches) == [
        ("coverage", day(0), day(0)),
        ("coverage", day(1), day(1)),
    ]


WEST = {"scope": "us-west-2"}


def test_a_scope_that_is_no_longer_fetched_is_coverage() -> None:
    """us-east-1 was last fetched on day 1, us-west-2 goes on daily: of days 2 to 5, day 5 is the first that comes 72
    hours after the first of them. What stood there has a price before, and none after: nobody knows."""
    fetches = [*looks(0, 1), *looks(0, 1, 2, 3, 4, 5, 6, **WEST)]
    found = published("price_changes", *chain(("98.32", 0)), fetches=fetches)

    assert [(row["change"], row["changed_at"], row["known_at"]) for row in found] == [
        ("coverage", day(0), day(0)),
        ("coverage", day(1), day(5)),
    ]
    assert (found[1]["previous_hourly_price"], found[1]["hourly_price"], found[1]["backfilled"]) == (
        Decimal("98.32"),
        None,
        False,
    )
    assert (found[1]["previous_price_per_gpu_hour"], found[1]["price_per_gpu_hour"]) == (Decimal("12.29"), None)


def test_failed_attempts_are_no_look() -> None:
    """A location gone from the index leaves a failed attempt each day: they don't keep it fetched."""
    gone = [fetch(day(number), status="failed") for number in range(1, 6)]
    fetches = [*looks(0), *gone, *looks(0, 1, 2, 3, 4, **WEST)]

    assert events(chain(("98.32", 0)), fetches) == [("coverage", day(0), day(0)), ("coverage", day(0), day(4))]


@pytest.mark.parametrize(
    "others",
    [
        looks(0, 1, 2, 3, 3.9, **WEST),  # over 69.6 hours
        looks(0, 1, 9, **WEST),  # two fetches
        looks(0, 1, 5, **WEST) + looks(0, 2, 6, scope="eu-west-1"),  # two of each
        looks(0, 1, 2, 3, 4, 5, source="another_list"),
        [],
    ],
    ids=["too short", "too few", "too few of each", "another feed", "nobody fetched"],
)
def test_a_pause_of_all_is_no_loss_of_coverage(others: list[Row]) -> None:
    """While nothing much is fetched at all, a scope isn't told apart from the others: freshness says it."""
    assert events(chain(("98.32", 0)), [*looks(0), *others]) == [("coverage", day(0), day(0))]


def test_a_weekly_refresh_loses_nothing() -> None:
    """Both scopes each seventh day, one a minute after the other: no scope is left behind."""
    fetches = [*looks(0, 7, 14, 21), *looks(0.001, 6.999, 14.001, 20.999, **WEST)]

    assert events(chain(("98.32", 0)), fetches) == [("coverage", day(0), day(0))]


def windows(*at: float, **words: Any) -> list[Row]:
    """What back-fills land: windows of a month before the first look, as parts of it."""
    return [fetch(day(number), as_of=day(-30), status="partial", **words) for number in at]


def test_a_backfill_leaves_no_other_scope_behind() -> None:
    """It asks nobody: windows of us-west-2 landed on days 1, 2 and 5 are no three fetches that us-east-1 lacks."""
    fetches = [*looks(0), *looks(0, **WEST), *windows(1, 2, 5, **WEST)]

    assert events(chain(("98.32", 0)), fetches) == [("coverage", day(0), day(0))]


def test_a_backfill_keeps_no_scope_fetched() -> None:
    """us-east-1 was fetched on day 1 for the last time, whatever of its past lands on days 3 and 7; so on day 5 it was
    known to be lost, and only once."""
    fetches = [*looks(0, 1), *windows(3, 7), *looks(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, **WEST)]

    assert events(chain(("98.32", 0)), fetches) == [("coverage", day(0), day(0)), ("coverage", day(1), day(5))]


def test_what_was_lost_and_found_again_stays_told() -> None:
    """Fetched again on day 5 at another price: the move is known then, and the week of the loss keeps its news."""
    fetches = [*looks(0, 5), *looks(0, 1, 2, 3, 4, 5, **WEST)]

    assert events(chain(("98.32", 0), ("55.04", 5)), fetches) == [
        ("coverage", day(0), day(0)),
        ("coverage", day(0), day(4)),
        ("price move", day(5), day(5)),
    ]


def test_what_had_ended_before_is_not_lost() -> None:
    """Removed on day 1, known on day 2, the last look: only the other size stood when the scope was lost."""
    ended = price("7", valid_to=day(1), close_reason="absent", closed_known_at=day(2))
    other = price("5", instance_type="g6.xlarge")
    fetches = [*looks(0, 1, 2), *looks(3, 4, 5, 6, **WEST)]

    assert events([ended, other], fetches) == [
        ("coverage", day(0), day(0)),
        ("coverage", day(0), day(0)),
        ("removed offer", day(1), day(2)),
        ("coverage", day(2), day(6)),
    ]


def test_an_offer_that_comes_later_is_new() -> None:
    """First seen in the second complete fetch; its feed claims a start between the two, so it held before we knew."""
    claimed = price("7", valid_from=day(0.5), valid_from_basis="window", first_seen_at=day(1))

    assert events([claimed], looks(0, 1)) == [("new offer", day(0.5), day(1))]


def test_an_offer_that_goes_is_removed_and_one_that_is_back_is_new() -> None:
    """Absent from day 2 on, known on day 3; back on day 5. The gap stays a gap, and isn't a price move."""
    gone = price("7", valid_to=day(2), close_reason="absent", closed_known_at=day(3))
    back = price("8", valid_from=day(5))

    assert events([gone, back], looks(0, 2, 3, 5)) == [
        ("coverage", day(0), day(0)),
        ("removed offer", day(2), day(3)),
        ("new offer", day(5), day(5)),
    ]


def test_a_removed_offer_has_only_a_price_before() -> None:
    """Nothing took its place."""
    rows = published(
        "price_changes",
        price("7", valid_to=day(2), close_reason="absent", closed_known_at=day(3)),
        fetches=looks(0, 2, 3),
    )
    (row,) = (row for row in rows if row["change"] == "removed offer")

    assert (row["previous_hourly_price"], row["hourly_price"], row["change_ratio"]) == (7, None, None)
    assert (row["previous_price_per_gpu_hour"], row["price_per_gpu_hour"]) == (Decimal("0.875"), None)  # 7 / 8


@pytest.mark.parametrize(
    ("back_after_days", "change"),
    [(1, "blip"), (2, "blip"), (2.01, "price move")],  # 24, 48 and 48.24 hours
)
def test_a_move_undone_within_48_hours_is_a_blip_both_ways(back_after_days: float, change: str) -> None:
    """5, then 6, then 5 again."""
    rows = chain(("5", 0), ("6", 1), ("5", 1 + back_after_days))

    assert [event[0] for event in events(rows, looks(0, 1, 1 + back_after_days))] == ["coverage", change, change]


def test_a_second_move_elsewhere_undoes_nothing() -> None:
    """5, 6, 7 in two days are two moves. 5, 6, 5, 4: the first two are a blip, the last is a move."""
    assert [event[0] for event in events(chain(("5", 0), ("6", 1), ("7", 2)), looks(0, 1, 2))] == [
        "coverage",
        "price move",
        "price move",
    ]
    assert [event[0] for event in events(chain(("5", 0), ("6", 1), ("5", 2), ("4", 3)), looks(0, 1, 2, 3))] == [
        "coverage",
        "blip",
        "blip",
        "price move",
    ]


def test_an_upfront_that_moves_is_a_price_move() -> None:
    """The hourly price stays: 8760 upfront for a year becomes 17520, so 1 an hour more."""
    words = {"purchase_option": "reserved", "payment_option": "partial_upfront", "term_months": 12}
    rows = published(
        "price_changes",
        price("3", upfront="8760", valid_to=day(1), close_reason="changed", closed_known_at=day(1), **words),
        price("3", upfront="17520", valid_from=day(1), **words),
        fetches=looks(0, 1),
    )
    (row,) = (row for row in rows if row["change"] == "price move")

    assert (row["previous_upfront_price"], row["upfront_price"]) == (8760, 17520)
    assert (row["previous_effective_hourly_price"], row["effective_hourly_price"]) == (4, 5)
    assert row["change_ratio"] == 0.25


def test_an_announced_price_is_known_long_before_it_holds() -> None:
    """7 now, 6 from day 30 on: -1/7. It is one event now, and another when it comes."""
    rows = published(
        "price_changes",
        *chain(("7", 0)),
        fetches=looks(0, 1),
        announcements=[announced("6", day(30), first_seen_at=day(1))],
    )
    (row,) = (row for row in rows if row["change"] == "announced")

    assert (row["changed_at"], row["known_at"]) == (day(30), day(1))
    assert (row["previous_hourly_price"], row["hourly_price"]) == (7, 6)
    assert row["change_ratio"] == pytest.approx(-1 / 7)


def test_an_announced_price_that_came_true_keeps_the_price_it_replaced() -> None:
    """Announced on day 1 for day 30, in force since: the price before it is still 7, not itself."""
    rows = published(
        "price_changes",
        *chain(("7", 0), ("6", 30)),
        fetches=looks(0, 1, 30),
        announcements=[announced("6", day(30), first_seen_at=day(1), last_seen_at=day(29))],
    )

    assert {(row["change"], row["previous_hourly_price"], row["hourly_price"]) for row in rows} == {
        ("coverage", None, 7),
        ("announced", 7, 6),
        ("price move", 7, 6),
    }


def versions(*of: tuple[float, float]) -> list[Row]:
    """Complete fetches of a versioned feed: (day it was published, day it was fetched)."""
    return [fetch(day(fetched), as_of=day(out), version=str(out)) for out, fetched in of]


def moved(rows: list[Row], fetches: list[Row]) -> Row:
    """The one price move among the events."""
    (row,) = (row for row in published("price_changes", *rows, fetches=fetches) if row["change"] == "price move")
    return row


def published_chain(known_at: float) -> list[Row]:
    """5 in the version of day 0, 6 in that of day 10; the fetch that showed the move was made on another day."""
    first, second = chain(("5", 0), ("6", 10), valid_from_basis="published")
    return [first | {"closed_known_at": day(known_at)}, second | {"first_seen_at": day(known_at)}]


def test_a_version_that_is_fetched_while_it_is_the_newest_is_news_however_late() -> None:
    """Published on day 10, fetched on day 13: we were late, but it is what holds. A newer one on day 12 changes it."""
    live = versions((0, 1), (10, 13), (20, 20))
    backfilled = versions((0, 1), (12, 12.5), (10, 13))

    row = moved(published_chain(13), live)
    assert (row["changed_at"], row["known_at"], row["backfilled"]) == (day(10), day(13), False)
    # on day 13 the version of day 12 had been out for 24 hours
    assert moved(published_chain(13), backfilled)["backfilled"] is True


def test_history_filled_in_from_old_to_new_is_no_news_either() -> None:
    """On day 100 three old versions are fetched one after the other: each had a newer one when it was fetched."""
    fetches = versions((0, 100), (10, 100.01), (30, 100.02), (99.5, 100.03))

    assert moved(published_chain(100.01), fetches)["backfilled"] is True


def test_a_version_overtaken_while_it_was_being_fetched_is_news() -> None:
    """The next one came out an hour before: our copy of the index was a little old."""
    assert moved(published_chain(12), versions((0, 1), (10, 12), (11.96, 13)))["backfilled"] is False


def test_what_a_backfill_says_of_the_feeds_own_windows_is_no_news() -> None:
    """A row that begins before our first look, by the feed's own start."""
    rows = chain(("5", 0), ("6", 10))
    rows[1]["valid_from_basis"] = "backfilled"

    assert moved(rows, looks(0, 10))["backfilled"] is True


def test_what_comes_or_goes_because_we_read_otherwise_is_coverage() -> None:
    """From day 2 on another predicate lands other rows: one offer appears, one isn't landed any more."""
    gone = price("7", valid_to=day(2), close_reason="absent", closed_known_at=day(3))
    came = price("8", instance_type="g6.xlarge", valid_from=day(2))
    moved_too = chain(("5", 0), ("6", 2), instance_type="g5.xlarge")
    fetches = [*looks(0, 1), *looks(2, 3, predicate="2")]

    read_otherwise = events([gone, came, *moved_too], fetches)

    assert sorted(change for change, *_ in read_otherwise) == [*["coverage"] * 4, "price move"]
    assert events([gone, came], looks(0, 1, 2, 3))[1:] == [
        ("new offer", day(2), day(2)),
        ("removed offer", day(2), day(3)),
    ]


def test_derived_windows_reservations_are_no_events_of_their_own() -> None:
    """Linux on demand moves: one event, though the derived price moves with it."""
    reserved = {"purchase_option": "reserved", "payment_option": "any", "term_months": 12, "price_basis": "derived"}
    rows = published(
        "price_changes",
        azure("60", **reserved),
        azure("100", operating_system="windows"),
        azure("90", valid_to=day(2), close_reason="changed", closed_known_at=day(2)),
        azure("89", valid_from=day(2)),
        fetches=[fetch(day(number), source="azure_retail_prices", scope="eastus/USD") for number in (0, 2)],
    )

    assert sorted(row["change"] for row in rows) == ["coverage", "coverage", "coverage", "price move"]


def test_offers_of_one_scope_say_nothing_of_another() -> None:
    """The same size in two regions: a move in one, and the other's first fetch on that day is coverage."""
    other = price("9", region_id="us-west-2", valid_from=day(1))
    fetches = [*looks(0, 1), fetch(day(1), scope="us-west-2")]

    assert sorted(change for change, *_ in events([*chain(("5", 0), ("6", 1)), other], fetches)) == [
        "coverage",
        "coverage",
        "price move",
    ]


def test_announced_prices_are_those_still_announced() -> None:
    """One that the latest fetch no longer has is withdrawn or in force; one in another currency is no offer."""
    rows = published(
        "announced_prices",
        *chain(("7", 0)),
        fetches=looks(0, 4),
        announcements=[
            announced("6", day(30), first_seen_at=day(1)),
            announced("5", day(60), first_seen_at=day(1), last_seen_at=day(3)),
            announced("5", day(60), currency="EUR"),
        ],
    )
    (row,) = rows

    assert (row["starts_at"], row["hourly_price"], row["previous_hourly_price"]) == (day(30), 6, 7)
    assert (row["first_seen_at"], row["last_seen_at"]) == (day(1), day(4))
    assert (row["gpu_model"], row["price_per_gpu_hour"]) == ("H100-80GB", Decimal("0.75"))
    assert row["change_ratio"] == pytest.approx(-1 / 7)


def test_an_announced_offer_that_is_not_on_sale_yet_has_no_price_before() -> None:
    """A new size, priced from next month on."""
    (row,) = published("announced_prices", fetches=[fetch(START)], announcements=[announced("6", day(30))])

    assert (row["previous_hourly_price"], row["change_ratio"]) == (None, None)
