"""The command line: what it takes, and how it ends. The commands are in the modules that are imported here below.

Nothing heavy is imported before a command needs it: Prefect alone takes two seconds, DuckDB a fifth of one.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from flows import demo, oversight, planning, questions, updating, upkeep
from flows.faults import (
    BROKEN_PIPE,
    INTERRUPTED,
    expected,
    in_one_line,
    silence_output,
    without_traceback,
)
from flows.settings import code_version, read_settings


class OneLineErrors(TyperGroup):
    """Commands that end with one line on stderr when they fail: status 1, or 2 where the question was wrong."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run a command and leave the process."""
        options["standalone_mode"] = False
        if args is None:
            args = sys.argv[1:]
            sys.excepthook = without_traceback
        try:
            status = super().main(args or ["--help"], *rest, **options)
        except typer.TyperException as error:
            context = getattr(error, "ctx", None)
            say(error.format_message() + (f" See {context.command_path} --help" if context else ""))
            sys.exit(error.exit_code)
        if status == INTERRUPTED:
            say("interrupted")
        sys.exit(status or 0)

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]  # the base names click's Context, ours is typer's
        """Run the command named on the line."""
        try:
            super().invoke(ctx)
            sys.stdout.flush()
        except (typer.Exit, typer.TyperException, KeyboardInterrupt):
            raise  # before the next line: to name the errors it expects, it imports what raises them
        except BrokenPipeError:
            silence_output()
            raise typer.Exit(BROKEN_PIPE) from None
        except expected() as error:
            say(in_one_line(error))
            raise typer.Exit(1) from error


def say(line: str) -> None:
    """One line on stderr."""
    sys.stderr.write(f"gpu-prices: {line}\n")


app = typer.Typer(
    cls=OneLineErrors,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(asked: bool) -> None:
    """Print the version and leave."""
    if asked:
        sys.stdout.write(f"gpu-prices {code_version()}\n")
        raise typer.Exit


@app.callback()
def gpu_prices(
    context: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(
            help="Folder of everything that is kept. Default: GPU_PRICES_HOME, else data.", show_default=False
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """What a GPU hour costs on AWS and Azure: every region, every way of buying, today and on any past day."""
    context.obj = read_settings(home)
    if context.obj.show_traceback:
        sys.excepthook = sys.__excepthook__


for panel, commands in {
    "Ask": {**questions.COMMANDS, **planning.COMMANDS, **oversight.COMMANDS},
    "Bring in": updating.COMMANDS,
    "Look after": upkeep.COMMANDS,
    "Try without a network": demo.COMMANDS,
}.items():
    for command, example in commands.items():
        app.command(epilog=f"Example: {example}", rich_help_panel=panel)(command)
