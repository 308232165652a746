"""The client against a real server: waiting, giving up, staying on the host, cut answers."""

import gzip
import json
import socket
import threading
from itertools import count, repeat
from pathlib import Path

import pytest

from connectors import client as client_module
from connectors.client import Client, host_of, stay_on_host
from connectors.errors import SourceChanged, SourceIncomplete, SourceUnavailable
from tests.connectors.scripted_server import Reply, ScriptedServer, patient_client

GOOD = Reply(b'{"good": true}')
AZURE_WAIT = "x-ms-ratelimit-retailPrices-retry-after"
AZURE_LEFT = "x-ms-ratelimit-remaining-retailPrices-requests"


def test_numbers_keep_their_text(server: ScriptedServer, client: Client) -> None:
    """No number goes through a double: a trailing zero, nineteen decimals and an exponent come as they were written."""
    server.script["/"] = [
        Reply(b'{"a": 98.320, "b": 0.1234567890123456789, "c": 1e-7, "d": 551221, "e": null, "f": true}')
    ]

    answer = client.get_json(server.url + "/")

    expected = {"a": "98.320", "b": "0.1234567890123456789", "c": "1e-7", "d": "551221", "e": None, "f": True}
    assert answer == expected
    assert json.dumps(answer)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({AZURE_WAIT: "60"}, 60.0),
        ({"Retry-After": "7", AZURE_WAIT: "60"}, 60.0),
        ({"retry-after": "90", AZURE_WAIT.lower(): "60"}, 90.0),
        ({"Retry-After": "120"}, 120.0),  # the cap
        ({"Retry-After": "soon", AZURE_WAIT: ""}, 1.0),  # nothing that can be read: the first backoff
        ({}, 1.0),
    ],
)
def test_a_busy_server_is_waited_for(
    server: ScriptedServer, client: Client, waits: list[float], headers: dict[str, str], wait: float
) -> None:
    """429: the longer of the two headers, whatever their case, at most 120 seconds; without them the backoff of 1 s."""
    server.script["/"] = [Reply(b"busy", 429, headers), GOOD]

    assert client.get_json(server.url + "/") == {"good": True}

    assert waits == [wait]


def test_retry_after_as_a_date(server: ScriptedServer, client: Client, waits: list[float]) -> None:
    """A date is compared with the answer's own Date, here 45 seconds before it: no clock of ours is asked."""
    headers = {"Date": "Wed, 01 Jan 2020 00:00:00 GMT", "Retry-After": "Wed, 01 Jan 2020 00:00:45 GMT"}
    server.script["/"] = [Reply(b"", 503, headers), GOOD]

    client.get_json(server.url + "/")

    assert waits == [45.0]


def test_the_backoff_doubles_and_is_shortened_at_random(server: ScriptedServer) -> None:
    """Five attempts wait 1, 2, 4 and 8 seconds, less up to half: with the most jitter 0.5, 1, 2 and 4."""
    server.script["/"] = [Reply(b"", 500)]
    for jitters, expected in ((repeat(0.0), [1.0, 2.0, 4.0, 8.0]), (repeat(1.0), [0.5, 1.0, 2.0, 4.0])):
        waits: list[float] = []
        client = Client(sleep=waits.append, jitter=jitters.__next__, attempts=5)

        with pytest.raises(SourceUnavailable, match=r"^127\.0\.0\.1:\d+: HTTP 500; gave up after 5 attempts$"):
            client.get_json(server.url + "/")

        assert waits == expected


def test_a_quota_that_is_used_up_delays_the_next_request(
    server: ScriptedServer, client: Client, waits: list[float]
) -> None:
    """A good answer with nothing left is kept; only the next request waits as long as it says."""
    server.script["/"] = [Reply(GOOD.body, headers={AZURE_LEFT: "0", AZURE_WAIT: "30"}), GOOD]

    assert client.get_json(server.url + "/") == {"good": True}
    assert waits == []
    assert client.get_json(server.url + "/") == {"good": True}

    assert waits == [30.0]


