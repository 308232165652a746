"""Azure Resource Manager as its host answers: who asks, which version, and what is asked for.

GET  /subscriptions
GET  /subscriptions/{id}/locations
GET  /subscriptions/{id}/providers/Microsoft.Compute/skus
POST /providers/Microsoft.ResourceGraph/resources

The case of a path doesn't matter. Any bearer token is good, unless a switch refuses it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import parse_qsl, urlsplit

from connectors.sandbox import arm_places, arm_sku_pages, graph, graph_table
from connectors.sandbox.answer import Answer
from connectors.sandbox.arm_errors import CONTENT_TYPE, ArmRefusal
from connectors.sandbox.arm_places import SUBSCRIPTIONS, Subscription
from connectors.sandbox.arm_skus import View
from connectors.sandbox.arm_switches import ArmFaults, ArmUnverified
from connectors.sandbox.azure_faults import Window
from connectors.sandbox.ec2_places import digest
from connectors.sandbox.faults import Faults

GRAPH_PATH = "/providers/microsoft.resourcegraph/resources"
SUBSCRIPTIONS_PATH = "/subscriptions"
OF_A_SUBSCRIPTION = re.compile(r"/subscriptions/([^/]+)/(locations|providers/microsoft\.compute/skus)")
SKU_VERSIONS = ("2017-03-30", "2017-09-01", "2019-04-01", "2021-07-01")
PLACE_VERSIONS = ("2016-06-01", "2018-02-01", "2019-11-01", "2020-01-01", "2021-01-01", "2022-09-01", "2022-12-01")
ACTIONS = {
    "locations": "Microsoft.Resources/subscriptions/locations/read",
    "providers/microsoft.compute/skus": "Microsoft.Compute/skus/read",
}
GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Budgets of the token bucket; how they refill needs a clock, and so they never run out here.
READS = {"x-ms-ratelimit-remaining-subscription-reads": "249"}
GLOBAL_READS = {"x-ms-ratelimit-remaining-subscription-global-reads": "3749"}
TENANT_READS = {"x-ms-ratelimit-remaining-tenant-reads": "11999"}


@dataclass(frozen=True, slots=True)
class Scene:
    """What an answer depends on beside the request."""

    url: str
    day: date
    full: bool
    page_size: int
    all_faults: Faults
    unverified: ArmUnverified
    window: Window

    @property
    def faults(self) -> ArmFaults:
        """The switches of Resource Manager."""
        return self.all_faults.arm


def is_path(path: str) -> bool:
    """Is a path one of Resource Manager's?"""
    lowered = path.lower()
    return lowered == SUBSCRIPTIONS_PATH or lowered.startswith(("/subscriptions/", "/providers/"))


def is_graph(path: str) -> bool:
    """Is a path the one that queries are sent to?"""
    return path.lower() == GRAPH_PATH


def get(target: str, headers: Mapping[str, str], scene: Scene) -> Answer:
    """The answer to a GET; `headers` by names such as Accept-Encoding."""
    try:
        _check_token(headers, scene.faults)
        parts = urlsplit(target)
        content, budget = _content(parts.path.lower(), dict(parse_qsl(parts.query)), scene)
    except ArmRefusal as refusal:
        return refusal.answer()
    return Answer(200, json.dumps(content).encode(), {"Content-Type": CONTENT_TYPE, **_ids(target), **budget})


def post(target: str, headers: Mapping[str, str], body: bytes, scene: Scene) -> Answer:
    """The answer to a query of Resource Graph."""
    try:
        _check_token(headers, scene.faults)
        version = dict(parse_qsl(urlsplit(target).query)).get("api-version", "")
        _check_version(version, graph.VERSIONS)
        _check_action("Microsoft.ResourceGraph/resources/read", scene.faults)
        rows = graph_table.Rows(scene.day, scene.full, frozenset(scene.all_faults.omitted_regions))
        manner = graph.Manner(scene.page_size, scene.all_faults, scene.unverified, scene.window)
        answer = graph.answer(body, version, rows, manner)
    except ArmRefusal as refusal:
        return refusal.answer()
    return Answer(answer.status, answer.body, {**answer.headers, **_ids(target), **TENANT_READS})


def _content(path: str, asked: Mapping[str, str], scene: Scene) -> tuple[dict[str, object], Mapping[str, str]]:
    version = asked.get("api-version", "")
    if path == SUBSCRIPTIONS_PATH:
        _check_version(version, PLACE_VERSIONS)
        return arm_places.subscriptions(), TENANT_READS
    found = OF_A_SUBSCRIPTION.fullmatch(path)
    if found is None:
        raise ArmRefusal("NotFound")
    subscription, what = _subscription(found[1]), found[2]
    _check_action(ACTIONS[what], scene.faults)
    without = frozenset(scene.all_faults.omitted_regions)
    if what == "locations":
        _check_version(version, PLACE_VERSIONS)
        return arm_places.locations(subscription, version, without), READS
    _check_version(version, SKU_VERSIONS)
    shelf = arm_sku_pages.Shelf(scene.day, scene.full, without, frozenset(scene.faults.without_skus))
    view = View(subscription, scene.faults, scene.unverified)
    manner = arm_sku_pages.Manner(
        scene.url, scene.page_size, scene.all_faults.unknown_column, scene.all_faults.missing_column
    )
    return arm_sku_pages.page(asked, shelf, view, manner), READS | GLOBAL_READS


def _subscription(given: str) -> Subscription:
    if not GUID.fullmatch(given):
        message = f"The provided subscription identifier '{given}' is malformed or invalid."
        raise ArmRefusal("InvalidSubscriptionId", message)
    for one in SUBSCRIPTIONS:
        if one.id == given:
            return one
    raise ArmRefusal("SubscriptionNotFound", f"The subscription '{given}' could not be found.")


def _check_token(headers: Mapping[str, str], faults: ArmFaults) -> None:
    given = headers.get("Authorization", "")
    if not given:
        raise ArmRefusal("AuthenticationFailed")
    scheme, _, token = given.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise ArmRefusal("AuthenticationFailedInvalidHeader")
    if token.strip() in faults.refused_tokens:
        raise ArmRefusal("InvalidAuthenticationToken")
    if token.strip() in faults.expired_tokens:
        raise ArmRefusal("ExpiredAuthenticationToken")


def _check_version(version: str, known: tuple[str, ...]) -> None:
    if not version:
        message = "The api-version query parameter (?api-version=) is required for all requests."
        raise ArmRefusal("MissingApiVersionParameter", message)
    if version not in known:
        message = f"The api-version '{version}' is invalid. The supported versions are '{','.join(known)}'."
        raise ArmRefusal("InvalidApiVersionParameter", message)


def _check_action(action: str, faults: ArmFaults) -> None:
    if action in faults.forbidden:
        message = f"The client does not have authorization to perform action '{action}' or the scope is invalid."
        raise ArmRefusal("AuthorizationFailed", message)


def _ids(target: str) -> dict[str, str]:
    """Ids of the request, the same for the same one."""
    number = f"{digest(target):016x}"
    request_id = f"{number[:8]}-{number[8:12]}-4{number[13:]}-8000-000000000000"
    return {"x-ms-request-id": request_id, "x-ms-correlation-request-id": request_id}
