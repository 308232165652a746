"""Prices in another currency at the command line: converted in every answer, and never without a word.

p5.48xlarge at 55.04 USD an hour (AWS price list of 2025-06-05), ND96isr_H100_v5 at 98.32; Azure's prices in EUR are 0.9
of those in USD: 55.04 x 0.9 = 49.536, by the GPU 49.536 / 8 = 6.192; 98.32 x 0.9 = 88.488, by the GPU 11.061.
"""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from tests.flows.test_cli import ask, records_of
from tests.warehouse.price_rows import Row, azure, price, warehouse_with
from warehouse.publish import publish

RESERVED: Row = {"purchase_option": "reserved", "offering_class": "standard", "payment_option": "all_upfront"}
ESTIMATE = "Estimate: USD list prices at 0.9 EUR for 1 USD, as azure gave its prices in both on 2025-04-04.\n"


def in_two_currencies(number: int) -> list[Row]:
    """A meter of a size without H100s, in both."""
    ids = {"sku_id": f"sku-{number}", "rate_id": f"meter-{number}", "instance_type": f"Standard_N{number}"}
    return [
        azure(str(number), **ids),
        azure(str(number * Decimal("0.9")), **(ids | {"currency": "EUR", "scope": "eastus/EUR"})),
    ]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A publication that knows a rate for EUR; the China list has p5 at 400 CNY."""
    rows = [
        price("55.04"),
        price("0", upfront="240000", term_months=12, **RESERVED),
        price("400", region_id="cn-north-1", partition="aws-cn", currency="CNY"),
        azure("98.32"),
        *(row for number in range(1, 21) for row in in_two_currencies(number)),
    ]
    folder = tmp_path_factory.mktemp("home")
    with warehouse_with(rows) as connection:
        publish(connection, folder, "0.1")
    return folder


def test_find_converts_prices_in_dollars(home: Path) -> None:
    """Both offers, in the same order as in USD; the price list of China has no part in it."""
    result = ask(home, "find", "--gpu", "H100", "--currency", "eur")

    assert [
        (row["instance_type"], row["currency"], row["list_currency"], row["hourly_price"], row["price_per_gpu_hour"])
        for row in records_of(result)
    ] == [
        ("p5.48xlarge", "EUR", "USD", "49.536", "6.192"),
        ("Standard_ND96isr_H100_v5", "EUR", "USD", "88.488", "11.061"),
    ]
    assert result.stderr.endswith(ESTIMATE)
    assert "; EUR; as of" in result.stderr


def test_yuan_are_the_price_list_of_china(home: Path) -> None:
    """`--currency CNY` finds p5 at 400 in cn-north-1 and converts nothing; `any` shows all as they are listed."""
    result = ask(home, "find", "--gpu", "H100", "--currency", "CNY")
    assert [(row["region_id"], row["hourly_price"]) for row in records_of(result)] == [("cn-north-1", "400")]
    assert "Estimate" not in result.stderr

    result = ask(home, "find", "--gpu", "H100", "--currency", "any")
    assert [row["currency"] for row in records_of(result)] == ["CNY", "USD", "USD"]
    assert "Estimate" not in result.stderr


def test_a_program_is_told_the_rate_and_that_it_is_an_estimate(home: Path) -> None:
    """Beside the rows; without a conversion neither word stands there."""
    answer = json.loads(ask(home, "find", "--gpu", "H100", "--currency", "EUR", "--json").stdout)
    assert answer["estimate"] is True
    assert answer["exchange_rate"] == {
        "from_currency": "USD",
        "to_currency": "EUR",
        "rate": 0.9,
        "observed_at": "2025-04-04T06:00:00Z",
        "provider": "azure",
    }
    assert [row["hourly_price"] for row in answer["rows"]] == [49.536, 88.488]

    listed = json.loads(ask(home, "find", "--gpu", "H100", "--json").stdout)
    assert not {"estimate", "exchange_rate"} & listed.keys()
    assert "list_currency" not in listed["rows"][0]


def test_the_spread_is_told_in_the_currency_too(home: Path) -> None:
    """The sentence below the rows is of the converted prices; its ratio is the same."""
    result = ask(home, "spread", "--gpu", "H100", "--provider", "aws", "--currency", "EUR")

    assert [(row["region_id"], row["price_per_gpu_hour"]) for row in records_of(result)] == [("us-east-1", "6.192")]
    assert "EUR: 6.1920 to 6.1920 in 1 regions, 0.0% more" in result.stderr
    assert ESTIMATE in result.stderr


def test_savings_compare_converted_with_converted(home: Path) -> None:
    """240000 / 8760 h = 27.3972602740 x 0.9 = 24.6575342466 against 49.536; the saving is that in USD, 50.2 %."""
    (row,) = records_of(ask(home, "savings", "--gpu", "H100", "--currency", "EUR"))

    assert (row["effective_hourly_price"], row["on_demand_hourly_price"]) == ("24.6575342466", "49.536")
    assert (row["upfront_price"], row["saving_ratio"][:5]) == ("216000", "0.502")


def test_history_is_converted_by_the_latest_rate(home: Path) -> None:
    """Whenever the price held, and without --currency nothing is."""
    asked = ("history", "--instance-type", "p5.48xlarge", "--region", "us-east-1")
    result = ask(home, *asked, "--currency", "EUR")

    assert [row["effective_hourly_price"] for row in records_of(result)] == ["49.536"]
    assert result.stderr.endswith(ESTIMATE)
    assert [row["effective_hourly_price"] for row in records_of(ask(home, *asked))] == ["55.04"]


def test_a_plan_in_euro_is_the_plan_in_dollars(home: Path) -> None:
    """8 H100 for 730 h, reserved: 240000 / 12 = 20000 USD a month, 18000 EUR; on demand 49.536 x 730 = 36161.28."""
    asked = ("plan", "--gpu", "H100", "--count", "8", "--hours-per-month", "730", "--region", "us-*")
    result = ask(home, *asked, "--currency", "EUR")

    assert [(row["purchase_option"], row["upfront_price"], row["monthly_cost"]) for row in records_of(result)] == [
        ("reserved", "216000", "18000")
    ]
    assert "18,000.00 EUR a month" in result.stderr
    assert "all on demand at its cheapest: 36,161.28 EUR, so 50.2% less" in result.stderr
    assert result.stderr.endswith(ESTIMATE)
    answer = json.loads(ask(home, *asked, "--currency", "EUR", "--json").stdout)
    assert (answer["estimate"], answer["exchange_rate"]["rate"], answer["upfront"]) == (True, 0.9, 216000)


@pytest.mark.parametrize("command", ["find", "spread", "savings", "history"])
def test_a_currency_without_a_rate_is_one_line(home: Path, command: str) -> None:
    """Prices stand there, but none in GBP were ever fetched: what fetches them is said, and nothing is printed."""
    result = ask(home, command, "--gpu", "H100", "--currency", "GBP")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "gpu-prices: no rate for GBP is known: `gpu-prices refresh --currency GBP` fetches it\n"
