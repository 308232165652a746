"""How EC2 refuses, what goes wrong on request, and both answers to what nobody has verified."""

import http.client
import time
import urllib.error
import urllib.request
from typing import Any, Literal
from xml.etree.ElementTree import Element, fromstring

import pytest
from botocore.exceptions import ClientError
from botocore.parsers import ResponseParserError

from connectors.sandbox import Sandbox
from connectors.sandbox.aws_unverified import Pages, Refused
from tests.connectors.sandbox.ec2_asking import Account

BLOCKS = "describe_capacity_block_offerings"
ONE_DAY: dict[str, Any] = {"InstanceType": "p5.48xlarge", "CapacityDurationHours": 24}


def post(sandbox: Sandbox, body: str, path: str = "/", authorization: str = "") -> tuple[int, str, str]:
    """(status, content type, body) of a POST without boto3."""
    headers = {"Authorization": authorization} if authorization else {}
    request = urllib.request.Request(sandbox.ec2_url + path, body.encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, response.headers["Content-Type"], response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers.get("Content-Type", ""), error.read().decode()


def signed(region: str) -> str:
    """What stands in the header of a call signed for a region; nobody checks the signature itself."""
    scope = f"AKIDEXAMPLE/20260720/{region}/ec2/aws4_request"
    return f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host;x-amz-date, Signature=00"


def unknown_names(element: Element, shape: Any) -> list[str]:
    """The elements that boto3's model of the answer doesn't know, and so would drop without a word."""
    if shape.type_name == "list":
        wanted = shape.member.serialization.get("name", "item")
        return [name for child in element for name in _unknown(child, {wanted: shape.member})]
    if shape.type_name == "structure":
        members = {member.serialization.get("name", name): member for name, member in shape.members.items()}
        return [name for child in element for name in _unknown(child, members)]
    return [child.tag for child in element]


def _unknown(child: Element, known: dict[str, Any]) -> list[str]:
    name = child.tag.rpartition("}")[2]
    return unknown_names(child, known[name]) if name in known else [name]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("DescribeRegions", "&AllRegions=true"),
        ("DescribeInstanceTypes", ""),
        ("DescribeCapacityBlockOfferings", "&InstanceType=p5.48xlarge&CapacityDurationHours=24&MaxResults=9"),
    ],
)
def test_boto3_knows_every_element(account: Account, ec2_sandbox: Sandbox, action: str, words: str) -> None:
    """Each name in the XML is one of the service model's, but for the request's id."""
    ec2_sandbox.aws_unverified.block_segments = True
    shape = account.ec2().meta.service_model.operation_model(action).output_shape
    status, kind, body = post(ec2_sandbox, f"Action={action}&Version=2016-11-15{words}", "/", signed("us-east-2"))

    assert (status, kind) == (200, "text/xml;charset=UTF-8")
    assert unknown_names(fromstring(body.encode()), shape) == ["requestId"]


def test_an_error_is_xml_as_ec2_writes_it(ec2_sandbox: Sandbox) -> None:
    """Response, Errors, Error with Code and Message, RequestID; asked without boto3, which insists on the duration."""
    status, kind, body = post(
        ec2_sandbox, "Action=DescribeCapacityBlockOfferings&Version=2016-11-15", "/", signed("us-east-1")
    )

    assert (status, kind) == (400, "text/xml;charset=UTF-8")
    assert "<Response><Errors><Error><Code>MissingParameter</Code>" in body
    assert "<Message>The request must contain the parameter CapacityDurationHours</Message>" in body
    assert body.endswith("</RequestID></Response>")


def test_a_call_without_a_type_is_refused(account: Account) -> None:
    """A duration alone is not enough."""
    assert account.refused(BLOCKS, CapacityDurationHours=24) == (400, "MissingParameter")


@pytest.mark.parametrize("region", ["us-east-9", "us-gov-west-1", ""])
def test_a_signature_for_no_region_of_ours_fails(ec2_sandbox: Sandbox, region: str) -> None:
    """A region that isn't there, one of another partition, and no signature at all: 401 AuthFailure."""
    status, _, body = post(ec2_sandbox, "Action=DescribeRegions", "/", signed(region) if region else "")

    assert (status, "<Code>AuthFailure</Code>" in body) == (401, True)


def test_what_is_no_action_or_a_dry_run_is_refused(account: Account, ec2_sandbox: Sandbox) -> None:
    """Spot prices aren't served; a dry run that may be done says so with 412; a POST elsewhere is no call."""
    assert account.refused("describe_spot_price_history") == (400, "InvalidAction")
    assert account.refused("describe_regions", DryRun=True) == (412, "DryRunOperation")
    assert post(ec2_sandbox, "Action=DescribeRegions", "/offers/v1.0/aws/index.json")[0] == 405


