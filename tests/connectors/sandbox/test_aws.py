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
from connectors.sandbox.aws_region import Shape
from connectors.sandbox.aws_unverified import Metal
from connectors.sandbox.facts import DATES, REGIONS
from connectors.sandbox.serving import served

APRIL, JUNE, JULY_2026 = DATES["aws"]
# Each day and each region once or twice; nine files of 4 MB would take longer and say no more.
FILES = [(APRIL, "us-east-1"), (JUNE, "us-west-2"), (JULY_2026, "us-east-1"), (JULY_2026, "eu-west-1")]
Line = dict[str, str]
HOURLY, UPFRONT = "6YS6EN2CT7", "2TG2D8R56U"

# The first lines of AWS's bulk file of 2025-09-12, in the sandbox's version of 2025-04-29. Written out by hand.
HEAD = [
    '"FormatVersion","v1.0"',
    '"Disclaimer","This pricing list is for informational purposes only. All prices are subject to the additional '
    "terms included in the pricing pages on http://aws.amazon.com. All Free Tier prices are also subject to the terms "
    'included at https://aws.amazon.com/free/"',
    '"Publication Date","2025-04-29T04:39:45Z"',
    '"Version","20250429043945"',
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


# Recorded by aws-price-watcher (2025-04-29 and 2025-06-05) and karpenter-provider-aws (2026-07-20).
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
    """p4d us-east-1, 1 year standard: 20.175498 (vantage)."""
    (line,) = offer(APRIL, "us-east-1", "p4d.24xlarge", "4NA7Y494T4")

    assert round(Decimal(line["PricePerUnit"]), 6) == Decimal("20.175498")
    assert (line["Unit"], line["EffectiveDate"]) == ("Hrs", "2025-04-29")


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
    """What a reader must know how to leave out stands in the file of each region."""
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
        "RHEL with HA": of(gpu, Operating_System="Red Hat Enterprise Linux with HA", operation="RunInstances:1010"),
        "SQL on RHEL": of(gpu, Operating_System="RHEL", operation="RunInstances:0210"),
        "Windows of a host": of(gpu, Operating_System="Windows", License_Model="NA", Tenancy="Host"),
        "Dedicated, unused reservation": of(gpu, Tenancy="Dedicated", CapacityStatus="UnusedCapacityReservation"),
        "reserved RHEL": of(gpu, TermType="Reserved", Operating_System="RHEL"),
        "reserved and Dedicated": of(gpu, TermType="Reserved", Tenancy="Dedicated"),
        "a future term": of(gpu, TermType="FlatRate"),
        "Outposts": of(gpu, Location_Type="AWS Outposts"),
        "bare metal": of(gpu, Product_Family="Compute Instance (bare metal)"),
        "no instance type": of(found, Instance_Type=""),
        "GPU NA": of(found, GPU="NA"),
        "GPU 0": of(found, GPU="0"),
        "Inferentia": of(gpu, Instance_Type="inf2.48xlarge", GPU="12"),
    }

    assert [name for name, some in kinds.items() if not some] == []


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
    own = of(lines(APRIL, "us-east-1"), Instance_Type="g4dn.xlarge", License_Model="Bring your own license")
    (line,) = of(own, Tenancy="Shared", CapacityStatus="Used")

    assert line["PricePerUnit"] == "0.5260000000"


def test_the_version_index_lists_what_was_published_so_far() -> None:
    """On 2025-06-05 there are two versions; the one in force has no end, the earlier ends where it begins."""
    index = json.loads(aws.version_index(JUNE))

    assert index["currentVersion"] == "20250605183345"
    assert index["publicationDate"] == "2025-06-05T18:33:45Z"
    assert index["versions"] == {
        "20250429043945": {
            "versionEffectiveBeginDate": "2025-04-01T00:00:00Z",
            "versionEffectiveEndDate": "2025-06-01T00:00:00Z",
            "offerVersionUrl": "/offers/v1.0/aws/AmazonEC2/20250429043945/index.json",
        },
        "20250605183345": {
            "versionEffectiveBeginDate": "2025-06-01T00:00:00Z",
            "versionEffectiveEndDate": "",
            "offerVersionUrl": "/offers/v1.0/aws/AmazonEC2/20250605183345/index.json",
        },
    }


