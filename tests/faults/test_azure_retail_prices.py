"""What went wrong for others with Azure's retail prices, each tried from the item to the published price."""

import json
from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pytest

from connectors.azure_retail_prices import SOURCE
from connectors.client import Client
from connectors.errors import SourceChanged, SourceUnavailable
from tests.connectors.scripted_server import Reply, ScriptedServer
from tests.faults.records import DAY, Fetch, Row, item, outcomes, prices_of, published
from tests.warehouse.one_record import H100 as H100_ITEM
from tests.warehouse.price_rows import table

PATH = "/api/retail/prices"
A100, NCC, H100 = "Standard_NC24ads_A100_v4", "Standard_NCC40ads_H100_v5", "Standard_ND96isr_H100_v5"
SERIES = "Virtual Machines NCADSA100v4 Series"
ITEMS = [
    # NC24ads_A100_v4 costs 3.673; around it stands what costs something else
    item(A100, "3.673", productName=SERIES),
    item(A100, "0", productName=SERIES, meterName="pre"),
    item(A100, "4.411", productName=f"{SERIES} CloudServices"),
    item(A100, "4.412", productName="NCADSA100v4 Cloud Services"),
    item(A100, "4.777", productName=f"{SERIES} Windows"),
    item(A100, "0.67877", productName=SERIES, meterName="NC24ads A100 v4 Spot", skuName="NC24ads A100 v4 Spot"),
    item(A100, "0.735", productName=SERIES, meterName="NC24ads A100 v4 Low Priority"),
    item(A100, "3.673", productName=f"{SERIES} Windows", meterName="dev", type="DevTestConsumption"),
    item(A100, "7.5", productName=SERIES, meterName="NC24ads A100 v4 Expired"),
    # confidential H100 in eastus2 figures: Linux 6.98, spot 1.745; its Windows product ends in Win
    item(NCC, "6.98", productName="Virtual Machines NCCadsv5 Srs"),
    item(NCC, "8.82", productName="Virtual Machines NCCadsv5 Srs Win"),
    item(NCC, "1.745", productName="Virtual Machines NCCadsv5 Srs", meterName="NCC Spot", skuName="NCC Spot"),
    # ND96isr: totals of a term under "1 Hour"; each number type that was met for the tier; a row that came twice
    item(H100, "98.32", tierMinimumUnits=0),
    item(H100, "98.32", tierMinimumUnits="0"),
    item(H100, "551221.0", type="Reservation", reservationTerm="1 Year"),
    item(H100, "1134310.0", type="Reservation", reservationTerm="3 Years"),
    # written otherwise, without a name, unpriced
    item("Standard_NV6ads_A10_v5", "0.454", armRegionName="EastUS"),
    item("Standard_NV12ads_A10_v5", "0.908", productName=None),
    item("Standard_NC80adis_H100_v5", "0"),
    item("Standard_NC6_Promo", "0.396", productName="Virtual Machines NC Promo Series"),
]


@pytest.fixture(scope="module")
def region() -> Iterator[duckdb.DuckDBPyConnection]:
    """One walk over eastus with every trap in it."""
    with published(Fetch("eastus/USD", ITEMS)) as connection:
        yield connection


def price(
    connection: duckdb.DuckDBPyConnection, size: str, option: str = "on_demand", system: str = "linux"
) -> list[Decimal]:
    """What a size costs, bought some way."""
    rows = prices_of(connection, size, purchase_option=option, operating_system=system)
    return [row["effective_hourly_price"] for row in rows]


def test_a_reservation_is_a_total(region: duckdb.DuckDBPyConnection) -> None:
    """ahmadabdalla/azure-cost-calculator#239: read as a price of an hour. 551221 / 8760 and 1134310 / 26280."""
    assert price(region, H100, "reserved") == [Decimal("62.9247716895"), Decimal("43.1624809741")]


def test_of_all_rows_of_a_size_one_is_its_price(region: duckdb.DuckDBPyConnection) -> None:
    """az-scout's lowest was 0 or Cloud Services'; flexera/policy_templates#1334 mixed spot in. It is 3.673."""
    assert price(region, A100) == [Decimal("3.673")]
    assert price(region, A100, "spot") == [Decimal("0.67877")]
    assert price(region, A100, system="windows") == [Decimal("4.777")]


def test_a_developers_price_is_nobody_elses(region: duckdb.DuckDBPyConnection) -> None:
    """flexera/policy_templates#1334: it equals the price without a licence and passed for it."""
    assert outcomes(region, "eastus/USD")["exclusions"]["DevTest"] == 1


def test_win_is_windows(region: duckdb.DuckDBPyConnection) -> None:
    """skypilot's fetch_azure.py notes it: "NCCadsv5 Srs Win" doesn't end in Windows, and 8.82 passed for Linux."""
    assert price(region, NCC) == [Decimal("6.98")]
    assert price(region, NCC, system="windows") == [Decimal("8.82")]


