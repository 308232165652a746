"""The stand-in's documents have the form learned from recorded ones, but for the differences that are listed."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from connectors.sandbox import Sandbox
from tests.contract.learning import Learned, learn_csv, learn_json, read_table

DIFFERENCES = Path(__file__).parent / "differences.csv"
NOT_SERVED = {"aws savings plans", "aws savings plans region index"}


@pytest.fixture(scope="module")
def served() -> Iterator[list[Learned]]:
    """The form of what the stand-in answers over HTTP."""
    with Sandbox() as sandbox:

        def get(path: str, **parameters: str) -> requests.Response:
            return requests.get(sandbox.url + path, params=parameters, timeout=30)

        ec2 = "/offers/v1.0/aws/AmazonEC2"
        retail = get(
            "/api/retail/prices", **{"$filter": "armRegionName eq 'eastus'", "api-version": "2023-01-01-preview"}
        )
        yield [
            *learn_json("aws offer index", get("/offers/v1.0/aws/index.json").json()),
            *learn_json("aws version index", get(f"{ec2}/index.json").json()),
            *learn_csv("aws price list", get(f"{ec2}/current/us-east-1/index.csv").text),
            *learn_json("azure retail prices", retail.json()),
        ]


def differences(served: list[Learned]) -> set[tuple[str, str]]:
    """Fields that are missing, in another place or quoting, lack a form that was met, or nobody recorded."""
    theirs = {(row.document, row.field): row for row in read_table() if row.document not in NOT_SERVED}
    ours = {(row.document, row.field): row for row in served}
    found = set(theirs) ^ set(ours)
    for key in set(theirs) & set(ours):
        recorded, own = theirs[key], ours[key]
        lacking = set(recorded.forms.split(" | ")) - set(own.forms.split(" | "))
        elsewhere = recorded.position != own.position
        if lacking or elsewhere or (recorded.quoting and own.quoting and recorded.quoting != own.quoting):
            found.add(key)
    return found


def test_the_form_is_the_recorded_one(served: list[Learned]) -> None:
    """Each difference has its reason, and each reason its difference."""
    with DIFFERENCES.open(newline="", encoding="utf-8") as file:
        listed = {(row["document"], row["field"]) for row in csv.DictReader(file)}
    found = differences(served)

    assert sorted(found - listed) == []
    assert sorted(listed - found) == []


def test_every_column_of_the_recorded_price_list_is_there_in_its_place(served: list[Learned]) -> None:
    """91 columns, from SKU to VPCNetworkingSupport; a cell that is empty is bare."""
    columns = [row.field for row in served if row.document == "aws price list" and row.position]

    assert (len(columns), columns[0], columns[-1]) == (91, "SKU", "VPCNetworkingSupport")
    assert all("bare" not in row.quoting for row in served if row.document == "aws price list")


def test_a_cell_is_read_with_its_quotes() -> None:
    """An empty cell is bare, a doubled quote is one, a comma may stand in quotes."""
    text = '"FormatVersion","v1.0"\n"A","B","C"\n"1,5 ""x""",,"NA"\n'

    assert [(row.field, row.quoting, row.forms) for row in learn_csv("it", text)] == [
        ("line 1: FormatVersion", "quoted", "text"),
        ("A", "quoted", "text"),
        ("B", "", "empty"),
        ("C", "quoted", "NA"),
    ]


def test_types_and_absence_are_told_apart() -> None:
    """A key that only some have, a null, a number that is written as text."""
    rows = learn_json("it", {"Items": [{"a": 1, "b": None}, {"a": "1"}]})

    assert {row.field: row.forms for row in rows} == {
        "$": "object",
        "$.Items": "list",
        "$.Items[*]": "object",
        "$.Items[*].a": "number | string integer",
        "$.Items[*].b": "null",
    }
