"""The command line: what it prints, and that every error is one clear line with the right exit status."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from flows import updating
from flows.cli import app
from flows.faults import Unfinished, in_one_line, without_traceback
from flows.refresh import Outcome
from tests.flows.tiny_source import APRIL, JUNE, april_2025, fetch_all, settings_at
from warehouse.database import open_warehouse, writer_lock
from warehouse.landing import Landing

COMMANDS = [command.callback.__name__ for command in app.registered_commands if command.callback]
ASK = [sys.executable, "-c", "from flows.cli import app; app(prog_name='gpu-prices')"]


def ask(home: Path, *words: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, ["--home", str(home), *words], prog_name="gpu-prices")


def lines_of(result: Result) -> list[list[str]]:
    """The tab-separated lines of a plain answer."""
    return [line.split("\t") for line in result.stdout.splitlines()]


def records_of(result: Result) -> list[dict[str, str]]:
    """The rows of a plain answer by column name."""
    names, *rows = lines_of(result)
    return [dict(zip(names, row, strict=True)) for row in rows]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_does_and_shows_an_example(command: str) -> None:
    """Its help begins with a sentence and ends with a line that can be pasted."""
    result = CliRunner().invoke(app, [command, "--help"], prog_name="gpu-prices")

    assert result.exit_code == 0
    assert f"Example: gpu-prices {command}" in " ".join(result.stdout.split())


def test_the_help_names_every_command() -> None:
    """Without a word, `gpu-prices` shows the same as --help, and ends well."""
    result = CliRunner().invoke(app, [], prog_name="gpu-prices")

    assert result.exit_code == 0
    assert len(COMMANDS) == 18
    assert all(f" {command} " in result.stdout for command in COMMANDS)


@pytest.mark.parametrize(
    ("words", "never"),
    [
        (["--help"], ["prefect", "duckdb", "requests", "pyarrow"]),
        (["find", "--help"], ["prefect", "duckdb", "requests", "pyarrow"]),
        (["find", "--gpu", "H100"], ["prefect", "requests", "pyarrow"]),
        (["sql", "SELECT 1"], ["prefect", "requests", "pyarrow"]),
    ],
)
def test_a_question_imports_nothing_heavy(home: Path, words: list[str], never: list[str]) -> None:
    """Prefect takes two seconds to import; help and questions answer in a fraction of one because they leave it."""
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom flows.cli import app\n"
        f"assert CliRunner().invoke(app, {['--home', str(home), *words]}).exit_code == 0\n"
        f"print([name for name in {never} if name in sys.modules])"
    )

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_find_puts_the_cheapest_gpu_hour_first(home: Path) -> None:
    """June 2025: H100 at 55.04 / 8 = 6.88 in both regions; stderr says what the word meant and as of when."""
    result = ask(home, "find", "--gpu", "h100", "--count", "8")

    found = [(row["region_id"], row["instance_type"], row["price_per_gpu_hour"]) for row in records_of(result)]
    assert found == [("us-east-1", "p5.48xlarge", "6.88"), ("us-west-2", "p5.48xlarge", "6.88")]
    assert result.stderr == "h100 is H100-80GB, H100-NVL-94GB; on_demand; linux; USD; as of 2025-06-05 08:28 UTC\n"


def test_find_filters_by_region_and_count(home: Path) -> None:
    """A pattern of regions; a number of GPUs that no size has finds nothing and says so, which is no error."""
    result = ask(home, "find", "--gpu", "A100", "--region", "eu-*")
    assert [row["hourly_price"] for row in records_of(result)] == ["23.71569"]

    result = ask(home, "find", "--gpu", "A100", "--count", "1/6")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "No price matches" in result.stderr


def test_a_plan_tells_the_cheapest_mix_and_its_month(home: Path) -> None:
    """June 2025: 16 H100 are two p5.48xlarge at 55.04; 2 x 55.04 x 400 h = 44,032. Nothing else is on sale."""
    asked = ("plan", "--gpu", "H100", "--count", "16", "--hours-per-month", "400")
    result = ask(home, *asked, "--region", "us-*")

    assert [(row["instances"], row["purchase_option"], row["monthly_cost"]) for row in records_of(result)] == [
        ("2", "on_demand", "44032")
    ]
    assert "44,032.00 USD a month; all on demand: nothing is cheaper for these hours" in result.stderr
    assert "Assumed: a month of 730 hours" in result.stderr
    answer = json.loads(ask(home, *asked, "--json").stdout)
    assert (answer["monthly_cost"], answer["saving_ratio"], answer["rows"][0]["instances"]) == (44032, 0, 2)


@pytest.mark.parametrize(
    ("words", "said", "status"),
    [
        (["--hours-per-month", "800"], "800 hours are no part of a month, which has 730", 2),
        (["--hours-per-month", "some"], "'some' is no number of hours, like 400", 2),
        (["--hours-per-month", "1", "--steady", "9"], "--steady 9 is more than the 8 GPUs of --count", 2),
        (["--hours-per-month", "1", "--spot-tolerant", "2"], "'2' is no share: it lies between 0 and 1", 2),
        (["--hours-per-month", "NaN"], "NaN hours are no part of a month", 2),
        (["--hours-per-month", "1", "--os", "windows"], "no price matches", 1),
        (["--hours-per-month", "1", "--currency", "CNY"], "no price matches", 1),
        (["--hours-per-month", "1", "--currency", "EUR"], "no rate for EUR is known: `gpu-prices refresh --curr", 1),
        (["--hours-per-month", "1", "--currency", "any"], "a plan is made in one currency, like USD", 2),
    ],
)
def test_a_plan_that_can_not_be_made_says_why(home: Path, words: list[str], said: str, status: int) -> None:
    """One line, and a usage error is 2."""
    result = ask(home, "plan", "--gpu", "H100", "--count", "8", *words)

    assert (result.exit_code, said in " ".join(result.stderr.split())) == (status, True), result.stderr


def test_a_program_reads_one_object(home: Path) -> None:
    """Numbers are numbers, times have their zone, and it says what it is of."""
    answer = json.loads(ask(home, "find", "--gpu", "A100", "--json", "--limit", "1").stdout)

    assert answer["gpu_models"] == ["A100-40GB", "A100-80GB", "A100-PCIe-80GB"]
    assert answer["as_of"].startswith("2025-06-05T08:28:2") and answer["as_of"].endswith("Z")
    assert answer["more"] is True
    (row,) = answer["rows"]
    assert (row["region_id"], row["hourly_price"], row["price_per_gpu_hour"]) == ("us-west-2", 21.95764, 2.744705)
    assert row["hours_since_seen"] == 0


def test_history_shows_the_cut_of_june(home: Path) -> None:
    """98.32 until the file of 5 June, 55.04 since: 55.04 / 98.32 - 1 = -0.440195."""
    rows = records_of(ask(home, "history", "--instance-type", "P5.48xlarge", "--region", "us-east-1"))

    assert [(row["hourly_price"], row["valid_from"], row["valid_to"]) for row in rows] == [
        ("98.32", "2025-04-28T13:22:31Z", "2025-06-05T08:28:22Z"),
        ("55.04", "2025-06-05T08:28:22Z", ""),
    ]
    assert rows[1]["change_ratio"].startswith("-0.44019528")


def test_changes_tells_the_news_only(home: Path) -> None:
    """Five on-demand prices moved in June; what was there when we first looked is coverage, shown when asked for."""
    moved = records_of(ask(home, "changes", "--since", "2025-06-01"))
    assert {row["change"] for row in moved} == {"price move"} and len(moved) == 5
    assert sorted(row["change_ratio"][:6] for row in moved) == ["-0.329", "-0.33", "-0.330", "-0.440", "-0.440"]
    assert [row["known_at"] for row in moved] == sorted((row["known_at"] for row in moved), reverse=True)

    assert len(records_of(ask(home, "changes", "--since", "2025-04-01", "--kind", "coverage"))) == 9
    assert ask(home, "changes", "--since", "2025-06-06").stdout == ""


def test_spread_ranks_the_regions(home: Path) -> None:
    """p4d: 21.95764 in us-west-2, 21.957642 in us-east-1, 23.71569 in eu-west-1: 8.0% more than the cheapest."""
    result = ask(home, "spread", "--gpu", "A100-40GB")

    assert [(row["region_rank"], row["region_id"]) for row in records_of(result)] == [
        ("1", "us-west-2"),
        ("2", "us-east-1"),
        ("3", "eu-west-1"),
    ]
    assert "A100-40GB on aws, linux on_demand USD: 2.7447 to 2.9645 in 3 regions, 8.0% more" in result.stderr


def test_savings_against_the_price_in_force(home: Path) -> None:
    """p4d, all upfront: 164955 / 8760 = 18.8304794521; of 21.957642 that is 0.857582, so 14.24% less."""
    rows = records_of(ask(home, "savings", "--gpu", "A100", "--region", "us-east-1"))

    best = rows[0]
    assert (best["payment_option"], best["effective_hourly_price"]) == ("all_upfront", "18.8304794521")
    assert best["break_even_utilization"].startswith("0.857582")
    assert best["saving_ratio"].startswith("0.142417")
    assert best["break_even_month"] == "11"  # 164955 / (21.957642 x 730) = 10.29


def test_status_is_three_tables(home: Path) -> None:
    """One feed of three scopes, all fetched; --all shows every scope and every check."""
    assert "aws_price_list\t3\t0\t0" in ask(home, "status").stdout

    whole = json.loads(ask(home, "status", "--all", "--json").stdout)
    assert [scope["scope"] for scope in whole["scopes"]] == ["eu-west-1", "us-east-1", "us-west-2"]
    assert {check["kind"] for check in whole["checks"]} == {"invariant", "notice"}
    assert whole["code_version"] == "test"


def test_rejects_are_counted_by_reason(tmp_path: Path) -> None:
    """A line with a unit nobody knows is rejected with its record; the others are loaded."""
    source = april_2025()
    source.answers = {"eu-west-1": source.answers["eu-west-1"]}
    answer = source.answers["eu-west-1"]
    assert not isinstance(answer, Exception)
    answer.records = [*answer.records, {**answer.records[0], "Instance Type": "p5.48xlarge", "Unit": "Seconds"}]
    fetch_all(source, settings_at(tmp_path, APRIL))
    assert ask(tmp_path, "publish").exit_code == 1  # nothing is loaded yet

    from flows.loading import load_and_publish

    load_and_publish(settings_at(tmp_path, APRIL), "a test")
    (row,) = records_of(ask(tmp_path, "rejects"))
    assert (row["reason"], row["records"]) == ("unknown Unit", "1")
    (record,) = records_of(ask(tmp_path, "rejects", "--records", "--scope", "eu-west-1"))
    assert json.loads(record["record"])["Unit"] == "Seconds"
    assert ask(tmp_path, "rejects", "--reason", "none such").stdout == ""


def test_sql_is_bounded(home: Path) -> None:
    """A person's own query: its rows up to the limit, and a word that there are more."""
    result = ask(home, "sql", "SELECT range AS number FROM range(10)", "--limit", "3")

    assert lines_of(result) == [["number"], ["0"], ["1"], ["2"]]
    assert "more than these 3 rows" in result.stderr


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["find", "--gpu", "H1000"], 1, "unknown GPU 'H1000'; did you mean H100-80GB"),
        (["find", "--gpu", "H100", "--provider", "gcp"], 1, "unknown provider 'gcp': it is one of any, aws, azure"),
        (["find", "--gpu", "H100", "--region", "us-est-1"], 1, "unknown region 'us-est-1'; did you mean us-"),
        (["find", "--gpu", "H100", "--region", "xx-*"], 1, "unknown region 'xx-*'"),
        (["find", "--gpu", "H100", "--option", "lease"], 1, "unknown purchase option 'lease'"),
        (["find", "--gpu", "H100", "--os", "beos"], 1, "unknown operating system 'beos'"),
        (["find", "--gpu", "H100", "--count", "some"], 2, "'some' is no number of GPUs"),
        (["find", "--gpu", "H100", "--count", "1/0"], 2, "'1/0' is no number of GPUs"),
        (["find"], 2, "Missing option '--gpu'. See gpu-prices find --help"),
        (["find", "--gpu", "H100", "--limit", "0"], 2, "greater than or equal to 1"),
        (["history"], 2, "name a GPU or a size"),
        (
            ["history", "--instance-type", "p5.49xlarge"],
            1,
            "unknown instance type 'p5.49xlarge'; did you mean p5.4xlarge or p5.48xlarge",
        ),
        (["changes", "--since", "yesterday"], 2, "'yesterday' is no day"),
        (["changes", "--since", "2025-06-01", "--kind", "rise"], 1, "unknown kind of change 'rise'"),
        (["rejects", "--source", "aws"], 1, "unknown source 'aws': it is one of aws_price_list"),
        (["fnd"], 2, "No such command 'fnd'. Did you mean 'find'?"),
        (["find", "--gpus", "H100"], 2, "No such option: --gpus"),
        (["sandbox", "--aws-date", "2025-06-06"], 1, "unknown day of aws '2025-06-06': it is one of"),
        (["sql", "SELEC 1"], 1, 'syntax error at or near "SELEC"'),
        (["sql", "SELECT * FROM price"], 1, "Table with name price does not exist"),
        (["sql", "COPY prices TO 'prices.csv'"], 1, "file system operations are disabled"),
        (["sql", "FROM read_csv('/etc/passwd')"], 1, "file system operations are disabled"),
        (["sql", "DROP TABLE prices"], 1, "read-only"),
        (["sql", "SET memory_limit = '90GB'"], 1, "the configuration has been locked"),
    ],
)
def test_a_wrong_question_gets_one_line(home: Path, words: list[str], status: int, said: str) -> None:
    """Status 2 where the words are wrong, 1 where the answer can't be had; never a traceback."""
    result = ask(home, *words)

    assert result.exit_code == status
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1 and result.stderr.startswith("gpu-prices: ")
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["status", "find --gpu H100", "sql 'SELECT 1'"])
def test_before_the_first_publication(tmp_path: Path, command: str) -> None:
    """It says what to do first."""
    import shlex

    result = ask(tmp_path / "new", *shlex.split(command))

    assert result.exit_code == 1
    said = f"nothing has been published in {tmp_path / 'new'} yet: run `gpu-prices refresh` first"
    assert result.stderr == f"gpu-prices: {said}\n"


