"""The Savings Plans files of the sandbox: wire format, rates that follow from recorded ones, and what stands around."""

import csv
import http.client
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import cache

import pytest

from connectors.sandbox import Sandbox, aws, aws_plans
from connectors.sandbox.aws_region import Shape
from connectors.sandbox.facts import DATES, REGIONS
from tests.connectors.sandbox.test_aws_transport import get

APRIL, JUNE, JULY_2026 = DATES["aws"]
ROOT = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan"
OF_JULY = "20260720132707"  # 17 minutes and 31 seconds before the price list's 13:44:38
ZONE = f"{ROOT}/{OF_JULY}/us-east-1-nyc-1/index.csv"
EC2_INSTANCE, COMPUTE = "EC2InstanceSavingsPlans", "ComputeSavingsPlans"
Line = dict[str, str]

# The first lines of AWS's file of 2025-09-11, in the sandbox's version of 2025-04-29. Written out by hand.
HEAD = [
    "FormatVersion,v1.0",
    "Disclaimer,This pricing list is for informational purposes only. All prices are subject to the additional terms "
    "included in the pricing pages on http://aws.amazon.com. All Free Tier prices are also subject to the terms "
    "included at https://aws.amazon.com/free/",
    "Publication Date,2025-04-29T04:22:14Z",
    "Version,20250429042214",
    "OfferCode,AmazonComputeSavingsPlan",
    "SKU,RateCode,Unit,EffectiveDate,DiscountedRate,Currency,DiscountedSKU,DiscountedServiceCode,DiscountedUsageType,"
    "DiscountedOperation,PurchaseOption,LeaseContractLength,LeaseContractLengthUnit,ServiceCode,UsageType,Operation,"
    "Description,Instance Family,Location,Location Type,Granularity,Product Family,DiscountedRegionCode,"
    "DiscountedInstanceType",
]


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    """One server for all tests of this module."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(running: Sandbox) -> Iterator[Sandbox]:
    """The server with all switches off, before and after."""
    yield running
    running.faults.clear()
    for name, value in type(running.aws_unverified)().__dict__.items():
        setattr(running.aws_unverified, name, value)


@cache
def text_lines(day: date, region: str) -> tuple[str, ...]:
    """The file's lines, without the last line's end."""
    text = aws_plans.plans(day, region).decode()
    assert text.endswith("\n")
    return tuple(text[:-1].split("\n"))


@cache
def lines(day: date, region: str) -> tuple[Line, ...]:
    """The data lines by column name."""
    return tuple(csv.DictReader(text_lines(day, region)[5:]))


@cache
def price_list(day: date, region: str) -> dict[str, Line]:
    """A line of the EC2 price list by SKU."""
    rows = csv.DictReader(aws.price_list(day, region).decode().split("\n")[5:-1])
    return {row["SKU"]: row for row in rows if row["TermType"] == "OnDemand"}


def rates(
    day: date, region: str, instance_type: str, kind: str = EC2_INSTANCE, operation: str = "RunInstances"
) -> dict[tuple[str, str], str]:
    """(years, payment) -> rate of a type's own box."""
    found = [
        line
        for line in lines(day, region)
        if line["Product Family"] == kind
        and line["DiscountedOperation"] == operation
        and re.fullmatch(rf"([A-Z0-9]+-)?BoxUsage:{re.escape(instance_type)}", line["DiscountedUsageType"])
    ]
    offers = {(line["LeaseContractLength"], line["PurchaseOption"]): line["DiscountedRate"] for line in found}
    assert len(offers) == len(found)
    return offers


def test_the_file_begins_as_the_real_one_does() -> None:
    """Five unquoted lines about the file, then a header of 24 unquoted names."""
    assert list(text_lines(APRIL, "us-east-1")[:6]) == HEAD
    assert len(HEAD[5].split(",")) == 24


@pytest.mark.parametrize(("day", "region"), [(APRIL, "us-east-1"), (JUNE, "eu-west-1"), (JULY_2026, "us-west-2-lax-1")])
def test_every_line_is_whole_and_every_rate_code_unique(day: date, region: str) -> None:
    """24 cells, quoted only around a comma; RateCode is SKU.DiscountedSKU, by which they stand; an SKU is one plan."""
    found = lines(day, region)
    codes = [line["RateCode"] for line in found]

    assert all(len(row) == 24 for row in csv.reader(text_lines(day, region)[5:]))
    assert codes == [f"{line['SKU']}.{line['DiscountedSKU']}" for line in found] == sorted(set(codes))
    assert len({(line["SKU"], line["UsageType"]) for line in found}) == len({line["SKU"] for line in found})
    assert {line["DiscountedRegionCode"] for line in found} == {region}
    assert {(line["Currency"], line["LeaseContractLengthUnit"]) for line in found} == {("USD", "year")}
    assert '"' not in "".join(text_lines(day, region))


