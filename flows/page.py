"""What stands on Prefect's page of a run: what happened, and the first rows of what was published."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from prefect.artifacts import create_markdown_artifact, create_table_artifact

from reports.published import Rows, open_published
from reports.terminal import plain
from warehouse.landing import Manifest
from warehouse.load import Loaded

SHOWN_TABLES = ("prices", "price_changes", "sources")


def show_on_page(
    flow: str,
    fetched: Mapping[tuple[str, str], Manifest],
    failed: Mapping[str, str],
    loaded: Iterable[Loaded],
    home: Path,
) -> None:
    """Leave a run's artifacts: a summary, a row for each scope that it loaded, the heads of published tables."""
    with open_published(home) as published:
        accounts = {
            (row["source"], row["scope"]): row for row in published.ask("status_scopes", every=True).as_records()
        }
        scopes = [scope_row(done, fetched, accounts[done.source, done.scope]) for done in loaded if not done.error]
        create_markdown_artifact(key=f"{flow}-summary", markdown=summary(scopes, len(fetched), failed))
        create_table_artifact(key=f"{flow}-scopes", table=scopes)
        for table in SHOWN_TABLES:
            create_table_artifact(key=f"published-{table.replace('_', '-')}", table=page_rows(published.head(table)))


def summary(scopes: list[dict[str, Any]], fetched: int, failed: Mapping[str, str]) -> str:
    """The run in Markdown: counts, then each failure with its reason."""
    counts = {"scopes fetched": fetched, "failed": len(failed)}
    counts |= {f"records {name}": sum(scope[name] for scope in scopes) for name in ("loaded", "excluded", "rejected")}
    counts |= {"scopes held": sum(scope["held"] for scope in scopes)}
    lines = [
        f"| {' | '.join(counts)} |",
        "|---" * len(counts) + "|",
        f"| {' | '.join(map(str, counts.values()))} |",
        "",
    ]
    return "\n".join([*lines, *(f"- **{name}**: {reason}" for name, reason in sorted(failed.items()))])


def scope_row(done: Loaded, fetched: Mapping[tuple[str, str], Manifest], account: Mapping[str, Any]) -> dict[str, Any]:
    """One scope: how its fetch ended, what became of its records, and what its load did."""
    manifest = fetched.get((done.source, done.scope))
    return {
        "source": done.source,
        "scope": done.scope,
        "fetched": account["last_attempt_status"] if manifest is None else manifest.status,
        **{name: account[name] or 0 for name in ("records", "loaded", "duplicates", "excluded", "rejected")},
        "opened": done.opened,
        "changed": done.changed,
        "closed": done.closed,
        "held": done.held,
    }


def page_rows(rows: Rows) -> list[dict[str, str]]:
    """Rows as Prefect's page takes them: text only."""
    return [{name: plain(value) for name, value in record.items()} for record in rows.as_records()]
