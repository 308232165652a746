"""Who may ask the sandbox's Azure Resource Manager, and what it says of subscriptions and regions."""

import pytest
import requests

from connectors.sandbox import Sandbox
from connectors.sandbox.arm_places import zoned_regions
from connectors.sandbox.azure_regions import CANARY, PUBLIC, WITHOUT_GPUS, kinds
from tests.connectors.sandbox.arm_asking import DISABLED, FIRST, GRAPH, PRICES, SECOND, TOKEN, ask, get, size, skus

PATHS = (
    "/subscriptions",
    f"/subscriptions/{FIRST}/locations",
    f"/subscriptions/{FIRST}/providers/Microsoft.Compute/skus",
)
OF_PLACES = {"api-version": "2022-12-01"}


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "AuthenticationFailed"),
        ({"Authorization": "Basic YTpi"}, "AuthenticationFailedInvalidHeader"),
        ({"Authorization": "Bearer"}, "AuthenticationFailedInvalidHeader"),
        ({"Authorization": "Bearer wrong"}, "InvalidAuthenticationToken"),
        ({"Authorization": "Bearer old"}, "ExpiredAuthenticationToken"),
    ],
)
def test_without_a_good_token_nobody_is_answered(arm: Sandbox, headers: dict[str, str], code: str) -> None:
    """401 with a code in JSON and a WWW-Authenticate header, for every path and for a query."""
    arm.faults.arm.refused_tokens.add("wrong")
    arm.faults.arm.expired_tokens.add("old")
    found = [get(arm, path, OF_PLACES, headers) for path in PATHS]
    found.append(requests.post(arm.arm_url + GRAPH, json={"query": PRICES}, headers=headers, timeout=20))

    for answer in found:
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, code)
        assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


def test_who_lacks_a_role_is_told_which_action(arm: Sandbox) -> None:
    """403 AuthorizationFailed for the forbidden action alone; the message names it."""
    arm.faults.arm.forbidden |= {"Microsoft.Compute/skus/read", "Microsoft.ResourceGraph/resources/read"}
    for answer, action in ((skus(arm), "Microsoft.Compute/skus/read"), (ask(arm, PRICES), "ResourceGraph")):
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "AuthorizationFailed")
        assert action in answer.json()["error"]["message"]

    assert get(arm, f"/subscriptions/{FIRST}/locations", OF_PLACES).status_code == 200


@pytest.mark.parametrize(
    ("path", "version", "status", "code"),
    [
        ("/subscriptions", "", 400, "MissingApiVersionParameter"),
        ("/subscriptions", "1999-01-01", 400, "InvalidApiVersionParameter"),
        (f"/subscriptions/{FIRST}/providers/Microsoft.Compute/skus", "2022-12-01", 400, "InvalidApiVersionParameter"),
        ("/subscriptions/mine/locations", "2022-12-01", 400, "InvalidSubscriptionId"),
        (f"/subscriptions/{FIRST[:-1]}9/locations", "2022-12-01", 404, "SubscriptionNotFound"),
        (f"/subscriptions/{FIRST}/providers/Microsoft.Compute/disks", "2021-07-01", 404, "NotFound"),
    ],
)
def test_what_is_asked_wrongly_is_refused(arm: Sandbox, path: str, version: str, status: int, code: str) -> None:
    """JSON with an error code, as the service has it for each."""
    answer = get(arm, path, {"api-version": version} if version else {})

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("code", "status", "seconds"),
    [("TooManyRequests", 429, 17), ("InternalServerError", 500, None), ("ServerTimeout", 503, 2)],
)
def test_failures_come_as_told(arm: Sandbox, code: str, status: int, seconds: int | None) -> None:
    """Two refusals with Retry-After where seconds are given, then the right answer; the other region's is untouched."""
    arm.faults.refuse_arm_next(2, code, seconds, only="location eq 'eastus'")
    other = skus(arm, "location eq 'westus3'")
    found = [skus(arm, "location eq 'eastus'") for _ in range(3)]

    assert [one.status_code for one in (other, *found)] == [200, status, status, 200]
    assert found[0].headers.get("Retry-After") == (None if seconds is None else str(seconds))
    assert found[0].json()["error"]["code"] == code


