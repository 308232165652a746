"""Tests of the stand-in for the clouds."""
