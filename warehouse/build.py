"""Building the published tables: each view file is one SELECT, and DuckDB's own parser says which reads which."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import duckdb

from warehouse.errors import WarehouseError

VIEWS_DIR = Path(__file__).parent / "views"
CATALOG = "gpu_prices"


@dataclass(frozen=True)
class View:
    """A view file. `columns`: column -> its meaning and unit. An internal view is a step: it is not published."""

    name: str
    select: str
    sentence: str
    grain: tuple[str, ...]
    columns: Mapping[str, str]
    internal: bool


def read_views(folder: Path = VIEWS_DIR) -> list[View]:
    """Every view of the folder, and those of its folder internal/; in name order."""
    paths = [*folder.glob("*.sql"), *folder.glob("internal/*.sql")]
    return [read_view(path) for path in sorted(paths, key=lambda path: path.stem)]


def read_view(path: Path) -> View:
    """The view in a file, with what its head says: a sentence, `grain:`, then `column: meaning` for each column.

    A head line that is indented by more than one space goes on with the line above it.
    """
    text = path.read_text(encoding="utf-8")
    said = list(_head(text))
    grain = next((index for index, line in enumerate(said) if line.startswith("grain: ")), len(said))
    columns = (line.partition(": ") for line in said[grain + 1 :])
    return View(
        name=path.stem,
        select=text.rstrip().removesuffix(";"),
        sentence=" ".join(said[:grain]),
        grain=tuple(said[grain].removeprefix("grain: ").split(", ")) if grain < len(said) else (),
        columns={name: meaning for name, colon, meaning in columns if colon},
        internal=path.parent.name == "internal",
    )


def _head(text: str) -> Iterator[str]:
    line = ""
    for written in text.splitlines():
        if not written.startswith("--"):
            break
        said = written.removeprefix("-- ")
        if said.startswith(" "):
            line += " " + said.strip()
            continue
        if line:
            yield line
        line = said
    if line:
        yield line


def build_order(connection: duckdb.DuckDBPyConnection, views: Iterable[View]) -> list[View]:
    """The views, each after those it reads; of several possible orders always the same.

    Raises:
        WarehouseError: a file is not one SELECT, or two read each other.
    """
    by_name = {view.name: view for view in views}
    reads = {name: sorted(tables_read(connection, by_name[name]) & by_name.keys()) for name in sorted(by_name)}
    return [by_name[name] for name in TopologicalSorter(reads).static_order()]


def tables_read(connection: duckdb.DuckDBPyConnection, view: View) -> set[str]:
    """Names of all tables (and of its own WITH parts) that the view reads."""
    parsed = json.loads(connection.execute("SELECT json_serialize_sql(?)", [view.select]).fetchall()[0][0])
    if parsed["error"]:
        raise WarehouseError(f"view {view.name} can't be parsed: {parsed['error_message']}")
    return set(_base_tables(parsed))


def _base_tables(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if node.get("type") == "BASE_TABLE":
            yield str(node["table_name"])
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from _base_tables(part)


def create_views(
    connection: duckdb.DuckDBPyConnection, views: Iterable[View], progress: Callable[[str], None] = lambda name: None
) -> None:
    """Make each view a table, in the order given: internal ones temporary, the others in the catalog being built.

    Raises:
        WarehouseError: a view can't be computed; it is named.
    """
    for view in views:
        progress(view.name)
        where = f"TEMP TABLE {view.name}" if view.internal else f"TABLE {CATALOG}.main.{view.name}"
        try:
            connection.execute(f"CREATE OR REPLACE {where} AS {view.select}").fetchall()
        except (duckdb.DataError, duckdb.ProgrammingError) as error:
            raise WarehouseError(f"table {view.name} can't be built: {str(error).splitlines()[0]}") from error
        if not view.internal:
            _comment(connection, view)


def _comment(connection: duckdb.DuckDBPyConnection, view: View) -> None:
    table = f"{CATALOG}.main.{view.name}"
    says = f"{view.sentence} One row per {', '.join(view.grain)}."
    connection.execute(f"COMMENT ON TABLE {table} IS {_quoted(says)}").fetchall()
    for column, meaning in view.columns.items():
        connection.execute(f"COMMENT ON COLUMN {table}.{column} IS {_quoted(meaning)}").fetchall()


def create_macros(connection: duckdb.DuckDBPyConnection, folder: Path = VIEWS_DIR / "macros") -> None:
    """Make the table macros; each is written with the catalog's name, so that it works from wherever it is called."""
    for path in sorted(folder.glob("*.sql")):
        text = path.read_text(encoding="utf-8")
        connection.execute(text).fetchall()
        says = _quoted(" ".join(_head(text)))
        connection.execute(f"COMMENT ON MACRO TABLE {CATALOG}.main.{path.stem} IS {says}").fetchall()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
