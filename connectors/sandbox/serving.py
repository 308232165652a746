"""The rule that says which of the recorded figures the sandbox answers with on a day.

A figure goes on until a later recording differs, and leaves only when a later recording of the same recorder and
region lacks it; so most figures of a day are older than that day, and `Served.carried` says which.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache

from connectors.sandbox.facts import CHINA_PREFIX, EVENT, Fact, Key, read_table
from connectors.sandbox.facts_table import from_table


@dataclass(frozen=True, slots=True)
class Served:
    """A figure the sandbox answers with: the fact, whether it is older than the day, and since when it has held."""

    fact: Fact
    carried: bool
    since: date


@lru_cache(maxsize=3)
def facts_of(provider: str) -> tuple[Fact, ...]:
    """Every recorded figure of a provider, in its table's order; those of AWS in China are of "aws-cn"."""
    company = provider.removesuffix("-cn")
    facts = from_table(company, read_table(f"facts_{company}.csv"))
    return tuple(fact for fact in facts if fact.region.startswith(CHINA_PREFIX) == (company != provider))


@lru_cache(maxsize=8)
def published_at(provider: str, day: date) -> datetime:
    """The last recorded instant of a provider on or before a day: the time its answers of that day carry."""
    return max(fact.recorded_at for fact in facts_of(provider) if fact.recorded_at.date() <= day)


@lru_cache(maxsize=12)
def served(provider: str, day: date) -> tuple[Served, ...]:
    """The figures in force for a provider on a day, one per key, sorted by key."""
    known = [fact for fact in facts_of(provider) if fact.recorded_at.date() <= day]
    return tuple(select(known, day))


@lru_cache(maxsize=12)
def served_by_region(provider: str, day: date) -> Mapping[str, tuple[Served, ...]]:
    """Region -> its figures in force on a day, sorted by key."""
    found: dict[str, list[Served]] = defaultdict(list)
    for figure in served(provider, day):
        found[figure.fact.region].append(figure)
    return {region: tuple(figures) for region, figures in found.items()}


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
