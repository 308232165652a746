"""The questions about the data itself: how fresh, how sound, and any other in SQL; asked of the latest publication."""

from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from flows.asking import Json, Limit, answer, moment
from flows.faults import leave_on_interrupt

SOURCE_COLUMNS = [
    "source", "scopes", "not_fetched", "held", "latest_complete_at", "hours_since_complete", "open_prices",
    "missing_now", "loaded", "duplicates", "excluded", "rejected",
]  # fmt: skip
SCOPE_COLUMNS = [
    "source", "scope", "last_attempt_status", "last_read_as", "last_attempt_at", "last_complete_at", "held_reason",
    "missing_now", "open_prices", "last_error",
]  # fmt: skip
CHECK_COLUMNS = ["must_hold", "kind", "passed", "rows"]


def status(
    context: typer.Context,
    every: Annotated[
        bool, typer.Option("--all", help="All scopes and checks, not only those that want a look.")
    ] = False,
    json: Json = False,
) -> None:
    """How fresh the prices are, what is held back, and what the checks found."""
    from reports import terminal
    from reports.published import open_published

    with open_published(context.obj.home) as published:
        sources = published.ask("status_sources")
        scopes = published.ask("status_scopes", every=every)
        checks = published.ask("status_checks", every=every)
        (publication,) = published.ask("publication").as_records()
        if json:
            parts = {"scopes": scopes.as_records(), "checks": checks.as_records()}
            terminal.show_json(sources, **publication, **parts)
            return
        terminal.note(f"{moment(published)}, in {published.folder}")
        wanted = "" if every else " that want a look"
        for title, rows, columns in (
            ("Sources", sources, SOURCE_COLUMNS),
            (f"Scopes{wanted}", scopes, SCOPE_COLUMNS),
            (f"Checks{wanted}", checks, CHECK_COLUMNS),
        ):
            if rows:
                typer.echo(f"\n{title}")
                terminal.show(rows, columns)


def rejects(
    context: typer.Context,
    source: Annotated[str | None, typer.Option(help="Of one feed: aws_price_list.", show_default=False)] = None,
    scope: Annotated[str | None, typer.Option(help="Of one scope: us-east-1.", show_default=False)] = None,
    reason: Annotated[str | None, typer.Option(help="For one reason.", show_default=False)] = None,
    records: Annotated[bool, typer.Option("--records", help="Each record, not a count by reason.")] = False,
    gone: Annotated[bool, typer.Option("--gone", help="Those too that the latest fetch no longer has.")] = False,
    limit: Limit = 40,
    json: Json = False,
) -> None:
    """Records of the feeds that could not be used, and why."""
    from reports.errors import UnknownName
    from reports.published import open_published

    with open_published(context.obj.home) as published:
        scopes = published.ask("status_scopes", every=True)
        for kind, word, known in (("source", source, "source"), ("scope", scope, "scope")):
            if word is not None:
                UnknownName.unless(kind, word, map(str, scopes.column(known)))
        query = "rejected_records" if records else "rejects"
        rows = published.ask(query, limit=limit, source=source, scope=scope, reason=reason, gone=gone)
        answer(published, rows, None, json, {}, none="No record is rejected.")


def sql(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="One SELECT over the published tables.", show_default=False)],
    limit: Limit = 1000,
    json: Json = False,
) -> None:
    """Your own query over the published tables; it can neither write nor see any other file."""
    leave_on_interrupt()
    from reports.published import open_published

    with open_published(context.obj.home) as published:
        answer(published, published.sql(query, limit), None, json, {}, none="")


# Command -> an example that can be pasted.
COMMANDS: Mapping[Callable[..., None], str] = {
    status: "gpu-prices status",
    rejects: "gpu-prices rejects --source aws_price_list --records",
    sql: "gpu-prices sql 'select region_id, min(price_per_gpu_hour) from prices group by all order by 2'",
}
