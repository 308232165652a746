"""The sandbox's tables come from the recorded payloads, byte for byte."""

from importlib.resources import files
from pathlib import Path

import pytest

from connectors.sandbox.aws_products import PRODUCT_COLUMNS, TERM_COLUMNS
from connectors.sandbox.build_facts import tables


@pytest.mark.parametrize("name", ["facts_aws.csv", "facts_azure.csv", "aws_types.csv", "azure_names.csv"])
def test_a_table_is_what_the_recordings_give(name: str, recorded: Path) -> None:
    """Building again gives the committed table."""
    committed = files("connectors.sandbox").joinpath(name).read_bytes().decode()

    assert tables(recorded)[name] == committed


def test_the_header_is_that_of_the_real_file(recorded: Path) -> None:
    """Names, order and letter case of the bulk file of 2025-09-12, line 6."""
    sample = recorded / "aws" / "pricelist" / "ec2-priceit_3-global-pricing-file-sample.csv"
    line = sample.read_text().split("\n")[5]

    assert line == ",".join(f'"{name}"' for name in [*TERM_COLUMNS, *PRODUCT_COLUMNS])
