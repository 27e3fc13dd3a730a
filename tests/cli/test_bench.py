"""`balance bench`: speeds beside the yardstick, and the seconds of whole commands."""

from __future__ import annotations

import json
import os

import pytest

from balance.cli import bench
from balance.errors import EnvironmentFault

from .commands import in_process


def test_whole_commands_are_timed_from_their_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_MILLION", "1000")
    done = in_process(
        monkeypatch, "bench", "pig", "--players", "2", "--seconds", "0.1", "--whole", "--format", "json"
    )
    facts = json.loads(done.out)
    times = facts["commands"]
    assert done.code == 0
    assert 0 < times["help"] < times["first_game_warm"] < times["one_game_with_report"]
    assert times["first_game_warm"] < times["first_game_cold"]
    assert times["million_games_with_report"] > 0
    assert times["largest_memory_mb"] > 0
    assert [speed["policy"] for speed in facts["speeds"]] == ["hold-at-20", "random"]


def test_a_command_that_fails_is_no_measurement() -> None:
    with pytest.raises(EnvironmentFault, match=r"balance run no-such-game ended with code 2\."):
        bench._until_played(["run", "no-such-game"], dict(os.environ))
