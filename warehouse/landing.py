"""Landing: what every attempt brought, kept for ever as the provider said it.

    landing/<source>/<scope>/<observed_at>.json         one manifest for every attempt, failed ones too
    landing/<source>/<scope>/bodies/<sha256>.ndjson.gz  the provider's own records, sorted; equal bodies are one file
    landing/<source>/<scope>/accept-<observed_at>.json  a person's decision that a held fetch was right

A file appears whole or not at all (temporary name, fsync, rename) and is never changed afterwards, so any number of
processes may write here and the warehouse can be rebuilt from this folder alone.
"""

import gzip
import hashlib
import json
import os
import secrets
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, unquote

from warehouse.errors import LoadFailed, WarehouseError

STATUSES = ("complete", "unchanged", "partial", "failed")


@dataclass(frozen=True)
class Manifest:
    """One attempt at one scope; times are aware UTC.

    `as_of` orders history: the version's publication time, else `observed_at`. `lines_read` counts what the feed sent,
    `records` what was kept of it (distinct, after the landing predicate). `sha256` is of the uncompressed body, '' if
    there is none.
    """

    source: str
    scope: str
    as_of: datetime
    observed_at: datetime
    status: str
    version: str | None
    address: str
    lines_read: int
    records: int
    sha256: str
    predicate: str
    error: str | None

    @property
    def order(self) -> tuple[datetime, datetime, str]:
        """Place in its scope's history."""
        return (self.as_of, self.observed_at, self.sha256)


@dataclass(frozen=True)
class Decision:
    """A person's word that the held fetch of `observed_at` showed the truth."""

    source: str
    scope: str
    observed_at: datetime
    decided_by: str
    note: str


_Kept = TypeVar("_Kept", Manifest, Decision)


class Landing:
    """The landing folder of one home."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(
        self,
        *,
        source: str,
        scope: str,
        observed_at: datetime,
        status: str,
        records: Iterable[Mapping[str, object]] = (),
        as_of: datetime | None = None,
        version: str | None = None,
        address: str = "",
        lines_read: int = 0,
        predicate: str = "",
        error: str | None = None,
    ) -> Manifest:
        """Keep one attempt: its body first, then its manifest.

        A complete fetch with the body of the latest complete one becomes `unchanged`; `unchanged` without records
        refers to the body of the latest complete fetch of that version.

        Raises:
            WarehouseError: a different manifest has this name, or `unchanged` has nothing to refer to.
        """
        if status not in STATUSES:
            raise WarehouseError(f"{source} {scope}: unknown status {status!r}")
        latest = self.latest_complete(source, scope) if status in ("complete", "unchanged") else None
        if status == "unchanged":
            if latest is None or latest.version != version:
                raise WarehouseError(
                    f"{source} {scope}: version {version} is not landed whole, so nothing can be unchanged"
                )
            as_of = latest.as_of if version is not None else observed_at
            sha256, count = latest.sha256, latest.records
        elif status == "failed":
            sha256, count = "", 0
        else:
            lines = sorted({as_landed(record) for record in records})
            sha256, count = self._write_body(self.folder(source, scope), lines), len(lines)
            if latest is not None and latest.sha256 == sha256:
                status = "unchanged"
        manifest = Manifest(
            source=source,
            scope=scope,
            as_of=as_of or observed_at,
            observed_at=observed_at,
            status=status,
            version=version,
            address=address,
            lines_read=lines_read,
            records=count,
            sha256=sha256,
            predicate=predicate,
            error=error,
        )
        path = self.folder(source, scope) / f"{_stamp(observed_at)}.json"
        _write_once(path, _to_json(manifest))
        return manifest

    def accept(self, source: str, scope: str, observed_at: datetime, *, decided_by: str = "", note: str = "") -> Path:
        """Write the decision that the held fetch of `observed_at` showed the truth; the first one stands."""
        path = self.folder(source, scope) / f"accept-{_stamp(observed_at)}.json"
        if not path.exists():
            _write_once(path, _to_json(Decision(source, scope, observed_at, decided_by, note)))
        return path

    def folder(self, source: str, scope: str) -> Path:
        """The folder of one scope: `eastus/USD` is two folders deep, and no word of it can leave the landing folder."""
        return self.root.joinpath(source, *(_folder_name(part) for part in scope.split("/")))

    def scopes(self) -> list[tuple[str, str]]:
        """Every (source, scope) that has a manifest, sorted."""
        found = set()
        for folder, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if name != "bodies"]
            source, *parts = Path(folder).relative_to(self.root).parts or ("",)
            if parts and any(_is_manifest(name) for name in files):
                found.add((source, "/".join(unquote(part) for part in parts)))
        return sorted(found)

    def observed(self, source: str, scope: str) -> list[datetime]:
        """When each attempt at this scope was made, read off the file names, sorted.

        Raises:
            LoadFailed: a file in the folder has the form of a manifest but not its name.
        """
        return sorted(_time_of(path) for path in self._manifest_paths(source, scope))

    def manifest(self, source: str, scope: str, observed_at: datetime) -> Manifest:
        """The manifest of one attempt.

        Raises:
            LoadFailed: it can't be read, or says another place than its own.
        """
        path = self.folder(source, scope) / f"{_stamp(observed_at)}.json"
        manifest = _from_json(Manifest, path)
        if (manifest.source, manifest.scope, manifest.observed_at) != (source, scope, observed_at):
            raise LoadFailed(f"{path}: the manifest speaks of another fetch than its name; put the right file back")
        return manifest

    def manifests(self, source: str, scope: str) -> list[Manifest]:
        """All manifests of a scope in the order of history."""
        found = [self.manifest(source, scope, observed_at) for observed_at in self.observed(source, scope)]
        return sorted(found, key=lambda manifest: manifest.order)

    def latest_complete(self, source: str, scope: str) -> Manifest | None:
        """The complete or unchanged manifest that was observed last; None if it or its body can't be read.

        A damaged file must not stop the next fetch, which brings the same again or more: only the fold refuses it.
        """
        try:
            for observed_at in reversed(self.observed(source, scope)):
                manifest = self.manifest(source, scope, observed_at)
                if manifest.status in ("complete", "unchanged"):
                    self.lines(manifest)
                    return manifest
        except LoadFailed:
            return None
        return None

    def known_version(self, source: str, scope: str, predicate: str) -> str | None:
        """The provider's version that need not be fetched again: the latest landed whole under the same predicate."""
        latest = self.latest_complete(source, scope)
        return latest.version if latest is not None and latest.predicate == predicate else None

    def decisions(self, source: str, scope: str) -> list[Decision]:
        """Every decision about this scope, oldest fetch first."""
        paths = sorted(self.folder(source, scope).glob("accept-*.json"))
        return [_from_json(Decision, path) for path in paths]

    def body_path(self, manifest: Manifest) -> Path:
        """Where the records of a manifest are."""
        return self.folder(manifest.source, manifest.scope) / "bodies" / f"{manifest.sha256}.ndjson.gz"

    def lines(self, manifest: Manifest) -> list[str]:
        """The records of a manifest, one JSON text each, proven by hash and count.

        Raises:
            LoadFailed: the body is missing, cut or altered.
        """
        path = self.body_path(manifest)
        try:
            body = gzip.decompress(path.read_bytes())
        except (OSError, EOFError, zlib.error) as error:
            raise LoadFailed(f"{path}: can't be read ({_first_line(error)}); restore it from a backup") from error
        lines = body.decode("utf-8", errors="replace").split("\n")[:-1]
        if hashlib.sha256(body).hexdigest() != manifest.sha256 or len(lines) != manifest.records:
            raise LoadFailed(f"{path}: is not what its manifest says (hash or record count); restore it from a backup")
        return lines

    def _manifest_paths(self, source: str, scope: str) -> Iterator[Path]:
        folder = self.folder(source, scope)
        if folder.is_dir():
            yield from (folder / entry.name for entry in os.scandir(folder) if _is_manifest(entry.name))

    def _write_body(self, folder: Path, lines: list[str]) -> str:
        body = "".join(line + "\n" for line in lines).encode()
        sha256 = hashlib.sha256(body).hexdigest()
        path = folder / "bodies" / f"{sha256}.ndjson.gz"
        compressed = gzip.compress(body, compresslevel=6, mtime=0)
        if not path.exists() or path.read_bytes() != compressed:  # a damaged body is healed by the next equal fetch
            _write_whole(path, compressed)
        return sha256


