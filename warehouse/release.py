"""The folder of a release on disk: put together under a hidden name, made durable, renamed, and pointed at by one link.

`releases/<as_of>/` holds gpu_prices.duckdb, a Parquet and a CSV file of each table, and SHA256SUMS of the CSV files.
`published` is a link to one of them, replaced in one step, so a reader sees a whole release or the one before.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

KEPT = 3
SUMS = "SHA256SUMS"
BUILDING = ".building-"
NAME = re.compile(r"(\d{8}T\d{6}Z)(?:-(\d+))?")


@contextmanager
def building_folder(releases: Path) -> Iterator[Path]:
    """A fresh hidden folder to build a release in; gone afterwards, unless it was renamed.

    What a killed run left behind is removed. Only the holder of the writer's lock builds, so nobody else's is in use.
    """
    releases.mkdir(parents=True, exist_ok=True)
    for leftover in releases.glob(f"{BUILDING}*"):
        shutil.rmtree(leftover)
    folder = releases / f"{BUILDING}{os.getpid()}"
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def put_in_place(folder: Path, as_of: datetime) -> Path:
    """The finished folder under the name of its as_of; another build of that second gets -2, -3 behind it.

    A release is never taken for another, however equal: publishing again is how a damaged one is mended.
    """
    _write_sums(folder)
    for file in folder.iterdir():
        file.chmod(0o444)
        _sync(file)
    _sync(folder)
    releases = folder.parent
    name = release_name(as_of)
    same_moment = [release for release in listed(releases) if release.name.partition("-")[0] == name]
    if same_moment:
        name = f"{name}-{_place(same_moment[-1])[1] + 1}"
    folder.rename(releases / name)
    _sync(releases)
    return releases / name


def point_at(home: Path, release: Path) -> None:
    """Make `published` this release, in one step."""
    link = home / ".published-next"  # one a killed run left is replaced
    link.unlink(missing_ok=True)
    link.symlink_to(release.relative_to(home))
    link.replace(home / "published")
    _sync(home)


def remove_old(releases: Path, current: Path) -> None:
    """Keep the current release and the newest others, three in all.

    One that can't be removed whole is hidden, so that nobody reads half of it; the next run tries again.
    """
    others = [release for release in listed(releases) if release != current]
    for release in others[: -(KEPT - 1)]:
        with suppress(OSError):
            shutil.rmtree(release.rename(releases / f"{BUILDING}{release.name}"))


def listed(releases: Path) -> list[Path]:
    """The finished releases, oldest first."""
    return sorted((path for path in releases.iterdir() if NAME.fullmatch(path.name)), key=_place)


def release_name(as_of: datetime) -> str:
    """20250606T061500Z: the second it speaks for."""
    return as_of.strftime("%Y%m%dT%H%M%SZ")


def _place(release: Path) -> tuple[str, int]:
    match = NAME.fullmatch(release.name)
    assert match is not None
    return match[1], int(match[2] or 1)


def _write_sums(folder: Path) -> None:
    lines = []
    for file in sorted(folder.glob("*.csv")):
        with file.open("rb") as opened:
            lines.append(f"{hashlib.file_digest(opened, 'sha256').hexdigest()}  {file.name}\n")
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
