"""balance bench: how fast a game is played here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli import usage
from balance.cli.options import Format, Sets, form_of
from balance.cli.tables import filled, table
from balance.errors import EnvironmentFault, so_many_players

if TYPE_CHECKING:
    from balance.game import Game, GameParams

_YARDSTICK = 5.0
"""Nanoseconds of one dependent draw on the machine that speeds are quoted for."""
_MILLION = "1000000"


def bench(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game (see `balance games`).")] = "animalia",
    players: Annotated[
        int,
        typer.Option(
            "--players", metavar="N", parser=usage.whole("--players", 1), help="The number of players."
        ),
    ] = 4,
    mode: Annotated[
        str | None, typer.Option("--mode", metavar="M", help="The mode; the usual one if left out.")
    ] = None,
    sets: Sets = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            metavar="S",
            parser=usage.number("--seconds", 0.1, 60),
            help="How long to measure each line-up.",
        ),
    ] = 3.0,
    whole: Annotated[
        bool,
        typer.Option(
            "--whole", help="Also measure whole commands: help, from start to first game, a million games."
        ),
    ] = False,
    form: Annotated[Format, form_of("What is printed.")] = Format.TEXT,
) -> None:
    """Measure games per second of one core. A yardstick taken in the same process stands beside it."""
    from balance import registry
    from balance.experiment.config import cells, from_game, with_overrides
    from balance.experiment.settings import parse_sets

    found = registry.load(game)
    changed = parse_sets(sets or [])
    if mode is None:
        rules = found.resolve((players, found.usual_mode(players)), changed)
    else:
        experiment = with_overrides(from_game(game), rules=changed, players=[players], modes=[mode])
        rules = cells(experiment, found)[0].rules
    facts: dict[str, Any] = {"game": found.id, "players": players, "speeds": _speeds(found, rules, seconds)}
    if whole:
        facts["commands"] = _commands(found.id, players)
    sys.stdout.write(
        json.dumps(facts, indent=2, sort_keys=True) + "\n" if form is Format.JSON else _text(facts)
    )


def _speeds(game: Game, rules: GameParams, seconds: float) -> list[dict[str, Any]]:
    from balance.engine.benchmark import speed_of

    kernels = {policy.choose: policy for policy in reversed(game.policies)}  # who shares a kernel is as fast
    lineups = [(policy,) * rules.players for policy in reversed(kernels.values())]
    return [
        {
            "policy": speed.policies[0],
            "games_per_second": round(speed.games_per_second),
            "draw_ns": round(speed.draw_nanoseconds, 2),
            "games_per_second_at_5_ns": round(speed.games_per_second * speed.draw_nanoseconds / _YARDSTICK),
            "two_threads": round(speed.two_threads, 2),
        }
        for speed in speed_of(game, rules, lineups, seconds)
    ]


def _commands(game: str, players: int) -> dict[str, float]:
    """Wall seconds of whole commands, each in a process of its own; and the largest memory of the last."""
    with tempfile.TemporaryDirectory() as place:
        one = ["run", game, "--players", str(players), "--games", "1", "--no-rows"]
        cold = {**os.environ, "BALANCE_CACHE_DIR": str(Path(place) / "cold")}
        found = {
            "help": _wall(["--help"]),
            "first_game_cold": _until_played([*one, "--out", f"{place}/cold-run"], cold),
            "first_game_warm": _until_played([*one, "--out", f"{place}/warm-run"], cold),
            "one_game_with_report": _wall([*one, "--out", f"{place}/whole-run"], cold),
            "million_games_with_report": _wall(
                ["run", game, "--players", str(players), "--games", _MILLION, "--out", f"{place}/million"]
            ),
        }
    return found | {"largest_memory_mb": _largest_memory()}


def _wall(arguments: list[str], environment: dict[str, str] | None = None) -> float:
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "balance", *arguments], env=environment, capture_output=True, check=False
    )
    _refuse_failure(arguments, done.returncode)
    return round(time.perf_counter() - started, 3)


def _until_played(arguments: list[str], environment: dict[str, str]) -> float:
    """Wall seconds from the start of a run of one game until it says that the game is played."""
    started, seconds = time.perf_counter(), float("nan")
    child = subprocess.Popen(
        [sys.executable, "-m", "balance", *arguments],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    with child:
        for line in child.stderr or ():
            if line.startswith("1 of 1 games"):
                seconds = round(time.perf_counter() - started, 3)
    _refuse_failure(arguments, child.returncode)
    return seconds


def _refuse_failure(arguments: list[str], code: int) -> None:
    if code:
        raise EnvironmentFault(f"balance {' '.join(arguments)} ended with code {code}.")


def _largest_memory() -> float:
    """Of the commands measured so far, in MB; NaN where the system does not say."""
    try:
        import resource
    except ImportError:
        return float("nan")
    return round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 1)


def _text(facts: dict[str, Any]) -> str:
    rows = [["policy", "games/s", "one draw", "at 5 ns", "2 threads"]]
    for speed in facts["speeds"]:
        at_5_ns = speed["games_per_second_at_5_ns"]
        numbers = [f"{speed['games_per_second']:,}", f"{speed['draw_ns']} ns", f"{at_5_ns:,}"]
        rows.append([speed["policy"], *numbers, f"{speed['two_threads']} x"])
    legend = (
        "one draw: a dependent draw, the yardstick; at 5 ns: what the speed would be where it takes 5 ns."
    )
    lines = [
        f"{facts['game']}, {so_many_players([facts['players']])}, one core",
        "",
        *table(rows),
        "",
        *filled(legend),
    ]
    for name, value in facts.get("commands", {}).items():
        unit = "MB" if name.endswith("mb") else "s"
        lines.append(f"{name.replace('_', ' ').removesuffix(' mb')}: {value} {unit}")
    return "\n".join(lines) + "\n"
