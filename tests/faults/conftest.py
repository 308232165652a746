"""The server and client of the connectors' tests."""

from tests.connectors.conftest import client, server, waits

__all__ = ["client", "server", "waits"]
