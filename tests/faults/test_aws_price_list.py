"""What went wrong for others with AWS's price list, each tried on the whole way from landed line to published price."""

import json
from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pytest

from connectors.aws_price_list import SOURCE
from connectors.client import Client
from connectors.errors import SourceUnavailable
from tests.connectors.scripted_server import Reply, ScriptedServer
from tests.faults.records import DAY, Fetch, line, outcomes, prices_of, published, reserved
from tests.warehouse.price_rows import table

BLOCK = {"MarketOption": "CapacityBlock", "operation": "RunInstances:CB"}
LINES = [
    line("p4d.24xlarge", "32.7726"),
    line("p4d.24xlarge", "0.0000000000", **BLOCK),
    line("p5e.48xlarge", "0.0000000000", **BLOCK),
    # as a user met it in us-east-2: nothing but the market option and the operation tells
    line(
        "p5e.48xlarge",
        "0.336",
        MarketOption="CapacityBlock",
        operation="RunInstances:0g00:CB",
        Operating_System="Ubuntu Pro",
    ),
    line("p5.48xlarge", "98.32"),
    line(
        "p5.48xlarge",
        "98.32",
        License_Model="Bring your own license",
        Operating_System="Windows",
        operation="RunInstances:0800",
    ),
    line("g4dn.xlarge", "0.526"),
    line("g4dn.xlarge", "0.26", Location_Type="AWS Outposts"),
    line("g5.xlarge", "1.006"),
    line("g5.xlarge", "1.486", Pre_Installed_SW="SQL Std", operation="RunInstances:0004")
    | {"Pre Installed S/W": "SQL Std"},
    line("inf2.24xlarge", "6.49063", GPU="6"),
    line("g6f.large", "0.202", GPU="0.125"),
    line("p5en.48xlarge", ""),
    reserved("Hrs", "0.0684", "Partial Upfront"),
    reserved("Quantity", "596", "Partial Upfront"),
    reserved("Hrs", "0", "All Upfront", "convertible"),
    reserved("Quantity", "164955", "All Upfront", "convertible"),
]


@pytest.fixture(scope="module")
def file() -> Iterator[duckdb.DuckDBPyConnection]:
    """One file of us-east-1 with every trap in it."""
    with published(Fetch("us-east-1", LINES)) as connection:
        yield connection


def on_demand(connection: duckdb.DuckDBPyConnection, instance_type: str) -> list[Decimal]:
    """Its prices on demand."""
    return [row["hourly_price"] for row in prices_of(connection, instance_type, purchase_option="on_demand")]


def test_a_capacity_block_is_no_price_of_zero(file: duckdb.DuckDBPyConnection) -> None:
    """dstackai/gpuhunt#36: eight A100 for nothing. aws-samples/aws-eda-slurm-cluster#201: several prices of a type."""
    assert on_demand(file, "p4d.24xlarge") == [Decimal("32.7726")]


def test_a_surcharge_of_a_capacity_block_is_no_price(file: duckdb.DuckDBPyConnection) -> None:
    """skypilot-org/skypilot#4657: 0.336 for eight H200. The type is known, and not sold on demand."""
    assert on_demand(file, "p5e.48xlarge") == []
    (size,) = table(file, "from instance_types where instance_type = 'p5e.48xlarge'")
    assert (size["gpu_model"], size["purchase_options"]) == ("H200-141GB", [])
    assert outcomes(file, "us-east-1")["exclusions"]["capacity block"] == 3


def test_a_line_of_outposts_is_no_price_of_the_region(file: duckdb.DuckDBPyConnection) -> None:
    """vantage-sh/ec2instances.info#644: rows of Outposts overwrote the region's price."""
    assert on_demand(file, "g4dn.xlarge") == [Decimal("0.526")]
    assert outcomes(file, "us-east-1")["exclusions"]["Outposts"] == 1


def test_an_own_license_is_no_windows_price(file: duckdb.DuckDBPyConnection) -> None:
    """vantage-sh/ec2instances.info#856: it costs what Linux costs, and Windows isn't in it."""
    assert prices_of(file, "p5.48xlarge", operating_system="windows") == []


def test_software_in_the_price_is_another_product(file: duckdb.DuckDBPyConnection) -> None:
    """vantage-sh/ec2instances.info#259: its column left out of the key, on demand was below reserved."""
    assert on_demand(file, "g5.xlarge") == [Decimal("1.006")]


