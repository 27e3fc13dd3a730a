"""balance init and balance schema: a file to start from, and what editors need to check it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from balance.cli.options import CONFIGS
from balance.cli.streams import say
from balance.errors import BalanceError, EnvironmentFault

_ELSEWHERE = "Give another folder: balance init GAME DIR."


def init(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game (see `balance games`).")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put the file.")] = CONFIGS,
    player: Annotated[
        bool, typer.Option("--player", help="Write a policy file instead: a type of player of your own.")
    ] = False,
) -> None:
    """Write an experiment file for a game, with every rule explained."""
    from balance import registry
    from balance.experiment.files import write_whole
    from balance.experiment.template import experiment_text, player_text

    found = registry.load(game)
    path = folder / (f"my-{found.id}-player.toml" if player else f"my-{found.id}.toml")
    text = player_text(found, game, path.name) if player else experiment_text(found, game)
    try:
        if path.exists():
            raise BalanceError(f"{path} is already there; nothing was changed.", _ELSEWHERE)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode("utf-8"))
    except OSError as error:
        raise BalanceError(f"The folder {folder} cannot be used: {error.strerror}.", _ELSEWHERE) from error
    except EnvironmentFault as fault:
        raise BalanceError(fault.message, _ELSEWHERE) from fault
    sys.stdout.write(f"{path}\n")
    then = ["balance", "players", game, str(path)] if player else ["balance", "run", str(path)]
    say(f"Change it, then: {shlex.join(then)}\n")


def schema() -> None:
    """Print the JSON Schema of experiment files, for editors."""
    from balance.experiment.schema import experiment_schema

    sys.stdout.write(json.dumps(experiment_schema(), indent=2, sort_keys=True) + "\n")
