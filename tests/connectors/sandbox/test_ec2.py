"""EC2's API in the sandbox, asked by boto3: regions, instance types, Capacity Blocks.

Fees are synthetic: 0.6 of the recorded price on demand, five hundredths of that up or down, so between 0.57 and 0.63 of
it, rounded to the cent.
"""

import base64
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest

from connectors.sandbox import REGIONS, Sandbox
from connectors.sandbox.aws_products import place_of
from tests.connectors.sandbox.ec2_asking import Account, gone_by, hourly, starts

CENT = Decimal("0.01")
NOW = datetime(2026, 7, 20, 13, 44, 38, tzinfo=UTC)  # the last recorded instant of AWS
BLOCK_CLASS = [{"Name": "supported-usage-class", "Values": ["capacity-block"]}]
PLAIN_BLOCK = {
    *("CapacityBlockOfferingId", "InstanceType", "AvailabilityZone", "InstanceCount", "StartDate", "EndDate"),
    *("CapacityBlockDurationHours", "UpfrontFee", "CurrencyCode", "Tenancy", "ZoneType"),
}


def test_regions_are_those_the_account_may_ask(account: Account) -> None:
    """17 of the 27 commercial regions with recorded prices need no opt-in; their endpoints are EC2's."""
    regions = account.ec2().describe_regions()["Regions"]

    assert len(regions) == 17
    assert {region["OptInStatus"] for region in regions} == {"opt-in-not-required"}
    assert regions[0] | {"Geography": []} == {
        "RegionName": "ap-northeast-1",
        "Endpoint": "ec2.ap-northeast-1.amazonaws.com",
        "OptInStatus": "opt-in-not-required",
        "Geography": [],
    }
    assert regions[0]["Geography"] == [{"Name": "Japan"}]


def test_all_regions_are_every_commercial_one(account: Account) -> None:
    """Of the price list's locations those that are regions, without GovCloud and China; 10 aren't opted in to."""
    regions = account.ec2().describe_regions(AllRegions=True)["Regions"]
    listed = {code for code in REGIONS["aws"] if place_of(code).location_type == "AWS Region"}

    assert {region["RegionName"] for region in regions} == {
        code for code in listed if not code.startswith(("us-gov-", "cn-"))
    }
    assert sum(region["OptInStatus"] == "not-opted-in" for region in regions) == 10


def test_a_region_can_be_turned_on(account: Account, ec2_sandbox: Sandbox) -> None:
    """Jakarta is refused, and answers once the account has opted in."""
    assert account.refused("describe_regions", "ap-southeast-3") == (403, "OptInRequired")
    ec2_sandbox.ec2_opted_in.add("ap-southeast-3")
    filters = [{"Name": "opt-in-status", "Values": ["opted-in"]}]

    found = account.ec2("ap-southeast-3").describe_regions(Filters=filters)["Regions"]
    assert [(region["RegionName"], region["OptInStatus"]) for region in found] == [("ap-southeast-3", "opted-in")]
    assert account.blocks("ap-southeast-3")


def test_regions_can_be_named(account: Account) -> None:
    """A named one comes whether enabled or not; one that doesn't exist is refused."""
    found = account.ec2().describe_regions(RegionNames=["eu-south-2", "us-east-2"])["Regions"]

    assert [region["RegionName"] for region in found] == ["eu-south-2", "us-east-2"]
    refused = account.refused("describe_regions", RegionNames=["us-east-9"])
    assert refused == (400, "InvalidParameterValue")


# What has a recorded price on demand on the day: p6-b200 and p5.4xlarge not before 2026.
@pytest.mark.parametrize(
    ("day", "region", "names"),
    [
        ("2026-07-20", "us-east-1", "p4d.24 p4de.24 p5.4 p5.48 p5en.48 p6-b200.48 trn1.32"),
        ("2025-04-29", "us-east-1", "p4d.24 p4de.24 p5.48 p5en.48 trn1.32"),
        ("2026-07-20", "us-east-2", "p4d.24 p5.48 p5e.48 p5en.48 trn2.48"),
        ("2026-07-20", "ap-northeast-1", "p5.48 p5en.48"),
        ("2026-07-20", "eu-west-1", ""),
        ("2026-07-20", "us-west-1", ""),
    ],
)
def test_few_regions_sell_blocks(account: Account, ec2_sandbox: Sandbox, day: str, region: str, names: str) -> None:
    """The types of the class, which is told only where they are sold in blocks."""
    ec2_sandbox.set_date("aws", day)
    found = {item["InstanceType"] for item in account.types(region, Filters=BLOCK_CLASS)}

    assert found == {f"{name}xlarge" for name in names.split()}
    classes = {item["InstanceType"]: item["SupportedUsageClasses"] for item in account.types(region)}
    assert {name for name, told in classes.items() if "capacity-block" in told} == found


