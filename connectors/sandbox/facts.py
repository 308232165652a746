"""The recorded figures behind the sandbox, and the rule that says which of them it answers with on a day.

`facts.csv` holds one row per recorded figure: what somebody read off the provider's own price list, with the day and
the recorder. `build_facts.py` makes it. A figure goes on until a later recording differs, and leaves only when a
later recording of the same recorder and region lacks it; so most figures of a day are older than that day, and
`Served.carried` says which.

Prices are in US dollars an hour unless a field's comment says otherwise; times are UTC.
"""

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files

# Three regions of each provider, and the days on which enough was recorded to answer for.
REGIONS: Mapping[str, tuple[str, ...]] = {
    "aws": ("us-east-1", "us-west-2", "eu-west-1"),
    "azure": ("eastus", "westus3", "westeurope"),
}
DATES: Mapping[str, tuple[date, ...]] = {
    "aws": (date(2025, 4, 28), date(2025, 6, 5), date(2026, 7, 20)),
    "azure": (date(2025, 6, 3), date(2026, 6, 18), date(2026, 8, 1)),
}

# Short name in the table -> who recorded it, from which publication of the provider.
RECORDERS: Mapping[str, str] = {
    "ec2.shop": "yeo/ec2.shop, AWS pricing pages, 2025-04-04",
    "karpenter-aws": "aws/karpenter-provider-aws, AWS price list, git history to 2026-07-20",
    "price-watcher": "QuinnyPig/aws-price-watcher, AWS pricing pages, 2025-04-29 and 2025-06-05",
    "vantage": "instances.vantage.sh, both providers' price lists, first half of 2025",
    "karpenter-azure": "Azure/karpenter-provider-azure, Azure retail prices, git history to 2026-06-18",
    "sku-locator": "DarrenJohns/djtools-azure-vm-sku-locator, Azure retail prices, 2026-05-02 to 2026-08-01",
    "pricing-radar": "andy-diericks/azure-pricing-radar, Azure retail prices, 2026-08-01",
}

# Marks of a fact.
EVENT = "event"  # one price in a list of changes, not part of a full recording: what is absent beside it is not gone
DATED = "dated"  # the recorder gave no day; this is the last on which its on-demand figures are also another's
SPLIT = "split"  # upfront and hourly are chosen to give the recorded effective price; the true split isn't known
TOTAL = "total"  # a whole number found from the recorded hourly figure, which it gives back to the last digit
MISFILED = "misfiled"  # recorded under another system or size than the one it is the price of

