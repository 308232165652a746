"""What gpuhunt's fetchers make of the stand-in's prices; runs in the judges' environment, on plain arguments.

    python gpuhunt_prices.py AWS_FILE AZURE_URL AZURE_SKUS RESULT

Replaced is the host of the Azure price list. It reads AWS's file of all regions from the path that its provider takes
as `cache_path`, made of the stand-in's regional files. What it asks EC2 for afterwards is left out: the names of GPUs,
and spot prices. The sizes of AZURE_SKUS, as `az vm list-skus` would print them, stand for what Azure tells an account.
It counts Azure's pages by itself until one is empty; the stand-in answers 400 there, as others have seen, so the empty
page is put in its place.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import requests
from gpuhunt.providers import aws, azure
from requests.adapters import HTTPAdapter

Row = tuple[str, str, str, float, bool]


class EmptyPastTheEnd(HTTPAdapter):
    """A page after the last is empty, not a mistake."""

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        """The stand-in's answer, but for 400 to a later page."""
        response = super().send(request, *args, **kwargs)
        if response.status_code == 400 and not str(request.url).endswith("skip=0"):
            response.status_code = 200
            response._content = b'{"Items": []}'
        return response


def aws_rows(prices: str) -> list[Row]:
    """(provider, region, type, price, has an accelerator), spot prices aside."""
    provider = aws.AWSProvider(cache_path=prices)
    provider._fill_gpu_details = lambda offers: None
    provider._with_spot_offers = lambda offers: offers
    offers = provider.get()
    return [("aws", one.location, one.instance_name, one.price, bool(one.gpu_count)) for one in offers if not one.spot]


def azure_rows(url: str, skus: str) -> list[Row]:
    """The same of Azure."""
    azure.prices_url = azure.prices_url.replace("https://prices.azure.com", url)
    new_session = azure.get_retrying_session

    def session() -> requests.Session:
        made: requests.Session = new_session()
        made.mount(url, EmptyPastTheEnd())
        return made

    azure.get_retrying_session = session
    provider = azure.AzureProvider(subscription_id="none", credential=SimpleNamespace(get_token=None))
    told = [sku(one) for one in json.loads(Path(skus).read_text(encoding="ascii"))]
    provider.client = SimpleNamespace(resource_skus=SimpleNamespace(list=lambda: told))
    offers = provider.get()
    return [
        ("azure", one.location, one.instance_name, one.price, bool(one.gpu_count)) for one in offers if not one.spot
    ]


def sku(told: dict[str, Any]) -> SimpleNamespace:
    """A size in the form of Azure's own client."""
    capabilities = [SimpleNamespace(**one) for one in told["capabilities"]]
    names = {"name": told["name"], "resource_type": "virtualMachines", "locations": told["locations"]}
    return SimpleNamespace(**names, capabilities=capabilities)


def main(prices: str, azure_url: str, skus: str, result: str) -> None:
    """Write the rows as JSON; it goes to every region it is told of."""
    rows = aws_rows(prices) + azure_rows(azure_url, skus)
    content = {"version": version("gpuhunt"), "regions": None, "rows": sorted(set(rows))}
    Path(result).write_text(json.dumps(content), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