def test_a_type_is_described_as_recorded(account: Account) -> None:
    """p5.48xlarge, a slice of an L4, which counts as no GPU, and Trainium, which is none: as in moto 5.2.5's dump."""
    found = {item["InstanceType"]: item for item in account.types()}
    p5, slice_, trainium = found["p5.48xlarge"], found["g6f.large"], found["trn1.32xlarge"]

    assert p5["GpuInfo"]["Gpus"][0] == {
        "Name": "H100",
        "Manufacturer": "NVIDIA",
        "Count": 8,
        "LogicalGpuCount": 8,
        "GpuPartitionSize": 1.0,
        "Workloads": ["ml-ai"],
        "MemoryInfo": {"SizeInMiB": 81920},
    }
    assert p5["GpuInfo"]["TotalGpuMemoryInMiB"] == 655360
    assert (p5["VCpuInfo"]["DefaultVCpus"], p5["MemoryInfo"]["SizeInMiB"], p5["CurrentGeneration"]) == (
        *(192, 2097152, True),
    )
    gpu = slice_["GpuInfo"]["Gpus"][0]
    assert (gpu["Name"], gpu["Count"], gpu["LogicalGpuCount"], gpu["GpuPartitionSize"]) == ("L4", 0, 1, 0.125)
    assert gpu["MemoryInfo"]["SizeInMiB"] == 2861
    assert "GpuInfo" not in trainium
    assert trainium["NeuronInfo"]["NeuronDevices"][0]["Count"] == 16


def test_types_come_in_pages(account: Account) -> None:
    """Five at a time they are the same as all at once; named ones and other filters narrow them."""
    whole = [item["InstanceType"] for item in account.types()]
    paged = account.types(PaginationConfig={"PageSize": 5})
    metal = account.types(Filters=[{"Name": "instance-type", "Values": ["g4*.metal", "p5.*"]}])

    assert [item["InstanceType"] for item in paged] == whole
    assert len(whole) == len(set(whole)) > 60
    assert {item["InstanceType"] for item in metal} == {"g4dn.metal", "p5.48xlarge", "p5.4xlarge"}
    assert [item["InstanceType"] for item in account.types(InstanceTypes=["p2.xlarge"])] == ["p2.xlarge"]


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"MaxResults": 101}, "InvalidParameterValue"),
        ({"MaxResults": 5, "InstanceTypes": ["p5.48xlarge"]}, "InvalidParameterCombination"),
        ({"InstanceTypes": ["p9.48xlarge"]}, "InvalidInstanceType"),
        ({"InstanceTypes": ["p5e.48xlarge"]}, "InvalidInstanceType"),  # exists, but not in us-east-1
        ({"Filters": [{"Name": "gpu-count", "Values": ["8"]}]}, "InvalidParameterValue"),
        ({"NextToken": "abc"}, "InvalidNextToken"),
        ({"NextToken": base64.urlsafe_b64encode(b"1.5.1").decode()}, "InvalidNextToken"),
    ],
)
def test_a_wrong_question_about_types_is_refused(account: Account, parameters: dict[str, Any], code: str) -> None:
    """400 with the code."""
    assert account.refused("describe_instance_types", **parameters) == (400, code)


def test_a_block_has_the_fields_of_a_plain_one(account: Account) -> None:
    """All of the service model's but those of UltraServers and segments; the minutes only where they aren't 0."""
    for block in account.blocks():
        minutes = {"CapacityBlockDurationMinutes"} & block.keys()
        assert block.keys() == PLAIN_BLOCK | minutes
        assert bool(minutes) == (block["StartDate"].minute != 30)
        assert block["CapacityBlockOfferingId"].startswith("cb-0")
        assert len(block["CapacityBlockOfferingId"]) == len("cb-0bfad2f7fb1b4478a")
        assert (block["InstanceType"], block["InstanceCount"], block["CurrencyCode"]) == ("p5.48xlarge", 1, "USD")
        assert (block["Tenancy"], block["ZoneType"]) == ("default", "availability-zone")
        assert block["AvailabilityZone"][:-1] == "us-east-1"


