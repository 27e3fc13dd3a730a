from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from balance import registry
from balance.errors import BalanceError, nearest
from balance.game import Game

from .fake_games import MARKET, SOLO

GAMES = {"market": MARKET, "solo": SOLO, "my.games:SOLO": SOLO}


@pytest.fixture(autouse=True)
def fake_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only games there are."""

    def load(name: str) -> Game:
        if name not in GAMES:
            raise BalanceError(
                f'There is no game "{name}".{nearest(name, GAMES)}', "Installed games: market, solo."
            )
        return GAMES[name]

    monkeypatch.setattr(registry, "load", load)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str | bytes], str]:
    """Writes a file into an empty folder, which becomes the current one; returns the file's name there."""
    monkeypatch.chdir(tmp_path)

    def write_file(content: str | bytes, name: str = "e.toml") -> str:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write_file
