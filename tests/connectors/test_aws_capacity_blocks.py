"""Capacity Blocks, asked of a real server through boto3's own code: what is landed, and what an error means."""

from pathlib import Path

import pytest

from connectors.aws_capacity_blocks import HOURS, SOURCE
from connectors.client import Client
from connectors.contract import Record
from connectors.errors import SourceChanged, SourceError, SourceIncomplete, SourceUnavailable
from tests.connectors.scripted_server import Reply, ScriptedServer

FIXTURES = Path(__file__).parents[1] / "fixtures" / "aws_capacity_blocks"
REGIONS, TYPES, OFFERINGS = (
    f"/?Action=Describe{what}" for what in ("Regions", "InstanceTypes", "CapacityBlockOfferings")
)


def reply(name: str, status: int = 200) -> Reply:
    """An answer of the fixtures."""
    return Reply((FIXTURES / f"{name}.xml").read_bytes(), status, {"Content-Type": "text/xml"})


def refusal(code: str, status: int = 400) -> Reply:
    """An error as EC2 writes it."""
    text = (FIXTURES / "unsupported.xml").read_text().replace("<Code>Unsupported<", f"<Code>{code}<")
    return Reply(text.encode(), status, {"Content-Type": "text/xml"})


@pytest.fixture
def feed(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> ScriptedServer:
    """A region with one size that is offered over a day, and over no longer time."""
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda seconds: None)  # between the SDK's five attempts
    server.script = {
        REGIONS: [reply("describe_regions")],
        TYPES: [reply("describe_instance_types")],
        OFFERINGS: [reply("offerings"), reply("no_offerings")],
    }
    return server


def collect(server: ScriptedServer, client: Client) -> tuple[list[Record], SourceError | None]:
    """What came of us-east-1, and the error that ended it."""
    got: list[Record] = []
    try:
        for record in SOURCE.fetch(client, server.url, "us-east-1"):
            got.append(record)
    except SourceError as error:
        return got, error
    return got, None


def test_the_scopes_are_the_regions_the_account_may_use(feed: ScriptedServer, client: Client) -> None:
    """As DescribeRegions names them, sorted; the call is signed for the home region."""
    assert SOURCE.scopes(client, feed.url, "aws") == ("us-east-1", "us-west-2")
    assert "/us-east-1/ec2/aws4_request" in feed.asked[0].headers["Authorization"]


def test_each_gpu_size_is_asked_for_each_length(feed: ScriptedServer, client: Client) -> None:
    """One instance over 24, 168, 336 and 672 hours; trn1 has no GPU and is not asked for."""
    records, error = collect(feed, client)

    assert error is None
    asked = [each.query for each in feed.asked if each.query["Action"] == "DescribeCapacityBlockOfferings"]
    assert [(q["InstanceType"], q["InstanceCount"], q["CapacityDurationHours"]) for q in asked] == [
        ("p5.48xlarge", "1", str(hours)) for hours in HOURS
    ]
    assert all("/us-east-1/ec2/aws4_request" in each.headers["Authorization"] for each in feed.asked)
    assert records == [
        {
            "CapacityBlockOfferingId": "cb-0a1b2c3d4e5f60001",
            "InstanceType": "p5.48xlarge",
            "AvailabilityZone": "us-east-1a",
            "InstanceCount": "1",
            "StartDate": "2026-08-03T11:30:00+00:00",
            "EndDate": "2026-08-04T11:30:00+00:00",
            "CapacityBlockDurationHours": "24",
            "UpfrontFee": "755.136000",
            "CurrencyCode": "USD",
            "Tenancy": "default",
        },
        {
            "CapacityBlockOfferingId": "cb-0a1b2c3d4e5f60002",
            "InstanceType": "p5.48xlarge",
            "AvailabilityZone": "us-east-1c",
            "InstanceCount": "1",
            "StartDate": "2026-08-02T12:00:00+00:00",
            "EndDate": "2026-08-03T11:30:00+00:00",
            "CapacityBlockDurationHours": "23",
            "CapacityBlockDurationMinutes": "30",
            "UpfrontFee": "740",
            "CurrencyCode": "USD",
            "Tenancy": "default",
        },
    ]


def test_a_size_that_is_refused_is_a_record_and_stops_no_other(feed: ScriptedServer, client: Client) -> None:
    """Which code EC2 has for it, nobody has verified: it is kept with its words."""
    feed.script[OFFERINGS] = [refusal("Unsupported"), reply("offerings"), reply("no_offerings")]
    records, error = collect(feed, client)

    assert error is None
    assert records[0] == {
        "InstanceType": "p5.48xlarge",
        "CapacityDurationHours": "24",
        "ErrorCode": "Unsupported",
        "ErrorMessage": "The requested configuration is currently not supported.",
    }
    assert len(records) == 3


@pytest.mark.parametrize("code", ["UnauthorizedOperation", "AuthFailure", "OptInRequired"])
def test_an_account_that_may_not_is_for_a_person(feed: ScriptedServer, client: Client, code: str) -> None:
    """The message names the call that a permission is missing for."""
    feed.script[OFFERINGS] = [refusal(code, 403)]
    records, error = collect(feed, client)

    assert (records, type(error)) == ([], SourceChanged)
    assert str(error).startswith(f"EC2 DescribeCapacityBlockOfferings us-east-1 p5.48xlarge 24 h: {code}: ")


def test_a_page_that_is_no_answer_is_not_taken_for_none(feed: ScriptedServer, client: Client) -> None:
    """botocore reads a page of a proxy as an answer in which nothing stands."""
    page = Reply(b"<html><body>It works!</body></html>", 200, {"Content-Type": "text/html"})
    feed.script[OFFERINGS] = feed.script[REGIONS] = [page]

    records, error = collect(feed, client)
    assert (records, type(error)) == ([], SourceChanged)
    assert str(error).endswith("24 h: an answer without CapacityBlockOfferings")
    with pytest.raises(SourceChanged, match="EC2 DescribeRegions: an answer without Regions"):
        SOURCE.scopes(client, feed.url, "aws")


def test_what_came_before_a_host_that_fails_is_kept(feed: ScriptedServer, client: Client) -> None:
    """The first length was answered: two offers stand, and nothing is believed to be gone."""
    feed.script[OFFERINGS] = [reply("offerings"), refusal("InternalError", 500)]
    records, error = collect(feed, client)

    assert len(records) == 2
    assert isinstance(error, SourceIncomplete) and "168 h: InternalError" in str(error)


def test_a_host_that_fails_at_once_brings_nothing(feed: ScriptedServer, client: Client) -> None:
    """Try later: neither the list of regions nor an offer came."""
    feed.script[OFFERINGS] = [refusal("RequestLimitExceeded", 503)]
    feed.script[REGIONS] = [refusal("Unavailable", 503)]

    assert type(collect(feed, client)[1]) is SourceUnavailable
    with pytest.raises(SourceUnavailable, match="EC2 DescribeRegions: Unavailable"):
        SOURCE.scopes(client, feed.url, "aws")


def test_without_an_account_it_says_why_it_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key in the environment, no file, no machine's role."""
    assert SOURCE.why_not_asked() == ""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    assert SOURCE.why_not_asked().startswith("no AWS credentials found")
