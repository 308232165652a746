"""The published file as its readers open it: the latest, read-only, and with nothing else in reach."""

import shutil
from pathlib import Path

import duckdb
import pytest

from reports.errors import NoPublication, PublicationUnreadable, QueryFailed
from reports.published import QUERIES_DIR, open_published, query_text
from tests.flows.tiny_source import JUNE


def test_a_publication_says_its_moment(home: Path) -> None:
    """As of the last look, in June."""
    with open_published(home) as published:
        assert (published.as_of - JUNE.replace(tzinfo=None)).total_seconds() < 60
        assert published.folder == (home / "published").resolve()


def test_nothing_published_yet(tmp_path: Path) -> None:
    """It says what to do."""
    with pytest.raises(NoPublication, match="run `gpu-prices refresh` first"), open_published(tmp_path):
        pass


def test_a_link_to_nowhere_is_no_publication(tmp_path: Path) -> None:
    """A release that was moved away is as good as none."""
    (tmp_path / "published").symlink_to(tmp_path / "releases" / "gone")

    with pytest.raises(NoPublication), open_published(tmp_path):
        pass


def test_a_release_without_its_file_is_unreadable(tmp_path: Path) -> None:
    """The folder is there, the file is not."""
    (tmp_path / "releases").mkdir()
    (tmp_path / "published").symlink_to(tmp_path / "releases")

    with pytest.raises(PublicationUnreadable, match="can't be opened"), open_published(tmp_path):
        pass


def test_an_open_publication_outlives_the_next_one(home: Path, tmp_path: Path) -> None:
    """A reader goes on with the release it opened; one that opens later sees the new one."""
    for release in ("1", "2"):
        shutil.copytree((home / "published").resolve(), tmp_path / "releases" / release)
    (tmp_path / "published").symlink_to("releases/1")
    with open_published(tmp_path) as first:
        (tmp_path / "next").symlink_to("releases/2")
        (tmp_path / "next").replace(tmp_path / "published")
        with open_published(tmp_path) as second:
            assert (first.folder.name, second.folder.name) == ("1", "2")
            assert first.as_of == second.as_of


@pytest.mark.parametrize(
    "query",
    [
        "CREATE TABLE t AS SELECT 1",
        "INSERT INTO gpu_models SELECT * FROM gpu_models",
        "COPY prices TO '/tmp/prices.csv'",
        "FROM read_csv('/etc/hostname')",
        "FROM '/etc/hostname'",
        "SELECT * FROM glob('/*')",
        "ATTACH '/tmp/other.duckdb'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "EXPORT DATABASE '/tmp/export'",
    ],
)
def test_a_query_can_neither_write_nor_see_another_file(home: Path, query: str) -> None:
    """DuckDB refuses each of the ways."""
    with open_published(home) as published, pytest.raises(QueryFailed):
        published.sql(query, 10)


def test_a_query_that_needs_too_much_memory_fails_alone(home: Path) -> None:
    """No spilling to disk: an honest error, and the next query is answered."""
    with open_published(home) as published:
        with pytest.raises(QueryFailed, match="[Mm]emory"):
            published.sql("SELECT list(random()) FROM range(1000000000)", 10)
        assert published.sql("SELECT 1 AS one", 10).values == [(1,)]


def test_a_limit_is_a_limit(home: Path) -> None:
    """Rows up to it, and whether there were more."""
    with open_published(home) as published:
        assert not published.sql("FROM range(3)", 3).more
        rows = published.sql("FROM range(4)", 3)
        assert rows.more and rows.column("range") == [0, 1, 2]


def test_a_statement_without_rows_has_none(home: Path) -> None:
    """An empty query is answered with nothing."""
    with open_published(home) as published:
        rows = published.sql("", 10)
        assert not rows and rows.columns == ()


def test_a_query_of_another_version_says_what_to_do(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A publication that lacks a column we ask for was made by other code."""
    monkeypatch.setattr("reports.published.query_text", lambda name: "SELECT no_such_column FROM prices")

    with open_published(home) as published, pytest.raises(PublicationUnreadable, match="gpu-prices publish"):
        published.ask("find")


@pytest.mark.parametrize("path", sorted(QUERIES_DIR.glob("*.sql")), ids=lambda path: path.stem)
def test_every_query_says_what_it_answers(path: Path) -> None:
    """Its head has a sentence, the grain, and each thing that is bound to it."""
    head = [line for line in path.read_text().splitlines() if line.startswith("--")]
    text = query_text(path.stem)
    code = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    bound = {word.strip("(),:.;") for word in code.replace("::", " ").split() if word.lstrip("(").startswith("$")}

    assert head[0].endswith((".", ".)"))
    assert head[1].startswith("-- grain: ")
    assert all(word.lstrip("(") in " ".join(head) for word in bound)


@pytest.mark.parametrize("path", sorted(QUERIES_DIR.glob("*.sql")), ids=lambda path: path.stem)
def test_every_query_orders_its_rows(path: Path) -> None:
    """Unless it has one row: what a person reads is the same each time."""
    assert "order by" in path.read_text() or "-- grain: one row" in path.read_text()


def test_the_published_file_needs_no_help_of_ours(home: Path) -> None:
    """Anybody's DuckDB opens it, and `prices_on` is there: 98.32 on 1 June, 55.04 on the 6th."""
    with duckdb.connect(str(home / "published" / "gpu_prices.duckdb"), read_only=True) as connection:
        for day, price in (("2025-06-01", "98.3200000000"), ("2025-06-06", "55.0400000000")):
            found = connection.execute(
                f"SELECT DISTINCT hourly_price FROM prices_on('{day}') WHERE instance_type = 'p5.48xlarge'"
            ).fetchall()
            assert [str(row[0]) for row in found] == [price]