def test_both_spellings_of_cloud_services_are_out(region: duckdb.DuckDBPyConnection) -> None:
    """mattrobinsonsre/terrapod#932: they stand under the same service and size at another rate."""
    assert outcomes(region, "eastus/USD")["exclusions"]["Cloud Services"] == 2


def test_nothing_costs_nothing(region: duckdb.DuckDBPyConnection) -> None:
    """dstackai/gpuhunt@405a152: placeholders of 0. skypilot-org/skypilot#3615: H100 at 0 where no price was known."""
    assert table(region, "from prices where effective_hourly_price <= 0") == []
    zero = table(region, "from rejected_rows where reason = 'price is zero' order by instance_type")
    assert [row["instance_type"] for row in zero] == [A100, "Standard_NC80adis_H100_v5"]


def test_a_size_without_a_price_is_listed_without_one(region: duckdb.DuckDBPyConnection) -> None:
    """infracost/infracost#1626: unknown was printed as 0.00. It stands among the sizes, sold nowhere."""
    assert price(region, "Standard_NC80adis_H100_v5") == []
    rows = table(
        region, "from instance_types where instance_type in ('Standard_NC80adis_H100_v5', 'Standard_ND40rs_v2')"
    )
    assert [(row["regions_on_sale"], row["purchase_options"]) for row in rows] == [(0, []), (0, [])]


def test_a_promotional_name_is_no_size_of_its_own(region: duckdb.DuckDBPyConnection) -> None:
    """infracost/infracost#759: NV6_Promo without products. It is listed as priced under no name."""
    (row,) = table(region, "from instance_types where instance_type = 'Standard_NC6_Promo'")
    assert (row["priced_as"], row["regions_on_sale"]) == (None, 0)


def test_a_number_may_be_written_in_any_way(region: duckdb.DuckDBPyConnection) -> None:
    """infracost/infracost@0bdaf3c: tierMinimumUnits became "0", then 0, then 0.0. And one row twice is one price."""
    assert price(region, H100) == [Decimal("98.32")]
    assert outcomes(region, "eastus/USD")["duplicates"] == 1


def test_case_of_a_region_means_nothing(region: duckdb.DuckDBPyConnection) -> None:
    """skypilot's fetch_azure.py: the SKU list writes WestUS3, the price list westus3, and a join lost the rows."""
    (row,) = prices_of(region, "Standard_NV6ads_A10_v5")
    assert (row["region_id"], row["hourly_price"]) == ("eastus", Decimal("0.454"))


def test_a_row_without_a_product_name_is_named_and_left(region: duckdb.DuckDBPyConnection) -> None:
    """skypilot-org/skypilot#1768, #2548: regions without the field broke the run."""
    assert price(region, "Standard_NV12ads_A10_v5") == []
    assert outcomes(region, "eastus/USD")["exclusions"]["no productName"] == 1


def test_an_expired_meter_is_no_price(region: duckdb.DuckDBPyConnection) -> None:
    """ddps-lab/spotlake leaves out meters whose name says so; they are in the list at old prices."""
    assert outcomes(region, "eastus/USD")["exclusions"]["Expired"] == 1


def test_a_price_in_another_currency_is_that_scopes() -> None:
    """ahmadabdalla/azure-cost-calculator#400: 1771.8082 AUD for a year are 0.202261 an hour, and no US dollars."""
    total = item(H100, "1771.8082", type="Reservation", reservationTerm="1 Year", currencyCode="AUD")
    with published(Fetch("australiaeast/AUD", [total | {"armRegionName": "australiaeast"}])) as connection:
        (row,) = table(connection, "from warehouse.main.price_intervals")
        assert (row["currency"], round(row["effective_hourly_price"], 6)) == ("AUD", Decimal("0.202261"))
        assert table(connection, "from prices") == []


def test_half_a_region_that_vanishes_for_days_is_not_believed() -> None:
    """Azure/azure-rest-api-specs#13858: D4s and E4s were gone for ten days. The prices stay, held and said."""
    sizes = [f"Standard_NC{number}ds_xl_RTXPRO6000BSE_v6" for number in range(100, 150)]
    every = [item(size, "5") for size in sizes]
    days = [Fetch("uksouth/USD", _in("uksouth", every if day == 0 else every[:20]), hours=24 * day) for day in range(3)]
    with published(*days, tables=("prices", "sources")) as connection:
        assert len(table(connection, "from prices")) == 50
        (row,) = table(connection, "from sources")
        assert (row["held"], row["held_reason"]) == (True, "lacks 30 of 50 open offers")


