"""The folder of a release: put in place whole, found by its moment, the last three kept."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from warehouse.release import building_folder, listed, point_at, put_in_place, release_name, remove_old

START = datetime(2025, 4, 4, 6, tzinfo=UTC)


def release(home: Path, days: float = 0, content: str = "1") -> Path:
    """Make a release of some days after the start, as `publish` does."""
    with building_folder(home / "releases") as folder:
        (folder / "prices.csv").write_text(content)
        placed = put_in_place(folder, START + timedelta(days=days))
        point_at(home, placed)
    remove_old(home / "releases", placed)
    return placed


def names(folder: Path) -> list[str]:
    """Names of all that is in a folder, hidden or not."""
    return sorted(path.name for path in folder.iterdir())


def current(home: Path) -> str:
    """What readers are pointed at."""
    return str((home / "published").readlink())


def test_readers_are_pointed_at_the_new_release(tmp_path: Path) -> None:
    """The link is relative, so that a home can be moved; nothing is left beside it."""
    release(tmp_path)
    release(tmp_path, days=1, content="2")

    assert current(tmp_path) == "releases/20250405T060000Z"
    assert (tmp_path / "published" / "prices.csv").read_text() == "2"
    assert names(tmp_path) == ["published", "releases"]


def test_another_build_of_a_moment_stands_beside_the_first(tmp_path: Path) -> None:
    """Whatever is in it: publishing again is how a release that was damaged is mended."""
    first, second, third = release(tmp_path), release(tmp_path), release(tmp_path, content="3")

    assert [path.name for path in (first, second, third)] == [
        "20250404T060000Z",
        "20250404T060000Z-2",
        "20250404T060000Z-3",
    ]
    assert current(tmp_path) == f"releases/{third.name}"


def test_a_number_that_became_free_is_not_given_again(tmp_path: Path) -> None:
    """After -12 comes -13, not -4: names grow with time."""
    for number in range(12):
        release(tmp_path, content=str(number))

    assert [path.name for path in listed(tmp_path / "releases")] == [f"20250404T060000Z-{n}" for n in (10, 11, 12)]
    assert release(tmp_path, content="new").name == "20250404T060000Z-13"


def test_the_last_three_releases_stay(tmp_path: Path) -> None:
    """Of four days the first goes."""
    for days in (0, 1, 2, 3):
        release(tmp_path, days)

    assert [path.name for path in listed(tmp_path / "releases")] == [
        "20250405T060000Z",
        "20250406T060000Z",
        "20250407T060000Z",
    ]


def test_the_current_release_stays_though_later_ones_exist(tmp_path: Path) -> None:
    """Landing was set back: the release of the earlier day is what readers get, and it isn't the one removed."""
    for days in (1, 2, 3, 0):
        release(tmp_path, days)

    assert current(tmp_path) == "releases/20250404T060000Z"
    assert names(tmp_path / "releases") == ["20250404T060000Z", "20250406T060000Z", "20250407T060000Z"]


def test_what_a_killed_run_left_behind_is_removed(tmp_path: Path) -> None:
    """Half a release under a hidden name; and a link that was made and not put in place, by this process's number."""
    left = tmp_path / "releases" / ".building-1"
    left.mkdir(parents=True)
    (left / "prices.csv").write_text("half")
    release(tmp_path)

    assert names(tmp_path / "releases") == ["20250404T060000Z"]


def test_a_release_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """The folder it was built in goes with it."""
    with pytest.raises(ValueError, match="no price"), building_folder(tmp_path / "releases") as folder:
        (folder / "prices.csv").write_text("half")
        raise ValueError("no price")

    assert names(tmp_path / "releases") == []


def test_a_folder_in_the_place_of_the_link_is_left_alone(tmp_path: Path) -> None:
    """Somebody copied a release there: it is not ours to remove."""
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "mine").write_text("")

    with pytest.raises(OSError, match="published"):
        release(tmp_path)
    assert names(tmp_path / "published") == ["mine"]


def test_a_reader_keeps_the_release_it_has_open(tmp_path: Path) -> None:
    """Three publications later its folder is gone from the disk, and it still reads its file whole."""
    with building_folder(tmp_path / "releases") as folder:
        with duckdb.connect(str(folder / "gpu_prices.duckdb")) as connection:
            connection.execute("CREATE TABLE prices AS SELECT 98.32 AS hourly_price").fetchall()
        first = put_in_place(folder, START)
    reader = duckdb.connect(str(first / "gpu_prices.duckdb"), read_only=True)
    for days in (1, 2, 3):
        release(tmp_path, days)

    assert not first.exists()
    assert len(reader.execute("from prices").fetchall()) == 1
    reader.close()


def test_a_name_is_the_moment_in_utc() -> None:
    """To the second; what comes within it gets a number."""
    assert release_name(START.replace(microsecond=120)) == release_name(START) == "20250404T060000Z"
