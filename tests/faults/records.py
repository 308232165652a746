"""Records in the providers' own words, and the published tables that a set of fetches leads to."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from tests.warehouse.one_record import H100, P4D
from tests.warehouse.price_rows import build, table
from warehouse.database import open_warehouse
from warehouse.landing import Landing
from warehouse.load import load

Row = dict[str, Any]
DAY = datetime(2025, 4, 5, 12, tzinfo=UTC)
TABLES = (
    "prices",
    "price_history",
    "rejected_rows",
    "unmapped_instance_types",
    "instance_types",
    "gpu_regional_spread",
)


def line(instance_type: str = "p4d.24xlarge", price: str = "32.7726", /, **cells: str) -> Row:
    """An on-demand line of a type, a product of its own; `_` in a name stands for a blank."""
    changed = {name.replace("_", " "): cell for name, cell in cells.items()}
    sku = f"{instance_type}|" + "|".join(changed.values())
    own = {
        "SKU": sku,
        "RateCode": f"{sku.replace('.', '_')}.JRTCKXETXF.6YS6EN2CT7",
        "Instance Type": instance_type,
        "PricePerUnit": price,
        "usageType": f"BoxUsage:{instance_type}",
    }
    return {name: cell for name, cell in (P4D | {"Location": "US East (N. Virginia)"} | own | changed).items() if cell}


def reserved(unit: str, price: str, payment: str, offering: str = "standard", lease: str = "1yr", **cells: str) -> Row:
    """One line of a reserved offer of p4d."""
    term = f"{lease}{offering}{payment}".replace(" ", "")
    terms = {"TermType": "Reserved", "LeaseContractLength": lease, "PurchaseOption": payment, "OfferingClass": offering}
    rate = f"SKU.{term}.{unit}"
    return line("p4d.24xlarge", price, Unit=unit, **cells) | terms | {"RateCode": rate, "SKU": "SKU"}


def item(size: str = "Standard_ND96isr_H100_v5", price: str = "98.32", /, **fields: object) -> Row:
    """A pay-as-you-go item of a size, a meter of its own; a field that is None is left out."""
    meter = f"{size} {fields.get('productName', '')} {fields.get('meterName', '')}"
    own = {
        "armSkuName": size,
        "retailPrice": price,
        "unitPrice": price,
        "meterId": meter,
        "skuId": f"P/{meter}",
        "meterName": size.removeprefix("Standard_").replace("_", " "),
        "skuName": size.removeprefix("Standard_").replace("_", " "),
    }
    return {name: value for name, value in (H100 | own | fields).items() if value is not None}


@dataclass(frozen=True)
class Fetch:
    """What one attempt brought, some hours after the first."""

    scope: str
    records: Iterable[Mapping[str, object]]
    hours: float = 0
    status: str = "complete"

    @property
    def source(self) -> str:
        """The feed, by the form of the scope."""
        return "azure_retail_prices" if "/" in self.scope else "aws_price_list"


@contextmanager
def published(*fetches: Fetch, tables: Iterable[str] = TABLES) -> Iterator[duckdb.DuckDBPyConnection]:
    """The tables after these fetches have landed, were loaded and published: the way every price goes."""
    with TemporaryDirectory() as folder, open_warehouse(":memory:") as connection:
        landing = Landing(Path(folder))
        for fetch in fetches:
            observed_at = DAY + timedelta(hours=fetch.hours)
            is_aws = fetch.source == "aws_price_list"
            landing.write(
                source=fetch.source,
                scope=fetch.scope,
                observed_at=observed_at,
                status=fetch.status,
                records=list(fetch.records),
                version=f"{observed_at:%Y%m%d%H%M%S}" if is_aws and fetch.status != "failed" else None,
                as_of=observed_at if is_aws and fetch.status != "failed" else None,
                error="cut off" if fetch.status in ("partial", "failed") else None,
            )
        assert not [done.error for done in load(connection, landing) if done.error]
        build(connection, *tables)
        yield connection


def prices_of(connection: duckdb.DuckDBPyConnection, instance_type: str, **words: str) -> list[Row]:
    """The current prices of a size, Linux unless it says otherwise."""
    where = {"instance_type": instance_type, "operating_system": "linux"} | words
    condition = " and ".join(f"{name} = '{word}'" for name, word in where.items())
    return table(connection, f"from prices where {condition}")


def outcomes(connection: duckdb.DuckDBPyConnection, scope: str) -> Row:
    """Counts of a scope's last fetch, with what was excluded and why."""
    query = f"from warehouse.main.observations where scope = '{scope}' order by observed_at desc limit 1"
    (row,) = table(connection, query)
    assert row["records"] == row["loaded"] + row["duplicates"] + row["excluded"] + row["rejected"]
    return row
