"""One HTTP server on loopback that answers as AWS's and Azure's price feeds do, EC2's API and Azure Resource Manager.

    with Sandbox() as sandbox:
        sandbox.set_date("aws", "2025-06-05")
        ... sandbox.aws_price_list_url, sandbox.ec2_url, sandbox.azure_retail_prices_url ...

It answers from the recorded figures of `facts_aws.csv` and `facts_azure.csv` on one of `DATES`, and reads no clock.
`/sandbox/facts` says of each figure who recorded it, when, and whether it is older than the day (`carried`).
"""

import contextlib
import sys
import threading
import zlib
from collections.abc import Iterator
from datetime import date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Literal
from urllib.parse import urlsplit

from connectors.sandbox.answer import Answer, FilePart
from connectors.sandbox.answers import State, answer, answer_call, answer_graph
from connectors.sandbox.arm import is_graph
from connectors.sandbox.arm_switches import ArmUnverified
from connectors.sandbox.aws_bulk import Shelf
from connectors.sandbox.aws_unverified import AwsUnverified
from connectors.sandbox.azure import PAGE_SIZE
from connectors.sandbox.azure_faults import AzureUnverified
from connectors.sandbox.ec2_call import call_of
from connectors.sandbox.facts import DATES
from connectors.sandbox.faults import Break, Faults
from connectors.sandbox.graph import query_of
from connectors.sandbox.serving import Served, published_at, served

Size = Literal["small", "full"]
PIECE = 1 << 16  # bytes of a file read at once
GZIP_FORMAT = 16 + zlib.MAX_WBITS
interruption = threading.Event  # never set: what `serve` waits for is Ctrl-C


