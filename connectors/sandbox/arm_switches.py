"""What may go wrong with Azure Resource Manager on purpose, and what nobody knows of it.

Each is a switch that a test sets on a running sandbox: `sandbox.faults.arm`, `sandbox.arm_unverified`.
"""

from dataclasses import dataclass, field, fields
from typing import Literal

Scope = Literal["either", "tenant", "subscriptions"]
LastLink = Literal["absent", "null", "empty"]
# Names of the day of a spot price that programs read, none of them documented; "" is a price without a day.
DATE_FIELDS = ("effectiveDate", "dateTime", "timestamp", "")


@dataclass
class ArmFaults:
    """All off until set; `clear()` turns all off."""

    # Who may ask. Any bearer token is good that isn't in here.
    refused_tokens: set[str] = field(default_factory=set)  # 401 InvalidAuthenticationToken
    expired_tokens: set[str] = field(default_factory=set)  # 401 ExpiredAuthenticationToken
    forbidden: set[str] = field(default_factory=set)  # actions answered 403, such as "Microsoft.Compute/skus/read"

    # How pages follow each other, as when the table moves while it is read
    border_shift: int = 0  # -1: a page begins with the last row of the one before; 1: a row is lost between them

    # SKUs
    without_skus: set[tuple[str, str]] = field(default_factory=set)  # (region, size)
    link_loop: Literal["", "itself", "back"] = ""  # a page links to itself, or each but the first to the first
    link_host: str = ""  # nextLink goes to this address (https://management.example.com) instead of our own
    values_as_numbers: bool = False  # the values of capabilities are numbers where they can be

    # Resource Graph
    strict_quota: bool = False  # the request after the last of a quota's window is a 429; else a new window begins
    empty_page: int | None = None  # this page (from 0) has no rows, and a token that leads on
    token_loop: bool = False  # a page's token leads to the same page again
    total_off: int = 0  # added to totalRecords
    subscription_limit_hit: bool = False  # a header says that not all subscriptions were asked

    def clear(self) -> None:
        """Everything off."""
        _reset(self)


@dataclass
class ArmUnverified:
    """What nobody has confirmed of Resource Manager. Each can be set to either answer."""

    # SKUs
    last_link: LastLink = "absent"  # the nextLink of the last page
    unknown_location: Literal["empty", "refused"] = "empty"  # a location that isn't there: no SKUs, or 400
    capital_locations: bool = True  # some SKUs spell their region as WestUS3
    zone_names: Literal["Name", "name", "both"] = "Name"  # zoneDetails; recorded are the first and the last

    # Resource Graph: an element of spotPrices. Any name may be set, one that nobody knows too.
    date_field: str = DATE_FIELDS[0]
    price_field: str = "priceUSD"  # one program reads unitPrice, beside timestamp
    date_digits: int = 0  # of the fraction of a second: none, or 7 as .NET writes them
    prices_as_text: bool = False
    newest_first: bool = True

    # Resource Graph: rows
    scope: Scope = "either"  # there are rows for who names no subscription, for who names some, or for both
    row_ids: bool = True  # do rows carry an id; without, there is no token and nothing after the first page
    all_sizes: bool = False  # have all spot prices a row; else one in twelve has none
    truncation_told: bool = True  # without a token, resultTruncated is "true"; else nothing tells that rows are missing
    quota: int = 15  # requests in a window of 5 seconds

    def clear(self) -> None:
        """The likelier answer to each."""
        _reset(self)


def _reset(switches: ArmFaults | ArmUnverified) -> None:
    fresh = type(switches)()
    for one in fields(switches):
        setattr(switches, one.name, getattr(fresh, one.name))
