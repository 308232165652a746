"""Which document a path asks for, with the status and headers its host would send."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import lru_cache
from urllib.parse import parse_qs, urlsplit

from connectors.sandbox import aws, azure
from connectors.sandbox.azure_faults import REMAINING, RETRY_AFTER, AzureUnverified, throttled
from connectors.sandbox.azure_list import Shelf
from connectors.sandbox.facts import DATES, RECORDERS, REGIONS, plain
from connectors.sandbox.faults import Faults
from connectors.sandbox.serving import Served, published_at, served

# The body an S3 host without list rights gives for an object that isn't there, with status 403.
ACCESS_DENIED = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message>'
    b"<RequestId>0000000000000000</RequestId><HostId>sandbox</HostId></Error>"
)
AZURE_WAIT = 60  # seconds to wait, which Azure tells on good answers too
FACTS_PATH = "/sandbox/facts"


@dataclass(frozen=True, slots=True)
class Answer:
    """A response."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class State:
    """Where the sandbox stands: the day of each provider, its address, its switches, and the requests it has had."""

    url: str = ""
    page_size: int = azure.PAGE_SIZE
    dates: dict[str, date] = field(default_factory=lambda: {provider: days[-1] for provider, days in DATES.items()})
    faults: Faults = field(default_factory=Faults)
    azure_unverified: AzureUnverified = field(default_factory=AzureUnverified)
    azure_answered: int = 0  # since Azure's last 429
    requests: list[str] = field(default_factory=list)  # path and query, in order of arrival


def answer(target: str, state: State) -> Answer:
    """The answer to a GET of a path and query."""
    failure = state.faults.take_failure()
    if failure is not None:
        return Answer(failure.status, failure.body, failure.headers)
    parts = urlsplit(target)
    if parts.path == FACTS_PATH:
        return _facts(parse_qs(parts.query), state)
    if parts.path == azure.PATH:
        return _azure(parts.query, state)
    return _aws(parts.path, state)


def _aws(path: str, state: State) -> Answer:
    body = aws_body(path, state.dates["aws"], state.faults)
    if body is None:
        return Answer(403, ACCESS_DENIED, {"Content-Type": "application/xml"})
    kind = "text/csv" if path.endswith(".csv") else "application/json"
    return Answer(200, body, {"Content-Type": kind, "ETag": f'"{hashlib.md5(body).hexdigest()}"'})


def aws_body(path: str, day: date, faults: Faults) -> bytes | None:
    """The document of a path on the price list host on a day; None if there is none."""
    if path == f"{aws.ROOT}/index.json":
        return aws.offer_index(day).encode()
    if path == f"{aws.ROOT}/AmazonEC2/index.json":
        return aws.version_index(day).encode()
    version, *rest = path.removeprefix(f"{aws.ROOT}/AmazonEC2/").split("/")
    published = day if version == "current" else aws.versions(day).get(version)
    if published is None:
        return None
    omitted = frozenset(faults.omitted_regions)
    if rest == ["region_index.json"]:
        return aws.region_index(published, omitted).encode()
    if len(rest) == 2 and rest[0] in REGIONS["aws"] and rest[0] not in omitted and rest[1] == "index.csv":
        return _price_list(published, rest[0], faults.drop_reserved, faults.unknown_column, faults.missing_column)
    return None


@lru_cache(maxsize=12)  # of some 6 MB each
def _price_list(day: date, region: str, drop_reserved: bool, unknown_column: str, missing_column: str) -> bytes:
    return aws.price_list(
        day, region, drop_reserved=drop_reserved, unknown_column=unknown_column, missing_column=missing_column
    )


def _azure(query: str, state: State) -> Answer:
    faults, unverified = state.faults, state.azure_unverified
    if state.azure_answered >= unverified.quota:
        state.azure_answered = 0
        return Answer(429, b"", throttled(AZURE_WAIT))
    state.azure_answered += 1
    headers = {"Content-Type": "application/json; charset=utf-8"}
    if not faults.azure.without_quota_headers:
        headers |= {REMAINING: str(unverified.quota - state.azure_answered), RETRY_AFTER: str(AZURE_WAIT)}
    shelf = Shelf(
        state.dates["azure"],
        other_clouds=unverified.other_clouds,
        without_reservations=faults.drop_reserved,
        without_regions=frozenset(faults.omitted_regions),
        without_sizes=frozenset(faults.azure.without_sizes),
        halved_regions=frozenset(faults.azure.halved_regions),
        new_region=faults.azure.new_region,
    )
    manner = azure.Manner(
        state.url, state.page_size, faults.azure, unverified, faults.unknown_column, faults.missing_column
    )
    try:
        body = azure.answer(azure.Query.of(query), shelf, manner)
    except azure.BadRequest as error:
        content = {"error": {"code": "BadRequest", "message": str(error)}}
        return Answer(400, json.dumps(content).encode(), headers)
    return Answer(200, body.encode(), headers)


def _facts(asked: Mapping[str, list[str]], state: State) -> Answer:
    """The figures behind the answers; parameters `provider`, `region`, `instance_type` narrow them."""
    rows = [
        figure_row(figure)
        for provider in asked.get("provider", list(DATES))
        if provider in DATES
        for figure in served(provider, state.dates[provider])
    ]
    for name in ("region", "instance_type"):
        if name in asked:
            rows = [row for row in rows if row[name] in asked[name]]
    content = {
        "dates": {provider: str(day) for provider, day in state.dates.items()},
        "observed_at": {provider: published_at(provider, day).isoformat() for provider, day in state.dates.items()},
        "facts": rows,
    }
    return Answer(200, json.dumps(content).encode(), {"Content-Type": "application/json"})


def figure_row(figure: Served) -> dict[str, object]:
    """A figure with its record: who recorded it and when, and whether it is older than the day it is served on."""
    fact = figure.fact
    numbers = {name: plain(getattr(fact, name)) or None for name in ("price", "hourly", "upfront", "beside")}
    return (
        asdict(fact)
        | numbers
        | {
            "marks": sorted(fact.marks),
            "recorded_at": fact.recorded_at.isoformat(),
            "since": figure.since.isoformat(),
            "recorded_by": RECORDERS[fact.recorder],
            "carried": figure.carried,
        }
    )
