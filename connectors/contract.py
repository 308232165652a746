"""What a feed looks like to the rest of the program: `Source` says what it has, `Fetch` is one attempt at one scope."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from connectors.client import Client

Record = Mapping[str, object]
"""One record in the provider's own words, JSON-able. Numbers are kept as the text the provider wrote."""


@dataclass(frozen=True)
class Size:
    """What a fetch would take: requests, and bytes as the host states them (None: it doesn't say)."""

    requests: int
    bytes: int | None


class Fetch(Protocol):
    """One attempt at one scope. All but `lines_read` is known when `Source.fetch` returns; iterate at most once."""

    @property
    def address(self) -> str:
        """The address that was asked; it holds no secret."""

    @property
    def version(self) -> str | None:
        """The provider's version ("20250912225308"), or None where the feed has none."""

    @property
    def published_at(self) -> datetime | None:
        """When that version was published (aware, UTC): the `as_of` of the observation. None: it is `observed_at`."""

    @property
    def unchanged(self) -> bool:
        """The version is the one passed as `known_version`: nothing is downloaded, no record follows."""

    @property
    def lines_read(self) -> int:
        """Data lines or items read from the feed so far, before any is left out; final after the iteration."""

    def size(self, lines_before: int) -> Size:
        """What iterating would take, for a dry run; no file is downloaded. Raises SourceError.

        `lines_before`: `lines_read` of the scope's last fetch, 0 if there was none, for a feed that doesn't say.
        """

    def __iter__(self) -> Iterator[Record]:
        """The records to land; a record may come twice (page borders move).

        Raises SourceIncomplete if the feed stops short, and it alone says that the records before it are real: keep
        them as a partial observation. SourceUnavailable comes before the first record. After SourceChanged nothing
        that came is to be trusted: the attempt failed.
        """


class Source(Protocol):
    """One feed. Its name is that of its module, its landing folder and its .sql in warehouse/sources."""

    @property
    def name(self) -> str:
        """`aws_price_list`, say."""

    @property
    def provider(self) -> str:
        """`aws` or `azure`."""

    @property
    def hosts(self) -> Mapping[str, str]:
        """Partition -> address of the host that has its prices, without a slash at the end; settings may name another.

        The public partition bears the provider's name.
        """

    @property
    def everywhere(self) -> str | None:
        """The scope of a walk over all places at once, for a feed that has no list of its own: `*/USD`. Else None."""

    def scope_of(self, record: Record) -> str | None:
        """The scope of its own that a record of that walk belongs to: `eastus/USD`.

        None: it has no place, or one that can't be asked for: of another partition, or not spelled as a place is.
        """

    def predicate_of(self, known_types: Collection[str]) -> str:
        """Version of the rule that chooses which records are landed; another rule has another version.

        `known_types`: as for `fetch`. Where they decide what is landed, other types are another rule.
        """

    def why_not_asked(self) -> str:
        """Why it can't be asked from here: it needs an account, and has none. '' if it can."""

    def partition_of(self, scope: str) -> str:
        """The partition that a scope belongs to."""

    def scopes(self, client: Client, base_url: str, partition: str, known_regions: Sequence[str] = ()) -> Sequence[str]:
        """Every scope of a partition, sorted: `us-east-1`, `eastus/USD`; never `everywhere`.

        `known_regions`: the partition's regions of our reference table and those once found, for a feed that has no
        list of its own; a feed that has one ignores it. Raises SourceError.
        """

    def fetch(
        self,
        client: Client,
        base_url: str,
        scope: str,
        known_version: str | None = None,
        known_types: Collection[str] = (),
    ) -> Fetch:
        """Begin one attempt at `scope`; asks the feed for its version if it has one. Raises SourceError.

        `known_types`: the provider's instance types of our reference table. A feed that marks GPUs itself lands these
        too, whatever it says of them; another ignores them.
        """


class ConvertingSource(Source, Protocol):
    """A feed that gives its prices in other currencies too: their ratio is its exchange rate."""

    @property
    def currencies(self) -> Collection[str]:
        """The other currencies that it has."""

    def rate_scope(self, currency: str) -> str:
        """The scope that tells the rate of one of `currencies`: some region's prices in it."""

    def is_rate_scope(self, scope: str) -> bool:
        """Whether a scope's prices are in another currency than its partition's: no offers, they only tell a rate."""


class WindowedSource(Source, Protocol):
    """A feed whose records say from when to when they hold: a list tells of the time before our first look."""

    def earlier(
        self, records: Iterable[Record], seen_at: datetime, since: datetime
    ) -> Mapping[datetime, Sequence[Record]]:
        """What `records`, seen at `seen_at`, say of the time since `since`: start -> what held from then on; aware UTC.

        Only windows that chain up to the one in force at `seen_at`: each ends where the next begins. The first is the
        one in force at `since`.
        """


class VersionedSource(Source, Protocol):
    """A feed whose earlier versions can still be had: its history can be filled from before our first look."""

    def versions(self, client: Client, base_url: str, partition: str) -> Sequence[str]:
        """Every version, oldest first. Raises SourceError."""

    def published_at(self, version: str) -> datetime:
        """When a version was published (aware UTC). Raises SourceChanged."""

    def fetch_version(
        self, client: Client, base_url: str, scope: str, version: str, known_types: Collection[str] = ()
    ) -> Fetch:
        """Begin one attempt at one version of `scope`. Raises SourceError."""
