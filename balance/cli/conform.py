"""balance conform: what must be true of a game before its numbers mean anything, checked by playing it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli import streams
from balance.cli.lines import wrapped
from balance.cli.options import Format, form_of
from balance.cli.playing import said_if_stopped
from balance.cli.usage import whole

if TYPE_CHECKING:
    from balance.conformance import Examined
    from balance.game import Game

_GAMES, _MOST_GAMES = 500, 100_000
_FAILED = 1


def conform(
    game: Annotated[
        str, typer.Argument(metavar="MODULE:GAME", help="A game in a module of yours, or an installed one.")
    ],
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            parser=whole("--games", 1, _MOST_GAMES),
            help="Compiled games for each number of players.",
        ),
    ] = _GAMES,
    form: Annotated[Format, form_of("What is printed.")] = Format.TEXT,
) -> None:
    """Check a game of your own, by playing it.

    First what it declares, then every decision of watched games, then compiled games against these.
    """
    with said_if_stopped("Stopped before all was checked; that says nothing of the game."):
        from balance import registry
        from balance.conformance import examine

        found = registry.load(game)
        streams.say(f"checking {game}; this takes some seconds ...\n")
        examined = examine(found, games)
    if form is Format.JSON:
        sys.stdout.write(json.dumps(_facts(found, examined, games), indent=2, sort_keys=True) + "\n")
    else:
        sys.stdout.write("".join(_filled(*line) for line in _lines(found, examined, games)))
    if examined.violations:
        sys.stdout.flush()
        raise typer.Exit(_FAILED)


def _lines(game: Game, examined: Examined, games: int) -> list[tuple[str, str]]:
    from balance.conformance.advice import ADVICE

    lines = [(done, "") for done in _checked(game, examined, games)]
    for rule in dict.fromkeys(violation.rule for violation in examined.violations):
        sentences = [violation.sentence for violation in examined.violations if violation.rule == rule]
        lines += [(f"{rule}: {sentence}", "- ") for sentence in sentences] + [(ADVICE[rule], "  ")]
    n = len(examined.violations)
    verdict = f"{n} thing{'s are' if n > 1 else ' is'} wrong with it." if n else "Nothing is wrong with it."
    return [*lines, (f"{game.title}: {verdict}", "")]


def _checked(game: Game, examined: Examined, games: int) -> list[str]:
    """What was looked at, and how far the check came."""
    done = ["Checked what the game declares: names, texts, bounds, parameters, kernels."]
    if examined.watched:
        done.append(
            f"Watched {examined.watched} game{'s' if examined.watched > 1 else ''} in plain Python, decision by "
            "decision, by the official rules and with each parameter at its extremes."
        )
    if examined.compiled:
        tables = len(game.all_sizes)
        counts = f"number{'s' if tables > 1 else ''} of players{' and modes' if game.modes else ''}"
        done.append(
            f"Played at least {games:,} compiled games for each of {tables} {counts}, and each parameter moved."
        )
    else:
        done.append("Did not go further: what is wrong here comes first.")
    return done


def _facts(game: Game, examined: Examined, games: int) -> dict[str, object]:
    from balance.conformance.advice import ADVICE

    violations = [
        {"rule": one.rule, "sentence": one.sentence, "advice": ADVICE[one.rule]}
        for one in examined.violations
    ]
    return {
        "game": game.id,
        "title": game.title,
        "watched_games": examined.watched,
        "compiled_games": games * len(game.all_sizes) if examined.compiled else 0,
        "checked": _checked(game, examined, games),
        "conforms": not violations,
        "violations": violations,
    }


def _filled(text: str, indent: str) -> str:
    return "\n".join(wrapped(text, indent, " " * len(indent))) + "\n"
