"""Where things are and what time it is: the only module that reads the environment and the clock."""

import getpass
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

DEFAULT_HOME = Path("data")

# What Prefect needs to stay in its place when a command starts it. Anything the person has set wins.
PREFECT_DEFAULTS = {
    # Without a network, telemetry prints failures and a `database is locked` traceback.
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    # A fresh home migrates its database for 8 s; on a busy machine that passed Prefect's limit of 20 s.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
    # The command prints its own lines and its own errors; Prefect keeps both for its page.
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_EXTRA_LOGGERS": "gpu_prices",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
}


@dataclass(frozen=True)
class Clock:
    """Aware UTC now, moved by `shift`: the demo lives on the days its prices were recorded."""

    shift: timedelta = timedelta(0)

    def now(self) -> datetime:
        """The present of this clock; it never stands still."""
        return datetime.now(UTC) + self.shift

    @classmethod
    def starting_at(cls, moment: datetime) -> "Clock":
        """A clock that shows `moment` (aware) now and goes on from there."""
        return cls(moment - datetime.now(UTC))


@dataclass(frozen=True)
class Settings:
    """What every command needs to know. `base_urls`: source name -> address, for sources not asked at their own.

    `code_version` '' is that of the installed distribution.
    """

    home: Path = DEFAULT_HOME
    base_urls: Mapping[str, str] = field(default_factory=dict)
    code_version: str = ""
    clock: Clock = Clock()
    show_traceback: bool = False

    def at(self, moment: datetime) -> "Settings":
        """The same with a clock that starts at `moment`."""
        return replace(self, clock=Clock.starting_at(moment))

    @property
    def landing(self) -> Path:
        """Folder of what the providers sent."""
        return self.home / "landing"

    @property
    def warehouse(self) -> Path:
        """The DuckDB file the landing folder is folded into."""
        return self.home / "warehouse.duckdb"


def read_settings(home: Path | None = None) -> Settings:
    """Settings from the environment; a `home` given on the command line wins over GPU_PRICES_HOME."""
    prefix, suffix = "GPU_PRICES_", "_URL"
    urls = {
        name.removeprefix(prefix).removesuffix(suffix).lower(): value
        for name, value in os.environ.items()
        if name.startswith(prefix) and name.endswith(suffix) and value
    }
    return Settings(
        home=home or Path(os.environ.get("GPU_PRICES_HOME") or DEFAULT_HOME),
        base_urls=urls,
        show_traceback=bool(os.environ.get("GPU_PRICES_TRACEBACK")),
    )


def url_variable(source: str) -> str:
    """The environment variable that sends a source to another address: `GPU_PRICES_AWS_PRICE_LIST_URL`."""
    return f"GPU_PRICES_{source.upper()}_URL"


def code_version() -> str:
    """Version of the installed distribution."""
    from importlib import metadata  # the slowest import of this module, and no question needs it

    try:
        return metadata.version("gpu-prices")
    except metadata.PackageNotFoundError:
        return "not installed"


def person() -> str:
    """Who runs this command, for decisions that are kept with a name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run under a number that has no name
        return f"user {os.getuid()}"


def has_own_prefect() -> bool:
    """Whether the person has said anything about where Prefect is: a server, a home or a profile."""
    return any(os.environ.get(name) for name in ("PREFECT_API_URL", "PREFECT_HOME", "PREFECT_PROFILE"))


def stand_in_account() -> None:
    """Sign what goes to a stand-in as an account that exists nowhere, whatever account this machine has."""
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "stand-in",
        "AWS_SECRET_ACCESS_KEY": "stand-in",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    for name in ("AWS_SESSION_TOKEN", "AWS_PROFILE"):
        os.environ.pop(name, None)


def pass_home_on(home: Path) -> None:
    """Let the processes that this one starts have the same home."""
    os.environ["GPU_PRICES_HOME"] = str(home.resolve())


def prepare_prefect(home: Path, server: str | None = None) -> None:
    """Set what Prefect reads at import: its files go under `home`, it is quiet, and `server` is its address.

    What the person has set wins.
    """
    os.environ.setdefault("PREFECT_HOME", str((home / "prefect").resolve()))
    if server is not None:
        os.environ["PREFECT_API_URL"] = server
    for name, value in PREFECT_DEFAULTS.items():
        os.environ.setdefault(name, value)
