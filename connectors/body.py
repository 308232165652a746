"""A long answer, read while it arrives."""

import http.client
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import requests
import urllib3

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Deadline:
    """The moment, on `clock`, when one answer has taken `seconds`: a server that drips never runs into a time-out."""

    clock: Callable[[], float]
    seconds: float
    moment: float

    @classmethod
    def after(cls, seconds: float, clock: Callable[[], float]) -> "Deadline":
        """That many seconds from now."""
        return cls(clock, seconds, clock() + seconds)

    def passed(self) -> bool:
        """Whether the time is up."""
        return self.clock() >= self.moment

    def __str__(self) -> str:
        return f"the answer took longer than {self.seconds:,g} seconds"


class Body:
    """The bytes of one answer as a file that is read once, in order.

    A connection that breaks, ends before Content-Length or outlives `deadline` reads as the end of the file: so what
    came before can be parsed to the last byte. `cut` then holds the reason; whoever reads to the end must look at it.
    """

    closed = False  # pyarrow asks

    def __init__(self, response: requests.Response, deadline: Deadline) -> None:
        self._raw = response.raw
        self._deadline = deadline
        self._ahead = b""
        self._ended = False
        self.cut: str | None = None
        self.last_byte = b""

    def read(self, size: int) -> bytes:
        """The next `size` bytes; fewer only at the end."""
        pieces = [self._ahead[:size]]
        self._ahead = self._ahead[size:]
        missing = size - len(pieces[0])
        while missing and not self._ended:
            pieces.append(self._receive(missing))
            missing -= len(pieces[-1])
        return b"".join(pieces)

    def readline(self, limit: int = MEBIBYTE) -> bytes:
        """The next line with its end; at most `limit` bytes and, when they come, a few more."""
        while b"\n" not in self._ahead and len(self._ahead) < limit and not self._ended:
            self._ahead += self._receive(1 << 16)
        end = self._ahead.find(b"\n") + 1 or len(self._ahead)
        line, self._ahead = self._ahead[:end], self._ahead[end:]
        return line

    def at_end(self) -> bool:
        """Whether no byte is left; waits for one."""
        if not self._ahead and not self._ended:
            self._ahead = self._receive(1 << 16)
        return not self._ahead

    def _receive(self, size: int) -> bytes:
        """What has arrived, at most `size` bytes. urllib3's `read` would drop what it holds when the body is cut."""
        if self._deadline.passed():
            self.cut, self._ended = str(self._deadline), True
            return b""
        try:
            piece: bytes = self._raw.read1(size, decode_content=True) or b""
        except (urllib3.exceptions.HTTPError, http.client.HTTPException, OSError) as error:
            self.cut, piece = why_cut(error), b""
        self._ended = not piece
        self.last_byte = piece[-1:] or self.last_byte
        return piece


def why_cut(error: Exception) -> str:
    """Why a connection failed, in a few words: requests and urllib3 wrap the cause several times over."""
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, http.client.IncompleteRead):
            got = cause.partial if isinstance(cause.partial, int) else len(cause.partial)
            return f"{got:,} bytes came, {cause.expected:,} were missing" if cause.expected else "the connection ended"
        if isinstance(cause, TimeoutError | urllib3.exceptions.ReadTimeoutError):
            return "nothing came for too long"
    innermost = causes[-1]
    if isinstance(innermost, OSError) and innermost.strerror:
        return innermost.strerror.lower()
    return " ".join(str(innermost).split()) or type(innermost).__name__


def _causes(error: Exception) -> Iterator[Exception]:
    """The error and what is behind it, from the outside in."""
    inner: object = error
    while isinstance(inner, Exception):
        yield inner
        behind = (getattr(inner, "reason", None), inner.__cause__, inner.__context__, *inner.args)
        inner = next((cause for cause in behind if isinstance(cause, Exception)), None)
