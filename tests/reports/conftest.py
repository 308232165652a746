"""A published home to ask."""

from pathlib import Path

import pytest

from tests.flows.tiny_source import publish_both


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """April and June 2025 of the tiny feed, published; to be read only."""
    folder = tmp_path_factory.mktemp("home")
    publish_both(folder)
    return folder