@pytest.mark.parametrize("headers", [{}, {AZURE_LEFT: "41", AZURE_WAIT: "60"}, {AZURE_LEFT: "many"}])
def test_an_absent_or_ample_quota_delays_nothing(
    server: ScriptedServer, client: Client, waits: list[float], headers: dict[str, str]
) -> None:
    """An answer without the header was taken for a quota of 0."""
    server.script["/"] = [Reply(GOOD.body, headers=headers)]

    client.get_json(server.url + "/")
    client.get_json(server.url + "/")

    assert waits == []


def test_a_bad_request_is_not_repeated(server: ScriptedServer, client: Client, waits: list[float]) -> None:
    """400 is ours to mend: one attempt, and the server's own words on one line."""
    server.script["/"] = [Reply(b'{"error": {"message":\n "Invalid OData parameters supplied"}}', 400)]

    with pytest.raises(SourceChanged, match="HTTP 400 Bad Request: .*Invalid OData parameters supplied") as caught:
        client.get_json(server.url + "/")

    assert "\n" not in str(caught.value)
    assert len(server.asked) == 1
    assert waits == []


@pytest.mark.parametrize("status", [403, 404])
def test_a_missing_file_is_tried_again_then_unavailable(
    server: ScriptedServer, client: Client, waits: list[float], status: int
) -> None:
    """An index names a file some minutes before it exists. S3 answers 403 for it as well as 404."""
    server.script["/file.csv"] = [Reply(b"<Error/>", status)]

    with pytest.raises(SourceUnavailable, match=rf"no file /file.csv \(HTTP {status}\); gave up after 3 attempts"):
        with client.stream(server.url + "/file.csv"):
            pass

    assert waits == [1.0, 2.0]


def test_an_error_page_is_not_json(server: ScriptedServer, client: Client) -> None:
    """HTML under status 200 names itself; it is no empty list."""
    server.script["/"] = [Reply(b"<html>\n<body>Our services aren't available right now</body></html>")]

    with pytest.raises(SourceChanged, match="not JSON but <html> <body>Our services"):
        client.get_json(server.url + "/")


def test_a_server_error_page_is_unavailable(server: ScriptedServer, client: Client) -> None:
    """HTML under status 502 is a server error like any other."""
    server.script["/"] = [Reply(b"<html>bad gateway</html>", 502)]

    with pytest.raises(SourceUnavailable, match="HTTP 502; gave up after 3 attempts"):
        client.get_json(server.url + "/")


def test_a_cut_answer_is_asked_for_again(server: ScriptedServer, client: Client) -> None:
    """Half an answer is no answer: the request is repeated, and the second is whole."""
    server.script["/"] = [Reply(GOOD.body, cut_after=5), GOOD]

    assert client.get_json(server.url + "/") == {"good": True}


def test_an_answer_that_is_always_cut_is_incomplete(server: ScriptedServer, client: Client) -> None:
    """14 bytes were promised, 5 came: the message says so."""
    server.script["/"] = [Reply(GOOD.body, cut_after=5)]

    with pytest.raises(SourceIncomplete, match="the answer was cut: 5 bytes came, 9 were missing; gave up after 3"):
        client.get_json(server.url + "/")


def test_json_that_breaks_off_is_incomplete(server: ScriptedServer, client: Client) -> None:
    """The length is right and the JSON is not: a proxy had it cut before."""
    server.script["/"] = [Reply(b'{"good": tr')]

    with pytest.raises(SourceIncomplete, match="JSON that breaks off after 11 bytes"):
        client.get_json(server.url + "/")


