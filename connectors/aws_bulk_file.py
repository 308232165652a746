"""The CSV files of the AWS price list host: how they begin, and their lines as they arrive.

Some lines about the file, a header, then one line a rate; up to some gigabytes, so a file is parsed while it arrives
and never held. Layout: docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/bulk-api-reading-price-list-files.html.
"""

import csv
import logging
import re
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from connectors.body import MEBIBYTE, Body
from connectors.client import Client
from connectors.errors import SourceChanged, SourceIncomplete, SourceUnavailable

if TYPE_CHECKING:  # at run time pyarrow is imported where it is used: it costs every command 0.2 s otherwise
    import pyarrow

PUBLIC_HOST = "https://pricing.us-east-1.amazonaws.com"
# Partition -> the host of its files. GovCloud stands in the index of the public ones. Nobody has verified where those
# of the European Sovereign Cloud are: they are looked for there too, and not found is said.
HOSTS: Mapping[str, str] = {
    "aws": PUBLIC_HOST,
    "aws-us-gov": PUBLIC_HOST,
    "aws-eusc": PUBLIC_HOST,
    "aws-cn": "https://pricing.cn-north-1.amazonaws.com.cn",
}
PARTITION_OF_PREFIX = {"cn-": "aws-cn", "us-gov-": "aws-us-gov", "eusc-": "aws-eusc"}
LOCATION = re.compile(r"[a-z]+(-[a-z]+)+-\d+(-[a-z0-9]+)*")  # us-east-1, us-west-2-lax-1, us-east-1-wl1-chi1
MOST_FACTS = 10  # lines before the header; there are five

log = logging.getLogger("gpu_prices")


