"""Azure China price sheet: every retail price of the cloud that 21Vianet runs, in yuan, as one CSV.

learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices-china, read 2026-12-01; api-version
2023-06-01-preview. The service answers with an address in another host's storage, signed for some hours, and the sheet
is read from there while it arrives. One of 2026 had 46,877 lines, half of them about virtual machines.
"""

import codecs
import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlsplit

from connectors.body import Body
from connectors.client import Client, host_of
from connectors.contract import Record, Size
from connectors.errors import SourceChanged, SourceIncomplete, SourceUnavailable

HOST = "https://prices.azure.cn"
PATH = "/api/retail/pricesheet/download"
API_VERSION = "2023-06-01-preview"
SCOPE = "china/CNY"
PARTITION = "azure-china"
LINE_BYTES = 260  # about: 12 MB were 46,872 lines

# What a price, its place, its size and its way of being bought are read from; a sheet that lacks one is not read.
REQUIRED = (
    "currencyCode", "tierMinimumUnits", "retailPrice", "armRegionName", "effectiveStartDate", "meterId", "meterName",
    "skuId", "productName", "skuName", "serviceName", "unitOfMeasure", "type", "armSkuName", "term",
    "isPrimaryMeterRegion",
)  # fmt: skip


@dataclass(frozen=True)
class AzureChinaPriceSheet:
    """The feed. Its one scope is the whole sheet: all regions of China, in their currency."""

    name: str = "azure_china_price_sheet"
    provider: str = "azure"
    hosts: Mapping[str, str] = field(default_factory=lambda: {PARTITION: HOST})
    everywhere: None = None  # the sheet is all places already

    def scope_of(self, record: Record) -> str | None:
        """There is no walk over all places beside the one scope, so none of its records."""
        return None

    def predicate_of(self, known_types: Collection[str]) -> str:
        """One rule, `_is_gpu_size`, whatever types are known."""
        return "1"

    def why_not_asked(self) -> str:
        """It is public."""
        return ""

    def partition_of(self, scope: str) -> str:
        """The one it is of."""
        return PARTITION

    def scopes(self, client: Client, base_url: str, partition: str, known_regions: Sequence[str] = ()) -> Sequence[str]:
        """The one scope; nothing is asked."""
        return (SCOPE,)

    def fetch(
        self,
        client: Client,
        base_url: str,
        scope: str,
        known_version: str | None = None,
        known_types: Collection[str] = (),
    ) -> "PriceSheetFetch":
        """Begin one attempt; nothing is asked before it is iterated.

        The answer's LastRefreshedAt is no version: nobody says that equal times mean equal sheets.
        """
        if scope != SCOPE:
            raise SourceUnavailable(f"{host_of(base_url)}: the price sheet is of {SCOPE}, not of {scope}")
        return PriceSheetFetch(base_url.rstrip("/") + PATH, client)


@dataclass
class PriceSheetFetch:
    """One download of the sheet. See `connectors.contract.Fetch`."""

    address: str
    client: Client = field(repr=False)
    lines_read: int = 0
    version: str | None = None
    published_at: datetime | None = None
    unchanged: bool = False

    def size(self, lines_before: int) -> Size:
        """The address, then the sheet, as long as last time."""
        return Size(2, lines_before * LINE_BYTES or None)

    def __iter__(self) -> Iterator[Record]:
        """Lines about GPU sizes: {column: text} with every column of the sheet, empty cells too."""
        landed = 0
        with self.client.stream(self._download_address()) as body:
            for line in self._lines(body):
                self.lines_read += 1
                if _is_gpu_size(line):
                    landed += 1
                    yield line
        if body.cut:
            raise SourceIncomplete(f"{self._name}: cut after {self.lines_read:,} lines: {body.cut}")
        if not landed:
            raise SourceChanged(f"{self._name}: no GPU size among {self.lines_read:,} lines")

    @property
    def _name(self) -> str:
        return f"{host_of(self.address)}: {SCOPE}"

    def _download_address(self) -> str:
        """Where the sheet lies today; messages show its host only, since its query is a signature.

        It is the one address on another host that is followed, because the service has no other answer. It must be as
        safe as the one that named it (https, unless the service itself was asked by http) and hold no password.
        """
        answer = self.client.get_json(self.address, {"api-version": API_VERSION})
        address = answer.get("DownloadUrl") if isinstance(answer, dict) else None
        if not isinstance(address, str):
            raise SourceChanged(f"{self._name}: the answer names no DownloadUrl")
        try:
            parts = urlsplit(address)
        except ValueError as error:
            raise SourceChanged(f"{self._name}: DownloadUrl is no address") from error
        if parts.scheme not in ("https", urlsplit(self.address).scheme) or not parts.hostname or "@" in parts.netloc:
            where = f"{parts.scheme or 'no scheme'}, host {parts.hostname or 'none'}"
            raise SourceChanged(f"{self._name}: DownloadUrl is no https address without a password ({where})")
        return address

    def _lines(self, body: Body) -> Iterator[dict[str, str]]:
        """Every whole data line; if one at the end is not whole, `body.cut` says so."""
        rows = filter(None, csv.reader(_text(body), strict=True))  # a blank line says nothing
        header = self._read_header(rows, body)
        try:
            for number, row in enumerate(rows, start=1):
                if len(row) == len(header):
                    yield dict(zip(header, row, strict=True))
                elif len(row) > len(header) or not body.at_end():
                    raise SourceChanged(f"{self._name}: line {number:,} has not {len(header)} cells but {len(row)}")
                else:
                    body.cut = body.cut or "in the middle of a line"
        except (csv.Error, UnicodeDecodeError) as error:
            if not body.at_end():
                raise SourceChanged(f"{self._name}: after {self.lines_read:,} lines: {error}") from error
            body.cut = body.cut or "in the middle of a line"

    def _read_header(self, rows: Iterator[list[str]], body: Body) -> list[str]:
        """The first line, which must name what is read."""
        trouble, header = "an empty sheet", []
        try:
            header = next(rows, [])
        except (csv.Error, UnicodeDecodeError) as error:
            trouble = f"not a price sheet: {error}"
        if body.cut and body.at_end():
            raise SourceIncomplete(f"{self._name}: ends before its first line: {body.cut}")
        if not header:
            raise SourceChanged(f"{self._name}: {trouble}")
        missing = [column for column in REQUIRED if column not in header]
        if len(missing) == len(REQUIRED):
            raise SourceChanged(f"{self._name}: not a price sheet but {' '.join(header)[:100]!r}")
        if missing:
            raise SourceChanged(f"{self._name}: no column {', '.join(missing)}")
        if len(set(header)) < len(header):
            raise SourceChanged(f"{self._name}: a column name stands twice in the header")
        return header


def _text(body: Body) -> Iterator[str]:
    """The lines of `body` as text without a byte order mark; a last one that the connection cut is left out."""
    mark = codecs.BOM_UTF8
    for line in iter(body.readline, b""):
        if body.cut and not line.endswith(b"\n") and body.at_end():
            return
        yield line.removeprefix(mark).decode()
        mark = b""


def _is_gpu_size(line: dict[str, str]) -> bool:
    """The landing predicate: all GPU sizes are N sizes of virtual machines."""
    service, size = line["serviceName"].strip().lower(), line["armSkuName"].strip().lower()
    return service == "virtual machines" and size.startswith("standard_n")


SOURCE = AzureChinaPriceSheet()
