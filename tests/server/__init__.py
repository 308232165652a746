"""Checks that need a real Prefect server; a command of their own, `make check-server`."""
