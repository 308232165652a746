"""Both schedules in one process, for who has no workers: Prefect's runner, and a line for each run that ended."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from textwrap import shorten
from typing import Any, cast
from uuid import UUID

from prefect import get_client
from prefect.client.schemas.filters import DeploymentFilter, DeploymentFilterId, FlowRunFilter, FlowRunFilterEndTime
from prefect.client.schemas.objects import FlowRun
from prefect.deployments.runner import RunnerDeployment
from prefect.runner import Runner
from prefect.schedules import Cron
from prefect.settings import PREFECT_API_URL
from prefect.types.entrypoint import EntrypointType

from flows.discovery import discover
from flows.faults import INTERRUPTED, Fault
from flows.progress import logger
from flows.refresh import refresh
from flows.runs import wait_for_server
from flows.settings import Settings

SECONDS_TO_STOP = 15.0
SECONDS_BETWEEN_LOOKS = 3.0
LONGEST_REASON = 200
KEEP = {"keep": True}


class Served(Runner):
    """A runner that a signal ends within a bounded time; a second one ends it at once.

    Nothing is lost by a hard end: a landing file or a release appears whole or not at all.
    """

    def handle_sigterm(self, *args: Any, **_rest: Any) -> None:
        """Stop the run in progress, and leave."""
        if self.stopping:
            os._exit(INTERRUPTED)
        impatient = threading.Timer(SECONDS_TO_STOP, os._exit, (INTERRUPTED,))
        impatient.daemon = True
        impatient.start()
        super().handle_sigterm(*args)


def serve(settings: Settings, daily: str, weekly: str, partitions: Sequence[str] = ()) -> None:
    """Run the refresh and the walk by their schedules (cron, UTC) until Ctrl-C or SIGTERM.

    One run at a time, since one home has one writer. A stop pauses the schedules, so that the next start doesn't make
    up for what was missed meanwhile: a refresh brings the present, however late it comes.

    Raises:
        Fault: there is no Prefect server, or it doesn't answer.
    """
    if not PREFECT_API_URL.value():  # what Prefect starts of its own accord makes no runs of a schedule
        raise Fault("your Prefect names no server: set PREFECT_API_URL, or unset PREFECT_HOME and PREFECT_PROFILE")
    wait_for_server()
    runner = Served(name="gpu-prices", limit=1, pause_on_shutdown=True)
    deployments = (
        deployed(refresh, "served-daily", daily, {"partitions": list(partitions)}),
        deployed(discover, "served-weekly", weekly, {}),
    )
    ids = [cast(UUID, runner.add_deployment(deployment)) for deployment in deployments]
    page = str(PREFECT_API_URL.value()).removesuffix("/api")
    logger.info("serving %s: daily at '%s', weekly at '%s' UTC", settings.home, daily, weekly, extra=KEEP)
    logger.info("the page is %s; Ctrl-C ends it", page, extra=KEEP)
    ended = threading.Event()
    watcher = threading.Thread(target=tell_ends, args=(ids, ended), daemon=True)
    signal.signal(signal.SIGINT, runner.handle_sigterm)
    watcher.start()
    try:
        asyncio.run(runner.start())
    finally:
        ended.set()
        watcher.join(SECONDS_BETWEEN_LOOKS)
    logger.info("stopped; what had landed is kept", extra=KEEP)


def deployed(flow: Any, name: str, cron: str, parameters: Mapping[str, Any]) -> RunnerDeployment:
    """A flow with its schedule; its runs are processes of their own, which import it by its module."""
    return cast(
        RunnerDeployment,
        flow.to_deployment(
            name,
            schedule=Cron(cron, timezone="UTC"),
            parameters=dict(parameters),
            entrypoint_type=EntrypointType.MODULE_PATH,
        ),
    )


def tell_ends(deployments: list[UUID], ended: threading.Event) -> None:
    """Say of each run how it ended, until told to stop."""
    since, told = datetime.now(UTC), set[UUID]()
    while not ended.wait(SECONDS_BETWEEN_LOOKS):
        for run in runs_ended(deployments, since):
            if run.id not in told:
                told.add(run.id)
                tell_end(run)


def runs_ended(deployments: list[UUID], since: datetime) -> Iterator[FlowRun]:
    """The runs that have ended since; none while the server can't be asked."""
    with get_client(sync_client=True) as client:
        yield from client.read_flow_runs(
            flow_run_filter=FlowRunFilter(end_time=FlowRunFilterEndTime.model_validate({"after_": since})),
            deployment_filter=DeploymentFilter(id=DeploymentFilterId(any_=deployments)),
        )


def tell_end(run: FlowRun) -> None:
    """One line: when, which run, how it ended."""
    assert run.state is not None
    tell = logger.info if run.state.is_completed() else logger.warning
    when = f"{run.end_time:%Y-%m-%d %H:%M}" if run.end_time else ""
    why = shorten(run.state.message or "no reason given", LONGEST_REASON, placeholder=" ... (all of it is on the page)")
    tell("%s %s: %s, %s", when, run.name, run.state.name, why, extra=KEEP)
