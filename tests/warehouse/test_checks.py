"""Each check finds its bad row and lets its good one pass; the sentence is the file's name."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from tests.warehouse.price_rows import Row, azure, build, day, fetch, price, table, warehouse_with
from warehouse.build import read_view, read_views, tables_read
from warehouse.check import CHECKS_DIR, Outcome, require_invariants, run_checks
from warehouse.errors import CheckFailed

PATHS = {path.stem: path for path in sorted(CHECKS_DIR.glob("*/*.sql"))}
YEAR = {"purchase_option": "reserved", "offering_class": "standard", "term_months": 12}
SPOT = {"purchase_option": "spot", "zone_id": "use1-az1"}
ENDED = {"valid_to": day(1), "close_reason": "absent", "closed_known_at": day(1), "last_seen_at": day(0)}


@dataclass(frozen=True)
class Case:
    """Rows of the warehouse that a check lets pass, and one row or fetch more (or instead) that it finds."""

    check_name: str
    good: list[Row] = field(default_factory=list)
    bad: list[Row] = field(default_factory=list)
    good_fetches: list[Row] = field(default_factory=list)
    bad_fetches: list[Row] = field(default_factory=list)
    rows: int = 1


def sizes(*names: str, **words: Any) -> list[Row]:
    """A price of 1 for each size."""
    return [price("1", instance_type=name, **words) for name in names]


FIVE = ("p5.48xlarge", "p5.4xlarge", "p4d.24xlarge", "g6.xlarge", "g5.xlarge")

PLAN = {"source": "aws_savings_plans", "purchase_option": "savings_plan", "term_months": 12, "sku_id": "P5"}
LISTED = [fetch(source="aws_price_list"), fetch(source="aws_savings_plans")]

CASES = [
    Case(
        "every_savings_plan_rate_is_for_a_product_of_the_price_list",
        good=[
            price("55.04", sku_id="P5"),
            price("40", offering_class="compute", **PLAN),
            price("38", offering_class="ec2_instance", **PLAN),
            price("9", region_id="eu-west-1", **PLAN),  # that region's list was never fetched
        ],
        bad=[
            price("20", offering_class="compute", **PLAN | {"sku_id": "P4"}),  # no such product
            price("41", offering_class="compute", operating_system="windows", **PLAN),  # P5 is Linux in the list
        ],
        good_fetches=LISTED,
        bad_fetches=LISTED,
        rows=2,
    ),
    Case(
        "a_key_has_at_most_one_open_price_within_a_source",
        good=[price("1", valid_to=day(1)), price("2", valid_from=day(1)), price("3", region_id="us-west-2")],
        bad=[price("1"), price("2", valid_from=day(1), scope="*")],  # two scopes of one source
    ),
    Case(
        "prices_of_a_key_do_not_overlap_within_a_source",
        good=[
            price("1", valid_to=day(1)),
            price("2", valid_from=day(1), valid_to=day(2)),
            price("3", valid_from=day(4)),
        ],
        bad=[price("1", valid_to=day(2)), price("2", valid_from=day(1))],
    ),
    Case(
        "prices_of_a_key_do_not_overlap_within_a_source",
        good=[price("1"), price("2", source="another_list")],  # two sources may tell of one offer
        bad=[price("1"), price("2", valid_from=day(1), valid_to=day(2))],
    ),
    Case(
        "every_price_ends_after_it_begins",
        good=[price("1", valid_to=day(1)), price("1")],
        bad=[price("1", valid_to=day(0))],
    ),
    Case(
        "every_price_was_first_seen_no_later_than_last",
        good=[price("1"), price("1", last_seen_at=day(0))],
        bad=[price("1", last_seen_at=day(-1))],
    ),
    Case(
        "every_record_is_loaded_repeated_excluded_or_rejected",
        good_fetches=[
            fetch(records=10, loaded=4, duplicates=3, excluded=2, rejected=1),
            fetch(day(1), status="failed"),
        ],
        bad_fetches=[fetch(records=10, loaded=4, duplicates=3, excluded=2)],
    ),
    Case(
        "every_fetch_is_loaded_once",
        good_fetches=[fetch(), fetch(scope="us-west-2"), fetch(day(1))],
        bad_fetches=[fetch(), fetch(status="partial")],
    ),
    Case(
        "prices_of_a_partition_are_in_one_currency",
        good=[price("1"), price("1", partition="aws-cn", currency="CNY"), price("1", partition="aws", currency="EUR")],
        # a partition that is in no table has no currency of its own, so nothing is left out
        bad=[price("1", partition="aws-mars"), price("1", partition="aws-mars", currency="EUR")],
    ),
    Case(
        "every_effective_price_is_above_zero",
        good=[price("0.0000000001")],
        bad=[price("0")],
    ),
    Case(
        "every_hour_costs_something_unless_all_is_paid_at_the_start",
        good=[price("0", upfront="1", payment_option="all_upfront", **YEAR)],
        bad=[price("0", upfront="1", payment_option="partial_upfront", **YEAR)],
    ),
    Case(
        "every_effective_price_is_hourly_plus_upfront_over_the_term",
        # 1000 / 8760 = 0.114155...; the other spread over 26280 hours by mistake
        good=[price("1", upfront="1000", payment_option="partial_upfront", **YEAR), price("98.32")],
        bad=[price("1", upfront="1000", **YEAR) | {"effective_hourly_price": Decimal("1.0380517504")}],
    ),
    Case(
        "every_effective_price_is_hourly_plus_upfront_over_the_term",
        good=[price("1")],
        bad=[price("1", upfront="5")],  # paid at the start of no term
    ),
    Case(
        "every_offer_has_one_price_now",
        good=[price("1", source="another_list", valid_to=day(0.5)), price("2", valid_from=day(0.5))],
        bad=[price("1"), price("2", source="another_list")],
        good_fetches=[fetch(day(1))],
        bad_fetches=[fetch(day(1))],
    ),
    Case(
        "prices_lie_within_five_times_the_usual_for_their_gpu",
        # H100 6 to 23 by the GPU: 1.2 to 115, so 9.6 to 920 for eight of them
        good=[price("9.6"), price("920", region_id="us-west-2"), price("1", operating_system="windows")],
        bad=[price("9.59")],
    ),
    Case(
        "prices_lie_within_five_times_the_usual_for_their_gpu",
        good=[price("1", instance_type="p9.48xlarge"), price("0.1", **SPOT)],
        bad=[price("920.01")],
    ),
    Case(
        "sizes_of_a_family_price_a_gpu_within_four_times",
        # AWS: g6e.xlarge 1.861, g6e.48xlarge 30.13 = 3.77 by the GPU; p5 and p4d are no family
        good=[
            price("1.861", instance_type="g6e.xlarge"),
            price("30.13", instance_type="g6e.48xlarge"),
            price("55"),
            price("8", instance_type="p4d.24xlarge"),
        ],
        # a half priced like a whole GPU of the same family: 8 by the GPU against 1.6
        bad=[
            azure("4", instance_type="Standard_NV18ads_A10_v5"),
            azure("1.6", instance_type="Standard_NV36ads_A10_v5"),
        ],
    ),
    Case(
        "regions_price_a_size_within_three_times",
        # Azure: 98.32 to 186.61 is no error
        good=[azure("98.32"), azure("186.61", region_id="southafricawest")],
        bad=[azure("98.32"), azure("294.97", region_id="southafricawest")],  # 98.32 * 3 = 294.96
    ),
    Case(
        "commitments_cost_no_more_than_on_demand",
        good=[price("5"), price("5", payment_option="no_upfront", **YEAR)],
        bad=[price("5"), price("5.01", payment_option="no_upfront", **YEAR)],
    ),
    Case(
        "spot_costs_no_more_than_on_demand",
        good=[price("5"), price("5", **SPOT)],
        bad=[price("5"), price("5.01", **SPOT)],
    ),
    Case(
        "windows_costs_no_less_than_linux",
        good=[price("5"), price("5", operating_system="windows")],
        bad=[price("5"), price("4.99", operating_system="windows")],
    ),
    Case(
        "every_scope_was_fetched_completely_within_two_days",
        good_fetches=[fetch(day(0)), fetch(day(2), status="failed"), fetch(day(2), scope="us-west-2")],
        bad_fetches=[fetch(day(0)), fetch(day(2.1), status="failed")],
    ),
    Case(
        "every_scope_was_fetched_completely_within_two_days",
        good_fetches=[fetch(day(0))],
        bad_fetches=[fetch(day(0), status="partial")],  # never yet
    ),
    Case(
        "every_scope_was_fetched_completely_within_two_days",
        good_fetches=[fetch(day(0), scope="*/USD"), fetch(day(9))],  # a weekly walk
        bad_fetches=[fetch(day(0)), fetch(day(9), scope="*/USD")],
    ),
    Case(
        "every_walk_over_all_regions_was_complete_within_nine_days",
        good_fetches=[fetch(day(0), scope="*/USD"), fetch(day(9), scope="*/USD", status="failed")],
        bad_fetches=[fetch(day(0), scope="*/USD"), fetch(day(9.1), scope="*/USD", status="failed")],
    ),
    Case(
        "every_scope_with_records_has_prices",
        good=[price("1")],
        good_fetches=[
            fetch(records=1, loaded=1),
            fetch(scope="me-south-1"),
            fetch(scope="*/USD", records=1, excluded=1),
        ],
        bad_fetches=[fetch(records=3, excluded=3)],
    ),
    Case(
        "no_scope_is_held_back",
        good_fetches=[fetch(day(0), effective_status="held"), fetch(day(1))],
        bad_fetches=[fetch(day(0)), fetch(day(1), effective_status="held", held_reason="lacks all")],
    ),
    Case(
        "the_latest_fetch_rejects_no_record",
        good_fetches=[fetch(day(0), records=1, rejected=1), fetch(day(1))],
        bad_fetches=[fetch(day(0)), fetch(day(1), records=1, rejected=1)],
    ),
    Case(
        "every_size_with_a_price_is_in_the_gpu_table",
        good=[price("1"), price("1", instance_type="p9.48xlarge", **ENDED)],
        bad=[price("1", instance_type="p9.48xlarge")],
    ),
    Case(
        "every_place_with_a_price_is_in_the_region_table",
        good=[price("1"), price("1", region_id="mars-north-1", **ENDED)],
        bad=[price("1", region_id="mars-north-1")],
    ),
    Case(
        "no_place_lost_all_its_prices",
        good=[price("1", **ENDED), price("1", instance_type="g6.xlarge")],
        bad=[price("1", **ENDED)],
    ),
    Case(
        "no_fetch_ended_a_fifth_of_its_scope",
        # four ended, whatever the share; then five of five
        good=[*sizes(*FIVE[:4], **ENDED), *sizes("g2.2xlarge")],
        bad=sizes(*FIVE, **ENDED),
        good_fetches=[fetch(day(1))],
        bad_fetches=[fetch(day(1))],
    ),
    Case(
        "no_fetch_ended_a_fifth_of_its_scope",
        # five of 25 are a fifth, five of 24 are more; on day 9 it is no longer of the last week
        good=[*sizes(*FIVE, **ENDED), *(price("1", instance_type=f"p9.{n}xlarge") for n in range(20))],
        bad=[*sizes(*FIVE, **ENDED), *(price("1", instance_type=f"p9.{n}xlarge") for n in range(19))],
        good_fetches=[fetch(day(1))],
        bad_fetches=[fetch(day(1))],
    ),
    Case(
        "no_fetch_ended_a_fifth_of_its_scope",
        good=sizes(*FIVE, **ENDED),
        bad=sizes(*FIVE, **ENDED),
        good_fetches=[fetch(day(8.1))],
        bad_fetches=[fetch(day(7.9))],
    ),
    Case(
        "every_offer_is_of_a_known_kind",
        good=[
            price("1"),
            price("1", **SPOT),
            price("1", payment_option="no_upfront", **YEAR),
            price(
                "1",
                purchase_option="savings_plan",
                offering_class="compute",
                payment_option="all_upfront",
                term_months=36,
            ),
            azure("1", purchase_option="reserved", payment_option="any", term_months=60),
            azure("1", purchase_option="savings_plan", offering_class="compute", payment_option="any", term_months=12),
        ],
        bad=[
            price("1", payment_option="no_upfront"),
            price("1", payment_option="any", **YEAR),
            price("1", purchase_option="flat_rate"),
            price("1", operating_system="suse"),
            azure("1", purchase_option="reserved", payment_option="any", term_months=120),
        ],
        rows=5,
    ),
]


def offending(check_name: str, prices: list[Row], fetches: list[Row]) -> list[Row]:
    """What a check finds among these rows of the warehouse."""
    with warehouse_with(prices, fetches) as connection:
        check = read_view(PATHS[check_name])
        build(connection, *tables_read(connection, check))
        return table(connection, check.select)


@pytest.mark.parametrize("case", CASES, ids=[f"{number}-{case.check_name}" for number, case in enumerate(CASES)])
def test_a_check_finds_the_bad_row_and_lets_the_good_one_pass(case: Case) -> None:
    """One good and one bad case for each rule of the sentence."""
    assert offending(case.check_name, case.good, case.good_fetches) == []
    assert len(offending(case.check_name, case.bad, case.bad_fetches)) == case.rows


def test_every_check_has_a_case() -> None:
    """A check nobody has seen fail checks nothing."""
    assert {case.check_name for case in CASES} == PATHS.keys()


def test_a_broken_invariant_is_told_in_words() -> None:
    """Its sentence, how many rows, and the first of them; a notice stops nothing."""
    broken = Outcome(
        "every_price_ends_after_it_begins", "invariant", 2, ('{"region_id":"us-east-1","zone_id":"","n":1}',)
    )
    notice = Outcome("no_scope_is_held_back", "notice", 1, ("{}",))
    held = Outcome("every_fetch_is_loaded_once", "invariant", 0, ())

    require_invariants([notice, held])
    with pytest.raises(CheckFailed) as failed:
        require_invariants([notice, broken, held])

    assert str(failed.value) == (
        "nothing was published, the last release stays: "
        "every price ends after it begins: 2 rows don't, first region_id us-east-1, n 1"
    )


def test_checks_run_over_an_empty_warehouse_and_all_hold() -> None:
    """A fetch that brought nothing offends nobody; each check leaves its outcome, with up to three examples."""
    with warehouse_with() as connection:
        names = [view.name for view in read_views() if view.name != "check_results"]
        build(connection, *names)
        outcomes = run_checks(connection)

    assert {outcome.check_name for outcome in outcomes} == PATHS.keys()
    assert [str(outcome) for outcome in outcomes if not outcome.passed] == []
    assert {outcome.kind for outcome in outcomes} == {"invariant", "notice"}


def test_examples_are_the_same_three_whatever_the_order_of_rows() -> None:
    """Five sizes nobody knows: all are counted, the first three by their text are shown."""
    found = []
    for names in (["e", "d", "c", "b", "a"], ["c", "a", "e", "b", "d"]):
        with warehouse_with(sizes(*names)) as connection:
            build(connection, *(view.name for view in read_views() if view.name != "check_results"))
            outcomes = {outcome.check_name: outcome for outcome in run_checks(connection)}
        found.append(outcomes["every_size_with_a_price_is_in_the_gpu_table"])

    assert found[0] == found[1]
    assert (found[0].rows, len(found[0].examples)) == (5, 3)
    assert '"instance_type":"a"' in found[0].examples[0]
