"""Items of GPU sizes in the Azure retail price list that are no price of an hour in force today, in every kind.

Every region has every kind. Prices are made up around the recorded pay-as-you-go price of the same size, except: a
DevTest item costs the Linux price, and an announced one costs what was recorded later, if that differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from connectors.sandbox.azure_items import Item, item, made_up_meter, made_up_sku, meter
from connectors.sandbox.azure_windows import LONG_AGO, instant, month_start, runs_until, start_of
from connectors.sandbox.facts import DATES, Fact
from connectors.sandbox.serving import Served, served_by_region

TWIN_KINDS = 6  # of items beside a size's own; the last is none


def noise_items(region: str, day: date) -> Iterator[Item]:
    """Everything of a region's GPU sizes but the recorded figures."""
    figures = served_by_region("azure", day).get(region, ())
    facts = [figure.fact for figure in figures]
    linux = {fact.instance_type: fact for fact in facts if _is_pay_as_you_go(fact, "linux")}
    windows = [fact for fact in facts if _is_pay_as_you_go(fact, "windows") and fact.instance_type in linux]
    yield from _dev_test(region, day, linux, [fact.instance_type for fact in windows] or list(linux)[:1])
    recorded = {fact.instance_type for fact in facts if fact.purchase_option == "low_priority"}
    yield from _low_priority(region, day, [fact for size, fact in linux.items() if size not in recorded])
    sizes = list(linux.values())
    for place in range(max(TWIN_KINDS, len(sizes)) if sizes else 0):
        yield from _beside(region, day, sizes[place % len(sizes)], place)
    yield from _windows_of_time(region, day, linux)
    yield from _with_a_gap(day, [figure for figure in figures if _is_pay_as_you_go(figure.fact, "linux")])
    yield from _announced(region, day, linux)


def _is_pay_as_you_go(fact: Fact, system: str) -> bool:
    return (fact.operating_system, fact.purchase_option) == (system, "on_demand")


def _dev_test(region: str, day: date, linux: Mapping[str, Fact], sizes: list[str]) -> Iterator[Item]:
    for size in sizes:
        named = meter(region, size, "windows", "on_demand")
        yield item(region, size, named, linux[size].price, month_start(day), type="DevTestConsumption")


def _low_priority(region: str, day: date, facts: list[Fact]) -> Iterator[Item]:
    """A fifth of the price, as it is in most recorded cases."""
    for fact in facts:
        named = meter(region, fact.instance_type, "linux", "low_priority")
        yield item(region, fact.instance_type, named, _rounded(fact.price / 5), month_start(day))


def _rounded(price: Decimal) -> Decimal:
    return price.quantize(Decimal("0.0001"))


def _beside(region: str, day: date, fact: Fact, place: int) -> Iterator[Item]:
    """Items with the same armSkuName, kind after kind over the sizes of the region."""
    size, price = fact.instance_type, fact.price
    named = meter(region, size, "linux", "on_demand")
    twin = replace(
        named,
        sku_id=f"{named.product_id}/{made_up_sku(region, size, str(place))}",
        meter_id=made_up_meter(region, size, str(place)),
    )
    kind = place % TWIN_KINDS
    if kind == 0:
        yield item(region, size, twin, price, month_start(day), isPrimaryMeterRegion=False)
    elif kind == 1:
        expired = replace(twin, meter_name=f"{named.meter_name} Expired")
        yield item(region, size, expired, _rounded(price * 2), LONG_AGO)
    elif kind in (2, 3):
        words = "CloudServices" if kind == 2 else "Cloud Services"
        in_cloud_services = replace(twin, product_name=f"{named.product_name.removesuffix(' Series')} Series {words}")
        yield item(region, size, in_cloud_services, _rounded(price * Decimal("1.3")), month_start(day))
    elif kind == 4:
        yield item(region, size, twin, Decimal(0), month_start(day))


def _windows_of_time(region: str, day: date, linux: Mapping[str, Fact]) -> Iterator[Item]:
    """Further items of the same meters: their window is over, impossible, or overtaken by a later start."""
    usual = [size for size in linux if "_T4_" in size or "_A10_" in size]
    for size in usual or list(linux)[:1]:
        named = meter(region, size, "linux", "on_demand")
        end = instant(month_start(day) - timedelta(days=1))
        yield item(region, size, named, Decimal("0.002"), month_start(day), effectiveEndDate=end)
        past = instant(LONG_AGO + timedelta(days=364))
        over = _rounded(linux[size].price * Decimal("1.1"))
        yield item(region, size, named, over, LONG_AGO, effectiveEndDate=past)
        if size == "Standard_NC16as_T4_v3":
            yield item(region, size, named, _rounded(linux[size].price * Decimal("1.5")), LONG_AGO)


def _with_a_gap(day: date, figures: Sequence[Served]) -> Iterator[Item]:
    """An ended item of a quarter of the meters without a recorded earlier price: months later, today's begins."""
    for figure in figures:
        fact, begins = figure.fact, start_of(figure, day)
        named = meter(fact.region, fact.instance_type, "linux", "on_demand")
        if int(named.meter_id[1], 16) % 4 == 0 and not runs_until(figure, day):
            start, end = (month_start(begins - timedelta(days=days)) for days in (360, 120))
            price = _rounded(fact.price * Decimal("1.2"))
            yield item(fact.region, fact.instance_type, named, price, start, effectiveEndDate=instant(end))


def _announced(region: str, day: date, linux: Mapping[str, Fact]) -> Iterator[Item]:
    """What was recorded on the next served day and differs, announced for the day its item will start on.

    Where nothing was, a change of a low priority price: no made-up price is announced for what people buy.
    """
    known = [(size, price, start) for size, price, start in _recorded_later(region, day, linux) if start > day]
    for size, price, start in known:
        yield item(region, size, meter(region, size, "linux", "on_demand"), price, start)
    for size, fact in list(linux.items())[: 0 if known else 1]:
        start = month_start(month_start(day) + timedelta(days=95))
        yield item(region, size, meter(region, size, "linux", "low_priority"), _rounded(fact.price / 4), start)


def _recorded_later(region: str, day: date, linux: Mapping[str, Fact]) -> Iterator[tuple[str, Decimal, date]]:
    later = next((other for other in DATES["azure"] if other > day), day)
    for figure in served_by_region("azure", later).get(region, ()):
        fact, before = figure.fact, linux.get(figure.fact.instance_type)
        if _is_pay_as_you_go(fact, "linux") and before is not None and before.price != fact.price:
            yield fact.instance_type, fact.price, start_of(figure, later)
