"""Run one source's .sql over records, in a real warehouse with its reference tables."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from warehouse.database import open_warehouse

SOURCES = Path(__file__).parents[2] / "warehouse" / "sources"

Row = dict[str, Any]

# What every source's .sql gives, in this order; one with a table of its own gives `fact` last. Nothing else is taken.
COLUMNS = {
    "record_id": "UBIGINT",
    "outcome": "VARCHAR",
    "reason": "VARCHAR",
    "provider": "VARCHAR",
    "partition": "VARCHAR",
    "region_id": "VARCHAR",
    "zone_id": "VARCHAR",
    "instance_type": "VARCHAR",
    "operating_system": "VARCHAR",
    "purchase_option": "VARCHAR",
    "offering_class": "VARCHAR",
    "payment_option": "VARCHAR",
    "term_months": "SMALLINT",
    "currency": "VARCHAR",
    "hourly_price": "DECIMAL(18,10)",
    "upfront_price": "DECIMAL(24,6)",
    "total_price": "DECIMAL(24,6)",
    "effective_hourly_price": "DECIMAL(18,10)",
    "price_basis": "VARCHAR",
    "provider_effective_date": "TIMESTAMP",
    "sku_id": "VARCHAR",
    "rate_id": "VARCHAR",
}
KEY = tuple(COLUMNS)[3:14]


def utc(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    """A moment, aware."""
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


class SourceSql:
    """One connection for many readings."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, source: str) -> None:
        self._connection = connection
        self._source = source
        self._sql = (SOURCES / f"{source}.sql").read_text()

    def read(
        self,
        scope: str,
        records: Iterable[Mapping[str, object]],
        observed_at: datetime,
        as_of: datetime | None = None,
    ) -> list[Row]:
        """The rows for `records` of one fetch, by record, then key. Every time is aware, here and in the rows.

        `as_of`: where it is not `observed_at`.
        """
        run = self._connection.execute
        run("CREATE OR REPLACE TEMP TABLE landed (record_id UBIGINT, scope_id INTEGER, record JSON)").fetchall()
        lines = [[number, 0, json.dumps(record)] for number, record in enumerate(records)]
        if lines:
            self._connection.executemany("INSERT INTO landed VALUES (?, ?, ?)", lines)
        run(
            """CREATE OR REPLACE TEMP TABLE fetches AS
            SELECT 0::integer AS scope_id, ?::varchar AS source, ?::varchar AS scope, ?::timestamp AS as_of,
                ?::timestamp AS observed_at, NULL::varchar AS version""",
            [
                self._source,
                scope,
                *(at.astimezone(UTC).replace(tzinfo=None) for at in (as_of or observed_at, observed_at)),
            ],
        ).fetchall()
        rows = run(self._sql).fetchall()
        key = [list(COLUMNS).index(name) for name in KEY]
        rows.sort(key=lambda row: (row[0], [str(row[column]) for column in key]))
        names = [*COLUMNS, "fact"][: len(rows[0]) if rows else 0]
        return [{name: _aware(value) for name, value in zip(names, row, strict=True)} for row in rows]

    def know(self, provider: str, instance_type: str) -> None:
        """Count a type among the GPU types, for recorded payloads that are about others."""
        self._connection.execute(
            "INSERT INTO ref_instance_types (provider, instance_type) VALUES (?, ?)", [provider, instance_type]
        ).fetchall()

    def columns(self) -> dict[str, str]:
        """Name -> type of what the .sql gives; `read` must have been called."""
        return {name: kind for name, kind, *_ in self._connection.execute(f"DESCRIBE {self._sql}").fetchall()}


def _aware(value: object) -> object:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) else value


def open_source(source: str) -> Iterator[SourceSql]:
    """For a fixture: the .sql of `source` on a warehouse in memory."""
    with open_warehouse(":memory:") as connection:
        yield SourceSql(connection, source)