def test_a_redirect_stays_on_the_host(server: ScriptedServer, client: Client) -> None:
    """Followed on the host, by path or whole address; refused to another host or port before anything is sent there."""
    server.script["/here"] = [GOOD]
    for target in ("/here", f"{server.url}/here"):
        server.script["/"] = [Reply(status=302, headers={"Location": target})]
        assert client.get_json(server.url + "/") == {"good": True}

    for target in ("http://localhost:1/", "https://127.0.0.1/here", "//prices.example/here"):
        server.script["/"] = [Reply(status=301, headers={"Location": target})]
        with pytest.raises(SourceChanged, match=r"127\.0\.0\.1:\d+: redirects to another host"):
            client.get_json(server.url + "/")


def test_redirects_end(server: ScriptedServer, client: Client) -> None:
    """A page that leads to itself is given up after five steps."""
    server.script["/"] = [Reply(status=302, headers={"Location": "/"})]

    with pytest.raises(SourceChanged, match="more than 5 redirects"):
        client.get_json(server.url + "/")


def test_no_message_shows_a_query(server: ScriptedServer, client: Client) -> None:
    """It may be a signature: neither of an address that redirects for ever nor of one that can't be asked."""
    server.script["/a"] = [Reply(b"", 302, {"Location": "/a"})]
    for address in (server.url + "/a?sig=secret", "http:///a?sig=secret"):
        with pytest.raises(SourceChanged, match="/a") as caught, client.stream(address):
            pass
        assert "secret" not in str(caught.value)


