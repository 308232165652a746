"""A query of Resource Graph: a table and the operators `where`, `extend`, `project`, `order by` and `limit`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from connectors.sandbox.arm_errors import ArmRefusal, invalid_query
from connectors.sandbox.graph_text import Expression, Reader, Token, Value, tokens

TABLE = "spotresources"
COLUMNS = (
    *("id", "name", "type", "tenantId", "kind", "location", "resourceGroup", "subscriptionId", "managedBy"),
    *("sku", "plan", "properties", "tags", "identity", "zones", "extendedLocation"),
)
Row = Mapping[str, object]
Test = Callable[[Row], bool]
Step = Callable[[Sequence[Row]], Sequence[Row]]

# Comparisons of two texts; those of both in lower case bear a ~.
COMPARISONS: Mapping[str, Callable[[str, str], bool]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "=~": lambda left, right: left.lower() == right.lower(),
    "!~": lambda left, right: left.lower() != right.lower(),
    "contains": lambda left, right: right.lower() in left.lower(),
    "has": lambda left, right: right.lower() in left.lower(),
    "startswith": lambda left, right: left.lower().startswith(right.lower()),
}
ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


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
    test = _either(reader, columns)
    return lambda rows: [row for row in rows if test(row)]


def _either(reader: Reader, columns: list[str]) -> Test:
    tests = [_both(reader, columns)]
    while reader.skip("or"):
        tests.append(_both(reader, columns))
    return tests[0] if len(tests) == 1 else lambda row: any(test(row) for test in tests)


def _both(reader: Reader, columns: list[str]) -> Test:
    tests = [_test(reader, columns)]
    while reader.skip("and"):
        tests.append(_test(reader, columns))
    return lambda row: all(test(row) for test in tests)


def _test(reader: Reader, columns: list[str]) -> Test:
    if reader.skip("("):
        inner = _either(reader, columns)
        reader.expect(")")
        return inner
    left = _known(reader.expression(), columns).value
    if not reader.left or reader.peek("and", "or", ")"):
        return lambda row: bool(left(row))
    sign = reader.take()
    if sign.lstrip("!") in ("in", "in~"):
        return _among(left, _list(reader, columns), sign)
    right = _known(reader.expression(), columns).value
    if sign in ORDERS:
        return lambda row: _ordered(ORDERS[sign], left(row), right(row))
    if sign not in COMPARISONS:
        raise invalid_query(f"the stand-in knows no comparison {sign}")
    return lambda row: COMPARISONS[sign](_word(left(row)), _word(right(row)))


def _list(reader: Reader, columns: list[str]) -> list[Value]:
    reader.expect("(")
    found = [_known(reader.expression(), columns).value]
    while reader.skip(","):
        found.append(_known(reader.expression(), columns).value)
    reader.expect(")")
    return found


def _among(left: Value, listed: Sequence[Value], sign: str) -> Test:
    compare = COMPARISONS["=~" if sign.endswith("~") else "=="]
    wanted = not sign.startswith("!")
    return lambda row: any(compare(_word(left(row)), _word(one(row))) for one in listed) == wanted


def _word(value: object) -> str:
    """A value as it is compared: an object is equal to no text."""
    return "\0" if isinstance(value, Mapping | list) else "" if value is None else str(value)


def _ordered(compare: Callable[[float, float], bool], left: object, right: object) -> bool:
    try:
        return compare(float(str(left)), float(str(right)))
    except ValueError:
        return False


def _named(reader: Reader, columns: list[str]) -> list[tuple[str, Value]]:
    """Expressions with their names, apart by commas."""
    found: list[tuple[str, Value]] = []
    while not found or reader.skip(","):
        name = ""
        if reader.ahead("="):
            name = reader.take("name")
            reader.expect("=")
        expression = _known(reader.expression(), columns)
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
        value = _known(reader.expression(), columns).value
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
    count = int(reader.take("number"))
    return lambda rows: rows[:count]


def _known(expression: Expression, columns: Sequence[str]) -> Expression:
    if expression.column and expression.column not in columns:
        raise invalid_query(f"Failed to resolve scalar expression named '{expression.column}'")
    return expression


OPERATORS: Mapping[str, Callable[[Reader, list[str]], Step]] = {
    "where": _where,
    "extend": _extend,
    "project": _project,
    "order": _order,
    "sort": _order,
    "limit": _limit,
    "take": _limit,
}
