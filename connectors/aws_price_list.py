"""AWS price list of EC2: one CSV a region, replaced as a whole by each new version.

Layout and addresses: docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/bulk-api-reading-price-list-files.html and
the files of version 20250912225308. The file of a large region has 300 MB and some 400,000 lines, so it is parsed while
it arrives, and only the lines about GPUs are kept.
"""

import csv
import hashlib
import logging
import re
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from connectors.body import MEBIBYTE, Body
from connectors.client import Client, host_of
from connectors.contract import Record
from connectors.errors import SourceChanged, SourceIncomplete, SourceUnavailable

if TYPE_CHECKING:  # at run time pyarrow is imported where it is used: it costs every command 0.2 s otherwise
    import pyarrow

DEFAULT_URL = "https://pricing.us-east-1.amazonaws.com"
REGION_INDEX = "/offers/v1.0/aws/AmazonEC2/current/region_index.json"
VERSION_INDEX = "/offers/v1.0/aws/AmazonEC2/index.json"
REGION_FILE = re.compile(r"/offers/v1\.0/aws/AmazonEC2/(?P<version>\d{14})/(?P<scope>[a-z0-9-]+)/index\.json")
PUBLIC_LOCATION = re.compile(r"[a-z]{2}-[a-z]+-\d+(-[a-z0-9]+)*")  # us-east-1, us-west-2-lax-1, us-east-1-wl1-chi1
OTHER_PARTITIONS = {"cn-": "aws-cn", "us-gov-": "aws-us-gov", "eusc-": "aws-eusc"}

# Without one of these no line can be told from its neighbours, so a file that lacks one is not read.
REQUIRED = (
    "SKU", "OfferTermCode", "RateCode", "TermType", "EffectiveDate", "Unit", "PricePerUnit", "Currency",
    "Product Family", "Location Type", "Region Code", "Instance Type", "Tenancy", "Operating System", "License Model",
    "Pre Installed S/W", "CapacityStatus", "operation",
)  # fmt: skip
# A column exists only where some product of the region uses it: no reserved offers, no LeaseContractLength.
OPTIONAL = (
    "LeaseContractLength", "PurchaseOption", "OfferingClass", "StartingRange", "EndingRange", "MarketOption",
    "usageType", "PriceDescription", "Location", "Instance Family", "Current Generation", "Physical Processor",
    "Processor Architecture", "vCPU", "Memory", "Storage", "Network Performance", "GPU", "GPU Memory",
)  # fmt: skip
MOST_FACTS = 10  # lines before the header; there are five
NO_GPU = r"^\s*(NA|[0.]*)\s*$"

log = logging.getLogger("gpu_prices")


