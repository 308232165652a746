"""Learn the form of a feed's documents: fields, their order, types, quoting and how nothing is spelled.

    python -m tests.contract.learning DIR      writes feed_contract.csv from the recorded payloads in DIR

A few lines can't say what never comes, so the table says what does: which fields there are and in which forms they were
met. The stand-in must be able to say the same.
"""

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, fields
from io import StringIO
from pathlib import Path

TABLE = Path(__file__).parent / "feed_contract.csv"
CELL = re.compile(r'("(?:[^"]|"")*"|[^,]*)(?:,|$)')
# Text -> the form it has, the first that fits.
FORMS = {
    "empty": r"",
    "NA": r"NA",
    "Inf": r"Inf",
    "boolean": r"true|false|True|False|Yes|No",
    "instant": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z",
    "date": r"\d{4}-\d\d-\d\d",
    "version": r"\d{14}",
    "integer": r"-?\d+",
    "ten decimals": r"\d+\.\d{10}",
    "decimal": r"-?\d+\.\d+",
    "path": r"/[\w./-]+",
    "text": r".*",
}
# Objects whose keys are data, by the name they stand under: their keys are written as *.
MAPS = ("offers", "versions", "regions", "products", "terms", "OnDemand", "Reserved")


@dataclass(frozen=True)
class Learned:
    """A field of a document. `position`: of a column, from 1. `quoting`: of a cell that isn't empty; '' in JSON."""

    document: str
    field: str
    position: str
    quoting: str
    forms: str  # words of FORMS or JSON types, sorted, separated by a blank and a bar


def form(text: str) -> str:
    """The form of a text."""
    return next(name for name, pattern in FORMS.items() if re.fullmatch(pattern, text, re.DOTALL))


def learn_csv(document: str, text: str) -> Iterator[Learned]:
    """The lines about the file, then the columns. Cells of one kind stand in quotes or all do not."""
    lines = text.splitlines()
    header_at = next(number for number, line in enumerate(lines) if len(list(_cells(line))) > 2)
    for number, line in enumerate(lines[:header_at], start=1):
        (name, _), (value, quoting) = _cells(line)
        yield Learned(document, f"line {number}: {name}", "", quoting, form(value))
    header = list(_cells(lines[header_at]))
    met: list[tuple[set[str], set[str]]] = [(set(), set()) for _ in header]
    for line in lines[header_at + 1 :]:
        for (quotings, forms), (value, quoting) in zip(met, _cells(line), strict=True):
            forms.add(form(value))
            if value:
                quotings.add(quoting)
    for position, ((name, _), (quotings, forms)) in enumerate(zip(header, met, strict=True), start=1):
        yield Learned(document, name, str(position), " | ".join(sorted(quotings)), " | ".join(sorted(forms)))


def _cells(line: str) -> Iterator[tuple[str, str]]:
    """(value, quoted or bare) of each cell of a line."""
    place = 0
    while place <= len(line):
        match = CELL.match(line, place)
        assert match is not None
        cell = match[1]
        quoted = cell.startswith('"')
        yield (cell[1:-1].replace('""', '"') if quoted else cell, "quoted" if quoted else "bare")
        place = match.end() if match.end() > place else place + 1
        if not match[0].endswith(","):
            return


def learn_json(document: str, content: object) -> Iterator[Learned]:
    """Every path of the document with the types met there; a path through a list or a map has a *."""
    met: dict[str, set[str]] = {}
    _walk("$", "", content, met)
    for path, types in sorted(met.items()):
        yield Learned(document, path, "", "", " | ".join(sorted(types)))


def _walk(path: str, name: str, value: object, met: dict[str, set[str]]) -> None:
    met.setdefault(path, set()).add(_type(value))
    if isinstance(value, list):
        for item in value:
            _walk(f"{path}[*]", "", item, met)
    elif isinstance(value, dict):
        for key, item in value.items():
            _walk(f"{path}.*" if name in MAPS else f"{path}.{key}", key, item, met)


def _type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return f"string {form(value)}"
    kinds: Mapping[type, str] = {bool: "boolean", int: "number", float: "number", list: "list", dict: "object"}
    return kinds[type(value)]


def learn_recorded(folder: Path) -> list[Learned]:
    """The table, from payloads recorded as served; the Azure one was put together again by its recorder."""
    lists = folder / "aws" / "pricelist"
    found: list[Learned] = []
    for document, name in (
        ("aws offer index", "ec2-priceit_1-global-service-index.json"),
        ("aws version index", "ec2-priceit_2-versionIndexUrl-file.json"),
        ("aws savings plans region index", "ec2-priceit_4-currentSavingsPlanIndexUrl-list.json"),
    ):
        found += learn_json(document, json.loads((lists / name).read_text(encoding="utf-8")))
    for document, name in (
        ("aws price list", "ec2-priceit_3-global-pricing-file-sample.csv"),
        ("aws savings plans", "ec2-priceit_5-ap-east-2-savingsplan-pricing.csv"),
    ):
        found += learn_csv(document, (lists / name).read_text(encoding="utf-8"))
    retail = json.loads((folder / "azure" / "retail_westeurope_D8v4_2022-03.json").read_text(encoding="utf-8"))
    found += learn_json("azure retail prices", retail)
    return found


def written(table: Iterable[Learned]) -> str:
    """The table as the text of its file."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([field.name for field in fields(Learned)])
    writer.writerows(astuple(row) for row in table)
    return text.getvalue()


def read_table() -> list[Learned]:
    """The committed table."""
    with TABLE.open(newline="", encoding="utf-8") as file:
        return [Learned(**row) for row in csv.DictReader(file)]


if __name__ == "__main__":
    TABLE.write_text(written(learn_recorded(Path(sys.argv[1]))), encoding="utf-8", newline="")
