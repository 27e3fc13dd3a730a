"""The command line: the only place that prints and exits. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from balance import __version__
from balance.cli import (
    baseline,
    bench,
    check,
    compare,
    conform,
    deck,
    doctor,
    find,
    games,
    init,
    plan,
    players,
    replay,
    report,
    run,
    selftest,
    streams,
    sweep,
)
from balance.cli.usage import wrong_usage
from balance.errors import BalanceError, EnvironmentFault, one_line
from balance.interrupts import CODES

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
    "check": check.check,
    "baseline": baseline.baseline,
    "compare": compare.compare,
    "sweep": sweep.sweep,
    "plan": plan.plan,
    "report": report.report,
    "replay": replay.replay,
    "find": find.find,
    "games": games.games,
    "players": players.players,
    "rules": games.rules,
    "init": init.init,
    "schema": init.schema,
    "conform": conform.conform,
    "selftest": selftest.selftest,
    "bench": bench.bench,
    "doctor": doctor.doctor,
}
for _name, _command in _COMMANDS.items():
    app.command(_name)(_command)
app.add_typer(deck.app, name="deck")


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
    """Run the command line and leave with its exit code: 0 done, 2 wrong input, 4 internal, 130 interrupted."""
    streams.prepare()
    if "" not in sys.path:
        sys.path.append("")  # a game in a module of one's own, module:GAME, lies in the current folder
    sys.exit(_exit_code())


def _exit_code() -> int:
    try:
        code = app(prog_name="balance", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except typer.TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            streams.say(f"{error.format_message()}\n")
            return BalanceError.exit_code
        return _complain(wrong_usage(error))
    except BalanceError as error:
        return _complain(error)
    except OSError as error:
        if os.environ.get("BALANCE_DEBUG"):
            raise
        return _machine_failed(error)
    except SystemExit as leaving:
        if leaving.code == 1:  # so typer answers a reader who has gone
            return 0
        if leaving.code in CODES.values():
            streams.say("Stopped.\n")
        raise
    except Exception as error:
        if os.environ.get("BALANCE_DEBUG"):
            raise
        streams.say(f"error: This should not have happened ({one_line(error)}).\n")
        streams.say("  Set BALANCE_DEBUG=1 and run it again to see where.\n")
        return EnvironmentFault.exit_code


def _machine_failed(error: OSError) -> int:
    """A file that cannot be used has a sentence of its own where it may happen; what is left is our output."""
    streams.silence(sys.stdout)
    if isinstance(error, BrokenPipeError):  # the reader of our output has gone, as in `balance games | head`
        return 0
    where = f"{error.filename} cannot be used" if error.filename else "The output could not be written"
    return _complain(EnvironmentFault(f"{where}: {error.strerror or error}."))


def _complain(error: BalanceError) -> int:
    lines = [f"error: {line}" for line in error.message.splitlines()]
    lines += [f"  {line}" for line in error.hint.splitlines()]
    streams.say("\n".join(lines) + "\n")
    return error.exit_code