@dataclass(frozen=True)
class AwsPriceList:
    """The feed. A scope is a location with a file of its own: a region, a Local Zone or a Wavelength Zone."""

    name: str = "aws_price_list"
    provider: str = "aws"
    default_url: str = DEFAULT_URL
    everywhere: None = None  # the region index lists every location

    def scope_of(self, record: Record) -> str | None:
        """There is no walk over all places, so none of its records."""
        return None

    def predicate_of(self, known_types: Collection[str]) -> str:
        """The rule of `_choose`, and the types that it lands by name."""
        return "1-" + hashlib.sha256("\n".join(sorted(set(known_types))).encode()).hexdigest()[:12]

    def scopes(self, client: Client, base_url: str, known_regions: Sequence[str] = ()) -> Sequence[str]:
        """Every location of the region index that belongs to the public partition; the others are logged."""
        chosen = []
        for code in sorted(_region_index(client, base_url.rstrip("/"))):
            if reason := why_left_out(code):
                log.info("%s: %s left out: %s", self.name, code, reason)
            else:
                chosen.append(code)
        return tuple(chosen)

    def fetch(
        self,
        client: Client,
        base_url: str,
        scope: str,
        known_version: str | None = None,
        known_types: Collection[str] = (),
    ) -> "PriceListFetch":
        """Ask which version of `scope` is in force; its file is downloaded when the fetch is iterated."""
        version = _current_version(_region_index(client, base_url.rstrip("/")), scope, host_of(base_url))
        return self.fetch_version(client, base_url, scope, version, known_types, unchanged=version == known_version)

    def versions(self, client: Client, base_url: str) -> Sequence[str]:
        """Every version that the index of versions names, oldest first; their files may still be had."""
        index = client.get_json(base_url.rstrip("/") + VERSION_INDEX)
        versions = index.get("versions") if isinstance(index, dict) else None
        if not isinstance(versions, dict) or not versions:
            raise SourceChanged(f"{host_of(base_url)}: the index of versions names none")
        return sorted(versions, key=_time_of)

    def published_at(self, version: str) -> datetime:
        """When a version was published: its id is the time as fourteen digits."""
        return _time_of(version)

    def fetch_version(
        self,
        client: Client,
        base_url: str,
        scope: str,
        version: str,
        known_types: Collection[str] = (),
        *,
        unchanged: bool = False,
    ) -> "PriceListFetch":
        """Begin one attempt at one version of `scope`, an old one too; nothing is asked before it is iterated."""
        return PriceListFetch(
            address=f"{base_url.rstrip('/')}/offers/v1.0/aws/AmazonEC2/{version}/{scope}/index.csv",
            version=version,
            published_at=_time_of(version),
            unchanged=unchanged,
            client=client,
            known_types=frozenset(known_types),
        )


def why_left_out(code: str) -> str:
    """Why a code of the region index is no scope of the public partition; '' if it is one."""
    for prefix, partition in OTHER_PARTITIONS.items():
        if code.startswith(prefix):
            return f"partition {partition}"
    return "" if PUBLIC_LOCATION.fullmatch(code) else "not the code of a location"


