"""The discover flow: the weekly walk over all places, which finds regions that nobody listed; then load and publish."""

from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.states import Completed, Failed
from prefect.tasks import Task, exponential_backoff

from connectors.errors import SourceError, SourceIncomplete, SourceUnavailable
from flows import walking
from flows.page import show_on_page
from flows.refresh import Outcome, load_and_publish_task, logger, settled
from flows.settings import Settings, read_settings
from flows.walking import Walk, WalkStopped
from flows.wanted import source_named, walked_sources


def may_help(_task: Task[Any, Any], _run: TaskRun, state: State[Any]) -> bool:
    """Whether walking again may help: the feed was out of reach, or stopped short."""
    return isinstance(state.data, SourceIncomplete | SourceUnavailable)


@task(
    name="walk",
    task_run_name="{source} everywhere",
    cache_policy=NO_CACHE,
    persist_result=False,
    retries=2,
    retry_delay_seconds=exponential_backoff(backoff_factor=10),
    retry_jitter_factor=0.5,
    retry_condition_fn=may_help,
)
def walk(source: str, settings: Settings) -> Walk:
    """One walk over all places of a source; its manifests are in landing whatever happens."""
    return walking.walk(source_named(source), settings)


@flow(name="discover", flow_run_name="discover", validate_parameters=False, persist_result=False)
def discover(settings: Settings | None = None) -> State[Outcome]:
    """Walk over all places of the feeds that have no list of them; load and publish what was found.

    A walk that fails or stops short ends the run as Failed; what it found until then is published all the same.
    Settings come from the environment unless a command brings its own.
    """
    settings = settings or read_settings()
    outcome = Outcome()
    for name, future in {name: walk.submit(name, settings) for name in walked_sources()}.items():
        note(name, settled(future), outcome)
    if outcome.landed or settings.warehouse.exists():
        outcome.loaded, outcome.release = load_and_publish_task(settings, "gpu-prices discover")
        outcome.failed |= {f"{done.source} {done.scope}": done.error for done in outcome.loaded if done.error}
        show_on_page("discover", outcome.fetched, outcome.failed, outcome.loaded, settings.home)
    if outcome.failed:
        return Failed(message=f"{len(outcome.failed)} failed: {', '.join(sorted(outcome.failed))}", data=outcome)
    named = ", ".join(manifest.scope for manifest in outcome.found) or "nothing new"
    return Completed(message=f"found {named}", data=outcome)


def note(name: str, answer: Walk | SourceError, outcome: Outcome) -> None:
    """Note what came of the walk of one source."""
    if isinstance(answer, SourceError):
        outcome.failed[f"{name} everywhere"] = str(answer)
        logger.warning("%s: the walk over all places: %s", name, answer)
    walked = answer.walk if isinstance(answer, WalkStopped) else answer
    if isinstance(walked, Walk):
        outcome.landed = True
        outcome.found += walked.found
        for manifest in (walked.manifest, *walked.found):
            outcome.fetched[name, manifest.scope] = manifest
