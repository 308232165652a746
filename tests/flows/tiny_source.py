"""A feed made by hand: AWS price list lines in the recorded form, with recorded figures, and whatever may go wrong.

Figures: AWS price list of 2025-04-28 and 2025-06-05 (p4d cut from 32.7726 to 21.957642, p5 from 98.32 to 55.04).
"""

import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from connectors.client import Client
from connectors.contract import Record, Size
from connectors.errors import SourceError
from flows.fetching import fetch_scope
from flows.loading import load_and_publish
from flows.settings import Clock, Settings

APRIL = datetime(2025, 4, 28, 13, 22, 31, tzinfo=UTC)
JUNE = datetime(2025, 6, 5, 8, 28, 22, tzinfo=UTC)


def line(region: str, instance_type: str, price: str, rate: str = "on_demand", **cells: str) -> dict[str, str]:
    """A line of the price list: on demand, Linux, shared, unless `cells` say otherwise."""
    sku = f"{instance_type}-{region}".replace(".", "")
    return {
        "SKU": sku,
        "RateCode": f"{sku}.{rate}.{'2TG2D8R56U' if cells.get('Unit') == 'Quantity' else '6YS6EN2CT7'}",
        "TermType": "OnDemand",
        "EffectiveDate": "2025-04-01",
        "Unit": "Hrs",
        "StartingRange": "0",
        "EndingRange": "Inf",
        "PricePerUnit": price,
        "Currency": "USD",
        "Product Family": "Compute Instance",
        "Location Type": "AWS Region",
        "Region Code": region,
        "Instance Type": instance_type,
        "Tenancy": "Shared",
        "Operating System": "Linux",
        "License Model": "No License required",
        "CapacityStatus": "Used",
        "Pre Installed S/W": "NA",
        "operation": "RunInstances",
        "MarketOption": "OnDemand",
        "GPU": "8",
    } | cells


def reserved(region: str, instance_type: str, payment: str, hourly: str, upfront: str | None) -> list[dict[str, str]]:
    """The lines of a standard one-year reservation: the hourly one and, unless None, the upfront one."""
    cells = {
        "TermType": "Reserved",
        "LeaseContractLength": "1yr",
        "OfferingClass": "standard",
        "PurchaseOption": payment,
    }
    rate = payment.replace(" ", "")
    lines = [line(region, instance_type, hourly, rate, **cells)]
    if upfront is not None:
        lines.append(line(region, instance_type, upfront, rate, **cells, Unit="Quantity"))
    return lines


def april(region: str) -> list[dict[str, str]]:
    """What a region sold on 2025-04-28."""
    if region == "eu-west-1":
        return [line(region, "p4d.24xlarge", "35.39655")]
    lines = [line(region, "p4d.24xlarge", "32.7726"), line(region, "p5.48xlarge", "98.32")]
    # 164955 / 8760 h = 18.830479; the whole sum and the No Upfront rate are those of us-east-1.
    lines += reserved(region, "p4d.24xlarge", "All Upfront", "0", "164955")
    lines += reserved(region, "p4d.24xlarge", "No Upfront", "20.175498", None)
    return lines


def june(region: str) -> list[dict[str, str]]:
    """The same after the cut of 2025-06-05."""
    p4d = {"us-east-1": "21.957642", "us-west-2": "21.95764", "eu-west-1": "23.71569"}[region]
    cut = {"p4d.24xlarge": p4d, "p5.48xlarge": "55.04"}
    return [
        cells | ({"PricePerUnit": cut[cells["Instance Type"]]} if cells["TermType"] == "OnDemand" else {})
        for cells in april(region)
    ]


@dataclass
class Answer:
    """What the feed has for one scope. `stop` comes after the records; `failures` are those of the first attempts."""

    records: Sequence[Record]
    published_at: datetime = APRIL
    stop: SourceError | None = None
    failures: list[SourceError] = field(default_factory=list)

    @property
    def version(self) -> str:
        """As AWS forms it from the publication time."""
        return f"{self.published_at:%Y%m%d%H%M%S}"


