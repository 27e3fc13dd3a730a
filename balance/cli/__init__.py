"""The command line: the only place that prints and exits. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from balance import __version__
from balance.cli import bench, games, init, replay, report, run
from balance.errors import BalanceError

app = typer.Typer(
    name="balance",
    help="Tells board-game designers whether a rule change helps or hurts, by playing millions of games.",
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_COMMANDS: dict[str, Callable[..., None]] = {
    "run": run.run,
    "report": report.report,
    "replay": replay.replay,
    "games": games.games,
    "rules": games.rules,
    "init": init.init,
    "schema": init.schema,
    "bench": bench.bench,
}
for _name, _command in _COMMANDS.items():
    app.command(_name)(_command)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"balance {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Nothing but `--version`."""


def main() -> None:
    """Run the command line and leave with its exit code (0 done, 2 wrong input, 4 internal, 130 interrupted)."""
    _speak_utf8()
    try:
        app()
    except BalanceError as error:
        _complain(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output has gone, as in `balance games | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if os.environ.get("BALANCE_DEBUG"):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())
        print(f"error: This should not have happened ({what}).", file=sys.stderr)
        print("  Set BALANCE_DEBUG=1 and run it again to see where.", file=sys.stderr)
        sys.exit(4)


def _speak_utf8() -> None:
    """Names have accents; a terminal or pipe that cannot show one gets an escape, never a crash."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _complain(error: BalanceError) -> None:
    lines = error.message.splitlines()
    print("\n".join(f"error: {line}" for line in lines), file=sys.stderr)
    for line in error.hint.splitlines():
        print(f"  {line}", file=sys.stderr)
