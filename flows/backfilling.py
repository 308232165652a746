"""History from before our first look, where a feed still has its earlier versions; plain functions, no Prefect.

Each version of each location is one attempt that lands as any other, under the time it was published. So history takes
it in wherever it belongs, a run that was broken off goes on where it stopped, and nothing of it is news.
"""

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import partial

from connectors import VERSIONED
from connectors.client import Client
from connectors.contract import VersionedSource
from connectors.errors import SourceError
from flows.fetching import Wanted, attempt_fetch, base_url, known_types, list_scopes
from flows.settings import Settings
from warehouse.landing import Landing, Manifest

logger = logging.getLogger("gpu_prices")

# Files at one time; they are large and share one line.
AT_ONCE = 4


@dataclass(frozen=True)
class Lacking:
    """A version of a scope that has not landed."""

    source: VersionedSource
    scope: str
    version: str


def lacking(settings: Settings, since: date, wanted: Wanted) -> list[Lacking]:
    """The versions from `since` (a UTC day) on that have not landed, of each scope, the newest first.

    The version in force at the start of that day belongs to it.

    Raises:
        SourceError: a feed's indexes can't be read.
    """
    found = []
    for source in VERSIONED:
        if wanted.provider in (None, source.provider) and wanted.source in (None, source.name):
            versions = from_day(source, source.versions(Client(), base_url(source, settings)), since)
            for scope in wanted.scopes(list_scopes(source, settings, wanted).scopes):
                have = landed_versions(source, scope, settings)
                found += [Lacking(source, scope, version) for version in versions if version not in have]
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
    types = known_types(file.source.provider)
    begin = partial(
        file.source.fetch_version, Client(), base_url(file.source, settings), file.scope, file.version, types
    )
    try:
        attempt = attempt_fetch(file.source, file.scope, settings, begin, file.version)
    except SourceError as error:
        return error
    return attempt.stopped or attempt.manifest