def test_a_line_reads_as_the_real_one() -> None:
    """As of r7g in ap-east-2 on 2025-09-11, here for p4d in Oregon; a Compute plan is of no family and of any place."""
    found = {
        line["Product Family"]: line
        for line in lines(APRIL, "us-west-2")
        if line["DiscountedUsageType"] == "USW2-BoxUsage:p4d.24xlarge"
        and line["DiscountedOperation"] == "RunInstances"
        and (line["LeaseContractLength"], line["PurchaseOption"]) == ("3", "Partial Upfront")
    }
    names = ("UsageType", "Description", "Instance Family", "Location", "Location Type", "Granularity")

    assert [found[EC2_INSTANCE][name] for name in names] == [
        "USW2-EC2SP:p4d.3yrPartialUpfront",
        "3 year Partial Upfront p4d EC2 Instance Savings Plan in us-west-2",
        "p4d",
        "US West (Oregon)",
        "AWS Region",
        "hourly",
    ]
    assert [found[COMPUTE][name] for name in names] == [
        "ComputeSP:3yrPartialUpfront",
        "3 year Partial Upfront Compute Savings Plan",
        "",
        "Any",
        "AWS Region",
        "hourly",
    ]


def test_rates_are_those_of_the_recorded_reservation() -> None:
    """p4d in us-east-1 for a year, standard, read by vantage: none 20.175498, partial 19.2148, all 18.830479."""
    found = rates(APRIL, "us-east-1", "p4d.24xlarge")

    assert len(found) == 6
    assert [found["1", payment] for payment in ("No Upfront", "Partial Upfront", "All Upfront")] == [
        "20.175498",
        "19.2148",
        "18.830479",
    ]


def test_windows_has_its_own_rates() -> None:
    """g4dn.12xlarge in Cape Town: vantage read 5.75 of Windows and 3.542 of Linux, a year without upfront payment."""
    linux = rates(APRIL, "af-south-1", "g4dn.12xlarge")
    windows = rates(APRIL, "af-south-1", "g4dn.12xlarge", operation="RunInstances:0002")

    assert (linux["1", "No Upfront"], windows["1", "No Upfront"]) == ("3.542", "5.75")


def test_a_compute_plan_costs_more_by_a_made_up_share() -> None:
    """20.175498 x 1.08 = 21.78953784, to five decimals 21.78954."""
    assert rates(APRIL, "us-east-1", "p4d.24xlarge", COMPUTE)["1", "No Upfront"] == "21.78954"


def test_where_no_reservation_is_there_is_no_plan() -> None:
    """p5 has no standard reservation of a year; after the cut of June 2025 none of p4d's holds; a zone has none."""
    assert {years for years, _ in rates(APRIL, "us-east-1", "p5.48xlarge")} == {"3"}
    assert rates(JUNE, "us-east-1", "p4d.24xlarge") == {}
    assert rates(JUNE, "us-west-2-lax-1", "g4dn.2xlarge") == {}
    assert len(rates(JUNE, "us-east-1", "g5.xlarge")) == 6


@pytest.mark.parametrize("region", ["us-east-1", "eu-west-1", "us-gov-west-1", "us-west-2-lax-1"])
def test_what_is_discounted_is_what_the_price_list_has_under_that_sku(region: str) -> None:
    """Usage type, operation and size are the same there, for each SKU of EC2."""
    known = price_list(JULY_2026, region)
    found = [line for line in lines(JULY_2026, region) if line["DiscountedServiceCode"] == "AmazonEC2"]

    assert found
    for line in found:
        product = known[line["DiscountedSKU"]]
        assert line["DiscountedUsageType"] == product["usageType"]
        assert line["DiscountedInstanceType"] == product["Instance Type"]
        assert line["DiscountedOperation"] == (product["operation"] or "RunInstances")


def test_every_kind_of_line_is_there() -> None:
    """What a reader must leave out: other standings, systems and services, hosts, types without GPU."""
    found = lines(JULY_2026, "us-east-1")
    ec2 = [line for line in found if line["DiscountedServiceCode"] == "AmazonEC2"]

    assert {line["DiscountedUsageType"].split(":")[0] for line in ec2} == {
        *("BoxUsage", "DedicatedUsage", "UnusedBox", "UnusedDed", "Reservation", "HostUsage"),
    }
    assert {line["DiscountedOperation"] for line in ec2} == {
        "RunInstances",
        *(f"RunInstances:{code}" for code in ("0002", "0010", "1010", "000g", "0g00", "0800", "0210")),
        *(f"RunInstances:{code}" for code in ("0004", "0100", "0200", "0006", "0102", "0202")),
    }
    assert {line["DiscountedServiceCode"] for line in found} >= {"AmazonECS", "AmazonEKS", "AWSLambda"}
    assert {"t3.micro", "i3en.large"} <= {line["DiscountedInstanceType"] for line in ec2}
    assert {line["Product Family"] for line in found if line["DiscountedServiceCode"] == "AWSLambda"} == {COMPUTE}


