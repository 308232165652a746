"""The part of OData `$filter` that the Azure retail price list is known to understand.

`eq`, `and`, `or`, parentheses, `contains(field,'x')` and `startswith(field,'x')`, each of the two also with `eq true`
or `eq false`. A quote inside a text is doubled. Everything else is refused as malformed: for `not(...)` the service is
known to answer 400. Whether it takes `ne`, `gt`, `ge`, `lt`, `le`, `in` and the name `type` nobody has told: `Dialect`
has either answer.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Predicate = Callable[[Mapping[str, object]], bool]

# Name in a filter, lower case -> field of an item. `priceType` is the documented name of what is answered as `type`.
FIELDS: Mapping[str, str] = {
    name.lower(): name
    for name in (
        "armRegionName",
        "armSkuName",
        "location",
        "meterId",
        "meterName",
        "productId",
        "productName",
        "serviceFamily",
        "serviceId",
        "serviceName",
        "skuId",
        "skuName",
        "type",
    )
} | {"pricetype": "type"}
COMPARISONS: Mapping[str, Callable[[str, str], bool]] = {
    "ne": lambda value, wanted: value != wanted,
    "gt": lambda value, wanted: value > wanted,
    "ge": lambda value, wanted: value >= wanted,
    "lt": lambda value, wanted: value < wanted,
    "le": lambda value, wanted: value <= wanted,
}

TOKEN = re.compile(r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<word>\w+)|(?P<sign>[(),]))")


class FilterError(ValueError):
    """The filter can't be understood; the service answers 400."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What the service takes. `more_operators`: also ne, gt, ge, lt, le and in; `type_name`: also `type eq`."""

    case_sensitive: bool
    more_operators: bool = False
    type_name: bool = True

    def fold(self, text: str) -> str:
        """A value as it is compared."""
        return text if self.case_sensitive else text.casefold()


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter: which items pass, and the only regions they can be in, as `Dialect.fold` gives them; None: any."""

    passes: Predicate
    regions: frozenset[str] | None = None


def compile_filter(text: str, dialect: Dialect) -> Filter:
    """The filter of a text. FilterError if malformed."""
    return _Parser(_tokens(text), dialect).whole()


def _tokens(text: str) -> list[str]:
    tokens, place, end = [], 0, len(text.rstrip())
    while place < end:
        match = TOKEN.match(text, place)
        if match is None:
            raise FilterError(f"unexpected character at {place}")
        tokens.append(match[0].strip())
        place = match.end()
    return tokens


def _either(parts: list[Filter]) -> Filter:
    if len(parts) == 1:
        return parts[0]
    tests = tuple(part.passes for part in parts)
    known = [part.regions for part in parts if part.regions is not None]
    regions = frozenset[str]().union(*known) if len(known) == len(parts) else None
    return Filter(lambda item: any(test(item) for test in tests), regions)


def _both(parts: list[Filter]) -> Filter:
    if len(parts) == 1:
        return parts[0]
    tests = tuple(part.passes for part in parts)
    known = [part.regions for part in parts if part.regions is not None]
    regions = frozenset.intersection(*known) if known else None
    return Filter(lambda item: all(test(item) for test in tests), regions)


class _Parser:
    """Recursive descent over the tokens: `or` binds weaker than `and`."""

    def __init__(self, tokens: list[str], dialect: Dialect) -> None:
        self.tokens = tokens
        self.place = 0
        self.dialect = dialect

    def whole(self) -> Filter:
        found = self.alternatives()
        if self.place != len(self.tokens):
            raise FilterError(f"unexpected {self.tokens[self.place]}")
        return found

    def alternatives(self) -> Filter:
        parts = [self.conjunction()]
        while self.accept("or"):
            parts.append(self.conjunction())
        return _either(parts)

    def conjunction(self) -> Filter:
        parts = [self.condition()]
        while self.accept("and"):
            parts.append(self.condition())
        return _both(parts)

    def condition(self) -> Filter:
        if self.accept("("):
            inside = self.alternatives()
            self.expect(")")
            return inside
        word = self.next()
        if word in ("contains", "startswith"):
            return Filter(self.call(word))
        return self.comparison(self.field(word))

    def comparison(self, field: str) -> Filter:
        value = self.value(field)
        if self.dialect.more_operators and self.accept("in"):
            return self.one_of(field, self.literals())
        operator = next((word for word in COMPARISONS if self.dialect.more_operators and self.accept(word)), None)
        if operator is not None:
            holds, wanted = COMPARISONS[operator], self.literal()
            return Filter(lambda item: holds(value(item), wanted))
        self.expect("eq")
        return self.one_of(field, frozenset({self.literal()}))

    def one_of(self, field: str, wanted: frozenset[str]) -> Filter:
        value = self.value(field)
        return Filter(lambda item: value(item) in wanted, wanted if field == "armRegionName" else None)

    def literals(self) -> frozenset[str]:
        self.expect("(")
        found = {self.literal()}
        while self.accept(","):
            found.add(self.literal())
        self.expect(")")
        return frozenset(found)

    def call(self, function: str) -> Predicate:
        self.expect("(")
        value = self.value(self.field(self.next()))
        self.expect(",")
        wanted = self.literal()
        self.expect(")")
        answer = True
        if self.accept("eq"):
            word = self.next()
            if word not in ("true", "false"):
                raise FilterError(f"expected true or false, not {word}")
            answer = word == "true"
        if function == "contains":
            return lambda item: (wanted in value(item)) is answer
        return lambda item: value(item).startswith(wanted) is answer

    def value(self, field: str) -> Callable[[Mapping[str, object]], str]:
        if self.dialect.case_sensitive:
            return lambda item: str(item.get(field, ""))
        return lambda item: str(item.get(field, "")).casefold()

    def field(self, word: str) -> str:
        name = word.lower()
        if name not in FIELDS or (name == "type" and not self.dialect.type_name):
            raise FilterError(f"unknown field {word}")
        return FIELDS[name]

    def literal(self) -> str:
        token = self.next()
        if not token.startswith("'"):
            raise FilterError(f"expected a quoted text, not {token}")
        return self.dialect.fold(token[1:-1].replace("''", "'"))

    def next(self) -> str:
        if self.place == len(self.tokens):
            raise FilterError("unexpected end")
        self.place += 1
        return self.tokens[self.place - 1]

    def accept(self, token: str) -> bool:
        if self.place < len(self.tokens) and self.tokens[self.place] == token:
            self.place += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.accept(token):
            found = self.tokens[self.place] if self.place < len(self.tokens) else "the end"
            raise FilterError(f"expected {token}, not {found}")
