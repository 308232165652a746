"""Prices in another currency: what is converted, by which rate, how exactly, and what never is."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from connectors import azure_retail_prices
from reports import currency, lookup
from reports.errors import NoExchangeRate, UnknownName
from reports.published import Published, Rows

JUNE = datetime(2026, 6, 1, 6, tzinfo=UTC).replace(tzinfo=None)  # naive, as in the tables
JULY = datetime(2026, 7, 1, 6, tzinfo=UTC).replace(tzinfo=None)


@contextmanager
def rates(*known: tuple[str, str, datetime]) -> Iterator[Published]:
    """A publication with these rates from USD: currency, rate, moment."""
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE exchange_rates (provider VARCHAR, from_currency VARCHAR, to_currency VARCHAR,"
            " rate DECIMAL(18, 10), observed_at TIMESTAMP)"
        ).fetchall()
        for to, rate, moment in known:
            connection.execute(
                "INSERT INTO exchange_rates VALUES ('azure', 'USD', ?, ?, ?)", [to, Decimal(rate), moment]
            ).fetchall()
        yield Published(connection, Path("here"))


def prices(*rows: tuple[str, str, str]) -> Rows:
    """Rows of a region, a currency and a price of p5.48xlarge, whose GPU-hour is an eighth of it."""
    values: list[tuple[object, ...]] = [
        (region, code, Decimal(price).quantize(Decimal("1e-10")), Decimal("1.000000"), 0.25, 8.0, None)
        for region, code, price in rows
    ]
    names = (
        "region_id",
        "currency",
        "hourly_price",
        "upfront_price",
        "change_ratio",
        "hours_since_seen",
        "total_price",
    )
    return Rows(names, values, more=True)


def shown(rows: Rows, *names: str) -> list[tuple[Any, ...]]:
    """Some columns of the rows."""
    return [tuple(row[name] for name in names) for row in rows.as_records()]


def test_money_is_converted_by_the_latest_rate_and_nothing_else_is() -> None:
    """55.04 USD at 0.85 of July (not 0.9 of June) are 46.784 EUR; shares, hours and NULL stay as they are."""
    with rates(("EUR", "0.9", JUNE), ("EUR", "0.85", JULY), ("INR", "90", JULY)) as published:
        rows, exchange = currency.in_currency(published, prices(("us-east-1", "USD", "55.04")), "EUR")

    assert exchange is not None
    assert (
        exchange.sentence
        == "Estimate: USD list prices at 0.85 EUR for 1 USD, as azure gave its prices in both on 2026-07-01."
    )
    (row,) = currency.rounded(rows).as_records()
    assert (row["hourly_price"], row["upfront_price"]) == (Decimal("46.784"), Decimal("0.85"))
    assert (row["currency"], row["list_currency"]) == ("EUR", "USD")
    assert (row["change_ratio"], row["hours_since_seen"], row["total_price"]) == (0.25, 8.0, None)
    assert rows.more


def test_what_is_listed_in_the_currency_stays_as_it_is() -> None:
    """A price of the European Sovereign Cloud is in EUR; beside it the one in USD is converted: 10 x 0.9 = 9."""
    listed = prices(("eusc-de-east-1", "EUR", "10"), ("us-east-1", "USD", "10"))
    with rates(("EUR", "0.9", JUNE)) as published:
        rows, _ = currency.in_currency(published, listed, "EUR")
        alone, exchange = currency.in_currency(published, prices(("eusc-de-east-1", "EUR", "10")), "EUR")

    assert shown(currency.rounded(rows), "hourly_price", "currency", "list_currency") == [
        (10, "EUR", "EUR"),
        (9, "EUR", "USD"),
    ]
    assert (exchange, shown(alone, "hourly_price")) == (None, [(10,)])


@pytest.mark.parametrize(
    ("code", "asked_for"), [(None, None), ("USD", ["USD"]), ("CNY", ["CNY"]), ("EUR", ["EUR", "USD"])]
)
def test_only_prices_in_dollars_are_ever_converted(code: str | None, asked_for: list[str] | None) -> None:
    """USD and CNY ask for price lists, None for all of them; no yuan is turned into euro, and no dollar into yuan."""
    assert currency.listed(code) == asked_for


def test_every_digit_is_kept_until_the_end() -> None:
    """98.32 x 0.9213456789 = 90.586707149448, and 1e-10 x 0.9213456789 more; then ten decimals of that."""
    with rates(("EUR", "0.9213456789", JUNE)) as published:
        rows, _ = currency.in_currency(published, prices(("us-east-1", "USD", "98.3200000001")), "EUR")

    assert shown(rows, "hourly_price") == [(Decimal("90.58670714954013456789"),)]
    assert shown(currency.rounded(rows), "hourly_price") == [(Decimal("90.5867071495"),)]


def test_without_a_rate_one_line_says_how_to_get_one() -> None:
    """A rate of another currency is none; where nothing was found, none is needed."""
    with rates(("INR", "90", JUNE)) as published:
        with pytest.raises(NoExchangeRate) as failed:
            currency.in_currency(published, prices(("us-east-1", "USD", "1")), "EUR")
        assert currency.in_currency(published, prices(), "EUR")[1] is None

    assert str(failed.value) == "no rate for EUR is known: `gpu-prices refresh --currency EUR` fetches it"


def test_a_currency_in_whatever_case() -> None:
    """`eur` is EUR, `any` is none of them; those are known whose rate can be fetched, and another is refused."""
    assert [lookup.currency(word) for word in ("eur", "USD", "Any")] == ["EUR", "USD", None]
    assert set(lookup.CURRENCIES) == {*azure_retail_prices.CURRENCIES, "USD"}
    with pytest.raises(UnknownName, match="unknown currency 'EURO'; did you mean EUR"):
        lookup.currency("EURO")


def test_the_cheapest_come_first_in_the_currency_that_was_asked_for() -> None:
    """5 USD at 0.8 are 4 EUR, before a list price of 4.5 EUR, also where only the first row is asked for."""
    asked: dict[str, Any] = dict.fromkeys(
        ("numerator", "denominator", "provider", "region", "purchase_option", "operating_system")
    )
    asked |= {"gpu_models": ["H100-80GB"], "currencies": currency.listed("EUR")}
    with duckdb.connect() as connection:
        connection.execute("""CREATE TABLE prices AS
            SELECT 'aws' AS provider, region_id, '' AS zone_id, 'p5.48xlarge' AS instance_type,
                'H100-80GB' AS gpu_model, 8 AS gpu_count, 8 AS gpu_numerator, 1 AS gpu_denominator,
                'linux' AS operating_system, 'on_demand' AS purchase_option, '' AS offering_class,
                '' AS payment_option, 0 AS term_months, currency, each::DECIMAL(18, 10) AS price_per_gpu_hour,
                8 * price_per_gpu_hour AS hourly_price, 0 AS upfront_price, hourly_price AS effective_hourly_price,
                'published' AS price_basis, TIMESTAMP '2026-07-01' AS valid_from, valid_from AS last_seen_at,
                NULL AS missing_since, 'aws_price_list' AS source
            FROM (VALUES ('eusc-de-east-1', 'EUR', 4.5), ('us-east-1', 'USD', 5), ('us-west-2', 'USD', 6))
                AS listed (region_id, currency, each)""").fetchall()
        connection.execute("CREATE TABLE publication AS SELECT TIMESTAMP '2026-07-01' AS as_of").fetchall()
        connection.execute("""CREATE TABLE exchange_rates AS
            SELECT 'azure' AS provider, 'USD' AS from_currency, 'EUR' AS to_currency, rate::DECIMAL(18, 10) AS rate,
                observed_at
            FROM (VALUES (0.95, TIMESTAMP '2026-06-01'), (0.8, TIMESTAMP '2026-07-01'))
                AS known (rate, observed_at)""").fetchall()
        published = Published(connection, Path("here"))
        every, first = published.ask("find", **asked), published.ask("find", limit=1, **asked)

    # 4, 4.5 and 6 x 0.8 = 4.8 EUR
    assert list(every.column("region_id")) == ["us-east-1", "eusc-de-east-1", "us-west-2"]
    assert list(first.column("region_id")) == ["us-east-1"]
