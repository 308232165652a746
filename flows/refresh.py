"""The refresh flow: ask every scope for its prices, load what came, publish.

Plain functions in `flows.fetching` and `flows.loading` do the work. What is here is what Prefect is for: tasks that run
side by side, and again when a feed was out of reach; names and figures on its page; a state that tells the truth.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from typing import Any, cast

from prefect import flow, get_client, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.futures import PrefectFuture
from prefect.runtime import flow_run
from prefect.states import Completed, Failed
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner
from prefect.tasks import Task, exponential_backoff

from connectors import SOURCES
from connectors.errors import SourceError, SourceIncomplete, SourceUnavailable
from flows import fetching
from flows.fetching import NO_LONGER_LISTED, Listed
from flows.loading import load_and_publish
from flows.page import show_on_page
from flows.settings import Settings, read_settings
from flows.wanted import Wanted, source_named
from warehouse.errors import LoadFailed
from warehouse.landing import Manifest
from warehouse.load import Loaded
from warehouse.publish import Release

logger = logging.getLogger("gpu_prices")

# Scopes asked at one time of one source. Azure soon answers 429 to more; AWS files are large and only share the line.
IN_FLIGHT = 4

# What may be wrong with one scope while the others are well: its feed, or a file of its own in landing.
OF_THE_SCOPE = (SourceError, LoadFailed)

Place = tuple[str, str]  # source name, scope
Fetched = PrefectFuture[Manifest]


@dataclass
class Outcome:
    """What a run did. `failed`: "source" or "source scope" -> the reason in one line."""

    fetched: dict[Place, Manifest] = field(default_factory=dict)
    found: list[Manifest] = field(default_factory=list)  # of regions that nobody listed
    landed: bool = False  # records came, if only of a fetch that broke off
    failed: dict[str, str] = field(default_factory=dict)
    not_asked: dict[str, str] = field(default_factory=dict)  # source -> why it can't be asked from here
    loaded: list[Loaded] = field(default_factory=list)
    release: Release | None = None


@task(name="list scopes", task_run_name="{source} {partition} scopes", cache_policy=NO_CACHE, persist_result=False)
def list_scopes(source: str, partition: str, settings: Settings, wanted: Wanted) -> Listed:
    """Every scope that a source has of a partition."""
    return fetching.list_scopes(source_named(source), partition, settings, wanted)


@task(
    name="fetch scope",
    task_run_name="{source} {scope}",
    cache_policy=NO_CACHE,
    persist_result=False,
    retries=2,
    retry_delay_seconds=exponential_backoff(backoff_factor=10),
    retry_jitter_factor=0.5,
)
def fetch_scope(source: str, scope: str, settings: Settings) -> Manifest:
    """One attempt at one scope; its manifest is in landing whatever happens."""
    return fetching.fetch_scope(source_named(source), scope, settings)


@task(name="load and publish", cache_policy=NO_CACHE, persist_result=False)
def load_and_publish_task(settings: Settings, what: str) -> tuple[list[Loaded], Release]:
    """Fold what has landed into the warehouse and publish it."""
    return load_and_publish(settings, what)


@flow(
    name="refresh",
    flow_run_name="refresh",
    task_runner=cast(TaskRunner[PrefectFuture[Any]], ThreadPoolTaskRunner(max_workers=IN_FLIGHT * len(SOURCES))),
    validate_parameters=False,
    persist_result=False,
)
def refresh(
    provider: str | None = None,
    source: str | None = None,
    regions: Sequence[str] = (),
    partitions: Sequence[str] = (),
    currencies: Sequence[str] = (),
    settings: Settings | None = None,
) -> State[Outcome]:
    """Fetch, load and publish. A scope that fails stops no other; the run ends as Failed and names it.

    `regions` and `partitions` are names or patterns (`eu-*`); without partitions, the public ones. `currencies`:
    others whose exchange rate is fetched too, from now on. Settings come from the environment unless a command brings
    its own.
    """
    settings = settings or read_settings()
    outcome = Outcome()
    scopes = choose_scopes(Wanted(provider, source, regions, partitions, currencies), settings, outcome)
    name_run(scopes, settings)
    fetch_all(scopes, settings, outcome)
    if outcome.landed or settings.warehouse.exists():
        outcome.loaded, outcome.release = load_and_publish_task(settings, "gpu-prices refresh")
        outcome.failed |= {f"{done.source} {done.scope}": done.error for done in outcome.loaded if done.error}
        show_on_page("refresh", outcome.fetched, outcome.failed, outcome.loaded, settings.home)
    if outcome.failed:
        return Failed(message=f"{len(outcome.failed)} failed: {', '.join(sorted(outcome.failed))}", data=outcome)
    return Completed(message=f"{len(outcome.fetched)} scopes", data=outcome)


def choose_scopes(wanted: Wanted, settings: Settings, outcome: Outcome) -> dict[str, list[str]]:
    """The scopes to ask, by source; a source that can't say its scopes is noted as failed, and so is a scope gone.

    Raises:
        UnknownName: no scope is of a region that is wanted.
    """
    wanted.require_currencies()
    asked = {}
    for source, partition in wanted.places():
        if reason := source.why_not_asked():
            if wanted.source == source.name:
                outcome.failed[source.name] = reason
            outcome.not_asked[source.name] = reason
            logger.info("%s: not asked: %s", source.name, reason)
        else:
            asked[source.name, partition] = list_scopes.submit(source.name, partition, settings, wanted)
    listed: dict[str, list[str]] = {name: [] for name, _ in asked}
    all_answered = bool(asked)
    for (name, partition), future in asked.items():
        answer = settled(future)
        if isinstance(answer, SourceError):
            all_answered = False
            outcome.failed[f"{name} {partition}"] = str(answer)
            logger.warning("%s %s: %s", name, partition, answer)
        else:
            listed[name] += answer.scopes
            for scope in answer.gone:
                outcome.failed[f"{name} {scope}"] = NO_LONGER_LISTED
                logger.warning("%s %s: %s", name, scope, NO_LONGER_LISTED)
    if all_answered:
        wanted.require_known(scope for scopes in listed.values() for scope in scopes)
    return {name: scopes for name, every in listed.items() if (scopes := wanted.scopes(every))}


def name_run(scopes: Mapping[str, Sequence[str]], settings: Settings) -> None:
    """Give the run a name that says what it does: `refresh aws_price_list 3 scopes 2026-07-20T12:00Z`."""
    what = " ".join(f"{name} {len(found)} scopes" for name, found in scopes.items()) or "nothing"
    with get_client(sync_client=True) as client:
        client.update_flow_run(flow_run.id, name=f"refresh {what} {settings.clock.now():%Y-%m-%dT%H:%MZ}")


def fetch_all(scopes: Mapping[str, Sequence[str]], settings: Settings, outcome: Outcome) -> None:
    """Ask every scope, at most IN_FLIGHT of one source at a time, and note in `outcome` what came of it.

    A source whose first scopes are all out of reach is given up: nobody waits an hour to hear that there is no network.
    """
    waiting = {name: deque(found) for name, found in scopes.items()}
    total, done = sum(map(len, scopes.values())), 0
    answered: set[str] = set()
    silent = dict.fromkeys(scopes, 0)
    for (name, scope), answer in in_turn(waiting, settings, answered):
        done += 1
        if isinstance(answer, SourceUnavailable):
            silent[name] += 1
        else:
            answered.add(name)
        outcome.landed |= isinstance(answer, Manifest | SourceIncomplete)
        if isinstance(answer, OF_THE_SCOPE):
            outcome.failed[f"{name} {scope}"] = str(answer)
            logger.warning("%s %s: %s", name, scope, answer, extra={"step": (done, total)})
        else:
            outcome.fetched[name, scope] = answer
            read = f" of {answer.lines_read:,}" if answer.lines_read else ""
            said = f"{answer.status}, {answer.records:,} records{read}"
            logger.info("%s %s: %s", name, scope, said, extra={"step": (done, total)})
        if name not in answered and silent[name] >= IN_FLIGHT and waiting[name]:
            done += give_up(name, waiting[name], settings, outcome)


def in_turn(
    waiting: Mapping[str, deque[str]], settings: Settings, answered: set[str]
) -> Iterator[tuple[Place, Manifest | SourceError | LoadFailed]]:
    """Submit the waiting scopes as places become free; yields each one's manifest or failure as it comes.

    Whoever reads may shorten `waiting`, and adds a source to `answered` once it was reached: until then no more than
    the first scopes are asked.
    """
    ended: SimpleQueue[tuple[Place, Fetched]] = SimpleQueue()
    in_flight, asked = dict.fromkeys(waiting, 0), dict.fromkeys(waiting, 0)
    while True:
        for name, scopes in waiting.items():
            patient = fetch_scope.with_options(tags=[name], retry_condition_fn=may_help(name, answered))
            while scopes and in_flight[name] < IN_FLIGHT and (asked[name] < IN_FLIGHT or name in answered):
                place = (name, scopes.popleft())
                in_flight[name] += 1
                asked[name] += 1
                future = patient.submit(*place, settings)
                future.add_done_callback(partial(note_end, ended, place))
        if not any(in_flight.values()):
            return
        place, future = ended.get()
        in_flight[place[0]] -= 1
        yield place, settled(future)


def note_end(ended: SimpleQueue[tuple[Place, Fetched]], place: Place, future: Fetched) -> None:
    """Tell the flow that a task has ended."""
    ended.put((place, future))


def may_help(source: str, answered: set[str]) -> Callable[[Task[Any, Any], TaskRun, State[Any]], bool]:
    """Whether asking again may help: the feed stopped short, or is out of reach now but has answered in this run."""

    def condition(_task: Task[Any, Any], _run: TaskRun, state: State[Any]) -> bool:
        return isinstance(state.data, SourceIncomplete) or (
            isinstance(state.data, SourceUnavailable) and source in answered
        )

    return condition


def give_up(name: str, scopes: deque[str], settings: Settings, outcome: Outcome) -> int:
    """Note the scopes that are not asked any more, here and in landing; returns how many."""
    reason = f"not asked: {name} is out of reach"
    count = len(scopes)
    while scopes:
        scope = scopes.popleft()
        fetching.write_failed(source_named(name), scope, settings, reason)
        outcome.failed[f"{name} {scope}"] = reason
    logger.warning("%s: out of reach, %d more scopes not asked", name, count)
    return count


def settled(future: PrefectFuture[Any]) -> Any:
    """What a task returned, or the error that its scope ended with; any other ends the run: it would come again."""
    future.wait()
    answer = future.state.result(raise_on_failure=False)
    if isinstance(answer, BaseException) and not isinstance(answer, OF_THE_SCOPE):
        raise answer
    return answer