@dataclass
class PriceListFetch:
    """One version of one location's file. See `connectors.contract.Fetch`."""

    address: str
    version: str
    published_at: datetime
    unchanged: bool
    client: Client = field(repr=False)
    known_types: frozenset[str] = field(repr=False)
    lines_read: int = 0

    def __iter__(self) -> Iterator[Record]:
        """Lines whose GPU cell is not empty, NA or 0, or whose type is known: {column: text}, without empty cells."""
        if self.unchanged:
            return
        with self.client.stream(self.address) as body:
            header = self._read_head(body)
            if body.at_end():
                raise SourceIncomplete(f"{self._name}: no line follows the header: {body.cut or 'an empty list'}")
            with closing(self._batches(body, header)) as batches:
                for batch in batches:
                    self.lines_read += batch.num_rows
                    for line in self._choose(batch):
                        yield {column: text for column, text in line.items() if text}
        if body.cut:
            raise SourceIncomplete(f"{self._name}: cut after {self.lines_read:,} lines: {body.cut}")

    @property
    def _name(self) -> str:
        return self.address.removeprefix("https://")

    def _read_head(self, body: Body) -> list[str]:
        """The header; the five lines before it must name the version that was asked for."""
        facts: dict[str, str] = {}
        try:
            for number, row in enumerate(csv.reader(line.decode() for line in iter(body.readline, b""))):
                if len(row) > 2 and "FormatVersion" in facts:
                    self._check_head(facts, row)
                    return row
                if len(row) != 2 or number == MOST_FACTS:
                    break
                facts[row[0]] = row[1]
            else:
                raise SourceIncomplete(f"{self._name}: ends before its header: {body.cut or 'nothing follows'}")
        except (csv.Error, UnicodeDecodeError) as error:
            raise SourceChanged(f"{self._name}: not a price list: {error}") from error
        raise SourceChanged(f"{self._name}: not a price list but {' '.join(row)[:100]!r}")

    def _check_head(self, facts: Mapping[str, str], header: Sequence[str]) -> None:
        expected = {
            "FormatVersion": "v1.0",
            "Version": self.version,
            "Publication Date": self.published_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        for name, value in expected.items():
            if facts.get(name) != value:
                raise SourceChanged(f"{self._name}: {name} is {facts.get(name)!r}, not {value!r}")
        if missing := [column for column in REQUIRED if column not in header]:
            raise SourceChanged(f"{self._name}: no column {', '.join(missing)}")
        if len(set(header)) < len(header):
            raise SourceChanged(f"{self._name}: a column name stands twice in the header")

    def _batches(self, body: Body, header: list[str]) -> "Generator[pyarrow.RecordBatch]":
        """The data lines as text, some thousands at a time, one batch held back: a cut may go through its last line."""
        from pyarrow import ArrowInvalid

        broken: list[int] = []  # numbers of lines, from 1, that don't have the header's number of cells
        lines, held = 0, None
        try:
            for batch in _parse(body, header, broken):
                if batch.num_rows == 0:
                    continue
                if held is not None:
                    yield held
                held, lines = batch, lines + batch.num_rows
                if broken and broken[0] < lines + len(broken):
                    raise SourceChanged(f"{self._name}: line {broken[0]:,} has not {len(header)} cells")
        except ArrowInvalid as error:
            if not body.cut:
                raise SourceChanged(f"{self._name}: after {lines:,} lines: {error}") from error
        if broken and not body.cut:
            body.cut = "in the middle of a line"
        if held is not None:
            last_is_cut = body.cut and not broken and body.last_byte != b"\n"
            yield held.slice(0, held.num_rows - 1) if last_is_cut else held

    def _choose(self, batch: "pyarrow.RecordBatch") -> list[dict[str, str]]:
        """The landing predicate, over columns at a time."""
        from pyarrow import array, compute, string

        types = array(self.known_types, string())
        known = compute.is_in(batch["Instance Type"], value_set=types)
        if "GPU" in batch.schema.names:
            chosen = compute.or_(known, compute.invert(compute.match_substring_regex(batch["GPU"], NO_GPU)))
        elif compute.any(known).as_py():  # a location that sells GPUs has the column: it was renamed
            raise SourceChanged(f"{self._name}: no column GPU, though there are GPU instance types")
        else:
            chosen = known
        lines: list[dict[str, str]] = batch.filter(chosen).to_pylist()
        return lines


def _parse(body: Body, header: list[str], broken: list[int]) -> "Iterator[pyarrow.RecordBatch]":
    """`body` through pyarrow's CSV parser, every cell as text (so that NA stays NA), columns by name."""
    from pyarrow import PythonFile, csv, string

    def skip(row: Any) -> str:
        broken.append(row.number)
        return "skip"

    columns = [column for column in (*REQUIRED, *OPTIONAL) if column in header]
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


def _region_index(client: Client, base_url: str) -> Mapping[str, object]:
    """Location code -> {regionCode, currentVersionUrl}."""
    index = client.get_json(base_url + REGION_INDEX)
    regions = index.get("regions") if isinstance(index, dict) else None
    if not isinstance(regions, dict) or not regions:
        raise SourceChanged(f"{host_of(base_url)}: the region index names no regions")
    return regions


def _current_version(index: Mapping[str, object], scope: str, host: str) -> str:
    """The version in the path of the location's file, its publication time as fourteen digits."""
    if scope not in index:
        raise SourceUnavailable(f"{host}: the region index has no {scope}")
    entry = index[scope]
    path = entry.get("currentVersionUrl") if isinstance(entry, dict) else None
    match = REGION_FILE.fullmatch(path) if isinstance(path, str) else None
    if not match or match["scope"] != scope:
        raise SourceChanged(f"{host}: the region index leads {scope} to {path!r}")
    return match["version"]


def _time_of(version: str) -> datetime:
    try:
        return datetime.strptime(version, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        raise SourceChanged(f"version {version!r} of the AWS price list is not a time") from None


SOURCE = AwsPriceList()
