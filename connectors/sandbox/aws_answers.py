"""What the price list host answers: the document of a path, with the manners of its transport."""

import gzip
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from connectors.sandbox import aws, aws_plans
from connectors.sandbox.answer import Answer, FilePart
from connectors.sandbox.aws_bulk import Shelf
from connectors.sandbox.aws_lines import Columns
from connectors.sandbox.aws_partition import PARTITIONS, Partition, partition_of
from connectors.sandbox.aws_region import Shape
from connectors.sandbox.aws_unverified import GZIP_LIMIT, AwsUnverified
from connectors.sandbox.faults import Faults

# The body of an S3 host without list rights (403) or with them (404) for an object that isn't there.
ERRORS = {403: ("AccessDenied", "Access Denied"), 404: ("NoSuchKey", "The specified key does not exist.")}
RANGE = re.compile(r"bytes=(\d+)-(\d*)")


class Packed(NamedTuple):
    """A body compressed to a twentieth, so that a year of answers fits in memory."""

    gzipped: bytes
    length: int
    etag: str


class Document(NamedTuple):
    """What a path stands for, before anybody asks for part of it."""

    content: Packed | Path
    kind: str
    published: datetime

    @property
    def length(self) -> int:
        """Bytes, uncompressed."""
        return self.content.stat().st_size if isinstance(self.content, Path) else self.content.length

    @property
    def etag(self) -> str:
        """As S3 makes it: of a large file, which comes in parts, it is no digest of the whole."""
        if isinstance(self.content, Path):
            return f'"{hashlib.md5(str(self.content).encode()).hexdigest()}-{self.length // 8_388_608 + 1}"'
        return self.content.etag


def answer(
    path: str, headers: Mapping[str, str], day: date, faults: Faults, unverified: AwsUnverified, files: Shelf
) -> Answer:
    """The answer to a GET of a path."""
    found = document(path, day, faults, unverified, files)
    if found is None:
        code, message = ERRORS[unverified.missing_status]
        body = (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>{message}</Message>'
            "<RequestId>0000000000000000</RequestId><HostId>sandbox</HostId></Error>"
        )
        return Answer(unverified.missing_status, body.encode(), {"Content-Type": "application/xml"})
    sent = {"Content-Type": found.kind, "ETag": found.etag}
    modified = found.published.strftime("%a, %d %b %Y %H:%M:%S GMT")
    if unverified.last_modified:
        sent["Last-Modified"] = modified
    if unverified.ranges:
        sent["Accept-Ranges"] = "bytes"
    if headers.get("If-None-Match", "").removeprefix("W/") == found.etag:
        return Answer(304, b"", sent)
    if unverified.last_modified and headers.get("If-Modified-Since") == modified:
        return Answer(304, b"", sent)
    asked = RANGE.fullmatch(headers.get("Range", "")) if unverified.ranges else None
    if asked and headers.get("If-Range", found.etag) in (found.etag, modified):
        return _part(found, int(asked[1]), asked[2], sent)
    if "gzip" in headers.get("Accept-Encoding", "") and _compresses(unverified, found.length):
        return _gzipped(found, sent)
    return Answer(200, _bytes(found, 0, found.length), sent)


def _compresses(unverified: AwsUnverified, length: int) -> bool:
    return unverified.gzip == "always" or (unverified.gzip == "small" and length <= GZIP_LIMIT)


def _gzipped(found: Document, sent: Mapping[str, str]) -> Answer:
    headers = {**sent, "Content-Encoding": "gzip", "ETag": f"W/{found.etag}", "Vary": "Accept-Encoding"}
    if isinstance(found.content, Path):
        return Answer(200, FilePart(found.content, 0, found.length), headers, gzip_stream=True)
    return Answer(200, found.content.gzipped, headers)


def _part(found: Document, start: int, last: str, sent: Mapping[str, str]) -> Answer:
    end = min(int(last) + 1, found.length) if last else found.length
    if start >= end:
        return Answer(416, b"", {**sent, "Content-Range": f"bytes */{found.length}"})
    headers = {**sent, "Content-Range": f"bytes {start}-{end - 1}/{found.length}"}
    return Answer(206, _bytes(found, start, end), headers)


def _bytes(found: Document, start: int, end: int) -> bytes | FilePart:
    if isinstance(found.content, Path):
        return FilePart(found.content, start, end - start)
    return gzip.decompress(found.content.gzipped)[start:end]


