"""Tests of `warehouse`."""
