"""The commands that bring prices in: today's, those of regions nobody listed, those of the past, all by the clock."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from flows.asking import parse_day
from flows.faults import Unfinished
from flows.progress import logger, shown
from flows.settings import Settings
from flows.upkeep import tell_release

if TYPE_CHECKING:
    from flows.refresh import Outcome
    from flows.wanted import Wanted

Regions = Annotated[
    list[str] | None,
    typer.Option("--region", help="Only this region, or a pattern: 'eu-*'. May be repeated.", show_default=False),
]
Partitions = Annotated[
    list[str] | None,
    typer.Option(
        "--partition",
        help="In place of the public ones: aws-cn, aws-us-gov, azure-us-gov; a pattern, '*' for all. May be repeated.",
        show_default=False,
    ),
]


DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say how many files, requests and bytes it takes, and fetch nothing.")
]


def parse_schedule(text: str) -> str:
    """A time of the day, or a cron expression."""
    if re.fullmatch(r"([01]?\d|2[0-3]):[0-5]\d", text) or len(text.split()) == 5:
        return text
    raise typer.BadParameter(f"'{text}' is no time, like 06:15, and no cron expression, like '15 */6 * * *'")


def cron(schedule: str, weekday: str) -> str:
    """A schedule as cron: a time of the day is meant for each `weekday` (0 to 6, * for all)."""
    hour, colon, minute = schedule.partition(":")
    return f"{int(minute)} {int(hour)} * * {weekday}" if colon else schedule


def refresh(
    context: typer.Context,
    provider: Annotated[str | None, typer.Option(help="Only aws or azure.", show_default=False)] = None,
    source: Annotated[str | None, typer.Option(help="Only one feed: aws_price_list.", show_default=False)] = None,
    region: Regions = None,
    partition: Partitions = None,
    currency: Annotated[
        list[str] | None,
        typer.Option(
            help="Also the exchange rate of this currency (EUR), now and at each refresh after. May be repeated.",
            show_default=False,
        ),
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Fetch today's price lists, load what came and publish."""
    settings: Settings = context.obj
    currencies = [word.upper() for word in currency or () if word.upper() != "USD"]  # which needs no rate
    if dry_run:
        from flows.wanted import Wanted

        tell_needs(settings, Wanted(provider, source, region or (), partition or (), currencies))
        return
    from flows.server import prefect_server

    with shown("refresh"), prefect_server(settings):
        from flows.runs import run_refresh

        outcome = run_refresh(
            settings,
            provider=provider,
            source=source,
            regions=region or (),
            partitions=partition or (),
            currencies=currencies,
        )
    tell(outcome)


def discover(context: typer.Context) -> None:
    """Look for regions that nobody listed: one walk over all of Azure's, loaded and published. Weekly is enough."""
    settings: Settings = context.obj
    from flows.server import prefect_server

    with shown("discover"), prefect_server(settings):
        from flows.runs import run_discover

        outcome = run_discover(settings)
    tell_found(outcome)


def backfill(
    context: typer.Context,
    since: Annotated[date, typer.Option(help="From this UTC day on.", parser=parse_day, show_default=False)],
    provider: Annotated[str | None, typer.Option(help="Only aws or azure.", show_default=False)] = None,
    region: Regions = None,
    partition: Partitions = None,
    dry_run: DryRun = False,
) -> None:
    """Fill the time before the first refresh: from AWS's earlier price lists, and what Azure tells of earlier prices.

    What has landed is not fetched again: broken off, it goes on where it stopped.
    """
    settings: Settings = context.obj
    from flows import backfilling
    from flows.loading import load_and_publish
    from flows.wanted import Wanted
    from warehouse.landing import Landing

    wanted = Wanted(provider=provider, regions=region or (), partitions=partition or ())
    files = backfilling.lacking(settings, since, wanted)
    scopes, versions = {file.scope for file in files}, {file.version for file in files}
    typer.echo(f"lacking   {len(files):,} files: {len(versions)} versions of {len(scopes)} locations")
    windows = backfilling.lacking_windows(settings, since, wanted)
    regions = {window.first.scope for window in windows}
    told = f"{len(windows):,} windows of earlier prices in what has landed of {len(regions)} scopes"
    typer.echo(f"          {told}: nothing to fetch")
    if dry_run:
        from flows.estimating import backfill_size

        size = backfill_size(settings, files)
        typer.echo(f"takes     {size.requests:,} requests, {said_bytes(size.bytes, 'about ')}")
        return
    if not (files or windows or Landing(settings.landing).scopes()):
        return
    failed = []
    with shown("backfill"):
        backfilling.land(settings, windows)
        for number, (file, answer) in enumerate(backfilling.backfill(settings, files), start=1):
            if isinstance(answer, Exception):
                failed.append(f"{file.scope} {file.version}")
                logger.warning("%s %s: %s", file.scope, file.version, answer, extra={"step": (number, len(files))})
            else:
                said = f"{answer.records:,} records of {answer.lines_read:,}"
                logger.info("%s %s: %s", file.scope, file.version, said, extra={"step": (number, len(files))})
    # Also if nothing is lacking: a run that was broken off may have landed all and loaded nothing.
    loaded, release = load_and_publish(settings, "gpu-prices backfill")
    opened, changed = (sum(getattr(done, name) for done in loaded) for name in ("opened", "changed"))
    typer.echo(f"loaded    {opened:,} prices opened, {changed:,} changed in the history of {len(loaded)} scopes")
    tell_release(release)
    if failed:
        raise Unfinished(f"{len(failed)} of {len(files)} files failed: {named(failed)}; run it again for those")


