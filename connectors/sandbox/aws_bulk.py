"""Price lists too large for memory: files on disk, written once and served as a stream.

`write` makes one of any size: the location's GPU lines in all kinds, and ordinary products until it is as large as
asked. `Sandbox(size="full")` has it write its own, where ordinary lines are as many as in the real file.
"""

import tempfile
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from connectors.sandbox import aws, aws_ordinary
from connectors.sandbox.aws_lines import table
from connectors.sandbox.aws_partition import partition_of
from connectors.sandbox.aws_region import Shape, has_term, lines

ORDINARY_SHARE = 32  # ordinary lines for each other: 97 of 100 have no GPU
SAMPLE = 300  # products that are rendered to learn how long lines are


@dataclass
class Shelf:
    """Where large files lie. In size "full" each is written when it is first asked for, and goes with the sandbox."""

    size: str = "small"
    folder: Path | None = None
    _own: Path | None = field(default=None, repr=False)
    _temporary: ExitStack = field(default_factory=ExitStack, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def find(self, day: date, region: str, shape: Shape) -> Path | None:
        """The file of a version and location; None if it is to be rendered in memory."""
        if self.folder is not None and (stored := self.folder / file_name(day, region)).exists():
            return stored
        if self.size != "full":
            return None
        with self._lock:
            if self._own is None:
                self._own = Path(self._temporary.enter_context(tempfile.TemporaryDirectory()))
            path = self._own / f"{hash(shape):x}" / file_name(day, region)
            if not path.exists():
                write(path, day, region, replace(shape, full=True))
        return path

    def close(self) -> None:
        """Remove what was written."""
        self._temporary.close()


def file_name(day: date, region: str) -> Path:
    """Where a file lies in its folder."""
    return Path(aws.version_of(partition_of(region).published_at(day))) / f"{region}.csv"


def write(path: Path, day: date, region: str, shape: Shape, size: int = 0) -> None:
    """Write a price list of about `size` bytes; 0 for as many ordinary lines as the real file has."""
    partition = partition_of(region)
    published = partition.published_at(day).date()
    ours = list(table(lines(day, region, shape), shape.columns))
    total = _ordinary_products(published, region, shape, ours, size)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="") as target:
        target.write(aws.preamble(day, partition) + shape.columns.header + "\n")
        place = 0
        for product in aws_ordinary.products(region, published, total):
            for sku, line in table((one for one in product if has_term(one.cells[0], region, shape)), shape.columns):
                while place < len(ours) and ours[place][0] < sku:
                    target.write(ours[place][1] + "\n")
                    place += 1
                target.write(line + "\n")
        target.writelines(line + "\n" for _, line in ours[place:])
    part.rename(path)


def _ordinary_products(day: date, region: str, shape: Shape, ours: Sequence[tuple[str, str]], size: int) -> int:
    if not size:
        return aws_ordinary.products_for(ORDINARY_SHARE * len(ours))
    sample = [line for lines in aws_ordinary.products(region, day, SAMPLE) for line in lines]
    an_average = sum(len(text) + 1 for _, text in table(sample, shape.columns)) / len(sample)
    left = size - sum(len(text) + 1 for _, text in ours)
    return aws_ordinary.products_for(int(left / an_average))
