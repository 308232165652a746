"""The price lists of the other partitions: China's under a root of its own and in yuan, GovCloud's among the others."""

import csv
import json
from collections.abc import Iterator
from datetime import date

import pytest

from connectors.sandbox import DATES, REGIONS, Sandbox, aws, aws_plans
from connectors.sandbox.aws_region import Shape
from tests.connectors.sandbox.test_aws_transport import get

APRIL, JUNE, JULY_2026 = DATES["aws"]
EC2, PLANS = "/offers/v1.0/cn/AmazonEC2", "/savingsPlan/v1.0/cn/AWSComputeSavingsPlan"
RECORDED_ON = "20241106010011"  # 2024-11-06 01:00:11, the last recording of China that there is
PLANS_OF_IT = "20241106004240"  # 17 minutes and 31 seconds before
Line = dict[str, str]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One server for all tests of this module; who sets a switch clears it."""
    with Sandbox() as running:
        yield running


def price_list(region: str, day: date = JULY_2026, shape: Shape | None = None) -> list[Line]:
    """The data lines by column name."""
    return list(csv.DictReader(aws.price_list(day, region, shape or Shape()).decode().split("\n")[5:-1]))


def on_demand(region: str) -> dict[str, list[str]]:
    """Linux prices by type, after the filter of several public programs."""
    wanted = {
        "TermType": "OnDemand",
        "Tenancy": "Shared",
        "Operating System": "Linux",
        "CapacityStatus": "Used",
        "operation": "RunInstances",
        "Pre Installed S/W": "NA",
        "Location Type": "AWS Region",
    }
    found: dict[str, list[str]] = {}
    for line in price_list(region):
        if all(line[name] == text for name, text in wanted.items()):
            found.setdefault(line["Instance Type"], []).append(line["PricePerUnit"])
    return found


# Read by karpenter-provider-aws on 2024-11-06, in CNY an hour.
@pytest.mark.parametrize(
    ("instance_type", "price"),
    [
        ("g5.48xlarge", "154.0379500000"),
        ("g4dn.xlarge", "5.2230000000"),
        ("p3.16xlarge", "288.6270000000"),
        ("p2.xlarge", "10.6120000000"),
        ("inf1.24xlarge", "47.3420000000"),
    ],
)
def test_beijing_has_the_recorded_prices(instance_type: str, price: str) -> None:
    """One line of each type."""
    assert on_demand("cn-north-1")[instance_type] == [price]


def test_every_recorded_type_is_served_and_nothing_else() -> None:
    """28 types were recorded of cn-north-1: 4 of g3, 6 of g4dn, 8 of g5, 4 of inf1, 3 of p2 and 3 of p3."""
    families = [
        name.split(".")[0] for name in on_demand("cn-north-1") if name.split(".")[0] not in ("t3", "i3en", "x1e")
    ]

    assert {family: families.count(family) for family in families} == {
        "g3": 3,
        "g3s": 1,
        "g4dn": 6,
        "g5": 8,
        "inf1": 4,
        "p2": 3,
        "p3": 3,
    }


def test_ningxia_has_a_file_without_a_gpu() -> None:
    """Nobody recorded a GPU price there, and none is made up; other products stand in it."""
    assert {line["Region Code"] for line in price_list("cn-northwest-1")} == {"cn-northwest-1"}
    assert set(on_demand("cn-northwest-1")) == {"t3.micro", "i3en.large", "x1e.xlarge"}
    assert {line["GPU"] for line in price_list("cn-northwest-1") if line["Instance Type"]} <= {"", "0", "NA", "8"}


@pytest.mark.parametrize(
    ("region", "location", "usage"),
    [("cn-north-1", "China (Beijing)", "CNN1-"), ("cn-northwest-1", "China (Ningxia)", "CNW1-")],
)
def test_every_line_is_in_yuan(region: str, location: str, usage: str) -> None:
    """As in a file of cn-northwest-1 of 2023-03-14: CNY, codes of its own, and "0.5312 CNY per ..." in words."""
    found = price_list(region)
    shared = [line for line in found if line["usageType"] == f"{usage}BoxUsage:t3.micro"]

    assert {line["Currency"] for line in found} == {"CNY"}
    assert {(line["Location"], line["Location Type"]) for line in found} >= {(location, "AWS Region")}
    assert not any("$" in line["PriceDescription"] for line in found)
    assert shared[0]["PriceDescription"].startswith("0.0104 CNY per On Demand ")
    assert {line["RateCode"] for line in shared if line["TermType"] == "OnDemand"} == {
        f"{line['SKU']}.5Y9WH78GDR.Q7UJUT2CE6" for line in shared
    }
    assert {line["TermType"] for line in found} <= {"OnDemand", "FlatRate"}  # no reservation was recorded


def test_the_documents_are_those_of_the_other_root(sandbox: Sandbox) -> None:
    """Two regions and a stray in the index, and one version on any day: that of the recording."""
    offers = json.loads(get(sandbox, "/offers/v1.0/cn/index.json")[2])["offers"]["AmazonEC2"]
    index = json.loads(get(sandbox, offers["currentRegionIndexUrl"])[2])
    versions = json.loads(get(sandbox, offers["versionIndexUrl"])[2])

    assert offers["currentRegionIndexUrl"] == f"{EC2}/current/region_index.json"
    assert list(index["regions"]) == ["cn-north-1", "cn-northwest-1", "aws-cn-other"]
    assert index["regions"]["cn-north-1"]["currentVersionUrl"] == f"{EC2}/{RECORDED_ON}/cn-north-1/index.json"
    assert index["publicationDate"] == "2024-11-06T01:00:11Z"
    assert index["disclaimer"].endswith(" included in the pricing pages on http://www.amazonaws.cn.")
    assert list(versions["versions"]) == [RECORDED_ON]
    assert versions["versions"][RECORDED_ON]["versionEffectiveBeginDate"] == "2024-11-01T00:00:00Z"


def test_each_version_can_be_had(sandbox: Sandbox) -> None:
    """By its id and as the current one; not in the other partition's root."""
    pinned = get(sandbox, f"{EC2}/{RECORDED_ON}/cn-north-1/index.csv")

    assert pinned[0] == 200
    assert b'"Version","20241106010011"\n' in pinned[2]
    assert get(sandbox, f"{EC2}/current/cn-north-1/index.csv")[2] == pinned[2]
    assert get(sandbox, "/offers/v1.0/aws/AmazonEC2/current/cn-north-1/index.csv")[0] == 403
    assert (
        "cn-north-1"
        not in json.loads(get(sandbox, "/offers/v1.0/aws/AmazonEC2/current/region_index.json")[2])["regions"]
    )


