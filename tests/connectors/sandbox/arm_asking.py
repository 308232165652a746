"""The stand-in asked as Azure Resource Manager is: plain requests with a bearer token."""

from collections.abc import Mapping
from typing import Any

import requests

from connectors.sandbox import Sandbox
from connectors.sandbox.arm_places import SUBSCRIPTIONS

FIRST, SECOND, DISABLED = (one.id for one in SUBSCRIPTIONS)
TOKEN = {"Authorization": "Bearer a-token"}
GRAPH = "/providers/Microsoft.ResourceGraph/resources"
PRICES = "SpotResources | where type =~ 'microsoft.compute/skuspotpricehistory/ostype/location'"
RATES = "SpotResources | where type =~ 'microsoft.compute/skuspotevictionrate/location'"
SHOWN = (
    "project id, skuName=tostring(sku.name), location, osType=tostring(properties.osType), "
    "spotPrices=properties.spotPrices | order by id asc"
)


def get(sandbox: Sandbox, path: str, asked: Mapping[str, str], headers: Mapping[str, str] = TOKEN) -> requests.Response:
    """The answer to a GET of a path and parameters, with a token unless other headers are given."""
    return requests.get(sandbox.arm_url + path, params=dict(asked), headers=dict(headers), timeout=20)


def skus(sandbox: Sandbox, filter: str = "", subscription: str = FIRST, **asked: str) -> requests.Response:
    """The first page of the SKUs that pass a filter."""
    wanted = {"api-version": "2021-07-01"} | ({"$filter": filter} if filter else {}) | asked
    return get(sandbox, f"/subscriptions/{subscription}/providers/Microsoft.Compute/skus", wanted)


def all_skus(sandbox: Sandbox, filter: str = "", **asked: str) -> tuple[list[dict[str, Any]], int]:
    """(all SKUs along the links, number of pages); at most 50 pages."""
    page = skus(sandbox, filter, **asked).json()
    found, pages = list(page["value"]), 1
    while page.get("nextLink") and pages < 50:
        page = requests.get(page["nextLink"], headers=TOKEN, timeout=20).json()
        found += page["value"]
        pages += 1
    return found, pages


def size(sandbox: Sandbox, region: str, name: str, **asked: str) -> dict[str, Any]:
    """The one SKU of a size in a region."""
    (found,) = [sku for sku in all_skus(sandbox, f"location eq '{region}'", **asked)[0] if sku["name"] == name]
    return found


def capabilities(sku: dict[str, Any]) -> dict[str, Any]:
    """The capabilities of a SKU by name."""
    return {one["name"]: one["value"] for one in sku.get("capabilities", ())}


def ask(
    sandbox: Sandbox, query: str, subscriptions: list[str] | None = None, version: str = "2021-03-01", **options: Any
) -> requests.Response:
    """The answer to a query of Resource Graph; `options` with a $ before top, skip and skipToken."""
    named = {(f"${name}" if name in ("top", "skip", "skipToken") else name): given for name, given in options.items()}
    body: dict[str, Any] = {"query": query, "options": named}
    if subscriptions is not None:
        body["subscriptions"] = subscriptions
    url = f"{sandbox.arm_url}{GRAPH}?api-version={version}"
    return requests.post(url, json=body, headers=TOKEN, timeout=20)


def graph_pages(sandbox: Sandbox, query: str, **options: Any) -> list[dict[str, Any]]:
    """All answers to a query along the tokens, at most 50."""
    found = [ask(sandbox, query, **options).json()]
    while "$skipToken" in found[-1] and len(found) < 50:
        found.append(ask(sandbox, query, **options | {"skipToken": found[-1]["$skipToken"]}).json())
    return found


def rows(sandbox: Sandbox, query: str, **options: Any) -> list[dict[str, Any]]:
    """All rows of a query."""
    return [row for page in graph_pages(sandbox, query, **options) for row in page["data"]]
