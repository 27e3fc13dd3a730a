"""balance init and balance schema: a file to start from, and what editors need to check it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from balance.cli.options import CONFIGS
from balance.errors import BalanceError


def init(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game (see `balance games`).")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put the file.")] = CONFIGS,
) -> None:
    """Write an experiment file for a game, with every rule explained."""
    from balance import registry
    from balance.experiment.files import write_whole
    from balance.experiment.template import experiment_text

    found = registry.load(game)
    path = folder / f"my-{found.id}.toml"
    if path.exists():
        raise BalanceError(
            f"{path} is already there; nothing was changed.", "Give another folder, or rename the file."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BalanceError(f"The folder {folder} cannot be used: {error.strerror}.") from error
    write_whole(path, experiment_text(found, game).encode("utf-8"))
    sys.stdout.write(f"{path}\n")
    print(f"Change it, then: balance run {path}", file=sys.stderr)


def schema() -> None:
    """Print the JSON Schema of experiment files, for editors."""
    from balance.experiment.schema import experiment_schema

    sys.stdout.write(json.dumps(experiment_schema(), indent=2, sort_keys=True) + "\n")
