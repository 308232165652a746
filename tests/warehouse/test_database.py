"""Opening the warehouse: one clear line for every way it can be unusable, and nothing lost."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from warehouse.database import REFERENCE_DIR, open_warehouse, reference_hash, writer_lock
from warehouse.errors import WarehouseBusy, WarehouseError

HOLD_THE_FILE = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


def test_times_are_utc_and_the_catalog_has_its_name(tmp_path: Path) -> None:
    """Whatever the machine's zone, the session is UTC; SQL can name the catalog."""
    with open_warehouse(tmp_path / "any name.duckdb") as connection:
        rows = connection.execute("SELECT current_setting('TimeZone'), current_database()").fetchall()

    assert rows == [("UTC", "warehouse")]


def test_reference_tables_hold_the_files(tmp_path: Path) -> None:
    """Each csv file is a table ref_<name> with its header's columns."""
    with open_warehouse(":memory:") as connection:
        for path in REFERENCE_DIR.glob("*.csv"):
            described = connection.execute(f"DESCRIBE ref_{path.stem}").fetchall()
            assert [row[0] for row in described] == path.read_text().splitlines()[0].split(",")


def test_the_reference_is_loaded_anew_when_a_file_changed(tmp_path: Path) -> None:
    """The hash covers names and content."""
    (tmp_path / "a.csv").write_text("x\n1\n")
    first = reference_hash(tmp_path)
    (tmp_path / "a.csv").write_text("x\n2\n")

    assert reference_hash(tmp_path) != first


def test_a_file_in_use_says_so(tmp_path: Path) -> None:
    """Another process has it open: wait and try again."""
    path = tmp_path / "warehouse.duckdb"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_THE_FILE, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(WarehouseBusy, match="another process"), open_warehouse(path):
            pass
        holder.communicate("")


@pytest.mark.parametrize("content", [b"not a database", b"\0" * 20_000])
def test_a_file_that_is_no_database_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    """The person learns that landing/ still has everything; the file is left as it is."""
    path = tmp_path / "warehouse.duckdb"
    path.write_bytes(content)

    with pytest.raises(WarehouseError, match="gpu-prices replay"), open_warehouse(path):
        pass
    assert path.read_bytes() == content


def test_a_newer_schema_says_upgrade(tmp_path: Path) -> None:
    """An older program must not write what a newer one reads."""
    path = tmp_path / "warehouse.duckdb"
    with open_warehouse(path) as connection:
        connection.execute("UPDATE warehouse_state SET schema_version = 999").fetchall()

    with pytest.raises(WarehouseError, match="newer gpu-prices"), open_warehouse(path):
        pass


def test_a_newer_storage_says_upgrade(tmp_path: Path) -> None:
    """The version number stands in bytes 12 to 20 of a DuckDB file; one we can't know is answered with 'upgrade'."""
    path = tmp_path / "warehouse.duckdb"
    duckdb.connect(str(path)).close()
    content = bytearray(path.read_bytes())
    content[12:20] = (9999).to_bytes(8, "little")
    path.write_bytes(content)

    with pytest.raises(WarehouseError), open_warehouse(path):
        pass


def test_one_writer_at_a_time_and_the_other_is_named(tmp_path: Path) -> None:
    """The lock says who has it."""
    with (
        writer_lock(tmp_path, "gpu-prices refresh"),
        pytest.raises(WarehouseBusy, match=f"gpu-prices refresh .process {os.getpid()}"),
        writer_lock(tmp_path, "gpu-prices publish"),
    ):
        pass


def test_the_lock_of_a_dead_process_is_free(tmp_path: Path) -> None:
    """A killed writer leaves the file behind, not the lock."""
    (tmp_path / "writer.lock").write_text("gpu-prices refresh (process 1)\n")

    with writer_lock(tmp_path, "gpu-prices publish"):
        assert (tmp_path / "writer.lock").read_text().startswith("gpu-prices publish")