@dataclass
class TinyFetch:
    """One attempt; see `connectors.contract.Fetch`."""

    answer: Answer
    address: str
    unchanged: bool
    lines_read: int = 0

    @property
    def version(self) -> str | None:
        """The provider's version."""
        return self.answer.version

    @property
    def published_at(self) -> datetime | None:
        """When it was published."""
        return self.answer.published_at

    def size(self, lines_before: int) -> Size:
        """A request, and a hundred bytes a line."""
        return Size(0, 0) if self.unchanged else Size(1, 100 * len(self.answer.records))

    def __iter__(self) -> Iterator[Record]:
        """The records, then what stops them."""
        if not self.unchanged:
            for record in self.answer.records:
                self.lines_read += 1
                yield record
            if self.answer.stop is not None:
                raise self.answer.stop


@dataclass
class TinySource:
    """The feed: a scope has an Answer, or is out of order. `asked` counts the attempts of each scope."""

    answers: dict[str, Answer | SourceError]
    name: str = "aws_price_list"
    provider: str = "aws"
    hosts: Mapping[str, str] = field(default_factory=lambda: {"aws": "https://tiny.invalid"})
    predicate: str = "1"
    closed: str = ""
    everywhere: str | None = None
    listing: SourceError | None = None
    seconds: float = 0.0
    asked: dict[str, int] = field(default_factory=dict)
    known: dict[str, tuple[str | None, Collection[str]]] = field(default_factory=dict)
    most_at_once: int = 0
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def scope_of(self, record: Record) -> str | None:
        """The region that stands in the record."""
        return str(record["Region Code"])

    def predicate_of(self, known_types: Collection[str]) -> str:
        """What a test has set."""
        return self.predicate

    def why_not_asked(self) -> str:
        """What a test has set."""
        return self.closed

    def partition_of(self, scope: str) -> str:
        """The only one it has, unless a region is named as China's are."""
        return "aws-cn" if scope.startswith("cn-") else "aws"

    def scopes(self, client: Client, base_url: str, partition: str, known_regions: Sequence[str] = ()) -> Sequence[str]:
        """The scopes that have an answer; the walk over all is none of them."""
        if self.listing is not None:
            raise self.listing
        return sorted(s for s in self.answers.keys() - {self.everywhere} if self.partition_of(s) == partition)

    def fetch(
        self,
        client: Client,
        base_url: str,
        scope: str,
        known_version: str | None = None,
        known_types: Collection[str] = (),
    ) -> TinyFetch:
        """Begin an attempt."""
        with self._lock:
            self.asked[scope] = self.asked.get(scope, 0) + 1
            self.known[scope] = (known_version, known_types)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        threading.Event().wait(self.seconds)
        with self._lock:
            self._now -= 1
        answer = self.answers[scope]
        if isinstance(answer, SourceError):
            raise answer
        if answer.failures:
            raise answer.failures.pop(0)
        return TinyFetch(answer, f"{base_url}/{scope}", known_version == answer.version)


def settings_at(home: Path, moment: datetime) -> Settings:
    """Settings whose clock shows `moment` now."""
    return Settings(home=home, code_version="test", clock=Clock.starting_at(moment))


def april_2025() -> TinySource:
    """The feed of 2025-04-28: two regions with p4d and p5, a third with p4d alone."""
    return TinySource({region: Answer(april(region)) for region in ("us-east-1", "us-west-2", "eu-west-1")})


def cut_prices(source: TinySource) -> None:
    """Turn the feed to 2025-06-05."""
    source.answers = {region: Answer(june(region), published_at=JUNE) for region in source.answers}


def fetch_all(source: TinySource, settings: Settings) -> None:
    """One attempt at each scope, without Prefect."""
    for scope in source.answers:
        fetch_scope(source, scope, settings)


def publish_both(home: Path) -> None:
    """A home in which April was fetched in April, June in June, and June is published."""
    source = april_2025()
    fetch_all(source, settings_at(home, APRIL))
    cut_prices(source)
    fetch_all(source, settings_at(home, JUNE))
    load_and_publish(settings_at(home, JUNE), "a test")
