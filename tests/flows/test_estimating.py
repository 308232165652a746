"""A dry run: what a refresh would take, found out without a file being downloaded or a manifest written."""

from datetime import timedelta
from pathlib import Path

import pytest

from connectors import aws_price_list, azure_retail_prices
from connectors.client import Client
from connectors.sandbox import Sandbox
from flows.estimating import Need, refresh_needs
from flows.fetching import fetch_scope
from flows.settings import Settings
from flows.updating import said_bytes
from flows.wanted import Wanted
from reports.errors import UnknownName
from warehouse.landing import Landing


def test_a_refresh_is_counted_by_what_is_new(tmp_path: Path) -> None:
    """Of two locations one has landed: one file is left, as long as its host says. Azure says nothing beforehand."""
    aws, azure = aws_price_list.SOURCE, azure_retail_prices.SOURCE
    with Sandbox() as stand_in:
        settings = Settings(home=tmp_path, base_urls={source.name: stand_in.url for source in (aws, azure)})
        settings = settings.at(stand_in.observed_at("aws"))
        fetch_scope(aws, "us-west-1", settings)
        lines = fetch_scope(azure, "eastus/USD", settings.at(stand_in.observed_at("azure"))).lines_read
        landed, asked = Landing(settings.landing).scopes(), len(stand_in.requests)
        (prices,) = refresh_needs(settings, Wanted(source=aws.name, regions=["us-west-1", "us-west-2-den-1"]))
        (retail,) = refresh_needs(settings, Wanted(source=azure.name, regions=["eastus", "westus3"]))
        requests = stand_in.requests[asked:]
        size = length_of(settings, "us-west-2-den-1")

    assert prices == Need(aws.name, "aws", scopes=2, unchanged=1, requests=1, bytes=size, unknown=0)
    # 900 bytes an item, a request for each 1,000 of them; of westus3 nothing is known but that it takes a request.
    assert retail == Need(azure.name, "azure", 2, 0, requests=1 + -(-lines // 1000), bytes=900 * lines, unknown=1)
    assert not [path for path in requests if path.endswith(".csv") and "us-west-1" in path]
    assert Landing(settings.landing).scopes() == landed
    assert len(Landing(settings.landing).observed(aws.name, "us-west-1")) == 1


def length_of(settings: Settings, scope: str) -> int:
    """How long the file of a location is, by reading it."""
    fetch = aws_price_list.SOURCE.fetch(Client(), settings.base_urls["aws_price_list"], scope)
    with Client().stream(fetch.address) as body:
        return len(body.read(1 << 30))


def test_a_region_that_nobody_sells_in_is_said(tmp_path: Path) -> None:
    """Before anything is estimated."""
    with Sandbox() as stand_in:
        settings = Settings(home=tmp_path, base_urls={"aws_price_list": stand_in.url})
        settings = settings.at(stand_in.observed_at("aws") + timedelta(days=1))
        with pytest.raises(UnknownName, match="unknown region 'us-est-1'"):
            refresh_needs(settings, Wanted(source="aws_price_list", regions=["us-est-1"]))


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (None, "bytes unknown beforehand"),
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_200, "1.2 kB"),
        (20_512_345, "20.5 MB"),
        (3_100_000_000, "3.1 GB"),
    ],
)
def test_bytes_are_said_as_people_read_them(count: int | None, said: str) -> None:
    """In steps of a thousand."""
    assert said_bytes(count) == said
