"""What may go wrong with the Azure retail price list on purpose, and what nobody knows of it.

Each is a switch that a test sets on a running sandbox: `sandbox.faults.azure`, `sandbox.azure_unverified`.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from email.utils import format_datetime

REMAINING = "x-ms-ratelimit-remaining-retailprices-requests"
RETRY_AFTER = "x-ms-ratelimit-retailprices-retry-after"


@dataclass
class AzureFaults:
    """All off until set; `clear()` turns all off."""

    # What stands in the list; what is missing comes back at its price when it is taken out of here. On 2026-08-19 nine
    # meters of northeurope were missing, Linux, Windows and spot, and the next day all were back.
    without_sizes: set[tuple[str, str]] = field(default_factory=set)  # (region, size), with all its items
    without_meters: set[str] = field(default_factory=set)  # meterId, with its reservations
    halved_regions: set[str] = field(default_factory=set)  # every other size of these regions is missing
    new_region: str = ""  # a region that nobody has listed sells what eastus sells

    # The rest touches answers whose $filter holds this text; "" is in every one
    only: str = ""

    # How its pages follow each other
    empty_page: int | None = None  # this page (from 0) has no items, and a link to the next one, which goes on
    lost_at_border: int = 0  # so many rows are lost at each border of pages, as when rows before it are taken out
    link_loop: str = ""  # "itself": each page links to itself; "back": each but the first links to the one before
    link_host: str = ""  # links go to this address (https://prices.example.com) instead of our own
    count_off: int = 0  # added to Count

    # What an item looks like
    tier_minimum_units: object = 0.0  # also seen: "0" and 0
    prices_as_text: bool = False

    # What comes with it
    without_quota_headers: bool = False  # on good answers

    # Azure China's price sheet, which heeds what is missing above as well, and the added and missing column
    without_download_url: bool = False  # the answer doesn't say where the sheet lies
    empty_sheet: bool = False  # the header alone

    def on(self, filter: str) -> "AzureFaults":
        """These switches for an answer to this $filter."""
        return self if self.only in filter else AzureFaults()

    def clear(self) -> None:
        """Everything off."""
        _reset(self)


@dataclass
class AzureUnverified:
    """What nobody has confirmed of the real list. Each can be set to either answer; `clear()` sets the likelier one."""

    more_operators: bool = False  # ne, gt, ge, lt, le and in work in a filter; else they are answered with 400
    type_name: bool = True  # `type eq 'Consumption'` works in a filter; else 400, and only `priceType` does
    top: bool = False  # $top limits the answer; else it is ignored
    other_clouds: bool = True  # rows of Azure Government and China are there
    quota: int = 5000  # good answers in a Window before a 429

    # Azure China's price sheet
    sheet_host: str = ""  # the address of another sandbox, where the sheet lies; else its own
    sheet_mark: bool = True  # it begins with a byte order mark
    sheet_capitals: bool = False  # isPrimaryMeterRegion is True or False; else true or false

    def clear(self) -> None:
        """The likelier answer to each."""
        _reset(self)


class Window:
    """The answers of a quota's window. The sandbox reads no clock: the 429 ends it and the next request begins one."""

    def __init__(self) -> None:
        self._used = 0
        self._lock = threading.Lock()

    def left_after(self, quota: int) -> int | None:
        """How many good answers are left after this one; None: it is no good answer, but the 429."""
        with self._lock:
            self._used = self._used + 1 if self._used < quota else -1
            left = None if self._used < 0 else quota - self._used
            self._used = max(self._used, 0)
            return left


def _reset(switches: AzureFaults | AzureUnverified) -> None:
    fresh = type(switches)()
    for one in fields(switches):
        setattr(switches, one.name, getattr(fresh, one.name))


def throttled(seconds: int) -> Mapping[str, str]:
    """Headers of a 429 as the service sends it: its own, and no Retry-After."""
    return {REMAINING: "0", RETRY_AFTER: str(seconds)}


def throttled_until(moment: datetime) -> Mapping[str, str]:
    """Headers of a 429 with an HTTP date, as some have met it. `moment` is UTC."""
    return {"Retry-After": format_datetime(moment, usegmt=True)}
