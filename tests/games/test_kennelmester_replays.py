"""What `balance replay` writes down, the referee finds right to the last field: any table, any rules, any deck."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cli.commands import in_process
from naive.kennelmester import check_trace

from balance.games.kennelmester.params import BARGAIN

from .kennel_altered import PLACEHOLDER, decks_of, folder_of
from .kennel_jobs import LONG, TABLES, Job, rule_sets

ODD = [job for job in rule_sets()[::8] if job.games > LONG]


def replayed(patch: pytest.MonkeyPatch, job: Job) -> list[str]:
    """The lines of the games of a job, all players at random."""
    asked = ["--players", str(job.players), "--mode", job.mode, "--games", f"0:{job.games}", "--seed", "3"]
    for name, value in job.overrides.items():
        asked += ["--set", f"{name}={json.dumps(value)}"]
    if job.deck != PLACEHOLDER:
        asked += ["--deck", str(folder_of(job.deck))]
    ended = in_process(patch, "replay", "kennelmester", *asked, "--policies", "random", "--format", "jsonl")
    assert ended.code == 0, ended.err
    return ended.out.splitlines()


def headers(lines: list[str]) -> list[dict[str, Any]]:
    """The first line of each game."""
    return [event for event in map(json.loads, lines) if event["event"] == "game"]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def test_the_referee_has_no_complaints(monkeypatch: pytest.MonkeyPatch, table: tuple[str, int]) -> None:
    off_book = {"off_book_players": True} if table[0] == "competitive" and table[1] > 4 else {}
    lines = replayed(monkeypatch, Job(*table, off_book, games=2))
    assert check_trace(lines) == []
    told = headers(lines)
    assert [(game["mode"], game["n_players"], game["game_index"]) for game in told] == [
        (*table, 0),
        (*table, 1),
    ]
    assert all(game["policies"] == ["random"] * table[1] for game in told)
    assert all(game["decks"] == decks_of(PLACEHOLDER) for game in told)


@pytest.mark.parametrize("at", range(len(ODD)))
def test_nor_has_it_under_odd_rules(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    job = ODD[at]
    lines = replayed(monkeypatch, Job(job.mode, job.players, job.overrides, job.deck, 2))
    assert check_trace(lines) == []
    told = headers(lines)
    assert [game["decks"] for game in told] == [decks_of(job.deck)] * 2
    for name, value in job.overrides.items():
        assert {json.dumps(game["bargain" if name in BARGAIN else "rules"][name]) for game in told} == {
            json.dumps(value)
        }


def test_a_wrong_number_is_complained_of(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = replayed(monkeypatch, Job("competitive", 2, {"round_cap": 3}, games=2))
    at = max(number for number, line in enumerate(lines) if '"upkeep"' in line)
    event = json.loads(lines[at])
    lines[at] = json.dumps({**event, "coins": event["coins"] + 1})
    [complaint] = check_trace(lines)
    assert (
        complaint == f"game 1, line {at + 1}: field coins is {event['coins'] + 1}, should be {event['coins']}"
    )
