"""The condition of `where` in a query of Resource Graph."""

from collections.abc import Callable, Mapping, Sequence

from connectors.sandbox.arm_errors import invalid_query
from connectors.sandbox.graph_text import Reader, Row, Value, known

Test = Callable[[Row], bool]

# Comparisons of two texts; those of both in lower case bear a ~.
COMPARISONS: Mapping[str, Callable[[str, str], bool]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "=~": lambda left, right: left.lower() == right.lower(),
    "!~": lambda left, right: left.lower() != right.lower(),
    "contains": lambda left, right: right.lower() in left.lower(),
    "startswith": lambda left, right: left.lower().startswith(right.lower()),
}
ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def condition(reader: Reader, columns: Sequence[str]) -> Test:
    """What a row must be. ArmRefusal for what isn't understood."""
    tests = [_both(reader, columns)]
    while reader.skip("or"):
        tests.append(_both(reader, columns))
    return tests[0] if len(tests) == 1 else lambda row: any(test(row) for test in tests)


def _both(reader: Reader, columns: Sequence[str]) -> Test:
    tests = [_test(reader, columns)]
    while reader.skip("and"):
        tests.append(_test(reader, columns))
    return lambda row: all(test(row) for test in tests)


def _test(reader: Reader, columns: Sequence[str]) -> Test:
    if reader.skip("("):
        inner = condition(reader, columns)
        reader.expect(")")
        return inner
    left = known(reader.expression(), columns).value
    if not reader.left or reader.peek("and", "or", ")"):
        return lambda row: bool(left(row))
    sign = reader.take()
    if sign.lstrip("!") in ("in", "in~"):
        return _among(left, _list(reader, columns), sign)
    right = known(reader.expression(), columns).value
    if sign in ORDERS:
        return lambda row: _ordered(ORDERS[sign], left(row), right(row))
    if sign not in COMPARISONS:
        raise invalid_query(f"the stand-in knows no comparison {sign}")
    return lambda row: COMPARISONS[sign](_word(left(row)), _word(right(row)))


def _list(reader: Reader, columns: Sequence[str]) -> list[Value]:
    reader.expect("(")
    found = [known(reader.expression(), columns).value]
    while reader.skip(","):
        found.append(known(reader.expression(), columns).value)
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
