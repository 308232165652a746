"""Prices in another currency than that of their list: the one place where money is converted, as an estimate.

List prices are in the currency of their partition: USD, CNY in China, EUR in AWS's European Sovereign Cloud. Only those
in USD are converted, by the latest rate that Azure's own prices in both currencies give; what is listed in the currency
that was asked for stays as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, localcontext

from reports.errors import NoExchangeRate
from reports.published import Published, Rows

CONVERTED = "USD"
# CNY asks for the price lists of China, which no conversion stands in for.
NEVER_CONVERTED_TO = (CONVERTED, "CNY")
MONEY = ("_price", "_hour", "_cost")
OF_A_TERM = ("upfront_price", "total_price")  # DECIMAL(24, 6) in the tables, the others DECIMAL(18, 10)
DIGITS = 60  # of a price times a rate, so that nothing is rounded before the end


@dataclass(frozen=True)
class Exchange:
    """A rate, and where and when it was read."""

    from_currency: str
    to_currency: str
    rate: Decimal
    observed_at: datetime
    provider: str

    @property
    def sentence(self) -> str:
        """What a person is told beside converted prices."""
        return (
            f"Estimate: {self.from_currency} list prices at {self.rate.normalize():f} {self.to_currency} for 1 "
            f"{self.from_currency}, as {self.provider} gave its prices in both on {self.observed_at:%Y-%m-%d}."
        )

    def said(self) -> dict[str, object]:
        """The same for a program."""
        return {"estimate": True, "exchange_rate": vars(self)}

    def of(self, rows: Rows) -> Rows:
        """The rows in `to_currency`, every digit kept; `list_currency` is the one that each was in."""
        values = []
        with localcontext(prec=DIGITS):
            for record in rows.as_records():
                row = self._of(record) if record["currency"] == self.from_currency else record
                values.append((*(row[name] for name in rows.columns), record["currency"]))
        return Rows((*rows.columns, "list_currency"), values, rows.more)

    def _of(self, record: Mapping[str, object]) -> dict[str, object]:
        money = {
            name: value * self.rate
            for name, value in record.items()
            if name.endswith(MONEY) and isinstance(value, Decimal)
        }
        return {**record, **money, "currency": self.to_currency}


def listed(currency: str | None) -> list[str] | None:
    """The currencies of the list prices that a question about `currency` is about; None: all."""
    if currency is None:
        return None
    return [currency] if currency in NEVER_CONVERTED_TO else sorted({currency, CONVERTED})


def in_currency(published: Published, rows: Rows, currency: str | None) -> tuple[Rows, Exchange | None]:
    """The rows in `currency` and the rate by which some were converted; as they are, and None, where none had to be.

    Raises:
        NoExchangeRate: none is published.
    """
    if currency is None or all(each == currency for each in rows.column("currency")):
        return rows, None
    found = published.ask("exchange_rate", currency=currency).as_records()
    if not found:
        raise NoExchangeRate(f"no rate for {currency} is known: `gpu-prices refresh --currency {currency}` fetches it")
    exchange = Exchange(**found[0])
    return exchange.of(rows), exchange


def rounded(rows: Rows) -> Rows:
    """Money to as many decimals as the published tables have of it."""
    values = [
        tuple(_rounded(name, value) for name, value in zip(rows.columns, row, strict=True)) for row in rows.values
    ]
    return Rows(rows.columns, values, rows.more)


def _rounded(name: str, value: object) -> object:
    if not name.endswith(MONEY) or not isinstance(value, Decimal):
        return value
    places = 6 if name in OF_A_TERM else 10
    with localcontext(prec=DIGITS):
        return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
