"""Pig against its exact chances: published, and worked out anew from the rulebook."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.engine import kernel
from balance.engine.playing import Buffers, Loop, Table, columns, sums_layout
from balance.errors import RulesError
from balance.experiment.replay import replay
from balance.game import SHARE_UNIT, Policy
from balance.games import pig
from balance.games.pig import GAME, policies, rules
from balance.games.pig.params import PigParams

from .pig_by_hand import Optimal, turn, turns_to_win, win_shares

PAGE = (Path(pig.__file__).parent / "RULES.md").read_text(encoding="utf-8")
HOLD, RANDOM = GAME.policy("hold-at-20"), GAME.policy("random")
GAMES = 400_000
ROLLS = np.zeros((1, 1, 1), dtype=np.bool_)
"""When to roll, by own points, the other's, and the turn's: the best play, once it is known."""


@kernel
def choose_best(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    seat = state.seat
    return 1 if ROLLS[state.points[seat], state.points[1 - seat], state.turn_points] else 0


BEST = Policy("best", "Best", "Plays best against one other player.", choose_best, HOLD.weights)


@pytest.fixture(scope="module")
def optimal() -> Optimal:
    return Optimal()


@pytest.fixture(scope="module")
def loop() -> Loop:
    found = Loop(GAME, GAME.policies, PigParams.resolve(2))
    found.compile()
    return found


def shares(loop: Loop, line_up: list[Policy], games: int = GAMES, **rules: Any) -> list[float]:
    """How often each seat wins."""
    players = len(line_up)
    table = Table(GAME, PigParams.resolve(players, rules), tuple(line_up), 1)
    rows = loop.play(table, 3, 0, games, Buffers(GAME), loop.new_sums())
    named = dict(zip(columns(GAME, players), rows, strict=True))
    return [float(named[f"win_share_{seat}"].mean()) / SHARE_UNIT for seat in range(players)]


def near(found: list[float], exact: list[float], games: int = GAMES) -> bool:
    """Within 4.42 standard errors, which right rules exceed once in 100,000 times."""
    return all(
        abs(one - chance) < 4.42 * math.sqrt(chance * (1 - chance) / games)
        for one, chance in zip(found, exact, strict=True)
    )


# ---------------------------------------------------------------- the chances themselves


def test_a_turn_by_hand_is_as_published() -> None:
    points = turn(1000)
    assert points[0] == pytest.approx(0.6245408, abs=5e-8)
    assert sum(value * chance for value, chance in points.items()) == pytest.approx(8.141795, abs=5e-7)
    published = [0.099713, 0.094991, 0.074189, 0.054196, 0.035198, 0.017173]
    assert [points[value] for value in range(20, 26)] == pytest.approx(published, abs=5e-7)


def test_two_who_hold_at_20_by_hand_are_as_published() -> None:
    assert win_shares([20, 20])[0] == pytest.approx(0.53469833, abs=5e-9)


def test_the_best_play_by_hand_is_as_published(optimal: Optimal) -> None:
    assert optimal.begins[0, 0] == pytest.approx(0.5305927253, abs=5e-11)
    assert optimal.against(20) == pytest.approx((0.5714984, 0.5083421), abs=5e-8)


def test_no_official_game_comes_near_the_last_round() -> None:
    assert sum(turns_to_win(20, most=rules_of("most_rounds"))) > 1 - 1e-12


def rules_of(name: str) -> int:
    return int(getattr(PigParams.resolve(2), name))


# ---------------------------------------------------------------- the game as it is played


@pytest.mark.compiler
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_seats_win_as_often_as_they_must(loop: Loop, players: int) -> None:
    assert near(shares(loop, [HOLD] * players), win_shares([20] * players))


@pytest.mark.compiler
def test_other_players_win_as_often_as_they_must(loop: Loop) -> None:
    assert near(shares(loop, [RANDOM] * 2), win_shares([None, None]))
    assert near(shares(loop, [RANDOM, HOLD, RANDOM]), win_shares([None, 20, None]))
    assert near(shares(loop, [HOLD] * 3, head_start=15), win_shares([20] * 3, [0, 15, 30]))


@pytest.mark.compiler
def test_a_rule_that_is_wrong_is_noticed(loop: Loop) -> None:
    assert not near(shares(loop, [HOLD] * 2, sides=7), win_shares([20, 20]))
    assert not near(shares(loop, [HOLD] * 2, head_start=5), win_shares([20, 20]))
    assert not near(shares(loop, [HOLD] * 2, bust_costs_all=True), win_shares([20, 20]))


@pytest.mark.compiler
def test_the_points_of_the_first_turn(loop: Loop) -> None:
    sums = loop.new_sums()
    loop.play(Table(GAME, PigParams.resolve(2), (HOLD, HOLD), 1), 3, 0, GAMES, Buffers(GAME), sums)
    at = sums_layout(GAME)["standing"][0]
    exact = turn(1000)
    mean = sum(value * chance for value, chance in exact.items())
    square = sum(value * value * chance for value, chance in exact.items())
    assert abs(sums[0, at] / GAMES - mean) < 4.42 * math.sqrt((square - mean**2) / GAMES)
    assert sums[1, at] / GAMES == pytest.approx(square, rel=0.01)


@pytest.mark.compiler
def test_the_best_play_wins_as_often_as_it_must(monkeypatch: pytest.MonkeyPatch, optimal: Optimal) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROLLS", optimal.rolls)
    loop = Loop(GAME, (BEST,), PigParams.resolve(2))
    loop.compile()
    first = 0.5305927253
    assert near(shares(loop, [BEST, BEST]), [first, 1 - first])
    assert near(shares(loop, [BEST, HOLD])[:1], [0.5714984])
    assert near(shares(loop, [HOLD, BEST])[1:], [0.5083421])


# ---------------------------------------------------------------- one game, step by step


def told(players: int = 2, number: int = 1, **changed: Any) -> list[dict[str, Any]]:
    """The trace of one game."""
    return replay(GAME, PigParams.resolve(players, changed), [HOLD] * players, 1, 1, number).events


def turns(events: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The events of each turn."""
    found: list[list[dict[str, Any]]] = [[]]
    for event in events[1:-1]:
        found[-1].append(event)
        if event["event"] != "roll":
            found.append([])
    assert found.pop() == []
    return found


