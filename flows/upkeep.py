"""The commands that look after what is there: rebuild, publish, decide."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.progress import shown
from flows.settings import Settings, person

if TYPE_CHECKING:
    from warehouse.publish import Release


def replay(
    context: typer.Context,
    to: Annotated[
        Path | None, typer.Option(help="Leave the warehouse alone and build it here, to compare.", show_default=False)
    ] = None,
) -> None:
    """Build the warehouse anew from the landing files alone."""
    from flows import loading

    settings: Settings = context.obj
    with shown("replay"):
        loaded = loading.replay(settings, to)
    manifests = sum(done.manifests for done in loaded)
    typer.echo(f"{manifests:,} fetches of {len(loaded)} scopes replayed into {to or settings.warehouse}")
    if to is None:
        typer.echo("`gpu-prices publish` shows it to readers")


def publish(context: typer.Context) -> None:
    """Publish what is loaded, without fetching anything."""
    from flows import loading

    with shown("publish"):
        release = loading.publish_again(context.obj)
    tell_release(release)


def accept(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help="The feed: azure_retail_prices.", show_default=False)],
    scope: Annotated[str, typer.Argument(help="The scope: eastus/USD.", show_default=False)],
    note: Annotated[str, typer.Option(help="Why, for those who come later.", show_default=False)] = "",
) -> None:
    """Say that a fetch held back for lacking too much showed the truth."""
    from flows import loading

    with shown("accept"):
        observed_at, release = loading.accept(context.obj, source, scope, person(), note)
    typer.echo(f"{source} {scope}: the fetch of {observed_at:%Y-%m-%d %H:%M} UTC is accepted, and those held before it")
    tell_release(release)


def tell_release(release: "Release") -> None:
    """Print where a release is, and what the checks noticed."""
    typer.echo(f"published {release.path}, as of {release.as_of:%Y-%m-%d %H:%M} UTC")
    for notice in release.failed_notices:
        typer.echo(f"notice    {notice.check_name.replace('_', ' ')}: not so for {notice.rows:,}")


# Command -> an example that can be pasted.
COMMANDS: Mapping[Callable[..., None], str] = {
    replay: "gpu-prices replay --to /tmp/rebuilt.duckdb",
    publish: "gpu-prices publish",
    accept: "gpu-prices accept azure_retail_prices eastus/USD --note 'the NV series is retired'",
}
