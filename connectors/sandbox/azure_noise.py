"""Items of the Azure retail price list that are no price of a GPU hour in force today, in every kind the real list has.

Their prices are made up around the recorded pay-as-you-go price of the same size, except: a DevTest item costs the
Linux price, an announced one costs what was recorded later, and dedicated hosts cost what they did in westeurope on
2026-08-20.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from connectors.sandbox.azure_items import (
    TERM_WORDS,
    Item,
    Meter,
    instant,
    item,
    made_up_meter,
    made_up_sku,
    meter,
    month_end,
)
from connectors.sandbox.facts import DATES, Fact
from connectors.sandbox.serving import served

LONG_AGO = date(2018, 1, 1)
DEDICATED_HOSTS = {
    "NDamsr A100 v4": ("NDamsrA100v4 Type1", "45.059"),
    "NDasr A100 v4": ("NDasrA100v4 Type1", "38.893"),
    "NVSv3": ("NVsv3 Type1", "6.27"),
    "NVasv4": ("NVasv4 Type1", "8.97"),
}
# (armSkuName with the vCPUs left open, series, made-up price per vCPU hour) of sizes without a GPU
ORDINARY_SERIES = (
    ("Standard_D{}s_v5", "Dsv5", "0.048"),
    ("Standard_D{}as_v5", "Dasv5", "0.043"),
    ("Standard_D{}ads_v5", "Dadsv5", "0.0515"),
    ("Standard_E{}s_v5", "Esv5", "0.063"),
    ("Standard_E{}as_v5", "Easv5", "0.0565"),
    ("Standard_F{}s_v2", "FSv2", "0.0423"),
    ("Standard_L{}s_v3", "Lsv3", "0.078"),
    ("Standard_D{}ps_v5", "Dpsv5", "0.0385"),
    ("Standard_E{}ps_v5", "Epsv5", "0.0505"),
    ("Standard_E{}bs_v5", "Ebsv5", "0.0835"),
    ("Standard_M{}s_v2", "MSv2", "0.1667"),
)
ORDINARY_SIZES = (2, 4, 8, 16, 32, 48, 64, 96)


def noise_items(region: str, day: date) -> Iterator[Item]:
    """Everything in a region's list but the recorded figures."""
    facts = [figure.fact for figure in served("azure", day) if figure.fact.region == region]
    linux = {fact.instance_type: fact for fact in facts if _is_pay_as_you_go(fact, "linux")}
    yield from _dev_test(region, day, linux, [fact for fact in facts if _is_pay_as_you_go(fact, "windows")])
    yield from _low_priority(
        region, day, list(linux.values()), {f.instance_type for f in facts if "low" in f.purchase_option}
    )
    for place, fact in enumerate(linux.values()):
        yield from _beside(region, day, fact, place)
    yield from _windows_of_time(region, day, linux)
    yield from _announced(region, day, linux)
    yield from _hosts_and_licenses(region, day)
    yield from _ordinary(region, day)


def _is_pay_as_you_go(fact: Fact, system: str) -> bool:
    return (fact.operating_system, fact.purchase_option) == (system, "on_demand")


def _dev_test(region: str, day: date, linux: dict[str, Fact], windows: Sequence[Fact]) -> Iterator[Item]:
    for fact in windows:
        if fact.instance_type in linux:
            named = meter(region, fact.instance_type, "windows", "on_demand")
            price = linux[fact.instance_type].price
            yield item(region, fact.instance_type, named, price, _month(day), type="DevTestConsumption")


def _month(day: date) -> date:
    return day.replace(day=1)


def _low_priority(region: str, day: date, linux: Sequence[Fact], recorded: set[str]) -> Iterator[Item]:
    """A fifth of the price, as it is in most recorded cases."""
    for fact in linux:
        if fact.instance_type not in recorded:
            named = meter(region, fact.instance_type, "linux", "low_priority")
            yield item(region, fact.instance_type, named, _rounded(fact.price / 5), _month(day))


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
    kind = place % 6
    if kind == 0:
        yield item(region, size, twin, price, _month(day), isPrimaryMeterRegion=False)
    elif kind == 1:
        expired = replace(twin, meter_name=f"{named.meter_name} Expired")
        yield item(region, size, expired, _rounded(price * 2), LONG_AGO)
    elif kind in (2, 3):
        words = "CloudServices" if kind == 2 else "Cloud Services"
        in_cloud_services = replace(twin, product_name=f"{named.product_name.removesuffix(' Series')} Series {words}")
        yield item(region, size, in_cloud_services, _rounded(price * Decimal("1.3")), _month(day))
    elif kind == 4:
        yield item(region, size, twin, Decimal(0), _month(day))


