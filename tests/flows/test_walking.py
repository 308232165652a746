"""The walk over all regions of Azure: what it finds lands, is loaded as a partial fetch, and is asked from then on.

Figures: Standard_ND96isr_H100_v5, Linux, on demand: eastus 98.32, southafricawest 186.61.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from connectors.azure_retail_prices import SOURCE
from connectors.errors import SourceChanged
from flows import fetching, walking, wanted
from flows.fetching import NO_LONGER_LISTED, fetch_scope, list_scopes
from flows.loading import load_and_publish
from flows.settings import Settings
from flows.walking import WalkStopped, walk
from reports.published import open_published
from tests.connectors.scripted_server import Reply, ScriptedServer, patient_client, serve
from tests.flows.tiny_source import JUNE, settings_at
from warehouse.landing import Landing

NAME = "azure_retail_prices"
PATH = "/api/retail/prices"


def item(region: object, price: str = "98.32", **fields: object) -> dict[str, object]:
    """The H100 size in a region, as the list has it."""
    return {
        "currencyCode": "USD",
        "tierMinimumUnits": "0.0",
        "retailPrice": price,
        "armRegionName": region,
        "effectiveStartDate": "2023-08-01T00:00:00Z",
        "meterId": f"meter-{region}",
        "meterName": "ND96isr H100 v5",
        "skuId": "DZH318Z09ABC/0001",
        "productName": "Virtual Machines NDsr H100 v5 Series",
        "skuName": "ND96isr H100 v5",
        "serviceName": "Virtual Machines",
        "unitOfMeasure": "1 Hour",
        "type": "Consumption",
        "isPrimaryMeterRegion": True,
        "armSkuName": "Standard_ND96isr_H100_v5",
    } | fields


def page(*items: dict[str, object], following: str | None = None) -> Reply:
    """One page of the list."""
    return Reply(json.dumps({"Items": items, "NextPageLink": following, "Count": len(items)}).encode())


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """Azure's list."""
    with serve() as running:
        yield running


