"""Who leads when, against looking at each game by itself: the compiled marks, the sums, and what is said of them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiment.dice_race import GAME, race

from balance.analysis import results
from balance.engine.playing import NOT_REACHED, Buffers
from balance.experiment import leads as looking
from balance.experiment.events import AlreadyComplete, Finished, Outcome
from balance.experiment.leads import changes, decided, leads, sample, seen
from balance.experiment.runner import Options, run

GAMES = 3_000
TIES = np.array([[[[4, 4, 1], [0, 9, 0]], [[5, 5, 5], [2, 2, 2]], [[NOT_REACHED] * 3, [NOT_REACHED] * 3]]])
"""One game of three sides: after the first round a tiebreak decides who leads, then nobody does, then it is over."""


def outcome_of(folder: Path, *policies: str, threads: int = 2, part: int = 600, players: int = 3) -> Outcome:
    asked = race((players,), {"far": {"goal": 20}}, policies, GAMES)
    for event in run(asked, folder, threads, Options(part_games=part)):
        if isinstance(event, Finished | AlreadyComplete):
            outcome = event.outcome
    return outcome


def game_by_game(outcome: Outcome, games: int) -> list[dict[str, Any]]:
    """Places after each round that was not the last, the winners' parts, and the rounds, of each game."""
    plan, cell = outcome.plan, outcome.plan.cells[0]
    plan.loop.compile()
    found = []
    for number in range(games):
        buffers = Buffers(GAME)
        table = plan.table(cell)
        row = plan.loop.play(table, plan.experiment.run.seed, number, 1, buffers, plan.loop.new_sums())[:, 0]
        rounds = int(row[2])
        places = buffers.row.progress[: rounds - 1, :3].tolist()
        found.append({"places": places, "rounds": rounds, "wins": (row[10:13] / 60).tolist()})
    return found


def leader(places: list[int]) -> int | None:
    return places.index(max(places)) if places.count(max(places)) == 1 else None


def share(pairs: list[tuple[float, float]]) -> float:
    return sum(y for _, y in pairs) / sum(x for x, _ in pairs)