def test_the_region_index_is_an_object_of_relative_paths() -> None:
    """94 locations of all kinds and the stray of another partition, with .json paths from the root of the host."""
    regions = json.loads(aws.region_index(APRIL))["regions"]

    assert len(regions) == 94 + 1
    assert {"us-gov-west-1", "us-west-2-lax-1", "us-east-1-wl1-chi1", "cn-north-1-pkx-1"} <= set(regions)
    assert regions["us-east-1"] == {
        "regionCode": "us-east-1",
        "currentVersionUrl": "/offers/v1.0/aws/AmazonEC2/20250429043945/us-east-1/index.json",
    }


def test_the_offer_index_points_to_the_other_two() -> None:
    """As in the file of 2025-09-12."""
    offer = json.loads(aws.offer_index(APRIL))["offers"]["AmazonEC2"]

    assert offer["versionIndexUrl"] == "/offers/v1.0/aws/AmazonEC2/index.json"
    assert offer["currentRegionIndexUrl"] == "/offers/v1.0/aws/AmazonEC2/current/region_index.json"


WAVELENGTH_USAGE = "USE1WL1CHI1-BoxUsage:g4dn.2xlarge"  # nobody recorded the prefix


# The price list of 2025-09-12 has "US East (New York City)", "AWS GovCloud (US-West)" and the prefixes NYC1- and UGW1-.
@pytest.mark.parametrize(
    ("region", "location", "kind", "usage"),
    [
        ("us-east-1-nyc-1", "US East (New York City)", "AWS Local Zone", "NYC1-BoxUsage:g4dn.2xlarge"),
        (
            "us-east-1-wl1-chi1",
            "US East (Verizon) - Chicago",
            "AWS Wavelength Zone",
            WAVELENGTH_USAGE,
        ),
        ("us-gov-west-1", "AWS GovCloud (US-West)", "AWS Region", "UGW1-BoxUsage:g4dn.2xlarge"),
        ("eu-west-1", "EU (Ireland)", "AWS Region", "EU-BoxUsage:g4dn.2xlarge"),
    ],
)
def test_a_location_is_written_as_in_the_price_list(region: str, location: str, kind: str, usage: str) -> None:
    """Its name, its kind, its own code and its prefix stand on the line of g4dn.2xlarge, on demand."""
    plain = of(lines(APRIL, region), usageType=usage, TermType="OnDemand", operation="RunInstances")
    (line,) = of(plain, Location_Type=kind)

    assert (line["Location"], line["Region Code"]) == (location, region)


def test_a_zone_is_small_and_a_region_bounded() -> None:
    """A zone of one type has some 50 lines; the fullest region, all its offers written twice, stays below 2 MB."""
    assert len(aws.price_list(APRIL, "us-east-1-nyc-1")) < 50_000
    assert len(aws.price_list(JULY_2026, "us-east-1")) < 2_000_000


def recorded_terms(day: date) -> dict[tuple[str, ...], Decimal]:
    """(region, type, system, term code) -> the recorded price, effective to six decimals if it is a reservation."""
    found: dict[tuple[str, ...], Decimal] = {}
    for figure in served("aws", day):
        fact = figure.fact
        code = "JRTCKXETXF"
        if fact.purchase_option == "reserved":
            code = TERM_CODES[fact.term_months, fact.offering_class, fact.payment_option]
        found[fact.region, fact.instance_type, fact.operating_system, code] = fact.price
    return found


# As in real `aws pricing get-products` output, written out by hand.
TERM_CODES = {
    (12, "standard", "no_upfront"): "4NA7Y494T4",
    (12, "standard", "partial_upfront"): "HU7G6KETJZ",
    (12, "standard", "all_upfront"): "6QCMYABX3D",
    (36, "standard", "no_upfront"): "BPH4J8HBKS",
    (36, "standard", "partial_upfront"): "38NPMPTW36",
    (36, "standard", "all_upfront"): "NQ3QZPMQV9",
    (12, "convertible", "no_upfront"): "7NE97W5U4E",
    (12, "convertible", "partial_upfront"): "CUZHX8X6JH",
    (12, "convertible", "all_upfront"): "VJWZNREJX2",
    (36, "convertible", "no_upfront"): "Z2E3P23VKM",
    (36, "convertible", "partial_upfront"): "R5XV2EPZQZ",
    (36, "convertible", "all_upfront"): "MZU6U2429S",
}
WANTED = ("Region Code", "Instance Type", "Operating System", "OfferTermCode", "Tenancy", "License Model", "operation")


