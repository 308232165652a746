"""Write a price list of any size, for `Sandbox(files=FOLDER)` to serve.

    python -m connectors.sandbox.write_price_list FOLDER REGION MEGABYTES [DAY]

DAY is the last one without it. The file is written once and takes constant memory, here and when it is served.
"""

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from connectors.sandbox.aws_bulk import file_name, write
from connectors.sandbox.aws_region import Shape
from connectors.sandbox.facts import CHINA_REGIONS, DATES, REGIONS

MEGABYTE = 1_000_000


def main(arguments: Sequence[str]) -> int:
    """Write one file; 2 if the command line is not understood."""
    if (
        len(arguments) not in (3, 4)
        or arguments[1] not in (*REGIONS["aws"], *CHINA_REGIONS)
        or not arguments[2].isdigit()
    ):
        sys.stderr.write("usage: python -m connectors.sandbox.write_price_list FOLDER REGION MEGABYTES [DAY]\n")
        return 2
    folder, region, megabytes = Path(arguments[0]), arguments[1], int(arguments[2])
    day = date.fromisoformat(arguments[3]) if len(arguments) == 4 else DATES["aws"][-1]
    write(folder / file_name(day, region), day, region, Shape(full=True), megabytes * MEGABYTE)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
