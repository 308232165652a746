"""What may go wrong on purpose: switches a test sets on a running sandbox."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from urllib.parse import unquote_plus

from connectors.sandbox.arm_errors import ArmRefusal
from connectors.sandbox.arm_switches import ArmFaults
from connectors.sandbox.azure_faults import AzureFaults
from connectors.sandbox.ec2_errors import CONTENT_TYPE, Refusal

T = TypeVar("T")
HTML = b"<!DOCTYPE html><html><head><title>Sorry</title></head><body><h1>We'll be back soon</h1></body></html>"


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer instead of the right one."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Break:
    """What happens within a right answer, after some bytes of its body."""

    after_bytes: int
    clean: bool = False  # only these bytes were announced; else the connection is closed before the announced end
    stall: float = 0  # seconds of silence, after which the rest comes


@dataclass
class _Planned(Generic[T]):
    """Something that happens to requests whose path and query hold a text, so many times; None: until cleared."""

    what: T
    only: str
    left: int | None


@dataclass
class Faults:
    """All off until set; `clear()` turns all off. Regions are codes of either provider.

    The methods take `only`, a text that path and query must hold: "/eu-west-1/" is one place of AWS, "/offers/" all
    its price lists, "/savingsPlan/" all its Savings Plans, "/api/retail/" all of Azure, "POST /" all calls of EC2, and
    of those "Action=DescribeRegions" or "region=us-east-1" some; "/providers/Microsoft." is Azure Resource Manager,
    "location eq 'eastus'" its SKUs of a region, and any word of a query of Resource Graph that query. A `count` of
    None lasts until `clear()`.
    """

    omitted_regions: set[str] = field(default_factory=set)  # gone from the index, and their files or items too
    missing_files: set[str] = field(default_factory=set)  # AWS: still in the index, without a file behind it
    added_regions: set[str] = field(default_factory=set)  # AWS: codes nobody has heard of, in the index and with a file
    drop_reserved: bool = False
    unknown_column: str = ""  # a column (AWS) or field (EC2 and Azure) of this name is added, empty
    missing_column: str = ""  # the column or field of this name is left out; of EC2 as on the wire: "upfrontFee"
    spoiled_regions: set[str] = field(default_factory=set)  # AWS: where the three above hold; empty: everywhere
    azure: AzureFaults = field(default_factory=AzureFaults)
    arm: ArmFaults = field(default_factory=ArmFaults)
    _failures: list[_Planned[Failure]] = field(default_factory=list, repr=False)
    _breaks: list[_Planned[Break]] = field(default_factory=list, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def fail_next(
        self,
        count: int | None,
        status: int,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        only: str = "",
    ) -> None:
        """Answer the next `count` requests with a status, headers and body."""
        with self._lock:
            self._failures.append(_Planned(Failure(status, dict(headers or {}), body), only, count))

    def throttle_next(self, count: int | None, seconds: int = 1, only: str = "/offers/") -> None:
        """429 with the seconds to wait as AWS's hosts tell them."""
        self.fail_next(count, 429, {"Retry-After": str(seconds)}, only=only)

    def refuse_next(self, count: int | None, code: str, only: str = "POST /") -> None:
        """An error of EC2's, with its usual status: RequestLimitExceeded is 503, AuthFailure 401, and so on."""
        refusal = Refusal(code)
        self.fail_next(count, refusal.status, {"Content-Type": CONTENT_TYPE}, refusal.body(), only)

    def refuse_arm_next(
        self, count: int | None, code: str, seconds: int | None = None, only: str = "/providers/Microsoft."
    ) -> None:
        """An error of Azure Resource Manager's with its usual status: AuthorizationFailed is 403, TooManyRequests 429
        (RateLimiting of Resource Graph), ServerTimeout 503, and so on; `seconds` to wait where some are given.
        """
        refusal = ArmRefusal(code)
        self.fail_next(count, refusal.status, refusal.headers(seconds), refusal.body(), only)

    def html_next(self, count: int | None = 1, only: str = "") -> None:
        """A page for people, with status 200."""
        self.fail_next(count, 200, {"Content-Type": "text/html; charset=utf-8"}, HTML, only)

    def cut_next(self, after_bytes: int, count: int | None = 1, only: str = "") -> None:
        """Announce the whole length of the next `count` right answers and close the connection after some bytes."""
        self._break(Break(after_bytes), count, only)

    def truncate_next(self, to_bytes: int, count: int | None = 1, only: str = "") -> None:
        """Send the beginning of the next `count` right answers as if it were all: nothing in HTTP tells."""
        self._break(Break(to_bytes, clean=True), count, only)

    def stall_next(self, seconds: float, after_bytes: int = 0, count: int | None = 1, only: str = "") -> None:
        """Be silent for some seconds within the body of the next `count` right answers."""
        self._break(Break(after_bytes, stall=seconds), count, only)

    def _break(self, what: Break, count: int | None, only: str) -> None:
        with self._lock:
            self._breaks.append(_Planned(what, only, count))

    def clear(self) -> None:
        """Everything off."""
        with self._lock:
            self.drop_reserved, self.unknown_column, self.missing_column = False, "", ""
            for regions in (self.omitted_regions, self.missing_files, self.added_regions, self.spoiled_regions):
                regions.clear()
            self.azure.clear()
            self.arm.clear()
            self._failures.clear()
            self._breaks.clear()

    def take_failure(self, target: str) -> Failure | None:
        """The failure due for a request of this path and query, if any; it is used up."""
        return self._take(self._failures, target)

    def take_break(self, target: str) -> Break | None:
        """What shall happen within this right answer, if anything; it is used up."""
        return self._take(self._breaks, target)

    def _take(self, planned: list[_Planned[T]], target: str) -> T | None:
        if not planned:
            return None
        with self._lock:
            due = next((one for one in planned if one.only in unquote_plus(target)), None)
            if due is not None and due.left is not None:
                due.left -= 1
                if due.left <= 0:
                    planned.remove(due)
            return None if due is None else due.what