def _windows_of_time(region: str, day: date, linux: dict[str, Fact]) -> Iterator[Item]:
    """Further items of the same meters: their window is over, impossible, or overtaken by a later start."""
    for size, fact in linux.items():
        named = meter(region, size, "linux", "on_demand")
        if "_T4_" in size or "_A10_" in size:
            end = instant(_month(day) - timedelta(days=1))
            yield item(region, size, named, Decimal("0.002"), _month(day), effectiveEndDate=end)
            past = instant(LONG_AGO + timedelta(days=364))
            yield item(region, size, named, _rounded(fact.price * Decimal("1.1")), LONG_AGO, effectiveEndDate=past)
        if size == "Standard_NC16as_T4_v3":
            yield item(region, size, named, _rounded(fact.price * Decimal("1.5")), LONG_AGO)


def _announced(region: str, day: date, linux: dict[str, Fact]) -> Iterator[Item]:
    """What was recorded on the next served day and differs, announced for the month it was first seen in."""
    later = next((other for other in DATES["azure"] if other > day), None)
    if later is None:
        return
    for figure in served("azure", later):
        fact = figure.fact
        before = linux.get(fact.instance_type)
        start = figure.since.replace(day=1)
        if (
            fact.region == region
            and _is_pay_as_you_go(fact, "linux")
            and before
            and before.price != fact.price
            and start > day
        ):
            yield item(
                region, fact.instance_type, meter(region, fact.instance_type, "linux", "on_demand"), fact.price, start
            )


def _hosts_and_licenses(region: str, day: date) -> Iterator[Item]:
    for series, (name, price) in DEDICATED_HOSTS.items():
        host = _made_up_meter(region, f"{series} Series Dedicated Host", name)
        yield item(region, name.replace(" ", "_"), host, Decimal(price), _month(day))
    for name in ("2 vCPU VM License", "4 vCPU VM License"):
        licenses = _made_up_meter(region, "Virtual Machines Licenses", name)
        yield item(region, "", licenses, Decimal("0.092"), LONG_AGO)
    preview = _made_up_meter(region, "Virtual Machines NC Preview Series", "NC0")
    yield item(region, "", preview, Decimal("1.5"), _month(day))


def _made_up_meter(region: str, product_name: str, name: str) -> Meter:
    product_id = "DZH318Z0" + made_up_sku(product_name)
    sku_id = f"{product_id}/{made_up_sku(region, product_name, name)}"
    return Meter(product_name, name, name, product_id, sku_id, made_up_meter(region, product_name, name))


def _ordinary(region: str, day: date) -> Iterator[Item]:
    for pattern, series, per_vcpu in ORDINARY_SERIES:
        for vcpus in ORDINARY_SIZES:
            yield from _ordinary_size(region, day, pattern.format(vcpus), series, Decimal(per_vcpu) * vcpus)


def _ordinary_size(region: str, day: date, size: str, series: str, price: Decimal) -> Iterator[Item]:
    shown = size.removeprefix("Standard_").replace("_", " ")
    linux = f"Virtual Machines {series} Series"
    for product, hour in ((linux, price), (f"{linux} Windows", price * 2)):
        for tier, share in (("", 1), (" Spot", Decimal("0.2")), (" Low Priority", Decimal("0.2"))):
            named = _made_up_meter(region, product, shown + tier)
            end = month_end(day) if tier == " Spot" else None
            yield item(region, size, named, _rounded(hour * share), _month(day), effectiveEndDate=end)
    named = _made_up_meter(region, linux, shown)
    for months in (12, 36, *((60,) if series == "MSv2" else ())):
        total = (price * 730 * months * Decimal("0.6")).quantize(Decimal(1))
        sku_id = f"{named.product_id}/{made_up_sku(region, size, str(months))}"
        term = TERM_WORDS[months]
        yield item(region, size, named, total, _month(day), reservationTerm=term, type="Reservation", skuId=sku_id)


def items_elsewhere(day: date) -> Iterator[Item]:
    """Items of other services and of no region, met by whoever asks without a filter."""
    for region, location in (("", ""), ("Global", "Global")):
        licenses = _made_up_meter(region, "Virtual Machines Licenses", "1 vCPU VM License")
        yield item(region, "", licenses, Decimal("0.046"), LONG_AGO, location=location)
    for region in ("eastus", "westus3", "westeurope"):
        for name in ("Standard LRS", "Standard ZRS", "Premium LRS"):
            storage = _made_up_meter(region, "Storage Blob", name)
            other = {"serviceName": "Storage", "serviceId": "DZH317F1HKN0", "serviceFamily": "Storage"}
            yield item(region, "", storage, Decimal("0.0208"), _month(day), unitOfMeasure="1 GB/Month", **other)
