"""Azure China's price sheet as the sandbox serves it: two requests, a CSV file in yuan."""

import csv
import http.client
import json
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from email.message import Message

import pytest

from connectors.sandbox import DATES, Sandbox

PATH = "/api/retail/pricesheet/download"
VERSION = "api-version=2023-06-01-preview"
MARK = b"\xef\xbb\xbf"
COLUMNS = (
    "currencyCode tierMinimumUnits retailPrice unitPrice armRegionName location effectiveStartDate meterId meterName "
    "productId skuId productName skuName serviceName serviceFamily unitOfMeasure type armSkuName term "
    "isPrimaryMeterRegion"
).split(" ")
Row = dict[str, str]


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    """A sandbox. Tests put its switches back."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(running: Sandbox) -> Iterator[Sandbox]:
    """The running sandbox, all switches off before and after, on its last day."""
    yield running
    running.faults.clear()
    running.azure_unverified.clear()
    running.set_date("azure", DATES["azure"][-1])


def get(url: str) -> tuple[int, Message, bytes]:
    """Status, headers and body."""
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def told(sandbox: Sandbox) -> dict[str, str]:
    """What the first request answers."""
    content: dict[str, str] = json.loads(get(f"{sandbox.azure_china_price_sheet_url}{PATH}?{VERSION}")[2])
    return content


def sheet(sandbox: Sandbox) -> bytes:
    """The sheet, from where it is said to lie."""
    return get(told(sandbox)["DownloadUrl"])[2]


def rows(sandbox: Sandbox) -> list[Row]:
    """The lines of the sheet by column."""
    return list(csv.DictReader(sheet(sandbox).decode("utf-8-sig").splitlines()))


def of_size(found: list[Row], region: str, size: str) -> list[Row]:
    """The rows of a size in a region that are a price of it."""
    return [
        row
        for row in found
        if (row["armRegionName"], row["armSkuName"]) == (region, size)
        and row["isPrimaryMeterRegion"] == "true"
        and float(row["retailPrice"]) > 0
        and not row["meterName"].endswith(" Expired")
        and "CloudServices" not in row["productName"]
    ]


def test_the_first_answer_says_where_the_sheet_lies(sandbox: Sandbox) -> None:
    """JSON with the absolute address of a CSV file on the same server, at another path."""
    status, headers, body = get(f"{sandbox.url}{PATH}?{VERSION}")
    answer = get(json.loads(body)["DownloadUrl"])

    assert (status, headers["Content-Type"]) == (200, "application/json; charset=utf-8")
    assert list(json.loads(body)) == ["DownloadUrl"]
    assert json.loads(body)["DownloadUrl"].startswith(f"{sandbox.url}/pricesheets/AzureRetailPrices.csv?")
    assert (answer[0], answer[1]["Content-Type"]) == (200, "text/csv")


@pytest.mark.parametrize("query", ["", "api-version=2023-01-01-preview"])
def test_another_version_is_a_bad_request(sandbox: Sandbox, query: str) -> None:
    """400 with a JSON body."""
    status, _, body = get(f"{sandbox.url}{PATH}?{query}")

    assert (status, json.loads(body)["error"]["code"]) == (400, "BadRequest")


def test_the_file_is_the_documented_csv(sandbox: Sandbox) -> None:
    """A byte order mark, lines that end in CR LF, the documented columns, quotes only where needed, yuan."""
    body = sheet(sandbox)
    found = rows(sandbox)

    assert body.startswith(MARK + b"currencyCode,tierMinimumUnits,")
    assert body.count(b"\n") == body.count(b"\r\n") == len(found) + 1
    assert list(found[0]) == COLUMNS
    assert {row["currencyCode"] for row in found} == {"CNY"}
    assert b',"SQL Database Single, General Purpose - Compute Gen5",' in body
    assert b',"Azure Monitor ""Basic"" Logs",' in body
    assert sum(b'"' in line for line in body.splitlines()) == 2 * 6
    assert 500 < len(found) < 1000


def test_rows_are_told_apart_by_what_identifies_them(sandbox: Sandbox) -> None:
    """Meter, sku, region, type, tier and term; no row comes twice."""
    names = ("meterId", "skuId", "armRegionName", "type", "tierMinimumUnits", "term")

    assert set(Counter(tuple(row[name] for name in names) for row in rows(sandbox)).values()) == {1}


def test_a_price_is_that_of_eastus_times_seven_point_three_and_a_tenth(sandbox: Sandbox) -> None:
    """NC4as_T4_v3: 0.526 USD x 7.3 x 1.1 = 4.22378 CNY, Windows 0.71 x 8.03 = 5.7013; DevTest costs what Linux does.

    Reservations: 0.30925 USD x 8,760 hours and 0.19779 x 26,280 are 2709 and 5198, to the dollar, x 8.03 = 21753.27 and
    41739.94; the unit says an hour.
    """
    found = of_size(rows(sandbox), "chinanorth3", "Standard_NC4as_T4_v3")
    prices = {
        (row["type"], row["term"], row["productName"].endswith("Windows")): row["retailPrice"]
        for row in found
        if row["type"] != "SavingsPlanConsumption"
    }

    assert prices["Consumption", "", False] == "4.22378"
    assert prices["Consumption", "", True] == "5.7013"
    assert prices["DevTestConsumption", "", True] == "4.22378"
    assert prices["Reservation", "1 Year", False] == "21753.27"
    assert prices["Reservation", "3 Years", False] == "41739.94"
    assert set(prices) == {
        ("Consumption", "", False),
        ("Consumption", "", True),
        ("DevTestConsumption", "", True),
        ("Reservation", "1 Year", False),
        ("Reservation", "3 Years", False),
    }
    assert {row["unitOfMeasure"] for row in found} == {"1 Hour"}
    assert all(row["retailPrice"] == row["unitPrice"] for row in found)


def test_a_savings_plan_is_a_row_with_a_price_by_the_hour(sandbox: Sandbox) -> None:
    """NV6ads_A10_v5: 0.37791 USD for a year and 0.28007 for three, x 8.03; on Windows 0.73 - 0.454 more."""
    found = of_size(rows(sandbox), "chinanorth3", "Standard_NV6ads_A10_v5")
    plans = {
        (row["term"], row["productName"].endswith("Windows")): row["retailPrice"]
        for row in found
        if row["type"] == "SavingsPlanConsumption"
    }

    assert plans == {
        ("1 Year", False): "3.034617",  # 3.0346173
        ("3 Years", False): "2.248962",  # 2.2489621
        ("1 Year", True): "5.250897",  # 3.0346173 + 0.276 x 8.03 = 2.21628
        ("3 Years", True): "4.465242",
    }


def test_what_is_sold_where(sandbox: Sandbox) -> None:
    """GPU sizes in the second and third regions alone, other sizes in all six; spot and low priority nowhere."""
    found = rows(sandbox)
    logical = {"", "China", "CN Zone 1", "CN Zone 2", "Zone 1 (China)", "Azure Stack CN"}
    gpus = {(row["armRegionName"], row["armSkuName"]) for row in found if row["armSkuName"].startswith("Standard_N")}
    others = {row["armRegionName"] for row in found if row["armSkuName"] == "Standard_D8s_v5"}
    regions = {f"china{place}{number}" for place in ("east", "north") for number in ("", "2", "3")}

    assert {region for region, _ in gpus} - logical == regions - {"chinaeast", "chinanorth"}
    assert others == regions
    assert {row["armRegionName"] for row in found} == regions | logical
    assert {row["location"] for row in found if row["armRegionName"] == "chinaeast2"} == {"CN East 2"}
    assert {row["location"] for row in found if row["armRegionName"] == "chinanorth"} == {"CN North"}
    assert ("chinaeast2", "Standard_NC6") in gpus and ("chinanorth3", "Standard_NC24ads_A100_v4") in gpus
    assert not any(row["skuName"].endswith((" Spot", " Low Priority")) for row in found)


def test_every_kind_of_row_is_there(sandbox: Sandbox) -> None:
    """What a reader must know how to leave out, and other services."""
    found = rows(sandbox)
    gpu = [row for row in found if row["armSkuName"].startswith("Standard_N")]
    kinds = {
        "savings plan": [row for row in gpu if row["type"] == "SavingsPlanConsumption"],
        "not primary": [row for row in gpu if row["isPrimaryMeterRegion"] == "false"],
        "expired": [row for row in gpu if row["meterName"].endswith(" Expired")],
        "cloud service": [row for row in gpu if row["productName"].endswith(" CloudServices")],
        "zero": [row for row in gpu if row["retailPrice"] == "0"],
        "announced": [row for row in gpu if row["effectiveStartDate"] == "2026-11-01T00:00:00Z"],
        "without a region": [row for row in gpu if row["armRegionName"] == "CN Zone 1"],
        "license": [row for row in found if row["productName"] == "Virtual Machines Licenses"],
        "dedicated host": [row for row in found if row["productName"].endswith(" Dedicated Host")],
        "tier": [row for row in found if row["tierMinimumUnits"] == "51200"],
    }

    assert [name for name, some in kinds.items() if not some] == []
    assert {row["type"] for row in found} == {
        "Consumption",
        "DevTestConsumption",
        "Reservation",
        "SavingsPlanConsumption",
    }
    assert {row["term"] for row in found} == {"", "1 Year", "3 Years"}


def test_a_full_sheet_has_all_other_sizes(sandbox: Sandbox) -> None:
    """Some thousand rows, among them those of the small one."""
    with Sandbox(size="full") as full:
        found = rows(full)

    small = rows(sandbox)
    assert len(found) > 3000
    assert {json.dumps(row) for row in small} <= {json.dumps(row) for row in found}


def test_a_size_retired_elsewhere_is_still_sold(sandbox: Sandbox) -> None:
    """NC6 left eastus after 2025-06-03 at 0.9 USD: 7.227 CNY on every day."""
    for day in DATES["azure"]:
        sandbox.set_date("azure", day)
        assert "7.227" in {row["retailPrice"] for row in of_size(rows(sandbox), "chinaeast2", "Standard_NC6")}


def test_an_answer_that_does_not_say_where(sandbox: Sandbox) -> None:
    """JSON without DownloadUrl."""
    sandbox.faults.azure.without_download_url = True

    assert told(sandbox) == {}


def test_an_empty_sheet(sandbox: Sandbox) -> None:
    """The header and nothing else."""
    sandbox.faults.azure.empty_sheet = True

    assert sheet(sandbox).decode("utf-8-sig").splitlines() == [",".join(COLUMNS)]


def test_a_sheet_that_is_cut(sandbox: Sandbox) -> None:
    """With the whole length announced the client sees it; without, the file ends within a row and nothing tells."""
    whole = sheet(sandbox)
    sandbox.faults.cut_next(5000, only=".csv")
    with pytest.raises(http.client.IncompleteRead):
        sheet(sandbox)
    sandbox.faults.truncate_next(5000, only=".csv")

    assert sheet(sandbox) == whole[:5000]
    assert not whole[:5000].endswith(b"\n")
    assert sheet(sandbox) == whole


def test_each_of_the_two_requests_can_fail(sandbox: Sandbox) -> None:
    """The first with 500, the second with the 403 of an address whose signature is no longer good."""
    sandbox.faults.fail_next(1, 500, only=PATH)
    assert get(f"{sandbox.url}{PATH}?{VERSION}")[0] == 500
    sandbox.faults.fail_next(1, 403, only=".csv")
    assert get(told(sandbox)["DownloadUrl"])[0] == 403


def test_columns_and_rows_that_are_missing(sandbox: Sandbox) -> None:
    """A column less or more, reservations, a size or a region that is gone: the switches of the other lists."""
    sandbox.faults.missing_column, sandbox.faults.unknown_column = "term", "newColumn"
    header = list(rows(sandbox)[0])
    assert header == [*(name for name in COLUMNS if name != "term"), "newColumn"]

    sandbox.faults.missing_column = sandbox.faults.unknown_column = ""
    sandbox.faults.drop_reserved = True
    sandbox.faults.omitted_regions.add("chinanorth2")
    sandbox.faults.azure.without_sizes.add(("chinaeast2", "Standard_NC6"))
    found = rows(sandbox)
    assert "Reservation" not in {row["type"] for row in found}
    assert "chinanorth2" not in {row["armRegionName"] for row in found}
    assert ("chinaeast2", "Standard_NC6") not in {(row["armRegionName"], row["armSkuName"]) for row in found}


@pytest.mark.parametrize("marked", [True, False])
def test_a_byte_order_mark_is_there_or_not(sandbox: Sandbox, marked: bool) -> None:
    """Nothing else differs."""
    sandbox.azure_unverified.sheet_mark = marked

    assert sheet(sandbox).startswith(MARK) is marked
    assert sheet(sandbox).removeprefix(MARK).startswith(b"currencyCode,")


@pytest.mark.parametrize(("capitals", "words"), [(True, {"True", "False"}), (False, {"true", "false"})])
def test_how_true_is_spelled(sandbox: Sandbox, capitals: bool, words: set[str]) -> None:
    """Either way, in every row."""
    sandbox.azure_unverified.sheet_capitals = capitals

    assert {row["isPrimaryMeterRegion"] for row in rows(sandbox)} == words


def test_the_sheet_may_lie_on_another_host(sandbox: Sandbox) -> None:
    """As the real one does: on a second server, which answers the second request."""
    own = sheet(sandbox)
    with Sandbox() as store:
        sandbox.azure_unverified.sheet_host = store.url
        sandbox.requests.clear()
        elsewhere = sheet(sandbox)

        assert told(sandbox)["DownloadUrl"].startswith(f"{store.url}/")
        assert len(store.requests) == 1
        assert all(request.startswith(PATH) for request in sandbox.requests)
    assert elsewhere == own