def test_a_damaged_publication_is_named(home: Path, tmp_path: Path) -> None:
    """A cut file, or one that is none: which, and how to get it back."""
    folder = tmp_path / "releases" / "1"
    folder.mkdir(parents=True)
    (tmp_path / "published").symlink_to(folder)
    for content in (b"no database", (home / "published" / "gpu_prices.duckdb").read_bytes()[:20_000]):
        (folder / "gpu_prices.duckdb").write_bytes(content)
        result = ask(tmp_path, "status")

        assert result.exit_code == 1
        assert str(folder) in result.stderr and "gpu-prices publish" in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_a_damaged_warehouse_is_named(tmp_path: Path) -> None:
    """And how to build it anew."""
    (tmp_path / "warehouse.duckdb").write_bytes(b"no database" * 1000)
    result = ask(tmp_path, "publish")

    assert result.exit_code == 1
    assert "warehouse.duckdb is not a DuckDB file or is damaged" in result.stderr
    assert "gpu-prices replay" in result.stderr


def test_a_warehouse_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """A newer gpu-prices may mean other things by its columns."""
    with open_warehouse(tmp_path / "warehouse.duckdb") as connection:
        connection.execute("UPDATE warehouse_state SET schema_version = 99").fetchall()
    result = ask(tmp_path, "publish")

    assert result.exit_code == 1
    assert "written by a newer gpu-prices" in result.stderr


