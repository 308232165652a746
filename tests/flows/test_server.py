"""The Prefect server of a command: begun early, gone with the command, and not begun where the person has one."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from prefect.client.schemas.schedules import CronSchedule
from prefect.flows import Flow, load_flow_from_entrypoint

from flows.faults import Fault
from flows.server import prefect_server
from flows.settings import Settings, has_own_prefect

ROOT = Path(__file__).parents[2]


def test_the_server_leaves_with_whoever_started_it() -> None:
    """When its input ends, as it does when the starter is killed, it is gone at once, though it is still starting."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        descriptor = listening.fileno()
        command = [sys.executable, "-m", "flows.server_process", str(descriptor)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[descriptor])
    assert process.stdin is not None
    process.stdin.close()

    assert process.wait(timeout=30) == 0


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_run_at_once(number: signal.Signals, status: int) -> None:
    """With one line and the status a shell expects, whatever threads are at work."""
    code = (
        "import os, threading\nfrom flows.server import leaving_at_once\n"
        "with leaving_at_once():\n"
        "    threading.Thread(target=threading.Event().wait).start()\n"
        f"    os.kill(os.getpid(), {int(number)})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stderr) == (status, "gpu-prices: interrupted; what had landed is kept\n")


@pytest.mark.parametrize("name", ["PREFECT_API_URL", "PREFECT_HOME", "PREFECT_PROFILE"])
def test_a_person_with_a_prefect_is_left_to_it(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A server, a home or a profile of their own decides; without any, the command brings its server."""
    monkeypatch.setattr(os, "environ", {})
    assert not has_own_prefect()
    monkeypatch.setattr(os, "environ", {name: "somewhere"})
    assert has_own_prefect()


def test_a_home_that_cannot_be_written_is_told_before_anything_starts(tmp_path: Path) -> None:
    """A file in its place: the system's error, and no server."""
    (tmp_path / "file").touch()

    with pytest.raises(OSError), prefect_server(Settings(home=tmp_path / "file")):
        pass


@pytest.mark.parametrize(
    ("name", "flow_name", "cron"), [("daily", "refresh", "15 6 * * *"), ("weekly", "discover", "15 3 * * 1")]
)
def test_the_deployments_name_the_flows(name: str, flow_name: str, cron: str) -> None:
    """prefect.yaml: `refresh/daily` every morning, `discover/weekly` before it on Mondays; one run at a time."""
    text = re.split(r"^  - name: ", (ROOT / "prefect.yaml").read_text(), flags=re.MULTILINE)[1:]
    assert [part.partition("\n")[0] for part in text] == ["daily", "weekly"]
    (deployment,) = (part for part in text if part.startswith(f"{name}\n"))
    entrypoint = re.search(r"entrypoint: (\S+)", deployment)
    said = re.search(r'cron: "([^"]+)"', deployment)

    assert entrypoint is not None and said is not None
    flow: Flow[..., Any] = load_flow_from_entrypoint(str(ROOT / entrypoint[1]), use_placeholder_flow=False)
    assert flow.name == flow_name
    assert CronSchedule(cron=said[1], timezone="UTC").cron == cron
    assert re.search(r"limit: 1\b", deployment)


def test_a_port_that_is_taken_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its number, with what to do; and no server is begun."""
    monkeypatch.setattr("flows.server.has_own_prefect", lambda: False)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(Fault, match=f"port {port} is taken: name another with --port"),
            prefect_server(Settings(home=tmp_path), port),
        ):
            pass
