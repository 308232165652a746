"""What a command is to ask: which feeds, of which partitions, which of their regions, by names or patterns."""

import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from connectors import CONVERTING, SOURCES
from connectors.contract import Source
from reports.errors import NoExchangeRate, UnknownName


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
        """Those of `scopes` whose region is meant; a rate that is wanted takes a region's prices in both currencies."""
        every = list(scopes)
        of_rates = {region_of(scope) for scope in every if scope.partition("/")[2] in self.currencies}
        wanted = (*self.regions, *of_rates) if self.regions else ("*",)
        return [scope for scope in every if any(matches(scope, region) for region in wanted)]

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