def document(path: str, day: date, faults: Faults, unverified: AwsUnverified, files: Shelf) -> Document | None:
    """The document of a path on a day; None if there is none."""
    asked = _Asked(day, faults, unverified, files)
    for partition in PARTITIONS:
        if path.startswith(f"{aws.root(partition)}/"):
            return _of_price_list(path.removeprefix(f"{aws.root(partition)}/").split("/"), partition, asked)
        if path.startswith(f"{aws_plans.root(partition)}/"):
            return _of_plans(path.removeprefix(f"{aws_plans.root(partition)}/").split("/"), partition, asked)
    return None


class _Asked(NamedTuple):
    """How the sandbox stands when a document is asked for."""

    day: date
    faults: Faults
    unverified: AwsUnverified
    files: Shelf

    def day_of(self, version: str, versions: Mapping[str, date]) -> date | None:
        """The day whose figures a version has; None if it can't be had."""
        found = self.day if version == "current" else versions.get(version)
        return found if found == self.day or self.unverified.old_versions else None

    def added(self, partition: Partition) -> frozenset[str]:
        """Unheard-of locations of a partition."""
        return frozenset(code for code in self.faults.added_regions if partition_of(code) == partition)

    def is_file(self, rest: Sequence[str], partition: Partition) -> bool:
        """Whether the end of a path names the CSV of a location that has one."""
        gone = self.faults.omitted_regions | self.faults.missing_files
        known = {*partition.regions, *self.added(partition)} - gone
        return len(rest) == 2 and rest[0] in known and rest[1] == "index.csv"


def _of_price_list(words: Sequence[str], partition: Partition, asked: _Asked) -> Document | None:
    now = partition.published_at(asked.day)
    if words == ["index.json"]:
        return _json(aws.offer_index(asked.day, partition), now)
    if words == ["AmazonEC2", "index.json"]:
        return _json(aws.version_index(asked.day, partition), now)
    if words[0] != "AmazonEC2" or len(words) < 3:
        return None
    _, version, *rest = words
    day = asked.day_of(version, aws.versions(asked.day, partition))
    if day is None:
        return None
    published = partition.published_at(day)
    if rest == ["region_index.json"]:
        omitted, added = frozenset(asked.faults.omitted_regions), asked.added(partition)
        return _json(aws.region_index(day, omitted, added, partition), published)
    if asked.is_file(rest, partition):
        shape = _shape(rest[0], asked.faults, asked.unverified)
        stored = asked.files.find(day, rest[0], shape)
        return Document(stored or _price_list(day, rest[0], shape), "text/csv", published)
    return None


def _of_plans(words: Sequence[str], partition: Partition, asked: _Asked) -> Document | None:
    version, *rest = words
    day = asked.day_of(version, aws_plans.versions(asked.day, partition))
    if day is None:
        return None
    published = aws_plans.published_at(day, partition)
    if rest == ["region_index.json"]:
        omitted, added = frozenset(asked.faults.omitted_regions), asked.added(partition)
        return _json(aws_plans.region_index(day, omitted, added, partition), published)
    if asked.is_file(rest, partition):
        shape = replace(_shape(rest[0], asked.faults, asked.unverified), full=asked.files.size == "full")
        return Document(_plans(day, rest[0], shape), "text/csv", published)
    return None


def _shape(region: str, faults: Faults, unverified: AwsUnverified) -> Shape:
    spoiled = not faults.spoiled_regions or region in faults.spoiled_regions
    return Shape(
        drop_reserved=spoiled and faults.drop_reserved,
        columns=Columns(faults.unknown_column, faults.missing_column) if spoiled else Columns(),
        metal_tenancy=unverified.metal_tenancy,
        exact_duplicates=unverified.exact_duplicates,
        new_types=unverified.new_types,
    )


def _json(text: str, published: datetime) -> Document:
    return Document(_packed(text.encode()), "application/json", published)


@lru_cache(maxsize=600)  # of some 30 kB each
def _price_list(day: date, region: str, shape: Shape) -> Packed:
    return _packed(aws.price_list(day, region, shape))


@lru_cache(maxsize=600)  # of some 10 kB each
def _plans(day: date, region: str, shape: Shape) -> Packed:
    return _packed(aws_plans.plans(day, region, shape))


def _packed(body: bytes) -> Packed:
    return Packed(gzip.compress(body, 1, mtime=0), len(body), f'"{hashlib.md5(body).hexdigest()}"')
