"""HTTP GET as every feed needs it: bounded in time, patient with a busy server, and never off to another host."""

import email.utils
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import requests
from requests.exceptions import InvalidSchema, InvalidURL, MissingSchema

from connectors.body import MEBIBYTE, Body, Deadline, why_cut
from connectors.errors import SourceChanged, SourceError, SourceIncomplete, SourceRefused, SourceUnavailable

# Seconds. Azure asks for 60 at most in what was recorded; who asks for more than this is not asked again by this run.
LONGEST_WAIT = 120.0
LONGEST_BACKOFF = 30.0
BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
NOT_THERE = frozenset({403, 404})  # S3 answers 403 for a missing file to those who may not list
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_REDIRECTS = 5
LONGEST_JSON = 64 * MEBIBYTE  # unpacked; a page of 1,000 Azure items has about one
AZURE_WAIT = "x-ms-ratelimit-retailprices-retry-after"  # seconds; requests compares header names without case
AZURE_LEFT = "x-ms-ratelimit-remaining-retailprices-requests"

Answer = TypeVar("Answer")


class Client:
    """GET over one `requests` session; not for use by several threads at once.

    `timeout` is (to connect, between bytes) in seconds. A failed request is repeated until `attempts` were made, after
    1, 2, 4 … seconds shortened by up to half at random, or after what the server asks for. `json_deadline` and
    `stream_deadline` bound each answer as a whole, on `clock`, from the question to the last byte: one that takes
    longer is not asked for again. (The header can't be looked at while it arrives; only the time-out bounds it.)
    """

    def __init__(
        self,
        session: requests.Session | None = None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
        timeout: tuple[float, float] = (10.0, 60.0),
        attempts: int = 5,
        json_deadline: float = 120.0,
        stream_deadline: float = 900.0,
    ) -> None:
        self._session = session or requests.Session()
        self._session.headers["User-Agent"] = "gpu-prices"
        # The feeds are public; without this requests looks into ~/.netrc for a password to the host.
        self._session.auth = lambda request: request
        self._sleep = sleep
        self._clock = clock
        self._jitter = jitter
        self._timeout = timeout
        self._attempts = attempts
        self._json_deadline = json_deadline
        self._stream_deadline = stream_deadline
        self._owed_wait = 0.0  # the server said that the next request would be one too many

    def get_json(self, address: str, parameters: Mapping[str, str] | None = None) -> object:
        """The JSON of an answer, its numbers as the text that was sent: "98.320" stays "98.320".

        A price that went through a double and back would be rounded, and the standard library can't write a Decimal.
        Raises SourceUnavailable, SourceIncomplete (JSON that ends early), SourceChanged (no JSON, or far too much).
        """
        return self._persist(address, parameters, _read_json, self._json_deadline)

    def length(self, address: str) -> int | None:
        """Bytes that an answer would have over the wire; None if the host doesn't say. Asked once, for an estimate."""
        try:
            response = self._session.head(address, timeout=self._timeout, allow_redirects=False)
        except requests.RequestException as error:
            raise _no_answer(address, error) from error
        stated = response.headers.get("Content-Length", "")
        return int(stated) if response.status_code == 200 and stated.isdigit() else None

    @contextmanager
    def stream(self, address: str) -> Iterator[Body]:
        """The body of an answer while it arrives, cut at the deadline. No such file (403, 404) is SourceUnavailable."""
        response, deadline = self._persist(
            address, None, lambda *answer: answer, self._stream_deadline, retried=BUSY | NOT_THERE
        )
        try:
            yield Body(response, deadline)
        finally:
            response.close()

    def _persist(
        self,
        address: str,
        parameters: Mapping[str, str] | None,
        read: Callable[[requests.Response, Deadline], Answer],
        seconds: float,
        retried: frozenset[int] = BUSY,
    ) -> Answer:
        """`read` of the first good answer; the last failure if there is none."""
        for attempt in range(1, self._attempts + 1):
            self._pay_wait(address)
            asked_to_wait = None
            deadline = Deadline.after(seconds, self._clock)
            try:
                response = self._follow(address, parameters, deadline)
                asked_to_wait = _asked_to_wait(response.headers)
                if response.status_code == 200:
                    self._note_quota(response.headers)
                    return read(response, deadline)
                failure = _refusal(response, retried)
                response.close()
                if response.status_code not in retried:
                    raise failure
            except (MissingSchema, InvalidSchema, InvalidURL) as error:
                raise SourceChanged(f"{_without_query(address)!r} is no address that can be asked") from error
            except SourceIncomplete as error:
                failure = error
            except requests.RequestException as error:
                failure = _no_answer(address, error)
            if asked_to_wait is not None and asked_to_wait > LONGEST_WAIT:
                raise SourceUnavailable(f"{failure}; {_too_long(asked_to_wait)}") from None
            self._owed_wait = self._backoff(attempt) if asked_to_wait is None else asked_to_wait + self._jitter()
        self._owed_wait = 0.0
        raise type(failure)(f"{failure}; gave up after {self._attempts} attempts") from None

    def _follow(self, address: str, parameters: Mapping[str, str] | None, deadline: Deadline) -> requests.Response:
        """The answer behind redirects, which must stay on the host."""
        asked = address
        for _ in range(MOST_REDIRECTS + 1):
            try:
                response = self._session.get(
                    asked, params=parameters, timeout=self._timeout, stream=True, allow_redirects=False
                )
                location = urljoin(response.url, response.headers.get("Location", ""))
            except requests.RequestException:
                raise
            except ValueError as error:  # requests parses a Location too, though it doesn't follow it
                raise SourceChanged(f"{host_of(address)}: redirects to what is no address: {error}") from error
            if deadline.passed():
                response.close()
                raise SourceUnavailable(f"{host_of(address)}: {deadline}")
            if response.status_code not in REDIRECTS:
                return response
            response.close()
            asked, parameters = location, None
            stay_on_host(address, asked, "redirects")
        raise SourceChanged(f"{host_of(address)}: more than {MOST_REDIRECTS} redirects from {_without_query(address)}")

    def _backoff(self, attempt: int) -> float:
        return min(LONGEST_BACKOFF, 2.0 ** (attempt - 1)) * (1 - self._jitter() / 2)

    def _note_quota(self, headers: Mapping[str, str]) -> None:
        """No request left: the next one waits as told. A header that isn't there says nothing about what is left."""
        if headers.get(AZURE_LEFT, "").strip() == "0":
            self._owed_wait = _asked_to_wait(headers) or 0.0

    def _pay_wait(self, address: str) -> None:
        """Wait before the next request; more than LONGEST_WAIT is asked for by a quota only, others have given up."""
        if self._owed_wait > LONGEST_WAIT + 1:  # the jitter
            raise SourceUnavailable(f"{host_of(address)}: no request left; {_too_long(self._owed_wait)}")
        if self._owed_wait:
            self._sleep(min(self._owed_wait, LONGEST_WAIT))
            self._owed_wait = 0.0


