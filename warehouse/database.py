"""The warehouse file: opening it, its schema, its reference tables, and the lock of its one writer."""

import csv
import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from warehouse.errors import WarehouseBusy, WarehouseError

SCHEMA_VERSION = 1
FOLDER = Path(__file__).parent
REFERENCE_DIR = FOLDER / "reference"

# Columns of the reference files that are not text. Everything else stays as written ('9.0' is a capability, no number).
REFERENCE_TYPES = {
    "gpu_numerator": "INTEGER",
    "gpu_denominator": "INTEGER",
    "memory_gb": "DECIMAL(10, 3)",
    "memory_bandwidth_gbs": "DECIMAL(10, 3)",
    "fp32_tflops": "DECIMAL(10, 3)",
    "fp16_tensor_dense_tflops": "DECIMAL(10, 3)",
    "fp8_dense_tflops": "DECIMAL(10, 3)",
    "release_year": "INTEGER",
    "latitude": "DOUBLE",
    "longitude": "DOUBLE",
    "canary": "BOOLEAN",
    "has_recorded_prices": "BOOLEAN",
    "tensor_cores": "INTEGER",
    "vcpus": "INTEGER",
    "memory_gib": "DECIMAL(10, 3)",
    "network_gbps": "DECIMAL(10, 3)",
    "network_burst_gbps": "DECIMAL(10, 3)",
    "local_nvme_gb": "INTEGER",
    "retires_on": "DATE",
    "lowest_price_per_gpu_hour": "DECIMAL(18, 10)",
    "highest_price_per_gpu_hour": "DECIMAL(18, 10)",
}


@contextmanager
def open_warehouse(path: Path | str, *, read_only: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the warehouse attached AS warehouse and in use; ':memory:' for one that is not kept.

    The schema is made, and the reference tables are loaded anew when their files changed. Timestamps are naive UTC.

    Raises:
        WarehouseBusy: another process holds the file.
        WarehouseError: it is no DuckDB file, is damaged, or was written by a newer gpu-prices or DuckDB.
    """
    connection = duckdb.connect(":memory:", config={"autoinstall_known_extensions": False})
    try:
        connection.execute("SET TimeZone = 'UTC'")
        _attach(connection, str(path), read_only)
        if not read_only:
            _prepare(connection, str(path))
        yield connection
    finally:
        connection.close()


@contextmanager
def writer_lock(home: Path, what: str) -> Iterator[None]:
    """The right to write in this home, for one process at a time; the kernel takes it back from a killed one.

    `what` is said to whoever comes meanwhile.

    Raises:
        WarehouseBusy: another process holds it.
    """
    home.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(home / "writer.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(descriptor, 200).decode(errors="replace").strip() or "another process"
            raise WarehouseBusy(f"{home} is in use by {owner}: wait until it ends, then try again") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{what} (process {os.getpid()})\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def reference_hash(folder: Path = REFERENCE_DIR) -> str:
    """sha256 over the reference files, name and content, in name order."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.csv")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _attach(connection: duckdb.DuckDBPyConnection, path: str, read_only: bool) -> None:
    quoted = path.replace("'", "''")
    mode = " (READ_ONLY)" if read_only else ""
    try:
        connection.execute(f"ATTACH '{quoted}' AS warehouse{mode}")
        connection.execute("USE warehouse")
    except duckdb.Error as error:
        raise _in_words(error, path) from error


def _in_words(error: duckdb.Error, path: str) -> WarehouseError:
    said = str(error)
    first = said.splitlines()[0]
    if "lock" in said.lower():
        return WarehouseBusy(f"{path} is open in another process ({first}): wait until it ends, then try again")
    if "newer version" in said or "version number" in said:
        return WarehouseError(f"{path} was written by a newer DuckDB than this one ({first}): upgrade duckdb")
    if isinstance(error, duckdb.IOException) and "Cannot open" in said:
        return WarehouseError(f"{path} can't be opened ({first})")
    return WarehouseError(
        f"{path} is not a DuckDB file or is damaged ({first}): move it away and run `gpu-prices replay`, "
        "which builds it anew from landing/"
    )


def _prepare(connection: duckdb.DuckDBPyConnection, path: str) -> None:
    try:
        for script in sorted((FOLDER / "schema").glob("*.sql")):
            connection.execute(script.read_text())
        state = connection.execute("FROM warehouse_state").fetchall()
        if state and state[0][0] > SCHEMA_VERSION:
            raise WarehouseError(
                f"{path} was written by a newer gpu-prices (schema {state[0][0]}, this one knows {SCHEMA_VERSION}): "
                "upgrade gpu-prices"
            )
        present = reference_hash()
        if not state or state[0][1] != present:
            _load_reference(connection, present)
    except duckdb.Error as error:
        raise _in_words(error, path) from error


def _load_reference(connection: duckdb.DuckDBPyConnection, present: str) -> None:
    connection.execute("BEGIN")
    for path in sorted(REFERENCE_DIR.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            header = next(csv.reader(file))
        columns = {name: REFERENCE_TYPES.get(name, "VARCHAR") for name in header}
        connection.execute(
            f"""CREATE OR REPLACE TABLE ref_{path.stem} AS
            FROM read_csv(?, header = true, delim = ',', quote = '"', escape = '"', columns = ?)""",
            [str(path), columns],
        ).fetchall()
    connection.execute("DELETE FROM warehouse_state")
    connection.execute("INSERT INTO warehouse_state VALUES (?, ?)", [SCHEMA_VERSION, present])
    connection.execute("COMMIT")