def test_plans_are_made_up_and_in_yuan(sandbox: Sandbox) -> None:
    """g5.xlarge: 9.51389 x 0.63 = 5.99375, a Compute plan 5.99375 x 1.08 = 6.47325. All twelve are there."""
    index = json.loads(get(sandbox, f"{PLANS}/current/region_index.json")[2])
    assert [entry["versionUrl"] for entry in index["regions"]] == [
        f"{PLANS}/{PLANS_OF_IT}/{region}/index.json" for region in ("cn-north-1", "cn-northwest-1")
    ]

    text = get(sandbox, f"{PLANS}/{PLANS_OF_IT}/cn-north-1/index.csv")[2].decode()
    rows = list(csv.DictReader(text.split("\n")[5:-1]))
    own = [
        row
        for row in rows
        if (row["DiscountedUsageType"], row["DiscountedOperation"]) == ("CNN1-BoxUsage:g5.xlarge", "RunInstances")
    ]
    year = {
        row["Product Family"]: row["DiscountedRate"]
        for row in own
        if (row["LeaseContractLength"], row["PurchaseOption"]) == ("1", "No Upfront")
    }
    assert {row["Currency"] for row in rows} == {"CNY"}
    assert len(own) == 12
    assert year == {"EC2InstanceSavingsPlans": "5.99375", "ComputeSavingsPlans": "6.47325"}


def test_the_recorded_figures_of_china_are_told_to_who_asks(sandbox: Sandbox) -> None:
    """28 of "aws-cn", in CNY and all older than the day; none among those of "aws", where all is in USD."""
    china = json.loads(get(sandbox, "/sandbox/facts?provider=aws-cn")[2])["facts"]
    others = json.loads(get(sandbox, "/sandbox/facts?provider=aws")[2])["facts"]

    assert len(china) == 28
    assert {(row["currency"], row["carried"], row["purchase_option"]) for row in china} == {("CNY", True, "on_demand")}
    assert {row["currency"] for row in others} == {"USD"}
    assert not any(row["region"].startswith("cn-") for row in others)
    assert [figure.fact.region for figure in sandbox.figures("aws-cn")] == ["cn-north-1"] * 28
    assert sandbox.observed_at("aws-cn").isoformat() == "2024-11-06T01:00:11+00:00"


def test_what_goes_wrong_elsewhere_goes_wrong_here(sandbox: Sandbox) -> None:
    """A location gone, one without a file, and one nobody has heard of, which sells what Beijing does."""
    sandbox.faults.omitted_regions.add("cn-northwest-1")
    sandbox.faults.missing_files.add("cn-north-1")
    sandbox.faults.added_regions |= {"cn-east-9", "us-east-9"}
    try:
        for path in (EC2, PLANS):
            index = get(sandbox, f"{path}/current/region_index.json")[2]
            assert [code in index for code in (b"cn-northwest-1", b"cn-north-1", b"cn-east-9", b"us-east-9")] == [
                *(False, True, True, False),
            ]
            codes = ("cn-northwest-1", "cn-north-1", "cn-east-9", "us-east-9")
            assert [get(sandbox, f"{path}/current/{code}/index.csv")[0] for code in codes] == [403, 403, 200, 403]
        added = get(sandbox, f"{EC2}/current/cn-east-9/index.csv")[2]
    finally:
        sandbox.faults.clear()
    assert b'"154.0379500000","CNY"' in added


@pytest.mark.parametrize("region", ["us-gov-west-1", "us-gov-east-1"])
def test_govcloud_stands_among_the_others_in_dollars(sandbox: Sandbox, region: str) -> None:
    """In both indexes of the commercial root; all lines in USD and of its own code."""
    plans = csv.DictReader(aws_plans.plans(JULY_2026, region).decode().split("\n")[5:-1])

    assert region in json.loads(get(sandbox, "/offers/v1.0/aws/AmazonEC2/current/region_index.json")[2])["regions"]
    assert {(line["Currency"], line["Region Code"]) for line in price_list(region)} == {("USD", region)}
    assert {(line["Currency"], line["DiscountedRegionCode"]) for line in plans} == {("USD", region)}


def test_the_sovereign_cloud_is_left_out(sandbox: Sandbox) -> None:
    """No price of eusc-de-east-1 was recorded: it stands nowhere."""
    assert get(sandbox, "/offers/v1.0/aws/AmazonEC2/current/eusc-de-east-1/index.csv")[0] == 403
    assert not any("eusc" in region for regions in REGIONS.values() for region in regions)