def stay_on_host(base_url: str, address: str, what: str) -> None:
    """Raise SourceChanged unless `address` has the scheme, host and port of `base_url` (`:443` is https's own)."""
    if _origin(base_url) != _origin(address):
        raise SourceChanged(f"{host_of(base_url)}: {what} to another host ({host_of(address)}), which is not followed")


def host_of(address: str) -> str:
    """The host of an address, with its port where it is not the scheme's own; for messages."""
    scheme, host, port = _origin(address)
    return f"{host}:{port}" if port and port != _PORTS.get(scheme) else host or address[:80]


def _without_query(address: str) -> str:
    """For messages: the query may be a signature that lets whoever reads it in."""
    return address.partition("?")[0]


_PORTS = {"http": 80, "https": 443}


def _origin(address: str) -> tuple[str, str, int | None]:
    try:
        parts = urlsplit(address)
        return parts.scheme, parts.hostname or "", parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return "", "", None


def _too_long(wait: float) -> str:
    return f"asks for a wait of {wait:,.0f} seconds, over the {LONGEST_WAIT:.0f} that this run would wait"


def _read_json(response: requests.Response, deadline: Deadline) -> object:
    host = host_of(response.url)
    received = bytearray()
    try:
        body = Body(response, deadline)
        while piece := body.read(MEBIBYTE):
            received += piece
            if len(received) > LONGEST_JSON:
                raise SourceChanged(f"{host}: an answer of more than {LONGEST_JSON // MEBIBYTE} MiB, which is not read")
    finally:
        response.close()
    if body.cut and deadline.passed():
        raise SourceUnavailable(f"{host}: {deadline}")
    if body.cut:
        raise SourceIncomplete(f"{host}: the answer was cut: {body.cut}")
    content = bytes(received)
    try:
        return json.loads(content, parse_float=str, parse_int=str, parse_constant=str)
    except RecursionError:
        raise SourceChanged(f"{host}: JSON that is nested too deeply to be read") from None
    except ValueError:
        if content.lstrip()[:1] in (b"{", b"["):
            raise SourceIncomplete(f"{host}: JSON that breaks off after {len(content):,} bytes") from None
        raise SourceChanged(f"{host}: not JSON but {_excerpt(content) or 'nothing'}") from None


def _refusal(response: requests.Response, retried: frozenset[int]) -> SourceError:
    """What an answer other than 200 means: another try later may help where one was due at once."""
    host, status = host_of(response.url), response.status_code
    if status == 429:
        return SourceUnavailable(f"{host}: too many requests (HTTP 429)")
    if status in retried:
        what = f"no file {urlsplit(response.url).path} (HTTP {status})" if status in NOT_THERE else f"HTTP {status}"
        return SourceUnavailable(f"{host}: {what}")
    try:
        detail = _excerpt(response.raw.read(2000, decode_content=True))
    except (OSError, requests.RequestException):
        detail = ""
    refusal = SourceRefused(f"{host}: HTTP {status} {response.reason}{': ' if detail else ''}{detail}")
    refusal.status = status
    return refusal


def _no_answer(address: str, error: requests.RequestException) -> SourceError:
    host = host_of(address)
    if isinstance(error, requests.exceptions.Timeout):
        return SourceUnavailable(f"{host}: no answer in time")
    return SourceUnavailable(f"{host}: no answer: {why_cut(error)}")


def _asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks for, the longer of its two headers; None: it doesn't say."""
    waits = [_seconds(headers.get(AZURE_WAIT)), _seconds(headers.get("Retry-After"), headers.get("Date"))]
    return max((wait for wait in waits if wait is not None), default=None)


def _seconds(value: str | None, now: str | None = None) -> float | None:
    """A wait given as seconds, or as a date to be compared with the same answer's Date: no clock of ours is asked."""
    try:
        wait = float(value or "")
    except ValueError:
        try:
            until, since = (email.utils.parsedate_to_datetime(date or "") for date in (value, now))
            wait = (until - since).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(wait, 0.0) if math.isfinite(wait) else None


def _excerpt(content: bytes) -> str:
    return " ".join(content[:120].decode("utf-8", "replace").split())