def serve(
    context: typer.Context,
    at: Annotated[
        str,
        typer.Option(help="When to refresh: HH:MM, or cron in quotes ('15 */6 * * *'). UTC.", parser=parse_schedule),
    ] = "06:15",
    walk_at: Annotated[
        str, typer.Option(help="When to walk: HH:MM on Mondays, or cron in quotes. UTC.", parser=parse_schedule)
    ] = "03:15",
    partition: Partitions = None,
    port: Annotated[
        int, typer.Option(help="Port of the page, unless you have a Prefect server.", min=1, max=65535)
    ] = 4200,
) -> None:
    """Refresh daily and look for new regions weekly, until Ctrl-C; with a page that shows each run."""
    settings: Settings = context.obj
    from flows.server import prefect_server
    from flows.settings import pass_home_on

    pass_home_on(settings.home)
    with shown("serve"), prefect_server(settings, port):
        from flows.serving import serve as serve_both

        serve_both(settings, cron(at, "*"), cron(walk_at, "1"), partition or ())


def tell_needs(settings: Settings, wanted: "Wanted") -> None:
    """Print what a refresh would take, a line for each source and partition."""
    from flows.estimating import refresh_needs

    for need in refresh_needs(settings, wanted):
        place = f"{need.source} {need.partition}"
        fetched = need.scopes - need.unchanged
        told = need.bytes if need.unknown < fetched or not fetched else None
        more = f", {need.unknown} of unknown length" if need.unknown and told is not None else ""
        takes = f"{need.requests:,} requests, {said_bytes(told)}{more}"
        typer.echo(f"{place}: {fetched:,} of {need.scopes:,} scopes to fetch; {takes}")


def said_bytes(count: int | None, about: str = "") -> str:
    """A number of bytes as people read it: 812.4 MB."""
    if count is None:
        return "bytes unknown beforehand"
    amount = float(count)
    for unit in ("bytes", "kB", "MB"):
        if amount < 1000:
            return f"{about}{amount:,.0f} {unit}" if unit == "bytes" else f"{about}{amount:,.1f} {unit}"
        amount /= 1000
    return f"{about}{amount:,.1f} GB"


def tell(outcome: "Outcome") -> None:
    """Print what a refresh did; raises Unfinished if part of it failed."""
    statuses = [manifest.status for manifest in outcome.fetched.values()]
    fetched = ", ".join(
        f"{statuses.count(status)} {status}" for status in ("complete", "unchanged") if status in statuses
    )
    typer.echo(f"fetched   {len(statuses)} scopes{': ' if fetched else ''}{fetched}")
    for source, reason in outcome.not_asked.items():
        typer.echo(f"not asked {source}: {reason}")
    opened, changed, closed = (
        sum(getattr(done, name) for done in outcome.loaded) for name in ("opened", "changed", "closed")
    )
    typer.echo(f"loaded    {opened:,} prices opened, {changed:,} changed, {closed:,} closed")
    for done in outcome.loaded:
        if done.held:
            typer.echo(
                f"held      {done.source} {done.scope}: `gpu-prices accept {done.source} {done.scope}` if it is right"
            )
    if outcome.release is not None:
        tell_release(outcome.release)
    if outcome.failed:
        if outcome.release is None:
            raise Unfinished(
                f"nothing was fetched, so there is nothing to publish: {next(iter(outcome.failed.values()))}"
            )
        raise Unfinished(f"{len(outcome.failed)} failed, and their old prices stand: {named(sorted(outcome.failed))}")


def tell_found(outcome: "Outcome") -> None:
    """Print what a walk over all places found; raises Unfinished if it failed or stopped short."""
    for manifest in outcome.found:
        place = f"{manifest.source} {manifest.scope}"
        typer.echo(f"found     {place}: {manifest.records:,} records; refresh asks it by itself from now on")
    if not outcome.found and not outcome.failed:
        typer.echo("found     nothing: every region that sells GPUs is one we ask")
    if outcome.release is not None:
        tell_release(outcome.release)
    if outcome.failed:
        raise Unfinished("; ".join(f"{name}: {reason}" for name, reason in sorted(outcome.failed.items())))


def named(failed: Sequence[str], most: int = 5) -> str:
    """The names of what failed, as many as fit in a line; each has had a line of its own with its reason."""
    others = len(failed) - most
    return ", ".join(failed[:most]) + (f" and {others} more" if others > 0 else "")


# Command -> an example that can be pasted.
COMMANDS: Mapping[Callable[..., None], str] = {
    refresh: "gpu-prices refresh --provider aws --region 'us-*'",
    discover: "gpu-prices discover",
    backfill: "gpu-prices backfill --since 2025-01-01 --region 'us-*' --dry-run",
    serve: "gpu-prices serve --at 06:15",
}
