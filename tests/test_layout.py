"""Laws of the layout that import-linter can't see: where the environment, the clock and SQL may stand in the code."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("flows", "connectors", "warehouse", "reports")
BELOW_FLOWS = ("connectors", "warehouse", "reports")

ENVIRONMENT = {"os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.unsetenv"}
# Clocks that tell the date. `time.monotonic` may measure how long something took.
CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time", "time.time_ns"}
CLOCKS |= {"time.localtime", "time.gmtime", "time.ctime", "time.asctime", "time.strftime"}
SQL_CLOCK = re.compile(r"\b(now|today|get_current_time\w*|transaction_timestamp)\s*\(|\bcurrent_(date|time\w*)\b", re.I)

# A query starts with one of SQL's verbs and chooses columns, rows or order. A bare `SELECT * FROM t`, `COPY`, `ATTACH`,
# `SET`, `INSERT INTO t VALUES (?)`, or `CREATE TABLE t AS` around a file's text does none of it: that is plumbing, and
# may stand in Python.
SQL_VERB = re.compile(r"\s*(select|with|from|insert|update|delete|merge|create|alter)\s", re.I)
SQL_CHOICE = re.compile(
    r"\b(where|join|group\s+by|order\s+by|union|qualify)\b|\bvalues\s*\((?![?,\s]*\))|\bset\s+\w+\s*=|^\s*with\s.*\bselect\b"
    r"|\bmerge\s+into\b|\bselect\s+(?!\*).*\bfrom\b|\btable\s+[\w.]+\s*\(",
    re.I | re.S,
)


def python_files(*folders: str) -> list[Path]:
    """Every Python file below the folders, in a stable order."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def names_used(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, name) of each attribute that is read and each name imported from a module: `os.environ`, `datetime.now`.

    A chain is cut to its last two words, so `datetime.datetime.now` is `datetime.now` as well.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
            yield node.lineno, f"{owner}.{node.attr}"
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def sleeps(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, name) of each `time.sleep` that is called on the spot; as a default value it may be named."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "time.sleep":
            yield node.lineno, "time.sleep"


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, text) of each string that isn't a docstring; the holes of an f-string read `{}`."""
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            texts |= {id(part) for part in node.values}
            yield node.lineno, "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield node.lineno, node.value


def places(path: Path, found: Iterator[tuple[int, str]]) -> list[str]:
    """`folder/module.py:12: what` for each thing found, which is how the failure reads."""
    return [f"{path.relative_to(ROOT)}:{line}: {what.strip()[:80]}" for line, what in found]


def environment_reads(source: str) -> list[tuple[int, str]]:
    """Where the source touches the process environment."""
    return [(line, name) for line, name in names_used(ast.parse(source)) if name in ENVIRONMENT]


def clock_reads(source: str) -> list[tuple[int, str]]:
    """Where the source asks a clock for the date, or sleeps by itself."""
    tree = ast.parse(source)
    return [(line, name) for line, name in names_used(tree) if name in CLOCKS] + list(sleeps(tree))


def queries(source: str) -> list[tuple[int, str]]:
    """Where the source holds a query in a string."""
    found = strings(ast.parse(source))
    return [(line, text) for line, text in found if SQL_VERB.match(text) and SQL_CHOICE.search(text)]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_packages_are_this_checkouts(package: str) -> None:
    """The four names are generic, so another installed package could stand before them: the imported ones are ours."""
    module = importlib.import_module(package)

    assert module.__file__ is not None
    assert Path(module.__file__).parent == ROOT / package


def test_only_settings_read_the_environment() -> None:
    """`os.environ` and its kin stand in flows/settings.py and nowhere else."""
    files = [path for path in python_files(*PACKAGES) if path != ROOT / "flows" / "settings.py"]

    assert [] == [place for path in files for place in places(path, iter(environment_reads(path.read_text())))]


def test_no_clock_decides_below_flows() -> None:
    """Connectors, warehouse and reports get the time as an argument and their sleep injected: a replay is exact."""
    files = python_files(*BELOW_FLOWS)

    assert [] == [place for path in files for place in places(path, iter(clock_reads(path.read_text())))]


def test_no_sql_reads_a_clock() -> None:
    """No `now()` or `current_date` in an SQL file (outside comments): a view is a function of the tables."""
    files = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.sql"))
    code = {path: [line.partition("--")[0] for line in path.read_text().splitlines()] for path in files}

    assert [] == [
        place
        for path, lines in code.items()
        for place in places(path, ((n, line) for n, line in enumerate(lines, 1) if SQL_CLOCK.search(line)))
    ]


def test_queries_stand_in_sql_files() -> None:
    """No query in a Python string: it would not paste into the DuckDB shell, nor be found where queries are."""
    files = python_files(*PACKAGES)

    assert [] == [place for path in files for place in places(path, iter(queries(path.read_text())))]


def test_no_module_has_a_name_that_says_nothing() -> None:
    """A module named utils, helpers, common or base collects what has no place; the place is to be found instead."""
    files = python_files(*PACKAGES, "tests")

    assert [] == [str(path) for path in files if re.fullmatch(r"_?(utils?|helpers?|common|base)", path.stem)]


@pytest.mark.parametrize(
    "source",
    [
        "import os\nhome = os.environ['HOME']",
        "import os\nhome = os.getenv('HOME')",
        "from os import environ",
    ],
)
def test_the_environment_rule_has_teeth(source: str) -> None:
    """Each of the usual ways to read the environment is seen."""
    assert len(environment_reads(source)) == 1


@pytest.mark.parametrize(
    ("source", "reads"),
    [
        ("import datetime\ndatetime.datetime.now(datetime.UTC)", 1),
        ("from datetime import date\ndate.today()", 1),
        ("from time import time", 1),
        ("import time\ntime.sleep(1)", 1),
        ("import time\ndef wait(sleep=time.sleep): sleep(1)", 0),
        ("import time\nstarted = time.monotonic()", 0),
        ("def seen(clock=time.time): ...", 1),
        ("def f(now): return now.time()", 0),
    ],
)
def test_the_clock_rule_has_teeth(source: str, reads: int) -> None:
    """A clock that tells the date and a sleep on the spot are seen; an injected sleep and a stopwatch are free."""
    assert len(clock_reads(source)) == reads


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("select price from prices", 1),
        ("SELECT * FROM prices WHERE currency = ?", 1),
        ("with p as (from prices) select max(price) from p", 1),
        ("update prices set price = 0", 1),
        ("delete from prices where true", 1),
        ("insert into prices values (1)", 1),
        ("create table prices (price decimal)", 1),
        ("merge into prices using stage on true when matched then delete", 1),
        ("insert into prices values (?, ?)", 0),
        ("SELECT * FROM prices", 0),
        ("FROM prices", 0),
        ("SET TimeZone='UTC'", 0),
        ("COPY prices TO 'prices.csv'", 0),
        ("CREATE TABLE prices AS FROM stage", 0),
        ("SELECT json_serialize_sql(?)", 0),
        ("Select a region from the list", 1),
        ("The cheapest places to select from, where known", 0),
    ],
)
def test_the_query_rule_has_teeth(text: str, count: int) -> None:
    """A string that chooses columns or rows is a query; plumbing and prose are not (prose in SQL's own form is)."""
    assert len(queries(f"text = {text!r}")) == count


def test_a_docstring_may_speak_of_sql() -> None:
    """What a docstring says about a query is not a query."""
    assert queries('"""select price from prices"""') == []


def test_holes_do_not_hide_a_query() -> None:
    """An f-string is read whole, with its holes."""
    assert len(queries('q = f"SELECT {column} FROM {table}"')) == 1
