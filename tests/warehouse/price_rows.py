"""Rows of the warehouse's tables written by hand, and the published tables built from them in memory.

A price that names nothing else is p5.48xlarge in us-east-1, Linux on demand, in force since 4 April 2025.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

import duckdb

from warehouse.build import View, build_order, create_views, read_views, tables_read
from warehouse.database import open_warehouse
from warehouse.discounts import Discount, put_in

Row = dict[str, Any]

START = datetime(2025, 4, 4, 6, tzinfo=UTC).replace(tzinfo=None)  # naive, as in the tables
HOURS_A_MONTH = 730


def day(number: float) -> datetime:
    """Some days after the start."""
    return START + timedelta(days=number)


def price(hourly: str, **words: Any) -> Row:
    """A row of price_intervals; `upfront` and `term_months` give the total and the effective price."""
    upfront, months = Decimal(words.pop("upfront", "0")), words.get("term_months", 0)
    hours = HOURS_A_MONTH * months
    each = Decimal(hourly)
    effective = (each + upfront / hours).quantize(Decimal("1e-10")) if hours else each
    row: Row = {
        "source": "aws_price_list",
        "provider": "aws",
        "partition": "aws",
        "region_id": "us-east-1",
        "zone_id": "",
        "instance_type": "p5.48xlarge",
        "operating_system": "linux",
        "purchase_option": "on_demand",
        "offering_class": "",
        "payment_option": "",
        "term_months": 0,
        "currency": "USD",
        "valid_from": START,
        "valid_to": None,
        "hourly_price": each,
        "upfront_price": upfront,
        "total_price": each * hours + upfront if hours else None,
        "effective_hourly_price": effective,
        "price_basis": "published",
        "valid_from_basis": "observed",
        "first_seen_at": words.get("valid_from", START),
        "close_reason": "",
        "sku_id": "",
        "rate_id": "",
    } | words
    return {"scope": row["region_id"]} | row


def azure(hourly: str, **words: Any) -> Row:
    """A price of Standard_ND96isr_H100_v5 in eastus, from the retail prices."""
    region = words.get("region_id", "eastus")
    defaults: Row = {
        "source": "azure_retail_prices",
        "scope": f"{region}/USD",
        "provider": "azure",
        "partition": "azure",
        "region_id": region,
        "instance_type": "Standard_ND96isr_H100_v5",
    }
    return price(hourly, **(defaults | words))


def fetch(observed_at: datetime = START, **words: Any) -> Row:
    """A row of observations: a complete fetch of us-east-1 that brought nothing new."""
    status = words.get("status", "complete")
    return {
        "source": "aws_price_list",
        "scope": "us-east-1",
        "as_of": observed_at,
        "observed_at": observed_at,
        "status": status,
        "effective_status": "complete" if status == "unchanged" else status,
        "address": "",
        "lines_read": 0,
        "records": 0,
        "sha256": "",
        "predicate": "1",
        "loaded": 0,
        "duplicates": 0,
        "excluded": 0,
        "rejected": 0,
        "exclusions": {},
        "keys": 0,
        "keys_hash": "",
        "missing": 0,
        "held_reason": "",
    } | words


def azure_fetch(observed_at: datetime = START, **words: Any) -> Row:
    """A complete fetch of eastus."""
    return fetch(observed_at, **({"source": "azure_retail_prices", "scope": "eastus/USD"} | words))


def announced(hourly: str, starts_at: datetime, **words: Any) -> Row:
    """A row of announced: a price of p5.48xlarge that is to start."""
    row = price(hourly, **({"first_seen_at": START} | words))
    for column in ("valid_from", "valid_to", "valid_from_basis", "close_reason", "sku_id", "rate_id"):
        del row[column]
    return row | {"starts_at": starts_at}


def reject(reason: str, **words: Any) -> Row:
    """A row of rejects whose key can't be read."""
    row: Row = {
        "source": "aws_price_list",
        "scope": "us-east-1",
        "reason": reason,
        "record": "{}",
        "price_key": "",
        "first_seen_at": START,
    }
    return row | words


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Row]) -> None:
    """Put rows into a table of the warehouse; what they don't name is NULL."""
    for row in rows:
        named = ", ".join(f'? AS "{column}"' for column in row)
        connection.execute(f"INSERT INTO warehouse.main.{table} BY NAME SELECT {named}", list(row.values())).fetchall()


@contextmanager
def warehouse_with(
    prices: Iterable[Row] = (),
    fetches: Iterable[Row] = (),
    announcements: Iterable[Row] = (),
    rejects: Iterable[Row] = (),
    blocks: Iterable[Row] = (),
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A warehouse in memory that holds these rows; without fetches each scope was fetched completely at the start."""
    prices = list(prices)
    places = sorted({(row["source"], row["scope"]) for row in prices})
    default = [fetch(source=source, scope=scope) for source, scope in places] or [fetch()]
    with open_warehouse(":memory:") as connection:
        insert(connection, "price_intervals", prices)
        insert(connection, "observations", list(fetches) or default)
        insert(connection, "announced", announcements)
        insert(connection, "rejects", rejects)
        insert(connection, "aws_capacity_blocks", blocks)
        yield connection


def build(connection: duckdb.DuckDBPyConnection, *names: str, discounts: list[Discount] | None = None) -> None:
    """Build these published tables and what they read, in memory; from here on a query finds them by their names."""
    connection.execute("ATTACH IF NOT EXISTS ':memory:' AS gpu_prices").fetchall()
    connection.execute("SET search_path = 'gpu_prices.main,warehouse.main'").fetchall()
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE publishing AS SELECT '0.1' AS code_version, '1' AS schema_version"
    ).fetchall()
    put_in(connection, discounts or [])
    create_views(connection, _needed(names))


@cache  # parsing the views takes as long as building most of them
def _needed(names: tuple[str, ...]) -> list[View]:
    wanted = set(names)
    with duckdb.connect() as connection:
        views = build_order(connection, read_views())
        for view in reversed(views):
            if view.name in wanted:
                wanted |= tables_read(connection, view)
    return [view for view in views if view.name in wanted]


def table(connection: duckdb.DuckDBPyConnection, query: str) -> list[Row]:
    """The rows of a query, as mappings."""
    result = connection.execute(query)
    columns = [column[0] for column in result.description or ()]
    return [dict(zip(columns, row, strict=True)) for row in result.fetchall()]


def published(name: str, *prices: Row, query: str = "", **others: Iterable[Row]) -> list[Row]:
    """The rows of one published table built from these rows of the warehouse (or of a query over it)."""
    with warehouse_with(prices, **others) as connection:
        build(connection, name)
        return table(connection, query or f"from {name}")