def test_no_password_is_sent(
    server: ScriptedServer, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even one that ~/.netrc has for the host, which `requests` would take."""
    (tmp_path / "netrc").write_text("default login somebody password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    server.script["/"] = [GOOD]

    client.get_json(server.url + "/")

    assert "Authorization" not in server.asked[0].headers


def test_nobody_listens(client: Client) -> None:
    """Connection refused: one line with host and port, no traceback of four libraries."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

    with pytest.raises(SourceUnavailable) as caught:
        client.get_json(f"http://127.0.0.1:{port}/")

    assert str(caught.value) == f"127.0.0.1:{port}: no answer: connection refused; gave up after 3 attempts"


def test_no_such_name(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that can't be resolved: the host, and the resolver's own words."""

    def resolve(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)

    with pytest.raises(SourceUnavailable, match="^prices.invalid: no answer: name or service not known; gave up"):
        client.get_json("https://prices.invalid/api")


def test_no_answer_in_time(waits: list[float]) -> None:
    """A server that accepts and stays silent is left after the time-out."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = Client(sleep=waits.append, jitter=lambda: 0.0, timeout=(0.2, 0.2), attempts=2)

        with pytest.raises(SourceUnavailable, match="no answer in time; gave up after 2 attempts"):
            client.get_json(f"http://127.0.0.1:{silent.getsockname()[1]}/")


@pytest.mark.parametrize("address", ["prices.azure.com/api", "ftp://prices.azure.com/", "http://[:::1/"])
def test_an_address_that_is_none(client: Client, waits: list[float], address: str) -> None:
    """A mistyped setting is said at once and not tried three times."""
    with pytest.raises(SourceChanged, match="is no address that can be asked"):
        client.get_json(address)

    assert waits == []


@pytest.mark.parametrize(
    "address", ["https://prices.azure.com:443/api?x=1", "https://PRICES.azure.com/", "https://prices.azure.com"]
)
def test_the_same_host(address: str) -> None:
    """`:443` is https's own port, and a host's name has no case."""
    stay_on_host("https://prices.azure.com", address, "leads")


@pytest.mark.parametrize(
    "address",
    [
        "http://prices.azure.com/",
        "https://prices.azure.com:8443/",
        "https://prices.azure.com.example/",
        "https://prices.azure.com@example.org/",
        "https://prices.azure.com:none/",
        "/api",
    ],
)
def test_another_host(address: str) -> None:
    """Another scheme, port or name; a name before @ is no host; what can't be read is another host too."""
    with pytest.raises(SourceChanged, match=r"^prices\.azure\.com: leads to another host"):
        stay_on_host("https://prices.azure.com", address, "leads")


def test_host_of() -> None:
    """The port is named where it is not the scheme's own."""
    assert host_of("https://prices.azure.com:443/api") == "prices.azure.com"
    assert host_of("http://127.0.0.1:8080/api") == "127.0.0.1:8080"


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_stream_is_read_whole(server: ScriptedServer, client: Client, chunked: bool, zipped: bool) -> None:
    """Lines and blocks of any size give the body back, gzip-encoded or not, chunked or not."""
    body = b"first\nsecond\n" + b"x" * 200_000 + b"\nlast"
    sent = gzip.compress(body) if zipped else body
    server.script["/f"] = [Reply(sent, headers={"Content-Encoding": "gzip"} if zipped else {}, chunked=chunked)]

    with client.stream(server.url + "/f") as stream:
        pieces = [stream.readline(), stream.read(3), stream.readline()]
        while piece := stream.read(70_000):
            pieces.append(piece)

        assert stream.at_end()
    assert pieces[:3] == [b"first\n", b"sec", b"ond\n"]
    assert b"".join(pieces) == body
    assert stream.cut is None


@pytest.mark.parametrize("chunked", [False, True])
def test_a_cut_stream_gives_what_came(server: ScriptedServer, client: Client, chunked: bool) -> None:
    """All 150,000 bytes that came before the cut are read, then the file ends and says why."""
    server.script["/f"] = [Reply(b"x" * 200_000, cut_after=150_000, chunked=chunked)]

    with client.stream(server.url + "/f") as stream:
        got = b"".join(iter(lambda: stream.read(40_000), b""))

    assert len(got) == 150_000
    assert stream.cut == ("the connection ended" if chunked else "150,000 bytes came, 50,000 were missing")


def test_a_stream_that_stops_is_cut(server: ScriptedServer, waits: list[float]) -> None:
    """A server that sends nothing more for the time-out counts as gone."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = Client(sleep=waits.append, timeout=(1.0, 0.2), attempts=1)
        silent.settimeout(2)

        def answer() -> None:
            connection, _ = silent.accept()
            connection.recv(1000)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            released.wait(5)
            connection.close()

        released = threading.Event()
        thread = threading.Thread(target=answer)
        thread.start()
        with client.stream(f"http://127.0.0.1:{silent.getsockname()[1]}/f") as stream:
            assert stream.read(9) == b"abc"
        released.set()
        thread.join()

    assert stream.cut == "nothing came for too long"


def test_a_client_names_itself(server: ScriptedServer, client: Client) -> None:
    """The provider can tell who asks."""
    server.script["/"] = [GOOD]
    client.get_json(server.url + "/")

    assert server.asked[0].headers["User-Agent"] == "gpu-prices"


def test_the_first_good_answer_ends_the_waiting(server: ScriptedServer, waits: list[float]) -> None:
    """Two busy answers, then a good one: two waits, and none before the next request."""
    server.script["/"] = [Reply(b"", 429, {"Retry-After": "5"}), Reply(b"", 503), GOOD]
    client = patient_client(waits, attempts=3)

    client.get_json(server.url + "/")
    client.get_json(server.url + "/")

    assert waits == [5.0, 2.0]


@pytest.mark.parametrize("header", ["Retry-After", AZURE_WAIT])
def test_a_wait_beyond_the_cap_is_not_waited_for(
    server: ScriptedServer, client: Client, waits: list[float], header: str
) -> None:
    """121 seconds are more than 120: nothing is waited and nothing asked again; the line says how long it would be."""
    server.script["/"] = [Reply(b"busy", 503, {header: "121"}), GOOD]

    with pytest.raises(SourceUnavailable) as caught:
        client.get_json(server.url + "/")

    assert str(caught.value).endswith("HTTP 503; asks for a wait of 121 seconds, over the 120 that this run would wait")
    assert (waits, len(server.asked)) == ([], 1)


def test_a_quota_that_comes_back_too_late(server: ScriptedServer, client: Client, waits: list[float]) -> None:
    """A good answer is kept; the next request, an hour too early, is not made."""
    server.script["/"] = [Reply(GOOD.body, headers={AZURE_LEFT: "0", AZURE_WAIT: "3600"}), GOOD]

    assert client.get_json(server.url + "/") == {"good": True}
    with pytest.raises(SourceUnavailable, match="no request left; asks for a wait of 3,600 seconds, over the 120"):
        client.get_json(server.url + "/")

    assert (waits, len(server.asked)) == ([], 1)


def test_json_that_takes_too_long(server: ScriptedServer, waits: list[float]) -> None:
    """Each look at the clock is 50 seconds later: at 0 it is asked, at 150 of 120 the rest is not waited for."""
    server.script["/"] = [GOOD]
    client = Client(sleep=waits.append, clock=count(0.0, 50.0).__next__)

    with pytest.raises(SourceUnavailable, match=r"^127\.0\.0\.1:\d+: the answer took longer than 120 seconds$"):
        client.get_json(server.url + "/")

    assert (waits, len(server.asked)) == ([], 1)


def test_an_answer_that_takes_too_long_to_begin(server: ScriptedServer, waits: list[float]) -> None:
    """The header came 1,000 seconds after the question: a stream has 900."""
    server.script["/f"] = [GOOD]
    client = Client(sleep=waits.append, clock=count(0.0, 1000.0).__next__)

    with pytest.raises(SourceUnavailable, match="the answer took longer than 900 seconds"):
        with client.stream(server.url + "/f"):
            pass


def test_a_stream_that_takes_too_long_is_cut(server: ScriptedServer, waits: list[float]) -> None:
    """What came within 900 seconds is real; at 1,200 the file ends and says why."""
    server.script["/f"] = [Reply(b"x" * 200_000)]
    client = Client(sleep=waits.append, clock=count(0.0, 400.0).__next__)

    with client.stream(server.url + "/f") as stream:
        got = stream.read(200_001)

    assert 0 < len(got) <= 200_000
    assert stream.cut == "the answer took longer than 900 seconds"


@pytest.mark.parametrize("zipped", [False, True])
def test_json_beyond_the_cap_is_not_read(
    server: ScriptedServer, client: Client, monkeypatch: pytest.MonkeyPatch, zipped: bool
) -> None:
    """A cap of 1 MiB is met by 2 MiB and a byte, packed into some kB too: one attempt, and a person must look."""
    body = b" " * (2 << 20) + b"1"
    monkeypatch.setattr(client_module, "LONGEST_JSON", 1 << 20)
    headers = {"Content-Encoding": "gzip"} if zipped else {}
    server.script["/"] = [Reply(gzip.compress(body) if zipped else body, headers=headers)]

    with pytest.raises(SourceChanged, match="an answer of more than 1 MiB, which is not read"):
        client.get_json(server.url + "/")

    assert len(server.asked) == 1


def test_the_cap_of_json() -> None:
    """64 MiB are 67,108,864 bytes."""
    assert client_module.LONGEST_JSON == 67_108_864


def test_json_that_is_nested_too_deeply(server: ScriptedServer, client: Client) -> None:
    """A hundred thousand brackets are no price list; the parser's own limit is said in one line."""
    server.script["/"] = [Reply(b"[" * 100_000 + b"]" * 100_000)]

    with pytest.raises(SourceChanged, match="nested too deeply"):
        client.get_json(server.url + "/")


def test_a_redirect_to_no_address(server: ScriptedServer, client: Client, waits: list[float]) -> None:
    """A Location that no parser takes: the feed changed, and it is said at once."""
    server.script["/"] = [Reply(status=302, headers={"Location": "http://[::1/"})]

    with pytest.raises(SourceChanged, match="redirects to what is no address: Invalid IPv6 URL"):
        client.get_json(server.url + "/")

    assert waits == []
