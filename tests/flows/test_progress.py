"""What a person sees while a command works."""

import logging
import sys
from io import StringIO

import pytest

from flows.progress import logger, shown


def work() -> None:
    """Say what the real work says: a step, a line to keep, a small step, a warning."""
    logger.info("us-east-1: complete", extra={"step": (1, 2)})
    logger.info("2025-06-05 aws", extra={"keep": True})
    logger.debug("prices")
    logger.warning("us-west-2: failed")


def test_plain_lines_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    """On stderr, so that stdout is the command's; small steps are left out."""
    with shown("refresh"):
        work()

    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "us-east-1: complete\n2025-06-05 aws\nus-west-2: failed\n")


def test_only_what_is_to_be_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """The demo shows its days and whatever went wrong."""
    with shown("demo", only_kept=True):
        work()

    assert capsys.readouterr().err == "2025-06-05 aws\nus-west-2: failed\n"


def test_a_bar_where_somebody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept lines stay above it; the bar goes on when Prefect, imported meanwhile, closes every handler."""
    screen = StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with shown("refresh"):
        for handler in logger.handlers:
            handler.close()
        work()

    said = screen.getvalue()
    assert "2025-06-05 aws\n" in said and "us-west-2: failed\n" in said
    assert "1/2" in said


def test_nothing_is_left_behind() -> None:
    """The logger is as it was, also after an error."""
    before = (logger.level, list(logger.handlers))
    with pytest.raises(KeyError), shown("refresh"):
        raise KeyError

    assert (logger.level, list(logger.handlers)) == before
    assert logger is logging.getLogger("gpu_prices")
