"""What the judges ask besides the price lists, made from the stand-in's own answers and put into a folder."""

import csv
import json
from pathlib import Path

import requests

from connectors.sandbox import REGIONS, Sandbox

OFFERS = "/offers/v1.0/aws/AmazonEC2/current"
PREAMBLE = 5  # lines about the file, before the header
# Cells that gpuhunt must be able to read as numbers, and what is told where the stand-in has none, or "NA". None of
# them decides a price.
FILLED = {"vCPU": "1", "Memory": "1 GiB", "GPU": ""}


def write_all_regions_file(sandbox: Sandbox, path: Path) -> None:
    """The AWS price file of all regions: the regional ones behind one another, with FILLED cells."""
    with path.open("w", encoding="utf-8") as target:
        for place, region in enumerate(REGIONS["aws"]):
            lines = _get(f"{sandbox.aws_price_list_url}{OFFERS}/{region}/index.csv").text.splitlines()
            columns = next(csv.reader(lines[PREAMBLE : PREAMBLE + 1]))
            if place == 0:
                target.writelines(f"{line}\n" for line in lines[: PREAMBLE + 1])
            for row in csv.DictReader(lines[PREAMBLE + 1 :], columns):
                row |= {name: cell for name, cell in FILLED.items() if row[name] in ("", "NA")}
                target.write(",".join(f'"{cell}"' if cell else "" for cell in row.values()) + "\n")


def write_azure_skus(sandbox: Sandbox, path: Path) -> None:
    """Every size that the price list names in a region, as `az vm list-skus` prints it.

    No recording has the figures of all of them, and none decides a price; each size N has a GPU.
    """
    skus = [
        {
            "name": name,
            "locations": [region],
            "family": "unknown",
            "capabilities": [
                {"name": "vCPUs", "value": "1"},
                {"name": "MemoryGB", "value": "1"},
                *([{"name": "GPUs", "value": "1"}] if name.startswith("Standard_N") else []),
            ],
        }
        for region in REGIONS["azure"]
        for name in _azure_names(sandbox, region)
    ]
    path.write_text(json.dumps(skus), encoding="ascii")


def write_az(folder: Path, skus: Path) -> None:
    """A command `az` that tells the sizes and the regions, and nothing else."""
    regions = folder / "regions.json"
    regions.write_text(json.dumps([{"RegionName": name} for name in REGIONS["azure"]]), encoding="ascii")
    command = folder / "az"
    command.write_text(
        f'#!/bin/sh\ncase "$1 $2" in\n"vm list-skus") cat "{skus}" ;;\n"account list-locations") cat "{regions}" ;;\n'
        "*) exit 2 ;;\nesac\n"
    )
    command.chmod(0o755)


def _azure_names(sandbox: Sandbox, region: str) -> list[str]:
    wanted = f"serviceName eq 'Virtual Machines' and armRegionName eq '{region}'"
    url: str | None = f"{sandbox.azure_retail_prices_url}/api/retail/prices?$filter={wanted}"
    names: set[str] = set()
    while url is not None:
        page = _get(url).json()
        names |= {item["armSkuName"] for item in page["Items"] if item["armSkuName"]}
        url = page["NextPageLink"]
    return sorted(names)


def _get(url: str) -> requests.Response:
    response = requests.get(url, timeout=60)
    response.raise_for_status()
    return response