def test_too_many_requests_are_told_so(account: Account, ec2_sandbox: Sandbox) -> None:
    """503 RequestLimitExceeded twice, then the answer."""
    ec2_sandbox.faults.refuse_next(2, "RequestLimitExceeded")

    assert [account.refused(BLOCKS, **ONE_DAY) for _ in range(2)] == [(503, "RequestLimitExceeded")] * 2
    assert account.blocks()
    assert len(ec2_sandbox.requests) == 3


def test_one_action_or_region_can_be_refused(account: Account, ec2_sandbox: Sandbox) -> None:
    """Offerings aren't permitted and us-west-2's signature isn't right, until clear(); all else is well."""
    ec2_sandbox.faults.refuse_next(None, "UnauthorizedOperation", only="Action=DescribeCapacityBlockOfferings")
    ec2_sandbox.faults.refuse_next(None, "AuthFailure", only="region=us-west-2")

    assert account.refused(BLOCKS, **ONE_DAY) == (403, "UnauthorizedOperation")
    assert account.refused("describe_instance_types", "us-west-2") == (401, "AuthFailure")
    assert account.types()
    ec2_sandbox.faults.clear()
    assert account.blocks("us-west-2")


@pytest.mark.parametrize(
    ("code", "status"), [("OptInRequired", 403), ("AuthFailure", 401), ("UnauthorizedOperation", 403)]
)
def test_a_region_that_is_off_is_refused(account: Account, ec2_sandbox: Sandbox, code: Refused, status: int) -> None:
    """Spain, which must be opted in to; nobody knows with which error."""
    ec2_sandbox.aws_unverified.region_not_enabled = code

    assert account.refused("describe_instance_types", "eu-south-2") == (status, code)


# p5.48xlarge is on sale in us-west-1, but not in blocks; m5.large has no GPU.
@pytest.mark.parametrize(("region", "name"), [("us-west-1", "p5.48xlarge"), ("us-east-1", "m5.large")])
def test_a_type_without_blocks_has_none_or_is_refused(
    account: Account, ec2_sandbox: Sandbox, region: str, name: str
) -> None:
    """An empty list or 400 Unsupported; a type that doesn't exist is invalid either way."""
    asked: dict[str, Any] = {"InstanceType": name, "CapacityDurationHours": 24}

    assert account.blocks(region, **asked) == []
    ec2_sandbox.aws_unverified.type_without_blocks = "Unsupported"
    assert account.refused(BLOCKS, region, **asked) == (400, "Unsupported")
    assert account.refused(BLOCKS, region, **{**asked, "InstanceType": "p9.48xlarge"}) == (400, "InvalidParameterValue")


@pytest.mark.parametrize("pages", ["full", "short", "empty"])
@pytest.mark.parametrize("last", ["absent", "empty"])
def test_pages_may_be_short_or_empty(
    account: Account, ec2_sandbox: Sandbox, pages: Pages, last: Literal["absent", "empty"]
) -> None:
    """A token tells that there is more, not the number of items: 10, or 5, or none on each other page; all come."""
    whole = account.blocks()
    ec2_sandbox.aws_unverified.ec2_pages, ec2_sandbox.aws_unverified.ec2_last_token = pages, last
    first = account.ec2().describe_capacity_block_offerings(**ONE_DAY, MaxResults=10)
    everything = account.ec2().describe_capacity_block_offerings(**ONE_DAY, MaxResults=1000)

    assert len(first["CapacityBlockOfferings"]) == {"full": 10, "short": 5, "empty": 0}[pages]
    assert first["NextToken"]
    assert account.blocks(PaginationConfig={"PageSize": 10}) == whole
    if pages != "empty":
        assert everything.get("NextToken", "absent") == ("absent" if last == "absent" else "")


def test_a_plain_block_may_have_a_segment(account: Account, ec2_sandbox: Sandbox) -> None:
    """It repeats the block, and tells the id of its zone, which all accounts share."""
    ec2_sandbox.aws_unverified.block_segments = True
    here, there = account.blocks()[0], Account(ec2_sandbox, "AKIDOFANOTHER").blocks()[0]
    segment = here["CapacityBlockOfferingSegments"][0]

    assert {name: value for name, value in segment.items() if name != "AvailabilityZoneId"} == {
        name: here[name] for name in segment if name != "AvailabilityZoneId"
    }
    assert segment["AvailabilityZoneId"].startswith("use1-az")
    assert segment["AvailabilityZoneId"] == there["CapacityBlockOfferingSegments"][0]["AvailabilityZoneId"]
    assert segment["AvailabilityZone"] != there["AvailabilityZone"]


