"""Disk and DuckDB: landing files in, price history, published releases out. No network, no clock."""
