"""The part of OData `$filter` that the Azure retail price list is known to understand.

`eq`, `and`, `or`, parentheses, `contains(field,'x')` and `startswith(field,'x')`, each of the two also with `eq true`
or `eq false`. A quote inside a text is doubled. Everything else (`ne`, `gt`, `in`, `not(...)`) is refused as
malformed: the first three are unverified, for the last the service is known to answer 400.
"""

import re
from collections.abc import Callable, Mapping

Predicate = Callable[[Mapping[str, object]], bool]

# Name in a filter, lower case -> field of an item. `priceType` is answered as `type`; both names occur in working
# programs.
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

TOKEN = re.compile(r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<word>\w+)|(?P<sign>[(),]))")


class FilterError(ValueError):
    """The filter can't be understood; the service answers 400."""


def compile_filter(text: str, *, case_sensitive: bool) -> Predicate:
    """The filter as a function of an item. FilterError if malformed."""
    return _Parser(_tokens(text), case_sensitive).whole()


def _tokens(text: str) -> list[str]:
    tokens, place, end = [], 0, len(text.rstrip())
    while place < end:
        match = TOKEN.match(text, place)
        if match is None:
            raise FilterError(f"unexpected character at {place}")
        tokens.append(match[0].strip())
        place = match.end()
    return tokens


class _Parser:
    """Recursive descent over the tokens: `or` binds weaker than `and`."""

    def __init__(self, tokens: list[str], case_sensitive: bool) -> None:
        self.tokens = tokens
        self.place = 0
        self.fold: Callable[[str], str] = str if case_sensitive else str.casefold

    def whole(self) -> Predicate:
        predicate = self.alternatives()
        if self.place != len(self.tokens):
            raise FilterError(f"unexpected {self.tokens[self.place]}")
        return predicate

    def alternatives(self) -> Predicate:
        parts = [self.conjunction()]
        while self.accept("or"):
            parts.append(self.conjunction())
        return lambda item: any(part(item) for part in parts)

    def conjunction(self) -> Predicate:
        parts = [self.condition()]
        while self.accept("and"):
            parts.append(self.condition())
        return lambda item: all(part(item) for part in parts)

    def condition(self) -> Predicate:
        if self.accept("("):
            inside = self.alternatives()
            self.expect(")")
            return inside
        word = self.next()
        if word in ("contains", "startswith"):
            return self.call(word)
        field = self.field(word)
        self.expect("eq")
        wanted = self.literal()
        return lambda item: self.value(item, field) == wanted

    def call(self, function: str) -> Predicate:
        self.expect("(")
        field = self.field(self.next())
        self.expect(",")
        wanted = self.literal()
        self.expect(")")
        answer = True
        if self.accept("eq"):
            answer = {"true": True, "false": False}.get(word := self.next(), False)
            if word not in ("true", "false"):
                raise FilterError(f"expected true or false, not {word}")
        if function == "contains":
            return lambda item: (wanted in self.value(item, field)) is answer
        return lambda item: self.value(item, field).startswith(wanted) is answer

    def value(self, item: Mapping[str, object], field: str) -> str:
        return self.fold(str(item.get(field, "")))

    def field(self, word: str) -> str:
        if word.lower() not in FIELDS:
            raise FilterError(f"unknown field {word}")
        return FIELDS[word.lower()]

    def literal(self) -> str:
        token = self.next()
        if not token.startswith("'"):
            raise FilterError(f"expected a quoted text, not {token}")
        return self.fold(token[1:-1].replace("''", "'"))

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
