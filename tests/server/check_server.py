"""A Prefect server, `prefect deploy`, a worker and `gpu-prices serve`, for real, against the stand-in for the clouds.

`make check-server` runs it: some minutes, nothing but loopback, everything in a temporary folder. It ends with one
line, or with the sentence that doesn't hold. Figures: p5.48xlarge in us-east-1 cost 55.04 on 2026-07-20,
ND96isr_H100_v5 in eastus 98.32 on 2026-08-01; Linux, on demand.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from connectors.sandbox import Sandbox

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
POOL = "gpu-prices"
COMMAND = "from flows.cli import app; app(prog_name='gpu-prices')"
PRICES = """
    SELECT region_id, hourly_price FROM prices
    WHERE purchase_option = 'on_demand' AND operating_system = 'linux'
      AND instance_type IN ('p5.48xlarge', 'Standard_ND96isr_H100_v5')
    ORDER BY region_id
"""
EXPECTED = [("eastus", Decimal("98.32")), ("us-east-1", Decimal("55.04"))]
UNLISTED = "atlantis1"  # stands in no table of ours


def require(holds: bool, sentence: str) -> None:
    """End with a sentence that doesn't hold."""
    if not holds:
        raise SystemExit(f"check-server: not so: {sentence}")


def say(line: str) -> None:
    """One line for who watches."""
    sys.stderr.write(f"check-server: {line}\n")


def until(holds: Callable[[], bool], seconds: float, sentence: str) -> None:
    """Wait for something that must come true in time."""
    deadline = time.monotonic() + seconds
    while not holds():
        require(time.monotonic() < deadline, f"{sentence} (within {seconds:.0f} s)")
        time.sleep(0.5)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


@contextmanager
def running(name: str, command: list[str], env: dict[str, str], log: Path) -> "Iterator[subprocess.Popen[bytes]]":
    """A process and whatever it starts, in a session of their own; ended by its id, and seen to be gone."""
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
        )
        say(f"{name} is process {process.pid}")
        try:
            yield process
        finally:
            end(process)


def end(process: "subprocess.Popen[bytes]") -> None:
    """First with a word, then by force; its session is its process group."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            process.send_signal(number)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                continue
    if group_lives(process.pid):
        os.killpg(process.pid, signal.SIGKILL)


def group_lives(group: int) -> bool:
    """Whether a process group still has a process."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@dataclass(frozen=True)
