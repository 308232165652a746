"""What a refresh or a back-fill would take: files, requests and bytes, found out without landing anything."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from connectors.contract import Size, Source
from flows.backfilling import Lacking, begin_version
from flows.fetching import begin_fetch, scopes_of
from flows.settings import Settings
from flows.wanted import Wanted
from warehouse.landing import Landing

AT_ONCE = 4
NOTHING = Size(0, 0)


@dataclass(frozen=True)
class Need:
    """What one source takes for a partition. `bytes`: where the host says; `unknown`: fetches of which it doesn't."""

    source: str
    partition: str
    scopes: int
    unchanged: int
    requests: int
    bytes: int
    unknown: int


def refresh_needs(settings: Settings, wanted: Wanted) -> list[Need]:
    """What a refresh would take, by source and partition. Asks indexes and headers; what has landed stays as it is.

    Raises:
        SourceError: a feed's indexes can't be read.
        UnknownName: nothing is of a name in `wanted`.
    """
    wanted.require_currencies()
    needs = []
    places = [
        (source, partition, wanted.scopes(scopes_of(source, partition, settings, wanted)))
        for source, partition in wanted.asked()
    ]
    wanted.require_known(scope for _, _, scopes in places for scope in scopes)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for source, partition, scopes in places:
            sizes = list(threads.map(partial(_size_of, source, settings), scopes))
            needs.append(_sum(source.name, partition, sizes))
    return needs


def backfill_size(settings: Settings, files: Sequence[Lacking]) -> Size:
    """What the files would take. Of each scope the newest is asked for its length; its older ones are taken as long.

    Raises:
        SourceError: a host does not answer.
    """
    by_scope: dict[tuple[str, str], list[Lacking]] = defaultdict(list)
    for file in files:
        by_scope[file.source.name, file.scope].append(file)
    newest = [max(found, key=lambda file: file.version) for found in by_scope.values()]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        sizes = threads.map(lambda file: begin_version(settings, file).size(0).bytes, newest)
        lengths = [
            None if size is None else size * len(found) for size, found in zip(sizes, by_scope.values(), strict=True)
        ]
    return Size(len(files), None if None in lengths else sum(length or 0 for length in lengths))


def _size_of(source: Source, settings: Settings, scope: str) -> Size:
    latest = Landing(settings.landing).latest_complete(source.name, scope)
    return begin_fetch(source, scope, settings).size(latest.lines_read if latest else 0)


def _sum(source: str, partition: str, sizes: Iterable[Size]) -> Need:
    every = list(sizes)
    return Need(
        source,
        partition,
        scopes=len(every),
        unchanged=every.count(NOTHING),
        requests=sum(size.requests for size in every),
        bytes=sum(size.bytes or 0 for size in every),
        unknown=sum(size.bytes is None for size in every),
    )