def test_an_inference_chip_is_no_gpu(file: duckdb.DuckDBPyConnection) -> None:
    """dstackai/gpuhunt#169: the price list's GPU column counts six of them."""
    assert prices_of(file, "inf2.24xlarge") == []
    assert outcomes(file, "us-east-1")["exclusions"]["not a GPU"] == 1


def test_an_eighth_of_a_gpu_is_read(file: duckdb.DuckDBPyConnection) -> None:
    """dstackai/gpuhunt@731c951: int('0.125') broke or dropped it. 0.202 x 8 = 1.616 for a whole L4."""
    (row,) = prices_of(file, "g6f.large")
    assert (row["gpu_count"], row["price_per_gpu_hour"]) == (0.125, Decimal("1.616"))


def test_a_price_that_is_missing_leaves_the_type_known(file: duckdb.DuckDBPyConnection) -> None:
    """skypilot-org/skypilot#8451: an empty cell made the type "not exist". It stays, unpriced; the line is a reject."""
    (size,) = table(file, "from instance_types where instance_type = 'p5en.48xlarge'")
    assert (size["gpu_model"], size["regions_on_sale"]) == ("H200-141GB", 0)
    assert [row["reason"] for row in table(file, "from rejected_rows")] == ["unreadable PricePerUnit"]


def test_both_lines_of_a_reserved_offer_make_its_price(file: duckdb.DuckDBPyConnection) -> None:
    """vantage-sh/ec2instances.info#909: the upfront line left out. 0.0684 + 596 / 8760 = 0.0684 + 0.0680365297."""
    (row,) = prices_of(file, "p4d.24xlarge", payment_option="partial_upfront")
    assert row["effective_hourly_price"] == Decimal("0.1364365297")
    assert (row["hourly_price"], row["upfront_price"]) == (Decimal("0.0684"), 596)


def test_every_term_of_the_file_is_taken(file: duckdb.DuckDBPyConnection) -> None:
    """lyft/awspricing#26: one year, all upfront, convertible was refused. 164955 / 8760 = 18.8304794521."""
    (row,) = prices_of(file, "p4d.24xlarge", offering_class="convertible")
    assert (row["payment_option"], row["term_months"]) == ("all_upfront", 12)
    assert row["effective_hourly_price"] == Decimal("18.8304794521")


def test_no_row_stands_without_a_price(file: duckdb.DuckDBPyConnection) -> None:
    """vantage-sh/ec2instances.info#908: a row with an empty price. What has none is absent."""
    assert table(file, "from prices where effective_hourly_price is null or hourly_price is null") == []


def test_the_order_of_lines_decides_nothing() -> None:
    """aws-samples/aws-eda-slurm-cluster#201: the first of several won."""
    with published(Fetch("us-east-1", LINES)) as one, published(Fetch("us-east-1", LINES[::-1])) as other:
        assert table(one, "from prices") == table(other, "from prices")


def test_a_local_zone_has_its_own_price() -> None:
    """vantage-sh/ec2instances.info#573: Los Angeles overwrote Oregon. 0.526 in us-west-2, 0.631 in us-west-2-lax-1."""
    oregon = line("g4dn.xlarge", "0.526", Region_Code="us-west-2", Location="US West (Oregon)")
    place = {"Region_Code": "us-west-2-lax-1", "Location": "US West (Los Angeles)", "Location_Type": "AWS Local Zone"}
    zone = line("g4dn.xlarge", "0.631", **place)
    with published(
        Fetch("us-west-2", [oregon, zone]), Fetch("us-west-2-lax-1", [zone]), tables=("prices", "regions")
    ) as file:
        found = {row["region_id"]: row["hourly_price"] for row in prices_of(file, "g4dn.xlarge")}
        (place_row,) = table(file, "from regions where region_id = 'us-west-2-lax-1'")
    assert found == {"us-west-2": Decimal("0.526"), "us-west-2-lax-1": Decimal("0.631")}
    assert (place_row["kind"], place_row["parent_region_id"]) == ("local_zone", "us-west-2")


