"""What a plan says of itself in words."""

from fractions import Fraction

from flows.planning import told
from reports.plan import Plan


def test_a_load_of_no_hours_is_on_sale_and_costs_nothing() -> None:
    """0 hours on demand are 0 USD: that is no lack of an offer, and 0 can't be divided by."""
    first, _ = told(Plan((), Fraction(0)), Fraction(0), "USD")

    assert first == "0.00 USD a month; all on demand: nothing is cheaper for these hours"


def test_what_is_not_sold_on_demand_is_said() -> None:
    """There is nothing to compare the month with."""
    first, _ = told(Plan((), None), None, "USD")

    assert first.endswith("; nothing of it is sold on demand there")