def test_what_spot_cost_is_kept_when_the_feed_forgets_it() -> None:
    """rsabile/az-scout-bdd-ingestion replaced the history with each run: day 91 lost day 1. Points are added."""
    spot = {"meterName": "ND96isr H100 v5 Spot", "skuName": "ND96isr H100 v5 Spot"}
    days = [Fetch("eastus/USD", [item(H100, price, **spot)], hours=24 * day) for day, price in ((0, "20"), (91, "25"))]
    with published(*days) as connection:
        rows = table(connection, "from price_history order by valid_from")
    assert [row["hourly_price"] for row in rows] == [20, 25]


def test_statistics_are_of_today_and_of_one_offer() -> None:
    """rsabile/az-scout-bdd-ingestion: percentiles over every snapshot, Windows and Low Priority with them."""
    days = [Fetch("eastus/USD", [item(H100, price)], hours=hours) for hours, price in ((0, "100"), (24, "98.32"))]
    windows = item(H100, "120", productName="Virtual Machines NDsr H100 v5 Series Windows")
    with published(*days, Fetch("eastus/USD", [item(H100, "98.32"), windows], hours=48)) as connection:
        rows = table(connection, "from gpu_regional_spread order by operating_system")
    assert [(row["operating_system"], row["median_price"], row["regions"]) for row in rows] == [
        ("linux", Decimal("12.29"), 1),
        ("windows", Decimal("15"), 1),
    ]


def test_a_region_that_is_throttled_keeps_its_own_date() -> None:
    """cloudprice showed the last value under the new date. It is still the price, seen when it was seen."""
    days = [
        Fetch("eastus/USD", [item(H100)]),
        *(Fetch("eastus/USD", [], hours=24 * day, status="failed") for day in (1, 2, 3)),
    ]
    with published(*days) as connection:
        (row,) = prices_of(connection, H100)
    assert row["last_seen_at"] == DAY.replace(tzinfo=None)


def test_the_same_meter_twice_is_one_key() -> None:
    """az-scout-bdd-ingestion: a term that is NULL was never equal to itself, and a row stood twice."""
    with published(*(Fetch("eastus/USD", [item(H100), item(H100)], hours=24 * day) for day in range(2))) as connection:
        assert len(table(connection, "from price_history")) == 1


def page(items: list[Row], following: str | None = None) -> Reply:
    """One page of the list."""
    return Reply(json.dumps({"Items": items, "NextPageLink": following, "Count": len(items)}).encode())


def test_the_pages_are_followed_to_the_last(server: ScriptedServer, client: Client) -> None:
    """openops-cloud/openops#2330: twelve pages, by number. Here there are fifteen."""
    links = [f"{PATH}?$skip={1000 * number}" for number in range(1, 15)]
    server.script[PATH] = [page([H100_ITEM], server.url + links[0])]
    for number, link in enumerate(links):
        server.script[link] = [
            page([H100_ITEM | {"skuId": str(number)}], server.url + links[number + 1] if number < 13 else None)
        ]
    assert len(list(SOURCE.fetch(client, server.url, "eastus/USD"))) == 15


def test_what_is_asked_is_what_the_service_understands(server: ScriptedServer, client: Client) -> None:
    """azure-cost-calculator#894: not(contains(..)) is a 400. Without the preview version there are no savings plans."""
    server.script[PATH] = [page([H100_ITEM])]
    list(SOURCE.fetch(client, server.url, "eastus/USD"))
    (asked,) = server.asked
    assert "not(" not in asked.query["$filter"] and "serviceName eq 'Virtual Machines'" in asked.query["$filter"]
    assert "armRegionName eq 'eastus'" in asked.query["$filter"]  # a walk over all of it has gaps: gpuhunt@3584151
    assert asked.query["api-version"] == "2023-01-01-preview"


def test_an_empty_list_is_an_error(server: ScriptedServer, client: Client) -> None:
    """Values are compared with case: 'virtual machines' finds nothing, and says 200."""
    server.script[PATH] = [page([]), page([])]
    with pytest.raises(SourceChanged, match="no virtual machine at all"):
        list(SOURCE.fetch(client, server.url, "eastus/USD"))


def test_an_error_is_an_error(server: ScriptedServer, client: Client) -> None:
    """opencost: a 429's body was read as prices, since its test of the status could never be true."""
    server.script[PATH] = [Reply(b'{"Items": [], "Count": 0}', status=429)] * 20
    with pytest.raises(SourceUnavailable, match="429"):
        list(SOURCE.fetch(client, server.url, "eastus/USD"))


def test_no_word_of_a_quota_is_no_word(server: ScriptedServer, client: Client, waits: list[float]) -> None:
    """sc-crawler took the absent header for 0 left, slept, and threw a good page away."""
    server.script[PATH] = [page([H100_ITEM])]
    assert len(list(SOURCE.fetch(client, server.url, "eastus/USD"))) == 1
    assert waits == []


def _in(region: str, items: list[Row]) -> list[Row]:
    return [each | {"armRegionName": region} for each in items]
