"""Replays are the games of the compiled loop; logs stay as they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from balance.engine.playing import Buffers, Table, columns
from balance.experiment.replay import Replayer, replay
from balance.games.kennelmester import GAME
from balance.games.kennelmester.params import KennelmesterParams
from balance.narration import WIDTH

from . import kennels
from .kennel_jobs import BREEDING, CORNERS, TABLES, corner
from .kennels import RANDOM

TRANSCRIPTS = Path(__file__).parent / "transcripts"

# ---------------------------------------------------------------- the same games as the compiled loop's


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def test_replays_have_the_rows_of_the_loop(table: tuple[str, int]) -> None:
    players = table[1]
    for at in (TABLES.index(table), len(CORNERS) - TABLES.index(table) - 1):
        params, slots, seed = corner(at, table).params(), [RANDOM] * players, 2**63 + at
        games, rotations = 2 * players, players
        loop, cell = kennels.loop(), Table(GAME, params, tuple(slots), rotations)
        rows = loop.play(cell, seed, 0, games, Buffers(GAME), loop.new_sums())
        replayer = Replayer(GAME, params, slots, rotations)
        for number in range(games):
            row = dict(zip(columns(GAME, players), rows[:, number].tolist(), strict=True))
            assert replayer.play(seed, number).row == row


# ---------------------------------------------------------------- golden transcripts

GOLDEN: dict[str, tuple[str, int, dict[str, Any], int]] = {
    "solo": ("solo", 1, {"start_coins": 20, "start_dogs": 2}, 1),
    "two-players": ("competitive", 2, {"round_cap": 6}, 2),
    "breeding": ("competitive", 3, {**BREEDING, "base_dice": 3, "round_cap": 5}, 3),
    "pairs": ("team", 4, {"start_dogs": 3, "upkeep_divisor": 2, "upkeep_fee": 4, "round_cap": 4}, 4),
    "at-once": ("competitive", 4, {"end_check": "immediate", "reputation_target": 2, "start_dogs": 2}, 5),
}


def told(case: str) -> str:
    mode, players, changes, seed = GOLDEN[case]
    params = KennelmesterParams.resolve(players, changes, mode)
    return "\n".join(GAME.narrate(replay(GAME, params, [RANDOM] * players, 1, seed, 7).events)) + "\n"


@pytest.mark.parametrize("case", GOLDEN)
def test_golden_transcripts(case: str, request: pytest.FixtureRequest) -> None:
    path, text = TRANSCRIPTS / f"kennelmester-{case}.txt", told(case)
    if request.config.getoption("--update-transcripts"):
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize("case", GOLDEN)
def test_logs_fit_and_quote_rules(case: str) -> None:
    text = told(case)
    assert max(map(len, text.splitlines())) <= WIDTH
    ids = set(re.findall(r"\b[KAB]-\d+", text))
    assert len(ids) >= 8
    assert ids <= {
        *(f"K-{n}" for n in range(1, 99)),
        *(f"A-{n}" for n in range(1, 82)),
        *(f"B-{n}" for n in range(1, 6)),
    }
