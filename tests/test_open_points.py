"""Where the documents of a feed leave a point open, the stand-in gives either answer, and the prices are the same.

What differs by its nature is said beside the case. Points about feeds that we don't ask have no case here.
"""

from collections.abc import Iterator
from typing import Any, Literal

import pytest

from connectors import aws_price_list, azure_retail_prices
from connectors.contract import Source
from connectors.errors import SourceUnavailable
from connectors.sandbox import Sandbox
from flows.fetching import known_types
from tests.connectors.scripted_server import patient_client
from tests.warehouse.source_sql import KEY, Row, SourceSql, open_source, utc

Offer = tuple[Any, ...]
SEEN_AT = {"aws": utc(2026, 7, 20, 14), "azure": utc(2026, 8, 1, 6)}


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """A stand-in that answers what is thought likely."""
    with Sandbox() as running:
        yield running


@pytest.fixture(scope="module")
def aws() -> Iterator[SourceSql]:
    """The dictionary of the AWS price list."""
    yield from open_source("aws_price_list")


@pytest.fixture(scope="module")
def azure() -> Iterator[SourceSql]:
    """The dictionary of Azure's retail prices."""
    yield from open_source("azure_retail_prices")


def offers(
    sandbox: Sandbox, sql: SourceSql, source: Source, scope: str, waits: list[float] | None = None
) -> set[Offer]:
    """Key and price of every offer that a fetch of a scope leads to."""
    client = patient_client([] if waits is None else waits)
    fetch = source.fetch(client, sandbox.url, scope, known_types=known_types(source.provider))
    rows = sql.read(scope, list(fetch), SEEN_AT[source.provider])
    priced = [row for row in rows if row["outcome"] == "price" and row["reason"] != "upfront"]
    found = {key_of(row): (row["hourly_price"], row["upfront_price"]) for row in priced}
    assert all(found[key_of(row)] == (row["hourly_price"], row["upfront_price"]) for row in priced), (
        "a key with two prices"
    )
    return {(*key, *price) for key, price in found.items()}


def key_of(row: Row) -> Offer:
    """The eleven words of an offer."""
    return tuple(row[word] for word in KEY)


# us-west-1 sells g4dn.metal, g5 and p5; its file is small.
@pytest.fixture(scope="module")
def usual_aws(aws: SourceSql) -> set[Offer]:
    """What the likely answers lead to."""
    with Sandbox() as sandbox:
        return offers(sandbox, aws, aws_price_list.SOURCE, "us-west-1")


@pytest.mark.parametrize(
    ("point", "answer"),
    [
        ("gzip", "small"),
        ("gzip", "always"),
        ("last_modified", True),
        ("ranges", True),
        ("missing_status", 404),
        ("old_versions", False),
        ("metal_tenancy", "shared"),
        ("metal_tenancy", "dedicated"),
        ("metal_tenancy", "both"),
        ("exact_duplicates", True),
    ],
)
def test_an_open_point_of_the_price_list_changes_no_price(
    sandbox: Sandbox, aws: SourceSql, usual_aws: set[Offer], point: str, answer: object
) -> None:
    """Compression, ranges, what is missing, metal's tenancy, products that differ in their SKU alone."""
    setattr(sandbox.aws_unverified, point, answer)

    assert len(usual_aws) > 100
    assert any(offer[KEY.index("instance_type")].endswith(".metal") for offer in usual_aws)
    assert offers(sandbox, aws, aws_price_list.SOURCE, "us-west-1") == usual_aws


def test_a_new_type_may_have_no_price_on_demand(sandbox: Sandbox, aws: SourceSql) -> None:
    """p6-b300.48xlarge in us-west-2 as capacity blocks alone: its lines are there, and none of them is a price."""
    usual = offers(sandbox, aws, aws_price_list.SOURCE, "us-west-2")
    sandbox.aws_unverified.new_types = True
    fetch = aws_price_list.SOURCE.fetch(patient_client([]), sandbox.url, "us-west-2")

    assert "p6-b300.48xlarge" in {record["Instance Type"] for record in fetch}
    assert offers(sandbox, aws, aws_price_list.SOURCE, "us-west-2") == usual


@pytest.mark.parametrize("status", [403, 404])
def test_a_file_that_is_missing_is_missing_under_either_status(sandbox: Sandbox, status: Literal[403, 404]) -> None:
    """S3 without the right to list says 403 where others say 404."""
    sandbox.aws_unverified.missing_status = status
    sandbox.faults.missing_files.add("us-west-1")
    fetch = aws_price_list.SOURCE.fetch(patient_client([]), sandbox.url, "us-west-1")
    with pytest.raises(SourceUnavailable, match=str(status)):
        list(fetch)


@pytest.fixture(scope="module")
def usual_azure(azure: SourceSql) -> set[Offer]:
    """What the likely answers lead to."""
    with Sandbox() as sandbox:
        return offers(sandbox, azure, azure_retail_prices.SOURCE, "eastus/USD")


@pytest.mark.parametrize(
    ("point", "answer"), [("more_operators", True), ("type_name", False), ("top", True), ("other_clouds", False)]
)
def test_an_open_point_of_the_retail_prices_changes_no_price(
    sandbox: Sandbox, azure: SourceSql, usual_azure: set[Offer], point: str, answer: object
) -> None:
    """Operators and names we don't use, $top that we don't send, rows of other clouds."""
    setattr(sandbox.azure_unverified, point, answer)

    assert len(usual_azure) > 100
    assert offers(sandbox, azure, azure_retail_prices.SOURCE, "eastus/USD") == usual_azure


def test_a_small_quota_is_waited_for(azure: SourceSql, usual_azure: set[Offer]) -> None:
    """Two answers, then 429 and 60 seconds in Azure's own header: each is slept through, and nothing is lost."""
    waits: list[float] = []
    with Sandbox(page_size=100) as sandbox:
        sandbox.azure_unverified.quota = 2
        found = offers(sandbox, azure, azure_retail_prices.SOURCE, "eastus/USD", waits)

    assert found == usual_azure
    assert waits and max(waits) >= 60
