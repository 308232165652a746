"""The ground the tests stand on: no silent skip, a quiet environment, data files that are part of the distribution."""

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).parent.parent

SKIPPING_TESTS = """
import pytest

@pytest.mark.skip(reason="marked away")
def test_marked(): ...

def test_called():
    pytest.skip("called away")

@pytest.mark.xfail(reason="known to fail")
def test_expected():
    raise ValueError

@pytest.mark.xfail(reason="known to fail, but passes", strict=False)
def test_unexpected(): ...

@pytest.fixture
def skipping():
    pytest.skip("fixture away")

def test_fixture(skipping): ...

def test_good(): ...
"""


def run_pytest(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run pytest on `folder` with this project's conftest as a plugin; output is text."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-c", os.devnull, "-p", "no:cacheprovider"]
    return subprocess.run([*command, f"--rootdir={folder}", str(folder)], cwd=ROOT, capture_output=True, text=True)


def test_every_kind_of_skip_fails(tmp_path: Path) -> None:
    """Three tests that go wrong while they run, two before they start, and a good one: only that one passes."""
    (tmp_path / "test_skipping.py").write_text(SKIPPING_TESTS)

    result = run_pytest(tmp_path)

    assert result.returncode == 1
    assert "3 failed, 1 passed, 2 errors" in result.stdout.splitlines()[-1]
    for reason in ("marked away", "called away", "known to fail", "known to fail, but passes", "fixture away"):
        assert reason in result.stdout


def test_a_skipped_module_fails(tmp_path: Path) -> None:
    """A module that skips itself while it is read is an error of the run, named with its reason."""
    (tmp_path / "test_missing.py").write_text("import pytest\npytest.importorskip('no_such_module')\n")

    result = run_pytest(tmp_path)

    assert result.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    assert "A skip is not accepted here: Skipped: could not import 'no_such_module'" in result.stdout


def test_prefect_stays_out_of_the_testers_home() -> None:
    """Prefect's home is a temporary folder of this run, it reports to nobody, and it has 120 s to start."""
    assert Path(os.environ["PREFECT_HOME"]).name.startswith("gpu-prices-prefect-")
    assert os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
    assert os.environ["PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS"] == "120"
    assert "PREFECT_API_URL" not in os.environ


def test_hypothesis_has_no_deadline() -> None:
    """A property doesn't fail because the machine was slow for a moment, whatever the profile."""
    for profile in ("ci", "dev", "search"):
        assert hypothesis.settings.get_profile(profile).deadline is None
    assert hypothesis.settings.get_profile("ci").derandomize


def test_the_lock_pins_and_hashes_everything_and_names_no_address() -> None:
    """Each requirement is one exact version with at least one hash, and no line says where to fetch it from."""
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    requirements = [number for number, line in enumerate(lines) if line and line[0] not in " #"]

    assert len(requirements) > 50
    for number in requirements:
        assert "==" in lines[number]
        assert lines[number + 1].startswith("    --hash=sha256:")
    assert not [line for line in lines if "://" in line or line.startswith("-")]


def test_the_lock_covers_what_the_project_asks_for() -> None:
    """Every direct dependency of pyproject.toml, the build backend's too, stands in the lock."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    asked = [*project["project"]["dependencies"], *project["build-system"]["requires"], *groups["build"]]
    asked += [entry for entry in groups["dev"] if isinstance(entry, str)]
    locked = {line.split("==")[0] for line in (ROOT / "requirements.lock").read_text().splitlines() if "==" in line}

    assert {name.split(">=")[0] for name in asked} <= locked


def test_data_files_are_part_of_the_distribution(tmp_path: Path) -> None:
    """A wheel holds every file of the four packages that isn't Python's own by-product: SQL, CSV and templates too."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    packages = ("flows", "connectors", "warehouse", "reports")
    files = {p.relative_to(ROOT).as_posix() for name in packages for p in (ROOT / name).rglob("*") if p.is_file()}

    held = zipfile.ZipFile(wheel).namelist()

    assert {name for name in files if "__pycache__" not in name} <= set(held)
    assert any(name.endswith(".sql") for name in held) and any(name.endswith(".csv") for name in held)
