"""Games per second, beside a yardstick, written to a file; no speed is asserted, as machines differ."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict

import pytest

from balance import registry
from balance.engine.benchmark import speed_of

SECONDS = 2.0


@pytest.mark.bench
@pytest.mark.parametrize("name", registry.names())
def test_speed(name: str, pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]) -> None:
    game = registry.load(name)
    found = []
    for players in game.players:
        lineups = [(policy,) * players for policy in game.policies]
        speeds = speed_of(game, game.Params.resolve(players), lineups, SECONDS)
        found += [{"players": players, **asdict(speed)} for speed in speeds]
    facts = {
        "game": name,
        "machine": platform.machine(),
        "python": platform.python_version(),
        "speeds": found,
    }
    file = pytestconfig.rootpath / ".pytest_cache" / "bench" / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(facts, indent=2) + "\n", "utf-8")
    with capsys.disabled():
        print(f"\nspeeds of {name}: {file}")
    assert all(speed["games_per_second"] > 0 and speed["draw_nanoseconds"] > 0 for speed in found)
