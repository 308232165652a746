"""The AWS price list of the sandbox: wire format, recorded prices, and everything that stands around them."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from functools import cache

import pytest

from connectors.sandbox import aws
from connectors.sandbox.facts import DATES

APRIL, JUNE, JULY_2026 = DATES["aws"]
# Each day and each region once or twice; nine files of 4 MB would take longer and say no more.
FILES = [(APRIL, "us-east-1"), (JUNE, "us-west-2"), (JULY_2026, "us-east-1"), (JULY_2026, "eu-west-1")]
Line = dict[str, str]
HOURLY, UPFRONT = "6YS6EN2CT7", "2TG2D8R56U"

# The first lines of AWS's bulk file of 2025-09-12, in the sandbox's version of 2025-04-28. Written out by hand.
HEAD = [
    '"FormatVersion","v1.0"',
    '"Disclaimer","This pricing list is for informational purposes only. All prices are subject to the additional '
    "terms included in the pricing pages on http://aws.amazon.com. All Free Tier prices are also subject to the terms "
    'included at https://aws.amazon.com/free/"',
    '"Publication Date","2025-04-28T13:22:31Z"',
    '"Version","20250428132231"',
    '"OfferCode","AmazonEC2"',
]


@cache
def text_lines(day: date, region: str) -> tuple[str, ...]:
    """The file's lines, without the last line's end."""
    text = aws.price_list(day, region).decode()
    assert text.endswith("\n")
    return tuple(text[:-1].split("\n"))


@cache
def lines(day: date, region: str) -> tuple[Line, ...]:
    """The data lines by column name."""
    return tuple(csv.DictReader(text_lines(day, region)[5:]))


def of(found: Iterable[Line], **wanted: str) -> list[Line]:
    """The lines whose columns (blanks as underscores) have these texts."""
    names = {name.replace("_", " "): text for name, text in wanted.items()}
    return [line for line in found if all(line[name] == text for name, text in names.items())]


def list_price(day: date, region: str, instance_type: str, system: str = "Linux") -> list[str]:
    """On-demand prices left by the filter of several public programs: shared, used, licence included, no software."""
    operation = {"Linux": "RunInstances", "Windows": "RunInstances:0002"}[system]
    kept = of(
        lines(day, region),
        Instance_Type=instance_type,
        TermType="OnDemand",
        Tenancy="Shared",
        Operating_System=system,
        License_Model="No License required",
        CapacityStatus="Used",
        MarketOption="OnDemand",
        Location_Type="AWS Region",
        operation=operation,
    )
    return [line["PricePerUnit"] for line in kept if line["Pre Installed S/W"] == "NA"]


def offer(day: date, region: str, instance_type: str, term_code: str, system: str = "Linux") -> list[Line]:
    """The lines of one reserved offer."""
    return of(lines(day, region), Instance_Type=instance_type, OfferTermCode=term_code, Operating_System=system)


def test_the_file_begins_as_the_real_one_does() -> None:
    """Five lines about the file, then a header of 91 quoted names with the real odd letter cases."""
    found = text_lines(APRIL, "us-east-1")
    header = found[5].split(",")

    assert list(found[:5]) == HEAD
    assert len(header) == 91
    assert header[:3] == ['"SKU"', '"OfferTermCode"', '"RateCode"']
    assert {'"serviceCode"', '"usageType"', '"operation"', '"instanceSKU"', '"serviceName"', '"GPU"'} <= set(header)
    assert header[-1] == '"VPCNetworkingSupport"'


def test_cells_are_quoted_and_empty_ones_bare() -> None:
    """As in the real file: nothing between two commas for no value, quotes around every other cell, never `""`."""
    cell = '(?:"[^"]+")?'

    for line in text_lines(APRIL, "eu-west-1")[6:]:
        assert re.fullmatch(f"{cell}(?:,{cell}){{90}}", line)


@pytest.mark.parametrize(("day", "region"), FILES)
def test_every_line_is_whole_and_every_rate_code_unique(day: date, region: str) -> None:
    """91 cells a line; RateCode is SKU.OfferTermCode.suffix and the finest key of the file, which is sorted by SKU."""
    found = lines(day, region)
    rates = [line["RateCode"] for line in found]

    assert all(len(row) == 91 for row in csv.reader(text_lines(day, region)[5:]))
    assert len(rates) == len(set(rates))
    assert all(line["RateCode"].rsplit(".", 1)[0] == f"{line['SKU']}.{line['OfferTermCode']}" for line in found)
    assert [line["SKU"] for line in found] == sorted(line["SKU"] for line in found)
    assert {line["Region Code"] for line in found} == {region}


# Recorded by karpenter-provider-aws (us-east-1), ec2.shop (us-west-2) and aws-price-watcher (2025-06-05).
@pytest.mark.parametrize(
    ("day", "region", "instance_type", "price"),
    [
        (APRIL, "us-east-1", "p5.48xlarge", "98.3200000000"),
        (JUNE, "us-east-1", "p5.48xlarge", "55.0400000000"),
        (JULY_2026, "us-east-1", "p5.48xlarge", "55.0400000000"),
        (APRIL, "us-west-2", "p4d.24xlarge", "32.7726000000"),
        (JUNE, "us-west-2", "p4d.24xlarge", "21.9576400000"),
        (JUNE, "us-east-1", "p4d.24xlarge", "21.9576420000"),
        (JULY_2026, "us-east-1", "g6f.large", "0.2020000000"),
    ],
)
def test_one_linux_list_price_is_left(day: date, region: str, instance_type: str, price: str) -> None:
    """After the usual filter exactly one line remains, with ten decimals."""
    assert list_price(day, region, instance_type) == [price]


def test_windows_has_its_own_price() -> None:
    """g4dn.xlarge in us-east-1, first half of 2025 (vantage): Windows 0.71, Linux 0.526."""
    assert list_price(APRIL, "us-east-1", "g4dn.xlarge", "Windows") == ["0.7100000000"]
    assert list_price(APRIL, "us-east-1", "g4dn.xlarge") == ["0.5260000000"]


def test_descriptions_and_dates_read_as_the_real_ones() -> None:
    """ "$32.7726 per On Demand Linux p4d.24xlarge Instance Hour" (file of 2024-05-28), from the first of the month."""
    (line,) = of(lines(APRIL, "us-east-1"), RateCode="H7NGEAC6UEHNTKSJ.JRTCKXETXF.6YS6EN2CT7")

    assert line["PriceDescription"] == "$32.7726 per On Demand Linux p4d.24xlarge Instance Hour"
    assert (line["EffectiveDate"], line["StartingRange"], line["EndingRange"]) == ("2025-04-01", "0", "Inf")
    assert (line["GPU"], line["GPU Memory"], line["vCPU"], line["Memory"]) == ("8", "NA", "96", "1152 GiB")
    assert line["Location"] == "US East (N. Virginia)"
    assert line["usageType"] == "BoxUsage:p4d.24xlarge"


def test_all_upfront_has_an_hourly_line_of_zero() -> None:
    """p4d us-east-1 in April 2025, 1 year standard: 18.830479 an hour x 8760 = 164954.996, so 164955 dollars."""
    hourly, upfront = offer(APRIL, "us-east-1", "p4d.24xlarge", "6QCMYABX3D")

    assert (hourly["Unit"], hourly["PricePerUnit"]) == ("Hrs", "0.0000000000")
    assert hourly["PriceDescription"].startswith("USD 0.0 per Linux/UNIX (Amazon VPC), p4d.24xlarge")
    assert (upfront["Unit"], upfront["PricePerUnit"], upfront["PriceDescription"]) == (
        "Quantity",
        "164955",
        "Upfront Fee",
    )
    assert (upfront["StartingRange"], upfront["EndingRange"]) == ("", "")
    assert (upfront["LeaseContractLength"], upfront["PurchaseOption"], upfront["OfferingClass"]) == (
        "1yr",
        "All Upfront",
        "standard",
    )
    assert [line["RateCode"].split(".")[2] for line in (hourly, upfront)] == [HOURLY, UPFRONT]
    assert round(Decimal(164955) / 8760, 6) == Decimal("18.830479")


def test_no_upfront_has_no_quantity_line() -> None:
    """p4d us-east-1, 1 year standard: 20.175498 (vantage), in ec2.shop's ten decimals."""
    (line,) = offer(APRIL, "us-east-1", "p4d.24xlarge", "4NA7Y494T4")

    assert round(Decimal(line["PricePerUnit"]), 6) == Decimal("20.175498")
    assert (line["Unit"], line["EffectiveDate"]) == ("Hrs", "2025-04-28")


