"""Run the judges: `python -m tests.judges PYTHON`, PYTHON being that of their environment. `make judges` does it.

Exit status 1 if a difference isn't explained in differences.csv.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import typer

from connectors.sandbox import DATES, REGIONS, Sandbox
from connectors.sandbox.facts import read_table
from tests.judges import stand_ins
from tests.judges.compare import Pair, Verdict, compare, explain, read_reasons
from tests.judges.ours import our_prices
from tests.judges.summary import Outcome, as_markdown
from warehouse.database import REFERENCE_DIR

PEERS = Path(__file__).parent / "peers"
SUMMARY = Path(__file__).parents[2] / "docs" / "judges.md"
# moto answers for AWS, and asks that there be an account.
ACCOUNT = {"AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none", "AWS_DEFAULT_REGION": "us-east-1"}


def main(python: Path) -> int:
    """Everything, on the last recorded day of each provider; returns the exit status."""
    with tempfile.TemporaryDirectory() as folder, Sandbox() as sandbox:
        verdicts = [gpuhunt(python, sandbox, Path(folder)), skypilot(python, sandbox, Path(folder))]
        typer.echo("Our pipeline")
        ours = our_prices(sandbox, Path(folder) / "home")
    outcome = judge(verdicts, ours)
    text = as_markdown(outcome)
    typer.echo(text)
    SUMMARY.parent.mkdir(exist_ok=True)
    SUMMARY.write_text(text, encoding="utf-8")
    return 1 if outcome.unexplained else 0


def judge(verdicts: list[Verdict], ours: Mapping[Pair, Decimal]) -> Outcome:
    """All verdicts against our prices."""
    past = read_past()
    compared = {verdict.judge: compare(verdict, ours, past) for verdict in verdicts}
    explained, unexplained = explain([one for _, found in compared.values() for one in found], read_reasons())
    agreed = {name: equal for name, (equal, _) in compared.items()}
    return Outcome(verdicts, agreed, explained, unexplained, {name: days[-1] for name, days in DATES.items()})


def gpuhunt(python: Path, sandbox: Sandbox, folder: Path) -> Verdict:
    """What gpuhunt finds."""
    prices, skus = folder / "all_regions.csv", folder / "skus.json"
    stand_ins.write_all_regions_file(sandbox, prices)
    stand_ins.write_azure_skus(sandbox, skus)
    return run(python, "gpuhunt", folder, [str(prices), sandbox.azure_retail_prices_url, str(skus)])


def skypilot(python: Path, sandbox: Sandbox, folder: Path) -> Verdict:
    """What SkyPilot finds; it calls `az`, and needs the sizes that `gpuhunt` wrote."""
    stand_ins.write_az(folder, folder / "skus.json")
    urls = [sandbox.aws_price_list_url, sandbox.azure_retail_prices_url]
    return run(python, "skypilot", folder, [*urls, ",".join(REGIONS["aws"])])


def run(python: Path, name: str, folder: Path, arguments: list[str]) -> Verdict:
    """A judge's program in its own environment. SystemExit with the end of what it said, if it fails."""
    typer.echo(f"{name}'s fetchers")
    result = folder / f"{name}.json"
    own = {"HOME": str(folder), "PATH": f"{folder}:{os.environ['PATH']}", "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(
        [python, PEERS / f"{name}_prices.py", *arguments, result],
        env=os.environ | ACCOUNT | own,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{name} failed:\n{done.stdout[-3000:]}")
    return read_verdict(name, json.loads(result.read_text(encoding="utf-8")))


def read_verdict(name: str, content: Mapping[str, object]) -> Verdict:
    """A verdict from what a judge's program wrote; a float becomes the shortest decimal that stands for it."""
    rows, regions = content["rows"], content["regions"]
    names = read_aliases()
    assert isinstance(rows, list) and isinstance(regions, dict | None)
    prices: dict[Pair, set[Decimal]] = defaultdict(set)
    for provider, region, size, price, _ in rows:
        prices[provider, region, names.get((provider, size), size)].add(Decimal(repr(price)))
    return Verdict(
        judge=name,
        version=str(content["version"]),
        prices=prices,
        accelerated={(row[0], row[1], names.get((row[0], row[2]), row[2])) for row in rows if row[4]},
        regions=regions and {provider: set(names) for provider, names in regions.items()},
    )


def read_past() -> set[tuple[Pair, Decimal]]:
    """The recorded Linux prices on demand that the stand-in has among Azure's items, in force or over."""
    names = read_aliases()
    found = set()
    for row in read_table("azure_past.csv"):
        if (row["operating_system"], row["purchase_option"]) == ("linux", "on_demand"):
            size = names.get(("azure", row["instance_type"]), row["instance_type"])
            found.add((("azure", row["region"], size), Decimal(row["price"])))
    return found


def read_aliases() -> Mapping[tuple[str, str], str]:
    """(provider, second name of a size) -> the name that we publish it under."""
    with (REFERENCE_DIR / "instance_aliases.csv").open(newline="", encoding="utf-8") as file:
        return {(row["provider"], row["alias"]): row["instance_type"] for row in csv.DictReader(file)}


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
