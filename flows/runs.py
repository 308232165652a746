"""Running the refresh flow from a command: with a Prefect server, errors as they are, and obedient to Ctrl-C."""

import logging
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryFile
from types import FrameType
from typing import cast

from prefect import get_client
from prefect.server.api.server import SubprocessASGIServer
from prefect.settings import PREFECT_API_URL, PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

from flows.faults import INTERRUPTED, Fault
from flows.refresh import Outcome, refresh
from flows.settings import Settings

logger = logging.getLogger("gpu_prices")


def run_refresh(
    settings: Settings, *, provider: str | None = None, source: str | None = None, regions: Sequence[str] = ()
) -> Outcome:
    """Run the refresh flow here and now.

    Raises: whatever ended the flow; a scope that failed does not, it stands in the outcome.
    """
    # A heartbeat tells a server that a run is alive; the thread that sends it makes every run a second longer.
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        state = refresh(provider, source, list(regions), settings, return_state=True)
    result = state.result(raise_on_failure=False)
    if isinstance(result, BaseException):
        raise result
    return cast(Outcome, result)


@contextmanager
def prefect_server(settings: Settings) -> Iterator[None]:
    """A Prefect server for the runs of this block: the person's own, or one that lives as long as this process.

    Raises:
        Fault: it doesn't answer.
        OSError: the home can't be written.
    """
    settings.home.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=settings.home) as probe:  # before Prefect says so in fifty lines
        probe.write(b"gpu-prices")
        probe.flush()
    own = PREFECT_API_URL.value()
    if own:
        with get_client(sync_client=True) as client:
            trouble = client.api_healthcheck()
        if trouble is not None:
            raise Fault(f"the Prefect server at {own} (PREFECT_API_URL) doesn't answer: {trouble}")
        yield
        return
    with leaving_at_once():
        logger.info("starting Prefect")
        try:
            SubprocessASGIServer().start()
        except RuntimeError as error:
            raise Fault(f"Prefect doesn't start: {str(error).splitlines()[0]}") from error
        yield


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """On Ctrl-C or SIGTERM, end this process and its Prefect server at once.

    Prefect would wait for every request in flight, then report to a server that got the same Ctrl-C and is gone.
    Nothing is lost: a landing file or a release appears whole or not at all, and DuckDB undoes an unfinished load.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        server = SubprocessASGIServer().server_process
        if server is not None:
            server.terminate()
        clear = "\r\x1b[K\x1b[?25h" if sys.stderr.isatty() else ""  # the bar's line goes, the cursor comes back
        os.write(2, f"{clear}gpu-prices: interrupted; what had landed is kept\n".encode())
        os._exit(INTERRUPTED if number == signal.SIGINT else 128 + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
