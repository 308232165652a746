"""Recorded figures as rows of a table, and back.

A row holds what one recorder read of one size and system in one region at one instant; each way of buying has its own
column, named `option/class/payment/months`. A cell is the price, followed by what else is known of it: `+` the upfront
payment where it isn't the price times the hours of the term, `@` the first day of that price.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal

from connectors.sandbox.facts import SPLIT, TOTAL, Fact, plain, utc

HEAD = ("region", "instance_type", "operating_system", "recorder", "recorded_at", "marks", "sku", "beside")
PARTIAL_PLACES = Decimal("0.00001")  # as AWS writes the hourly line of a partial upfront offer
HOURS_OF_MONTH = 730

Place = tuple[str, str, str, str, datetime, str]
Offer = tuple[str, str, str, int]
ON_DEMAND: Offer = ("on_demand", "", "", 0)


def to_table(facts: Iterable[Fact]) -> tuple[Sequence[str], list[list[str]]]:
    """Header and rows of one provider's facts, sorted."""
    rows: dict[Place, dict[Offer, Fact]] = defaultdict(dict)
    for fact in facts:
        if fact.key[4:] in rows[_place(fact)]:
            raise ValueError(f"recorded twice: {fact}")
        rows[_place(fact)][fact.key[4:]] = fact
    offers = sorted({offer for row in rows.values() for offer in row}, key=lambda offer: (offer != ON_DEMAND, offer))
    return (*HEAD, *map(_named, offers)), [_row(place, row, offers) for place, row in sorted(rows.items())]


def _place(fact: Fact) -> Place:
    marks = " ".join(sorted(fact.marks - {SPLIT, TOTAL}))
    return fact.region, fact.instance_type, fact.operating_system, fact.recorder, fact.recorded_at, marks


def _named(offer: Offer) -> str:
    return "/".join(map(str, offer)) if offer[3] else offer[0]


def _row(place: Place, row: Mapping[Offer, Fact], offers: Sequence[Offer]) -> list[str]:
    *words, recorded_at, marks = place
    sku = next((fact.sku for fact in row.values() if fact.sku), "")
    beside = next((fact.beside for fact in row.values() if fact.beside is not None), None)
    if ON_DEMAND in row and row[ON_DEMAND].price == beside:
        beside = None
    head = [*map(str, words), recorded_at.strftime("%Y-%m-%dT%H:%M:%SZ"), marks, sku, plain(beside)]
    return [*head, *(_cell(row[offer]) if offer in row else "" for offer in offers)]


def _cell(fact: Fact) -> str:
    upfront = "" if fact.upfront is None or TOTAL in fact.marks else f"+{plain(fact.upfront)}"
    since = "" if fact.since in (None, fact.recorded_at.date()) else f"@{fact.since}"
    return plain(fact.price) + upfront + since


def from_table(provider: str, rows: Iterable[Mapping[str, str]]) -> Iterator[Fact]:
    """The facts in the rows of a provider's table."""
    for row in rows:
        marks, recorded_at = frozenset(row["marks"].split()), utc(row["recorded_at"])
        own = row["on_demand"].partition("@")[0]
        beside = row["beside"] or own
        for name, cell in list(row.items())[len(HEAD) :]:
            if not cell:
                continue
            option, offering, payment, months = (*name.split("/"), "", "", "0")[:4]
            written, _, since = cell.partition("@")
            price, hourly, upfront, mark = _parts(provider, written, option, payment, int(months))
            yield Fact(
                provider=provider,
                region=row["region"],
                instance_type=row["instance_type"],
                operating_system=row["operating_system"],
                purchase_option=option,
                offering_class=offering,
                payment_option=payment,
                term_months=int(months),
                price=price,
                hourly=hourly,
                upfront=upfront,
                beside=Decimal(beside) if int(months) and beside else None,
                since=date.fromisoformat(since) if since else None,
                recorded_at=recorded_at,
                recorder=row["recorder"],
                marks=marks | mark,
                sku=row["sku"],
            )


def _parts(
    provider: str, written: str, option: str, payment: str, months: int
) -> tuple[Decimal, Decimal | None, Decimal | None, frozenset[str]]:
    """(price, hourly line, upfront line, marks) of a cell without its day."""
    text, _, paid = written.partition("+")
    price, hours = Decimal(text), HOURS_OF_MONTH * months
    if paid:
        upfront = Decimal(paid)
        return price, (price - upfront / hours).quantize(PARTIAL_PLACES), upfront, frozenset({SPLIT})
    if option == "reserved" and (payment == "all_upfront" or provider == "azure"):
        return price, None, (price * hours).quantize(Decimal(1)), frozenset({TOTAL})
    return price, None, None, frozenset()
