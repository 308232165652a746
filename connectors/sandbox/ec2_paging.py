"""Pages of an answer, and the tokens that lead from one to the next."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from connectors.sandbox.aws_unverified import AwsUnverified
from connectors.sandbox.ec2_call import Call
from connectors.sandbox.ec2_errors import Refusal, invalid
from connectors.sandbox.ec2_places import digest

T = TypeVar("T")
OF_THE_PAGE = ("MaxResults", "NextToken")
TOKEN = re.compile(r"(\d+)\.(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What MaxResults may be, and what it is for one who doesn't say."""

    least: int
    most: int
    usual: int


def page(items: Sequence[T], call: Call, bounds: Bounds, unverified: AwsUnverified) -> tuple[Sequence[T], str | None]:
    """The items of the page that a call asks for, and the token of the next; a token holds for the same call only."""
    wanted = call.number("MaxResults", bounds.usual)
    if not bounds.least <= wanted <= bounds.most:
        raise invalid("maxResults", wanted, f"Expecting a value from {bounds.least} to {bounds.most}.")
    asked = {name: value for name, value in call.parameters.items() if name not in OF_THE_PAGE}
    same = digest(call.action, call.region, *sorted(asked.items()))
    start, number = _place(call.parameters.get("NextToken", ""), same)
    if unverified.ec2_pages == "short":
        wanted = (wanted + 1) // 2
    elif unverified.ec2_pages == "empty" and number % 2 == 0:
        wanted = 0
    end = start + wanted
    if end >= len(items) and (wanted or not items):
        return items[start:], "" if unverified.ec2_last_token == "empty" else None
    return items[start:end], base64.urlsafe_b64encode(f"{same}.{end}.{number + 1}".encode()).decode()


def _place(token: str, same: int) -> tuple[int, int]:
    """(first item, number of the page) of a token."""
    if not token:
        return 0, 0
    try:
        read = TOKEN.fullmatch(base64.urlsafe_b64decode(token).decode())
    except ValueError:
        read = None
    if read is None or int(read[1]) != same:
        raise Refusal("InvalidNextToken", "The specified NextToken is not valid.")
    return int(read[2]), int(read[3])
