"""What a person sees while a command works: a bar on a terminal, plain lines elsewhere; all of it on stderr.

The work says what it does to the logger `gpu_prices`, so that Prefect keeps the same lines for its page. Two extras of
a record mean something here: `step=(done, all)` moves the bar, `keep=True` is a line that stays when the bar is gone.
"""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import TaskID

logger = logging.getLogger("gpu_prices")


@contextmanager
def shown(title: str, *, only_kept: bool = False) -> Iterator[None]:
    """Show the lines of `gpu_prices` while the block runs; `only_kept`: of plain lines those to keep, and warnings."""
    handler = BarHandler(title) if sys.stderr.isatty() else LineHandler(only_kept)
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
        handler.end()


class LineHandler(logging.Handler):
    """One line for each record, small steps left out."""

    def __init__(self, only_kept: bool) -> None:
        super().__init__(logging.INFO)
        self._only_kept = only_kept

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line."""
        if not self._only_kept or is_kept(record):
            sys.stderr.write(record.getMessage() + "\n")

    def end(self) -> None:
        """Nothing to take away."""


class BarHandler(logging.Handler):
    """A bar of steps done and what was said last; above it, for good, what is to be kept."""

    def __init__(self, title: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        super().__init__()
        text, said = (TextColumn(field, markup=False) for field in ("{task.description}", "{task.fields[said]}"))
        columns = (text, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), said)
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task: TaskID = self._bar.add_task(title, total=None, said="")
        self._bar.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Show one line."""
        step: tuple[int, int] | None = getattr(record, "step", None)
        if step is not None:
            self._bar.update(self._task, completed=step[0], total=step[1])
        if is_kept(record):
            style = "yellow" if record.levelno >= logging.WARNING else None
            self._bar.console.print(record.getMessage(), style=style, markup=False, highlight=False)
        else:
            self._bar.update(self._task, said=record.getMessage())

    def end(self) -> None:
        """Take the bar away; the cursor comes back. (Not `close`: Prefect closes all handlers when it is imported.)"""
        self._bar.stop()


def is_kept(record: logging.LogRecord) -> bool:
    """A line that must not get lost."""
    return record.levelno >= logging.WARNING or getattr(record, "keep", False)