def test_a_warehouse_in_use_names_its_user(tmp_path: Path) -> None:
    """Replay, publish and accept wait for nobody: they say who writes."""
    fetch_all(april_2025(), settings_at(tmp_path, APRIL))
    with writer_lock(tmp_path, "gpu-prices refresh"):
        for words in (["publish"], ["replay"], ["accept", "aws_price_list", "us-east-1"]):
            result = ask(tmp_path, *words)

            assert result.exit_code == 1
            assert f"in use by gpu-prices refresh (process {os.getpid()})" in result.stderr


def test_an_unreadable_landing_file_is_named(home: Path, tmp_path: Path) -> None:
    """A manifest that is no JSON stops a replay, by name."""
    shutil.copytree(home / "landing", tmp_path / "landing")
    manifest = next((tmp_path / "landing" / "aws_price_list" / "us-east-1").glob("*.json"))
    manifest.write_text("{")
    result = ask(tmp_path, "replay")

    assert result.exit_code == 1
    assert manifest.name in result.stderr


def test_replay_publish_and_status_in_turn(home: Path, tmp_path: Path) -> None:
    """From landing files alone to an answer: 6 fetches of 3 scopes."""
    shutil.copytree(home / "landing", tmp_path / "landing")

    assert "6 fetches of 3 scopes replayed" in ask(tmp_path, "replay").stdout
    assert f"published {tmp_path / 'releases'}" in ask(tmp_path, "publish").stdout
    assert ask(tmp_path, "find", "--gpu", "H100").stdout == ask(home, "find", "--gpu", "H100").stdout


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/data/x"), "/data/x: the disk is full: make room"),
        (OSError(errno.EROFS, "Read-only file system", "/data"), "/data: the disk is read-only"),
        (OSError(errno.EACCES, "Permission denied", "/root/data"), "/root/data: permission denied"),
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
        (RuntimeError("IO Error: could not write\nNo space left on device"), "the disk is full"),
        (RuntimeError("one\n  two"), "one two"),
    ],
)
def test_the_systems_errors_in_words(error: Exception, said: str) -> None:
    """What is wrong, where, and what to do; one line whatever the error says."""
    assert in_one_line(error).startswith(said)


