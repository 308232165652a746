"""README.md is true: its commands run, its SQL gives the output it shows, its figures are those of the demo.

After a change on purpose, `python -m tests.test_readme` writes the output of the SQL anew.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from connectors.sandbox import Sandbox
from tests.demo_home import make_demo_home

README = Path(__file__).parents[1] / "README.md"
QUERY = re.compile(r"```sql\n(?P<sql>.*?)```\n(?:\n(?P<output>\|.*?\n)(?=\n|$))?", re.DOTALL)
COMMANDS = [
    line.partition("#")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", README.read_text(), re.DOTALL)
    for line in block.splitlines()
    if line.startswith("gpu-prices ")
]

Demo = tuple[Path, Sandbox]


def rendered(published: Path, sql: str) -> str:
    """The result of a query as a Markdown table."""
    with duckdb.connect(str(published / "gpu_prices.duckdb"), read_only=True) as connection:
        cursor = connection.execute(sql)
        names = [column[0] for column in cursor.description or ()]
        lines = [names, ["---"] * len(names), *cursor.fetchall()]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def write_outputs(published: Path) -> None:
    """Put the output of each query under it."""
    text = README.read_text()
    README.write_text(
        QUERY.sub(lambda block: f"```sql\n{block['sql']}```\n\n{rendered(published, block['sql'])}", text)
    )


def first_table() -> list[list[str]]:
    """The rows of the table at the top, cell by cell."""
    lines = [line for line in README.read_text().split("## Two commands")[0].splitlines() if line.startswith("| a")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("number", range(6))
def test_a_query_gives_the_output_shown(demo_home: Demo, number: int) -> None:
    """Each of the six queries, run on the demo's file, gives the table under it."""
    blocks = list(QUERY.finditer(README.read_text()))

    assert len(blocks) == 6
    assert blocks[number]["output"] == rendered(demo_home[0] / "published", blocks[number]["sql"])


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(demo_home: Demo, tmp_path: Path, command: str) -> None:
    """Each command of the README, as written, in a folder where the demo was made."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "demo").symlink_to(demo_home[0])
    program = Path(sys.executable).with_name("gpu-prices")

    done = subprocess.run(
        [program, *shlex.split(command)[1:]], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 2


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    """`make demo` and `make test` exist."""
    targets = re.findall(r"^(\w+):", (README.parent / "Makefile").read_text(), re.MULTILINE)
    commands = re.findall(r"^make (\w+) ", README.read_text(), re.MULTILINE)

    assert commands == ["demo", "test"]
    assert set(commands) <= set(targets)


@pytest.mark.parametrize("row", first_table(), ids=lambda row: f"{row[2]} {row[4]}")
def test_a_figure_at_the_top_is_published_and_dated_by_its_record(demo_home: Demo, row: list[str]) -> None:
    """Prices to six decimals as published; the date is the record's own, not the day it was served."""
    provider, region, size, gpus, bought, hourly, per_gpu, recorded = row
    option, _, term = bought.partition(", ")
    option = option.replace(" ", "_")
    months = 12 * int(term.split()[0]) if term else 0
    with duckdb.connect(str(demo_home[0] / "published" / "gpu_prices.duckdb"), read_only=True) as connection:
        found = connection.execute(
            "SELECT effective_hourly_price, price_per_gpu_hour, gpu_model, gpu_numerator, gpu_denominator FROM prices"
            " WHERE (provider, region_id, instance_type, purchase_option, term_months) = (?, ?, ?, ?, ?)"
            " AND operating_system = 'linux'",
            [provider, region, size, option, months],
        ).fetchall()
    records = {
        served.fact.recorded_at.date().isoformat()
        for served in demo_home[1].figures(provider)
        if (served.fact.region, served.fact.instance_type, served.fact.purchase_option, served.fact.term_months)
        == (region, size, option, months)
        and served.fact.operating_system == "linux"
    }

    ((effective, price_per_gpu, model, numerator, denominator),) = found
    count = str(numerator) if denominator == 1 else f"{numerator}/{denominator}"
    assert (gpus, f"{Decimal(hourly):.6f}", f"{Decimal(per_gpu):.6f}") == (
        f"{count} × {model}",
        f"{effective:.6f}",
        f"{price_per_gpu:.6f}",
    )
    assert {recorded} == records


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        make_demo_home(Path(folder))
        write_outputs(Path(folder) / "published")