def test_an_offerings_id_may_be_new_each_time(account: Account, ec2_sandbox: Sandbox) -> None:
    """The same offerings under ids that have nothing in common, or under the same."""
    once, again = ({block["CapacityBlockOfferingId"] for block in account.blocks()} for _ in range(2))
    assert once == again
    ec2_sandbox.aws_unverified.fresh_offering_ids = True

    new = {block["CapacityBlockOfferingId"] for block in account.blocks()}
    assert len(new) == len(once) and not new & once
    assert not new & {block["CapacityBlockOfferingId"] for block in account.blocks()}


def test_a_fee_may_be_in_whole_dollars(account: Account, ec2_sandbox: Sandbox) -> None:
    """The figure of the cent one, rounded."""
    cents = [float(block["UpfrontFee"]) for block in account.blocks()]
    ec2_sandbox.aws_unverified.fee_in_whole_dollars = True
    dollars = [block["UpfrontFee"] for block in account.blocks()]

    assert all(fee.isdigit() for fee in dollars)
    assert all(abs(int(dollar) - cent) <= 0.5 for dollar, cent in zip(dollars, cents, strict=True))


def test_a_connection_is_cut(account: Account, ec2_sandbox: Sandbox) -> None:
    """After 1000 bytes of an answer, twice. boto3 doesn't miss what was announced, and finds the XML broken."""
    ec2_sandbox.faults.cut_next(1000, count=2, only="POST /")

    with pytest.raises(http.client.IncompleteRead) as cut:
        post(ec2_sandbox, "Action=DescribeRegions", "/", signed("us-east-1"))
    with pytest.raises(ResponseParserError):
        account.blocks()
    assert len(cut.value.partial) == 1000
    assert account.blocks()


def test_an_answer_can_be_short_without_a_sign(account: Account, ec2_sandbox: Sandbox) -> None:
    """1000 bytes as if they were all: only the XML can tell."""
    ec2_sandbox.faults.truncate_next(1000, only="Action=DescribeInstanceTypes")

    with pytest.raises(ResponseParserError):
        account.types()
    assert account.types()


def test_an_answer_can_stall_and_go_on(account: Account, ec2_sandbox: Sandbox) -> None:
    """A fifth of a second of silence, and then the rest."""
    whole = account.blocks()
    ec2_sandbox.faults.stall_next(0.2, after_bytes=100, only="region=us-east-1")
    begun = time.monotonic()

    assert account.blocks() == whole
    assert time.monotonic() - begun >= 0.2


def test_a_page_for_people_has_no_list(account: Account, ec2_sandbox: Sandbox) -> None:
    """HTML with status 200 is XML enough for boto3: what comes has not even an empty list of offerings."""
    ec2_sandbox.faults.html_next(only="POST /")

    found = account.ec2().describe_capacity_block_offerings(**ONE_DAY)
    assert "CapacityBlockOfferings" not in found
    assert account.blocks()


def test_a_server_can_fail_without_xml(account: Account, ec2_sandbox: Sandbox) -> None:
    """500 with an empty body, once."""
    ec2_sandbox.faults.fail_next(1, 500, only="POST /")

    with pytest.raises(ClientError):
        account.blocks()
    assert account.blocks()


@pytest.mark.parametrize("places", [set(), {"us-east-1"}])
def test_a_field_can_be_missing_or_new(account: Account, ec2_sandbox: Sandbox, places: set[str]) -> None:
    """The fee is left out and another is added, which boto3 doesn't know and drops; in one region if told so."""
    ec2_sandbox.faults.missing_column, ec2_sandbox.faults.unknown_column = "upfrontFee", "carbon"
    ec2_sandbox.faults.spoiled_regions |= places
    elsewhere = account.blocks("us-west-2")

    assert not any("UpfrontFee" in block or "carbon" in block for block in account.blocks())
    assert all(("UpfrontFee" in block) == bool(places) for block in elsewhere)
    body = "Action=DescribeRegions&AllRegions=true"
    assert "<carbon></carbon>" in post(ec2_sandbox, body, "/", signed("us-east-1"))[2]


def test_a_region_can_be_left_out(account: Account, ec2_sandbox: Sandbox) -> None:
    """It is gone from the list of regions, and a call to it is one to no region."""
    ec2_sandbox.faults.omitted_regions.add("us-west-2")
    regions: list[dict[str, Any]] = account.ec2().describe_regions(AllRegions=True)["Regions"]

    assert "us-west-2" not in {region["RegionName"] for region in regions}
    assert account.refused(BLOCKS, "us-west-2", **ONE_DAY) == (401, "AuthFailure")
