"""The games that come with the tool are played as they were: a change needs a new digest and says so."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from balance import registry
from balance.engine.playing import Loop
from balance.experiment.proof import digest_of_game
from balance.game import Game


def in_tree() -> list[Game]:
    games = [registry.load(name) for name in registry.names()]
    return [game for game in games if game.Params.__module__.startswith("balance.games.")]


@pytest.mark.compiler
@pytest.mark.parametrize("game", in_tree(), ids=lambda game: game.id)
def test_its_games_are_those_that_it_declares(game: Game) -> None:
    loop = Loop(game, game.policies, game.Params.resolve(game.players[0]))
    loop.compile()
    assert digest_of_game(game, loop) == game.games_digest, "see the version history in its RULES.md"


@pytest.mark.parametrize("game", in_tree(), ids=lambda game: game.id)
def test_the_version_history_names_the_digest(game: Game) -> None:
    package = importlib.import_module(game.Params.__module__.rpartition(".")[0])
    page = (Path(package.__file__ or "").parent / "RULES.md").read_text(encoding="utf-8")
    versions = re.findall(r"^- \*\*(\d+)\*\*[^`]*digest `([0-9a-f]{12})`", page, re.MULTILINE)
    assert versions[-1] == (str(game.rules_version), game.games_digest[:12])
