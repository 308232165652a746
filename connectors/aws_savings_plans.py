"""AWS Savings Plans: one CSV a region, with the rates of Compute and of EC2 Instance plans.

docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/sp-offer-file.html and the files of version 20250911184447. A rate
is what an hour costs under the plan, whatever of it is paid at the start. One file has the rates of every instance type
on every system and tenancy, of Fargate and of Lambda; only those of our GPU types are kept.
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

# China's is taken to lie as its price list does; nobody has verified it.
OFFER = "/savingsPlan/v1.0/{folder}/AWSComputeSavingsPlan"
REQUIRED = (
    "SKU", "RateCode", "Unit", "EffectiveDate", "DiscountedRate", "Currency", "DiscountedSKU", "DiscountedServiceCode",
    "DiscountedUsageType", "DiscountedOperation", "PurchaseOption", "LeaseContractLength", "LeaseContractLengthUnit",
    "Product Family", "DiscountedRegionCode", "DiscountedInstanceType",
)  # fmt: skip
OPTIONAL = ("ServiceCode", "UsageType", "Description", "Instance Family", "Location", "Location Type", "Granularity")
# Ways to run an instance that a list price is not for; they are five of six lines of a type.
OTHER_USAGE = r"(?:DedicatedUsage|HostUsage|HostBoxUsage|UnusedBox|UnusedDed|Reservation|DedicatedRes):"


@dataclass(frozen=True)
class AwsSavingsPlans:
    """The feed. A scope is a location with a file of its own: a region, a Local Zone or a Wavelength Zone."""

    name: str = "aws_savings_plans"
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
    ) -> "SavingsPlansFetch":
        """Ask which version of `scope` is in force; its file is downloaded when the fetch is iterated."""
        paths = _paths(client, base_url, partition_of(scope))
        version = version_in(paths, scope, OFFER, f"{host_of(base_url)}: the region index of savings plans")
        return SavingsPlansFetch(
            address=f"{_offer(base_url, partition_of(scope))}/{version}/{scope}/index.csv",
            version=version,
            published_at=time_of(version),
            unchanged=version == known_version,
            client=client,
            known_types=frozenset(known_types),
        )


@dataclass
class SavingsPlansFetch:
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
        """Rates of known types, on shared instances or of a usage nobody knows: {column: text}, no empty cells."""
        if self.unchanged:
            return
        file = BulkFile(self.address, self.version, REQUIRED, OPTIONAL)
        with closing(file.batches(self.client)) as batches:
            for batch in batches:
                self.lines_read += batch.num_rows
                yield from records(self._choose(batch))

    def _choose(self, batch: "pyarrow.RecordBatch") -> list[dict[str, str]]:
        """The landing predicate, over columns at a time."""
        from pyarrow import array, compute, string

        types = array(self.known_types, string())
        known = compute.is_in(batch["DiscountedInstanceType"], value_set=types)
        of_ec2 = compute.equal(batch["DiscountedServiceCode"], "AmazonEC2")
        other = compute.match_substring_regex(batch["DiscountedUsageType"], OTHER_USAGE)
        chosen = compute.and_(compute.and_(known, of_ec2), compute.invert(other))
        lines: list[dict[str, str]] = batch.filter(chosen).to_pylist()
        return lines


def _offer(base_url: str, partition: str) -> str:
    return base_url.rstrip("/") + OFFER.format(folder=folder_of(partition))


def _paths(client: Client, base_url: str, partition: str) -> Mapping[str, object]:
    """Location code -> path of its file. A list here, while the index of the price list is an object."""
    index = client.get_json(f"{_offer(base_url, partition)}/current/region_index.json")
    regions = index.get("regions") if isinstance(index, dict) else None
    if not isinstance(regions, list) or not regions or not all(isinstance(entry, dict) for entry in regions):
        raise SourceChanged(f"{host_of(base_url)}: the region index of savings plans names no regions")
    paths = {str(entry.get("regionCode")): entry.get("versionUrl") for entry in regions}
    if len(paths) < len(regions):  # which of two versions is in force, nobody could tell
        raise SourceChanged(f"{host_of(base_url)}: the region index of savings plans names a region twice")
    return paths


SOURCE = AwsSavingsPlans()