def test_the_name_of_a_place_is_never_what_it_is_joined_by() -> None:
    """boto/botocore#2078: "EU (Ireland)" here and "Europe (Ireland)" there: all prices of Europe vanished."""
    lines = [
        line("g4dn.xlarge", "0.587", Region_Code="eu-west-1", Location=name)
        for name in ("EU (Ireland)", "Europe (Ireland)")
    ]
    with published(Fetch("eu-west-1", lines)) as file:
        (row,) = prices_of(file, "g4dn.xlarge")
    assert (row["region_id"], row["hourly_price"]) == ("eu-west-1", Decimal("0.587"))


def test_the_money_of_china_is_read_from_the_line() -> None:
    """aws/karpenter-provider-aws#5694: only cn-north-1 was taken for CNY. No price of it meets a price in dollars."""
    china = line("g4dn.xlarge", "3.711", Region_Code="cn-northwest-1", Currency="CNY", Location="China (Ningxia)")
    here = line("g4dn.xlarge", "0.526")
    with published(Fetch("cn-northwest-1", [china]), Fetch("us-east-1", [here])) as file:
        (row,) = prices_of(file, "g4dn.xlarge", region_id="cn-northwest-1")
        spread = table(
            file, "select distinct partition, currency, cheapest_price, regions from gpu_regional_spread order by 1"
        )
    assert (row["currency"], row["partition"]) == ("CNY", "aws-cn")
    assert [(row["partition"], row["currency"], row["cheapest_price"]) for row in spread] == [
        ("aws", "USD", Decimal("0.526")),
        ("aws-cn", "CNY", Decimal("3.711")),
    ]
    assert {row["regions"] for row in spread} == {1}


def test_govcloud_is_read_from_the_public_file() -> None:
    """aws/karpenter-provider-aws#8288: endless errors, as its accounts have no pricing endpoint. Another partition."""
    with published(Fetch("us-gov-west-1", [line("p4d.24xlarge", "39.33", Region_Code="us-gov-west-1")])) as file:
        (row,) = prices_of(file, "p4d.24xlarge")
    assert (row["partition"], row["currency"], row["hourly_price"]) == ("aws-us-gov", "USD", Decimal("39.33"))


def test_a_stray_of_another_partition_in_the_index_is_left_out(server: ScriptedServer, client: Client) -> None:
    """vantage-sh/ec2instances.info@dda1374c: the public index names cn-north-1-pkx-1."""
    path = "/offers/v1.0/aws/AmazonEC2/20250404224122/{}/index.json"
    regions = {
        code: {"regionCode": code, "currentVersionUrl": path.format(code)} for code in ("us-east-1", "cn-north-1-pkx-1")
    }
    server.script["/offers/v1.0/aws/AmazonEC2/current/region_index.json"] = [Reply(_json({"regions": regions}))]

    assert SOURCE.scopes(client, server.url, "aws") == ("us-east-1",)


@pytest.mark.parametrize("status", [403, 404])
def test_a_location_whose_file_is_not_there_yet_fails_alone(
    server: ScriptedServer, client: Client, status: int
) -> None:
    """vantage-sh/ec2instances.info@03659ef9: one 404 ended the whole scrape. Some tries, then that scope fails."""
    path = "/offers/v1.0/aws/AmazonEC2/20250404224122/{}/index.json"
    regions = {code: {"regionCode": code, "currentVersionUrl": path.format(code)} for code in ("us-east-1-new-1",)}
    server.script["/offers/v1.0/aws/AmazonEC2/current/region_index.json"] = [Reply(_json({"regions": regions}))] * 2
    server.script[path.format("us-east-1-new-1").replace("json", "csv")] = [Reply(b"<Error/>", status=status)] * 20

    with pytest.raises(SourceUnavailable):
        list(SOURCE.fetch(client, server.url, "us-east-1-new-1"))
    assert len(server.asked) <= 8


def test_a_dark_region_takes_no_other_with_it() -> None:
    """dstackai/gpuhunt@1c14ee5: me-south-1 timed out and nothing was loaded. The others are; of which not, is said."""
    dark = Fetch("me-south-1", [], status="failed")
    with published(Fetch("us-east-1", [line()]), dark, tables=("prices", "sources")) as file:
        assert len(prices_of(file, "p4d.24xlarge")) == 1
        (row,) = table(file, "from sources where scope = 'me-south-1'")
    assert (row["last_attempt_status"], row["last_complete_at"]) == ("failed", None)
    assert row["last_attempt_at"] == DAY.replace(tzinfo=None)


def _json(content: object) -> bytes:
    return json.dumps(content).encode()
