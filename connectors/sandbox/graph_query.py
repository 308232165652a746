"""A query of Resource Graph: a table and the operators `where`, `extend`, `project`, `order by` and `limit`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from connectors.sandbox.arm_errors import ArmRefusal, invalid_query
from connectors.sandbox.graph_text import Reader, Token, Value, known, tokens
from connectors.sandbox.graph_where import condition

TABLE = "spotresources"
COLUMNS = (
    *("id", "name", "type", "tenantId", "kind", "location", "resourceGroup", "subscriptionId", "managedBy"),
    *("sku", "plan", "properties", "tags", "identity", "zones", "extendedLocation"),
)
Row = Mapping[str, object]
Step = Callable[[Sequence[Row]], Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Query:
    """What a query does to the rows of the table, and whether its answer can be paged."""

    steps: Sequence[Step]
    columns: Sequence[str]
    limited: bool

    @property
    def paged(self) -> bool:
        """Only rows with an id can be paged, and a limit ends where it ends."""
        return "id" in self.columns and not self.limited

    def of(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows of the answer."""
        for step in self.steps:
            rows = step(rows)
        return rows


def parse(text: str) -> Query:
    """A query. ArmRefusal for what isn't understood."""
    table, *operators = _split(tokens(text))
    if len(table) != 1 or table[0].says.lower() != TABLE:
        named = " ".join(token.says for token in table)
        detail = ("DisallowedLogicalTableName", f"Table {named} is invalid, unsupported or disallowed.")
        raise ArmRefusal("BadRequest", "Please provide below info when asking for support.", [detail])
    steps: list[Step] = []
    columns: list[str] = list(COLUMNS)
    limited = False
    for words in operators:
        reader = Reader(words)
        name = reader.take("name")
        if name not in OPERATORS:
            raise invalid_query(f"the stand-in knows no operator {name}")
        steps.append(OPERATORS[name](reader, columns))
        limited = limited or name in ("limit", "take")
        if reader.left:
            raise invalid_query(f"ParserFailure after the operator {name}")
    return Query(steps, columns, limited)


def _split(words: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for word in words:
        if (word.kind, word.says) == ("sign", "|"):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _where(reader: Reader, columns: list[str]) -> Step:
    test = condition(reader, columns)
    return lambda rows: [row for row in rows if test(row)]


def _named(reader: Reader, columns: list[str]) -> list[tuple[str, Value]]:
    """Expressions with their names, apart by commas."""
    found: list[tuple[str, Value]] = []
    while not found or reader.skip(","):
        name = ""
        if reader.ahead("="):
            name = reader.take("name")
            reader.expect("=")
        expression = known(reader.expression(), columns)
        found.append((name or expression.name, expression.value))
    return found


def _project(reader: Reader, columns: list[str]) -> Step:
    named = _named(reader, columns)
    columns[:] = [name for name, _ in named]
    return lambda rows: [{name: value(row) for name, value in named} for row in rows]


def _extend(reader: Reader, columns: list[str]) -> Step:
    named = _named(reader, columns)
    columns += [name for name, _ in named if name not in columns]
    return lambda rows: [{**row, **{name: value(row) for name, value in named}} for row in rows]


def _order(reader: Reader, columns: list[str]) -> Step:
    """Descending unless told otherwise; what is empty is the least."""
    reader.expect("by")
    keys: list[tuple[Value, bool]] = []
    while not keys or reader.skip(","):
        value = known(reader.expression(), columns).value
        keys.append((value, not reader.skip("asc") and (reader.skip("desc") or True)))

    def step(rows: Sequence[Row]) -> Sequence[Row]:
        for value, descending in reversed(keys):
            rows = sorted(rows, key=lambda row, value=value: _rank(value(row)), reverse=descending)  # type: ignore[misc]
        return rows

    return step


def _rank(value: object) -> tuple[int, float, str]:
    if value is None:
        return 0, 0.0, ""
    return (1, float(value), "") if isinstance(value, int | float) else (2, 0.0, str(value))


def _limit(reader: Reader, columns: list[str]) -> Step:
    count = int(float(reader.take("number")))
    return lambda rows: rows[:count]


OPERATORS: Mapping[str, Callable[[Reader, list[str]], Step]] = {
    "where": _where,
    "extend": _extend,
    "project": _project,
    "order": _order,
    "sort": _order,
    "limit": _limit,
    "take": _limit,
}