@dataclass(frozen=True)
class BulkFile:
    """One version of a file. `required`: without one of these columns no line can be told from its neighbors."""

    address: str
    version: str
    required: Sequence[str]
    optional: Sequence[str]

    @property
    def name(self) -> str:
        """The address, as messages have it."""
        return self.address.removeprefix("https://")

    def batches(self, client: Client) -> "Generator[pyarrow.RecordBatch]":
        """The data lines, some thousands at a time: every cell as text, the columns that the file has of ours.

        Raises:
            SourceChanged: it is no such file, or not of this version.
            SourceIncomplete: it stops short; what came before is real.
        """
        lines = 0
        with client.stream(self.address) as body:
            header = self._read_head(body)
            if body.at_end():
                raise SourceIncomplete(f"{self.name}: no line follows the header: {body.cut or 'an empty list'}")
            with closing(self._batches(body, header)) as batches:
                for batch in batches:
                    lines += batch.num_rows
                    yield batch
        if body.cut:
            raise SourceIncomplete(f"{self.name}: cut after {lines:,} lines: {body.cut}")

    def _read_head(self, body: Body) -> list[str]:
        """The header; the lines before it must name the version that was asked for."""
        facts: dict[str, str] = {}
        try:
            for number, row in enumerate(csv.reader(line.decode() for line in iter(body.readline, b""))):
                if row[:1] == ["Disclaimer"]:  # prose, in some files without quotes around its commas
                    continue
                if len(row) > 2 and "FormatVersion" in facts:
                    self._check_head(facts, row)
                    return row
                if len(row) != 2 or number == MOST_FACTS:
                    break
                facts[row[0]] = row[1]
            else:
                raise SourceIncomplete(f"{self.name}: ends before its header: {body.cut or 'nothing follows'}")
        except (csv.Error, UnicodeDecodeError) as error:
            raise SourceChanged(f"{self.name}: not a price list: {error}") from error
        raise SourceChanged(f"{self.name}: not a price list but {' '.join(row)[:100]!r}")

    def _check_head(self, facts: Mapping[str, str], header: Sequence[str]) -> None:
        expected = {
            "FormatVersion": "v1.0",
            "Version": self.version,
            "Publication Date": time_of(self.version).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        for name, value in expected.items():
            if facts.get(name) != value:
                raise SourceChanged(f"{self.name}: {name} is {facts.get(name)!r}, not {value!r}")
        if missing := [column for column in self.required if column not in header]:
            raise SourceChanged(f"{self.name}: no column {', '.join(missing)}")
        if len(set(header)) < len(header):
            raise SourceChanged(f"{self.name}: a column name stands twice in the header")

    def _batches(self, body: Body, header: list[str]) -> "Generator[pyarrow.RecordBatch]":
        """One batch is held back: a cut may go through its last line."""
        from pyarrow import ArrowInvalid

        broken: list[int] = []  # numbers of lines, from 1, that don't have the header's number of cells
        lines, held = 0, None
        columns = [column for column in (*self.required, *self.optional) if column in header]
        try:
            for batch in _parse(body, header, columns, broken):
                if batch.num_rows == 0:
                    continue
                if held is not None:
                    yield held
                held, lines = batch, lines + batch.num_rows
                if broken and broken[0] < lines + len(broken):
                    raise SourceChanged(f"{self.name}: line {broken[0]:,} has not {len(header)} cells")
        except ArrowInvalid as error:
            if not body.cut:
                raise SourceChanged(f"{self.name}: after {lines:,} lines: {error}") from error
        if broken and not body.cut:
            body.cut = "in the middle of a line"
        if held is not None:
            last_is_cut = body.cut and not broken and body.last_byte != b"\n"
            yield held.slice(0, held.num_rows - 1) if last_is_cut else held


def records(lines: Collection[Mapping[str, str]]) -> Iterator[dict[str, str]]:
    """{column: text} of each line, without empty cells."""
    for line in lines:
        yield {column: text for column, text in line.items() if text}


def partition_of(code: str) -> str:
    """The partition of a location, by how its code begins."""
    return next((name for prefix, name in PARTITION_OF_PREFIX.items() if code.startswith(prefix)), "aws")


def folder_of(partition: str) -> str:
    """What stands for the partition in the paths of its host: `/offers/v1.0/cn/…` in China."""
    return "cn" if partition == "aws-cn" else "aws"


def locations_of(partition: str, codes: Iterable[str], source: str) -> tuple[str, ...]:
    """Those codes of a region index that are locations of the partition, sorted; the others are logged.

    Raises:
        SourceUnavailable: there is none, of a partition that the index may not be of.
    """
    chosen = []
    for code in sorted(codes):
        if reason := why_left_out(code, partition):
            log.info("%s: %s left out: %s", source, code, reason)
        else:
            chosen.append(code)
    if not chosen:
        raise SourceUnavailable(f"{source}: the region index has no location of {partition}")
    return tuple(chosen)


def why_left_out(code: str, partition: str) -> str:
    """Why a code of the region index is no scope of the partition; '' if it is one."""
    if not LOCATION.fullmatch(code):
        return "not the code of a location"
    return "" if partition_of(code) == partition else f"partition {partition_of(code)}"


def version_in(paths: Mapping[str, object], scope: str, offer: str, index: str) -> str:
    """The version in the path of a location's file, its publication time as fourteen digits.

    `offer`: the path of the offer with {folder} for its second part. `index`: what led there, for messages.

    Raises:
        SourceUnavailable: the index has no such location.
        SourceChanged: the path is another than it was.
    """
    if scope not in paths:
        raise SourceUnavailable(f"{index} has no {scope}")
    pattern = re.escape(offer.format(folder=folder_of(partition_of(scope)))) + rf"/(\d{{14}})/{scope}/index\.json"
    match = re.fullmatch(pattern, str(paths[scope]))
    if not match:
        raise SourceChanged(f"{index} leads {scope} to {paths[scope]!r}")
    return match[1]


def time_of(version: str) -> datetime:
    """When a version was published (aware UTC): its id is the time as fourteen digits.

    Raises:
        SourceChanged: it is no time.
    """
    try:
        return datetime.strptime(version, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        raise SourceChanged(f"version {version!r} of an AWS price list is not a time") from None


def _parse(body: Body, header: list[str], columns: list[str], broken: list[int]) -> "Iterator[pyarrow.RecordBatch]":
    """`body` through pyarrow's CSV parser, every cell as text (so that NA stays NA), columns by name."""
    from pyarrow import PythonFile, csv, string

    def skip(row: Any) -> str:
        broken.append(row.number)
        return "skip"

    with csv.open_csv(
        PythonFile(body, mode="r"),
        # Lines are numbered only without threads; they would be no faster, since the network is what one waits for.
        read_options=csv.ReadOptions(column_names=header, block_size=MEBIBYTE, use_threads=False),
        parse_options=csv.ParseOptions(newlines_in_values=True, invalid_row_handler=skip),
        convert_options=csv.ConvertOptions(
            include_columns=columns, column_types={column: string() for column in columns}, strings_can_be_null=False
        ),
    ) as batches:
        yield from batches