Key = tuple[str, str, str, str, str, str, str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One recorded figure. The fields are the columns of facts.csv."""

    provider: str
    region: str
    instance_type: str
    operating_system: str = "linux"  # or windows
    purchase_option: str = "on_demand"  # or spot, low_priority, reserved, savings_plan
    offering_class: str = ""
    payment_option: str = ""
    term_months: int = 0
    price: Decimal  # an hour, all in, in the recorder's digits
    hourly: Decimal | None = None  # the hourly line of a partial upfront reservation; None where it is `price`, or 0
    upfront: Decimal | None = None  # paid once: the Quantity line on AWS, the total for the term on Azure
    beside: Decimal | None = None  # the on-demand price recorded beside a commitment
    since: date | None = (
        None  # first day on which this recorder had this figure without a break; None: the record's day
    )
    recorded_at: datetime
    recorder: str
    marks: frozenset[str] = frozenset()
    sku: str = ""  # AWS SKU where it was recorded

    @property
    def key(self) -> Key:
        """What the figure is the price of."""
        return (
            self.provider,
            self.region,
            self.instance_type,
            self.operating_system,
            self.purchase_option,
            self.offering_class,
            self.payment_option,
            self.term_months,
        )


@dataclass(frozen=True, slots=True)
class Served:
    """A figure the sandbox answers with: the fact, whether it is older than the day, and since when it has held."""

    fact: Fact
    carried: bool
    since: date


COLUMNS = tuple(field.name for field in fields(Fact))


def plain(number: Decimal | None) -> str:
    """The number without exponent and trailing zeros; '' for None."""
    return "" if number is None else format(number.normalize(), "f")


def to_row(fact: Fact) -> list[str]:
    """The cells of a fact in facts.csv. `since` is left out where it is the day of the record."""
    return [
        *fact.key[:7],
        str(fact.term_months or ""),
        plain(fact.price),
        plain(fact.hourly),
        plain(fact.upfront),
        plain(fact.beside),
        "" if fact.since in (None, fact.recorded_at.date()) else str(fact.since),
        fact.recorded_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        fact.recorder,
        " ".join(sorted(fact.marks)),
        fact.sku,
    ]


def _number(text: str) -> Decimal | None:
    return Decimal(text) if text else None


def from_row(row: Mapping[str, str]) -> Fact:
    """The fact in a row of facts.csv."""
    return Fact(
        provider=row["provider"],
        region=row["region"],
        instance_type=row["instance_type"],
        operating_system=row["operating_system"],
        purchase_option=row["purchase_option"],
        offering_class=row["offering_class"],
        payment_option=row["payment_option"],
        term_months=int(row["term_months"] or 0),
        price=Decimal(row["price"]),
        hourly=_number(row["hourly"]),
        upfront=_number(row["upfront"]),
        beside=_number(row["beside"]),
        since=date.fromisoformat(row["since"]) if row["since"] else None,
        recorded_at=utc(row["recorded_at"]),
        recorder=row["recorder"],
        marks=frozenset(row["marks"].split()),
        sku=row["sku"],
    )


def utc(text: str) -> datetime:
    """The instant in an ISO text with an offset or Z."""
    return datetime.fromisoformat(text).astimezone(UTC)


def read_table(name: str) -> list[dict[str, str]]:
    """The rows of one of the tables beside this module."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@lru_cache(maxsize=1)
def all_facts() -> tuple[Fact, ...]:
    """Every recorded figure, in the table's order."""
    return tuple(from_row(row) for row in read_table("facts.csv"))


@lru_cache(maxsize=8)
def published_at(provider: str, day: date) -> datetime:
    """The last recorded instant of a provider on or before a day: the time its answers of that day carry."""
    return max(fact.recorded_at for fact in all_facts() if fact.provider == provider and fact.recorded_at.date() <= day)


@lru_cache(maxsize=32)
def served(provider: str, day: date) -> tuple[Served, ...]:
    """The figures in force for a provider on a day, one per key, sorted by key."""
    known = [fact for fact in all_facts() if fact.provider == provider and fact.recorded_at.date() <= day]
    return tuple(select(known, day))


def select(known: Sequence[Fact], day: date) -> Iterable[Served]:
    """The rule: per key the latest record that hasn't left; a commitment only while the price beside it holds."""
    recordings = _recordings(known)
    by_key: dict[Key, list[Fact]] = defaultdict(list)
    for fact in known:
        by_key[fact.key].append(fact)
    in_force = {}
    for key, facts in by_key.items():
        staying = [fact for fact in facts if not _has_left(fact, facts, recordings)]
        if staying:
            in_force[key] = max(staying, key=lambda fact: (fact.recorded_at, fact.recorder))
    for key in sorted(in_force):
        fact = in_force[key]
        if fact.beside is None or fact.beside == _on_demand_price(in_force, key):
            yield Served(fact, fact.recorded_at.date() < day, _since(fact, by_key[key]))


def _recordings(facts: Iterable[Fact]) -> dict[tuple[str, str], set[datetime]]:
    """When each recorder took a full recording of each region."""
    found: dict[tuple[str, str], set[datetime]] = defaultdict(set)
    for fact in facts:
        if EVENT not in fact.marks:
            found[fact.recorder, fact.region].add(fact.recorded_at)
    return found


def _has_left(fact: Fact, same_key: Sequence[Fact], recordings: Mapping[tuple[str, str], set[datetime]]) -> bool:
    later = {at for at in recordings.get((fact.recorder, fact.region), ()) if at > fact.recorded_at}
    seen = {other.recorded_at for other in same_key if other.recorder == fact.recorder}
    return bool(later - seen)


def _on_demand_price(in_force: Mapping[Key, Fact], key: Key) -> Decimal | None:
    fact = in_force.get((*key[:4], "on_demand", "", "", 0))
    return None if fact is None else fact.price


def _since(fact: Fact, same_key: Sequence[Fact]) -> date:
    """The first day of the unbroken run of records with this figure, whoever made them."""
    since = fact.recorded_at.date()
    for other in sorted(same_key, key=lambda other: other.recorded_at, reverse=True):
        if other.recorded_at > fact.recorded_at:
            continue
        if (other.price, other.upfront) != (fact.price, fact.upfront):
            break
        since = min(since, other.since or other.recorded_at.date())
    return since