def served_terms(day: date) -> dict[tuple[str, ...], Decimal]:
    """The same of the files' lines: shared, or Dedicated for metal, licence included, nothing installed."""
    found: dict[tuple[str, ...], Decimal] = {}
    for region in REGIONS["aws"]:
        rows = csv.reader(aws.price_list(day, region).decode().split("\n")[5:-1])
        header = next(rows)
        place = {name: header.index(name) for name in (*WANTED, "Unit", "PricePerUnit", "LeaseContractLength")}
        place |= {name: header.index(name) for name in ("CapacityStatus", "MarketOption", "GPU", "Location Type")}
        for row in rows:
            _, kind, system, code, tenancy, licence, operation = (row[place[name]] for name in WANTED)
            tenant = ("Dedicated",) if kind == "g5g.metal" else ("Shared",)
            plain = operation == {"Linux": "RunInstances", "Windows": "RunInstances:0002"}.get(system)
            if not plain or tenancy not in tenant or row[place["CapacityStatus"]] != "Used":
                continue
            if licence != "No License required" or row[place["Location Type"]] == "AWS Outposts":
                continue
            hours = 8760 * int((row[place["LeaseContractLength"]] or "1yr")[0])
            price = Decimal(row[place["PricePerUnit"]]) / (hours if row[place["Unit"]] == "Quantity" else 1)
            key = (region, kind, system.lower(), code)
            found[key] = found.get(key, Decimal(0)) + price
    return found


@pytest.mark.parametrize("day", DATES["aws"])
def test_every_recorded_figure_is_served(day: date) -> None:
    """In all 94 locations, each figure comes back from the lines of its offer: hourly plus upfront over the hours."""
    recorded, found = recorded_terms(day), served_terms(day)

    assert len(recorded) > 17_000
    assert {key: round(found[key], 6) for key in recorded} == {key: round(price, 6) for key, price in recorded.items()}


def metal(answer: Metal) -> dict[str, set[str]]:
    """Metal type -> tenancies of its lines for Linux on demand."""
    text = aws.price_list(JUNE, "us-east-1", Shape(metal_tenancy=answer)).decode().split("\n")[5:-1]
    found: dict[str, set[str]] = {}
    used = of(csv.DictReader(text), TermType="OnDemand", operation="RunInstances", CapacityStatus="Used")
    for line in of(used, Location_Type="AWS Region"):
        if line["Product Family"].endswith("(bare metal)") and line["Tenancy"] != "Host":
            found.setdefault(line["Instance Type"], set()).add(line["Tenancy"])
    return found


def test_metal_can_be_shared_dedicated_or_both() -> None:
    """Nobody knows the tenancy of metal's own line: each answer holds for both types."""
    assert metal("both") == {"g4dn.metal": {"Shared", "Dedicated"}, "g5g.metal": {"Shared", "Dedicated"}}
    assert metal("dedicated") == {"g4dn.metal": {"Dedicated"}, "g5g.metal": {"Dedicated"}}
    assert "Shared" in metal("shared")["g4dn.metal"]
    assert "Shared" in metal("shared")["g5g.metal"]


def of_shape(region: str, shape: Shape) -> list[Line]:
    """The data lines of a file of another shape, on 2026-07-20."""
    return list(csv.DictReader(aws.price_list(JULY_2026, region, shape).decode().split("\n")[5:-1]))


@pytest.mark.parametrize(("shape", "copies"), [(Shape(), 1), (Shape(exact_duplicates=True), 2)])
def test_a_product_can_stand_there_twice(shape: Shape, copies: int) -> None:
    """g4dn.metal (7.824): one line, or two that differ in their SKU alone."""
    plain = of(of_shape("us-west-2", shape), Instance_Type="g4dn.metal", TermType="OnDemand", Tenancy="Shared")
    found = of(plain, operation="RunInstances", CapacityStatus="Used", Location_Type="AWS Region")

    assert len({line["SKU"] for line in found}) == copies
    assert {line["PricePerUnit"] for line in found} == {"7.8240000000"}


@pytest.mark.parametrize(("shape", "lines_there"), [(Shape(), False), (Shape(new_types=True), True)])
def test_a_new_type_can_lack_an_on_demand_line(shape: Shape, lines_there: bool) -> None:
    """p6-b300 in us-west-2 and p6e-gb200 in Dallas: capacity blocks, hosts and reservations, all of them at 0."""
    for region, instance_type in (("us-west-2", "p6-b300.48xlarge"), ("us-east-1-dfw-1", "p6e-gb200.36xlarge")):
        found = of(of_shape(region, shape), Instance_Type=instance_type)
        assert bool(found) == lines_there
        assert {line["PricePerUnit"] for line in found if line["Operating System"] == "Linux"} <= {"0.0000000000"}
