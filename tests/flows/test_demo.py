"""The demo: a folder it may replace, the days in the order of time, and answers whose figures were recorded."""

import os
import subprocess
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from connectors.sandbox import Sandbox
from flows.demo import MARK, make_fresh
from flows.faults import Fault
from flows.tour import money, recorded
from reports.published import open_published
from warehouse.database import writer_lock
from warehouse.errors import WarehouseBusy


def test_a_demo_home_is_made_fresh(tmp_path: Path) -> None:
    """What the last demo landed, loaded and published goes; Prefect's files and the person's own stay."""
    home = tmp_path / "demo"
    make_fresh(home)
    for name in ("landing/aws_price_list", "releases/1", "prefect"):
        (home / name).mkdir(parents=True)
    (home / "warehouse.duckdb").touch()
    (home / "notes.txt").touch()
    (home / "published").symlink_to("releases/1")
    make_fresh(home)

    assert sorted(path.name for path in home.iterdir()) == ["notes.txt", "prefect", MARK, "writer.lock"]


def test_another_folder_is_left_alone(tmp_path: Path) -> None:
    """A folder that no demo made is not touched, and named."""
    (tmp_path / "landing").mkdir()

    with pytest.raises(Fault, match=f"{tmp_path} is not a demo's folder"):
        make_fresh(tmp_path)
    assert (tmp_path / "landing").is_dir()


def test_a_demo_that_runs_is_left_alone(tmp_path: Path) -> None:
    """Two at once would take each other's files away."""
    make_fresh(tmp_path)
    with writer_lock(tmp_path, "gpu-prices refresh"), pytest.raises(WarehouseBusy):
        make_fresh(tmp_path)


def test_money_has_the_places_of_its_figure() -> None:
    """Two at least, six at most."""
    assert money(Decimal("6.8800000000")) == "6.88 USD"
    assert money(Decimal("98.3000000000")) == "98.30 USD"
    assert money(Decimal("43.1624809741")) == "43.162481 USD"
    assert money(Decimal("1134310")) == "1,134,310.00 USD"


def test_a_figure_has_the_day_it_was_recorded() -> None:
    """p5.48xlarge was 98.32 in the recording of 2025-04-28 and 55.04 in that of 2025-06-05."""
    p5 = {
        "provider": "aws", "region_id": "us-east-1", "instance_type": "p5.48xlarge", "operating_system": "linux",
        "purchase_option": "on_demand", "offering_class": "", "payment_option": "", "term_months": 0,
    }  # fmt: skip
    with Sandbox() as stand_in:
        before = stand_in.date_of("aws")
        assert recorded(stand_in, p5, date(2025, 4, 28)).startswith("recorded 2025-04-28, aws/karpenter-provider-aws")
        assert recorded(stand_in, p5, date(2025, 6, 5)).startswith("recorded 2025-06-05, QuinnyPig/aws-price-watcher")
        assert stand_in.date_of("aws") == before


def test_the_demo_tells_what_an_analyst_came_for(tmp_path: Path) -> None:
    """As a person runs it, with a Prefect server of its own: six refreshes of some regions, then figures by hand.

    55.04 / 8 = 6.88; ND96is in eastus and westeurope 88.488 / 8 = 11.061 and 115.034 / 8 = 14.37925, 30% more;
    1134310 / 26280 = 43.162481 of 98.32, 56.1% less; p5 55.04 / 98.32 - 1 = -44%.
    """
    regions = ("us-east-1", "us-west-2", "eu-west-1", "eastus", "westus3", "westeurope")
    command = [str(Path(sys.executable).with_name("gpu-prices")), "--home", str(tmp_path), "demo"]
    command += [word for region in regions for word in ("--region", region)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    result = subprocess.run(command, env=environment, capture_output=True, text=True)

    assert result.returncode == 0, result.stderr
    for figure in (
        "6.88 USD per GPU",
        "11.061 USD per GPU in eastus, 14.37925 USD in westeurope, 30% more",
        "56.1% for 36 months of Standard_ND96isr_H100_v5 (8 x H100-80GB), azure eastus: 43.162481 USD",
        "98.32 USD -> 55.04 USD an hour (-44%) on 2025-06-05",
        "not today's",
    ):
        assert figure in result.stdout
    days = (
        "2025-04-28 aws",
        "2025-06-03 azure",
        "2025-06-05 aws",
        "2026-06-18 azure",
        "2026-07-20 aws",
        "2026-08-01 azure",
    )
    assert [line.partition(":")[0] for line in result.stderr.splitlines()] == list(days)
    with open_published(tmp_path / "demo") as published:
        assert f"{published.as_of:%Y-%m-%d}" == "2026-08-01"
