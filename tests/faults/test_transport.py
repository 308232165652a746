"""What hosts do to who asks them, from the stand-in's switches through our own fetches: loud, and never wrong.

A fetch ends in one of three ways: whole, with the records of an undisturbed one; short, with a part of them that is
real; or not at all, with an error that says whether to try again or to look.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from connectors import aws_price_list, azure_retail_prices
from connectors.contract import Source
from connectors.errors import SourceChanged, SourceError, SourceIncomplete, SourceUnavailable
from connectors.sandbox import Sandbox
from connectors.sandbox.azure_faults import throttled, throttled_until
from flows.fetching import known_types
from tests.connectors.scripted_server import patient_client

AWS, AZURE = aws_price_list.SOURCE, azure_retail_prices.SOURCE
SCOPES: dict[str, str] = {AWS.name: "us-west-1", AZURE.name: "eastus/USD"}
FILE, LIST = "/us-west-1/index.csv", "/api/retail/"

Disturb = Callable[[Sandbox], object]
Seen = tuple[list[str], SourceError | None, list[float]]


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    """A stand-in with pages of 100, so that a walk has several."""
    with Sandbox(page_size=100) as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(running: Sandbox) -> Iterator[Sandbox]:
    """The stand-in, undisturbed before and after."""
    yield running
    running.faults.clear()


def fetched(sandbox: Sandbox, source: Source) -> Seen:
    """The records as text, the error that ended the fetch, and the waits between its tries."""
    waits: list[float] = []
    got: list[str] = []
    try:
        client = patient_client(waits, attempts=4)
        for record in source.fetch(client, sandbox.url, SCOPES[source.name], known_types=known_types(source.provider)):
            got.append(str(sorted(record.items())))
    except SourceError as error:
        return got, error, waits
    return got, None, waits


WHOLE: list[tuple[str, Source, Disturb]] = [
    ("429 with AWS's header", AWS, lambda it: it.faults.throttle_next(2, 3)),
    ("429 with Azure's own header", AZURE, lambda it: it.faults.fail_next(1, 429, throttled(30), only=LIST)),
    ("429 with a date", AZURE, lambda it: it.faults.fail_next(1, 429, throttled_until(datetime.now(UTC)), only=LIST)),
    ("500 twice", AWS, lambda it: it.faults.fail_next(2, 500)),
    ("503 twice", AZURE, lambda it: it.faults.fail_next(2, 503, only=LIST)),
    ("a page for people once", AZURE, lambda it: it.faults.fail_next(1, 502, body=b"<html>", only=LIST)),
    ("a column more", AWS, lambda it: setattr(it.faults, "unknown_column", "Quantum Cores")),
    ("an empty page with more to come", AZURE, lambda it: setattr(it.faults.azure, "empty_page", 1)),
    ("no word of the quota", AZURE, lambda it: setattr(it.faults.azure, "without_quota_headers", True)),
    ("a connection cut in a page", AZURE, lambda it: it.faults.cut_next(200, only=LIST)),
    ("a page cut short without a word", AZURE, lambda it: it.faults.truncate_next(5000, only=LIST)),
]


@pytest.mark.parametrize(("name", "source", "disturb"), WHOLE, ids=[case[0] for case in WHOLE])
def test_what_passes_is_waited_for(sandbox: Sandbox, name: str, source: Source, disturb: Disturb) -> None:
    """Tried again, some times, as long as the host asks for; the records are those of a quiet day."""
    usual, _, _ = fetched(sandbox, source)
    disturb(sandbox)
    got, error, _ = fetched(sandbox, source)

    assert error is None
    assert set(got) == set(usual)


SHORT: list[tuple[str, Source, Disturb, type[SourceError]]] = [
    ("a file cut in the middle", AWS, lambda it: it.faults.cut_next(150_000, None, FILE), SourceIncomplete),
    ("a file cut short without a word", AWS, lambda it: it.faults.truncate_next(150_003, None, FILE), SourceIncomplete),
    ("a file that falls silent", AWS, lambda it: it.faults.stall_next(4, 150_000, None, FILE), SourceIncomplete),
    (
        "a count that isn't that of the items",
        AZURE,
        lambda it: setattr(it.faults.azure, "count_off", 3),
        SourceIncomplete,
    ),
]


@pytest.mark.parametrize(("name", "source", "disturb", "kind"), SHORT, ids=[case[0] for case in SHORT])
def test_what_stops_short_is_partial(
    sandbox: Sandbox, name: str, source: Source, disturb: Disturb, kind: type[SourceError]
) -> None:
    """What came is real; what is missing says nothing."""
    usual, _, _ = fetched(sandbox, source)
    disturb(sandbox)
    got, error, _ = fetched(sandbox, source)

    assert isinstance(error, kind), error
    assert set(got) < set(usual)


NOTHING: list[tuple[str, Source, Disturb, type[SourceError]]] = [
    ("429 for ever", AZURE, lambda it: it.faults.fail_next(None, 429, throttled(5), only=LIST), SourceUnavailable),
    ("503 for ever", AWS, lambda it: it.faults.fail_next(None, 503), SourceUnavailable),
    ("a location gone from the index", AWS, lambda it: it.faults.omitted_regions.add("us-west-1"), SourceUnavailable),
    ("a file that isn't there", AWS, lambda it: it.faults.missing_files.add("us-west-1"), SourceUnavailable),
    ("a page for people instead of a file", AWS, lambda it: it.faults.html_next(None, FILE), SourceChanged),
    ("a page for people instead of a list", AZURE, lambda it: it.faults.html_next(None, LIST), SourceChanged),
    ("a column less", AWS, lambda it: setattr(it.faults, "missing_column", "Tenancy"), SourceChanged),
    ("pages that link to themselves", AZURE, lambda it: setattr(it.faults.azure, "link_loop", "itself"), SourceChanged),
    ("pages that link back", AZURE, lambda it: setattr(it.faults.azure, "link_loop", "back"), SourceChanged),
    (
        "a link to another host",
        AZURE,
        lambda it: setattr(it.faults.azure, "link_host", "https://x.example"),
        SourceChanged,
    ),
    ("a region gone", AZURE, lambda it: it.faults.omitted_regions.add("eastus"), SourceChanged),
]


@pytest.mark.parametrize(("name", "source", "disturb", "kind"), NOTHING, ids=[case[0] for case in NOTHING])
def test_what_does_not_pass_is_said(
    sandbox: Sandbox, name: str, source: Source, disturb: Disturb, kind: type[SourceError]
) -> None:
    """A bounded number of requests, and the word whether to try later or to look."""
    disturb(sandbox)
    before = len(sandbox.requests)
    _, error, _ = fetched(sandbox, source)

    assert type(error) is kind or isinstance(error, kind) and kind is SourceChanged, error
    assert len(sandbox.requests) - before <= 20
    assert "\n" not in str(error)