def test_blocks_end_at_half_past_eleven(account: Account) -> None:
    """UTC, after the sandbox's instant and within eight weeks; the duration is that between start and end."""
    found = account.blocks()

    assert len(found) > 20
    for block in found:
        assert block["EndDate"].astimezone(UTC).time() == time(11, 30)
        assert NOW < block["StartDate"] <= NOW + timedelta(days=56)
        assert block["EndDate"] - block["StartDate"] == gone_by(block)


def test_a_block_that_could_start_now_is_shorter_or_longer(account: Account) -> None:
    """Half an hour and up to a minute after 13:44:38 is 14:15: to 11:30 are 21:15, and a day more 45:15."""
    spans = {
        (block["CapacityBlockDurationHours"], block["CapacityBlockDurationMinutes"])
        for block in account.blocks()
        if block["StartDate"] == datetime(2026, 7, 20, 14, 15, tzinfo=UTC)
    }
    weeks = {gone_by(block) for block in account.blocks(CapacityDurationHours=336)}

    assert spans == {(21, 15), (45, 15)}
    assert weeks == {timedelta(days=14), timedelta(days=13, hours=21.25), timedelta(days=14, hours=21.25)}


# The recorded price on demand; p5e has none and follows p5's 55.04 x 1.15 = 63.296.
@pytest.mark.parametrize(
    ("day", "region", "name", "on_demand"),
    [
        ("2026-07-20", "us-east-1", "p5.48xlarge", "55.04"),
        ("2025-04-29", "us-east-1", "p5.48xlarge", "98.32"),
        ("2026-07-20", "us-east-1", "p4d.24xlarge", "21.957642"),
        ("2026-07-20", "us-east-1", "p6-b200.48xlarge", "113.9328"),
        ("2026-07-20", "us-east-2", "p5e.48xlarge", "63.296"),
        ("2026-07-20", "eu-west-2", "p5.48xlarge", "71.552"),
    ],
)
def test_a_fee_follows_the_price_of_the_day(
    account: Account, ec2_sandbox: Sandbox, day: str, region: str, name: str, on_demand: str
) -> None:
    """An hour of an instance is between 0.57 and 0.63 of it, and not the same on each day of start."""
    ec2_sandbox.set_date("aws", day)
    found = [hourly(block) for block in account.blocks(region, InstanceType=name)]

    assert min(found) >= Decimal(on_demand) * Decimal("0.57") - CENT
    assert max(found) <= Decimal(on_demand) * Decimal("0.63") + CENT
    assert len(set(found)) > 3


def test_a_fee_is_for_all_instances_and_the_whole_span(account: Account) -> None:
    """Of the blocks that begin on a day in a zone: four instances cost four times one, three days three times one."""
    one, four, three_days = (
        {
            (block["AvailabilityZone"], block["StartDate"]): Decimal(block["UpfrontFee"])
            for block in found
            if block["StartDate"].minute == 30
        }
        for found in (account.blocks(), account.blocks(InstanceCount=4), account.blocks(CapacityDurationHours=72))
    )

    assert four and four.keys() <= one.keys()
    assert all(fee == 4 * one[place] for place, fee in four.items())
    assert three_days and all(fee == 3 * one[place] for place, fee in three_days.items())


def test_the_more_or_longer_the_less_there_is(account: Account) -> None:
    """Fewer offers for 64 instances than for one, and for half a year than for a day."""
    one = len(account.blocks())

    assert len(account.blocks(InstanceCount=64)) < one
    assert 0 < len(account.blocks(CapacityDurationHours=182 * 24)) < one


def test_blocks_can_be_asked_for_between_two_times(account: Account) -> None:
    """From the earliest start to the latest end, as given in any zone of time; what lies outside doesn't come."""
    first, last = datetime(2026, 7, 25, tzinfo=UTC), datetime(2026, 8, 5, 11, 30, tzinfo=UTC)
    found = account.blocks(StartDateRange=first.astimezone(), EndDateRange=last)

    assert found == [block for block in account.blocks() if block["StartDate"] >= first and block["EndDate"] <= last]
    assert 0 < len(found) < len(account.blocks())


