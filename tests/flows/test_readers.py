"""Readers while the writer publishes: nobody waits, nobody fails, nobody sees half of anything."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

from flows.fetching import fetch_scope
from flows.loading import load_and_publish
from tests.flows.tiny_source import APRIL, Answer, TinySource, line, settings_at

READERS = 8
PUBLICATIONS = 10

# Reads until told to stop, and prints what it saw: the release's moment, and how many prices it has. The pause leaves
# the writer some of the two cores.
READER = """
import json, sys, time
from pathlib import Path
from reports.published import open_published

home, stop = Path(sys.argv[1]), Path(sys.argv[2])
seen, reads = {}, 0
while not stop.exists():
    with open_published(home) as published:
        as_of = str(published.as_of)
        counts = {(row[0], row[1]) for row in published.sql(
            "SELECT (SELECT count(*) FROM prices), (SELECT count(*) FROM price_history) FROM publication", 2).values}
        again = str(published.as_of)
    reads += 1
    seen.setdefault(as_of, set()).update(counts)
    assert again == as_of
    time.sleep(0.5)
print(json.dumps({"reads": reads, "seen": {as_of: sorted(counts) for as_of, counts in seen.items()}}))
"""


def publish_number(home: Path, number: int) -> str:
    """Publish the version in which `number` sizes are sold, each at another price than before; its moment."""
    records = [line("us-east-1", f"p5.{size}xlarge", f"{number + size}.5") for size in range(1, number + 1)]
    moment = APRIL + timedelta(days=number)
    source = TinySource({"us-east-1": Answer(records, published_at=moment)})
    fetch_scope(source, "us-east-1", settings_at(home, moment))
    _, release = load_and_publish(settings_at(home, moment), "a test")
    return str(release.as_of.replace(tzinfo=None))


def test_eight_readers_never_see_half_a_publication(tmp_path: Path) -> None:
    """After version n there are n prices and n (n + 1) / 2 in history; each release that was read has just these."""
    home, stop = tmp_path / "home", tmp_path / "stop"
    published = {publish_number(home, 1): [1, 1]}
    command = [sys.executable, "-c", READER, str(home), str(stop)]
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(READERS)]
    try:
        for number in range(2, PUBLICATIONS + 1):
            published[publish_number(home, number)] = [number, number * (number + 1) // 2]
    finally:
        stop.touch()
        ended = [reader.communicate(timeout=60) for reader in readers]

    assert [reader.returncode for reader in readers] == [0] * READERS, ended[0][1].decode()
    answers = [json.loads(out) for out, _ in ended]
    for answer in answers:
        assert answer["reads"] >= 2
        assert {as_of: counts for as_of, counts in answer["seen"].items()} == {
            as_of: [published[as_of]] for as_of in answer["seen"]
        }
    assert len({as_of for answer in answers for as_of in answer["seen"]}) >= PUBLICATIONS // 2
    assert len(list((home / "releases").iterdir())) == 3
