"""The stand-in asked as EC2 is: by boto3, with made-up credentials, over HTTP."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from connectors.sandbox import Sandbox

Item = dict[str, Any]
# Nothing is retried, so that each call is one request.
CONFIG = Config(retries={"total_max_attempts": 1}, connect_timeout=5, read_timeout=20)


class Account:
    """Clients of one account, by region. Making one takes its time, so they are kept."""

    def __init__(self, sandbox: Sandbox, key: str = "AKIDEXAMPLE") -> None:
        self._sandbox, self._key = sandbox, key
        self._clients: dict[str, Any] = {}

    def ec2(self, region: str = "us-east-1") -> Any:
        """The client of a region."""
        if region not in self._clients:
            self._clients[region] = _session().client(
                "ec2",
                region_name=region,
                endpoint_url=self._sandbox.ec2_url,
                aws_access_key_id=self._key,
                aws_secret_access_key="secret",
                config=CONFIG,
            )
        return self._clients[region]

    def types(self, region: str = "us-east-1", **parameters: Any) -> list[Item]:
        """Every type that DescribeInstanceTypes lists."""
        pages = self.ec2(region).get_paginator("describe_instance_types").paginate(**parameters)
        return [item for page in pages for item in page["InstanceTypes"]]

    def blocks(self, region: str = "us-east-1", **parameters: Any) -> list[Item]:
        """Every offering of a block; without other words for 24 hours of one p5.48xlarge."""
        asked = {"InstanceType": "p5.48xlarge", "CapacityDurationHours": 24} | parameters
        pages = self.ec2(region).get_paginator("describe_capacity_block_offerings").paginate(**asked)
        return [item for page in pages for item in page["CapacityBlockOfferings"]]

    def refused(self, operation: str, region: str = "us-east-1", **parameters: Any) -> tuple[int, str]:
        """Status and code of the error that a call ends in."""
        try:
            found = getattr(self.ec2(region), operation)(**parameters)
        except ClientError as error:
            return error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"]
        raise AssertionError(f"answered: {found}")


def gone_by(block: Mapping[str, Any]) -> timedelta:
    """How long a block lasts, by its own fields."""
    return timedelta(hours=block["CapacityBlockDurationHours"], minutes=block.get("CapacityBlockDurationMinutes", 0))


def hourly(block: Mapping[str, Any]) -> Decimal:
    """The fee of an hour of one instance."""
    minutes = int(gone_by(block) / timedelta(minutes=1))
    return Decimal(block["UpfrontFee"]) * 60 / (minutes * int(block["InstanceCount"]))


def starts(blocks: list[Item]) -> Iterator[datetime]:
    """When they begin."""
    return (block["StartDate"] for block in blocks)


@lru_cache(maxsize=1)
def _session() -> Any:
    """One for all, since it reads EC2's large model."""
    return boto3.session.Session()
