"""The warehouse against histories worked by hand: landing, load and the tables, the same timelines as the oracle's.

All timelines lie in one landing folder, each in scopes of its own. A fold costs tens of milliseconds, so each is loaded
once: file by file where the order of arrival could matter, else at once; `test_history_laws.py` holds the two equal.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.warehouse import oracle
from tests.warehouse.folding import Tables, bring, documents, fold, folded, land, of_scopes, tables, told
from tests.warehouse.oracle import Fetch, History
from tests.warehouse.timelines import HELD, SCOPES, TIMELINES, VERSIONS, Timeline
from warehouse.database import open_warehouse
from warehouse.landing import Landing

FILE_BY_FILE = {name: TIMELINES[name] for name in (HELD | VERSIONS | SCOPES)}
AT_ONCE = {name: timeline for name, timeline in TIMELINES.items() if name not in FILE_BY_FILE}


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """One load of everything."""
    return folded(landing_of(AT_ONCE, tmp_path_factory.mktemp("landing")))


@pytest.fixture(scope="module")
def file_by_file(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """One load after each next file of every scope, in the order the fetches were made; decisions come last."""
    landing = landing_of(FILE_BY_FILE, tmp_path_factory.mktemp("landing"))
    growing = Landing(tmp_path_factory.mktemp("growing"))
    by_scope: dict[Path, list[Path]] = {}
    for document in sorted(documents(landing), key=lambda path: (path.name.startswith("accept-"), path.name)):
        by_scope.setdefault(document.parent, []).append(document)
    with open_warehouse(":memory:") as con:
        for number in range(max(len(files) for files in by_scope.values())):
            bring(landing, [files[number] for files in by_scope.values() if number < len(files)], growing)
            fold(con, growing)
        return tables(con)


def landing_of(timelines: Mapping[str, Timeline], root: Path) -> Landing:
    """Every timeline's fetches and decisions."""
    fetches = [fetch for timeline in timelines.values() for fetch in timeline.fetches]
    accepted = [named for timeline in timelines.values() for named in timeline.accepted]
    return land(root, fetches, accepted)


@pytest.mark.parametrize("name", AT_ONCE)
def test_one_load_tells_the_history_worked_by_hand(name: str, at_once: Tables) -> None:
    """Rows and effective statuses are those worked out from the words beside the timeline."""
    check(AT_ONCE[name], at_once)


@pytest.mark.parametrize("name", FILE_BY_FILE)
def test_files_loaded_one_by_one_tell_the_history_worked_by_hand(name: str, file_by_file: Tables) -> None:
    """Rows and effective statuses are those worked out from the words beside the timeline."""
    check(FILE_BY_FILE[name], file_by_file)


def check(timeline: Timeline, loaded: Tables) -> None:
    """The rows and statuses are the timeline's, the accounts and the side tables the oracle's."""
    found = told(of_scopes(loaded, {fetch.scope for fetch in timeline.fetches}))
    assert found.intervals == frozenset(timeline.rows)
    assert statuses(found, timeline.fetches) == timeline.statuses.split()
    assert found == oracle.history(timeline.fetches, timeline.accepted)


def statuses(told: History, fetches: tuple[Fetch, ...]) -> list[str]:
    """Effective statuses, in the order of history."""
    found = {(row.scope, row.observed_at): row.effective_status for row in told.observations}
    return [found[fetch.scope, fetch.observed_at] for fetch in oracle.set_of(fetches)]