def test_a_home_that_is_a_file(tmp_path: Path) -> None:
    """The system's own error, in one line."""
    (tmp_path / "file").touch()
    result = ask(tmp_path / "file", "publish")

    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1 and "file" in result.stderr


def test_our_own_mistake_is_one_line_too(capsys: pytest.CaptureFixture[str]) -> None:
    """It says that it is ours, and how to see where."""
    without_traceback(KeyError, KeyError("price"), None)

    assert capsys.readouterr().err == (
        "gpu-prices: a mistake in gpu-prices itself: KeyError: 'price'; "
        "set GPU_PRICES_TRACEBACK=1 and run it again to see where\n"
    )


def test_a_refresh_with_failures_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Five by name, the rest by number; without any publication the first reason is told."""
    failed = {f"aws_price_list region-{number}": "no answer" for number in range(7)}

    with pytest.raises(Unfinished, match="nothing was fetched, so there is nothing to publish: no answer"):
        updating.tell(Outcome(failed=failed))
    assert updating.named(sorted(failed)).endswith("aws_price_list region-4 and 2 more")
    assert "fetched   0 scopes" in capsys.readouterr().out


def test_a_walk_says_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each region; nothing found says so; one that failed gives its reason."""
    landing = Landing(tmp_path)
    records = [{"a": 1}, {"a": 2}]
    found = landing.write(
        source="azure_retail_prices", scope="atlantis1/USD", status="partial", observed_at=JUNE, records=records
    )
    updating.tell_found(Outcome(found=[found]))
    assert capsys.readouterr().out == (
        "found     azure_retail_prices atlantis1/USD: 2 records; refresh asks it by itself from now on\n"
    )

    updating.tell_found(Outcome())
    assert capsys.readouterr().out == "found     nothing: every region that sells GPUs is one we ask\n"

    with pytest.raises(Unfinished, match="azure_retail_prices everywhere: no answer"):
        updating.tell_found(Outcome(failed={"azure_retail_prices everywhere": "no answer"}))
    assert capsys.readouterr().out == ""


