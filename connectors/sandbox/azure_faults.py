"""What may go wrong with the Azure retail price list on purpose, and what nobody knows of it.

Each is a switch that a test sets on a running sandbox: `sandbox.faults.azure`, `sandbox.azure_unverified`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from email.utils import format_datetime

REMAINING = "x-ms-ratelimit-remaining-retailprices-requests"
RETRY_AFTER = "x-ms-ratelimit-retailprices-retry-after"


@dataclass
class AzureFaults:
    """All off until set; `clear()` turns all off."""

    # What stands in the list
    without_sizes: set[tuple[str, str]] = field(
        default_factory=set
    )  # (region, size): missing as long as they stand here
    halved_regions: set[str] = field(default_factory=set)  # every other size of these regions is missing
    new_region: str = ""  # a region that nobody has listed sells what eastus sells

    # How its pages follow each other
    empty_page: int | None = None  # this page (from 0) has no items, and a link to the next one, which goes on
    lost_at_border: int = 0  # so many rows are lost at each border of pages, as when rows before it are taken out
    link_loop: str = ""  # "itself": each page links to itself; "back": each but the first links to the one before
    link_host: str = ""  # links go to this address (https://prices.example.com) instead of our own
    count_off: int = 0  # added to Count

    # What an item looks like
    tier_minimum_units: object = 0.0  # also seen: "0" and 0
    prices_as_text: bool = False

    # What comes with the answer
    without_quota_headers: bool = False  # on good answers

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
    quota: int = 5000  # good answers before a 429, which ends the window, since the sandbox reads no clock

    def clear(self) -> None:
        """The likelier answer to each."""
        _reset(self)


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