@pytest.mark.parametrize(
    ("instance_type", "term_code", "hours", "effective", "system"),
    [
        ("p4d.24xlarge", "HU7G6KETJZ", 8760, "19.2148", "Linux"),
        ("p4d.24xlarge", "38NPMPTW36", 26280, "11.573124", "Linux"),
        ("p5.48xlarge", "CUZHX8X6JH", 8760, "73.739977", "Linux"),
        ("g4dn.xlarge", "R5XV2EPZQZ", 26280, "0.252256", "Linux"),
        ("g4dn.xlarge", "HU7G6KETJZ", 8760, "0.499772", "Windows"),
    ],
)
def test_partial_upfront_gives_the_recorded_price_back(
    instance_type: str, term_code: str, hours: int, effective: str, system: str
) -> None:
    """Hourly + quantity / hours is the effective price vantage shows, and about half of it is upfront."""
    hourly, upfront = offer(APRIL, "us-east-1", instance_type, term_code, system)
    a, b = Decimal(hourly["PricePerUnit"]), Decimal(upfront["PricePerUnit"]) / hours

    assert round(a + b, 6) == Decimal(effective)
    assert Decimal("0.49") < b / (a + b) < Decimal("0.51")
    assert "." not in upfront["PricePerUnit"]


def test_p5_has_no_one_year_standard_reservation() -> None:
    """It was not offered; the convertible one and three years were. None was recorded after June's cut."""
    april = {
        line["OfferTermCode"]
        for line in of(lines(APRIL, "us-east-1"), Instance_Type="p5.48xlarge", TermType="Reserved")
    }

    assert not april & {"4NA7Y494T4", "HU7G6KETJZ", "6QCMYABX3D"}
    assert len(april) == 9
    assert not of(lines(JUNE, "us-east-1"), Instance_Type="p5.48xlarge", TermType="Reserved")
    assert of(lines(JUNE, "us-east-1"), Instance_Type="g5.xlarge", TermType="Reserved")


