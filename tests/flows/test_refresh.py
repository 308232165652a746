"""The refresh flow, run by Prefect: what it asks, how often, what it says of itself, and how far a failure reaches."""

from pathlib import Path
from typing import Any

import pytest
from prefect import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId
from prefect.client.schemas.objects import FlowRun, State

from connectors.errors import SourceChanged, SourceError, SourceIncomplete, SourceUnavailable
from flows import refresh, wanted
from flows.refresh import IN_FLIGHT
from flows.runs import run_refresh
from reports.errors import UnknownName
from tests.flows.test_loading import p5_prices
from tests.flows.tiny_source import APRIL, JUNE, Answer, TinySource, april, april_2025, cut_prices, settings_at
from warehouse.database import writer_lock
from warehouse.errors import WarehouseBusy
from warehouse.landing import Landing

pytestmark = pytest.mark.usefixtures("prefect_harness")


@pytest.fixture
def only_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading and publishing take seconds and say nothing about who is asked."""
    monkeypatch.setattr(refresh, "load_and_publish_task", lambda settings, what: ([], None))
    monkeypatch.setattr(refresh, "show_on_page", lambda *outcome: None)


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> TinySource:
    """The only feed there is; tried again at once where it is tried again at all."""
    feed = april_2025()
    monkeypatch.setattr(wanted, "SOURCES", (feed,))
    monkeypatch.setattr(refresh, "fetch_scope", refresh.fetch_scope.with_options(retry_delay_seconds=0))
    return feed


def run(home: Path) -> tuple[State[Any], FlowRun]:
    """Run the whole flow as of June; its state, and the run as the server knows it."""
    state = refresh.refresh(settings=settings_at(home, JUNE), return_state=True)
    with get_client(sync_client=True) as client:
        run_id = state.state_details.flow_run_id
        assert run_id is not None
        (found,) = client.read_flow_runs(flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[run_id])))
    return state, found


def test_every_scope_is_fetched_loaded_and_published(tmp_path: Path, source: TinySource) -> None:
    """Three scopes, one attempt each; the run says in its name what it did, and ends well."""
    state, found = run(tmp_path)

    assert state.is_completed()
    assert source.asked == {"us-east-1": 1, "us-west-2": 1, "eu-west-1": 1}
    assert found.name == "refresh aws_price_list 3 scopes 2025-06-05T08:28Z"
    assert [float(str(price)) for price in p5_prices(tmp_path)] == [98.32, 98.32]


def test_a_scope_that_fails_stops_no_other(tmp_path: Path, source: TinySource) -> None:
    """It is named in the run's state, its old price stands, and the others' new ones are published."""
    run(tmp_path)
    cut_prices(source)
    source.answers["us-west-2"] = SourceChanged("a column is gone")
    state, _ = run(tmp_path)

    assert state.is_failed()
    assert state.message == "1 failed: aws_price_list us-west-2"
    assert [float(str(price)) for price in p5_prices(tmp_path)] == [55.04, 98.32]
    assert source.asked["us-west-2"] == 2  # once in each run: nobody helps a changed feed by asking again
    assert Landing(tmp_path / "landing").manifests("aws_price_list", "us-west-2")[-1].error == "a column is gone"


def test_a_first_run_that_broke_off_is_published(tmp_path: Path, source: TinySource) -> None:
    """What came before the break is real: it is loaded and published, and the run says what failed."""
    stop = SourceIncomplete("cut after two lines")
    source.answers = {"us-east-1": Answer(april("us-east-1"), stop=stop)}
    outcome = run_refresh(settings_at(tmp_path, APRIL))

    assert outcome.failed == {"aws_price_list us-east-1": "cut after two lines"}
    assert [float(str(price)) for price in p5_prices(tmp_path)] == [98.32]


@pytest.mark.usefixtures("only_asking")
def test_a_feed_that_answers_others_is_tried_again(tmp_path: Path, source: TinySource) -> None:
    """Out of reach twice, then there: three attempts, each with its manifest, and no failure in the end."""
    scopes = [f"us-east-{number}" for number in range(1, IN_FLIGHT + 2)]
    source.answers = {scope: Answer([{**line} for line in april("us-east-1")]) for scope in scopes}
    last = scopes[-1]  # asked when another has answered
    source.answers[last] = Answer([], failures=[SourceUnavailable("busy"), SourceUnavailable("busy")])
    outcome = run_refresh(settings_at(tmp_path, JUNE))

    assert outcome.failed == {}
    assert source.asked[last] == 3
    statuses = [m.status for m in Landing(tmp_path / "landing").manifests("aws_price_list", last)]
    assert sorted(statuses) == ["complete", "failed", "failed"]


@pytest.mark.usefixtures("only_asking")
def test_a_feed_out_of_reach_is_given_up(tmp_path: Path, source: TinySource) -> None:
    """After the first four scopes, once each: the other eight are not asked, and a manifest of each says so."""
    source.answers = {f"region-{number:02}": SourceUnavailable("no network") for number in range(12)}
    outcome = run_refresh(settings_at(tmp_path, JUNE))

    assert IN_FLIGHT == 4
    assert source.asked == {f"region-{number:02}": 1 for number in range(4)}
    assert len(outcome.failed) == 12
    assert outcome.failed["aws_price_list region-11"] == "not asked: aws_price_list is out of reach"
    assert len(Landing(tmp_path / "landing").scopes()) == 12
    assert outcome.release is None  # nothing was ever fetched


def test_a_feed_without_a_list_fails_by_its_name(tmp_path: Path, source: TinySource) -> None:
    """What is known of it is published as it stands."""
    run_refresh(settings_at(tmp_path, APRIL))
    source.listing = SourceUnavailable("no network")
    outcome = run_refresh(settings_at(tmp_path, JUNE))

    assert outcome.failed == {"aws_price_list aws": "no network"}
    assert outcome.release is not None and outcome.release.as_of >= JUNE


@pytest.mark.usefixtures("only_asking")
def test_a_location_that_left_the_index_fails_the_run_once(tmp_path: Path, source: TinySource) -> None:
    """The first run that misses it names it; the next ones only log it, and its freshness goes on to tell."""
    run_refresh(settings_at(tmp_path, APRIL))
    del source.answers["us-west-2"]

    outcome = run_refresh(settings_at(tmp_path, JUNE))
    assert outcome.failed == {"aws_price_list us-west-2": "no longer listed by the feed"}
    assert run_refresh(settings_at(tmp_path, JUNE)).failed == {}
    assert source.asked["us-west-2"] == 1


@pytest.mark.usefixtures("only_asking")
def test_no_more_scopes_are_asked_at_once_than_a_feed_bears(tmp_path: Path, source: TinySource) -> None:
    """Of twelve scopes never more than four at a time."""
    source.answers = {f"region-{number:02}": Answer([]) for number in range(12)}
    source.seconds = 0.1
    run_refresh(settings_at(tmp_path, JUNE))

    assert len(source.asked) == 12
    assert 2 <= source.most_at_once <= 4


@pytest.mark.usefixtures("only_asking")
def test_only_the_regions_asked_for(tmp_path: Path, source: TinySource) -> None:
    """By pattern; one that no scope is of is answered with the nearest, and nothing is fetched."""
    run_refresh(settings_at(tmp_path, JUNE), regions=["us-*"])
    assert sorted(source.asked) == ["us-east-1", "us-west-2"]

    with pytest.raises(UnknownName, match="unknown region 'us-est-1'"):
        run_refresh(settings_at(tmp_path, JUNE), regions=["us-est-1"])


def test_an_error_of_the_whole_run_comes_out_as_it_is(tmp_path: Path, source: TinySource) -> None:
    """Another writer: the flow fails with the very error, and what was fetched is kept."""
    with writer_lock(tmp_path, "gpu-prices replay"), pytest.raises(WarehouseBusy, match="gpu-prices replay"):
        run_refresh(settings_at(tmp_path, JUNE))

    assert len(Landing(tmp_path / "landing").scopes()) == 3


def test_the_page_of_the_run_shows_what_was_published(tmp_path: Path, source: TinySource) -> None:
    """Tables of the scopes and of the published tables' first rows, and what failed."""
    source.answers["eu-west-1"] = SourceChanged("a column is gone")
    _, found = run(tmp_path)
    with get_client(sync_client=True) as client:
        artifacts = {a.key: a for a in client.read_artifacts() if a.flow_run_id == found.id}

    assert set(artifacts) == {
        "refresh-summary",
        "refresh-scopes",
        "published-prices",
        "published-price-changes",
        "published-sources",
    }
    said = str(artifacts["refresh-summary"].data).splitlines()
    # 2 of 3 scopes; each has 4 offers in 5 records, as both lines of a reservation are loaded.
    assert said[2] == "| 2 | 1 | 10 | 0 | 0 | 0 |"
    assert said[-1] == "- **aws_price_list eu-west-1**: a column is gone"
    assert "p5.48xlarge" in str(artifacts["published-prices"].data)


def test_errors_of_a_scope_are_these() -> None:
    """A feed's errors and a damaged landing file belong to one scope; a full disk or a bug does not."""
    assert issubclass(SourceUnavailable, refresh.OF_THE_SCOPE) and issubclass(SourceError, refresh.OF_THE_SCOPE)
    assert not issubclass(OSError, refresh.OF_THE_SCOPE)
