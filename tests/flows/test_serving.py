"""`gpu-prices serve`: when it runs, and what it says of a run. The process itself is proven by `make check-server`."""

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import typer
from prefect.client.schemas.objects import FlowRun, State
from prefect.deployments.runner import RunnerDeployment
from prefect.settings import PREFECT_API_URL, temporary_settings
from prefect.states import Completed, Failed

from flows import serving
from flows.faults import Fault
from flows.refresh import refresh
from flows.settings import Settings
from flows.updating import cron, parse_schedule

ENDED = datetime(2026, 7, 20, 6, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "daily", "on_mondays"),
    [
        ("06:15", "15 6 * * *", "15 6 * * 1"),
        ("0:05", "5 0 * * *", "5 0 * * 1"),
        ("23:59", "59 23 * * *", "59 23 * * 1"),
        ("15 */6 * * *", "15 */6 * * *", "15 */6 * * *"),  # cron is taken as it stands
    ],
)
def test_a_time_or_cron(said: str, daily: str, on_mondays: str) -> None:
    """A time of the day is meant daily for the refresh, on Mondays for the walk."""
    assert cron(parse_schedule(said), "*") == daily
    assert cron(parse_schedule(said), "1") == on_mondays


@pytest.mark.parametrize("said", ["24:00", "6.15", "noon", "", "6:5", "* * * *"])
def test_what_is_no_schedule(said: str) -> None:
    """It is told what one looks like."""
    with pytest.raises(typer.BadParameter, match="is no time, like 06:15, and no cron expression"):
        parse_schedule(said)


def test_a_deployment_is_found_by_its_module_and_told_the_hour_in_utc() -> None:
    """Its runs are other processes, wherever they are started."""
    deployment = serving.deployed(refresh, "served-daily", "15 6 * * *", {"partitions": ["aws-cn"]})

    assert isinstance(deployment, RunnerDeployment)
    assert (deployment.name, deployment.entrypoint) == ("served-daily", "flows.refresh.refresh")
    assert deployment.schedules is not None
    assert [getattr(each.schedule, "timezone", None) for each in deployment.schedules] == ["UTC"]
    assert deployment.parameters == {"partitions": ["aws-cn"]}


def test_a_prefect_without_a_server_serves_nothing(tmp_path: Path) -> None:
    """Who has a Prefect home but no server is told so: the one that Prefect would start keeps no schedule."""
    with (
        temporary_settings({PREFECT_API_URL: None}),
        pytest.raises(Fault, match="your Prefect names no server: set PREFECT_API_URL"),
    ):
        serving.serve(Settings(home=tmp_path), "15 6 * * *", "15 3 * * 1")


def test_a_run_that_ended_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """When, which, how; a failure is a warning, and a list of sixty names is cut."""
    failed: State[Any] = Failed(message="60 failed: " + ", ".join(["azure_retail_prices eastus/USD"] * 60))
    with caplog.at_level(logging.INFO, "gpu_prices"):
        for state in (Completed(message="72 scopes"), failed):
            run = {"flow_id": uuid4(), "name": "refresh of all", "end_time": ENDED, "state": state}
            serving.tell_end(FlowRun.model_validate(run))

    assert caplog.messages[0] == "2026-07-20 06:18 refresh of all: Completed, 72 scopes"
    assert caplog.messages[1].startswith(
        "2026-07-20 06:18 refresh of all: Failed, 60 failed: azure_retail_prices eastus"
    )
    assert caplog.messages[1].endswith(" ... (all of it is on the page)")
    assert len(caplog.messages[1]) < 250
    assert [record.levelname for record in caplog.records] == ["INFO", "WARNING"]
