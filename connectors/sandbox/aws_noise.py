"""Lines of the EC2 price list that are no price of a GPU hour, in every kind the real file has.

They stand around the recorded prices so that a reader must choose. Their prices follow from the recorded on-demand
price of the same type by made-up surcharges, except where the real rule is known: Windows with own licence costs the
Linux price, an unused capacity reservation costs the instance's price, a used one, a host's instance and a capacity
block cost 0, and Ubuntu Pro adds 0.00175 for each vCPU (0.336 on the 192 of p5e).

Types without a GPU carry the prices of us-east-1 on 2026-07-20 in each region and on each day.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import lru_cache

from connectors.sandbox.aws_lines import RESERVED_CODES, Line, on_demand, reserved
from connectors.sandbox.aws_products import Product, compute, instance_types, other
from connectors.sandbox.serving import facts_of

ZERO = Decimal(0)
OWN_LICENSE = "Bring your own license"
UBUNTU_PRO_PER_VCPU = Decimal("0.00175")
CAPACITY_BLOCK_FAMILIES = ("p4d", "p4de", "p5", "p5en", "p6-b200", "p6-b300")
ONLY_CAPACITY_BLOCKS = "p5e.48xlarge"  # no on-demand price anywhere in the recordings
OUTPOST_FAMILIES = ("g4dn",)
# A metal type whose own line has tenancy Dedicated. The other, g4dn.metal, is sold in both; the real file has both
# kinds.
ONLY_DEDICATED = "g5g.metal"


def around(region: str, instance_type: str, linux: Decimal, sku: str, day: date) -> Iterator[Line]:
    """The lines that surround one type's Linux price (USD an hour; `sku` is that product's)."""

    def line(product: Product, price: Decimal, kind: str = "On Demand") -> Line:
        return on_demand(product, price, day, words=f"{kind} {product.software} {instance_type} Instance Hour")

    def box(software: str = "Linux", **columns: str) -> Product:
        return compute(region, instance_type, software, **columns)

    yield line(
        box("Windows BYOL", Operating_System="Windows", License_Model=OWN_LICENSE, operation="RunInstances:0800"), linux
    )
    yield line(box("RHEL", Operating_System="RHEL", operation="RunInstances:0010"), linux + Decimal("0.13"))
    yield line(box("SUSE", Operating_System="SUSE", operation="RunInstances:000g"), linux + Decimal("0.125"))
    yield line(
        box("Ubuntu Pro", Operating_System="Ubuntu Pro", operation="RunInstances:0g00"),
        linux + _ubuntu_pro(instance_type),
    )
    yield line(_with_sql(region, instance_type, "Linux", "RunInstances:0004"), linux + Decimal("0.48"))
    yield line(_with_sql(region, instance_type, "Windows", "RunInstances:0006"), linux + Decimal("0.96"))
    if instance_type != ONLY_DEDICATED:
        yield line(box(Tenancy="Dedicated", usage="DedicatedUsage"), linux * Decimal("1.06"), "Dedicated")
    yield on_demand(
        box(Tenancy="Host", usage="HostBoxUsage"),
        ZERO,
        day,
        words=f"Linux {instance_type} Dedicated Host Instance hour",
    )
    for status, usage, price, kind in (
        ("UnusedCapacityReservation", "UnusedBox", linux, "Unused Reservation"),
        ("AllocatedCapacityReservation", "Reservation", ZERO, "Reservation"),
    ):
        yield line(box(CapacityStatus=status, usage=usage, instanceSKU=sku), price, kind)
    if instance_type.split(".")[0] in CAPACITY_BLOCK_FAMILIES:
        yield from capacity_blocks(region, instance_type, day)
    if instance_type.split(".")[0] in OUTPOST_FAMILIES:
        yield line(box(Location_Type="AWS Outposts"), linux / 2)


def _with_sql(region: str, instance_type: str, system: str, operation: str) -> Product:
    attributes = {"Operating_System": system, "operation": operation, "Pre_Installed_S/W": "SQL Std"}
    return compute(region, instance_type, f"{system} with SQL Standard", **attributes)


def _ubuntu_pro(instance_type: str) -> Decimal:
    return UBUNTU_PRO_PER_VCPU * int(instance_types()[instance_type]["vcpu"])


def capacity_blocks(region: str, instance_type: str, day: date) -> Iterator[Line]:
    """What the file says of capacity blocks: 0 for Linux, and the bare surcharge for Ubuntu Pro."""
    for software, operation, price in (
        ("Linux", "RunInstances:CB", ZERO),
        ("Ubuntu Pro", "RunInstances:0g00:CB", _ubuntu_pro(instance_type)),
    ):
        product = compute(
            region,
            instance_type,
            software,
            Operating_System=software,
            operation=operation,
            MarketOption="CapacityBlock",
        )
        yield on_demand(product, price, day, words=f"Capacity Block {software} {instance_type} Instance Hour")


def ordinary(region: str, day: date) -> Iterator[Line]:
    """Instances without a GPU: most lines of the file."""
    for instance_type, price in _ordinary_prices():
        linux = compute(region, instance_type)
        yield on_demand(linux, price, day)
        yield from around(region, instance_type, price, linux.sku, day)
        windows = compute(region, instance_type, "Windows", Operating_System="Windows", operation="RunInstances:0002")
        yield on_demand(windows, price * 2, day)
        for product, hour in ((linux, price), (windows, price * 2)):
            yield from _made_up_reserved(product, hour, day)


@lru_cache(maxsize=1)
def _ordinary_prices() -> tuple[tuple[str, Decimal], ...]:
    return tuple((fact.instance_type, fact.price) for fact in facts_of("aws") if is_ordinary(fact.instance_type))


def is_ordinary(instance_type: str) -> bool:
    """True for a type whose lines come from `ordinary`, on every day."""
    known = instance_types().get(instance_type)
    return known is not None and known["family"] not in ("GPU instance", "Machine Learning ASIC Instances")


def _made_up_reserved(product: Product, price: Decimal, day: date) -> Iterator[Line]:
    for months, offering, payment in RESERVED_CODES:
        effective = price * (Decimal("0.63") if months == 12 else Decimal("0.43"))
        whole = (effective * 730 * months).quantize(Decimal(1))
        hourly, upfront = {
            "no_upfront": (effective, None),
            "partial_upfront": (effective / 2, (whole / 2).quantize(Decimal(1))),
            "all_upfront": (ZERO, whole),
        }[payment]
        yield from reserved(product, months, offering, payment, hourly, upfront, day)


def without_instance_type(region: str, day: date) -> Iterator[Line]:
    """Storage, data transfer and the like."""
    for family, usage, unit, price, columns in (
        ("Storage", "EBS:VolumeUsage.gp3", "GB-Mo", "0.08", {"Volume_API_Name": "gp3", "Storage_Media": "SSD-backed"}),
        ("Storage", "EBS:VolumeUsage.io2", "GB-Mo", "0.125", {"Volume_API_Name": "io2", "Storage_Media": "SSD-backed"}),
        ("Storage Snapshot", "EBS:SnapshotUsage", "GB-Mo", "0.05", {}),
        ("System Operation", "EBS:VolumeP-IOPS.gp3", "IOPS-Mo", "0.005", {"Provisioned": "Yes"}),
        ("Provisioned Throughput", "EBS:VolumeP-Throughput.gp3", "GiBps-mo", "40.96", {"Provisioned": "Yes"}),
        ("Data Transfer", "DataTransfer-Regional-Bytes", "GB", "0.01", {"Transfer_Type": "IntraRegion"}),
        ("Data Transfer", "DataTransfer-In-Bytes", "GB", "0", {"Transfer_Type": "AWS Inbound"}),
        ("IP Address", "ElasticIP:IdleAddress", "Hrs", "0.005", {"Group": "ElasticIP:Address"}),
        ("NAT Gateway", "NatGateway-Hours", "Hrs", "0.045", {"Group": "NGW:NatGateway"}),
        ("Dedicated Host", "HostUsage:g5", "Hrs", "17.9168", {"Instance_Type": "g5", "Tenancy": "Host", "GPU": "8"}),
        ("Elastic Graphics", "Elastic-Graphics:eg1.medium", "Hrs", "0.05", {"Elastic_Graphics_Type": "eg1.medium"}),
    ):
        product = other(region, family, usage, **columns)
        yield on_demand(product, Decimal(price), day, words=f"{family} {usage}", unit=unit)
