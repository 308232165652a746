"""What offers of Capacity Blocks say in our words: an hour's price by hand, and a reason for each that gives none."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from tests.warehouse.source_sql import Row, SourceSql, open_source, utc
from warehouse.database import open_warehouse
from warehouse.landing import Landing
from warehouse.load import load

SEEN_AT = utc(2026, 8, 1, 6)
OFFER = {
    "CapacityBlockOfferingId": "cb-0a1b2c3d4e5f60001",
    "InstanceType": "p5.48xlarge",
    "AvailabilityZone": "us-east-1a",
    "InstanceCount": "1",
    "StartDate": "2026-08-03T11:30:00+00:00",
    "EndDate": "2026-08-04T11:30:00+00:00",
    "CapacityBlockDurationHours": "24",
    "UpfrontFee": "755.136000",
    "CurrencyCode": "USD",
    "Tenancy": "default",
}


@pytest.fixture(scope="module")
def source() -> Iterator[SourceSql]:
    """The .sql on the real reference tables."""
    yield from open_source("aws_capacity_blocks")


def one(source: SourceSql, **fields: str | None) -> Row:
    """The row of the offer with other fields; None leaves one out."""
    record = {name: value for name, value in (OFFER | fields).items() if value is not None}
    (row,) = source.read("us-east-1", [record], SEEN_AT)
    return row


@pytest.mark.parametrize(
    ("fields", "hourly"),
    [
        ({}, "31.464"),  # 755.136 / 24
        (
            {  # 740 / (8 x 23.5) = 3.9361702128
                "InstanceCount": "8",
                "EndDate": "2026-08-04T11:00:00+00:00",
                "CapacityBlockDurationHours": "23",
                "CapacityBlockDurationMinutes": "30",
                "UpfrontFee": "740",
            },
            "3.9361702128",
        ),
    ],
)
def test_an_hour_is_the_fee_over_instances_and_hours(source: SourceSql, fields: dict[str, str], hourly: str) -> None:
    """The fee is the whole block's; minutes beside the hours count."""
    row = one(source, **fields)

    assert (row["outcome"], row["reason"]) == ("fact", "")
    assert row["fact"]["hourly_price"] == Decimal(hourly)
    assert row["fact"]["starts_at"] == utc(2026, 8, 3, 11, 30).replace(tzinfo=None)
    assert row["fact"]["availability_zone"] == "us-east-1a"


@pytest.mark.parametrize(
    ("fields", "outcome", "reason"),
    [
        ({"Tenancy": "dedicated"}, "excluded", "tenancy dedicated"),
        ({"ErrorCode": "Unsupported"}, "excluded", "not sold as a Capacity Block there"),
        ({"ErrorCode": "InvalidParameterValue"}, "rejected", "refused: InvalidParameterValue"),
        ({"Tenancy": "host"}, "rejected", "unknown Tenancy"),
        ({"InstanceType": None}, "rejected", "no InstanceType"),
        ({"AvailabilityZone": None}, "rejected", "no AvailabilityZone"),
        ({"CurrencyCode": "EUR"}, "rejected", "currency other than the partition's"),
        ({"InstanceCount": "0"}, "rejected", "unreadable InstanceCount"),
        ({"InstanceCount": "1.5"}, "rejected", "unreadable InstanceCount"),  # DuckDB would round it to 2
        ({"InstanceCount": "1_0"}, "rejected", "unreadable InstanceCount"),
        ({"InstanceCount": "2000000000"}, "rejected", "unreadable InstanceCount"),  # x 1,440 minutes overflows
        ({"CapacityBlockDurationHours": "99999999"}, "rejected", "unreadable duration"),  # x 60 overflows
        ({"CapacityBlockDurationHours": "23.6"}, "rejected", "unreadable duration"),
        ({"CapacityBlockDurationMinutes": "-30"}, "rejected", "unreadable duration"),
        ({"EndDate": "infinity"}, "rejected", "unreadable StartDate or EndDate"),
        ({"CapacityBlockDurationHours": None}, "rejected", "unreadable duration"),
        ({"CapacityBlockDurationMinutes": "half"}, "rejected", "unreadable duration"),
        ({"StartDate": "soon"}, "rejected", "unreadable StartDate or EndDate"),
        ({"EndDate": "2026-08-02T11:30:00+00:00"}, "rejected", "unreadable StartDate or EndDate"),
        ({"CapacityBlockDurationHours": "48"}, "rejected", "hours other than between its dates"),
        ({"UpfrontFee": "7_55"}, "rejected", "unreadable UpfrontFee"),
        ({"UpfrontFee": "0"}, "rejected", "fee not positive"),
        ({"UpfrontFee": "99999999999999"}, "rejected", "price out of range"),
    ],
)
def test_what_is_no_offer_says_why(source: SourceSql, fields: dict[str, str | None], outcome: str, reason: str) -> None:
    """Never a default, never dropped."""
    row = one(source, **fields)

    assert (row["outcome"], row["reason"]) == (outcome, reason)


def write(landing: Landing, day: int, *records: dict[str, str], status: str = "complete") -> None:
    """Land a fetch of us-east-1."""
    landing.write(
        source="aws_capacity_blocks",
        scope="us-east-1",
        observed_at=utc(2026, 8, day, 6),
        status=status,
        records=records,
    )


def table(connection: duckdb.DuckDBPyConnection, name: str) -> list[tuple[object, ...]]:
    """A table's rows, sorted."""
    return sorted(connection.execute(f"FROM {name}").fetchall(), key=repr)


TABLES = ("aws_capacity_blocks", "observations", "rejects", "price_intervals", "dictionaries")


def test_offers_are_a_function_of_what_landed(tmp_path: Path) -> None:
    """Day by day, at once, in another order and twice over: the same tables, and no price among the prices."""
    dearer = OFFER | {"UpfrontFee": "800"}
    broken = OFFER | {"UpfrontFee": "free"}
    days: dict[int, tuple[dict[str, str], ...]] = {1: (OFFER, broken), 2: (OFFER, dearer), 3: (dearer,)}
    found = []
    for order in ((1, 2, 3), (3, 1, 2), (2, 3, 1)):
        landing = Landing(tmp_path / "".join(map(str, order)))
        with open_warehouse(":memory:") as connection:
            for day in order:
                write(landing, day, *days[day])
                assert not [done.error for done in load(connection, landing) if done.error]
            assert load(connection, landing) == []
            found.append([table(connection, name) for name in TABLES])
        with open_warehouse(":memory:") as connection:
            load(connection, landing)
            found.append([table(connection, name) for name in TABLES])

    assert all(tables == found[0] for tables in found)
    assert [len(rows) for rows in found[0]] == [4, 3, 1, 0, 1]
    with open_warehouse(":memory:") as connection:
        load(connection, landing)
        counts = connection.execute(
            "SELECT records, loaded, duplicates, excluded, rejected FROM observations ORDER BY observed_at"
        ).fetchall()
    assert counts == [(2, 1, 0, 0, 1), (2, 2, 0, 0, 0), (1, 1, 0, 0, 0)]
