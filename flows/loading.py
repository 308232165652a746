"""From landing files to a publication; plain functions, no Prefect."""

import logging
from datetime import UTC, datetime
from pathlib import Path

from flows.settings import Settings, code_version
from reports.errors import UnknownName
from warehouse.database import open_warehouse, writer_lock
from warehouse.errors import LoadFailed, WarehouseError
from warehouse.landing import Landing
from warehouse.load import Loaded, load
from warehouse.publish import Release, publish

logger = logging.getLogger("gpu_prices")

LATEST_HELD = Path(__file__).parent / "latest_held.sql"


def load_and_publish(settings: Settings, what: str) -> tuple[list[Loaded], Release]:
    """Fold what has landed since the last load, and publish; `what` is said to whoever wants to write meanwhile.

    Raises:
        WarehouseBusy: another process writes; what has landed waits for the next load.
        WarehouseError: the warehouse can't be used.
        CheckFailed: an invariant doesn't hold; the last publication stays.
    """
    with writer_lock(settings.home, what), open_warehouse(settings.warehouse) as connection:
        loaded = load(connection, Landing(settings.landing), progress=say_loaded)
        return loaded, publish(
            connection, settings.home, settings.code_version or code_version(), progress=logger.debug
        )


def publish_again(settings: Settings) -> Release:
    """Publish what is loaded, without loading anything.

    Raises: as `load_and_publish`.
    """
    with writer_lock(settings.home, "gpu-prices publish"), open_warehouse(settings.warehouse) as connection:
        return publish(connection, settings.home, settings.code_version or code_version(), progress=logger.debug)


def replay(settings: Settings, to: Path | None = None) -> list[Loaded]:
    """Build the warehouse from the landing folder alone, into a new file, and put it in place of the old one.

    With `to` the new file stays there and the warehouse is not touched.

    Raises:
        WarehouseBusy: another process writes.
        WarehouseError: there is nothing to replay, or `to` exists.
        LoadFailed: a landing file can't be read; the warehouse is as it was.
    """
    landing = Landing(settings.landing)
    if not landing.scopes():
        raise WarehouseError(f"nothing has landed in {settings.landing} yet: run `gpu-prices refresh` first")
    if to is not None:
        if to.exists():
            raise WarehouseError(f"{to} exists: name a new file, or move it away")
        return _build(to, landing)
    with writer_lock(settings.home, "gpu-prices replay"):
        new = settings.warehouse.with_name(".warehouse.duckdb.new")
        _remove(new)
        loaded = _build(new, landing)
        _log_of(settings.warehouse).unlink(missing_ok=True)  # of the old file; DuckDB would apply it to the new one
        new.replace(settings.warehouse)
        return loaded


def accept(settings: Settings, source: str, scope: str, decided_by: str, note: str) -> tuple[datetime, Release]:
    """Record that the latest held fetch of a scope showed the truth, load that word, and publish.

    Returns when the fetch was made (aware UTC), and the release.

    Raises:
        UnknownName: no such source or scope has landed.
        WarehouseError: nothing is held there; or as `load_and_publish`.
    """
    landing = Landing(settings.landing)
    places = landing.scopes()
    UnknownName.unless("source", source, (name for name, _ in places))
    UnknownName.unless("scope", scope, (name for of, name in places if of == source))
    with writer_lock(settings.home, "gpu-prices accept"), open_warehouse(settings.warehouse) as connection:
        held = connection.execute(LATEST_HELD.read_text(), {"source": source, "scope": scope}).fetchall()
        if not held:
            raise WarehouseError(f"{source} {scope}: nothing is held back there, so there is nothing to accept")
        observed_at: datetime = held[0][0].replace(tzinfo=UTC)
        landing.accept(source, scope, observed_at, decided_by=decided_by, note=note)
        for loaded in load(connection, landing, progress=say_loaded):
            if loaded.error and (loaded.source, loaded.scope) == (source, scope):
                raise LoadFailed(f"the decision is kept, but {loaded.error}")
        return observed_at, publish(
            connection, settings.home, settings.code_version or code_version(), progress=logger.debug
        )


def say_loaded(loaded: Loaded) -> None:
    """Log what became of one scope."""
    if loaded.error:
        logger.warning("%s %s: %s", loaded.source, loaded.scope, loaded.error)
    else:
        counts = f"{loaded.opened:,} opened, {loaded.changed:,} changed, {loaded.closed:,} closed"
        logger.info("%s %s: %s%s", loaded.source, loaded.scope, counts, ", held back" if loaded.held else "")


def _build(path: Path, landing: Landing) -> list[Loaded]:
    """The warehouse of a landing folder in a new file, whole and closed; nothing is left of one that fails."""
    try:
        with open_warehouse(path) as connection:
            loaded = load(connection, landing, progress=say_loaded)
            failed = [done.error for done in loaded if done.error]
            if failed:
                raise LoadFailed(failed[0])
            connection.execute("CHECKPOINT").fetchall()  # closing does it too, but is silent when the disk is full
        if _log_of(path).exists():
            raise WarehouseError(f"{path} was not closed cleanly: its .wal is still there")
    except BaseException:
        _remove(path)
        raise
    return loaded


def _remove(path: Path) -> None:
    """Remove a DuckDB file with its write-ahead log, if they are there."""
    for file in (path, _log_of(path)):
        file.unlink(missing_ok=True)


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.wal")
