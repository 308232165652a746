"""Our pipeline on the stand-in, once a provider, and the on-demand Linux prices it publishes."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import duckdb

from connectors import SOURCES
from connectors.sandbox import REGIONS, Sandbox
from flows.fetching import fetch_scope, list_scopes
from flows.loading import load_and_publish
from flows.settings import Settings
from flows.wanted import Wanted, region_of
from tests.judges.compare import Pair

PRICES = Path(__file__).parent / "ours.sql"


def our_prices(sandbox: Sandbox, home: Path) -> Mapping[Pair, Decimal]:
    """Fetch each scope that the stand-in has figures of, load, publish; (provider, region, type) -> USD an hour."""
    settings = Settings(home=home, base_urls={source.name: sandbox.url for source in SOURCES}, code_version="judges")
    for provider in REGIONS:
        then = settings.at(sandbox.observed_at(provider))
        for source, partition in Wanted(provider=provider).asked():
            for scope in list_scopes(source, partition, then).scopes:
                if region_of(scope) in REGIONS[provider]:
                    fetch_scope(source, scope, then)
    load_and_publish(settings, "the judges")
    with duckdb.connect(str(home / "published" / "gpu_prices.duckdb"), read_only=True) as connection:
        rows = connection.execute(PRICES.read_text(encoding="utf-8")).fetchall()
    return {(provider, region, name): price for provider, region, name, price in rows}
