"""The walk over all places at once, for feeds without a list of their own: it finds regions that nobody listed.

Plain functions, no Prefect. What the walk brings lands under its own scope, `*/USD`; that is the record of what was
seen. What it says of a region that is not asked by itself yet lands once more under that region's scope, as a partial
fetch: so history stays a function of the landing files, and the next refresh asks the region itself.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from connectors.contract import Record, Source
from connectors.errors import SourceIncomplete
from flows.fetching import attempt_scope, known_regions, reference
from flows.settings import Settings
from flows.wanted import region_of
from warehouse.landing import Landing, Manifest

logger = logging.getLogger("gpu_prices")


@dataclass(frozen=True)
class Walk:
    """What a walk brought: its manifest, and one for each region that it found."""

    manifest: Manifest
    found: Sequence[Manifest]


class WalkStopped(SourceIncomplete):
    """A walk that stopped short; what it brought until then is real."""

    def __init__(self, reason: SourceIncomplete, walk: Walk) -> None:
        super().__init__(str(reason))
        self.walk = walk


def walk(source: Source, settings: Settings) -> Walk:
    """Walk over all places of a source that has such a walk, and land what it brings.

    Raises:
        WalkStopped: the feed stopped short; what came before has landed all the same.
        SourceError: nothing came, or nothing of it can be trusted; a manifest of the walk says so.
        OSError: the landing folder can't be written.
    """
    assert source.everywhere is not None
    attempt = attempt_scope(source, source.everywhere, settings)
    landing = Landing(settings.landing)
    listed = {*known_regions(source.provider), *regions_never_asked(source.provider)}
    found = [
        land_found(source, scope, records, attempt.manifest, landing)
        for scope, records in sorted(by_scope(source, attempt.records).items())
        if region_of(scope) not in listed and landing.latest_complete(source.name, scope) is None
    ]
    done = Walk(attempt.manifest, found)
    if attempt.stopped is not None:
        raise WalkStopped(attempt.stopped, done)
    return done


def by_scope(source: Source, records: Iterable[Record]) -> dict[str, list[Record]]:
    """The records by the scope of their own; those that have none stay with the walk."""
    scopes: dict[str, list[Record]] = {}
    for record in records:
        scope = source.scope_of(record)
        if scope is not None:
            scopes.setdefault(scope, []).append(record)
    return scopes


def regions_never_asked(provider: str) -> list[str]:
    """The provider's regions that sell nothing to the public: canaries, and those of other partitions."""
    return [
        row["region_id"]
        for row in reference("regions")
        if row["provider"] == provider and (row["partition"] != provider or row["canary"] == "true")
    ]


def land_found(source: Source, scope: str, records: Iterable[Record], walked: Manifest, landing: Landing) -> Manifest:
    """Land what a walk says of one region. Partial: what the walk lacks may be there all the same."""
    kept = list(records)
    logger.info("%s %s: found, %s records", source.name, scope, f"{len(kept):,}")
    return landing.write(
        source=source.name,
        scope=scope,
        observed_at=walked.observed_at,
        status="partial",
        records=kept,
        address=walked.address,
        lines_read=len(kept),
        predicate=walked.predicate,
        error=f"found by the walk over all regions ({walked.scope}), not fetched by itself yet",
    )
