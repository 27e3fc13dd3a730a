"""What `balance replay` writes down, the referee finds right to the last field: any players, any rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cli.commands import in_process
from naive.zooloretto import check_trace

from balance.games.zooloretto import GAME

from .zoo import PLAYERS
from .zoo_rule_sets import Overrides, rule_sets

POLICIES = [policy.id for policy in GAME.policies]
ODD = rule_sets()[::12]


def replayed(
    patch: pytest.MonkeyPatch, players: int, games: int, policies: str, rules: Overrides
) -> list[str]:
    """The lines of so many games."""
    asked = ["--players", str(players), "--games", f"0:{games}", "--seed", "1", "--policies", policies]
    for name, value in rules.items():
        asked += ["--set", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    ended = in_process(patch, "replay", "balance.games.zooloretto:GAME", *asked, "--format", "jsonl")
    assert ended.code == 0, ended.err
    return ended.out.splitlines()


def played(lines: list[str]) -> list[dict[str, Any]]:
    """The first line of each game."""
    return [event for event in map(json.loads, lines) if event["event"] == "game"]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_referee_has_no_complaints(monkeypatch: pytest.MonkeyPatch, players: int) -> None:
    for policies in [*POLICIES, "greedy,random"]:
        games = players if "," in policies else 2
        lines = replayed(monkeypatch, players, games, policies, {})
        assert check_trace(lines) == []
        assert [game["index"] for game in played(lines)] == list(range(games))


@pytest.mark.parametrize("at", range(len(ODD)))
def test_nor_has_it_under_odd_rules(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    players, rules = ODD[at]
    lines = replayed(monkeypatch, players, 3, "random", rules)
    assert check_trace(lines) == []
    told = played(lines)
    assert [game["players"] for game in told] == [players] * 3
    assert all(game["rules"][name] == value for game in told for name, value in rules.items() if value != [])


def test_a_wrong_number_is_complained_of(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = replayed(monkeypatch, 4, 2, "random", {})
    at = max(number for number, line in enumerate(lines) if '"round_end"' in line)
    event = json.loads(lines[at])
    lines[at] = json.dumps({**event, "bank": event["bank"] + 1})
    [complaint] = check_trace(lines)
    assert complaint.startswith(f"game 1, line {at + 1}: field bank is {event['bank'] + 1}")
