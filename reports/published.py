"""The published file, opened to be read and for nothing else.

Readers never wait for a writer: a release is a folder that never changes, and `published` is a link to the latest.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from reports.errors import NoPublication, PublicationUnreadable, QueryFailed

QUERIES_DIR = Path(__file__).parent / "queries"
# A person's query may be anything: it gets this much memory and no disk, so that a slip can't take the machine down.
MEMORY_LIMIT = "1GB"
# Three publications between reading the link and opening the file would take its release away: then look again.
LOOKS = 5


@dataclass(frozen=True)
class Rows:
    """Rows of a query: column names, values as DuckDB gives them, and whether there were more than asked for."""

    columns: tuple[str, ...]
    values: list[tuple[object, ...]]
    more: bool = False

    def __bool__(self) -> bool:
        return bool(self.values)

    def as_records(self) -> list[dict[str, Any]]:
        """One mapping a row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.values]

    def column(self, name: str) -> list[object]:
        """The values of one column."""
        place = self.columns.index(name)
        return [row[place] for row in self.values]


class Published:
    """An open publication."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self._connection = connection
        self.folder = folder

    @property
    def as_of(self) -> datetime:
        """The moment this publication speaks for, naive UTC."""
        (moment,) = self.ask("publication").column("as_of")
        if not isinstance(moment, datetime):
            raise PublicationUnreadable(f"{self.folder}: the publication has no date: run `gpu-prices publish`")
        return moment

    def ask(self, query: str, *, limit: int | None = None, **parameters: object) -> Rows:
        """The rows of reports/queries/<query>.sql; its `$name`s are bound to `parameters`.

        Raises:
            PublicationUnreadable: it was written by another version of gpu-prices, or is damaged.
        """
        try:
            with self._connection.cursor() as cursor:
                return _fetch(cursor, query_text(query), parameters, limit)
        except duckdb.Error as error:
            said = first_line(error)
            raise PublicationUnreadable(
                f"{self.folder} can't answer '{query}' ({said}): run `gpu-prices publish` to build it anew"
            ) from error

    def sql(self, text: str, limit: int) -> Rows:
        """The first `limit` rows of a person's own query.

        It runs in a thread, because DuckDB may go for hours without a look at signals: the one that waits has one.

        Raises:
            QueryFailed: DuckDB refuses it.
        """
        with self._connection.cursor() as cursor, ThreadPoolExecutor(1) as thread:
            running = thread.submit(_fetch, cursor, text, {}, limit)
            try:
                return running.result()
            except duckdb.Error as error:
                raise QueryFailed(" ".join(str(error).split())) from error

    def head(self, table: str, limit: int = 10) -> Rows:
        """The first rows of a published table."""
        relation = self._connection.table(table).limit(limit)
        return Rows(tuple(relation.columns), relation.fetchall())


@contextmanager
def open_published(home: Path) -> Iterator[Published]:
    """The latest publication of a home, read-only, with the rest of the disk and the network out of a query's reach.

    Raises:
        NoPublication: nothing has been published yet.
        PublicationUnreadable: the file is damaged, or was written by a newer DuckDB.
    """
    connection, folder = _open_latest(home)
    try:
        # Files of a user are closed to queries by `enable_external_access`; from here on the settings are too.
        for setting in (
            "TimeZone = 'UTC'",
            f"memory_limit = '{MEMORY_LIMIT}'",
            "max_temp_directory_size = '0B'",
            "lock_configuration = true",
        ):
            connection.execute(f"SET {setting}").fetchall()
        yield Published(connection, folder)
    finally:
        connection.close()


@cache
def query_text(name: str) -> str:
    """The text of one query."""
    return (QUERIES_DIR / f"{name}.sql").read_text(encoding="utf-8")


def first_line(error: BaseException) -> str:
    """The first line of what an error says."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def _fetch(cursor: duckdb.DuckDBPyConnection, text: str, parameters: dict[str, object], limit: int | None) -> Rows:
    cursor.execute(text, parameters or None)
    if cursor.description is None:
        return Rows((), [])
    columns = tuple(column[0] for column in cursor.description)
    if limit is None:
        return Rows(columns, cursor.fetchall())
    values = cursor.fetchmany(limit + 1)
    return Rows(columns, values[:limit], more=len(values) > limit)


def _open_latest(home: Path) -> tuple[duckdb.DuckDBPyConnection, Path]:
    for look in range(LOOKS):
        # DuckDB keeps one instance for each path: opened by the link's name, an old release would come back.
        folder = _latest(home)
        try:
            return _connect(folder / "gpu_prices.duckdb"), folder
        except duckdb.Error as error:
            if look + 1 < LOOKS and _latest(home) != folder:
                continue
            raise _in_words(error, folder) from error
    raise PublicationUnreadable(f"{home}: the publication changes faster than it can be opened: try again")


def _latest(home: Path) -> Path:
    link = home / "published"
    try:
        return link.resolve(strict=True)
    except FileNotFoundError:
        raise NoPublication(f"nothing has been published in {home} yet: run `gpu-prices refresh` first") from None


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(
        str(path), read_only=True, config={"enable_external_access": False, "autoinstall_known_extensions": False}
    )


def _in_words(error: duckdb.Error, folder: Path) -> PublicationUnreadable:
    said = first_line(error)
    if "newer version" in said or "version number" in said:
        return PublicationUnreadable(f"{folder} was written by a newer DuckDB than this one ({said}): upgrade duckdb")
    return PublicationUnreadable(f"{folder} can't be opened ({said}): run `gpu-prices publish` to build it anew")
