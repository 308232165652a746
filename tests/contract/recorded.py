"""The table of the feeds' form, made from recorded payloads.

python -m tests.contract.recorded DIR      writes feed_contract.csv from the payloads in DIR
"""

import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import astuple, fields
from io import StringIO
from pathlib import Path

from tests.contract.forms import Learned
from tests.contract.learning import Line, learn_csv, learn_json, learn_xml

TABLE = Path(__file__).with_name("feed_contract.csv")
DOCUMENTED = Path(__file__).with_name("documented.csv")
OFFER_FILES = (
    "offer_AmazonEC2_us-west-2_trimmed_2018-05-04.json",
    "offer_AmazonEC2_us-east-2_excerpt_2023-03.json",
    "offer_AmazonEC2_us-east-1_p4d_ondemand+capacityblock_excerpt_2024-05-28.json",
)


def of_an_instance(line: Line) -> bool:
    """Lines about instances: all recorded ones are. Other products fill other columns."""
    return line["Product Family"][0].startswith("Compute Instance")


def learn_recorded(folder: Path) -> Iterator[Learned]:
    """The table. The structure of the offer files is as served, their entries were picked by their recorders."""
    lists = folder / "aws" / "pricelist"

    def read(name: str) -> str:
        return (lists / name).read_bytes().decode()

    for document, name in (
        ("aws offer index", "ec2-priceit_1-global-service-index.json"),
        ("aws version index", "ec2-priceit_2-versionIndexUrl-file.json"),
        ("aws savings plans region index", "ec2-priceit_4-currentSavingsPlanIndexUrl-list.json"),
    ):
        yield from learn_json(document, "recorded", [read(name)])
    price_list = read("ec2-priceit_3-global-pricing-file-sample.csv")
    yield from learn_csv("aws price list", "recorded", [price_list], of_an_instance)
    yield from learn_csv("aws savings plans", "recorded", [read("ec2-priceit_5-ap-east-2-savingsplan-pricing.csv")])
    yield from learn_xml("aws missing file 404", "recorded", read("ec2-website-feed_error-body_NoSuchKey.xml"))
    yield from learn_json("aws price list as json", "recorded", [read(name) for name in OFFER_FILES])
    retail = (folder / "azure" / "retail_westeurope_D8v4_2022-03.json").read_text(encoding="utf-8")
    yield from learn_json("azure retail prices", "recomposed", [retail])


def written(table: Iterable[Learned]) -> str:
    """The table as the text of its file."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([field.name for field in fields(Learned)])
    writer.writerows(astuple(row) for row in table)
    return text.getvalue()


def read_table(path: Path) -> list[Learned]:
    """A committed table."""
    with path.open(newline="", encoding="utf-8") as file:
        return [Learned(**row) for row in csv.DictReader(file)]


if __name__ == "__main__":
    TABLE.write_text(written(learn_recorded(Path(sys.argv[1]))), encoding="utf-8", newline="")
