"""Azure Resource Graph as it answers a query: the rows of a page, a token where there are more, and the quota.

A query that doesn't project the id gets one page and no token, however many rows there are.
"""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass

from connectors.sandbox.answer import Answer
from connectors.sandbox.arm_errors import CONTENT_TYPE, ArmRefusal
from connectors.sandbox.arm_places import SUBSCRIPTIONS
from connectors.sandbox.arm_switches import ArmUnverified
from connectors.sandbox.azure_faults import Window
from connectors.sandbox.ec2_places import digest
from connectors.sandbox.faults import Faults
from connectors.sandbox.graph_query import Row, parse
from connectors.sandbox.graph_rows import Element
from connectors.sandbox.graph_table import Rows, Source, found_rows

VERSIONS = ("2019-04-01", "2021-03-01", "2022-10-01", "2024-04-01")
AS_TABLE = "2019-04-01"  # the version that answers with a table unless asked for objects
MOST = 1000  # rows of a page
WINDOW = 5  # seconds of a quota's window
REMAINING, RESETS_AFTER = "x-ms-user-quota-remaining", "x-ms-user-quota-resets-after"


@dataclass(frozen=True, slots=True)
class Manner:
    """How the service answers: the size of its pages, its switches, and its quota."""

    page_size: int
    all_faults: Faults
    unverified: ArmUnverified
    window: Window


@dataclass(frozen=True, slots=True)
class Asked:
    """The body of a request."""

    query: str
    subscriptions: Sequence[str]
    token: str
    top: int
    skip: int
    table: bool


def query_of(body: bytes) -> str:
    """The query of a request's body in one line, or nothing."""
    try:
        return " ".join(str(json.loads(body)["query"]).split())
    except (ValueError, KeyError, TypeError):
        return ""


def answer(body: bytes, version: str, rows: Rows, manner: Manner) -> Answer:
    """The answer to a request. ArmRefusal for what isn't understood, or not allowed."""
    left = _left(manner)
    headers = {REMAINING: str(left or 0), RESETS_AFTER: f"00:00:{WINDOW:02}"}
    if left is None:
        refused = ArmRefusal("RateLimiting")
        return Answer(429, refused.body(), {**headers, **refused.headers(WINDOW)})
    content = _page(_asked(body, version), rows, manner)
    if manner.all_faults.arm.subscription_limit_hit:
        headers["x-ms-tenant-subscription-limit-hit"] = "true"
    return Answer(200, json.dumps(content).encode(), {"Content-Type": CONTENT_TYPE, **headers})


def _left(manner: Manner) -> int | None:
    """What is left of the window; None: too many. No clock ends it here: a refusal does, or the request after it."""
    quota = manner.unverified.quota
    left = manner.window.left_after(quota)
    return manner.window.left_after(quota) if left is None and not manner.all_faults.arm.strict_quota else left


def _asked(body: bytes, version: str) -> Asked:
    try:
        given = json.loads(body)
        options = given.get("options") or {}
        query, top, skip = str(given["query"]), int(options.get("$top") or MOST), int(options.get("$skip") or 0)
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise ArmRefusal("BadRequest", "The request content was invalid and could not be deserialized.") from error
    if not 1 <= top <= MOST:
        raise ArmRefusal("BadRequest", f"The value of $top must be between 1 and {MOST}.")
    wanted = options.get("resultFormat") or ("table" if version == AS_TABLE else "objectArray")
    subscriptions = given.get("subscriptions") or []
    for one in subscriptions:
        if one not in [known.id for known in SUBSCRIPTIONS]:
            raise ArmRefusal("AuthorizationFailed", f"No access to the subscription '{one}'.")
    return Asked(query, subscriptions, options.get("$skipToken") or "", top, skip, wanted == "table")


def _page(asked: Asked, rows: Rows, manner: Manner) -> dict[str, object]:
    unverified, faults = manner.unverified, manner.all_faults.arm
    query = parse(asked.query)
    found = found_rows(asked.query, _source(rows, asked, manner))
    start, number = _place(asked)
    size = min(asked.top, manner.page_size)
    shown = found[start : start + size]
    following = start + len(shown)
    if number == faults.empty_page:
        shown, following = [], start
    more = following < len(found)
    token = more and query.paged and unverified.row_ids
    content: dict[str, object] = {
        "totalRecords": len(found) + faults.total_off,
        "count": len(shown),
        "data": _as_table(shown, query.columns) if asked.table else [dict(row) for row in shown],
        "facets": [],
        "resultTruncated": "true" if more and not token and unverified.truncation_told else "false",
    }
    if token:
        content["$skipToken"] = _token(
            asked, start if faults.token_loop else following + faults.border_shift, number + 1
        )
    return content


def _as_table(rows: Sequence[Row], columns: Sequence[str]) -> dict[str, object]:
    kinds = {"properties": "object", "sku": "object", "tags": "object", "identity": "object", "plan": "object"}
    return {
        "columns": [{"name": name, "type": kinds.get(name, "string")} for name in columns],
        "rows": [[row.get(name) for name in columns] for row in rows],
    }


def _source(rows: Rows, asked: Asked, manner: Manner) -> Source:
    unverified, faults = manner.unverified, manner.all_faults
    return Source(
        rows,
        Element(unverified.date_field, unverified.price_field, unverified.date_digits, unverified.prices_as_text),
        unverified.all_sizes,
        unverified.newest_first,
        unverified.row_ids,
        faults.unknown_column,
        faults.missing_column,
        empty=unverified.scope == ("tenant" if asked.subscriptions else "subscriptions"),
    )


def _token(asked: Asked, start: int, number: int) -> str:
    return base64.urlsafe_b64encode(f"{digest(asked.query, *asked.subscriptions)}.{start}.{number}".encode()).decode()


def _place(asked: Asked) -> tuple[int, int]:
    """(first row, number of the page): of the token, or of $skip. A token holds for the same query only."""
    if not asked.token:
        return asked.skip, 0
    try:
        same, start, number = map(int, base64.urlsafe_b64decode(asked.token).decode().split("."))
    except ValueError as error:
        raise ArmRefusal("BadRequest", "The provided $skipToken is invalid.") from error
    if same != digest(asked.query, *asked.subscriptions):
        raise ArmRefusal("BadRequest", "The provided $skipToken is of another query.")
    return start, number
