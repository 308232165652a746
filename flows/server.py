"""A Prefect server for as long as a command runs, begun before Prefect itself is imported: each of them takes seconds.

Who has a server, or a Prefect home of their own, is left to it.
"""

import atexit
import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from types import FrameType

from flows.faults import INTERRUPTED, Fault
from flows.progress import logger
from flows.settings import Settings, has_own_prefect, prepare_prefect


@contextmanager
def prefect_server(settings: Settings, port: int = 0) -> Iterator[None]:
    """Begin to start a server, if the person has none; on Ctrl-C or SIGTERM it and this process end at once.

    `port` 0 is any that is free.

    Raises:
        OSError: the home can't be written.
        Fault: the port is taken.
    """
    settings.home.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=settings.home) as probe:  # before Prefect says it in fifty lines
        probe.write(b"gpu-prices")
        probe.flush()
    if has_own_prefect():
        prepare_prefect(settings.home)
        with leaving_at_once():
            yield
        return
    logger.info("starting Prefect")
    with listening_on(port) as listening:
        prepare_prefect(settings.home, f"http://127.0.0.1:{listening.getsockname()[1]}/api")
        descriptor = listening.fileno()
        process = subprocess.Popen(
            [sys.executable, "-m", "flows.server_process", str(descriptor)],
            stdin=subprocess.PIPE,
            pass_fds=[descriptor],
            start_new_session=True,  # out of the terminal's reach: Ctrl-C is ours to obey
        )
    atexit.register(stop, process)  # comes after Prefect's own, which still have something to send
    with leaving_at_once(process):
        yield


def listening_on(port: int) -> socket.socket:
    """A socket on loopback."""
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise Fault(
            f"port {port} is taken: name another with --port, or PREFECT_API_URL if a server is there"
        ) from None


@contextmanager
def leaving_at_once(server: "subprocess.Popen[bytes] | None" = None) -> Iterator[None]:
    """On Ctrl-C or SIGTERM, end this process and its Prefect server at once.

    Prefect would wait for every request in flight. Nothing is lost without that: a landing file or a release appears
    whole or not at all, and DuckDB undoes an unfinished load.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        if server is not None:
            server.kill()
        clear = "\r\x1b[K\x1b[?25h" if sys.stderr.isatty() else ""  # the bar's line goes, the cursor comes back
        os.write(2, f"{clear}gpu-prices: interrupted; what had landed is kept\n".encode())
        os._exit(INTERRUPTED if number == signal.SIGINT else 128 + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def stop(process: "subprocess.Popen[bytes]") -> None:
    """End a server and wait until it is gone."""
    process.kill()
    process.wait()
