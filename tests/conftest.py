"""What every test can rely on: an environment of its own, hypothesis profiles, and no silent skip.

The environment is set when this module is imported, before a test can import Prefect or rich, which read it at import.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import hypothesis
import pytest

from connectors.sandbox import Sandbox
from tests.demo_home import make_demo_home

# The tester's own settings decide nothing here: a real Prefect server, home or account, or a terminal's colours would.
for name in list(os.environ):
    if name.startswith(("PREFECT_", "GPU_PRICES_", "AWS_")) and name != "GPU_PRICES_RECORDED":
        del os.environ[name]
# typer and rich take these for a terminal with colours
for name in ("FORCE_COLOR", "PY_COLORS", "CLICOLOR_FORCE", "GITHUB_ACTIONS"):
    os.environ.pop(name, None)

PREFECT_HOME = tempfile.mkdtemp(prefix="gpu-prices-prefect-")  # it writes to ~/.prefect otherwise; one per process

os.environ |= {
    "PREFECT_HOME": PREFECT_HOME,
    # A fresh home migrates its database for 8 s; on a busy machine that passed the default limit of 20 s.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
    # Without a network, telemetry prints failures and a `database is locked` traceback.
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "COLUMNS": "120",
    # An account that exists nowhere, so that feeds that need one are asked; a test that wants none takes it away.
    "AWS_ACCESS_KEY_ID": "stand-in",
    "AWS_SECRET_ACCESS_KEY": "stand-in",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    # A proxy would swallow requests to the stand-in on loopback.
    "NO_PROXY": "127.0.0.1,localhost",
    # Every time in the tables is UTC. A zone that is hours away, with summer time, shows a forgotten conversion.
    "TZ": "America/New_York",
}
time.tzset()

# `make test` and CI run "ci": the same examples each time, so that red means the change. By hand, pytest looks for new
# ones, and `--hypothesis-profile search` looks for long.
hypothesis.settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    print_blob=True,
    # Two busy cores make data generation slow now and then; that says nothing about the code.
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile("dev", deadline=None, max_examples=50)
hypothesis.settings.register_profile("search", deadline=None, max_examples=2_000)
hypothesis.settings.load_profile("dev")

# Comparisons with recorded payloads run only when told where those are (`make check-recorded`).
collect_ignore = [] if "GPU_PRICES_RECORDED" in os.environ else ["recorded"]


@pytest.fixture(scope="session")
def recorded() -> Path:
    """Folder of recorded payloads, as named by `make check-recorded DIR=...`."""
    return Path(os.environ["GPU_PRICES_RECORDED"])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that was skipped, or passed or failed by way of xfail, is a failed test: what isn't run isn't known."""
    report = yield
    expected = getattr(report, "wasxfail", None)
    if expected is not None:
        del report.wasxfail
        report.outcome = "failed"
        report.longrepr = f"xfail is not accepted here: {expected or 'no reason given'}"
    elif report.skipped:
        report.outcome = "failed"
        report.longrepr = f"A skip is not accepted here: {skip_reason(report)}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole module, skipped while it was read (`importorskip`, `allow_module_level`)."""
    report = yield
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"A skip is not accepted here: {skip_reason(report)}"
    return report


def skip_reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """The reason a skip gave: a skip's `longrepr` is (path, line, "Skipped: reason")."""
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)


def pytest_unconfigure() -> None:
    """Remove this process's Prefect home."""
    shutil.rmtree(PREFECT_HOME, ignore_errors=True)


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sandbox]:
    """The demo's home, made once for all processes of a run, and the stand-in its figures are from. Only to be read."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    home = shared / "demo"
    with (shared / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.exists():
            made = shared / "demo-in-the-making"  # a process that fails in it leaves nothing that looks whole
            shutil.rmtree(made, ignore_errors=True)
            make_demo_home(made)
            made.rename(home)
    with Sandbox() as stand_in:  # stopped, it still knows its figures
        return home, stand_in