def as_landed(record: Mapping[str, object]) -> str:
    """A record as a body has it: one line of JSON, the same however its words were ordered."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"))


def _folder_name(part: str) -> str:
    """A word of a scope as a folder name: '.', '..' and '' can't be told from a path, so they are spelled out."""
    name = quote(part, safe="")
    return name.replace(".", "%2E") if name.strip(".") == "" else name


def _is_manifest(name: str) -> bool:
    return name.endswith(".json") and not name.startswith((".", "accept-"))


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%S.%fZ")


def _time_of(path: Path) -> datetime:
    try:
        return datetime.strptime(path.stem, "%Y%m%dT%H%M%S.%fZ").replace(tzinfo=UTC)
    except ValueError:
        raise LoadFailed(f"{path}: not the name of a manifest (YYYYMMDDThhmmss.ffffffZ.json); move it away") from None


def _to_json(value: Manifest | Decision) -> bytes:
    def text(item: object) -> str:
        if isinstance(item, datetime):
            return item.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        raise TypeError(f"{item!r} has no place in a manifest")

    return (json.dumps(asdict(value), default=text, indent=1, ensure_ascii=False) + "\n").encode()


def _from_json(kind: type[_Kept], path: Path) -> _Kept:
    try:
        values = json.loads(path.read_bytes())
        checked: dict[str, Any] = {
            field.name: _checked(field.name, field.type, values[field.name]) for field in fields(kind)
        }
        return kind(**checked)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise LoadFailed(f"{path}: can't be read ({_first_line(error)}); restore it from a backup") from error


def _checked(name: str, kind: object, value: object) -> object:
    """A value of a manifest or decision as its field says; ValueError for another kind of value."""
    if kind is datetime:
        moment = datetime.fromisoformat(str(value))
        if moment.utcoffset() is None:
            raise ValueError(f"{name} has no time zone")
        return moment.astimezone(UTC)
    if name == "status" and value not in STATUSES:
        raise ValueError(f"unknown status {value!r}")
    if not isinstance(value, kind) or isinstance(value, bool):  # type: ignore[arg-type]  # str, int or str | None
        raise ValueError(f"{name} is {value!r}")
    return value


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _write_once(path: Path, content: bytes) -> None:
    if path.exists():
        if path.read_bytes() == content:
            return
        raise WarehouseError(f"{path}: a different fetch of the same microsecond is there already; try again")
    _write_whole(path, content)


def _write_whole(path: Path, content: bytes) -> None:
    """The file appears under its name with all its bytes on disk, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")  # two machines may write to one disk
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