@pytest.fixture
def settings(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A home of June 2025 that asks this server, without patience."""
    monkeypatch.setattr(fetching, "Client", lambda: patient_client([]))
    monkeypatch.setattr(wanted, "SOURCES", (SOURCE,))
    return replace(settings_at(tmp_path, JUNE), base_urls={NAME: server.url})


def regions_asked(settings: Settings) -> set[str]:
    """The regions that a refresh would ask, less those of the reference table."""
    return {scope.partition("/")[0] for scope in list_scopes(SOURCE, SOURCE.provider, settings).scopes} - set(
        fetching.known_regions("azure")
    )


def test_a_region_nobody_listed_is_found_and_published(settings: Settings, server: ScriptedServer) -> None:
    """Two items: eastus is asked by itself, so its record is only counted; the new one has its price at once, and the
    walk says nothing of what it lacks. It is in no region table, and `unmapped_regions` says so."""
    server.script[PATH] = [page(item("eastus"), item("atlantis1", "186.61"))]

    done = walk(SOURCE, settings)
    load_and_publish(settings, "a test")

    assert [(m.scope, m.status, m.records) for m in (done.manifest, *done.found)] == [
        ("*/USD", "complete", 2),
        ("atlantis1/USD", "partial", 1),
    ]
    assert done.found[0].observed_at == done.manifest.observed_at
    with open_published(settings.home) as published:
        prices = published.sql("SELECT region_id, hourly_price FROM prices", 9).values
        places = published.sql("SELECT region_id, open_prices FROM unmapped_regions", 9).values
        account = published.sql(
            "SELECT scope, last_read_as, records, loaded, duplicates, excluded, rejected, exclusions FROM sources", 9
        ).values
        changes = published.sql("SELECT change FROM price_changes", 9).column("change")
    assert list(map(tuple, prices)) == [("atlantis1", Decimal("186.61"))]
    assert list(map(tuple, places)) == [("atlantis1", 1)]
    assert list(map(tuple, account)) == [
        ("*/USD", "complete", 2, 0, 0, 2, 0, '{"own scope":2}'),
        ("atlantis1/USD", "partial", 1, 1, 0, 0, 0, "{}"),
    ]
    assert changes == ["coverage"]  # it was there before we looked: no new offer


def test_a_region_found_is_asked_by_itself_from_then_on(settings: Settings, server: ScriptedServer) -> None:
    """Until it was fetched whole, each walk says what it knows; then the walk has nothing to add."""
    assert regions_asked(settings) == set()
    server.script[PATH] = [page(item("atlantis1"))]
    walk(SOURCE, settings)
    assert regions_asked(settings) == {"atlantis1"}

    assert [manifest.scope for manifest in walk(SOURCE, settings).found] == ["atlantis1/USD"]
    fetch_scope(SOURCE, "atlantis1/USD", settings)
    assert walk(SOURCE, settings).found == []
    statuses = [m.status for m in Landing(settings.landing).manifests(NAME, "atlantis1/USD")]
    assert statuses == ["partial", "partial", "complete"]


@pytest.mark.parametrize("region", ["", "Global", "eastus2euap", "usgovvirginia", "chinaeast", "germanycentral"])
def test_what_is_no_region_of_the_public_list(settings: Settings, server: ScriptedServer, region: str) -> None:
    """No region, a test region, another partition: counted as left out, and nobody asks it."""
    server.script[PATH] = [page(item("eastus"), item(region))]

    assert walk(SOURCE, settings).found == []
    loaded, _ = load_and_publish(settings, "a test")
    assert [done.scope for done in loaded] == ["*/USD"]
    assert regions_asked(settings) == set()
    with open_published(settings.home) as published:
        assert published.sql("SELECT excluded FROM sources", 9).column("excluded") == [2]


@pytest.mark.parametrize("region", ["../../etc", "EastUS", "new region", "*", None])
def test_a_name_that_is_not_spelled_as_a_region_is_rejected(
    settings: Settings, server: ScriptedServer, region: object
) -> None:
    """It never becomes a folder or a question; the record stands among the rejects."""
    server.script[PATH] = [page(item("eastus"), item(region))]

    assert walk(SOURCE, settings).found == []
    load_and_publish(settings, "a test")
    with open_published(settings.home) as published:
        rejected = published.sql("SELECT scope, reason FROM rejected_rows", 9).values
    assert list(map(tuple, rejected)) == [("*/USD", "unforeseen region name")]


def test_a_walk_that_stops_short_lands_what_it_found(settings: Settings, server: ScriptedServer) -> None:
    """The second page never came: both manifests are partial, and the error brings the region along."""
    server.script[PATH] = [page(item("atlantis1"), following=f"{server.url}{PATH}?$skip=1")]
    server.script[f"{PATH}?$skip=1"] = [Reply(b"busy", 503)]

    with pytest.raises(WalkStopped, match=r"at page 2 of \*/USD") as raised:
        walk(SOURCE, settings)

    assert [manifest.scope for manifest in raised.value.walk.found] == ["atlantis1/USD"]
    landing = Landing(settings.landing)
    assert [(scope, landing.manifests(NAME, scope)[0].status) for _, scope in landing.scopes()] == [
        ("*/USD", "partial"),
        ("atlantis1/USD", "partial"),
    ]


def test_a_walk_that_can_not_be_trusted_finds_nothing(settings: Settings, server: ScriptedServer) -> None:
    """An empty list of the whole world: a failed manifest of the walk, and no region."""
    server.script[PATH] = [page()]

    with pytest.raises(SourceChanged, match="no GPU size in any region"):
        walk(SOURCE, settings)
    (manifest,) = Landing(settings.landing).manifests(NAME, "*/USD")
    assert manifest.status == "failed"


def test_a_refresh_does_not_ask_for_the_walk(settings: Settings, server: ScriptedServer) -> None:
    """A region is asked by its name; the walk's own scope is in no list, nor is it missed in one."""
    server.script[PATH] = [page(item("eastus"))]
    walk(SOURCE, settings)
    listed = list_scopes(SOURCE, SOURCE.provider, settings)

    assert "*/USD" not in listed.scopes
    assert listed.gone == []
    assert [m.status for m in Landing(settings.landing).manifests(NAME, "*/USD")] == ["complete"]


def test_a_region_announced_in_our_table_is_found_once_it_sells(
    settings: Settings, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table knows its name, and the refresh doesn't ask it: so the walk is what shows it."""
    monkeypatch.setattr(walking, "known_regions", lambda provider: ["eastus"])
    server.script[PATH] = [page(item("eastus"), item("southafricawest", "186.61"))]

    assert [manifest.scope for manifest in walk(SOURCE, settings).found] == ["southafricawest/USD"]


def test_a_region_that_only_ever_failed_is_not_kept_in_the_list(settings: Settings) -> None:
    """One taken out of our table because it sells nothing yet: failed attempts of the past don't bring it back."""
    fetching.write_failed(SOURCE, "atlantis1/USD", settings, "no virtual machine at all")

    assert regions_asked(settings) == set()
    assert [m.error for m in Landing(settings.landing).manifests(NAME, "atlantis1/USD")] != [NO_LONGER_LISTED]


def test_what_was_found_replays_the_same(settings: Settings, server: ScriptedServer) -> None:
    """A walk, the region's own fetch with another price, loaded together or one after the other: the same history."""
    server.script[PATH] = [page(item("atlantis1"))]
    walk(SOURCE, settings)
    load_and_publish(settings, "a test")
    server.script[PATH] = [page(item("atlantis1", "186.61"))]
    fetch_scope(SOURCE, "atlantis1/USD", settings.at(JUNE + timedelta(days=1)))
    load_and_publish(settings, "a test")

    with open_published(settings.home) as published:
        steps = published.sql("SELECT hourly_price, close_reason FROM price_history ORDER BY valid_from", 9).values
    assert list(map(tuple, steps)) == [(Decimal("98.32"), "changed"), (Decimal("186.61"), "")]
