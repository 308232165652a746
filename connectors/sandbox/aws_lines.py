"""Lines of the EC2 price list: a product, a term and a price, as the bulk CSV writes them.

Non-empty cells are quoted, empty ones bare. On-demand lines carry the first of the month as EffectiveDate and
reserved ones the day of publication, as in the file of 2025-09-12.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from connectors.sandbox.aws_products import PRODUCT_COLUMNS, TERM_COLUMNS, Product
from connectors.sandbox.facts import plain

ON_DEMAND = "JRTCKXETXF"
HOURLY_RATE, UPFRONT_RATE = "6YS6EN2CT7", "2TG2D8R56U"
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
SYSTEM_WORDS = {"Linux": "Linux/UNIX (Amazon VPC)", "Windows": "Windows (Amazon VPC)"}


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
            f"${dollars(price)} per {words}",
            day.replace(day=1).isoformat(),
            "0",
            "Inf",
            unit,
            f"{price:.10f}",
            "USD",
            "",
            "",
            "",
            "",
        ),
    )


def dollars(price: Decimal) -> str:
    """At least two decimals, no more than needed: 98.32, 0.00, 21.957642."""
    text = plain(price)
    return text if len(text.partition(".")[2]) >= 2 else f"{price:.2f}"


def reserved(
    product: Product, months: int, offering: str, payment: str, hourly: Decimal, upfront: Decimal | None, day: date
) -> Iterator[Line]:
    """The one or two lines of a reserved offer. All upfront has an hourly line of 0, no upfront no Quantity line."""
    code = RESERVED_CODES[months, offering, payment]
    lease = (f"{months // 12}yr", PAYMENT_WORDS[payment], offering)
    applied = f"{SYSTEM_WORDS[product.software]}, {product.instance_type} reserved instance applied"
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


def table(lines: Iterable[Line], unknown_column: str = "", missing_column: str = "") -> Iterator[str]:
    """Header and data lines, sorted. A column may be added at the end, empty, or left out."""
    kept = [place for place, name in enumerate(TERM_COLUMNS) if name != missing_column]
    names = [name for name in [*PRODUCT_COLUMNS, unknown_column] if name and name != missing_column]
    yield ",".join(quoted(name) for name in [*(TERM_COLUMNS[place] for place in kept), *names])
    described: dict[str, str] = {}  # most lines share their product with others
    for line in sorted(lines, key=lambda line: line.order):
        sku, attributes = line.product.sku, line.product.attributes
        if sku not in described:
            described[sku] = ",".join(quoted(attributes.get(name, "")) for name in names)
        term = (sku, line.term_code, f"{sku}.{line.term_code}.{line.rate}", *line.cells)
        yield ",".join(quoted(term[place]) for place in kept) + "," + described[sku]


def quoted(cell: str) -> str:
    """A cell as the file writes it."""
    return '"' + cell.replace('"', '""') + '"' if cell else ""
