"""One attempt at one scope, from the question to the manifest; plain functions, no Prefect."""

import csv
import fnmatch
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from connectors import CONVERTING, SOURCES
from connectors.client import Client
from connectors.contract import Fetch, Record, Source
from connectors.errors import SourceError, SourceIncomplete
from flows.settings import Settings
from reports.errors import NoExchangeRate, UnknownName
from warehouse.database import REFERENCE_DIR
from warehouse.errors import LoadFailed
from warehouse.landing import Landing, Manifest

logger = logging.getLogger("gpu_prices")

NO_LONGER_LISTED = "no longer listed by the feed"


@dataclass(frozen=True)
class Wanted:
    """What to refresh: all of it, or one provider, one source, the regions that match a name or pattern (`eu-*`).

    `partitions`: names or patterns too; without any, the public ones. `currencies`: other ones whose rate is wanted.
    """

    provider: str | None = None
    source: str | None = None
    regions: Sequence[str] = ()
    partitions: Sequence[str] = ()
    currencies: Sequence[str] = ()

    def sources(self) -> list[Source]:
        """The sources meant.

        Raises:
            UnknownName: there is no such provider, or none of its sources has this name.
        """
        if self.provider is not None:
            UnknownName.unless("provider", self.provider, (source.provider for source in SOURCES))
        found = [source for source in SOURCES if self.provider in (None, source.provider)]
        if self.source is not None:
            UnknownName.unless("source", self.source, (source.name for source in found))
        return [source for source in found if self.source in (None, source.name)]

    def places(self) -> list[tuple[Source, str]]:
        """The sources meant, each with the partitions meant of those it has.

        Raises:
            UnknownName: as `sources`; or no such partition is among those they have.
        """
        sources = self.sources()
        every = sorted({partition for source in sources for partition in source.hosts})
        for pattern in self.partitions:
            if not fnmatch.filter(every, pattern):
                raise UnknownName("partition", pattern, every)
        return [
            (source, partition) for source in sources for partition in source.hosts if self._means(source, partition)
        ]

    def asked(self) -> list[tuple[Source, str]]:
        """Those of `places` that can be asked from here; a source that needs an account can't without one.

        Raises: as `places`.
        """
        return [(source, partition) for source, partition in self.places() if not source.why_not_asked()]

    def _means(self, source: Source, partition: str) -> bool:
        """Whether a partition is meant: without a word of it the public one, or what a source named has instead."""
        if self.partitions:
            return any(fnmatch.fnmatchcase(partition, pattern) for pattern in self.partitions)
        return partition == source.provider or (self.source is not None and source.provider not in source.hosts)

    def scopes(self, scopes: Iterable[str]) -> list[str]:
        """Those of `scopes` whose region is meant, or whose currency is."""
        return [
            scope
            for scope in scopes
            if not self.regions
            or any(matches(scope, region) for region in self.regions)
            or scope.partition("/")[2] in self.currencies
        ]

    def require_currencies(self) -> None:
        """See that a currency's rate can be had from what is meant.

        Raises:
            UnknownName: no feed has such a currency beside its own.
            NoExchangeRate: no feed that has rates is meant.
        """
        known = {currency for source in CONVERTING for currency in source.currencies}
        for currency in self.currencies:
            UnknownName.unless("currency", currency, known)
        rated = {(source.name, source.provider) for source in CONVERTING}
        if self.currencies and not rated & {(source.name, partition) for source, partition in self.places()}:
            feeds = ", ".join(f"{name} of {partition}" for name, partition in sorted(rated))
            raise NoExchangeRate(f"exchange rates come from {feeds}, which is not asked here: leave --currency out")

    def require_known(self, scopes: Iterable[str]) -> None:
        """Raise UnknownName for a region that none of `scopes` is of."""
        every = list(scopes)
        for region in self.regions:
            if not any(matches(scope, region) for scope in every):
                raise UnknownName("region", region, map(region_of, every))


ANY = Wanted()


