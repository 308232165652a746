"""EC2's API for an account: boto3 clients of a region, and botocore's errors in our words.

docs.aws.amazon.com/AWSEC2/latest/APIReference; the shapes are botocore's own. All that is asked here is read-only. The
SDK signs, pages and retries, and reads the account's credentials where it always does.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from connectors.contract import Record
from connectors.errors import SourceChanged, SourceError, SourceUnavailable

if TYPE_CHECKING:  # at run time boto3 is imported where it is used: it costs every command 0.3 s otherwise
    from botocore.exceptions import ClientError

HOST = "https://ec2.amazonaws.com"  # stands for each region's own, which the SDK knows
HOME_REGION = "us-east-1"
# What another try later may answer otherwise, after the SDK's own five.
PASSING = frozenset(
    {"RequestLimitExceeded", "Throttling", "ThrottlingException", "InternalError", "ServiceUnavailable", "Unavailable"}
)


def client(base_url: str, region: str) -> Any:
    """A client of one region; `base_url` is asked in place of the region's own host if it is not HOST."""
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=10,
        read_timeout=60,
        retries={"mode": "standard", "max_attempts": 5},
        user_agent_extra="gpu-prices",
    )
    endpoint = None if base_url.rstrip("/") == HOST else base_url
    return boto3.client("ec2", region_name=region, endpoint_url=endpoint, config=config)


def why_not_asked() -> str:
    """Why an account's feeds can't be asked from here; '' if they can."""
    import boto3
    from botocore.exceptions import BotoCoreError

    try:
        found = boto3.Session().get_credentials()
    except BotoCoreError as error:
        return f"AWS credentials can't be read: {error}"
    return (
        "" if found is not None else "no AWS credentials found (aws configure, or AWS_ACCESS_KEY_ID in the environment)"
    )


@contextmanager
def in_our_words(what: str) -> Iterator[None]:
    """Turn an error of the SDK into a SourceError; `what` was asked, for messages."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except ClientError as error:
        raise _refusal(what, error) from error
    except BotoCoreError as error:
        raise SourceUnavailable(f"{what}: {' '.join(str(error).split())}") from error


def listed(answer: Mapping[str, Any], name: str, what: str) -> list[Mapping[str, Any]]:
    """The list of that name in an answer. botocore answers without it to what is no answer of EC2's, such as a page.

    Raises:
        SourceChanged: it isn't there; nothing would be a silent "none".
    """
    found = answer.get(name)
    if not isinstance(found, list):
        raise SourceChanged(f"{what}: an answer without {name}")
    return found


def enabled_regions(base_url: str) -> tuple[str, ...]:
    """The regions that the account may use, sorted. Raises SourceError."""
    what = "EC2 DescribeRegions"
    with in_our_words(what):
        answer = client(base_url, HOME_REGION).describe_regions()
    return tuple(sorted(str(region["RegionName"]) for region in listed(answer, "Regions", what)))


def gpu_types(ec2: Any, region: str, usage: str, known_types: Collection[str]) -> list[str]:
    """The types that are sold in a way (`spot`, `capacity-block`) and have a GPU, or are known; sorted.

    Raises:
        SourceError: the call did not succeed.
    """
    what = f"EC2 DescribeInstanceTypes {region}"
    filters = [{"Name": "supported-usage-class", "Values": [usage]}]
    with in_our_words(what):
        return sorted(
            str(described["InstanceType"])
            for page in ec2.get_paginator("describe_instance_types").paginate(Filters=filters)
            for described in listed(page, "InstanceTypes", what)
            if "GpuInfo" in described or described["InstanceType"] in known_types
        )


def as_text(item: Mapping[str, Any]) -> Record:
    """What botocore made of an item as JSON can hold it: times as ISO text, whole numbers as text, else as it is."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else str(value) if isinstance(value, int) else value
        for name, value in item.items()
    }


def code_of(error: "ClientError") -> str:
    """EC2's code of an error: `UnauthorizedOperation`."""
    said: Mapping[str, Any] = error.response.get("Error", {})
    return str(said.get("Code", "unknown"))


def _refusal(what: str, error: "ClientError") -> SourceError:
    said = f"{what}: {code_of(error)}: {error.response.get('Error', {}).get('Message', '')}".rstrip(": ")
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return SourceUnavailable(said) if code_of(error) in PASSING or status >= 500 else SourceChanged(said)