def test_what_is_wanted_has_all_its_plans() -> None:
    """12: two kinds, two terms, three payments. A region is below a megabyte, a zone below 200 kB."""
    boxes = Counter(
        line["DiscountedSKU"]
        for line in lines(APRIL, "us-west-2")
        if line["DiscountedUsageType"] == "USW2-BoxUsage:g5.xlarge"
        and line["DiscountedOperation"] in ("RunInstances", "RunInstances:0002")
    )

    assert list(boxes.values()) == [12, 12]
    assert all(len(aws_plans.plans(APRIL, region)) < 1_000_000 for region in ("us-east-1", "us-west-2"))
    assert len(aws_plans.plans(APRIL, "us-west-2-lax-1")) < 200_000


def test_a_full_file_has_all_plans_of_each_kind_of_line() -> None:
    """Red Hat on g4dn.2xlarge in GovCloud has twelve; in a small file no kind but the wanted ones has."""
    text = aws_plans.plans(APRIL, "us-gov-east-1", Shape(full=True)).decode()
    rows = csv.DictReader(text.split("\n")[5:-1])
    found = [
        row["DiscountedUsageType"]
        for row in rows
        if row["DiscountedInstanceType"] == "g4dn.2xlarge" and row["DiscountedOperation"] == "RunInstances:0010"
    ]

    assert Counter(found)["UGE1-BoxUsage:g4dn.2xlarge"] == 12


def test_the_region_index_is_a_list_of_relative_paths() -> None:
    """Keys in the recorded order; every location of the price list, without its stray."""
    index = json.loads(aws_plans.region_index(JULY_2026))

    assert list(index) == ["disclaimer", "publicationDate", "regions", "formatVersion"]
    assert index["publicationDate"] == "2026-07-20T13:27:07Z"
    assert [entry["regionCode"] for entry in index["regions"]] == list(REGIONS["aws"])
    assert {"regionCode": "eu-west-1", "versionUrl": f"{ROOT}/{OF_JULY}/eu-west-1/index.json"} in index["regions"]


def test_versions_are_other_than_those_of_the_price_list(sandbox: Sandbox) -> None:
    """The price list's id is denied; `current` is the last one; an old one can be had or not."""
    assert get(sandbox, ZONE)[0] == 200
    assert get(sandbox, f"{ROOT}/current/us-east-1-nyc-1/index.csv")[2] == get(sandbox, ZONE)[2]
    assert get(sandbox, f"{ROOT}/20260720134438/us-east-1-nyc-1/index.csv")[0] == 403
    old = f"{ROOT}/20250429042214/us-east-1-nyc-1/index.csv"
    assert b"Version,20250429042214\n" in get(sandbox, old)[2]
    sandbox.aws_unverified.old_versions = False
    assert get(sandbox, old)[0] == 403


def test_the_offer_index_points_here(sandbox: Sandbox) -> None:
    """currentSavingsPlanIndexUrl of AmazonEC2."""
    offers = json.loads(get(sandbox, "/offers/v1.0/aws/index.json")[2])["offers"]
    path = offers["AmazonEC2"]["currentSavingsPlanIndexUrl"]

    assert json.loads(get(sandbox, path)[2])["regions"][0]["versionUrl"].startswith(f"{ROOT}/{OF_JULY}/")


def test_what_goes_wrong_with_the_price_list_goes_wrong_here(sandbox: Sandbox) -> None:
    """A location gone, one without a file, one nobody has heard of, a column gone or new, a cut, a wait."""
    sandbox.faults.omitted_regions.add("eu-west-1")
    sandbox.faults.missing_files.add("us-east-1-nyc-1")
    sandbox.faults.added_regions.add("us-east-9-zzz-1")
    codes = [
        entry["regionCode"] for entry in json.loads(get(sandbox, f"{ROOT}/current/region_index.json")[2])["regions"]
    ]

    assert ("eu-west-1" in codes, "us-east-1-nyc-1" in codes, "us-east-9-zzz-1" in codes) == (False, True, True)
    assert [get(sandbox, ZONE.replace("us-east-1-nyc-1", code))[0] for code in ("eu-west-1", "us-east-1-nyc-1")] == [
        403,
        403,
    ]
    assert b",us-east-9-zzz-1,t3.micro\n" in get(sandbox, ZONE.replace("us-east-1-nyc-1", "us-east-9-zzz-1"))[2]
    sandbox.faults.clear()

    sandbox.faults.missing_column, sandbox.faults.unknown_column = "Currency", "Carbon"
    header = get(sandbox, ZONE)[2].split(b"\n")[5]
    assert (b"Currency" in header, header.endswith(b",DiscountedInstanceType,Carbon")) == (False, True)
    sandbox.faults.clear()

    sandbox.faults.throttle_next(1, only="/savingsPlan/")
    sandbox.faults.cut_next(1000, only="/savingsPlan/")
    assert get(sandbox, ZONE)[0] == 429
    with pytest.raises(http.client.IncompleteRead):
        get(sandbox, ZONE)


def test_no_rate_is_told_as_a_recorded_fact(sandbox: Sandbox) -> None:
    """The figures behind the answers are of what was recorded, and no Savings Plan of AWS was."""
    facts = json.loads(get(sandbox, "/sandbox/facts?provider=aws")[2])["facts"]

    assert {fact["purchase_option"] for fact in facts} == {"on_demand", "reserved"}