def test_a_failure_can_be_of_one_query(arm: Sandbox) -> None:
    """A 429 for the query of prices, whose text the request's record holds; a query of rates is answered."""
    arm.faults.refuse_arm_next(1, "RateLimiting", 5, only="skuspotpricehistory")
    refused, good = ask(arm, PRICES), ask(arm, PRICES.replace("skuspotpricehistory/ostype", "skuspotevictionrate"))

    assert (refused.status_code, refused.headers["Retry-After"], good.status_code) == (429, "5", 200)
    assert arm.requests[0] == f"{GRAPH}?api-version=2021-03-01 {PRICES}"


def test_calls_of_ec2_go_on_when_resource_manager_fails(arm: Sandbox) -> None:
    """What fails Resource Manager leaves a POST to EC2's path alone, and the other way round."""
    arm.faults.refuse_next(1, "RequestLimitExceeded")
    assert ask(arm, PRICES).status_code == 200
    assert requests.post(f"{arm.ec2_url}/", data={"Action": "DescribeRegions"}, timeout=20).status_code == 503
    assert requests.post(f"{arm.arm_url}/providers/other", headers=TOKEN, timeout=20).status_code == 405


def test_good_answers_tell_what_is_left(arm: Sandbox) -> None:
    """The budgets of reads for a subscription and of a tenant, and the id of the request."""
    assert int(skus(arm).headers["x-ms-ratelimit-remaining-subscription-reads"]) > 0
    assert int(get(arm, "/subscriptions", OF_PLACES).headers["x-ms-ratelimit-remaining-tenant-reads"]) > 0
    assert len(skus(arm).headers["x-ms-request-id"]) == 36


def test_paths_are_the_same_in_any_case(arm: Sandbox) -> None:
    """As Resource Manager has it."""
    path = f"/SUBSCRIPTIONS/{FIRST}/providers/microsoft.compute/SKUs"

    assert get(arm, path, {"api-version": "2021-07-01"}).json() == skus(arm).json()


def test_subscriptions_are_listed_with_their_state(arm: Sandbox) -> None:
    """Two that are enabled and one that isn't, all of one tenant."""
    content = get(arm, "/subscriptions", OF_PLACES).json()
    states = {one["subscriptionId"]: one["state"] for one in content["value"]}

    assert states == {FIRST: "Enabled", SECOND: "Enabled", DISABLED: "Disabled"}
    assert content["count"] == {"type": "Total", "value": 3}
    assert len({one["tenantId"] for one in content["value"]}) == 1


def test_locations_are_the_public_regions_and_a_few_that_are_none(arm: Sandbox) -> None:
    """Every public and canary region is physical, none of Government or China is there; "global" is logical."""
    found = get(arm, f"/subscriptions/{FIRST}/locations", OF_PLACES).json()["value"]
    types = {one["name"]: one["metadata"]["regionType"] for one in found}
    expected = {region for region, kind in kinds().items() if kind in (PUBLIC, WITHOUT_GPUS, CANARY)}

    assert {name for name, kind in types.items() if kind == "Physical"} == expected
    assert types["global"] == "Logical"
    assert {one["name"]: one["displayName"] for one in found}["westus3"] == "West US 3"


def test_a_zone_has_another_number_in_another_subscription(arm: Sandbox) -> None:
    """/locations tells which physical zone each number stands for, and a size is in the same one for both.

    ND96isr_H100_v5 of eastus was recorded in zones 1 and 3 on 2026-08-01.
    """
    physical = {}
    differ = set()
    for subscription in (FIRST, SECOND):
        places = get(arm, f"/subscriptions/{subscription}/locations", OF_PLACES).json()["value"]
        named = {
            one["name"]: {pair["logicalZone"]: pair["physicalZone"] for pair in one["availabilityZoneMappings"]}
            for one in places
            if "availabilityZoneMappings" in one
        }
        differ.add(tuple(tuple(sorted(pairs.items())) for pairs in named.values()))
        assert set(named) == zoned_regions()
        (info,) = size(arm, "eastus", "Standard_ND96isr_H100_v5", subscription=subscription)["locationInfo"]
        physical[subscription] = {named["eastus"][zone] for zone in info["zones"]}

    assert physical == dict.fromkeys((FIRST, SECOND), {"eastus-az1", "eastus-az3"})
    assert len(differ) == 2


def test_older_versions_tell_no_zones(arm: Sandbox) -> None:
    """The mapping came with 2022-12-01."""
    found = get(arm, f"/subscriptions/{FIRST}/locations", {"api-version": "2022-09-01"}).json()["value"]

    assert not any("availabilityZoneMappings" in one for one in found)