@dataclass(frozen=True)
class Listed:
    """What a source's list of scopes says. `gone`: has landed, and is missing from the list for the first time."""

    scopes: list[str]
    gone: list[str]


@dataclass(frozen=True)
class Attempt:
    """One attempt at one scope that brought something. `stopped`: the feed stopped short, and why."""

    manifest: Manifest
    records: Sequence[Record]
    stopped: SourceIncomplete | None


def region_of(scope: str) -> str:
    """The region a scope speaks of: `eastus/USD` is of `eastus`."""
    return scope.partition("/")[0]


def matches(scope: str, region: str) -> bool:
    """Whether a scope is of a region given by its name or a pattern."""
    return fnmatch.fnmatchcase(region_of(scope), region)


def source_named(name: str) -> Source:
    """The source of this name, which has been checked."""
    return next(source for source in SOURCES if source.name == name)


def walked_sources() -> list[str]:
    """The names of the sources that have a walk over all places."""
    return [source.name for source in SOURCES if source.everywhere is not None]


def scopes_of(source: Source, partition: str, settings: Settings, wanted: Wanted = ANY) -> list[str]:
    """Every scope of a partition, as the feed or our tables name them, and those of exchange rates wanted once.

    Raises:
        SourceError: the feed did not answer, or not as known.
    """
    known = landed_of(source, partition, Landing(settings.landing))
    rates = {scope for scope in known if is_rate_scope(source, scope)}
    regions = {*known_regions(partition), *(region_of(scope) for scope in known if scope not in rates)}
    listed = source.scopes(Client(), base_url(source, partition, settings), partition, sorted(regions))
    if partition == source.provider:
        rates |= {one.rate_scope(c) for one in CONVERTING if one.name == source.name for c in wanted.currencies}
    return [*listed, *sorted(rates)]


def is_rate_scope(source: Source, scope: str) -> bool:
    """Whether a scope is asked for an exchange rate alone."""
    return any(one.name == source.name and one.is_rate_scope(scope) for one in CONVERTING)


def list_scopes(source: Source, partition: str, settings: Settings, wanted: Wanted = ANY) -> Listed:
    """Every scope of a partition, and which of those that have landed are no longer among them.

    A list that can't be had, or lacks a scope, is an attempt at each scope that it should have told of, if it is
    `wanted`: each gets a failed manifest with the reason.

    Raises:
        SourceError: the feed did not answer, or not as known.
    """
    landing = Landing(settings.landing)
    known = landed_of(source, partition, landing)
    try:
        listed = scopes_of(source, partition, settings, wanted)
    except SourceError as error:
        for scope in wanted.scopes(known):
            write_failed(source, scope, settings, f"no list of scopes: {error}")
        raise
    gone = []
    for scope in wanted.scopes(sorted(set(known) - set(listed))):
        if last_error(landing, source.name, scope) != NO_LONGER_LISTED:
            gone.append(scope)
        write_failed(source, scope, settings, NO_LONGER_LISTED)
    return Listed(listed, gone)


def landed_scopes(source: Source, landing: Landing) -> list[str]:
    """The scopes of a source that have ever brought something, sorted; not the walk over all places."""
    return [
        scope
        for name, scope in landing.scopes()
        if name == source.name and scope != source.everywhere and has_brought(landing, name, scope)
    ]


def landed_of(source: Source, partition: str, landing: Landing) -> list[str]:
    """Those of `landed_scopes` that belong to a partition."""
    return [scope for scope in landed_scopes(source, landing) if source.partition_of(scope) == partition]


def has_brought(landing: Landing, source: str, scope: str) -> bool:
    """Whether some attempt at a scope did not fail; a file that can't be read counts: its place is looked after."""
    try:
        return any(landing.manifest(source, scope, at).status != "failed" for at in landing.observed(source, scope))
    except LoadFailed:
        return True


def last_error(landing: Landing, source: str, scope: str) -> str | None:
    """What went wrong in the latest attempt at a scope."""
    try:
        return landing.manifest(source, scope, landing.observed(source, scope)[-1]).error
    except LoadFailed as error:
        return str(error)


