"""Tests of `connectors`."""