@pytest.mark.parametrize("policies", [("any",), ("any", "steady")])
def test_leaders_and_comebacks_are_those_of_the_games_one_by_one(
    tmp_path: Path, policies: tuple[str, ...]
) -> None:
    outcome = outcome_of(tmp_path, *policies)
    baseline, far = results(outcome)["cells"]
    assert "leads" not in far
    found = baseline["leads"]
    assert found["games"] == sample(GAMES, baseline["rotations"]) == 300
    played = game_by_game(outcome, found["games"])
    for step in found["rounds"]:
        at = step["round"] - 1
        reached = [game for game in played if len(game["places"]) > at]
        led = [(leader(game["places"][at]), game["wins"]) for game in reached]
        alone = [(1, wins[who]) for who, wins in led if who is not None]
        assert step["games"] == len(reached)
        assert step["alone"] == pytest.approx(len(alone) / len(reached))
        assert (step["wins"] or {}).get("value") == (pytest.approx(share(alone)) if alone else None)
        settled = [
            (1, game["wins"] == [float(seat == leader(game["places"][at])) for seat in range(3)]
             and len({leader(places) for places in game["places"][at:]}) == 1)
            for game in reached
        ]  # fmt: skip
        assert step["decided"]["value"] == pytest.approx(share(settled))
    assert len(found["rounds"]) == max(len(game["places"]) for game in played)
    half = [(game["places"][game["rounds"] // 2 - 1], game["wins"]) for game in played if game["rounds"] > 1]
    alone = [(1, wins[leader(places)]) for places, wins in half if leader(places) is not None]
    assert found["half"]["value"] == pytest.approx(share(alone))
    last = [(1, wins[places.index(min(places))])
            for places, wins in half if places.count(min(places)) == 1]  # fmt: skip
    assert found["last"]["value"] == pytest.approx(share(last))
    assert found["changes"]["mean"]["value"] == pytest.approx(np.mean([moves(game) for game in played]))
    unmoved = found["changes"]["none"]
    assert unmoved["value"] == pytest.approx(np.mean([moves(game) == 0 for game in played]))
    assert unmoved["low"] < unmoved["value"] < unmoved["high"]
    behind = [caught_up(game) for game in played]
    assert found["behind"]["none"]["value"] == pytest.approx(np.mean([most == 0 for most in behind]))
    assert found["behind"]["max"] == max(behind) == found["comebacks"][0]["behind"]
    assert [one["game"] for one in found["comebacks"]] == sorted(range(300), key=lambda n: (-behind[n], n))[
        :3
    ]
    first = found["comebacks"][0]
    places = played[first["game"]]["places"][first["round"] - 1]
    assert max(places) - places[first["seat"]] == first["behind"] > 0
    assert played[first["game"]]["wins"][first["seat"]] > 0


def test_published() -> None:
    """Chances to win of two sides after each of six turns, as points out of 100; the first wins."""
    first = np.array([50, 40, 30, 55, 45, 70])
    marks = np.stack([first, 100 - first], axis=1)[None, :, None, :]
    marks = np.concatenate([marks, np.zeros_like(marks)], axis=2)
    found = seen(marks, np.array([[60, 0]]), np.array([7]), np.array([0]), 1)
    assert changes(found).tolist() == [3], "an even chance is nobody's lead"
    assert found.behind[0, :, 0].max() == 40


def moves(game: dict[str, Any]) -> int:
    last = [game["wins"].index(1.0)] if 1.0 in game["wins"] else []
    heads = [who for places in game["places"] if (who := leader(places)) is not None] + last
    return sum(one != two for one, two in pairwise(heads))


def caught_up(game: dict[str, Any]) -> int:
    return max(
        (max(places) - places[seat] for places in game["places"] for seat in range(3) if game["wins"][seat]),
        default=0,
    )


def test_they_depend_on_neither_threads_nor_parts_and_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = outcome_of(tmp_path / "a", "any")
    assert first.leads == outcome_of(tmp_path / "b", "any", threads=1, part=1200).leads != {}
    monkeypatch.setattr("balance.experiment.runner.leads", lambda *_: pytest.fail("played once more"))
    assert outcome_of(tmp_path / "a", "any").leads == first.leads


def test_nobody_leads_alone_at_the_table_or_where_points_say_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert outcome_of(tmp_path / "one", "any", players=1).leads == {}
    outcome = outcome_of(tmp_path / "three", "any")
    assert leads(outcome.plan, outcome.tallies, lambda: False) is None
    equal = np.zeros((300, 6, 2, 3), np.int64)
    wins = np.tile([60, 0, 0], (300, 1))
    tied = seen(equal, wins, np.full(300, 6), np.arange(300), 1)
    monkeypatch.setattr(looking, "_looked_at", lambda *_: tied)
    assert leads(outcome.plan, outcome.tallies, lambda: True) == {}


def test_a_tiebreak_decides_who_leads_and_a_shared_lead_is_nobodys() -> None:
    found = seen(TIES, np.array([[0, 60, 0]]), np.array([3]), np.array([7]), 1)
    assert found.alone.tolist() == [[True, False, False]]
    assert found.leader[0, 0] == 1
    assert found.reached.tolist() == [[True, True, False]]
    assert found.last[0, 0].tolist() == [False, False, True]
    assert found.behind[0].tolist() == [[0, 0, 3], [0, 0, 0], [0, 0, 0]]
    assert decided(found).tolist() == [[False, False, False]]  # the lead was shared in between
    assert changes(found).tolist() == [0]
    assert changes(seen(TIES, np.array([[60, 0, 0]]), np.array([3]), np.array([7]), 1)).tolist() == [1]


@pytest.mark.parametrize(
    ("games", "rotations", "looked_at"),
    [(60, 6, 6), (3, 1, 1), (5_000, 1, 500), (40_000, 1, 1_000), (100_000, 3, 1_998), (10**8, 1, 10_000)],
)
def test_how_many_games_are_looked_at(games: int, rotations: int, looked_at: int) -> None:
    assert sample(games, rotations) == looked_at
