"""The list of SKUs in pages, with and without its one filter."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from urllib.parse import quote

from connectors.sandbox.arm_errors import ArmRefusal
from connectors.sandbox.arm_places import display_names
from connectors.sandbox.arm_skus import Place, Sku, View, places, sku

BY_LOCATION = re.compile(r"\s*location\s+eq\s+'([^']*)'\s*", re.IGNORECASE)
LAST: Mapping[str, dict[str, object]] = {"absent": {}, "null": {"nextLink": None}, "empty": {"nextLink": ""}}


@dataclass(frozen=True, slots=True)
class Shelf:
    """What there is: the SKUs of a day, `full` with all other sizes, without what is taken off on purpose."""

    day: date
    full: bool
    without_regions: frozenset[str]
    without_skus: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Manner:
    """The host's address, the size of its pages, and a field too many or too few in each SKU."""

    base_url: str
    page_size: int
    unknown_field: str = ""
    missing_field: str = ""


def page(asked: Mapping[str, str], shelf: Shelf, view: View, manner: Manner) -> dict[str, object]:
    """The JSON of a page. ArmRefusal for a filter or a token that isn't understood."""
    start_text = asked.get("$skiptoken", "0")
    if not start_text.isdecimal():
        raise ArmRefusal("BadRequest", "The provided skiptoken is invalid.")
    extended = asked.get("includeExtendedLocations", "").lower() == "true"
    found = _found(shelf, _location(asked.get("$filter", ""), view), extended)
    start = int(start_text)
    end = start + manner.page_size
    shown = [_shown(sku(place, region, view, extended), manner) for region, place in found[start:end]]
    content: dict[str, object] = {"value": shown}
    following = _following(start, end, len(found), view)
    if following is None:
        return content | LAST[view.unverified.last_link]
    return content | {"nextLink": _link(asked, following, view, manner)}


def _location(text: str, view: View) -> str | None:
    """The region that a filter asks for; None for no filter. The service knows no other filter than this."""
    if not text:
        return None
    read = BY_LOCATION.fullmatch(text)
    if read is None:
        raise ArmRefusal("InvalidFilter", f"The filter '{text}' is not supported.")
    region = read[1].lower().replace(" ", "")
    if region not in display_names() and view.unverified.unknown_location == "refused":
        message = f"The provided location '{read[1]}' is not available."
        raise ArmRefusal("LocationNotAvailable", message)
    return region


@lru_cache(maxsize=8)
def _found(shelf: Shelf, region: str | None, extended: bool) -> tuple[tuple[str, Place], ...]:
    """(region, SKU) of each that is asked for."""
    regions = [one for one in display_names() if one not in shelf.without_regions and region in (None, one)]
    return tuple(
        (one, place)
        for one in regions
        for place in places(one, shelf.day, shelf.full)
        if (one, place.kind.name) not in shelf.without_skus and (extended or not place.edge_zone)
    )


def _following(start: int, end: int, count: int, view: View) -> int | None:
    """Where the next page begins."""
    if view.faults.link_loop == "itself":
        return start
    if view.faults.link_loop == "back" and start:
        return 0
    return end + view.faults.border_shift if end < count else None


def _link(asked: Mapping[str, str], start: int, view: View, manner: Manner) -> str:
    words = {name: text for name, text in asked.items() if name != "$skiptoken"} | {"$skiptoken": str(start)}
    query = "&".join(f"{name}={quote(text, safe='')}" for name, text in words.items())
    base_url = view.faults.link_host or manner.base_url
    return f"{base_url}/subscriptions/{view.subscription.id}/providers/Microsoft.Compute/skus?{query}"


def _shown(told: Sku, manner: Manner) -> Sku:
    if manner.unknown_field:
        told[manner.unknown_field] = ""
    told.pop(manner.missing_field, None)
    return told
