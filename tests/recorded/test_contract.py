"""The committed form of the feeds is the one that the recorded payloads have: `make check-recorded DIR=...`."""

from pathlib import Path

from tests.contract.recorded import TABLE, learn_recorded, written


def test_the_table_is_what_the_payloads_say(recorded: Path) -> None:
    """Byte for byte; `python -m tests.contract.recorded DIR` writes it anew."""
    assert TABLE.read_bytes().decode() == written(learn_recorded(recorded))