def test_blocks_come_in_pages_and_the_same_each_time(account: Account) -> None:
    """Seven at a time they are those of one page; a second server has the same."""
    whole = account.blocks()

    assert account.blocks(PaginationConfig={"PageSize": 7}) == whole
    with Sandbox() as other:
        assert Account(other).blocks() == whole


def test_a_zones_name_is_the_accounts_own(account: Account, ec2_sandbox: Sandbox) -> None:
    """Two accounts see the same starts and fees under different names of zones; which ones, the keys decide."""
    here, there = account.blocks(), Account(ec2_sandbox, "AKIDOFANOTHER").blocks()
    names = {(a["AvailabilityZone"], b["AvailabilityZone"]) for a, b in zip(here, there, strict=True)}

    assert [block["UpfrontFee"] for block in here] == [block["UpfrontFee"] for block in there]
    assert list(starts(here)) == list(starts(there))
    assert len(names) == len({block["AvailabilityZone"] for block in here})
    assert all(ours != theirs for ours, theirs in names)


def test_local_zones_come_when_they_are_asked_for(account: Account) -> None:
    """p5en.48xlarge in Atlanta, where 84.80 is recorded: 48.34 to 53.42 an hour, and a zone of another type."""
    near = account.blocks(InstanceType="p5en.48xlarge")
    found = account.blocks(InstanceType="p5en.48xlarge", AllAvailabilityZones=True)
    atlanta = [block for block in found if block["ZoneType"] == "local-zone"]

    assert [block for block in found if block["ZoneType"] == "availability-zone"] == near
    assert {block["AvailabilityZone"] for block in atlanta} == {"us-east-1-atl-1a"}
    assert all(Decimal("48.33") <= hourly(block) <= Decimal("53.43") for block in atlanta)


def test_several_types_can_be_preferred(account: Account) -> None:
    """Those sold here come one after the other; an UltraServer is known, and none is on offer."""
    preferences = [{"InstanceType": name} for name in ("p4d.24xlarge", "p5.48xlarge")]
    pages = account.ec2().describe_capacity_block_offerings(
        CapacityDurationHours=24, InstanceTypePreferences=preferences
    )
    servers = account.ec2().describe_capacity_block_offerings(
        CapacityDurationHours=24, UltraserverType="u-p6e-gb200x72"
    )

    assert pages["CapacityBlockOfferings"] == [*account.blocks(InstanceType="p4d.24xlarge"), *account.blocks()][:100]
    assert servers["CapacityBlockOfferings"] == []


@pytest.mark.parametrize(
    "words",
    [
        {"CapacityDurationHours": 25},
        {"CapacityDurationHours": 0},
        {"CapacityDurationHours": 15 * 24},  # more than 14 days, and no whole weeks
        {"CapacityDurationHours": 189 * 24},  # 27 weeks
        {"InstanceType": "p9.48xlarge"},
        {"InstanceCount": 65},
        {"InstanceCount": 0},
        {"MaxResults": 1001},
        {"StartDateRange": datetime(2026, 8, 2, tzinfo=UTC), "EndDateRange": datetime(2026, 8, 1, tzinfo=UTC)},
    ],
)
def test_a_wrong_question_about_blocks_is_refused(account: Account, words: dict[str, Any]) -> None:
    """400 and InvalidParameterValue."""
    asked: dict[str, Any] = {"InstanceType": "p5.48xlarge", "CapacityDurationHours": 24} | words

    assert account.refused("describe_capacity_block_offerings", **asked) == (400, "InvalidParameterValue")


@pytest.mark.parametrize("hours", [24, 14 * 24, 21 * 24, 182 * 24])
def test_days_and_weeks_are_durations(account: Account, hours: int) -> None:
    """Up to 14 days any number, up to 182 whole weeks; each is answered."""
    assert hours in {block["CapacityBlockDurationHours"] for block in account.blocks(CapacityDurationHours=hours)}


def test_the_call_is_in_the_list_of_requests(account: Account, ec2_sandbox: Sandbox) -> None:
    """Action and region of its signature first, then what else was asked."""
    account.blocks("us-west-2")

    call = "POST / Action=DescribeCapacityBlockOfferings region=us-west-2"
    assert ec2_sandbox.requests == [f"{call} InstanceType=p5.48xlarge CapacityDurationHours=24"]
