"""The sandbox over HTTP, asked by the standard library's own client."""

import hashlib
import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest

from connectors.sandbox import DATES, Sandbox, server

EC2 = "/offers/v1.0/aws/AmazonEC2"


@pytest.fixture(scope="module")
def shared() -> Iterator[Sandbox]:
    """One server for all tests of this module."""
    with Sandbox(page_size=100) as running:
        yield running


@pytest.fixture
def sandbox(shared: Sandbox) -> Sandbox:
    """The server as it is after its start."""
    shared.faults.clear()
    shared.requests.clear()
    for provider, days in DATES.items():
        shared.set_date(provider, days[-1])
    return shared


def get(url: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """(status, headers, body); `headers` with underscores for hyphens."""
    request = urllib.request.Request(url, headers={name.replace("_", "-"): text for name, text in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, dict(response.headers), response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


def price_list(sandbox: Sandbox, region: str = "eu-west-1", version: str = "current") -> str:
    """The address of a price list."""
    return f"{sandbox.aws_price_list_url}{EC2}/{version}/{region}/index.csv"


def prices(sandbox: Sandbox, wanted: str, **parameters: str) -> tuple[int, dict[str, str], dict[str, Any]]:
    """An answer of the retail price list."""
    query = urllib.parse.urlencode({"$filter": wanted, **parameters})
    status, headers, body = get(f"{sandbox.azure_retail_prices_url}/api/retail/prices?{query}")
    return status, headers, json.loads(body)


def test_it_listens_on_loopback_only(sandbox: Sandbox) -> None:
    """The address is 127.0.0.1 with the port it was given by the system."""
    assert sandbox.url.startswith("http://127.0.0.1:")


def test_the_price_list_comes_with_length_and_etag(sandbox: Sandbox) -> None:
    """Content-Length is that of the body; the ETag is quoted and the same for the same file."""
    status, headers, body = get(price_list(sandbox))

    assert (status, headers["Content-Type"]) == (200, "text/csv")
    assert headers["Content-Length"] == str(len(body))
    assert headers["ETag"] == f'"{hashlib.md5(body).hexdigest()}"'
    assert get(price_list(sandbox), If_None_Match=headers["ETag"])[::2] == (304, b"")


def test_current_is_the_version_of_the_day_and_older_ones_stay(sandbox: Sandbox) -> None:
    """On 2025-06-05, `current` is 20250605183345, the version of April is still there and that of 2026 isn't yet."""
    sandbox.set_date("aws", "2025-06-05")
    index = json.loads(get(f"{sandbox.url}{EC2}/index.json")[2])

    assert index["currentVersion"] == "20250605183345"
    assert get(price_list(sandbox))[2] == get(price_list(sandbox, version="20250605183345"))[2]
    assert b'"Version","20250429043945"' in get(price_list(sandbox, version="20250429043945"))[2][:700]
    assert get(price_list(sandbox, version="20260720134438"))[0] == 403


@pytest.mark.parametrize(
    "path",
    [
        f"{EC2}/current/us-east-9/index.csv",
        f"{EC2}/current/cn-north-1-pkx-1/index.csv",
        f"{EC2}/19990101000000/us-east-1/index.csv",
        f"{EC2}/current/us-east-1/index.json",
        f"{EC2}/current",
        "/offers/v1.0/aws/AmazonS3/current/region_index.json",
        "/offers/v1.0/cn/AmazonEC2/current/us-east-1/index.csv",
        "/offers/v1.0/cn/AmazonEC2/current/aws-cn-other/index.csv",
        "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/index.json",
        "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/us-east-1/index.json",
        "/savingsPlan/v1.0/aws/AWSMachineLearningSavingsPlans/current/region_index.json",
        "/",
    ],
)
def test_what_is_not_there_is_denied(sandbox: Sandbox, path: str) -> None:
    """403 with an XML body, as S3 answers without list rights."""
    status, headers, body = get(sandbox.url + path)

    assert (status, headers["Content-Type"]) == (403, "application/xml")
    assert b"<Code>AccessDenied</Code>" in body


def test_indexes_are_json(sandbox: Sandbox) -> None:
    """Offer, version and region index answer at their documented paths, the region index also for a version."""
    for path in ("/offers/v1.0/aws/index.json", f"{EC2}/index.json", f"{EC2}/current/region_index.json"):
        status, headers, body = get(sandbox.url + path)
        assert (status, headers["Content-Type"]) == (200, "application/json")
        assert json.loads(body)["publicationDate"] == "2026-07-20T13:44:38Z"
    april = json.loads(get(f"{sandbox.url}{EC2}/20250429043945/region_index.json")[2])
    assert april["publicationDate"] == "2025-04-29T04:39:45Z"


def test_the_retail_list_tells_its_quota_and_links_to_itself(sandbox: Sandbox) -> None:
    """Both rate-limit headers come on good answers too, and the next link has host and port of the server."""
    status, headers, answer = prices(sandbox, "serviceName eq 'Virtual Machines'")

    assert (status, answer["Count"]) == (200, 100)
    assert int(headers["x-ms-ratelimit-remaining-retailprices-requests"]) > 0
    assert headers["x-ms-ratelimit-retailprices-retry-after"] == "60"
    assert answer["NextPageLink"].startswith(f"{sandbox.url}/api/retail/prices?")
    assert json.loads(get(answer["NextPageLink"])[2])["Count"] == 100


@pytest.mark.parametrize(
    ("wanted", "currency"), [("not(contains(productName,'Windows'))", "USD"), ("armRegionName eq 'eastus'", "XYZ")]
)
def test_a_bad_request_is_a_400_with_json(sandbox: Sandbox, wanted: str, currency: str) -> None:
    """For a malformed filter and for a currency that isn't documented. The body says what was wrong."""
    status, headers, answer = prices(sandbox, wanted, currencyCode=currency)

    assert status == 400
    assert headers["Content-Type"].startswith("application/json")
    assert answer["error"]["code"] == "BadRequest"
    assert answer["error"]["message"]


def test_the_next_requests_fail_as_told(sandbox: Sandbox) -> None:
    """Two answers of 429 with the header given, then the right one."""
    sandbox.faults.fail_next(2, 429, {"x-ms-ratelimit-retailprices-retry-after": "7"})
    found = [get(price_list(sandbox)) for _ in range(3)]

    assert [status for status, _, _ in found] == [429, 429, 200]
    assert found[0][1]["x-ms-ratelimit-retailprices-retry-after"] == "7"
    assert len(sandbox.requests) == 3


def test_a_connection_is_cut(sandbox: Sandbox) -> None:
    """The whole length is announced, 1000 bytes come; the request after that is whole."""
    sandbox.faults.cut_next(1000)

    with pytest.raises(http.client.IncompleteRead) as cut:
        get(price_list(sandbox))
    assert len(cut.value.partial) == 1000
    assert get(price_list(sandbox))[0] == 200


def test_reserved_rows_can_be_dropped(sandbox: Sandbox) -> None:
    """No Reserved line on AWS, no Reservation item on Azure."""
    sandbox.faults.drop_reserved = True

    assert b'"Reserved",' not in get(price_list(sandbox))[2]
    assert prices(sandbox, "priceType eq 'Reservation' and armRegionName eq 'eastus'")[2]["Count"] == 0
    sandbox.faults.clear()
    assert b'"Reserved",' in get(price_list(sandbox))[2]


def test_a_region_can_be_left_out(sandbox: Sandbox) -> None:
    """It is gone from the index and its file is denied; its items are gone from the retail list."""
    sandbox.faults.omitted_regions |= {"eu-west-1", "westus3"}
    index = json.loads(get(f"{sandbox.url}{EC2}/current/region_index.json")[2])

    assert "eu-west-1" not in index["regions"]
    assert get(price_list(sandbox))[0] == 403
    assert prices(sandbox, "armRegionName eq 'westus3'")[2]["Count"] == 0
    assert prices(sandbox, "armRegionName eq 'eastus'")[2]["Count"] == 100


def test_a_column_can_be_added_or_missing(sandbox: Sandbox) -> None:
    """In the price list's header and in each item."""
    sandbox.faults.unknown_column, sandbox.faults.missing_column = "Carbon", "MarketOption"
    header = get(price_list(sandbox))[2].split(b"\n")[5]
    assert header.endswith(b',"VPCNetworkingSupport","Carbon"')
    assert b'"MarketOption"' not in header

    sandbox.faults.missing_column = "armSkuName"
    item = prices(sandbox, "armRegionName eq 'eastus'")[2]["Items"][0]
    assert "Carbon" in item
    assert "armSkuName" not in item


def test_the_record_of_each_figure_can_be_asked(sandbox: Sandbox) -> None:
    """p4d on 2026-07-20: in us-west-2 carried from aws-price-watcher's 2025-06-05, in us-east-1 of the day."""
    query = "provider=aws&instance_type=p4d.24xlarge"
    answer = json.loads(get(f"{sandbox.url}/sandbox/facts?{query}")[2])
    found = {row["region"]: (row["price"], row["recorded_at"], row["carried"]) for row in answer["facts"]}

    assert answer["dates"] == {"aws": "2026-07-20", "azure": "2026-08-01"}
    assert found["us-west-2"] == ("21.95764", "2025-06-05T08:28:22+00:00", True)
    assert found["us-east-1"] == ("21.957642", "2026-07-20T13:44:30+00:00", False)


def test_figures_and_observation_time_follow_the_day(sandbox: Sandbox) -> None:
    """On 2025-04-29 the last record is the watcher's of 04:39:45, and p5 in us-east-1 is 98.32."""
    sandbox.set_date("aws", date(2025, 4, 29))
    key = ("aws", "us-east-1", "p5.48xlarge", "linux", "on_demand", "", "", 0)

    assert sandbox.observed_at("aws") == datetime(2025, 4, 29, 4, 39, 45, tzinfo=UTC)
    assert [str(figure.fact.price) for figure in sandbox.figures("aws") if figure.fact.key == key] == ["98.32"]


def test_a_day_without_records_is_refused(sandbox: Sandbox) -> None:
    """The message names the days there are."""
    with pytest.raises(ValueError, match="2025-04-29, 2025-06-05, 2026-07-20"):
        sandbox.set_date("aws", "2025-05-01")


def test_serve_ends_when_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends it without a traceback; a wrong date is told before anything listens for long."""

    class Interrupted:
        def wait(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(server, "interruption", Interrupted)
    server.serve(0, "2025-04-29", date(2025, 6, 3))
    with pytest.raises(ValueError, match="nothing is served of azure for 2025-01-01"):
        server.serve(0, "2025-04-29", "2025-01-01")
