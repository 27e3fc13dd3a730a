"""The deck of an experiment: read once from the folder that is named, and kept with the experiment from then on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from balance.errors import BalanceError
from balance.experiment.models import Experiment
from balance.game import Game


def read_deck(game: Game, folder: Path) -> Any:
    """The deck in a folder; BalanceError, perhaps with several sentences, one a line, where there is none."""
    if not game.has_deck or game.read_deck is None:
        raise BalanceError(f"{game.title} has no deck to be chosen.")
    if not folder.is_dir():
        what = "is a file, not a folder" if folder.exists() else "is not there"
        raise BalanceError(f"The folder of the deck, {folder}, {what}.")
    return game.read_deck(folder)


def deck_of(experiment: Experiment, game: Game) -> Any:
    """The deck that an experiment is played with: the one that was read for it, or the game's own."""
    return game.own_deck if experiment.cards is None else game.deck_of(experiment.cards)


def cards_of(game: Game, deck: Any) -> Any:
    """A deck as the data that an experiment keeps; None where there is none."""
    return game.deck_data(deck) if game.has_deck else None
