"""Learn the form of documents: fields, their order and presence, types, quoting, words and how nothing is spelled.

A few lines can't say what never comes, so only what was met is said.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from xml.etree import ElementTree

from tests.contract.forms import Learned, Met, cells, form

# Objects whose keys are data, by the name they stand under; and keys that are data wherever they stand:
# versions, SKUs, SKU.term, SKU.term.rate.
MAPS = ("offers", "versions", "regions")
DATA_KEY = re.compile(r"\d{14}|[0-9A-Z]{16}(\.[0-9A-Z]{10}){0,2}")
# (column, other column): the form of the first is learned for each word of the second.
GIVEN = (
    ("PricePerUnit", "Unit"),
    ("StartingRange", "Unit"),
    ("EndingRange", "Unit"),
    ("LeaseContractLength", "TermType"),
    ("PurchaseOption", "TermType"),
    ("OfferingClass", "TermType"),
    ("EffectiveDate", "TermType"),
    ("instanceSKU", "CapacityStatus"),
)
Line = Mapping[str, tuple[str, str]]


def any_line(_: Line) -> bool:
    """Take every line."""
    return True


def learn_csv(
    document: str, source: str, texts: Iterable[str], taken: Callable[[Line], bool] = any_line
) -> Iterator[Learned]:
    """The lines about the file, then the columns, then columns that depend on another one."""
    about: defaultdict[str, Met] = defaultdict(Met)
    columns: defaultdict[str, Met] = defaultdict(Met)
    depending: defaultdict[str, Met] = defaultdict(Met)
    times: Counter[str] = Counter()
    for text in texts:
        lines = text.split("\n")
        about["line end"].meet("CR LF" if lines[0].endswith("\r") else "LF")
        about["last line"].meet("ended" if lines[-1] == "" else "open")
        lines = [line.removesuffix("\r") for line in lines]
        header_at = next(number for number, line in enumerate(lines) if len(list(cells(line))) > 2)
        for number, line in enumerate(lines[:header_at], start=1):
            (name, _), (value, quoting) = cells(line)
            about[f"line {number}: {name}"].meet(form(value), value, quoting)
        header = [name for name, _ in cells(lines[header_at])]
        about["header"].meet("columns", quoting=joined_quoting(lines[header_at]))
        for position, name in enumerate(header, start=1):
            columns[name].position = columns[name].position or str(position)
        for line in filter(None, lines[header_at + 1 :]):
            row = dict(zip(header, cells(line), strict=True))
            if not taken(row):
                continue
            times[""] += 1
            for name, (value, quoting) in row.items():
                columns[name].meet(form(value), value, quoting)
            for name, other in GIVEN:
                if name in row and row.get(other, ("", ""))[0]:
                    place = f"{name} where {other} is {row[other][0]}"
                    depending[place].meet(form(row[name][0]), *row[name])
                    times[place] += 1
    yield from (met.learned(document, name, source, met.there) for name, met in about.items())
    yield from (met.learned(document, name, source, times[""]) for name, met in columns.items())
    yield from (met.learned(document, name, source, times[name]) for name, met in sorted(depending.items()))


def joined_quoting(line: str) -> str:
    """Quoting of all cells of a line, or both words."""
    return " | ".join(sorted({quoting for _, quoting in cells(line)}))


def learn_json(document: str, source: str, texts: Iterable[str]) -> Iterator[Learned]:
    """Every path with the types met there. A number with a point is another type than one without."""
    met: defaultdict[str, Met] = defaultdict(Met)
    parents: Counter[str] = Counter()
    for text in texts:
        content = json.loads(text, parse_float=lambda _: _Number("decimal"), parse_int=lambda _: _Number("integer"))
        _walk("$", "", content, met, parents)
    for path, seen in sorted(met.items()):
        inside = path.endswith("*") or path.endswith("[*]") or path == "$"
        yield seen.learned(document, path, source, seen.there if inside else parents[path.rpartition(".")[0]])


class _Number(str):
    """A number of JSON, by how it is written."""


def _walk(path: str, name: str, value: object, met: defaultdict[str, Met], parents: Counter[str]) -> None:
    met[path].meet(_type(value), value if isinstance(value, str) and not isinstance(value, _Number) else "")
    if isinstance(value, list):
        for item in value:
            _walk(f"{path}[*]", "", item, met, parents)
    elif isinstance(value, dict):
        parents[path] += 1
        for key, item in value.items():
            data = name in MAPS or DATA_KEY.fullmatch(key)
            _walk(f"{path}.*" if data else f"{path}.{key}", key, item, met, parents)


def _type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, _Number):
        return f"number {value}"
    if isinstance(value, str):
        return f"string {form(value)}"
    kinds: Mapping[type, str] = {bool: "boolean", list: "list", dict: "object"}
    return kinds[type(value)]


def learn_xml(document: str, source: str, text: str) -> Iterator[Learned]:
    """The elements of a flat document, in their order."""
    root = ElementTree.fromstring(text)
    for position, element in enumerate([root, *root]):
        met = Met(position=str(position) if position else "")
        met.meet("element" if len(element) else form(element.text or ""), element.text or "")
        name = root.tag if element is root else f"{root.tag}.{element.tag}"
        yield met.learned(document, name, source, met.there)
