"""What the environment and the clock tell the rest."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows.settings import Clock, Settings, prepare_prefect, read_settings, url_variable


def test_the_command_line_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """--home before GPU_PRICES_HOME before ./data."""
    assert read_settings().home == Path("data")
    monkeypatch.setenv("GPU_PRICES_HOME", "/srv/prices")
    assert read_settings().home == Path("/srv/prices")
    assert read_settings(Path("here")).home == Path("here")


def test_a_source_is_sent_to_another_address_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """GPU_PRICES_<SOURCE>_URL; an empty one is as good as none."""
    monkeypatch.setenv(url_variable("aws_price_list"), "http://127.0.0.1:8765")
    monkeypatch.setenv("GPU_PRICES_AZURE_RETAIL_PRICES_URL", "")

    assert read_settings().base_urls == {"aws_price_list": "http://127.0.0.1:8765"}


def test_a_shifted_clock_starts_where_it_is_told_and_goes_on() -> None:
    """It is aware, begins within a second of the moment, and never shows the same instant twice."""
    moment = datetime(2025, 6, 5, 8, 28, 22, tzinfo=UTC)
    clock = Clock.starting_at(moment)
    shown = [clock.now() for _ in range(1000)]

    assert 0 <= (shown[0] - moment).total_seconds() < 1
    assert shown == sorted(shown) and shown[-1] > shown[0]


def test_the_plain_clock_is_the_machines() -> None:
    """Without a shift it shows the present, in UTC."""
    before = datetime.now(UTC)

    assert before <= Settings().clock.now() <= datetime.now(UTC)


def test_prefect_stays_in_the_home_unless_the_person_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is set already is left alone; the rest keeps Prefect's files in the home, and it reports to nobody."""
    monkeypatch.setattr(os, "environ", {"PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "INFO"})
    prepare_prefect(tmp_path)

    assert os.environ["PREFECT_HOME"] == str(tmp_path / "prefect")
    assert os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] == "INFO"
    assert os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
    assert os.environ["PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS"] == "120"
