"""A server to ask and a client that asks it."""

from collections.abc import Iterator

import pytest

from connectors.client import Client
from tests.connectors.scripted_server import ScriptedServer, patient_client, serve


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A server on loopback without a script."""
    with serve() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    """The seconds `client` would have slept, in order."""
    return []


@pytest.fixture
def client(waits: list[float]) -> Client:
    """A client of three attempts that never sleeps."""
    return patient_client(waits)
