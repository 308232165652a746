"""The sandbox's Azure Resource Manager read by Azure's own SDKs, over HTTP.

Their bearer policy refuses plain HTTP unless it is told not to, call by call; or another policy stands in for it.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from azure.core.credentials import AccessToken
from azure.core.exceptions import ClientAuthenticationError, HttpResponseError
from azure.core.pipeline import PipelineRequest
from azure.core.pipeline.policies import SansIOHTTPPolicy
from azure.mgmt.compute import ComputeManagementClient
from azure.mgmt.resourcegraph import ResourceGraphClient
from azure.mgmt.resourcegraph.models import QueryRequest, QueryRequestOptions

from connectors.sandbox import Sandbox
from tests.connectors.sandbox.arm_asking import FIRST, PRICES, SHOWN, all_skus, rows

FAR_AWAY = 4_000_000_000  # seconds since 1970
EASTUS = "location eq 'eastus'"


class Credential:
    """One that has a token without asking anybody."""

    def get_token(self, *scopes: str, **options: Any) -> AccessToken:
        return AccessToken("a-token", FAR_AWAY)


class PlainBearer(SansIOHTTPPolicy[Any, Any]):
    """Sends the token over plain HTTP too."""

    def on_request(self, request: PipelineRequest[Any]) -> None:
        request.http_request.headers["Authorization"] = "Bearer a-token"


def compute(sandbox: Sandbox, policy: Any = None, **options: Any) -> ComputeManagementClient:
    """A client of Microsoft.Compute; without waiting between attempts."""
    given = {} if policy is None else {"authentication_policy": policy}
    return ComputeManagementClient(
        Credential(), FIRST, base_url=sandbox.arm_url, retry_backoff_factor=0, **given, **options
    )


@pytest.fixture
def graph(arm: Sandbox) -> Iterator[ResourceGraphClient]:
    """A client of Resource Graph."""
    with ResourceGraphClient(
        Credential(), base_url=arm.arm_url, authentication_policy=PlainBearer(), retry_backoff_factor=0
    ) as client:
        yield client


def test_the_sdk_follows_the_links(arm: Sandbox) -> None:
    """All SKUs of eastus in pages of 25, in the order of the answers; values are texts."""
    with Sandbox(page_size=25) as small, compute(small, PlainBearer()) as client:
        found = list(client.resource_skus.list(filter=EASTUS))
        pages = len(small.requests)
    expected = all_skus(arm, EASTUS)[0]

    assert [sku.name for sku in found] == [sku["name"] for sku in expected]
    assert pages == -(-len(expected) // 25)
    assert all(isinstance(one.value, str) for sku in found for one in sku.capabilities or [])


@pytest.mark.parametrize("way", ["absent", "null", "empty"])
def test_the_sdk_stops_at_each_last_page(arm: Sandbox, way: Any) -> None:
    """One request, whichever way the link is missing."""
    arm.arm_unverified.last_link = way
    with compute(arm, PlainBearer()) as client:
        assert list(client.resource_skus.list(filter=EASTUS))
    assert len(arm.requests) == 1


def test_the_sdk_tells_zones_and_restrictions(arm: Sandbox) -> None:
    """ND96isr_H100_v5 of eastus: zones 1 and 3, and two restrictions, on 2026-08-01."""
    with compute(arm, PlainBearer()) as client:
        (found,) = [sku for sku in client.resource_skus.list(filter=EASTUS) if sku.name == "Standard_ND96isr_H100_v5"]
    (info,) = found.location_info or []
    restrictions = found.restrictions or []

    assert info.zones == ["1", "3"]
    assert [(one.type, one.reason_code) for one in restrictions] == [
        ("Location", "NotAvailableForSubscription"),
        ("Zone", "NotAvailableForSubscription"),
    ]
    assert restrictions[0]["values"] == ["eastus"]
    assert restrictions[1].restriction_info.zones == ["1", "3"]  # type: ignore[union-attr]  # it is there


def test_the_sdks_own_policy_sends_the_token(arm: Sandbox) -> None:
    """With enforce_https off, the credential's token goes out; and a wrong one is the SDK's own error."""
    with compute(arm) as client:
        assert list(client.resource_skus.list(filter=EASTUS, enforce_https=False))
        arm.faults.arm.refused_tokens.add("a-token")
        with pytest.raises(ClientAuthenticationError, match="InvalidAuthenticationToken"):
            list(client.resource_skus.list(filter=EASTUS, enforce_https=False))


def test_no_token_is_no_answer(arm: Sandbox) -> None:
    """A policy that does nothing sends none: 401."""
    with compute(arm, SansIOHTTPPolicy()) as client, pytest.raises(ClientAuthenticationError) as refused:
        list(client.resource_skus.list(filter=EASTUS))
    assert refused.value.status_code == 401


def test_a_lacking_role_is_an_error_with_its_code(arm: Sandbox) -> None:
    """403 AuthorizationFailed, not tried again."""
    arm.faults.arm.forbidden.add("Microsoft.Compute/skus/read")
    with compute(arm, PlainBearer()) as client, pytest.raises(HttpResponseError) as refused:
        list(client.resource_skus.list(filter=EASTUS))

    assert (refused.value.status_code, refused.value.error.code) == (403, "AuthorizationFailed")  # type: ignore[union-attr]
    assert len(arm.requests) == 1


def test_the_sdk_waits_as_told_and_asks_again(arm: Sandbox) -> None:
    """A 429 with a Retry-After of no seconds and a 503 are followed by the right answer."""
    arm.faults.refuse_arm_next(1, "TooManyRequests", 0)
    arm.faults.refuse_arm_next(1, "ServerTimeout")
    with compute(arm, PlainBearer()) as client:
        assert list(client.resource_skus.list(filter=EASTUS))
    assert len(arm.requests) == 3


def test_resource_graph_in_pages(arm: Sandbox, graph: ResourceGraphClient) -> None:
    """The same query with each token gives every row once, and the headers of the quota can be read."""
    query, token = f"{PRICES} | {SHOWN}", None
    found: list[Any] = []
    headers: list[Any] = []
    while True:
        options = QueryRequestOptions(skip_token=token, top=500, result_format="objectArray")
        answer = graph.resources(
            QueryRequest(query=query, options=options),
            raw_response_hook=lambda response: headers.append(response.http_response.headers),
        )
        found += answer.data
        token = answer.skip_token
        assert answer.result_truncated == "false"
        if token is None:
            break

    assert found == rows(arm, query)
    assert len(found) == answer.total_records
    assert all(0 <= int(one["x-ms-user-quota-remaining"]) < 15 for one in headers)


def test_resource_graph_without_an_id(graph: ResourceGraphClient) -> None:
    """1000 rows, no token, and resultTruncated tells."""
    answer = graph.resources(QueryRequest(query=f"{PRICES} | project location", subscriptions=[FIRST]))

    assert (answer.count, answer.skip_token, answer.result_truncated) == (1000, None, "true")


def test_resource_graphs_errors_have_details(graph: ResourceGraphClient) -> None:
    """A query that isn't understood is a 400 that the SDK reads."""
    with pytest.raises(HttpResponseError, match="InvalidQuery") as refused:
        graph.resources(QueryRequest(query="SpotResources | summarize count()"))
    assert refused.value.status_code == 400
