"""A negotiated discount: read strictly, applied in one view, and the list prices beside it stay what they are."""

from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from tests.warehouse.price_rows import azure, build, day, fetch, insert, price, table, warehouse_with
from warehouse.build import read_views, tables_read
from warehouse.discounts import read_discounts
from warehouse.errors import WarehouseError
from warehouse.publish import publish

HEADER = "provider,purchase_option,discount_ratio\n"


def write(home: Path, text: str) -> Path:
    """The file of a home."""
    path = home / "discounts.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_home_without_the_file_has_no_discount(tmp_path: Path) -> None:
    """Nothing is required of anyone."""
    assert read_discounts(tmp_path) == []


def test_the_file_is_read_as_spreadsheets_write_it(tmp_path: Path) -> None:
    """With a byte order mark, blanks around cells and an empty last line."""
    write(tmp_path, "\ufeff" + HEADER + "aws, on_demand ,0.09\nazure,reserved,0\n\n")

    assert read_discounts(tmp_path) == [("aws", "on_demand", Decimal("0.09")), ("azure", "reserved", Decimal(0))]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: the header must be provider,purchase_option,discount_ratio, not ''"),
        ("provider,ratio\n", "line 1: the header must be"),
        (HEADER + "gcp,on_demand,0.1\n", "line 2: provider 'gcp' is none of aws, azure"),
        (HEADER + "aws,ondemand,0.1\n", "line 2: purchase option 'ondemand' is none of on_demand, spot"),
        (HEADER + "aws,spot,0.1\naws,spot,0.2\n", "line 3: aws spot stands in line 2 already"),
        (HEADER + "aws,spot,9%\n", "line 2: discount '9%' is no ratio from 0 to below 1, like 0.09"),
        (HEADER + "aws,spot,9\n", "line 2: discount '9' is no ratio"),
        (HEADER + "aws,spot,-0.1\n", "line 2: discount '-0.1' is no ratio"),
        (HEADER + "aws,spot,1\n", "line 2: discount '1' is no ratio"),
        (HEADER + "aws,spot,nan\n", "line 2: discount 'nan' is no ratio"),
        (HEADER + "aws,spot,0.1_5\n", "line 2: discount '0.1_5' is no ratio"),
        (HEADER + "aws,spot,1e-1\n", "line 2: discount '1e-1' is no ratio"),
        (HEADER + "aws,spot,\n", "line 2: discount '' is no ratio"),
        (HEADER + "aws,spot,0.123456789\n", "line 2: discount '0.123456789' is no ratio"),
        (HEADER + "aws,spot\n", "line 2: 2 cells, not 3"),
    ],
)
def test_a_line_that_is_not_right_is_named(tmp_path: Path, text: str, said: str) -> None:
    """A discount that is read wrong costs money: the file, the line, and what it should be."""
    path = write(tmp_path, text)

    with pytest.raises(WarehouseError) as raised:
        read_discounts(tmp_path)
    assert str(raised.value).startswith(f"{path} {said}")


def test_a_file_that_is_no_text_is_said(tmp_path: Path) -> None:
    """A spreadsheet saved as such."""
    (tmp_path / "discounts.csv").write_bytes(b"PK\x03\x04\xff\xfe")

    with pytest.raises(WarehouseError, match=r"discounts\.csv can't be read"):
        read_discounts(tmp_path)


def test_yours_stands_beside_the_list_price() -> None:
    """Nine percent off 55.04 is 50.0864, by the GPU 6.2608. Ten off 1000 at the start and 6: 900 and 5.4."""
    year = {"purchase_option": "reserved", "payment_option": "partial_upfront", "term_months": 12}
    rows = [price("55.04"), price("6", upfront="1000", **year), azure("98.32")]
    discounts = [("aws", "on_demand", Decimal("0.09")), ("aws", "reserved", Decimal("0.1"))]
    with warehouse_with(rows) as connection:
        build(connection, "your_prices", "buy_options", discounts=discounts)
        on_demand, reserved, other = table(connection, "from your_prices")
        listed = table(connection, "from buy_options where purchase_option = 'on_demand' and provider = 'aws'")

    assert (on_demand["hourly_price"], on_demand["your_hourly_price"]) == (Decimal("55.04"), Decimal("50.0864"))
    assert on_demand["your_price_per_gpu_hour"] == Decimal("6.2608")
    assert (reserved["your_upfront_price"], reserved["your_hourly_price"]) == (900, Decimal("5.4"))
    assert reserved["your_effective_hourly_price"] == Decimal("5.5027397260")  # 0.9 x 6.1141552511 = 5.50273972599
    assert (other["discount_ratio"], other["your_hourly_price"]) == (0, Decimal("98.32"))
    assert listed[0]["price_per_gpu_hour"] == Decimal("6.88")  # no other table knows a discount


def test_no_other_table_knows_of_discounts() -> None:
    """One view reads them and none reads that view: a list price is a list price wherever else it stands."""
    with duckdb.connect() as connection:
        reads = {view.name: tables_read(connection, view) for view in read_views()}

    assert [name for name in reads if "discounts" in reads[name]] == ["your_prices"]
    assert [name for name in reads if "your_prices" in reads[name]] == []


def test_a_discount_that_can_not_be_read_publishes_nothing(tmp_path: Path) -> None:
    """The last release stays; put right, the next one has it: 55.04 less a quarter is 41.28."""
    with warehouse_with([price("55.04")]) as connection:
        before = publish(connection, tmp_path, "0.1")
        insert(connection, "observations", [fetch(day(1))])
        write(tmp_path, HEADER + "amazon,on_demand,0.25\n")
        with pytest.raises(WarehouseError, match="line 2: provider 'amazon' is none of"):
            publish(connection, tmp_path, "0.1")
        assert (tmp_path / "published").resolve() == before.path.resolve()

        write(tmp_path, HEADER + "aws,on_demand,0.25\n")
        after = publish(connection, tmp_path, "0.1")

    with duckdb.connect() as connection:
        for release, yours in ((before, Decimal("55.04")), (after, Decimal("41.28"))):
            found = table(connection, f"from '{release.path}/your_prices.parquet'")
            assert [(row["hourly_price"], row["your_hourly_price"]) for row in found] == [(Decimal("55.04"), yours)]
