"""The questions about prices: asked of the latest publication, without a network, and waiting for nobody."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from flows.asking import (
    AnyGpu,
    Bought,
    Count,
    Currency,
    Gpu,
    Json,
    Limit,
    Provider,
    Region,
    System,
    answer,
    fraction,
    list_currencies,
    offers,
    parse_day,
)

if TYPE_CHECKING:
    from reports.published import Rows

OFFER = [
    "operating_system", "purchase_option", "offering_class", "payment_option", "term_months",
]  # fmt: skip
FIND_COLUMNS = [
    "provider", "region_id", "zone_id", "instance_type", "gpu_model", "gpu_count", *OFFER, "currency",
    "price_per_gpu_hour", "effective_hourly_price", "valid_from", "hours_since_seen", "missing_since",
]  # fmt: skip
HISTORY_COLUMNS = [
    "provider", "region_id", "zone_id", "instance_type", "gpu_count", *OFFER, "currency",
    "valid_from", "valid_to", "effective_hourly_price", "price_per_gpu_hour", "change_ratio", "close_reason",
]  # fmt: skip
CHANGES_COLUMNS = [
    "changed_at", "change", "provider", "region_id", "zone_id", "instance_type", *OFFER, "currency",
    "previous_effective_hourly_price", "effective_hourly_price", "change_ratio",
]  # fmt: skip
SPREAD_COLUMNS = [
    "gpu_model", "provider", *OFFER, "currency", "region_rank", "region_id", "price_per_gpu_hour",
    "instance_type", "premium_over_cheapest_ratio", "premium_over_home_ratio",
]  # fmt: skip
SAVINGS_COLUMNS = [
    "provider", "region_id", "instance_type", "gpu_count", *OFFER, "currency", "effective_hourly_price",
    "on_demand_hourly_price", "saving_ratio", "break_even_utilization", "break_even_month",
]  # fmt: skip


def find(
    context: typer.Context,
    gpu: Gpu,
    count: Count = None,
    provider: Provider = None,
    region: Region = None,
    option: Bought = "on_demand",
    os: System = "linux",
    currency: Currency = "USD",
    limit: Limit = 20,
    json: Json = False,
) -> None:
    """Where a GPU is cheapest: offers by the price of one whole GPU for an hour."""
    from reports import lookup
    from reports.published import open_published

    with open_published(context.obj.home) as published:
        models = lookup.gpu_models(published, gpu)
        filters = offers(published, provider, region, option, os)
        rows = published.ask(
            "find", limit=limit, gpu_models=models, **fraction(count), **filters, **list_currencies(currency)
        )
        answer(published, rows, FIND_COLUMNS, json, {"gpu": gpu, "gpu_models": models, "currency": currency, **filters})


def history(
    context: typer.Context,
    gpu: AnyGpu = None,
    instance_type: Annotated[
        str | None, typer.Option(help="The provider's name of a size.", show_default=False)
    ] = None,
    provider: Provider = None,
    region: Region = None,
    option: Bought = "on_demand",
    os: System = "linux",
    currency: Currency = "any",
    limit: Limit = 100,
    json: Json = False,
) -> None:
    """What an offer has cost over time, and since when it costs what it costs."""
    from reports import lookup
    from reports.published import open_published

    if gpu is None and instance_type is None:
        raise typer.BadParameter("name a GPU or a size: --gpu H100 or --instance-type p5.48xlarge")
    with open_published(context.obj.home) as published:
        models = None if gpu is None else lookup.gpu_models(published, gpu)
        size = None if instance_type is None else lookup.instance_type(published, instance_type)
        filters = offers(published, provider, region, option, os)
        rows = published.ask(
            "history", limit=limit, gpu_models=models, instance_type=size, **filters, **list_currencies(currency)
        )
        asked = {"gpu": gpu, "gpu_models": models, "instance_type": size, "currency": currency, **filters}
        answer(published, rows, HISTORY_COLUMNS, json, asked)


def changes(
    context: typer.Context,
    since: Annotated[date, typer.Option(help="Known from this UTC day on.", parser=parse_day, show_default=False)],
    gpu: AnyGpu = None,
    provider: Provider = None,
    region: Region = None,
    kind: Annotated[
        str | None, typer.Option(help="price move, blip, new offer, removed offer, announced or coverage.")
    ] = None,
    option: Bought = "any",
    os: System = "any",
    limit: Limit = 40,
    json: Json = False,
) -> None:
    """What has changed in the price lists since a day."""
    from reports import lookup
    from reports.published import open_published

    with open_published(context.obj.home) as published:
        models = None if gpu is None else lookup.gpu_models(published, gpu)
        change = lookup.one_of("kind of change", kind, lookup.CHANGES)
        filters = offers(published, provider, region, option, os)
        rows = published.ask("changes", limit=limit, since=since, change=change, gpu_models=models, **filters)
        answer(
            published,
            rows,
            CHANGES_COLUMNS,
            json,
            {"gpu": gpu, "gpu_models": models, "since": since, "kind": change, **filters},
        )


def spread(
    context: typer.Context,
    gpu: Gpu,
    provider: Provider = None,
    region: Region = None,
    option: Bought = "on_demand",
    os: System = "linux",
    currency: Currency = "any",
    limit: Limit = 100,
    json: Json = False,
) -> None:
    """How much the price of a GPU depends on the region."""
    from reports import lookup, terminal
    from reports.published import open_published

    with open_published(context.obj.home) as published:
        models = lookup.gpu_models(published, gpu)
        filters = offers(published, provider, region, option, os)
        rows = published.ask("spread", limit=limit, gpu_models=models, **filters, **list_currencies(currency))
        asked = {"gpu": gpu, "gpu_models": models, "currency": currency, **filters}
        rows = answer(published, rows, SPREAD_COLUMNS, json, asked)
        if not json:
            for line in spreads(rows):
                terminal.note(line)


def savings(
    context: typer.Context,
    gpu: Gpu,
    count: Count = None,
    provider: Provider = None,
    region: Region = None,
    option: Bought = "any",
    os: System = "linux",
    term: Annotated[int | None, typer.Option(help="Months: 12, 36 or 60.", show_default=False)] = None,
    currency: Currency = "any",
    limit: Limit = 20,
    json: Json = False,
) -> None:
    """What a commitment saves against on demand, and from when it pays."""
    from reports import lookup
    from reports.published import open_published

    with open_published(context.obj.home) as published:
        models = lookup.gpu_models(published, gpu)
        filters = offers(published, provider, region, option, os)
        rows = published.ask(
            "savings", limit=limit, gpu_models=models, term_months=term, **fraction(count), **filters,
            **list_currencies(currency),
        )  # fmt: skip
        asked = {"gpu": gpu, "gpu_models": models, "currency": currency, **filters}
        answer(published, rows, SAVINGS_COLUMNS, json, asked)


def spreads(rows: "Rows") -> Iterator[str]:
    """A sentence for each block of the spread."""
    told = set()
    for row in rows.as_records():
        block = tuple(row[name] for name in ("gpu_model", "provider", "partition", *OFFER, "currency"))
        if block not in told:
            told.add(block)
            bought = " ".join(str(word) for word in block[3:] if word)
            yield (
                f"{row['gpu_model']} on {row['provider']}, {bought}: {row['cheapest_price']:.4f} to "
                f"{row['dearest_price']:.4f} in {row['regions']} regions, {row['spread_ratio']:.1%} more; "
                f"median {row['median_price']:.4f}"
            )


# Command -> an example that can be pasted.
COMMANDS: Mapping[Callable[..., None], str] = {
    find: "gpu-prices find --gpu H100 --count 8 --region 'eu-*'",
    history: "gpu-prices history --instance-type p5.48xlarge --region us-east-1",
    changes: "gpu-prices changes --since 2025-06-01 --kind 'price move'",
    spread: "gpu-prices spread --gpu H100 --provider aws",
    savings: "gpu-prices savings --gpu H100 --region us-east-1",
}