@pytest.mark.parametrize(("day", "region"), FILES)
def test_every_kind_of_line_is_there(day: date, region: str) -> None:
    """What a reader must know how to leave out stands in each file, and lines without a GPU are the majority."""
    found = lines(day, region)
    gpu = [line for line in found if line["GPU"] not in ("", "NA", "0")]
    kinds = {
        "Windows": of(gpu, Operating_System="Windows", operation="RunInstances:0002"),
        "Windows BYOL": of(gpu, License_Model="Bring your own license", operation="RunInstances:0800"),
        "RHEL": of(gpu, Operating_System="RHEL", operation="RunInstances:0010"),
        "SUSE": of(gpu, Operating_System="SUSE", operation="RunInstances:000g"),
        "Ubuntu Pro": of(gpu, Operating_System="Ubuntu Pro", operation="RunInstances:0g00"),
        "SQL": [line for line in gpu if line["Pre Installed S/W"] == "SQL Std"],
        "Dedicated": of(gpu, Tenancy="Dedicated"),
        "Host": of(gpu, Tenancy="Host", PricePerUnit="0.0000000000"),
        "unused reservation": of(gpu, CapacityStatus="UnusedCapacityReservation"),
        "used reservation": of(gpu, CapacityStatus="AllocatedCapacityReservation", PricePerUnit="0.0000000000"),
        "capacity block": of(
            gpu, MarketOption="CapacityBlock", operation="RunInstances:CB", PricePerUnit="0.0000000000"
        ),
        "capacity block, Ubuntu Pro": of(gpu, MarketOption="CapacityBlock", operation="RunInstances:0g00:CB"),
        "Outposts": of(gpu, Location_Type="AWS Outposts"),
        "bare metal": of(gpu, Product_Family="Compute Instance (bare metal)"),
        "no instance type": of(found, Instance_Type=""),
        "GPU NA": of(found, GPU="NA"),
        "GPU 0": of(found, GPU="0"),
        "Inferentia": of(gpu, Instance_Type="inf2.48xlarge", GPU="12"),
    }

    assert [name for name, some in kinds.items() if not some] == []
    assert 2 * len(gpu) < len(found)


