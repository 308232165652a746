"""The commands that need no network: the stand-in for the clouds, and a tour of the whole pipeline against it."""

import fnmatch
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.faults import Fault, Unfinished
from flows.progress import logger, shown
from flows.settings import Settings, stand_in_account, url_variable

if TYPE_CHECKING:
    from connectors.sandbox import Sandbox

# Says that a folder is a demo's, so that the next demo may replace what is in it.
MARK = "this-is-a-demo"
REPLACED = ("landing", "releases", "published", "warehouse.duckdb", "warehouse.duckdb.wal")


def sandbox(
    context: typer.Context,
    port: Annotated[int, typer.Option(help="Port on this machine.", min=1, max=65535)] = 8765,
    aws_date: Annotated[
        str | None, typer.Option(help="Answer for AWS as on this day.", show_default="the last")
    ] = None,
    azure_date: Annotated[str | None, typer.Option(help="The same for Azure.", show_default="the last")] = None,
) -> None:
    """Answer as the clouds do, from recorded prices, until Ctrl-C."""
    from connectors.sandbox import DATES, serve
    from reports.errors import UnknownName

    days = {"aws": aws_date or str(DATES["aws"][-1]), "azure": azure_date or str(DATES["azure"][-1])}
    for provider, day in days.items():
        UnknownName.unless(f"day of {provider}", day, map(str, DATES[provider]))
    typer.echo(f"AWS as on {days['aws']}, Azure as on {days['azure']}; to be asked by another shell:")
    for source in ("aws_price_list", "azure_retail_prices"):
        typer.echo(f"export {url_variable(source)}=http://127.0.0.1:{port}")
    serve(port, days["aws"], days["azure"])


def demo(
    context: typer.Context,
    region: Annotated[
        list[str] | None, typer.Option(help="Only this region, or a pattern such as 'eu*'; may be repeated.")
    ] = None,
) -> None:
    """Run the whole pipeline on recorded prices of 2025 and 2026, and show what comes out."""
    asked: Settings = context.obj
    settings = replace(asked, home=asked.home / "demo")
    wanted = wanted_regions(region or ["*"])
    from flows.server import prefect_server

    make_fresh(settings.home)
    typer.echo("Recorded prices of AWS and Azure, of the days named below: not today's. Nothing leaves this machine.")
    with shown("demo", only_kept=True), prefect_server(settings):
        stand_in = refresh_each_day(settings, wanted)

    from flows.tour import show_answers, show_ways_on
    from reports.published import open_published

    with open_published(settings.home) as published:
        show_answers(published, stand_in)
    show_ways_on(settings.home)


def make_fresh(home: Path) -> None:
    """An empty demo home; Prefect's own files stay, its database takes ten seconds to make.

    Raises:
        Fault: the folder holds something else.
        WarehouseBusy: another demo is running in it.
    """
    from warehouse.database import writer_lock

    if home.exists() and any(home.iterdir()) and not (home / MARK).exists():
        raise Fault(f"{home} is not a demo's folder: move it away, or name another with --home")
    with writer_lock(home, "gpu-prices demo"):
        (home / MARK).touch()
        for name in REPLACED:
            path = home / name
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def wanted_regions(patterns: Sequence[str]) -> dict[str, list[str]]:
    """By provider, those of the patterns that name a region of it.

    Raises:
        UnknownName: a pattern names none of any.
    """
    from connectors.sandbox import REGIONS
    from reports.errors import UnknownName

    found = {
        provider: [pattern for pattern in patterns if fnmatch.filter(regions, pattern)]
        for provider, regions in REGIONS.items()
    }
    for pattern in patterns:
        if not any(pattern in known for known in found.values()):
            raise UnknownName("region", pattern, [region for regions in REGIONS.values() for region in regions])
    return found


def refresh_each_day(settings: Settings, regions: Mapping[str, Sequence[str]]) -> "Sandbox":
    """Run the refresh flow on each recorded day, in the order of time, as it would have run then.

    A day's figures are of one provider; on the last day the others are asked once more, and have nothing new. Of AWS
    only the price list is asked until then: what the stand-in has of plans and blocks was never recorded, on no day.

    Returns the stand-in for the clouds, which has stopped to answer but still knows its figures.

    Raises:
        Unfinished: a scope failed, which the stand-in gives no reason for.
    """
    from connectors import SOURCES
    from connectors.sandbox import DATES, Sandbox
    from flows.runs import run_refresh

    stand_in_account()
    with Sandbox() as stand_in:
        there = replace(settings, base_urls={source.name: stand_in.url for source in SOURCES})
        asked = {provider: patterns for provider, patterns in regions.items() if patterns}
        days = sorted((day, provider) for provider in asked for day in DATES[provider])
        for day, provider in days:
            stand_in.set_date(provider, day)
            then = there.at(stand_in.observed_at(provider))
            last = (day, provider) == days[-1]
            if last and len(asked) > 1:
                outcome = run_refresh(then, regions=sorted({name for names in asked.values() for name in names}))
            else:
                source = "aws_price_list" if provider == "aws" and not last else None
                outcome = run_refresh(then, provider=provider, source=source, regions=asked[provider])
            if outcome.failed:
                raise Unfinished(f"{day} {provider}: {'; '.join(f'{k}: {v}' for k, v in outcome.failed.items())}")
            opened, changed, closed = (
                sum(getattr(done, name) for done in outcome.loaded) for name in ("opened", "changed", "closed")
            )
            said = f"{day} {provider}: {opened:,} prices opened, {changed:,} changed, {closed:,} closed"
            logger.info(said, extra={"keep": True})
    return stand_in


# Command -> an example that can be pasted.
COMMANDS: Mapping[Callable[..., None], str] = {
    demo: "gpu-prices demo",
    sandbox: "gpu-prices sandbox --port 8765",
}
