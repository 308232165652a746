"""History from before our first look, where a feed still tells of it; plain functions, no Prefect.

A feed with versions still has its earlier files: each version of each location is fetched and lands as any other, under
the time it was published. A feed whose records say from when they hold has told of earlier times already, in what
landed first: the windows that chain up to what was in force then land under their starts, and nothing is asked. Either
way history takes it in wherever it belongs, a run that was broken off goes on where it stopped, and none of it is news.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial

from connectors import VERSIONED, WINDOWED
from connectors.client import Client
from connectors.contract import Fetch, Record, VersionedSource, WindowedSource
from connectors.errors import SourceError
from flows.fetching import attempt_fetch, base_url, known_types, landed_of, scopes_of
from flows.settings import Settings
from flows.wanted import Wanted
from warehouse.landing import Landing, Manifest, as_landed

logger = logging.getLogger("gpu_prices")

# Files at one time; they are large and share one line.
AT_ONCE = 4


@dataclass(frozen=True)
class Lacking:
    """A version of a scope that has not landed."""

    source: VersionedSource
    scope: str
    version: str


@dataclass(frozen=True)
class Window:
    """What held in a scope from `start` on, as its first complete fetch tells, and has not landed under that time."""

    first: Manifest
    start: datetime
    records: Sequence[Record]


def lacking(settings: Settings, since: date, wanted: Wanted) -> list[Lacking]:
    """The versions from `since` (a UTC day) on that have not landed, of each scope, the newest first.

    The version in force at the start of that day belongs to it.

    Raises:
        SourceError: a feed's indexes can't be read.
        UnknownName: nothing is of a name in `wanted`, neither here nor where windows may be.
    """
    found = []
    versioned = {source.name: source for source in VERSIONED}
    windowed = {source.name for source in WINDOWED}
    known = {
        (source.name, partition): scopes_of(source, partition, settings, wanted)
        for source, partition in wanted.places()
        if source.name in windowed | versioned.keys()
    }
    wanted.require_known(scope for scopes in known.values() for scope in scopes)
    for (name, partition), scopes in known.items():
        if (source := versioned.get(name)) is not None:
            every = source.versions(Client(), base_url(source, partition, settings), partition)
            for scope in wanted.scopes(scopes):
                have = landed_versions(source, scope, settings)
                found += [Lacking(source, scope, v) for v in from_day(source, every, since) if v not in have]
    return sorted(found, key=lambda one: (one.version, one.scope), reverse=True)


def from_day(source: VersionedSource, versions: Sequence[str], since: date) -> list[str]:
    """The versions that say something of a day or of one after it."""
    before = [version for version in versions if source.published_at(version).date() < since]
    return [*before[-1:], *(version for version in versions if source.published_at(version).date() >= since)]


def landed_versions(source: VersionedSource, scope: str, settings: Settings) -> set[str]:
    """The versions of a scope that have landed whole."""
    manifests = Landing(settings.landing).manifests(source.name, scope)
    return {
        manifest.version for manifest in manifests if manifest.version and manifest.status in ("complete", "unchanged")
    }


def backfill(settings: Settings, files: Sequence[Lacking]) -> Iterator[tuple[Lacking, Manifest | SourceError]]:
    """Fetch and land them, some at a time; yields each with its manifest, or why it isn't there."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        yield from zip(files, threads.map(partial(_attempt, settings), files), strict=True)


def _attempt(settings: Settings, file: Lacking) -> Manifest | SourceError:
    begin = partial(begin_version, settings, file)
    try:
        attempt = attempt_fetch(file.source, file.scope, settings, begin, file.version)
    except SourceError as error:
        return error
    return attempt.stopped or attempt.manifest


def begin_version(settings: Settings, file: Lacking) -> Fetch:
    """Begin an attempt at one file. Raises SourceError."""
    source = file.source
    address = base_url(source, source.partition_of(file.scope), settings)
    return source.fetch_version(Client(), address, file.scope, file.version, known_types(source.provider))


def lacking_windows(settings: Settings, since: date, wanted: Wanted) -> list[Window]:
    """The windows from `since` (a UTC day) on that have not landed under their starts, of each scope that has landed.

    The one in force at the start of that day belongs to it. The newest come first: landed in that order, what a run
    that was broken off leaves is true, while an old window without the next would seem to hold until our first look.

    Raises:
        LoadFailed: a landing file can't be read.
    """
    landing = Landing(settings.landing)
    windowed = {source.name: source for source in WINDOWED}
    return [
        window
        for source, partition in ((windowed[s.name], p) for s, p in wanted.places() if s.name in windowed)
        for scope in wanted.scopes(landed_of(source, partition, landing))
        for window in _windows(source, scope, landing, since)
    ]


def _windows(source: WindowedSource, scope: str, landing: Landing, since: date) -> Iterator[Window]:
    manifests = landing.manifests(source.name, scope)
    first = next((manifest for manifest in manifests if manifest.status == "complete"), None)
    if first is None:
        return
    have: dict[datetime, set[str]] = defaultdict(set)  # with another `since`, other meters' windows of the same start
    for manifest in manifests:
        if manifest.as_of < manifest.observed_at:
            have[manifest.as_of].update(landing.lines(manifest))
    records = [json.loads(line) for line in landing.lines(first)]
    day = datetime.combine(since, time(), UTC)
    for start, held in sorted(source.earlier(records, first.observed_at, day).items(), reverse=True):
        if not have[start].issuperset(map(as_landed, held)):
            yield Window(first, start, held)


def land(settings: Settings, windows: Sequence[Window]) -> None:
    """Land each window under its start. Partial: of what else held then, it says nothing."""
    landing = Landing(settings.landing)
    looked_at = settings.clock.now()
    for number, window in enumerate(windows):
        landing.write(
            source=window.first.source,
            scope=window.first.scope,
            observed_at=looked_at + timedelta(microseconds=number),
            as_of=window.start,
            status="partial",
            records=window.records,
            address=window.first.address,
            lines_read=len(window.records),
            predicate=window.first.predicate,
            error=f"from windows in the fetch of {window.first.observed_at:%Y-%m-%dT%H:%M:%SZ}",
        )
