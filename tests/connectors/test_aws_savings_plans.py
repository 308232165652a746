"""AWS Savings Plans, streamed from a real server: which lines are landed, and what makes a file unreadable."""

import json
from pathlib import Path
from typing import Any

import pytest

from connectors.aws_savings_plans import SOURCE, SavingsPlansFetch
from connectors.client import Client
from connectors.errors import SourceChanged, SourceIncomplete, SourceUnavailable
from tests.connectors.scripted_server import Reply, ScriptedServer

FIXTURES = Path(__file__).parents[1] / "fixtures" / "aws_savings_plans"
VERSION = "20250911184447"
PLANS = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan"
INDEX = f"{PLANS}/current/region_index.json"
FILE = f"{PLANS}/{VERSION}/us-east-1/index.csv"
KNOWN = ("p4d.24xlarge", "p5.48xlarge")


@pytest.fixture
def feed(server: ScriptedServer) -> ScriptedServer:
    """The server with the region index and us-east-1's file."""
    server.script[INDEX] = [Reply((FIXTURES / "region_index.json").read_bytes())]
    server.script[FILE] = [Reply((FIXTURES / "index.csv").read_bytes())]
    return server


def begin(server: ScriptedServer, client: Client, **arguments: Any) -> SavingsPlansFetch:
    """A fetch of us-east-1."""
    return SOURCE.fetch(client, server.url, "us-east-1", known_types=KNOWN, **arguments)


def test_the_scopes_are_the_public_locations(feed: ScriptedServer, client: Client) -> None:
    """The index is a list, and GovCloud is another partition's."""
    assert SOURCE.scopes(client, feed.url, "aws") == ("eu-west-1", "us-east-1", "us-west-2-den-1")


def test_a_fetch_names_its_version_before_it_reads(feed: ScriptedServer, client: Client) -> None:
    """Fourteen digits are the time of publication; the file is that version's, not the current one's."""
    fetch = begin(feed, client)

    assert (fetch.version, f"{fetch.published_at:%Y-%m-%dT%H:%M:%S%z}") == (VERSION, "2025-09-11T18:44:47+0000")
    assert fetch.address == feed.url + FILE
    assert not fetch.unchanged


def test_a_known_version_is_not_downloaded(feed: ScriptedServer, client: Client) -> None:
    """Asked is the index alone."""
    fetch = begin(feed, client, known_version=VERSION)

    assert fetch.unchanged
    assert list(fetch) == []
    assert [asked.path for asked in feed.asked] == [INDEX]


def test_rates_of_known_types_on_shared_instances_are_landed(feed: ScriptedServer, client: Client) -> None:
    """Of ten lines: not Dedicated, not the unused reservation, not Fargate, Lambda and m5.large."""
    fetch = begin(feed, client)
    records = list(fetch)

    assert fetch.lines_read == 10
    assert [(record["DiscountedOperation"], record["DiscountedRate"]) for record in records] == [
        ("RunInstances", "20.175498"),
        ("RunInstances:0002", "24.591498"),
        ("RunInstances:0010", "20.305498"),
        ("RunInstances", "23.2"),
        ("RunInstances", "13.5"),
    ]
    assert records[0]["Product Family"] == "EC2InstanceSavingsPlans"
    assert "Operation" not in records[0]  # an empty cell


def test_a_usage_nobody_knows_is_landed(feed: ScriptedServer, client: Client) -> None:
    """It becomes a reject, which somebody sees; left out here, nobody would."""
    text = (FIXTURES / "index.csv").read_text().replace("UnusedBox:p4d", "QuantumUsage:p4d")
    feed.script[FILE] = [Reply(text.encode())]

    assert "QuantumUsage:p4d.24xlarge" in [record["DiscountedUsageType"] for record in begin(feed, client)]


def test_a_region_that_is_named_twice_is_no_guess(feed: ScriptedServer, client: Client) -> None:
    """The index leads to two versions, and the later entry may be the older one: neither is taken."""
    index = json.loads((FIXTURES / "region_index.json").read_text())
    older = {"regionCode": "us-east-1", "versionUrl": f"{PLANS}/20200101000000/us-east-1/index.json"}
    feed.script[INDEX] = [Reply(json.dumps({**index, "regions": [*index["regions"], older]}).encode())]

    with pytest.raises(SourceChanged, match="names a region twice"):
        begin(feed, client)


def test_other_known_types_are_another_rule() -> None:
    """What is landed depends on them, so an unchanged file is read again when a type comes to be known."""
    assert SOURCE.predicate_of(KNOWN) == SOURCE.predicate_of(KNOWN[::-1])
    assert SOURCE.predicate_of(KNOWN) != SOURCE.predicate_of([*KNOWN, "p6-b200.48xlarge"])


def test_a_disclaimer_may_have_commas(feed: ScriptedServer, client: Client) -> None:
    """The lines about the file have no quotes here."""
    text = (FIXTURES / "index.csv").read_text().replace("Disclaimer,This", "Disclaimer,Well, then, this")
    feed.script[FILE] = [Reply(text.encode())]

    assert len(list(begin(feed, client))) == 5


def test_a_cut_file_gives_what_came(feed: ScriptedServer, client: Client) -> None:
    """Its last line is cut off and not believed; the rest is real."""
    whole = (FIXTURES / "index.csv").read_bytes()
    feed.script[FILE] = [Reply(whole, cut_after=len(whole) - 30)]
    records = []
    with pytest.raises(SourceIncomplete, match="cut after 9 lines"):
        for record in begin(feed, client):
            records.append(record)

    assert len(records) == 5


@pytest.mark.parametrize(
    ("index", "error", "said"),
    [
        ({"regions": {"us-east-1": {}}}, SourceChanged, "names no regions"),  # the price list's form
        ({"regions": []}, SourceChanged, "names no regions"),
        ({"regions": [{"regionCode": "eu-west-1"}]}, SourceUnavailable, "has no us-east-1"),
        ({"regions": [{"regionCode": "us-east-1", "versionUrl": "/elsewhere"}]}, SourceChanged, "leads us-east-1 to"),
    ],
)
def test_an_index_in_another_form_is_said(
    feed: ScriptedServer, client: Client, index: object, error: type[Exception], said: str
) -> None:
    """A person must look, unless the location just isn't there now."""
    feed.script[INDEX] = [Reply(json.dumps(index).encode())]
    with pytest.raises(error, match=said):
        begin(feed, client)


def test_a_new_location_without_a_file_fails_alone(feed: ScriptedServer, client: Client) -> None:
    """The index names a new zone minutes before its file exists (vantage-sh/ec2instances.info): that scope fails."""
    feed.script[FILE] = [Reply(b"<Error><Code>AccessDenied</Code></Error>", status=403)] * 20
    with pytest.raises(SourceUnavailable):
        list(begin(feed, client))


def test_a_column_less_is_another_feed(feed: ScriptedServer, client: Client) -> None:
    """Without the discounted type no rate can be told from another."""
    text = (FIXTURES / "index.csv").read_text().replace("DiscountedInstanceType", "InstanceTypeDiscounted")
    feed.script[FILE] = [Reply(text.encode())]
    with pytest.raises(SourceChanged, match="no column DiscountedInstanceType"):
        list(begin(feed, client))