@pytest.mark.parametrize("changed", [{}, {"bust_costs_all": True}, {"losing_face": 6}, {"head_start": 9}])
def test_a_game_keeps_the_rules_turn_by_turn(changed: dict[str, Any]) -> None:
    params = PigParams.resolve(3, changed)
    events = told(3, **changed)
    points = [seat * params.head_start for seat in range(3)]
    for number, each in enumerate(turns(events)):
        *rolls, last = each
        seat, faces = number % 3, [roll["value"] for roll in rolls]
        assert {(event["player"], event["round"]) for event in each} == {(seat, number // 3)}  # P-1
        assert all(1 <= face <= 6 and face != params.losing_face for face in faces)
        if last["event"] == "bust":
            assert last["value"] == params.losing_face  # P-4
            points[seat] = 0 if params.bust_costs_all else points[seat]
        else:
            assert last["value"] == sum(faces) > 0  # P-5
            enough = min(20, params.target - points[seat])
            assert sum(faces[:-1]) < enough <= sum(faces)  # the policy, P-6
            points[seat] += sum(faces)
        assert last["points"] == points[seat]
        assert (points[seat] >= 100) == (number == len(turns(events)) - 1)  # P-6
    assert events[-1]["scores"] == points
    assert events[-1]["win_shares"] == [float(own >= 100) for own in points]


def test_the_rounds_end_and_a_win_is_shared() -> None:
    shared = [told(2, number, most_rounds=1)[-1] for number in range(30)]
    assert {tuple(end["win_shares"]) for end in shared} == {(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)}  # P-7
    assert all(len(set(end["scores"])) == 1 for end in shared if end["win_shares"] == [0.5, 0.5])


def test_the_log_has_a_line_for_each_turn() -> None:
    events = told()
    lines = pig.narrate(events)
    assert len(lines) == len(turns(events)) + 4
    assert lines[0] == "Pig, game 1 of seed 1"
    assert re.fullmatch(
        r"round 1, player 1 rolls [1-6 ]+, (banks \d+ \[P-5\]|loses the turn \[P-4\]) and has \d+", lines[1]
    )
    assert re.fullmatch(r"The win goes to player [12] \[P-6, P-7\]", lines[-1])


# ---------------------------------------------------------------- what it declares


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"sides": 4, "losing_face": 5}, '"losing_face" must be from 1 to 4, the sides of the die.'),
        (
            {"target": 20, "head_start": 20},
            '"head_start" gives the last player 20 points, so the target of 20 is reached.',
        ),
    ],
)
def test_rules_that_make_no_game(changed: dict[str, int], says: str) -> None:
    with pytest.raises(RulesError) as refused:
        PigParams.resolve(2, changed)
    assert refused.value.message == says


def test_the_page_of_rules_names_what_there_is() -> None:
    assert set(re.findall(r"P-\d", PAGE)) == {f"P-{number}" for number in range(1, 8)}
    assert set(re.findall(r"\*\*(P-\d)\*\*", PAGE)) == set(re.findall(r"P-\d", PAGE))
    table = [line.split("|")[2] for line in PAGE.splitlines() if line.startswith("|")]
    named = {name for cell in table for name in re.findall(r"`(\w+)`", cell)}
    assert len(named) > 8
    assert named - set(vars(rules)) == set()
    told_of = set(re.findall(r"`(\w+)`", PAGE.split("## Rules")[1].split("## How")[0]))
    assert told_of <= set(PigParams.model_fields)
    assert policies.POLICIES[0] is HOLD
