"""The discover flow, run by Prefect: which feeds it walks, what it says of itself, and when it walks again."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from connectors.errors import SourceChanged, SourceIncomplete
from flows import discovery, wanted
from flows.runs import run_discover
from tests.flows.tiny_source import JUNE, Answer, TinySource, april, april_2025, settings_at
from warehouse.landing import Landing

pytestmark = pytest.mark.usefixtures("prefect_harness")

MOON = "us-moon-1"


@dataclass
class Feeds:
    """One feed that has a walk over all places, and one that hasn't."""

    walked: TinySource
    listed: TinySource


@pytest.fixture
def feeds(monkeypatch: pytest.MonkeyPatch) -> Iterator[Feeds]:
    """The only feeds there are; tried again at once where they are tried again at all."""
    walked = TinySource({"*": Answer([*april("us-east-1"), *april(MOON)[:1]])}, everywhere="*")
    listed = april_2025()
    monkeypatch.setattr(wanted, "SOURCES", (walked, listed))
    monkeypatch.setattr(discovery, "walk", discovery.walk.with_options(retry_delay_seconds=0))
    yield Feeds(walked, listed)


def test_what_a_walk_finds_is_landed_and_loaded(tmp_path: Path, feeds: Feeds) -> None:
    """us-east-1 is a region we list; the moon is none: one partial fetch of it. A feed with a list isn't walked."""
    outcome = run_discover(settings_at(tmp_path, JUNE))

    assert outcome.failed == {}
    assert [(manifest.scope, manifest.records) for manifest in outcome.found] == [(MOON, 1)]
    assert [done.scope for done in outcome.loaded] == ["*", MOON]
    assert outcome.release is not None
    assert feeds.listed.asked == {}


def test_a_walk_that_stops_short_is_walked_again(tmp_path: Path, feeds: Feeds) -> None:
    """Three times in all; each lands what it found, and the run fails in the end, naming the reason."""
    feeds.walked.answers["*"] = Answer(april(MOON)[:1], stop=SourceIncomplete("page 7 never came"))
    outcome = run_discover(settings_at(tmp_path, JUNE))

    assert outcome.failed == {"aws_price_list everywhere": "page 7 never came"}
    assert [manifest.scope for manifest in outcome.found] == [MOON]
    assert [m.status for m in Landing(tmp_path / "landing").manifests("aws_price_list", MOON)] == ["partial"] * 3
    assert outcome.release is not None


def test_a_changed_feed_is_not_walked_again(tmp_path: Path, feeds: Feeds) -> None:
    """Nothing came and there is nothing to publish; the reason is told."""
    feeds.walked.answers["*"] = SourceChanged("no GPU size in any region")
    outcome = run_discover(settings_at(tmp_path, JUNE))

    assert outcome.failed == {"aws_price_list everywhere": "no GPU size in any region"}
    assert feeds.walked.asked == {"*": 1}
    assert (outcome.found, outcome.release) == ([], None)
