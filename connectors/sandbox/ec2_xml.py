"""What a call of EC2 is answered with, as XML."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from xml.sax.saxutils import escape

NAMESPACE = "http://ec2.amazonaws.com/doc/2016-11-15/"

Value: TypeAlias = "str | int | bool | None | Mapping[str, Value] | Sequence[Value]"


@dataclass(frozen=True, slots=True)
class Reply:
    """The items of an answer under the name of their list, and a token if there may be more; names as on the wire."""

    list_name: str
    items: Sequence[Mapping[str, Value]]
    next_token: str | None = None


def document(action: str, reply: Reply, request_id: str) -> bytes:
    """The whole answer to a call."""
    content = {"requestId": request_id, reply.list_name: reply.items, "nextToken": reply.next_token}
    inside = "".join(_element(name, value) for name, value in content.items())
    root = f"{action}Response"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{NAMESPACE}">{inside}</{root}>'.encode()


def _element(name: str, value: Value) -> str:
    """An element; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        inside = "true" if value else "false"
    elif isinstance(value, (str, int)):
        inside = escape(str(value))
    elif isinstance(value, Mapping):
        inside = "".join(_element(inner, content) for inner, content in value.items())
    else:
        inside = "".join(_element("item", content) for content in value)
    return f"<{name}>{inside}</{name}>"
