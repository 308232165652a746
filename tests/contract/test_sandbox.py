"""The stand-in's documents have the form learned from recorded ones, but for the differences that are listed."""

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import requests

from connectors.sandbox import Sandbox
from tests.contract.comparing import Difference, differences
from tests.contract.forms import Learned
from tests.contract.learning import Line, learn_csv, learn_json, learn_xml
from tests.contract.recorded import DOCUMENTED, TABLE, of_an_instance, read_table

DIFFERENCES = Path(__file__).with_name("differences.csv")
EC2 = "/offers/v1.0/aws/AmazonEC2"
CHINA = "/api/retail/pricesheet/download"
PLANS = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan"
NOWHERE = f"{EC2}/current/nowhere-1/index.csv"
# A region and a Local Zone: the recorded lines are of both.
PLACES = ("us-east-1", "us-east-1-nyc-1")


@pytest.fixture(scope="module")
def served() -> list[Learned]:
    """The form of what the stand-in answers over HTTP; China's documents are of the same form as the others."""
    with Sandbox(page_size=200) as sandbox:

        def both(path: str) -> list[str]:
            return [get(path), get(path.replace("/aws/", "/cn/"))]

        def get(path: str, **parameters: str) -> str:
            return requests.get(sandbox.url + path, params=parameters, timeout=30).content.decode()

        lists = [get(f"{EC2}/current/{place}/index.csv") for place in PLACES]
        plan_indexes = both(f"{PLANS}/current/region_index.json")
        version = json.loads(plan_indexes[0])["regions"][0]["versionUrl"].split("/")[5]
        plans = [get(f"{PLANS}/{version}/us-east-1/index.csv")]
        denied = get(NOWHERE)
        address = get(CHINA, **{"api-version": "2023-06-01-preview"})
        sheet = requests.get(json.loads(address)["DownloadUrl"], timeout=30).content.decode("utf-8-sig")
        sandbox.aws_unverified.missing_status = 404
        return [
            *learn_json("aws offer index", "served", both("/offers/v1.0/aws/index.json")),
            *learn_json("aws version index", "served", both(f"{EC2}/index.json")),
            *learn_json("aws region index", "served", both(f"{EC2}/current/region_index.json")),
            *learn_csv("aws price list", "served", lists, of_an_instance),
            *learn_json("aws savings plans region index", "served", plan_indexes),
            *learn_csv("aws savings plans", "served", plans, of_an_instance_plan),
            *learn_xml("aws missing file 403", "served", denied),
            *learn_xml("aws missing file 404", "served", get(NOWHERE)),
            *learn_json("azure retail prices", "served", pages(sandbox.url, "eastus")),
            *learn_json("azure china price sheet address", "served", [address]),
            *learn_csv("azure china price sheet", "served", [sheet]),
        ]


def of_an_instance_plan(line: Line) -> bool:
    """Lines of the kind of plan that all recorded ones are of; a Compute plan has no family."""
    return line["Product Family"][0] == "EC2InstanceSavingsPlans"


def pages(url: str, region: str) -> Iterator[str]:
    """All pages of a region."""
    parameters = {"$filter": f"armRegionName eq '{region}'", "api-version": "2023-01-01-preview"}
    answer = requests.get(f"{url}/api/retail/prices", params=parameters, timeout=30)
    yield answer.text
    while following := answer.json()["NextPageLink"]:
        answer = requests.get(following, timeout=30)
        yield answer.text


def test_the_form_is_the_recorded_one(served: list[Learned]) -> None:
    """Each difference is listed with its reason, and each one that is listed is there."""
    with DIFFERENCES.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    listed = {Difference(row["document"], row["field"], row["what"]) for row in rows}
    found = differences(read_table(TABLE), read_table(DOCUMENTED), served)

    assert sorted(found - listed) == []
    assert sorted(listed - found) == []
    assert all(row["why"] for row in rows)


def test_every_column_of_the_recorded_price_list_is_there_in_its_place(served: list[Learned]) -> None:
    """91 columns, from SKU to VPCNetworkingSupport; a cell that is empty is bare, all others are quoted."""
    columns = [row for row in served if row.document == "aws price list" and row.position]

    assert (len(columns), columns[0].field, columns[-1].field) == (91, "SKU", "VPCNetworkingSupport")
    assert {row.quoting for row in columns} == {"", "quoted"}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"forms": "decimal | integer | ten decimals"}, "form decimal is not recorded"),
        ({"forms": "ten decimals"}, "lacks form integer"),
        ({"presence": "sometimes"}, "sometimes, recorded always"),
        ({"quoting": "bare"}, "bare, recorded quoted"),
        ({"position": "11"}, "position 11, recorded 10"),
    ],
)
def test_a_price_that_looks_otherwise_is_noticed(change: dict[str, str], what: str) -> None:
    """PricePerUnit is the tenth column, quoted, always there, of ten decimals or (upfront fees) an integer."""
    [price] = [row for row in read_table(TABLE) if (row.document, row.field) == ("aws price list", "PricePerUnit")]

    assert differences([price], [], [price]) == set()
    assert differences([price], [], [replace(price, **change)]) == {Difference("aws price list", "PricePerUnit", what)}


def test_what_is_empty_for_one_kind_of_line_stays_empty() -> None:
    """A payment option of an on-demand line is noticed, a column that was merely empty so far may have one."""
    option = Learned("it", "PurchaseOption where TermType is OnDemand", "recorded", "", "not met", "", "empty", "")
    filled = {"presence": "always", "forms": "text", "quoting": "quoted"}

    assert differences([option], [], [replace(option, **filled)]) == {
        Difference("it", option.field, "always, recorded not met"),
        Difference("it", option.field, "form text is not recorded"),
        Difference("it", option.field, "lacks form empty"),
    }
    other = replace(option, field="Volume Type")
    assert differences([other], [], [replace(other, **filled)]) == set()
    assert differences([other], [], [replace(other, forms="empty in quotes")]) == {
        Difference("it", "Volume Type", "form empty in quotes is not recorded")
    }


def test_a_field_that_is_gone_or_new_is_noticed() -> None:
    """In a document that is served; one that is not served can't lack anything."""
    a, b = (Learned("it", name, "recorded", "", "always", "", "null", "") for name in "ab")

    assert differences([a], [], [b]) == {
        Difference("it", "a", "missing"),
        Difference("it", "b", "nobody recorded it"),
    }
    assert differences([a], [], [replace(b, document="other")]) == {Difference("other", "b", "nobody recorded it")}


def test_what_is_documented_may_be_there_or_not() -> None:
    """An optional field that is only documented may be missing, but not be of another type."""
    end = Learned("it", "end", "documented", "", "sometimes", "", "string instant", "")
    other = Learned("it", "other", "recorded", "", "always", "", "null", "")

    assert differences([other], [end], [other]) == set()
    assert differences([other], [end], [other, replace(end, forms="string date")]) == {
        Difference("it", "end", "form string date is not recorded")
    }
