"""Capacity Blocks for ML: instances that EC2 offers to reserve for some days, from a start to an end, at a fee.

docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeCapacityBlockOfferings.html. Needs an account's credentials
and ec2:DescribeRegions, ec2:DescribeInstanceTypes, ec2:DescribeCapacityBlockOfferings. Offers move with demand and are
asked for one instance, over a day, one, two and four weeks, in Local Zones too: other counts aren't seen.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from connectors.aws_ec2 import (
    HOST,
    PASSING,
    as_text,
    client,
    code_of,
    enabled_regions,
    gpu_types,
    in_our_words,
    listed,
    why_not_asked,
)
from connectors.client import Client
from connectors.contract import Record, Size
from connectors.errors import SourceIncomplete, SourceUnavailable

HOURS = (24, 168, 336, 672)
# Codes that speak of the account or the call as a whole, not of the type that was asked for.
OF_THE_ACCOUNT = frozenset(
    {"UnauthorizedOperation", "AuthFailure", "OptInRequired", "ExpiredToken", "InvalidClientTokenId"}
)


@dataclass(frozen=True)
class AwsCapacityBlocks:
    """The feed. A scope is a region that the account may use."""

    name: str = "aws_capacity_blocks"
    provider: str = "aws"
    hosts: Mapping[str, str] = field(default_factory=lambda: {"aws": HOST})
    everywhere: None = None

    def scope_of(self, record: Record) -> str | None:
        """There is no walk over all places, so none of its records."""
        return None

    def predicate_of(self, known_types: Collection[str]) -> str:
        """The lengths that are asked for, and the types that are asked for whatever EC2 says of their GPUs."""
        return "1-" + hashlib.sha256("\n".join([str(HOURS), *sorted(set(known_types))]).encode()).hexdigest()[:12]

    def why_not_asked(self) -> str:
        """There are no credentials."""
        return why_not_asked()

    def partition_of(self, scope: str) -> str:
        """The public one: no other is asked."""
        return "aws"

    def scopes(self, client: Client, base_url: str, partition: str, known_regions: Sequence[str] = ()) -> Sequence[str]:
        """The regions that the account may use."""
        return enabled_regions(base_url)

    def fetch(
        self,
        client: Client,
        base_url: str,
        scope: str,
        known_version: str | None = None,
        known_types: Collection[str] = (),
    ) -> "CapacityBlocksFetch":
        """Begin to ask; nothing is asked before the fetch is iterated, since the feed has no versions."""
        return CapacityBlocksFetch(base_url, scope, frozenset(known_types))


@dataclass
class CapacityBlocksFetch:
    """The offers of one region. See `connectors.contract.Fetch`."""

    address: str
    scope: str
    known_types: frozenset[str] = field(repr=False)
    lines_read: int = 0
    version: str | None = None
    published_at: datetime | None = None
    unchanged: bool = False

    def size(self, lines_before: int) -> Size:
        """A call for the sizes, which is made, and one for each size and length; more where an answer has pages."""
        return Size(1 + len(HOURS) * len(self._types(client(self.address, self.scope))), None)

    def __iter__(self) -> Iterator[Record]:
        """Each offer of one instance, for each type and length; what EC2 refuses is a record too, with its code."""
        ec2 = client(self.address, self.scope)
        for number, (instance_type, hours) in enumerate((t, h) for t in self._types(ec2) for h in HOURS):
            try:
                for offering in self._offerings(ec2, instance_type, hours):
                    self.lines_read += 1
                    yield offering
            except SourceUnavailable as error:
                if number == 0:
                    raise
                raise SourceIncomplete(f"{error}; what was asked before it is kept") from error

    def _types(self, ec2: Any) -> list[str]:
        """The GPU types that blocks are sold of in the region."""
        return gpu_types(ec2, self.scope, "capacity-block", self.known_types)

    def _offerings(self, ec2: Any, instance_type: str, hours: int) -> Iterator[Record]:
        from botocore.exceptions import ClientError

        what = f"EC2 DescribeCapacityBlockOfferings {self.scope} {instance_type} {hours} h"
        paginator = ec2.get_paginator("describe_capacity_block_offerings")
        with in_our_words(what):
            try:
                for page in paginator.paginate(
                    InstanceType=instance_type, InstanceCount=1, CapacityDurationHours=hours, AllAvailabilityZones=True
                ):
                    yield from map(as_text, listed(page, "CapacityBlockOfferings", what))
            except ClientError as error:
                code = code_of(error)
                if code in OF_THE_ACCOUNT | PASSING or error.response["ResponseMetadata"]["HTTPStatusCode"] >= 500:
                    raise
                asked = {"InstanceType": instance_type, "CapacityDurationHours": str(hours)}
                yield {**asked, "ErrorCode": code, "ErrorMessage": error.response["Error"].get("Message", "")}


SOURCE = AwsCapacityBlocks()
