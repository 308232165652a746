"""What runs on an instance and how the instance stands, as the EC2 price list words it.

The real file has a line for nearly every system in every standing. Operations are those met in the file of 2025-09-12
and in public tables of billing codes; surcharges are made up, except that a Windows licence of one's own costs
nothing, and Ubuntu Pro costs 0.00175 for each vCPU (0.336 on the 192 of p5e).
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from connectors.sandbox.aws_products import Product, compute, instance_types

INCLUDED, OWN, NONE = "No License required", "Bring your own license", "NA"
DEDICATED_FACTOR = Decimal("1.06")
PRO_PER_VCPU, WINDOWS_PER_VCPU = Decimal("0.00175"), Decimal("0.046")


class System(NamedTuple):
    """An operating system with its software."""

    words: str  # in descriptions
    name: str
    operation: str
    installed: str = "NA"
    license: str = INCLUDED
    an_hour: str = "0"  # surcharge
    a_vcpu: Decimal = Decimal(0)  # surcharge


class Standing(NamedTuple):
    """How an instance stands: whose the machine is, and whether a capacity reservation holds it."""

    words: str
    tenancy: str
    usage: str
    status: str = "Used"
    factor: Decimal = Decimal(1)  # on the price of the shared one


LINUX = System("Linux", "Linux", "RunInstances")
WINDOWS = System("Windows", "Windows", "RunInstances:0002", a_vcpu=WINDOWS_PER_VCPU)
OWN_WINDOWS = System("Windows BYOL", "Windows", "RunInstances:0800", license=OWN)
UNLICENSED_WINDOWS = System("Windows", "Windows", "RunInstances:0002", license=NONE)
RHEL = System("RHEL", "RHEL", "RunInstances:0010", an_hour="0.13")
HA_RHEL = System("RHEL with HA", "Red Hat Enterprise Linux with HA", "RunInstances:1010", an_hour="0.162")
SQL_RHEL = System("RHEL with SQL Web", "RHEL", "RunInstances:0210", "SQL Web", an_hour="0.198")
SUSE = System("SUSE", "SUSE", "RunInstances:000g", an_hour="0.125")
UBUNTU_PRO = System("Ubuntu Pro", "Ubuntu Pro", "RunInstances:0g00", a_vcpu=PRO_PER_VCPU)
SQL = tuple(
    System(f"{name} with {words}", name, f"RunInstances:{operation}", installed, an_hour=an_hour, a_vcpu=a_vcpu)
    for name, operation, words, installed, an_hour, a_vcpu in (
        ("Linux", "0004", "SQL Std", "SQL Std", "0.48", Decimal(0)),
        ("Linux", "0100", "SQL Ent", "SQL Ent", "1.5", Decimal(0)),
        ("Linux", "0200", "SQL Web", "SQL Web", "0.068", Decimal(0)),
        ("Windows", "0006", "SQL Std", "SQL Std", "0.48", WINDOWS_PER_VCPU),
        ("Windows", "0102", "SQL Ent", "SQL Ent", "1.5", WINDOWS_PER_VCPU),
        ("Windows", "0202", "SQL Web", "SQL Web", "0.068", WINDOWS_PER_VCPU),
    )
)
SYSTEMS = (LINUX, WINDOWS, RHEL, SUSE, UBUNTU_PRO, OWN_WINDOWS, *SQL, HA_RHEL, SQL_RHEL)

SHARED = Standing("On Demand", "Shared", "BoxUsage")
DEDICATED = Standing("Dedicated", "Dedicated", "DedicatedUsage", factor=DEDICATED_FACTOR)
HOST = Standing("Dedicated Host", "Host", "HostBoxUsage", factor=Decimal(0))
UNUSED = Standing("Unused Reservation", "Shared", "UnusedBox", "UnusedCapacityReservation")
ALLOCATED = Standing("Reservation", "Shared", "Reservation", "AllocatedCapacityReservation", Decimal(0))
DEDICATED_UNUSED = Standing(
    "Dedicated Unused Reservation", "Dedicated", "UnusedDed", "UnusedCapacityReservation", DEDICATED_FACTOR
)
DEDICATED_ALLOCATED = Standing(
    "Dedicated Reservation", "Dedicated", "DedicatedRes", "AllocatedCapacityReservation", Decimal(0)
)
STANDINGS = (SHARED, DEDICATED, UNUSED, ALLOCATED, HOST, DEDICATED_UNUSED, DEDICATED_ALLOCATED)
# What a system's reservations are called in descriptions; BYOL has none.
RESERVED_WORDS: Mapping[str, str] = {
    "Linux": "Linux/UNIX (Amazon VPC)",
    "Windows": "Windows (Amazon VPC)",
    "RHEL": "Red Hat Enterprise Linux (Amazon VPC)",
    "SUSE": "SUSE Linux (Amazon VPC)",
    "Windows with SQL Web": "Windows with SQL Server Web (Amazon VPC)",
    "Windows with SQL Std": "Windows with SQL Server Standard (Amazon VPC)",
}


def sold(region: str, instance_type: str, system: System, standing: Standing, sku: str = "", **more: str) -> Product:
    """The product of a type with a system in a standing."""
    columns = {
        "Tenancy": standing.tenancy,
        "usage": standing.usage,
        "CapacityStatus": standing.status,
        "Operating_System": system.name,
        "License_Model": system.license,
        "operation": system.operation,
        "Pre_Installed_S/W": system.installed,
    }
    return compute(region, instance_type, system.words, sku, **(columns | more))


def price_of(linux: Decimal, instance_type: str, system: System, standing: Standing) -> Decimal:
    """An hour, from the price of shared Linux."""
    return (linux + surcharge(instance_type, system)) * standing.factor


def surcharge(instance_type: str, system: System) -> Decimal:
    """What the system adds to an hour."""
    vcpu = instance_types().get(instance_type, {}).get("vcpu") or "0"
    return Decimal(system.an_hour) + system.a_vcpu * int(vcpu)


def description(product: Product, standing: Standing) -> str:
    """What a line says between the price and the end."""
    if standing.tenancy == "Host":
        return f"{product.software} {product.instance_type} Dedicated Host Instance hour"
    return f"{standing.words} {product.software} {product.instance_type} Instance Hour"
