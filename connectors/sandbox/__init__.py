"""A stand-in for the clouds: an HTTP server on loopback that answers as they do, from recorded prices."""

from connectors.sandbox.facts import DATES, REGIONS
from connectors.sandbox.faults import Faults
from connectors.sandbox.server import Sandbox, serve

__all__ = ["DATES", "REGIONS", "Faults", "Sandbox", "serve"]
