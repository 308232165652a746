"""Which document a path asks for, with the status and headers its host would send."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from urllib.parse import parse_qs, urlsplit

from connectors.sandbox import arm, aws_answers, azure, azure_answers, azure_china_sheet, ec2
from connectors.sandbox.answer import Answer
from connectors.sandbox.arm_switches import ArmUnverified
from connectors.sandbox.aws_bulk import Shelf as Files
from connectors.sandbox.aws_partition import CHINA
from connectors.sandbox.aws_unverified import AwsUnverified
from connectors.sandbox.azure_faults import AzureUnverified, Window
from connectors.sandbox.ec2_call import Call
from connectors.sandbox.ec2_places import Scene
from connectors.sandbox.facts import DATES, RECORDERS, plain
from connectors.sandbox.faults import Faults
from connectors.sandbox.serving import Served, published_at, served

FACTS_PATH = "/sandbox/facts"


@dataclass
class State:
    """Where the sandbox stands: the day of each provider, its address, its switches, and the requests it has had."""

    url: str = ""
    page_size: int = azure.PAGE_SIZE
    dates: dict[str, date] = field(default_factory=lambda: {provider: days[-1] for provider, days in DATES.items()})
    faults: Faults = field(default_factory=Faults)
    files: Files = field(default_factory=Files)
    aws_unverified: AwsUnverified = field(default_factory=AwsUnverified)
    azure_unverified: AzureUnverified = field(default_factory=AzureUnverified)
    azure_window: Window = field(default_factory=Window)
    arm_unverified: ArmUnverified = field(default_factory=ArmUnverified)
    graph_window: Window = field(default_factory=Window)
    ec2_opted_in: set[str] = field(default_factory=set)
    requests: list[str] = field(default_factory=list)  # path and query, or the call of EC2, in order of arrival

    def date_of(self, provider: str) -> date:
        """The day of a provider; AWS in China ("aws-cn") stands on AWS's."""
        return self.dates[provider.removesuffix("-cn")]


def answer(target: str, headers: Mapping[str, str], state: State) -> Answer:
    """The answer to a GET of a path and query; `headers` by names such as Accept-Encoding."""
    failure = _failure(target, state)
    if failure is not None:
        return failure
    parts = urlsplit(target)
    if parts.path == FACTS_PATH:
        return _facts(parse_qs(parts.query), state)
    if arm.is_path(parts.path):
        return arm.get(target, headers, _arm(state))
    if parts.path == azure.PATH:
        return _azure(parts.query, state)
    if parts.path == azure_china_sheet.PATH:
        return azure_china_sheet.where(parts.query, state.url, state.faults, state.azure_unverified)
    if parts.path == azure_china_sheet.SHEET_PATH:
        full = state.files.size == "full"
        return azure_china_sheet.sheet(state.dates["azure"], full, state.faults, state.azure_unverified)
    return aws_answers.answer(parts.path, headers, state.dates["aws"], state.faults, state.aws_unverified, state.files)


def answer_call(call: Call, state: State) -> Answer:
    """The answer to a call of EC2's API."""
    scene = Scene(
        state.dates["aws"], state.faults, state.aws_unverified, frozenset(state.ec2_opted_in), len(state.requests)
    )
    return _failure(call.target, state) or ec2.answer(call, scene)


def answer_graph(target: str, query: bytes, headers: Mapping[str, str], state: State) -> Answer:
    """The answer to a POST to Azure Resource Graph; `target` is the path and query, and what its body asks."""
    return _failure(target, state) or arm.post(target.partition(" ")[0], headers, query, _arm(state))


def _arm(state: State) -> arm.Scene:
    return arm.Scene(
        state.url,
        state.dates["azure"],
        state.files.size == "full",
        state.page_size,
        state.faults,
        state.arm_unverified,
        state.graph_window,
    )


def _failure(target: str, state: State) -> Answer | None:
    """What is answered instead, if a failure is due."""
    failure = state.faults.take_failure(target)
    return None if failure is None else Answer(failure.status, failure.body, failure.headers)


def _azure(query: str, state: State) -> Answer:
    faults, unverified = state.faults, state.azure_unverified
    shelf = azure_answers.shelf_of(state.dates["azure"], state.files.size == "full", faults, unverified)
    manner = azure.Manner(
        state.url, state.page_size, faults.azure, unverified, faults.unknown_column, faults.missing_column
    )
    return azure_answers.answer(query, shelf, manner, state.azure_window)


def _facts(asked: Mapping[str, list[str]], state: State) -> Answer:
    """The figures behind the answers; parameters `provider`, `region`, `instance_type` narrow them.

    Those of AWS in China, in yuan, are only told to one who asks for the provider "aws-cn".
    """
    rows = [
        figure_row(figure)
        for provider in asked.get("provider", list(DATES))
        if provider in (*DATES, CHINA.figures)
        for figure in served(provider, state.date_of(provider))
    ]
    for name in ("region", "instance_type"):
        if name in asked:
            rows = [row for row in rows if row[name] in asked[name]]
    content = {
        "dates": {provider: str(day) for provider, day in state.dates.items()},
        "observed_at": {provider: published_at(provider, day).isoformat() for provider, day in state.dates.items()},
        "facts": rows,
    }
    return Answer(200, json.dumps(content).encode(), {"Content-Type": "application/json"})


def figure_row(figure: Served) -> dict[str, object]:
    """A figure with its record: who recorded it and when, and whether it is older than the day it is served on."""
    fact = figure.fact
    numbers = {name: plain(getattr(fact, name)) or None for name in ("price", "hourly", "upfront", "beside")}
    return (
        asdict(fact)
        | numbers
        | {
            "currency": fact.currency,
            "marks": sorted(fact.marks),
            "recorded_at": fact.recorded_at.isoformat(),
            "since": figure.since.isoformat(),
            "recorded_by": RECORDERS[fact.recorder],
            "carried": figure.carried,
        }
    )
