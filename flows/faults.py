"""Every error that a person may meet, as one line and an exit status; a traceback is for our own mistakes only."""

import errno
import os
import signal
import sys
from types import FrameType, TracebackType

INTERRUPTED = 130  # 128 + SIGINT, what a shell expects
BROKEN_PIPE = 141  # 128 + SIGPIPE: whoever read our output has enough


class Fault(Exception):
    """A command can't do what it was asked to; the message is one line that says what to do."""


class Unfinished(Fault):
    """It did part of it: what failed is named."""


def expected() -> tuple[type[BaseException], ...]:
    """The errors that are told in one line. Called when one is on its way: a command that has none imports nothing."""
    import duckdb

    from connectors.errors import SourceError
    from reports.errors import ReportError
    from warehouse.errors import WarehouseError

    return (Fault, OSError, SourceError, WarehouseError, ReportError, duckdb.Error)


def in_one_line(error: BaseException) -> str:
    """What is wrong and what to do, in one line."""
    if isinstance(error, OSError):
        return _of_the_system(error)
    said = " ".join(str(error).split())
    if "No space left on device" in said:
        return "the disk is full: make room, then try again"
    return said or type(error).__name__


def without_traceback(kind: type[BaseException], error: BaseException, _traceback: TracebackType | None) -> None:
    """For sys.excepthook: an error nobody foresaw, in one line too."""
    said = " ".join(str(error).split())
    sys.stderr.write(
        f"gpu-prices: a mistake in gpu-prices itself: {kind.__name__}: {said}; "
        "set GPU_PRICES_TRACEBACK=1 and run it again to see where\n"
    )


def silence_output() -> None:
    """Let what is still to be written to a closed pipe go nowhere, so that Python doesn't complain on its way out."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def leave_on_interrupt() -> None:
    """From here on Ctrl-C ends the process at once, with its word; for a command that only reads.

    DuckDB may go for hours without a look at signals, and an interrupt sent to a query before it has begun is lost.
    """

    def leave(_number: int, _frame: FrameType | None) -> None:
        os.write(2, b"gpu-prices: interrupted\n")
        os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, leave)


def _of_the_system(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{where}the disk is full: make room, then try again"
    if error.errno == errno.EROFS:
        return f"{where}the disk is read-only: name a folder that can be written with --home"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{where}permission denied: name a folder that is yours with --home"
    return f"{where}{error.strerror or error}"
