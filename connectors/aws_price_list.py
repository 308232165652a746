"""AWS price list of EC2: one CSV a region, replaced as a whole by each new version.

Columns: docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html and the
files of version 20250912225308. The file of a large region has 300 MB and some 400,000 lines; only the lines about GPUs
are kept.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from connectors.aws_bulk_file import (
    HOSTS,
    BulkFile,
    folder_of,
    locations_of,
    partition_of,
    records,
    time_of,
    version_in,
)
from connectors.client import Client, host_of
from connectors.contract import Record, Size
from connectors.errors import SourceChanged

if TYPE_CHECKING:  # at run time pyarrow is imported where it is used: it costs every command 0.2 s otherwise
    import pyarrow

OFFER = "/offers/v1.0/{folder}/AmazonEC2"

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
NO_GPU = r"^\s*(NA|[0.]*)\s*$"


@dataclass(frozen=True)
class AwsPriceList:
    """The feed. A scope is a location with a file of its own: a region, a Local Zone or a Wavelength Zone."""

    name: str = "aws_price_list"
    provider: str = "aws"
    hosts: Mapping[str, str] = field(default_factory=lambda: HOSTS)
    everywhere: None = None  # the region index lists every location

    def scope_of(self, record: Record) -> str | None:
        """There is no walk over all places, so none of its records."""
        return None

    def predicate_of(self, known_types: Collection[str]) -> str:
        """The rule of `_choose`, and the types that it lands by name."""
        return "1-" + hashlib.sha256("\n".join(sorted(set(known_types))).encode()).hexdigest()[:12]

    def why_not_asked(self) -> str:
        """It is public."""
        return ""

    def partition_of(self, scope: str) -> str:
        """The partition of a location, by how its code begins."""
        return partition_of(scope)

    def scopes(self, client: Client, base_url: str, partition: str, known_regions: Sequence[str] = ()) -> Sequence[str]:
        """Every location of the region index that belongs to the partition; the others are logged."""
        return locations_of(partition, _paths(client, base_url, partition), self.name)

    def fetch(
        self,
        client: Client,
        base_url: str,
        scope: str,
        known_version: str | None = None,
        known_types: Collection[str] = (),
    ) -> "PriceListFetch":
        """Ask which version of `scope` is in force; its file is downloaded when the fetch is iterated."""
        paths = _paths(client, base_url, partition_of(scope))
        version = version_in(paths, scope, OFFER, f"{host_of(base_url)}: the region index")
        return self.fetch_version(client, base_url, scope, version, known_types, unchanged=version == known_version)

    def versions(self, client: Client, base_url: str, partition: str) -> Sequence[str]:
        """Every version that the index of versions names, oldest first; their files may still be had."""
        index = client.get_json(f"{_offer(base_url, partition)}/index.json")
        versions = index.get("versions") if isinstance(index, dict) else None
        if not isinstance(versions, dict) or not versions:
            raise SourceChanged(f"{host_of(base_url)}: the index of versions names none")
        return sorted(versions, key=time_of)

    def published_at(self, version: str) -> datetime:
        """When a version was published: its id is the time as fourteen digits."""
        return time_of(version)

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
            address=f"{_offer(base_url, partition_of(scope))}/{version}/{scope}/index.csv",
            version=version,
            published_at=time_of(version),
            unchanged=unchanged,
            client=client,
            known_types=frozenset(known_types),
        )


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

    def size(self, lines_before: int) -> Size:
        """One file, as long as its host says; nothing of a version that has landed."""
        return Size(0, 0) if self.unchanged else Size(1, self.client.length(self.address))

    def __iter__(self) -> Iterator[Record]:
        """Lines whose GPU cell is not empty, NA or 0, or whose type is known: {column: text}, without empty cells."""
        if self.unchanged:
            return
        with closing(self._file.batches(self.client)) as batches:
            for batch in batches:
                self.lines_read += batch.num_rows
                yield from records(self._choose(batch))

    @property
    def _file(self) -> BulkFile:
        return BulkFile(self.address, self.version, REQUIRED, OPTIONAL)

    def _choose(self, batch: "pyarrow.RecordBatch") -> list[dict[str, str]]:
        """The landing predicate, over columns at a time."""
        from pyarrow import array, compute, string

        types = array(self.known_types, string())
        known = compute.is_in(batch["Instance Type"], value_set=types)
        if "GPU" in batch.schema.names:
            chosen = compute.or_(known, compute.invert(compute.match_substring_regex(batch["GPU"], NO_GPU)))
        elif compute.any(known).as_py():  # a location that sells GPUs has the column: it was renamed
            raise SourceChanged(f"{self._file.name}: no column GPU, though there are GPU instance types")
        else:
            chosen = known
        lines: list[dict[str, str]] = batch.filter(chosen).to_pylist()
        return lines


def _offer(base_url: str, partition: str) -> str:
    return base_url.rstrip("/") + OFFER.format(folder=folder_of(partition))


def _paths(client: Client, base_url: str, partition: str) -> Mapping[str, object]:
    """Location code -> path of its file, of the region index: {code: {regionCode, currentVersionUrl}}."""
    index = client.get_json(f"{_offer(base_url, partition)}/current/region_index.json")
    regions = index.get("regions") if isinstance(index, dict) else None
    if not isinstance(regions, dict) or not regions:
        raise SourceChanged(f"{host_of(base_url)}: the region index names no regions")
    return {
        code: entry.get("currentVersionUrl") if isinstance(entry, dict) else None for code, entry in regions.items()
    }


SOURCE = AwsPriceList()
