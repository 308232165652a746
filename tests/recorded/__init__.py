"""Comparisons with recorded payloads that are not part of the project: `make check-recorded DIR=...`."""