class Sandbox:
    """A running stand-in. Use as a context manager.

    `port` 0 takes a free one. `page_size` is that of all of Azure's answers. Each provider stands on its last date at
    first. `size` is that of AWS's files: "small" has the GPU lines and a handful of others, "full" as many others as
    the real file, hundreds of megabytes for a large region. Files in the folder `files`, made by `write_price_list`,
    go before.
    """

    def __init__(
        self, port: int = 0, page_size: int = PAGE_SIZE, size: Size = "small", files: Path | None = None
    ) -> None:
        self._state = State(page_size=page_size, files=Shelf(size, files))
        self._server = _Server(("127.0.0.1", port), self._state)
        self._state.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> "Sandbox":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._state.files.close()

    @property
    def url(self) -> str:
        """The address of the server, without a slash at the end."""
        return self._state.url

    @property
    def aws_price_list_url(self) -> str:
        """Stands for https://pricing.us-east-1.amazonaws.com, and for https://pricing.cn-north-1.amazonaws.com.cn too:
        its paths have `cn` for `aws`.
        """
        return self.url

    @property
    def ec2_url(self) -> str:
        """Stands for https://ec2.REGION.amazonaws.com of each region: which one is meant, the signature tells."""
        return self.url

    @property
    def ec2_opted_in(self) -> set[str]:
        """Regions that are off until an account turns them on, and that the account has turned on; none at first."""
        return self._state.ec2_opted_in

    @property
    def azure_retail_prices_url(self) -> str:
        """Stands for https://prices.azure.com."""
        return self.url

    @property
    def azure_china_price_sheet_url(self) -> str:
        """Stands for https://prices.azure.cn."""
        return self.url

    @property
    def arm_url(self) -> str:
        """Stands for https://management.azure.com."""
        return self.url

    @property
    def faults(self) -> Faults:
        """Switches for what shall go wrong."""
        return self._state.faults

    @property
    def aws_unverified(self) -> AwsUnverified:
        """What nobody has confirmed of AWS's price list and EC2's API, to be set to either answer."""
        return self._state.aws_unverified

    @property
    def azure_unverified(self) -> AzureUnverified:
        """What nobody has confirmed of Azure's list, to be set to either answer."""
        return self._state.azure_unverified

    @property
    def arm_unverified(self) -> ArmUnverified:
        """What nobody has confirmed of Azure Resource Manager, to be set to either answer."""
        return self._state.arm_unverified

    @property
    def requests(self) -> list[str]:
        """Path and query of each request so far, in order of arrival.

        A call of EC2 is there as `POST / Action=DescribeRegions region=us-east-1`, then its other parameters.
        A query of Azure Resource Graph stands behind its path, in one line.
        """
        return self._state.requests

    def date_of(self, provider: str) -> date:
        """The day a provider's answers are of; "aws-cn", which is AWS in China, goes with "aws"."""
        return self._state.date_of(provider)

    def set_date(self, provider: str, day: date | str) -> None:
        """Answer for a provider as on this day, one of DATES. ValueError for another."""
        day = date.fromisoformat(day) if isinstance(day, str) else day
        if day not in DATES[provider]:
            known = ", ".join(map(str, DATES[provider]))
            raise ValueError(f"nothing is served of {provider} for {day}; there is {known}")
        self._state.dates[provider] = day

    def observed_at(self, provider: str) -> datetime:
        """The last recorded instant of the day a provider stands on (aware, UTC): the time to fetch it at."""
        return published_at(provider, self.date_of(provider))

    def figures(self, provider: str) -> tuple[Served, ...]:
        """The recorded figures a provider's answers are made of, with `carried` where they are older than the day."""
        return served(provider, self.date_of(provider))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], state: State) -> None:
        super().__init__(address, _Handler)
        self.state = state
        self.stopping = threading.Event()  # a stall ends with the server

    def handle_error(self, request: object, client_address: object) -> None:
        """Who hangs up in the middle of an answer is no fault of ours; anything else is told."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # the stub wants a socket


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30  # seconds an idle connection is kept
    server: _Server

    def do_GET(self) -> None:
        self._send(self._answer(), self.path, with_body=True)

    def do_HEAD(self) -> None:
        self._send(self._answer(), self.path, with_body=False)

    def do_POST(self) -> None:
        state = self.server.state
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if is_graph(urlsplit(self.path).path):
            target = f"{self.path} {query_of(body)}"
            state.requests.append(target)
            self._send(answer_graph(target, body, self._named_headers(), state), target, with_body=True)
            return
        if self.path != "/":
            state.requests.append(self.path)
            self._send(Answer(405, headers={"Allow": "GET, HEAD"}), self.path, with_body=True)
            return
        call = call_of(self._named_headers(), body)
        state.requests.append(call.target)
        self._send(answer_call(call, state), call.target, with_body=True)

    def _answer(self) -> Answer:
        state = self.server.state
        state.requests.append(self.path)
        return answer(self.path, self._named_headers(), state)

    def _named_headers(self) -> dict[str, str]:
        return {name.title(): text for name, text in self.headers.items()}

    def _send(self, response: Answer, target: str, with_body: bool) -> None:
        due = self.server.state.faults.take_break(target) if response.status in (200, 206) else None
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if response.gzip_stream:
            self.send_header("Transfer-Encoding", "chunked")
        elif response.status != 304:
            whole = response.length
            self.send_header("Content-Length", str(min(whole, due.after_bytes) if due and due.clean else whole))
        self.end_headers()
        if with_body and response.status != 304:
            with contextlib.suppress(ConnectionError):
                self._write(response, due)
        if due is not None and not due.stall and not due.clean:
            self.close_connection = True

    def _write(self, response: Answer, due: Break | None) -> None:
        sent = 0
        for piece in pieces(response):
            if due is None:
                self.wfile.write(piece)
                continue
            before = max(0, due.after_bytes - sent)
            self.wfile.write(piece[:before])
            sent += len(piece)
            if before < len(piece):
                if not due.stall:
                    return
                self.wfile.flush()
                self.server.stopping.wait(due.stall)
                self.wfile.write(piece[before:])
                due = None

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: standard error is the command line's."""


def pieces(response: Answer) -> Iterator[bytes]:
    """The body as it goes over the wire."""
    if isinstance(response.body, bytes):
        yield response.body
    elif response.gzip_stream:
        packer = zlib.compressobj(1, wbits=GZIP_FORMAT)
        for piece in _read(response.body):
            yield _chunk(packer.compress(piece))
        yield _chunk(packer.flush()) + b"0\r\n\r\n"
    else:
        yield from _read(response.body)


def _chunk(piece: bytes) -> bytes:
    """A chunk of HTTP/1.1; nothing for nothing, which would say that the body ends."""
    return b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b""


def _read(part: FilePart) -> Iterator[bytes]:
    with part.path.open("rb") as source:
        source.seek(part.start)
        left = part.length
        while left and (piece := source.read(min(left, PIECE))):
            left -= len(piece)
            yield piece


def serve(port: int, aws_date: date | str, azure_date: date | str) -> None:
    """Answer on a port until interrupted, then return.

    ValueError for a date that isn't one of DATES, OSError for a port that is taken.
    """
    with contextlib.suppress(KeyboardInterrupt), Sandbox(port) as sandbox:
        sandbox.set_date("aws", aws_date)
        sandbox.set_date("azure", azure_date)
        interruption().wait()
