"""Build the tables beside this module from a folder of recorded payloads.

    python -m connectors.sandbox.build_facts DIR [TARGET]

DIR is the folder that holds `tables/`, `aws/` and `azure/`; TARGET, where the tables go, is this package. The same
recordings give the same bytes.
"""

import csv
import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path

from connectors.sandbox.facts_table import to_table
from connectors.sandbox.recorded_aws import aws_facts
from connectors.sandbox.recorded_azure import azure_facts
from connectors.sandbox.recorded_azure_names import NAME_COLUMNS, azure_names
from connectors.sandbox.recorded_azure_past import PAST_COLUMNS, azure_past
from connectors.sandbox.recorded_azure_skus import PLACE_COLUMNS, SKU_COLUMNS, azure_sku_places, azure_skus
from connectors.sandbox.recorded_described import DESCRIBED_COLUMNS, aws_described
from connectors.sandbox.recorded_places import LOCATION_COLUMNS, aws_locations, location_names
from connectors.sandbox.recorded_types import ORDINARY_COLUMNS, TYPE_COLUMNS, aws_ordinary, aws_types


def tables(folder: Path) -> dict[str, str]:
    """File name -> text of each table."""
    return {
        "facts_aws.csv": _csv(*to_table(aws_facts(folder, location_names(folder)))),
        "facts_azure.csv": _csv(*to_table(azure_facts(folder))),
        "aws_locations.csv": _csv(LOCATION_COLUMNS, aws_locations(folder)),
        "aws_ordinary.csv": _csv(ORDINARY_COLUMNS, aws_ordinary(folder)),
        "aws_types.csv": _csv(TYPE_COLUMNS, aws_types(folder)),
        "ec2_types.csv": _csv(DESCRIBED_COLUMNS, aws_described(folder)),
        "azure_names.csv": _csv(NAME_COLUMNS, azure_names(folder)),
        "azure_past.csv": _csv(PAST_COLUMNS, azure_past(folder)),
        "azure_skus.csv": _csv(SKU_COLUMNS, azure_skus(folder)),
        "azure_sku_places.csv": _csv(PLACE_COLUMNS, azure_sku_places(folder)),
    }


def _csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def main(arguments: Sequence[str]) -> int:
    """Write the tables; 2 if the command line is not understood."""
    if len(arguments) not in (1, 2):
        sys.stderr.write("usage: python -m connectors.sandbox.build_facts DIR [TARGET]\n")
        return 2
    target = Path(arguments[1]) if len(arguments) == 2 else Path(__file__).parent
    for name, text in tables(Path(arguments[0])).items():
        (target / name).write_text(text, encoding="utf-8", newline="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
