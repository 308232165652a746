"""What a source must bring along, and that it says in words what it lacks."""

import importlib
import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from connectors import SOURCES
from connectors.aws_price_list import SOURCE as AWS_PRICE_LIST
from connectors.contract import Source
from tests.warehouse.source_sql import COLUMNS, open_source, utc

ROOT = Path(__file__).parent.parent


def module_of(source: Source) -> ModuleType:
    """The module the source is defined in."""
    return importlib.import_module(type(source).__module__)


def same_arguments(source: Source, method: str) -> bool:
    """Whether a method takes what the contract passes, by the same names and defaults."""
    ours, theirs = (
        [(parameter.name, parameter.default) for parameter in inspect.signature(function).parameters.values()]
        for function in (getattr(type(source), method), getattr(Source, method))
    )
    return ours == theirs


# What must hold of a source named X, and the words for one that lacks it.
RULES: list[tuple[Callable[[Source], object], str]] = [
    (lambda s: (ROOT / "connectors" / f"{s.name}.py").is_file(), "connectors/{0}.py: the module has the source's name"),
    (lambda s: module_of(s).__name__ == f"connectors.{s.name}", "connectors/{0}.py defines the source of that name"),
    (lambda s: module_of(s).SOURCE is s, "connectors/{0}.py offers it as SOURCE"),
    (lambda s: module_of(s).__doc__, "connectors/{0}.py says in its first line what the feed is"),
    (lambda s: s.provider in ("aws", "azure"), "{0}.provider is aws or azure"),
    (
        lambda s: s.hosts and all(u.startswith("https://") and not u.endswith("/") for u in s.hosts.values()),
        "{0}.hosts names the host of each partition, with https",
    ),
    (lambda s: same_arguments(s, "partition_of"), "{0}.partition_of takes the arguments of connectors.contract.Source"),
    (lambda s: s.predicate_of(["p5.48xlarge"]), "{0}.predicate_of versions the rule of what is landed"),
    (lambda s: same_arguments(s, "scope_of"), "{0}.scope_of takes the arguments of connectors.contract.Source"),
    (lambda s: same_arguments(s, "predicate_of"), "{0}.predicate_of takes the arguments of connectors.contract.Source"),
    (lambda s: same_arguments(s, "scopes"), "{0}.scopes takes the arguments of connectors.contract.Source"),
    (lambda s: same_arguments(s, "fetch"), "{0}.fetch takes the arguments of connectors.contract.Source"),
    (
        lambda s: (ROOT / "warehouse" / "sources" / f"{s.name}.sql").is_file(),
        "warehouse/sources/{0}.sql reads its records",
    ),
    (
        lambda s: any((ROOT / "tests" / "fixtures" / s.name).glob("[!R]*")),
        "tests/fixtures/{0}/ holds answers as recorded",
    ),
    (
        lambda s: (ROOT / "tests" / "fixtures" / s.name / "README.md").is_file(),
        "tests/fixtures/{0}/README.md: their source",
    ),
    (lambda s: (ROOT / "tests" / "connectors" / f"test_{s.name}.py").is_file(), "tests/connectors/test_{0}.py exists"),
    (
        lambda s: (ROOT / "tests" / "warehouse" / f"test_sources_{s.name}.py").is_file(),
        "tests/warehouse/test_sources_{0}.py exists",
    ),
]


def lacking(source: Source) -> list[str]:
    """What the source lacks, in words."""
    return [words.format(source.name) for holds, words in RULES if not holds(source)]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_source_is_complete(source: Source) -> None:
    """One name everywhere: module, SQL, fixtures, tests. The failure lists what is still to be written."""
    assert lacking(source) == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_its_sql_gives_the_columns_of_the_load(source: Source) -> None:
    """Names and types in order, also from a fetch without records."""
    for sql in open_source(source.name):
        assert sql.read("eastus/USD", [], utc(2026, 8, 20)) == []
        given = sql.columns()
        assert (given.pop("fact", "").startswith("STRUCT") or "fact" not in given) and given == COLUMNS


def test_no_two_sources_share_a_name() -> None:
    """A second one would land in the folder of the first."""
    names = [source.name for source in SOURCES]

    assert len(set(names)) == len(names)


def test_every_source_sql_has_its_source() -> None:
    """No .sql is left behind by a source that was renamed or removed."""
    assert {path.stem for path in (ROOT / "warehouse" / "sources").glob("*.sql")} == {source.name for source in SOURCES}


def test_what_a_new_source_is_told() -> None:
    """A source under another name than its module: the words name each file it still needs."""
    assert lacking(replace(AWS_PRICE_LIST, name="aws_moon_list")) == [
        "connectors/aws_moon_list.py: the module has the source's name",
        "connectors/aws_moon_list.py defines the source of that name",
        "connectors/aws_moon_list.py offers it as SOURCE",
        "warehouse/sources/aws_moon_list.sql reads its records",
        "tests/fixtures/aws_moon_list/ holds answers as recorded",
        "tests/fixtures/aws_moon_list/README.md: their source",
        "tests/connectors/test_aws_moon_list.py exists",
        "tests/warehouse/test_sources_aws_moon_list.py exists",
    ]
