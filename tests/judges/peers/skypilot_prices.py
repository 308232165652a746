"""What SkyPilot's fetchers make of the stand-in's prices; runs in the judges' environment, on plain arguments.

    python skypilot_prices.py AWS_URL AZURE_URL AWS_REGIONS RESULT

Replaced are the hosts of the two price lists. `az` on the PATH stands for Azure's command line, whose answers need an
account. Of the AWS fetcher the function that reads prices is run: the rest joins them with EC2's answers to an account,
leaves the price as it is, and drops what isn't on sale in an account's zones. Which types have an accelerator is asked
of moto's record of EC2, through the fetcher's own function.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

from moto import mock_aws
from sky.catalog.data_fetchers import fetch_aws, fetch_azure

ACCELERATORS = ("GpuInfo", "NeuronInfo", "FpgaInfo")
Row = tuple[str, str, str, float, bool]


def aws_rows(url: str, regions: list[str]) -> list[Row]:
    """(provider, region, type, price, has an accelerator) of the AWS regions it goes to."""
    fetch_aws.PRICING_TABLE_URL_FMT = fetch_aws.PRICING_TABLE_URL_FMT.replace(
        "https://pricing.us-east-1.amazonaws.com", url
    )
    with mock_aws():
        types = fetch_aws._get_instance_types("us-east-1")
    known = types[[name for name in ACCELERATORS if name in types]].notna().any(axis="columns")
    accelerated = set(types[known]["InstanceType"])
    rows: list[Row] = []
    for region in regions:
        table = fetch_aws._get_pricing_table(region)
        rows += [
            ("aws", region, name, float(price), name in accelerated)
            for name, price in zip(table["InstanceType"], table["Price"], strict=True)
        ]
    return rows


def azure_rows(url: str, regions: list[str]) -> list[Row]:
    """The same of Azure: everything the fetcher does but writing the file."""
    address = fetch_azure.get_pricing_url
    fetch_azure.get_pricing_url = lambda region=None: address(region).replace("https://prices.azure.com", url)
    fetch_azure.SINGLE_THREADED = True
    table = fetch_azure.get_all_regions_instance_types_df(set(regions))
    table = table[table["Price"].notna()]
    columns = zip(table["Region"], table["InstanceType"], table["Price"], strict=True)
    return [("azure", region, name, float(price), name.startswith("Standard_N")) for region, name, price in columns]


def main(aws_url: str, azure_url: str, aws_regions: str, result: str) -> None:
    """Write the regions it goes to and the rows as JSON."""
    regions = {
        "aws": sorted(set(fetch_aws.ALL_REGIONS) & set(aws_regions.split(","))),
        "azure": sorted(set(fetch_azure.get_regions()) - fetch_azure.EXCLUDED_REGIONS),
    }
    rows = aws_rows(aws_url, regions["aws"]) + azure_rows(azure_url, regions["azure"])
    content = {"version": version("skypilot"), "regions": regions, "rows": sorted(set(rows))}
    Path(result).write_text(json.dumps(content), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
