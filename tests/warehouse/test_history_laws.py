"""Laws of the history kernel, on random landing sets, against the oracle of the definitions' words.

The number of examples is the profile's (`--hypothesis-profile search` looks for long). A fold costs tens of
milliseconds, so each law takes a share of them.
"""

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.warehouse import folding, oracle
from tests.warehouse.folding import Tables, bring, documents, fold, folded, land, of_scopes, tables, told
from tests.warehouse.history_cases import SCOPES, Case, arrivals, cases, shuffled
from tests.warehouse.oracle import read
from warehouse.database import open_warehouse
from warehouse.landing import Landing

Key = tuple[str, str]


@pytest.fixture(autouse=True, scope="module")
def no_waiting_for_the_disk() -> Iterator[None]:
    """Thousands of small files are written here to be read at once; `test_landing.py` looks after fsync."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@contextmanager
def folders() -> Iterator[Path]:
    """A folder for one example: a fixture's would be shared by all of them."""
    with tempfile.TemporaryDirectory(prefix="gpu-prices-laws-") as folder:
        yield Path(folder)


def share(of: int) -> settings:
    """The profile's number of examples divided by `of`."""
    return settings(max_examples=max(1, settings().max_examples // of))


@share(5)
@given(case=cases())
def test_a_rebuild_tells_what_the_words_say(case: Case) -> None:
    """One load of all files: rows, statuses, accounts, rejects and announced prices are the oracle's."""
    with folders() as folder:
        found = folded(land(folder, case.fetches, case.accepted))
    assert told(found) == case.told()
    check_accounts(case, found)
    check_rows(found)


@share(12)
@given(case=cases(scopes=2), data=st.data())  # each file is a load: more scopes only make it longer
def test_the_order_of_arrival_means_nothing(case: Case, data: st.DataObject) -> None:
    """Files and decisions arrive in any order, in any batches, some twice: at each moment the tables tell what the
    words say of what has arrived. A load of nothing new writes nothing. Replaying the whole landing into a fresh
    warehouse gives the same tables, row for row.
    """
    with folders() as folder:
        everything = land(folder / "everything", case.fetches, case.accepted)
        arrived = Landing(folder / "arrived")
        here: set[Path] = set()
        with open_warehouse(":memory:") as con:
            for batch in data.draw(arrivals(documents(everything))):
                bring(everything, batch, arrived)
                here.update(batch)
                fold(con, arrived)
                assert told(tables(con)) == told_of(case, everything, here)
            found = tables(con)
            assert fold(con, arrived) == []
            assert tables(con) == found
        assert found == folded(everything)


@share(12)
@given(case=cases().filter(lambda case: case.accepted), data=st.data())
def test_a_decision_counts_whenever_it_comes(case: Case, data: st.DataObject) -> None:
    """A decision that arrives before the fetch it names, right after it or after everything: the same tables."""
    with folders() as folder:
        everything = land(folder / "everything", case.fetches, case.accepted)
        files = documents(everything)
        decisions = [file for file in files if file.name.startswith("accept-")]
        manifests = sorted(set(files) - set(decisions), key=lambda file: file.name)
        cut = data.draw(st.integers(0, len(manifests)))
        arrived = Landing(folder / "arrived")
        with open_warehouse(":memory:") as con:
            for batch in (manifests[:cut], decisions, manifests[cut:]):
                bring(everything, batch, arrived)
                fold(con, arrived)
            assert told(tables(con)) == case.told()


@share(2)
@given(data=st.data(), case=cases())
def test_the_order_of_records_means_nothing(data: st.DataObject, case: Case) -> None:
    """Records in another order, some said twice: the same files, byte for byte, so the same tables."""
    with folders() as folder:
        plain = land(folder / "plain", case.fetches, case.accepted)
        other = land(folder / "other", data.draw(shuffled(case)).fetches, case.accepted)
        assert contents(plain.root) == contents(other.root)


@share(12)
@given(case=cases(scopes=2), scope=st.sampled_from(SCOPES))
def test_two_currencies_of_a_place_never_touch(case: Case, scope: str) -> None:
    """The rows of a scope are those it has when the other scope is not there."""
    alone = [fetch for fetch in case.fetches if fetch.scope == scope]
    with folders() as folder:
        both = folded(land(folder / "both", case.fetches, case.accepted))
        one = folded(land(folder / "one", alone, [named for named in case.accepted if named[0] == scope]))
    assert of_scopes(both, {scope}) == one


def told_of(case: Case, landing: Landing, files: set[Path]) -> oracle.History:
    """What the words say of the files that have arrived."""
    names = {folding.name_of(landing, file) for file in files}
    return oracle.history(
        [fetch for fetch in case.fetches if ("fetch", fetch.scope, fetch.observed_at) in names],
        [named for named in case.accepted if ("accept", *named) in names],
    )


def contents(root: Path) -> dict[Path, bytes]:
    """Every file below a folder."""
    return {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def check_accounts(case: Case, found: Tables) -> None:
    """The four counts add up, per fetch; two fetches of a scope have one `keys_hash` if they show the same keys."""
    for row in found["observations"]:
        assert row["records"] == row["loaded"] + row["duplicates"] + row["excluded"] + row["rejected"]
        assert row["excluded"] == sum(row["exclusions"].values())
    hashes = {(row["scope"], row["observed_at"]): row["keys_hash"] for row in found["observations"]}
    sets: dict[tuple[str, str], set[frozenset[str]]] = defaultdict(set)
    for fetch in case.fetches:
        sets[fetch.scope, hashes[fetch.scope, fetch.observed_at.replace(tzinfo=None)]].add(read(fetch.records).keys)
    assert all(len(shown) == 1 for shown in sets.values())
    assert len(set(sets)) == len({(scope, *shown) for (scope, _), shown in sets.items()})


def check_rows(found: Tables) -> None:
    """Rows of a key never overlap, at most one is open, and each was seen while it held or after its start."""
    rows: dict[Key, list[dict[str, Any]]] = defaultdict(list)
    for row in found["price_intervals"]:
        rows[row["scope"], row["instance_type"]].append(row)
    for of_key in rows.values():
        of_key.sort(key=lambda row: row["valid_from"])
        assert [row for row in of_key if row["valid_to"] is None] in ([], of_key[-1:])
        for before, after in zip(of_key, of_key[1:], strict=False):
            assert before["valid_from"] < before["valid_to"] <= after["valid_from"]
