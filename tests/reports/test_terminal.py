"""Values as text: without loss for programs and pipes, short for people."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from io import StringIO

import pytest

from reports import terminal
from reports.published import Rows

MOMENT = datetime(2025, 6, 5, 8, 28, 22, tzinfo=UTC).replace(tzinfo=None)  # as DuckDB gives it

ROWS = Rows(
    ("provider", "zone_id", "instance_type", "currency", "term_months", "price_per_gpu_hour", "valid_from", "seen"),
    [
        ("aws", "", "p5.48xlarge", "USD", 0, Decimal("6.8800000000"), MOMENT, None),
        ("azure", "", "Standard_NC40ads_H100_v5", "USD", 0, Decimal("6.9800000000"), MOMENT, None),
    ],
    more=True,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (Decimal("55.0400000000"), "55.04"),
        (Decimal("0E-10"), "0"),
        (Decimal("1134310.000000"), "1134310"),
        (Decimal("2.7447052500"), "2.74470525"),
        (1 / 6, "0.166666666667"),
        (MOMENT, "2025-06-05T08:28:22Z"),
        (MOMENT.replace(tzinfo=UTC), "2025-06-05T08:28:22Z"),
        (date(2025, 6, 5), "2025-06-05"),
        (["on_demand", "spot"], "on_demand, spot"),
        ({"why": Decimal("1.5")}, '{"why": 1.5}'),
        ("two\tlines\nof text", "two lines of text"),
    ],
)
def test_a_value_in_a_plain_line(value: object, text: str) -> None:
    """Every digit, UTC with its Z, one line."""
    assert terminal.plain(value) == text


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("price_per_gpu_hour", Decimal("2.7447052500"), "2.7447"),
        ("monthly_cost", Decimal("16029.08"), "16,029.08"),
        ("hourly_price", Decimal("1234.5000000000"), "1,234.5000"),
        ("change_ratio", -0.4401952, "-44.0%"),
        ("saving_ratio", 0.5609, "56.1%"),
        ("break_even_utilization", 0.439, "43.9%"),
        ("hours_since_seen", 0.2, "just now"),
        ("hours_since_seen", 5.4, "5 h ago"),
        ("hours_since_seen", 280.0, "12 d ago"),
        ("valid_from", MOMENT, "2025-06-05"),
        ("last_complete_at", MOMENT, "2025-06-05 08:28"),
        ("gpu_count", 1 / 6, "0.167"),
        ("gpu_count", 8.0, "8"),
        ("held", True, "yes"),
        ("valid_to", None, "-"),
    ],
)
def test_a_value_for_a_person(name: str, value: object, text: str) -> None:
    """Prices to four places, shares as percentages, days without their minute, ages in words."""
    assert terminal.for_person(name, value) == text


def test_rows_for_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """A line of names, then a line a row, tab-separated, every column."""
    terminal.show(ROWS, ["instance_type"])
    names, first, _ = capsys.readouterr().out.splitlines()

    assert names.split("\t") == list(ROWS.columns)
    assert first == "aws\t\tp5.48xlarge\tUSD\t0\t6.88\t2025-06-05T08:28:22Z\t"


def test_rows_for_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    """One object; numbers are numbers, and NaN, for which JSON has no word, is text."""
    terminal.show_json(ROWS, as_of=MOMENT, asked=["H100"])
    terminal.show_json(Rows(("x",), [(float("nan"),), (Decimal("12345678901234567.8"),)]))
    first, second = capsys.readouterr().out.split("}\n{")

    answer = json.loads(first + "}")
    assert (answer["as_of"], answer["asked"], answer["more"]) == ("2025-06-05T08:28:22Z", ["H100"], True)
    assert answer["rows"][0]["price_per_gpu_hour"] == 6.88
    assert [row["x"] for row in json.loads("{" + second)["rows"]] == ["nan", "12345678901234567.8"]


@pytest.mark.parametrize("columns", ["120", "30"])
def test_rows_for_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    """A table of the columns asked for that have something to say; what all rows share stands once, under it.

    On a narrow one too, no figure and no name is cut.
    """
    monkeypatch.setenv("COLUMNS", columns)
    screen = StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdout", screen)
    terminal.show(ROWS, ["provider", "zone_id", "instance_type", "currency", "term_months", "price_per_gpu_hour"])
    shown = screen.getvalue()

    assert "Standard_NC40ads_H100_v5" in shown and "6.8800" in shown and "GPU-hour" in shown
    assert "zone id" not in shown and "term months" not in shown and "valid from" not in shown
    assert shown.count("USD") == 1


def test_converted_prices_say_under_the_table_what_they_are_listed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all are converted from dollars that stands once; where some are not, each row says it."""
    told = []
    for second in ("USD", "EUR"):
        screen = StringIO()
        monkeypatch.setattr(screen, "isatty", lambda: True)
        monkeypatch.setattr("sys.stdout", screen)
        rows: list[tuple[object, ...]] = [("a", Decimal("9"), "EUR", "USD"), ("b", Decimal("8"), "EUR", second)]
        terminal.show(Rows(("instance_type", "hourly_price", "currency", "list_currency"), rows))
        told.append(screen.getvalue())

    assert "EUR, listed in USD" in told[0] and told[0].count("USD") == 1
    assert "listed in" in told[1]
    assert [line.split()[-1] for line in told[1].splitlines() if "0000" in line] == ["USD", "EUR"]
