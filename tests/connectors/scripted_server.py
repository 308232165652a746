"""A server on loopback that answers each path with what a test has written for it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from connectors.client import Client


@dataclass
class Reply:
    """One answer. `cut_after`: the connection ends after so many bytes, though Content-Length promised all."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    chunked: bool = False


@dataclass
class Asked:
    """One request that came in."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]


class ScriptedServer(ThreadingHTTPServer):
    """`script` maps a path (with `?query` to tell pages apart, else without) to its answers; the last one repeats."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script: dict[str, list[Reply]] = {}
        self.asked: list[Asked] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def next_reply(self, target: str) -> Reply:
        """The answer for a request's target."""
        for key in (target, urlsplit(target).path):
            if key in self.script:
                replies = self.script[key]
                return replies.pop(0) if len(replies) > 1 else replies[0]
        return Reply(b"<Error><Code>AccessDenied</Code></Error>", 403)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedServer

    def do_GET(self) -> None:
        self._reply(self.path)

    def do_POST(self) -> None:
        """A call of an AWS API: its form stands for the query, and `/?Action=...` is its path in the script."""
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._reply(f"{self.path}?{form}", f"{self.path}?Action={parse_qs(form)['Action'][0]}")

    def _reply(self, target: str, key: str | None = None) -> None:
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.server.asked.append(Asked(parts.path, query, dict(self.headers)))
        reply = self.server.next_reply(key or target)
        self.send_response_only(reply.status)  # without a Date of its own
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header(
            *(("Transfer-Encoding", "chunked") if reply.chunked else ("Content-Length", str(len(reply.body))))
        )
        self.end_headers()
        sent = reply.body if reply.cut_after is None else reply.body[: reply.cut_after]
        if reply.chunked:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(sent), sent))
            if reply.cut_after is None:
                self.wfile.write(b"0\r\n\r\n")
        else:
            self.wfile.write(sent)
        self.close_connection = reply.cut_after is not None

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serve() -> Iterator[ScriptedServer]:
    """The server, running."""
    with ScriptedServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def patient_client(waits: list[float], attempts: int = 3) -> Client:
    """A client that waits no time and writes down how long it would have; no jitter."""
    return Client(sleep=waits.append, jitter=lambda: 0.0, timeout=(2.0, 2.0), attempts=attempts)
