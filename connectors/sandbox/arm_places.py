"""The subscriptions of a tenant, and the regions and zones as each of them sees them.

A zone's number is the subscription's own: what one calls zone 1, another calls zone 3; /locations says which physical
zone is meant. Both subscriptions and what their numbers stand for are made up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from connectors.sandbox.azure_regions import CANARY, PUBLIC, WITHOUT_GPUS
from connectors.sandbox.ec2_places import digest
from connectors.sandbox.facts import read_table

TENANT = "11111111-2222-4333-8444-555555555555"
ZONES = ("1", "2", "3")
Restricted = Literal["as recorded", "never", "by quota"]  # which GPU sizes a subscription may not use
MAPPED_SINCE = "2022-12-01"  # the api-version that /locations tells the zones from
LOGICAL = {"unitedstates": "United States", "europe": "Europe", "global": "Global"}


@dataclass(frozen=True, slots=True)
class Subscription:
    """An account's subscription. What a recorder saw is what the first one sees."""

    id: str
    name: str
    state: str
    quota_id: str
    restricted: Restricted

    def zone(self, region: str, physical: str) -> str:
        """What it calls a zone, which the recorder calls `physical`."""
        turned = 0 if self.restricted == "as recorded" else digest(self.id, region)
        return ZONES[(ZONES.index(physical) + turned) % len(ZONES)]


USUAL_QUOTA, TRIAL_QUOTA = "PayAsYouGo_2014-09-01", "FreeTrial_2014-09-01"
SUBSCRIPTIONS = (
    Subscription("00000000-0000-4000-8000-000000000001", "Recorded", "Enabled", USUAL_QUOTA, "as recorded"),
    Subscription("00000000-0000-4000-8000-000000000002", "Unrestricted", "Enabled", USUAL_QUOTA, "never"),
    Subscription("00000000-0000-4000-8000-000000000003", "Trial", "Disabled", TRIAL_QUOTA, "by quota"),
)


@lru_cache(maxsize=1)
def display_names() -> Mapping[str, str]:
    """Public region -> its display name."""
    return {
        row["region"]: row["display_name"]
        for row in read_table("azure_regions.csv")
        if row["kind"] in (PUBLIC, WITHOUT_GPUS, CANARY)
    }


@lru_cache(maxsize=1)
def zoned_regions() -> frozenset[str]:
    """Regions that a GPU size was recorded in a zone of."""
    return frozenset(row["region"] for row in read_table("azure_sku_places.csv") if row["zones"])


def subscriptions() -> dict[str, object]:
    """The answer to GET /subscriptions."""
    listed = [
        {
            "id": f"/subscriptions/{one.id}",
            "authorizationSource": "RoleBased",
            "managedByTenants": [],
            "subscriptionId": one.id,
            "tenantId": TENANT,
            "displayName": one.name,
            "state": one.state,
            "subscriptionPolicies": {
                "locationPlacementId": "Public_2014-09-01",
                "quotaId": one.quota_id,
                "spendingLimit": "Off",
            },
        }
        for one in SUBSCRIPTIONS
    ]
    return {"value": listed, "count": {"type": "Total", "value": len(listed)}}


def locations(subscription: Subscription, version: str, without: frozenset[str]) -> dict[str, object]:
    """The answer to GET /subscriptions/{id}/locations."""
    regions = [region for region in display_names() if region not in without]
    return {"value": [*(_region(subscription, region, version) for region in regions), *_logical(subscription)]}


def _region(subscription: Subscription, region: str, version: str) -> dict[str, object]:
    shown = display_names()[region]
    told: dict[str, object] = {
        "id": f"/subscriptions/{subscription.id}/locations/{region}",
        "name": region,
        "type": "Region",
        "displayName": shown,
        "regionalDisplayName": shown,
        "metadata": {"regionType": "Physical", "regionCategory": "Recommended" if _zoned(region) else "Other"},
    }
    if _zoned(region) and version >= MAPPED_SINCE:
        pairs = sorted((subscription.zone(region, physical), physical) for physical in ZONES)
        told["availabilityZoneMappings"] = [
            {"logicalZone": logical, "physicalZone": f"{region}-az{physical}"} for logical, physical in pairs
        ]
    return told


def _zoned(region: str) -> bool:
    return region in zoned_regions()


def _logical(subscription: Subscription) -> Iterator[dict[str, object]]:
    """What is no region, and stands among them."""
    for name, shown in LOGICAL.items():
        yield {
            "id": f"/subscriptions/{subscription.id}/locations/{name}",
            "name": name,
            "type": "Region",
            "displayName": shown,
            "regionalDisplayName": shown,
            "metadata": {"regionType": "Logical", "regionCategory": "Other"},
        }
