"""Items of the Azure retail price list whose window is over: what the meters of today's items cost before."""

from collections.abc import Iterator
from datetime import date

from connectors.sandbox.azure_items import Item, item, meter
from connectors.sandbox.azure_windows import end_before, month_end, month_start, runs_until, starts
from connectors.sandbox.serving import Served, served_by_region


def past_items(region: str, day: date) -> Iterator[Item]:
    """The recorded earlier prices of a region's on-demand and spot meters."""
    for figure in served_by_region("azure", day).get(region, ()):
        if figure.fact.purchase_option == "on_demand":
            yield from _changed(figure, day)
        elif figure.fact.purchase_option == "spot":
            yield from _past_months(figure, day)


def _changed(figure: Served, day: date) -> Iterator[Item]:
    """Each ends when the next one starts, the last of them when today's item does."""
    fact, runs = figure.fact, runs_until(figure, day)
    named = meter(fact.region, fact.instance_type, fact.operating_system, fact.purchase_option)
    begins = starts(runs)
    for run, start, following in zip(runs, begins, begins[1:], strict=False):
        end = end_before(following, named.meter_id)
        yield item(fact.region, fact.instance_type, named, run.price, start, effectiveEndDate=end)


def _past_months(figure: Served, day: date) -> Iterator[Item]:
    """Months that nobody recorded are missing."""
    fact = figure.fact
    named = meter(fact.region, fact.instance_type, fact.operating_system, fact.purchase_option)
    for run in runs_until(figure, day):
        start = month_start(run.first)
        if start < month_start(day):
            end = month_end(start)
            yield item(fact.region, fact.instance_type, named, run.price, start, effectiveEndDate=end)
