"""The committed form of the feeds is the one that the recorded payloads have: `make check-recorded DIR=...`."""

from pathlib import Path

from tests.contract.learning import TABLE, learn_recorded, written


def test_the_table_is_what_the_payloads_say(recorded: Path) -> None:
    """Byte for byte; `python -m tests.contract.learning DIR` writes it anew."""
    assert TABLE.read_text(encoding="utf-8") == written(learn_recorded(recorded))