def test_the_version_is_said() -> None:
    """--version, without a command."""
    result = CliRunner().invoke(app, ["--version"])

    assert result.exit_code == 0
    assert result.stdout.startswith("gpu-prices ")


def test_a_reader_that_has_enough_is_no_error(home: Path) -> None:
    """`gpu-prices sql ... | head -1`: no complaint, and the status a shell gives a broken pipe."""
    words = ["--home", str(home), "sql", "SELECT range FROM range(100000)", "--limit", "100000"]
    process = subprocess.Popen([*ASK, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == b"range\n"
    process.stdout.close()
    said = process.stderr.read().decode()
    process.stderr.close()

    assert process.wait() == 141
    assert "rror" not in said


def test_ctrl_c_ends_a_long_query(home: Path) -> None:
    """With a word, and the status a shell gives an interrupt."""
    query = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE (a.range * b.range) % 7 = 3"
    process = subprocess.Popen(
        [*ASK, "--home", str(home), "sql", query], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
    finally:
        process.kill()

    assert (process.returncode, out) == (130, "")
    assert said == "gpu-prices: interrupted\n"


def test_the_tiny_home_is_of_june(home: Path) -> None:
    """What the answers above count on."""
    assert JUNE.strftime("%Y-%m-%d") in ask(home, "status").stderr
