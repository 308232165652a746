"""Lines of the EC2 price list: a product, a term and a price, as the bulk CSV writes them.

Non-empty cells are quoted, empty ones bare. On-demand lines carry the first of the month as EffectiveDate and
reserved ones the day of publication, as in the file of 2025-09-12.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from connectors.sandbox.aws_partition import AWS, partition_of
from connectors.sandbox.aws_products import PRODUCT_COLUMNS, TERM_COLUMNS, Product
from connectors.sandbox.facts import plain

ON_DEMAND = "JRTCKXETXF"
FLAT_RATE = "FLATRATE22"  # made up
HOURLY_RATE, UPFRONT_RATE = "6YS6EN2CT7", "2TG2D8R56U"
# China has codes of its own, as in a file of 2023-03-14.
CHINA_CODES: Mapping[str, str] = {ON_DEMAND: "5Y9WH78GDR", HOURLY_RATE: "Q7UJUT2CE6"}
# (term in months, class, payment) -> offer term code, as in `aws pricing get-products` output.
RESERVED_CODES: Mapping[tuple[int, str, str], str] = {
    (12, "standard", "no_upfront"): "4NA7Y494T4",
    (12, "standard", "partial_upfront"): "HU7G6KETJZ",
    (12, "standard", "all_upfront"): "6QCMYABX3D",
    (36, "standard", "no_upfront"): "BPH4J8HBKS",
    (36, "standard", "partial_upfront"): "38NPMPTW36",
    (36, "standard", "all_upfront"): "NQ3QZPMQV9",
    (12, "convertible", "no_upfront"): "7NE97W5U4E",
    (12, "convertible", "partial_upfront"): "CUZHX8X6JH",
    (12, "convertible", "all_upfront"): "VJWZNREJX2",
    (36, "convertible", "no_upfront"): "Z2E3P23VKM",
    (36, "convertible", "partial_upfront"): "R5XV2EPZQZ",
    (36, "convertible", "all_upfront"): "MZU6U2429S",
}
PAYMENT_WORDS = {"no_upfront": "No Upfront", "partial_upfront": "Partial Upfront", "all_upfront": "All Upfront"}


@dataclass(frozen=True, slots=True)
class Line:
    """One data line: the product and its term cells, without SKU and RateCode, which follow from them."""

    product: Product
    term_code: str
    rate: str
    cells: tuple[str, ...]  # TermType to OfferingClass

    @property
    def order(self) -> tuple[str, str, bool]:
        """The file is sorted by SKU and term; the hourly line stands before the upfront one."""
        return self.product.sku, self.term_code, self.rate == UPFRONT_RATE


def on_demand(product: Product, price: Decimal, day: date, *, words: str = "", unit: str = "Hrs") -> Line:
    """A line of TermType OnDemand. `words` is what the description says between the price and the end."""
    words = words or f"On Demand {product.software} {product.instance_type} Instance Hour"
    return Line(
        product,
        ON_DEMAND,
        HOURLY_RATE,
        (
            "OnDemand",
            f"{money(product, price)} per {words}",
            day.replace(day=1).isoformat(),
            "0",
            "Inf",
            unit,
            f"{price:.10f}",
            currency_of(product),
            "",
            "",
            "",
            "",
        ),
    )


def currency_of(product: Product) -> str:
    """What the price list of the product's partition is in."""
    return partition_of(product.attributes["Region Code"]).currency


def money(product: Product, price: Decimal) -> str:
    """A price in words: $98.32, 38.849 CNY."""
    currency = currency_of(product)
    return f"${dollars(price)}" if currency == AWS.currency else f"{plain(price)} {currency}"


def dollars(price: Decimal) -> str:
    """At least two decimals, no more than needed: 98.32, 0.00, 21.957642."""
    text = plain(price)
    return text if len(text.partition(".")[2]) >= 2 else f"{price:.2f}"


def flat_rate(product: Product, price: Decimal, day: date) -> Line:
    """A line of the term that the documentation announces and no recording has."""
    words = f"{money(product, price)} per Flat Rate {product.software} {product.instance_type} Month"
    cells = (
        "FlatRate",
        words,
        day.isoformat(),
        "0",
        "Inf",
        "Months",
        f"{price:.10f}",
        currency_of(product),
        "",
        "",
        "",
        "",
    )
    return Line(product, FLAT_RATE, HOURLY_RATE, cells)


def reserved(
    product: Product, term: tuple[int, str, str], hourly: Decimal, upfront: Decimal | None, day: date, software: str
) -> Iterator[Line]:
    """The one or two lines of a reserved offer. All upfront has an hourly line of 0, no upfront no Quantity line."""
    months, offering, payment = term
    code = RESERVED_CODES[term]
    lease = (f"{months // 12}yr", PAYMENT_WORDS[payment], offering)
    applied = f"{software}, {product.instance_type} reserved instance applied"
    words = f"USD 0.0 per {applied}" if hourly == 0 else applied
    yield Line(
        product,
        code,
        HOURLY_RATE,
        ("Reserved", words, day.isoformat(), "0", "Inf", "Hrs", f"{hourly:.10f}", "USD", "", *lease),
    )
    if upfront is not None:
        yield Line(
            product,
            code,
            UPFRONT_RATE,
            ("Reserved", "Upfront Fee", day.isoformat(), "", "", "Quantity", plain(upfront), "USD", "", *lease),
        )


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a file: a column may be added at the end, empty, or left out."""

    unknown: str = ""
    missing: str = ""

    @property
    def of_term(self) -> list[int]:
        """Places in TERM_COLUMNS."""
        return [place for place, name in enumerate(TERM_COLUMNS) if name != self.missing]

    @property
    def of_product(self) -> list[str]:
        """Names."""
        return [name for name in [*PRODUCT_COLUMNS, self.unknown] if name and name != self.missing]

    @property
    def header(self) -> str:
        """The header line."""
        return ",".join(quoted(name) for name in [*(TERM_COLUMNS[place] for place in self.of_term), *self.of_product])


def table(lines: Iterable[Line], columns: Columns) -> Iterator[tuple[str, str]]:
    """(SKU, text) of each line, sorted."""
    places, names = columns.of_term, columns.of_product
    described: dict[str, str] = {}  # most lines share their product with others
    for line in sorted(lines, key=lambda line: line.order):
        sku, attributes = line.product.sku, line.product.attributes
        if sku not in described:
            described[sku] = ",".join([f'"{cell}"' if cell else "" for cell in map(attributes.get, names)])
        code, rate = line.term_code, line.rate
        if partition_of(attributes["Region Code"]) is not AWS:
            code, rate = CHINA_CODES.get(code, code), CHINA_CODES.get(rate, rate)
        term = (sku, code, f"{sku}.{code}.{rate}", *line.cells)
        yield sku, ",".join(quoted(term[place]) for place in places) + "," + described[sku]


def quoted(cell: str) -> str:
    """A cell as the file writes it."""
    return '"' + cell.replace('"', '""') + '"' if cell else ""