def test_kinds_that_only_some_regions_have() -> None:
    """Gaudi, Trainium and a slice of a GPU in us-east-1; p5e only as a capacity block, with 0.336 for Ubuntu Pro."""
    found = lines(JULY_2026, "us-east-1")
    slices = {line["GPU"] for line in found if line["Instance Type"].startswith(("g6f.", "gr6f."))}
    p5e = Counter((line["operation"], line["PricePerUnit"]) for line in of(found, Instance_Type="p5e.48xlarge"))

    assert of(found, Instance_Type="dl1.24xlarge", GPU="8")
    assert of(found, Instance_Type="trn1.32xlarge", GPU="16")
    assert of(found, Instance_Type="f1.16xlarge", GPU="")
    assert slices == {"0.125", "0.25", "0.5"}
    assert p5e == {("RunInstances:CB", "0.0000000000"): 1, ("RunInstances:0g00:CB", "0.3360000000"): 1}


def test_metal_is_sold_shared_or_dedicated() -> None:
    """g4dn.metal (7.824) in both tenancies, g5g.metal (2.744) only Dedicated: the Shared price counts if there."""

    def tenancies(instance_type: str) -> dict[str, str]:
        plain = of(lines(JUNE, "us-east-1"), Instance_Type=instance_type, TermType="OnDemand", operation="RunInstances")
        return {
            line["Tenancy"]: line["PricePerUnit"]
            for line in of(plain, CapacityStatus="Used")
            if "Host" not in line["Tenancy"]
        }

    assert tenancies("g4dn.metal")["Shared"] == "7.8240000000"
    assert tenancies("g5g.metal") == {"Dedicated": "2.7440000000"}


def test_a_windows_own_licence_costs_the_linux_price() -> None:
    """So a reader that takes it for Windows is wrong by the licence: 0.526 against 0.71."""
    (line,) = of(lines(APRIL, "us-east-1"), Instance_Type="g4dn.xlarge", License_Model="Bring your own license")

    assert line["PricePerUnit"] == "0.5260000000"


def test_the_version_index_lists_what_was_published_so_far() -> None:
    """On 2025-06-05 there are two versions; the one in force has no end, the earlier ends where it begins."""
    index = json.loads(aws.version_index(JUNE))

    assert index["currentVersion"] == "20250605082822"
    assert index["publicationDate"] == "2025-06-05T08:28:22Z"
    assert index["versions"] == {
        "20250428132231": {
            "versionEffectiveBeginDate": "2025-04-01T00:00:00Z",
            "versionEffectiveEndDate": "2025-06-01T00:00:00Z",
            "offerVersionUrl": "/offers/v1.0/aws/AmazonEC2/20250428132231/index.json",
        },
        "20250605082822": {
            "versionEffectiveBeginDate": "2025-06-01T00:00:00Z",
            "versionEffectiveEndDate": "",
            "offerVersionUrl": "/offers/v1.0/aws/AmazonEC2/20250605082822/index.json",
        },
    }


def test_the_region_index_is_an_object_of_relative_paths() -> None:
    """Three regions and the stray of another partition, with .json paths from the root of the host."""
    regions = json.loads(aws.region_index(APRIL))["regions"]

    assert set(regions) == {"us-east-1", "us-west-2", "eu-west-1", "cn-north-1-pkx-1"}
    assert regions["us-east-1"] == {
        "regionCode": "us-east-1",
        "currentVersionUrl": "/offers/v1.0/aws/AmazonEC2/20250428132231/us-east-1/index.json",
    }


def test_the_offer_index_points_to_the_other_two() -> None:
    """As in the file of 2025-09-12."""
    offer = json.loads(aws.offer_index(APRIL))["offers"]["AmazonEC2"]

    assert offer["versionIndexUrl"] == "/offers/v1.0/aws/AmazonEC2/index.json"
    assert offer["currentRegionIndexUrl"] == "/offers/v1.0/aws/AmazonEC2/current/region_index.json"
