"""Prices of the Azure retail price list in other currencies than the dollar: a conversion at made-up rates.

The service's price is in dollars. What it answers in another documented currency is a reference conversion, rounded;
to how many decimals nobody recorded: six are those of Azure China's sheet, whose prices are in yuan.
"""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

# Synthetic: units of the currency for a US dollar, the same on every day. The currencies are the documented ones.
RATES: Mapping[str, Decimal] = {
    "USD": Decimal(1),
    "AUD": Decimal("1.55"),
    "BRL": Decimal("5.6"),
    "CAD": Decimal("1.37"),
    "CHF": Decimal("0.82"),
    "CNY": Decimal("7.2"),
    "DKK": Decimal("6.55"),
    "EUR": Decimal("0.88"),
    "GBP": Decimal("0.75"),
    "INR": Decimal("86"),
    "JPY": Decimal("145"),
    "KRW": Decimal("1370"),
    "NOK": Decimal("10.1"),
    "NZD": Decimal("1.66"),
    "RUB": Decimal("79"),
    "SEK": Decimal("9.6"),
    "TWD": Decimal("30"),
}
PLACES = Decimal("0.000001")


def rounded(price: Decimal) -> Decimal:
    """A price as it is written in a currency that isn't the dollar."""
    return price.quantize(PLACES, ROUND_HALF_UP)


def converted(dollars: Decimal, currency: str) -> Decimal:
    """The price in a currency of RATES; dollars stay as they are."""
    return dollars if currency == "USD" else rounded(dollars * RATES[currency])