def fetch_scope(source: Source, scope: str, settings: Settings) -> Manifest:
    """Ask for one scope and land what came; whatever happened, a manifest says so.

    Raises:
        SourceError: the attempt failed or stopped short; its manifest is written.
        OSError: the landing folder can't be written.
    """
    attempt = attempt_scope(source, scope, settings)
    if attempt.stopped is not None:
        raise attempt.stopped
    return attempt.manifest


def attempt_scope(source: Source, scope: str, settings: Settings) -> Attempt:
    """As `fetch_scope`, but a feed that stopped short is told, not raised: its records are real."""
    return attempt_fetch(source, scope, settings, partial(begin_fetch, source, scope, settings))


def begin_fetch(source: Source, scope: str, settings: Settings) -> Fetch:
    """Begin an attempt at a scope, knowing what has landed of it.

    Raises:
        SourceError: the feed did not answer, or not as known.
    """
    types = known_types(source.provider)
    known_version = Landing(settings.landing).known_version(source.name, scope, source.predicate_of(types))
    return source.fetch(Client(), base_url(source, source.partition_of(scope), settings), scope, known_version, types)


def attempt_fetch(
    source: Source, scope: str, settings: Settings, begin: Callable[[], Fetch], version: str | None = None
) -> Attempt:
    """Begin a fetch, read it and land what came; as `attempt_scope`. `version`: the one asked for, not the current."""
    observed_at = settings.clock.now()
    try:
        fetch = begin()
        records, stopped = _read(fetch)
    except SourceError as error:
        write_failed(source, scope, settings, str(error), observed_at, version)
        raise
    manifest = Landing(settings.landing).write(
        source=source.name,
        scope=scope,
        observed_at=observed_at,
        status="partial" if stopped else "unchanged" if fetch.unchanged else "complete",
        records=records,
        as_of=fetch.published_at,
        version=fetch.version,
        address=fetch.address,
        lines_read=fetch.lines_read,
        predicate=source.predicate_of(known_types(source.provider)),
        error=None if stopped is None else str(stopped),
    )
    return Attempt(manifest, records, stopped)


def write_failed(
    source: Source,
    scope: str,
    settings: Settings,
    error: str,
    observed_at: datetime | None = None,
    version: str | None = None,
) -> Manifest:
    """Leave a manifest that says why nothing came of an attempt."""
    return Landing(settings.landing).write(
        source=source.name,
        scope=scope,
        observed_at=observed_at or settings.clock.now(),
        status="failed",
        version=version,
        predicate=source.predicate_of(known_types(source.provider)),
        error=error,
    )


def known_types(provider: str) -> frozenset[str]:
    """The provider's instance types of our reference table: landed whatever the feed says of their GPUs."""
    return frozenset(row["instance_type"] for row in reference("instance_types") if row["provider"] == provider)


def known_regions(partition: str) -> list[str]:
    """The regions of a partition that a record of GPU prices names."""
    return sorted(
        row["region_id"]
        for row in reference("regions")
        if row["partition"] == partition and row["kind"] == "region" and row["has_recorded_prices"] == "true"
    )


def reference(name: str) -> list[dict[str, str]]:
    """The rows of a reference table."""
    with (REFERENCE_DIR / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _read(fetch: Fetch) -> tuple[list[Record], SourceIncomplete | None]:
    """The records that came, and what stopped them. Only of a feed that stopped short is what came before real."""
    records: list[Record] = []
    try:
        for record in fetch:
            records.append(record)
    except SourceIncomplete as error:
        if not records:
            raise
        return records, error
    return records, None


def base_url(source: Source, partition: str, settings: Settings) -> str:
    """Where a source is asked for a partition, without a slash at the end.

    A setting for the source is for its first host; another host has a name of its own: `aws_price_list_aws_cn`.
    """
    host = source.hosts[partition]
    first = next(iter(source.hosts.values()))
    name = source.name if host == first else f"{source.name}_{partition.replace('-', '_')}"
    return settings.base_urls.get(name, host).rstrip("/")
