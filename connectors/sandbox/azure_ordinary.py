"""Items of the Azure retail price list that have nothing to do with GPUs: other sizes, hosts, licenses, storage.

All prices are made up, except those of dedicated hosts, which are the ones of westeurope on 2026-08-20.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from connectors.sandbox.azure_items import TERM_WORDS, Item, Meter, item, made_up_meter, made_up_sku
from connectors.sandbox.azure_windows import LONG_AGO, month_end, month_start

DEDICATED_HOSTS = {
    "NDamsr A100 v4": ("NDamsrA100v4 Type1", "45.059"),
    "NDasr A100 v4": ("NDasrA100v4 Type1", "38.893"),
    "NVSv3": ("NVsv3 Type1", "6.27"),
    "NVasv4": ("NVasv4 Type1", "8.97"),
}
# (armSkuName and skuName with the vCPUs left open, series, made-up price per vCPU hour)
SERIES = (
    ("Standard_D{0}s_v5", "D{0}s v5", "Dsv5", "0.048"),
    ("Standard_D{0}as_v5", "D{0}as v5", "Dasv5", "0.043"),
    ("Standard_D{0}ads_v5", "D{0}ads v5", "Dadsv5", "0.0515"),
    ("Standard_D{0}s_v3", "D{0} v3/D{0}s v3", "DSv3", "0.048"),  # one meter for two sizes
    ("Standard_E{0}s_v5", "E{0}s v5", "Esv5", "0.063"),
    ("Standard_E{0}as_v5", "E{0}as v5", "Easv5", "0.0565"),
    ("Standard_F{0}s_v2", "F{0}s v2", "FSv2", "0.0423"),
    ("Standard_L{0}s_v3", "L{0}s v3", "Lsv3", "0.078"),
    ("Standard_D{0}ps_v5", "D{0}ps v5", "Dpsv5", "0.0385"),
    ("Standard_E{0}ps_v5", "E{0}ps v5", "Epsv5", "0.0505"),
    ("Standard_E{0}bs_v5", "E{0}bs v5", "Ebsv5", "0.0835"),
    ("Standard_M{0}s_v2", "M{0}s v2", "MSv2", "0.1667"),
    ("Standard_M{0}-2ms_v2", "M{0}-2ms v2", "MSv2", "0.1667"),  # fewer cores at the price of all
)
CORES = (2, 4, 8, 16, 32, 48, 64, 96)
FEW = frozenset({"Standard_D8s_v5", "Standard_D4s_v3", "Standard_M32s_v2", "Standard_M8-2ms_v2"})
FIVE_YEAR_SERIES = frozenset({"MSv2"})


def ordinary_items(region: str, day: date, full: bool) -> Iterator[Item]:
    """The other sizes of a region: all of them, or a few."""
    for pattern, shown, series, per_core in SERIES:
        for cores in CORES:
            size = pattern.format(cores)
            if full or size in FEW:
                yield from _size(region, day, size, shown.format(cores), series, Decimal(per_core) * cores)


def _size(region: str, day: date, size: str, shown: str, series: str, price: Decimal) -> Iterator[Item]:
    linux = f"Virtual Machines {series} Series"
    for product, hour in ((linux, price), (f"{linux} Windows", price * 2)):
        for tier, share in (("", 1), (" Spot", Decimal("0.2")), (" Low Priority", Decimal("0.2"))):
            named = made_up_names(region, product, shown + tier)
            end = month_end(day) if tier == " Spot" else None
            rounded = (hour * share).quantize(Decimal("0.0001"))
            yield item(region, size, named, rounded, month_start(day), effectiveEndDate=end)
    named = made_up_names(region, linux, shown)
    for months in (12, 36, 60) if series in FIVE_YEAR_SERIES else (12, 36):
        total = (price * 730 * months * Decimal("0.6")).quantize(Decimal(1))
        sku_id = f"{named.product_id}/{made_up_sku(region, size, str(months))}"
        words = {"reservationTerm": TERM_WORDS[months], "type": "Reservation", "skuId": sku_id}
        yield item(region, size, named, total, month_start(day), **words)


def hosts_and_licenses(region: str, day: date) -> Iterator[Item]:
    """Dedicated hosts of GPU series, licenses, and a product in preview, none with a size's name."""
    for series, (name, price) in DEDICATED_HOSTS.items():
        host = made_up_names(region, f"{series} Series Dedicated Host", name)
        yield item(region, name.replace(" ", "_"), host, Decimal(price), month_start(day))
    for name in ("2 vCPU VM License", "4 vCPU VM License"):
        licenses = made_up_names(region, "Virtual Machines Licenses", name)
        yield item(region, "", licenses, Decimal("0.092"), LONG_AGO)
    preview = made_up_names(region, "Virtual Machines NC Preview Series", "NC0")
    yield item(region, "", preview, Decimal("1.5"), month_start(day))


def storage_items(region: str, day: date) -> Iterator[Item]:
    """Items of another service."""
    other = {"serviceName": "Storage", "serviceId": "DZH317F1HKN0", "serviceFamily": "Storage"}
    for name in ("Standard LRS", "Standard ZRS", "Premium LRS"):
        storage = made_up_names(region, "Storage Blob", name)
        yield item(region, "", storage, Decimal("0.0208"), month_start(day), unitOfMeasure="1 GB/Month", **other)


def made_up_names(region: str, product_name: str, name: str) -> Meter:
    """A meter with ids that are always the same for the same words."""
    product_id = "DZH318Z0" + made_up_sku(product_name)
    sku_id = f"{product_id}/{made_up_sku(region, product_name, name)}"
    return Meter(product_name, name, name, product_id, sku_id, made_up_meter(region, product_name, name))
