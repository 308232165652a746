"""The table SpotResources, and what of it a query finds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from connectors.sandbox.ec2_places import digest
from connectors.sandbox.graph_query import Row, parse
from connectors.sandbox.graph_rows import Element, pools, price_row, rate_row


@dataclass(frozen=True, slots=True)
class Rows:
    """Which rows there are: a day's, `full` with all sizes that have no GPU, without some regions."""

    day: date
    full: bool
    without_regions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Source:
    """The table that a query finds its rows in: which there are, how they are written, and what is wrong with them."""

    rows: Rows
    element: Element
    all_sizes: bool
    newest_first: bool
    with_id: bool
    added: str  # a property of each row
    removed: str
    empty: bool  # there is nothing in the scope that is asked for


@lru_cache(maxsize=8)
def found_rows(query: str, source: Source) -> Sequence[Row]:
    """The rows of an answer; kept, since each of its pages needs them."""
    return parse(query).of([] if source.empty else _rows(source))


@lru_cache(maxsize=4)
def _rows(source: Source) -> Sequence[Row]:
    """The rows of SpotResources, in an order that tells nothing."""
    rows, found = source.rows, []
    for pool, points in pools(rows.day, rows.full, source.all_sizes).items():
        if pool.region not in rows.without_regions:
            found.append(price_row(pool, points, source.element, source.newest_first, source.with_id))
            if pool.system == "linux":
                found.append(rate_row(pool, source.with_id))
    found.sort(key=lambda row: digest(row["type"], row["sku"], row["location"]))
    return [_spoiled(row, source.added, source.removed) for row in found]


def _spoiled(row: Row, added: str, removed: str) -> Row:
    """With a property too many, or too few."""
    told = row["properties"]
    assert isinstance(told, Mapping)
    kept = {name: value for name, value in told.items() if name != removed}
    return {**row, "properties": kept | ({added: ""} if added else {})}
