"""Running the flows from a command: errors come out as they are."""

import time
from collections.abc import Callable, Sequence
from typing import Any, cast

from prefect import get_client
from prefect.client.schemas.objects import State
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
    PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS,
    temporary_settings,
)

from flows.discovery import discover
from flows.faults import Fault
from flows.refresh import Outcome, refresh
from flows.settings import Settings


def run_refresh(
    settings: Settings,
    *,
    provider: str | None = None,
    source: str | None = None,
    regions: Sequence[str] = (),
    partitions: Sequence[str] = (),
    currencies: Sequence[str] = (),
) -> Outcome:
    """Run the refresh flow here and now.

    Raises: whatever ended the flow; a scope that failed does not, it stands in the outcome.
    """
    lists = [list(names) for names in (regions, partitions, currencies)]
    return run(lambda: refresh(provider, source, *lists, settings, return_state=True))


def run_discover(settings: Settings) -> Outcome:
    """Run the discover flow here and now.

    Raises: whatever ended the flow; a walk that failed does not, it stands in the outcome.
    """
    return run(lambda: discover(settings, return_state=True))


def run(flow: Callable[[], State[Any]]) -> Outcome:
    """What a flow run ends with, as soon as there is a server."""
    wait_for_server()
    # A heartbeat tells a server that a run is alive; the thread that sends it makes every run a second longer.
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        state = flow()
    result = state.result(raise_on_failure=False)
    if isinstance(result, BaseException):
        raise result
    return cast(Outcome, result)


def wait_for_server() -> None:
    """Wait until the Prefect server answers; without one, Prefect starts its own when the first flow runs.

    Raises:
        Fault: it doesn't answer, for as long as Prefect would wait for its own.
    """
    address = PREFECT_API_URL.value()
    if not address:
        return
    deadline = time.monotonic() + PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS.value()
    with get_client(sync_client=True) as client:
        while (trouble := client.api_healthcheck()) is not None:
            if time.monotonic() > deadline:
                raise Fault(f"the Prefect server at {address} doesn't answer: {trouble or type(trouble).__name__}")
            time.sleep(0.2)
