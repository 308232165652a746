"""A response of the sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FilePart:
    """Bytes of a file on disk, to be sent as a stream."""

    path: Path
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers without Content-Length, and a body: bytes, or part of a file."""

    status: int
    body: bytes | FilePart = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    gzip_stream: bool = False  # compress the file on the way, so that nobody can announce its length

    @property
    def length(self) -> int:
        """Bytes of the body as it stands here."""
        return self.body.length if isinstance(self.body, FilePart) else len(self.body)
