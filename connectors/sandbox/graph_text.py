"""The words and expressions of a query of Resource Graph: as much of Kusto's language as queries of prices need.

An expression is a path into a row (sku.name, properties.spotPrices[0].priceUSD, properties['osType']), a text or a
number, or one of a few functions of an expression.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from connectors.sandbox.arm_errors import invalid_query

WORD = re.compile(
    r"\s*(?:(?P<text>@?'(?:[^'\\]|\\.)*'|@?\"(?:[^\"\\]|\\.)*\")|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<sign>!in~|!in\b|in~|=~|!~|==|!=|<=|>=|[<>=|(),.\[\]])|(?P<name>[A-Za-z_$][\w$]*))"
)
COMMENT = re.compile(r"//[^\n]*")

Row = Mapping[str, object]
Value = Callable[[Row], object]


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a query: its kind (text, number, sign or name) and what it says, a text without its quotes."""

    kind: str
    says: str


def tokens(query: str) -> list[Token]:
    """The words of a query. ArmRefusal where there is none."""
    found, place = [], 0
    text = COMMENT.sub("", query).rstrip()
    while place < len(text):
        word = WORD.match(text, place)
        if word is None or word.lastgroup is None:
            raise invalid_query(f"ParserFailure at {text[place : place + 20]!r}")
        says = word[word.lastgroup]
        if word.lastgroup == "text":
            says = says.lstrip("@")[1:-1].replace("\\'", "'").replace('\\"', '"')
        found.append(Token(word.lastgroup, says))
        place = word.end()
    return found


@dataclass(frozen=True, slots=True)
class Expression:
    """What it is called if nobody names it, the column it begins with, and its value in a row."""

    name: str
    column: str
    value: Value


class Reader:
    """Reads along the words of one operator."""

    def __init__(self, words: Sequence[Token]) -> None:
        self._words = words
        self._place = 0

    @property
    def left(self) -> bool:
        """Is there another word?"""
        return self._place < len(self._words)

    def peek(self, *signs: str) -> bool:
        """Is the next word one of these signs or names?"""
        return self.left and self._words[self._place].kind != "text" and self._words[self._place].says in signs

    def take(self, kind: str = "") -> str:
        """The next word, of a kind. ArmRefusal for another, or for the end."""
        if not self.left or kind not in ("", self._words[self._place].kind):
            raise invalid_query(f"ParserFailure: {kind or 'a word'} expected at word {self._place + 1}")
        self._place += 1
        return self._words[self._place - 1].says

    def expect(self, sign: str) -> None:
        """The next word is this one."""
        if not self.peek(sign):
            raise invalid_query(f"ParserFailure: {sign} expected at word {self._place + 1}")
        self._place += 1

    def skip(self, *signs: str) -> bool:
        """Pass the next word if it is one of these."""
        found = self.peek(*signs)
        self._place += found
        return found

    def ahead(self, sign: str) -> bool:
        """Is the word after the next one this sign?"""
        after = self._words[self._place + 1 : self._place + 2]
        return bool(after) and (after[0].kind, after[0].says) == ("sign", sign)

    def expression(self) -> Expression:
        """An expression."""
        if self.left and self._words[self._place].kind in ("text", "number"):
            number = self._words[self._place].kind == "number"
            says = self.take()
            constant = float(says) if number else says
            return Expression("Column1", "", lambda row: constant)
        name = self.take("name")
        if self.peek("("):
            return self._call(name)
        return self._path(name)

    def _call(self, name: str) -> Expression:
        if name not in FUNCTIONS:
            raise invalid_query(f"the stand-in knows no function {name}")
        self.expect("(")
        inner = self.expression()
        self.expect(")")
        function = FUNCTIONS[name]
        return Expression(inner.name, inner.column, lambda row: function(inner.value(row)))

    def _path(self, column: str) -> Expression:
        steps: list[str | int] = []
        while self.peek(".", "["):
            if self.skip("."):
                steps.append(self.take("name"))
                continue
            self.expect("[")
            step = self.take()
            steps.append(int(step) if step.isdecimal() else step)
            self.expect("]")
        return Expression("_".join(map(str, (column, *steps))), column, lambda row: _inner(row[column], steps))


def known(expression: Expression, columns: Sequence[str]) -> Expression:
    """The expression, if the column it begins with is there. ArmRefusal if not."""
    if expression.column and expression.column not in columns:
        raise invalid_query(f"Failed to resolve scalar expression named '{expression.column}'")
    return expression


def _inner(value: object, steps: Sequence[str | int]) -> object:
    """What lies within a value; None where nothing does. Names within differ by case."""
    for step in steps:
        if isinstance(step, str) and isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list):
            value = value[step] if step < len(value) else None
        else:
            return None
    return value


def _text(value: object) -> object:
    return "" if value is None else value if isinstance(value, str) else str(value)


def _number(value: object) -> object:
    try:
        return float(str(value))
    except ValueError:
        return None


FUNCTIONS: Mapping[str, Callable[[object], object]] = {
    "tostring": _text,
    "tolower": lambda value: str(_text(value)).lower(),
    "toupper": lambda value: str(_text(value)).upper(),
    "todouble": _number,
    "toreal": _number,
    "todatetime": _text,
    "isnotempty": lambda value: value not in (None, ""),
    "isempty": lambda value: value in (None, ""),
}
