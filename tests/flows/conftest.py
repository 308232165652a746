"""A Prefect server for the few tests that run a flow, and a home that the tests of the command line share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.tiny_source import publish_both


@pytest.fixture(scope="session")
def prefect_harness() -> Iterator[None]:
    """A temporary Prefect server. It takes ten seconds to come up, so those who need it are few and in one file."""
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings
    from prefect.testing.utilities import prefect_test_harness

    with (
        prefect_test_harness(server_startup_timeout=120),
        temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}),  # else each flow run ends with a second's wait
    ):
        yield


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """April and June 2025 of the tiny feed, published; to be read only."""
    folder = tmp_path_factory.mktemp("home")
    publish_both(folder)
    return folder