class Server:
    """A Prefect server, as its API and its command line see it."""

    url: str
    env: dict[str, str]

    def prefect(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run Prefect's command."""
        command = [str(BIN / "prefect"), "--no-prompt", *words]
        return subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=300)

    def ask(self, path: str, **body: object) -> Any:
        """POST to its API; without a body, GET."""
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(f"{self.url}{path}", data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def is_up(self) -> bool:
        """Whether it answers."""
        try:
            return bool(self.ask("/health"))
        except (urllib.error.URLError, OSError):
            return False

    def page(self) -> str:
        """The address of its page, which must be there and know where to ask."""
        address = self.url.removesuffix("/api")
        with urllib.request.urlopen(address, timeout=30) as answer:
            require(b"<html" in answer.read(), f"{address} is a page")
        with urllib.request.urlopen(f"{address}/ui-settings", timeout=30) as answer:
            asks = json.load(answer)["api_url"]
        require(asks == self.url, f"the page asks {self.url}, not {asks}")
        return address

    def has_run(self, state: str) -> bool:
        """Whether some run is in a state."""
        found = self.ask("/flow_runs/filter", flow_runs={"state": {"type": {"any_": [state]}}}, limit=1)
        return bool(found)

    def run(self, deployment: str, **parameters: object) -> dict[str, Any]:
        """Run a deployment on the worker; its flow run when it has ended."""
        found = self.ask(f"/deployments/name/{deployment}")
        created = self.ask(f"/deployments/{found['id']}/create_flow_run", parameters=parameters)
        run: dict[str, Any] = {}

        def has_ended() -> bool:
            run.update(self.ask(f"/flow_runs/{created['id']}"))
            return run["state"]["type"] in ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")

        until(has_ended, 180, f"a run of {deployment} ends")
        say(f"{deployment}: {run['name']}: {run['state']['type']}, {run['state']['message']}")
        return run


def environment(folder: Path, port: int, sandbox_url: str) -> dict[str, str]:
    """A home of its own for Prefect and for us, and the stand-in in place of the clouds."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "GPU_PRICES_"))}
    return kept | {
        "PYTHONPATH": str(ROOT),
        "NO_PROXY": "127.0.0.1,localhost",
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "GPU_PRICES_HOME": str(folder / "home"),
        "GPU_PRICES_AWS_PRICE_LIST_URL": sandbox_url,
        "GPU_PRICES_AZURE_RETAIL_PRICES_URL": sandbox_url,
    }


def published_prices(home: Path) -> list[tuple[Any, ...]]:
    """What a reader sees."""
    with duckdb.connect(str(home / "published" / "gpu_prices.duckdb"), read_only=True) as connection:
        return connection.execute(PRICES).fetchall()


def check_deployments(server: Server, home: Path, stand_in: Sandbox) -> None:
    """prefect.yaml as it stands: a run that is well, one in which a region fails, a walk that finds a new region."""
    deployed = server.prefect("deploy", "--all")
    require(deployed.returncode == 0, f"prefect.yaml deploys: {deployed.stdout}{deployed.stderr}")
    names = sorted(found["name"] for found in server.ask("/deployments/filter", limit=10))
    require(names == ["daily", "weekly"], f"the deployments are daily and weekly, not {names}")

    well = server.run("refresh/daily", regions=["us-east-1", "eastus"])
    require(well["state"]["type"] == "COMPLETED", "a refresh of a region of each cloud completes")
    require(published_prices(home) == EXPECTED, f"the published file has {EXPECTED}: {published_prices(home)}")

    stand_in.faults.omitted_regions = {"eastus"}
    ill = server.run("refresh/daily", regions=["us-east-1", "eastus"])
    stand_in.faults.clear()
    message = ill["state"]["message"]
    require(ill["state"]["type"] == "FAILED", "a run in which a region fails is Failed")
    require(message == "1 failed: azure_retail_prices eastus/USD", f"it names the region: {message}")
    require(published_prices(home) == EXPECTED, "the old prices stand")

    stand_in.faults.azure.new_region = UNLISTED
    walk = server.run("discover/weekly")
    require(walk["state"]["type"] == "COMPLETED", "the walk over all regions completes")
    message = walk["state"]["message"]  # the stand-in has edge zones too, which no table of ours lists either
    require(message.startswith("found ") and f"{UNLISTED}/USD" in message, f"it finds what nobody listed: {message}")
    new = [*EXPECTED, (UNLISTED, Decimal("98.32"))]
    require(published_prices(home) == sorted(new), f"what it sells is published: {published_prices(home)}")
    own = server.run("refresh/daily", regions=[UNLISTED])
    require(own["state"]["type"] == "COMPLETED", "from then on a refresh asks it")


def check_serve(env: dict[str, str], folder: Path) -> None:
    """`gpu-prices serve` with a server of its own: a walk every minute, a line for it, and Ctrl-C ends all of it.

    Begun again in the same home it goes on, and Ctrl-C in the middle of a run ends that too.
    """
    port, home = free_port(), folder / "served"
    own = {name: value for name, value in env.items() if not name.startswith("PREFECT_")}
    command = [sys.executable, "-c", COMMAND, "--home", str(home), "serve", "--port", str(port)]
    server = Server(f"http://127.0.0.1:{port}/api", own)

    def a_run_was_told() -> bool:
        return " discover: Completed, found " in (folder / "serve.log").read_text()

    walking = [*command, "--walk-at", "* * * * *"]
    serve_until("it tells how a run ended", a_run_was_told, walking, server, folder / "serve.log")
    require((home / "published").exists(), "a run that it served has published")
    refreshing, again = [*command, "--at", "* * * * *"], folder / "serve again.log"
    serve_until("a run begins after a new start", lambda: server.has_run("RUNNING"), refreshing, server, again)
    until(lambda: not processes_of(home), 10, f"nothing that they started lives on: {processes_of(home)}")


def serve_until(sentence: str, holds: Callable[[], bool], command: list[str], server: Server, log: Path) -> None:
    """Serve until something has come true, then press Ctrl-C."""
    with running("serve", command, server.env, log) as process:
        until(lambda: "the page is" in log.read_text(), 90, "it says where the page is")
        say(f"{server.page()} is the page")
        until(holds, 180, sentence)
        process.send_signal(signal.SIGINT)
        until(lambda: process.poll() is not None, 40, "Ctrl-C ends it")
        said = log.read_text().rstrip()
        say(f"serve said:\n{said}")
        require(process.returncode == 0 and "Traceback" not in said, f"it ends well, not {process.returncode}")


def processes_of(home: Path) -> list[int]:
    """The processes that have a home in their words or in their environment, where the system tells."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            known = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
        except OSError:  # gone, or another user's
            continue
        if os.fsencode(home) in known:
            found.append(int(folder.name))
    return found


def main() -> None:
    """Set everything up, check, and take everything down."""
    with TemporaryDirectory(prefix="gpu-prices-server-") as temporary, ExitStack() as stack:
        folder, port = Path(temporary), free_port()
        stand_in = stack.enter_context(Sandbox())
        env = environment(folder, port, stand_in.url)
        server = Server(env["PREFECT_API_URL"], env)
        start = [str(BIN / "prefect"), "server", "start", "--host", "127.0.0.1", "--port", str(port)]
        try:
            stack.enter_context(running("server", start, env, folder / "server.log"))
            until(server.is_up, 120, "the server answers")
            pool = server.prefect("work-pool", "create", POOL, "--type", "process")
            require(pool.returncode == 0, f"the pool is made: {pool.stdout}{pool.stderr}")
            work = [str(BIN / "prefect"), "worker", "start", "--pool", POOL]
            stack.enter_context(running("worker", work, env, folder / "worker.log"))
            check_deployments(server, Path(env["GPU_PRICES_HOME"]), stand_in)
            check_serve(env, folder)
        except SystemExit:
            for log in sorted(folder.glob("*.log")):
                say(f"the end of {log.name}:\n{log.read_text()[-3000:]}")
            raise
    say("all of it holds")


if __name__ == "__main__":
    main()
