"""What may go wrong on purpose: switches a test sets on a running sandbox."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from connectors.sandbox.azure_faults import AzureFaults


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer instead of the right one."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Faults:
    """All off until set; `clear()` turns all off. Regions are codes of either provider."""

    drop_reserved: bool = False
    omitted_regions: set[str] = field(default_factory=set)
    unknown_column: str = ""  # a column (AWS) or field (Azure) of this name is added, empty
    missing_column: str = ""  # the column or field of this name is left out
    azure: AzureFaults = field(default_factory=AzureFaults)
    _failures: list[Failure] = field(default_factory=list, repr=False)
    _cuts: list[int] = field(default_factory=list, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def fail_next(self, count: int, status: int, headers: Mapping[str, str] | None = None, body: bytes = b"") -> None:
        """Answer the next `count` requests with a status, headers and body."""
        with self._lock:
            self._failures += [Failure(status, dict(headers or {}), body)] * count

    def cut_next(self, after_bytes: int, count: int = 1) -> None:
        """Announce the whole length of the next `count` right answers and close the connection after some bytes."""
        with self._lock:
            self._cuts += [after_bytes] * count

    def clear(self) -> None:
        """Everything off."""
        with self._lock:
            self.drop_reserved, self.unknown_column, self.missing_column = False, "", ""
            self.omitted_regions.clear()
            self.azure.clear()
            self._failures.clear()
            self._cuts.clear()

    def take_failure(self) -> Failure | None:
        """The failure due for this request, once."""
        with self._lock:
            return self._failures.pop(0) if self._failures else None

    def take_cut(self) -> int | None:
        """After how many bytes this answer breaks off, once; None: not at all."""
        with self._lock:
            return self._cuts.pop(0) if self._cuts else None
