"""A home with the demo's six days in it, made by the plain functions under the flow: the same without Prefect."""

from pathlib import Path

from connectors import SOURCES
from connectors.sandbox import DATES, Sandbox
from flows.fetching import fetch_scope, list_scopes
from flows.loading import load_and_publish
from flows.settings import Settings
from flows.wanted import Wanted


def make_demo_home(home: Path) -> None:
    """Fetch every location on every recorded day in the order of time as the demo does, load and publish once."""
    with Sandbox() as stand_in:
        settings = Settings(home=home, base_urls={source.name: stand_in.url for source in SOURCES}, code_version="test")
        days = sorted((day, provider) for provider, days in DATES.items() for day in days)
        for day, provider in days:
            stand_in.set_date(provider, day)
            then = settings.at(stand_in.observed_at(provider))
            last = (day, provider) == days[-1]
            wanted = Wanted() if last else Wanted(provider, "aws_price_list" if provider == "aws" else None)
            for source, partition in wanted.asked():
                for scope in list_scopes(source, partition, then).scopes:
                    fetch_scope(source, scope, then)
        load_and_publish(settings, "a test")
