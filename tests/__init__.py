"""Tests, one folder per package and one module per module.

The test folders are packages so that two modules of one name (two `test_errors.py`) don't meet,
and so that pytest puts the checkout itself, not a folder below it, on the import path.
"""
