"""A person's own discounts: read strictly, applied in your_prices, and nowhere else."""

from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from tests.warehouse.price_rows import Row, azure, build, day, fetch, insert, price, table, warehouse_with
from warehouse.build import read_views, tables_read
from warehouse.discounts import Discount, load_discounts, read_discounts
from warehouse.errors import WarehouseError
from warehouse.publish import publish

HEADER = "provider,purchase_option,discount_ratio\n"
RESERVED: Row = {"purchase_option": "reserved", "offering_class": "standard", "payment_option": "partial_upfront"}
P4D: Row = {"instance_type": "p4d.24xlarge"}


def written(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    """A file of discounts."""
    path = folder / "discounts.csv"
    path.write_text(text, encoding=encoding)
    return path


def test_a_file_of_discounts(tmp_path: Path) -> None:
    """A line for each; blanks, empty lines, quotes, DOS line ends and a byte order mark change nothing."""
    text = 'provider, purchase_option,discount_ratio\r\naws,on_demand,0.15\r\n\r\n"azure", savings_plan ,.05\r\n'
    text += "aws,spot,0"

    assert read_discounts(written(tmp_path, text, "utf-8-sig")) == [
        Discount("aws", "on_demand", Decimal("0.15")),
        Discount("azure", "savings_plan", Decimal("0.05")),
        Discount("aws", "spot", Decimal(0)),
    ]


def test_without_a_file_there_is_no_discount(tmp_path: Path) -> None:
    """No file, no path, or a file with nothing but its header."""
    assert read_discounts(None) == read_discounts(tmp_path / "discounts.csv") == []
    assert read_discounts(written(tmp_path, HEADER)) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: the first line must be provider,purchase_option,discount_ratio;"),
        ("aws,on_demand,0.15\n", "line 1: the first line must be"),
        ("provider;purchase_option;discount_ratio\n", "line 1: the first line must be"),
        (HEADER + "gcp,on_demand,0.15\n", "line 2: unknown provider 'gcp': it is one of aws, azure;"),
        (HEADER + "AWS,on_demand,0.15\n", "line 2: unknown provider 'AWS'"),
        (
            HEADER + "aws,capacity_block,0.15\n",
            "line 2: unknown purchase_option 'capacity_block': it is one of on_demand",
        ),
        (HEADER + "aws,spot,0.1\n\naws,spot,0.1\n", "line 4: aws spot stands in line 2 already;"),
        (HEADER + "aws,spot\n", "line 2: it has 2 cells, not 3;"),
        (HEADER + "aws,spot,0,15\n", "line 2: it has 4 cells, not 3;"),
        (HEADER + 'aws,spot,"0.1\n', "line 2: unexpected end of data;"),
        *(
            (HEADER + f"aws,spot,{ratio}\n", f"line 2: discount_ratio '{ratio}' is not a share from 0 to below 1")
            for ratio in ("", "15%", "1", "1.0", "-0.1", "15", "nan", "1e-1", "0.1_5", "0.1234567", "０.1")
        ),
    ],
)
def test_a_line_that_can_not_be_used_is_named(tmp_path: Path, text: str, said: str) -> None:
    """The file, the line and what is wrong with it."""
    path = written(tmp_path, text)
    with pytest.raises(WarehouseError) as failed:
        read_discounts(path)

    assert str(failed.value).startswith(f"{path}, {said}")
    assert str(failed.value).endswith("; the last release stays")


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    """A folder of that name, and text in another encoding."""
    path = written(tmp_path, HEADER + "aws,spot,0.1 é\n", "latin-1")
    with pytest.raises(
        WarehouseError, match=r"discounts.csv can't be read \(it is not UTF-8\): the last release stays"
    ):
        read_discounts(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(WarehouseError, match=r"discounts.csv can't be read \(Is a directory\): the last release stays"):
        read_discounts(path)


def test_your_price_is_the_list_price_less_the_discount() -> None:
    """p4d in April 2025, 32.7726 an hour and 84160 + 9.607 reserved (19.2143059361 an hour, 2.401788242 by the GPU).

    15 % off on demand: 27.85671, by the GPU 27.85671 / 8 = 3.48208875. 20 % off reservations: 67328 at the start,
    7.6856 an hour, 19.2143059361 x 0.8 = 15.37144474888, 2.401788242 x 0.8 = 1.9214305936. Azure has none.
    """
    rows = [price("32.7726", **P4D), price("9.607", upfront="84160", term_months=12, **RESERVED, **P4D), azure("98.32")]
    with warehouse_with(rows) as connection:
        build(connection, "prices")
        load_discounts(
            connection,
            [Discount("aws", "on_demand", Decimal("0.15")), Discount("aws", "reserved", Decimal("0.2"))],
        )
        connection.execute(f"CREATE TEMP TABLE yours AS {view('your_prices')}").fetchall()
        found = table(connection, "from yours")
        listed = table(connection, "from prices")

    own = ("discount_ratio", "your_hourly_price", "your_upfront_price", "your_effective_hourly_price")
    assert [tuple(row[name] for name in (*own, "your_price_per_gpu_hour")) for row in found] == [
        (Decimal("0.15"), Decimal("27.85671"), 0, Decimal("27.85671"), Decimal("3.48208875")),
        (Decimal("0.2"), Decimal("7.6856"), 67328, Decimal("15.3714447489"), Decimal("1.9214305936")),
        (0, Decimal("98.32"), 0, Decimal("98.32"), Decimal("12.29")),
    ]
    assert [{name: row[name] for name in listed[0]} for row in found] == listed


def view(name: str) -> str:
    """The query of a view."""
    return next(view.select for view in read_views() if view.name == name)


def test_the_dearest_price_has_room() -> None:
    """The largest that the tables hold, with and without a discount, is no overflow."""
    rows = [
        price("99999999.9999999999", instance_type="p9.1"),
        price("1", upfront="999999999999999999.999999", term_months=12, instance_type="p9.2", **RESERVED)
        | {"effective_hourly_price": Decimal("99999999.9999999999"), "total_price": Decimal(1)},
    ]
    with warehouse_with(rows) as connection:
        build(connection, "your_prices")
        found = table(connection, "select your_hourly_price, your_upfront_price from your_prices")

    assert [tuple(row.values()) for row in found] == [
        (Decimal("99999999.9999999999"), 0),
        (1, Decimal("999999999999999999.999999")),
    ]


def test_no_other_table_knows_of_discounts() -> None:
    """One view reads them, so that a list price is a list price wherever it stands."""
    with duckdb.connect() as connection:
        readers = [view.name for view in read_views() if "discounts" in tables_read(connection, view)]
        later = [view.name for view in read_views() if "your_prices" in tables_read(connection, view)]

    assert (readers, later) == (["your_prices"], [])


def test_a_discount_that_can_not_be_read_publishes_nothing(tmp_path: Path) -> None:
    """The last release stays; put right, the next one has it, and in the other tables nothing but list prices."""
    with warehouse_with([price("55.04")]) as connection:
        before = publish(connection, tmp_path, "0.1", discounts=tmp_path / "discounts.csv")
        insert(connection, "observations", [fetch(day(1))])
        with pytest.raises(WarehouseError, match="line 2: unknown provider 'amazon'"):
            publish(connection, tmp_path, "0.1", discounts=written(tmp_path, HEADER + "amazon,on_demand,0.1\n"))
        assert (tmp_path / "published").resolve() == before.path.resolve()

        after = publish(connection, tmp_path, "0.1", discounts=written(tmp_path, HEADER + "aws,on_demand,0.25\n"))
        assert table(connection, "select count(*) as n from duckdb_tables() where temporary") == [{"n": 0}]

    yours = "select discount_ratio, your_hourly_price, hourly_price from '{}/your_prices.parquet'"
    with duckdb.connect() as connection:
        assert connection.execute(yours.format(before.path)).fetchall() == [(0, Decimal("55.04"), Decimal("55.04"))]
        assert connection.execute(yours.format(after.path)).fetchall() == [
            (Decimal("0.25"), Decimal("41.28"), Decimal("55.04"))
        ]
    listed = (after.path / "prices.csv").read_text()
    assert "55.0400000000" in listed and "41.28" not in listed
