"""Animalia's types of players: each is one that a designer would know at the table, and none is nonsense."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.engine.playing import Loop, columns, sums_layout
from balance.experiment.config import from_game, with_overrides
from balance.experiment.plan import Plan
from balance.experiment.replay import Replayer
from balance.game import HIGHEST_TEMPERATURE, HIGHEST_WEIGHT, SHARE_UNIT, Policy
from balance.games.animalia import GAME
from balance.games.animalia.measures import POWERS
from balance.games.animalia.params import KINDS, AnimaliaParams
from balance.games.animalia.policies import MEANINGS, WEIGHTS

from .conftest import Play
from .rule_sets import MANY

PLAYERS, GAMES = 4, 20_000
RULES = AnimaliaParams.resolve(PLAYERS)
RANDOM, GREEDY = GAME.policy("random"), GAME.policy("greedy")
CHARACTERS = [policy for policy in GAME.policies if policy.choose is GREEDY.choose and policy is not GREEDY]


def among(play: Play, policy: Policy, others: Policy) -> dict[str, tuple[float, float]]:
    """Means of one player among others, and of those others, for each seat held."""
    slots = [policy, *[others] * (PLAYERS - 1)]
    rows = dict(zip(columns(GAME, PLAYERS), play(RULES, slots, GAMES, rotations=PLAYERS), strict=True))
    numbers, found = np.arange(GAMES), {}
    for name in ("win_share", "score", *(measure.id for measure in GAME.measures_of("seat"))):
        seats = np.array([rows[f"{name}_{seat}"] for seat in range(PLAYERS)])
        own = seats[-numbers % PLAYERS, numbers].mean()
        found[name] = float(own), float(seats.sum(axis=0).mean() - own) / (PLAYERS - 1)
    own, other = found["win_share"]
    return found | {"win_share": (own / SHARE_UNIT, other / SHARE_UNIT)}


def alike(play: Play, loop: Loop, policy: Policy) -> dict[str, Any]:
    """How often cards of a set are kept and powers used where all players are of one type."""
    sums = loop.new_sums()
    play(RULES, [policy] * PLAYERS, 4_000, sums=sums)
    layout, found = sums_layout(GAME), {}
    for name, items in (("cards", KINDS), ("powers", POWERS)):
        at, shape = layout[name]
        counts = sums[0, at : at + int(np.prod(shape))].reshape(shape)
        found[name] = {item: counts[number, :2] for number, item in enumerate(items)}
    offered, taken = np.sum(list(found["cards"].values()), axis=0)
    return {"kept": taken / offered, **{power: found["powers"][power][1] for power in POWERS}}


def test_the_types_are_these() -> None:
    assert [policy.id for policy in GAME.policies] == [
        *("random", "greedy", "beginner", "hoarder", "thief-happy", "star-chaser")
    ]
    assert dict(GREEDY.weights) == dict(WEIGHTS)
    assert GREEDY.temperature == 0


@pytest.mark.parametrize("policy", [GREEDY, *CHARACTERS], ids=lambda policy: policy.id)
def test_every_number_is_allowed_in_a_policy_file_and_explained(policy: Policy) -> None:
    assert set(policy.meanings) == set(policy.weights) == set(MEANINGS)
    assert all(abs(weight) <= HIGHEST_WEIGHT for weight in policy.weights.values())
    assert all(meaning.endswith(".") for meaning in policy.meanings.values())


@pytest.mark.parametrize("policy", CHARACTERS, ids=lambda policy: policy.id)
def test_no_type_is_nonsense(play: Play, policy: Policy) -> None:
    assert among(play, policy, RANDOM)["win_share"][0] > 0.5
    assert among(play, policy, GREEDY)["win_share"][0] < 0.26


def test_a_beginner_is_between_random_and_greedy(play: Play) -> None:
    beginner = GAME.policy("beginner")
    assert 0.02 < among(play, beginner, GREEDY)["win_share"][0] < 0.15
    assert among(play, RANDOM, beginner)["win_share"][0] < 0.15
    assert dict(beginner.weights) == dict(WEIGHTS)


def test_a_hoarder_keeps_more_cards_and_plays_fewer_of_its_bonus_cards(play: Play, loop: Loop) -> None:
    hoarder = GAME.policy("hoarder")
    assert alike(play, loop, hoarder)["kept"] > 1.15 * alike(play, loop, GREEDY)["kept"]
    found = among(play, hoarder, GREEDY)
    (drawn, others_drawn), (used, others_used) = found["bonus_cards"], found["covers"]
    assert used / drawn < 0.9 * others_used / others_drawn


def test_a_thief_happy_player_robs_more_and_gets_the_thief_more_often(play: Play, loop: Loop) -> None:
    thief = GAME.policy("thief-happy")
    own, others = among(play, thief, GREEDY)["robbed"]
    usual, _ = among(play, GREEDY, GREEDY)["robbed"]
    assert others > 1.08 * usual > usual > own
    assert alike(play, loop, thief)["thief"] > 1.15 * alike(play, loop, GREEDY)["thief"]


def test_a_star_chaser_has_more_stars_and_draws_more_bonus_cards(play: Play) -> None:
    found = among(play, GAME.policy("star-chaser"), GREEDY)
    for name in ("elegance", "bonus_cards"):
        own, others = found[name]
        assert own > 1.08 * others, name


@pytest.mark.parametrize("policy", [GREEDY, GAME.policy("beginner")], ids=lambda policy: policy.id)
def test_those_who_only_want_what_greedy_wants_have_no_such_habits(play: Play, policy: Policy) -> None:
    found = among(play, policy, GREEDY)
    assert found["elegance"][0] < 1.03 * found["elegance"][1]
    assert found["bonus_cards"][0] < 1.03 * found["bonus_cards"][1]


# ---------------------------------------------------------------- policy files

AWFUL = """\
[policy]
name = "awful"
based_on = "greedy"
[weights]
keep = -1000
medal = -1000
star = -1000
hurt = -1000
prize = -1000
"""


def test_an_absurd_handicap_loses_in_every_seat(
    tmp_path: Path, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    from balance.experiment.tally import Played, Tally, tally

    monkeypatch.chdir(tmp_path)
    Path("awful.toml").write_text(AWFUL)
    for other in ("random", "greedy"):
        lineup = ("awful.toml", *(other,) * (PLAYERS - 1))
        plan = Plan(with_overrides(from_game("animalia"), players=(PLAYERS,), policies=lineup, games=4_000))
        (cell,) = plan.cells
        rows = play(
            cell.cell.rules, [plan.policy(name) for name in cell.slots], cell.games, rotations=PLAYERS
        )
        counted: Tally = tally(GAME, cell, Played(0, rows, np.zeros((3, 0), np.int64)))
        for share in awful_shares(cell, counted):
            assert share["high"] < 1 / PLAYERS, (other, share)


def awful_shares(cell: Any, counted: Any) -> list[dict[str, Any]]:
    """What the first policy wins: over all its seats, and in each of them."""
    from balance.analysis.seats import sides
    from balance.analysis.summaries import Cell

    (side, _) = sides(GAME, Cell(cell, counted, 0.95))
    assert side["policy"] == "awful"
    assert len(side["seats"]) == PLAYERS
    return [side["win_share"], *side["seats"]]


LARGEST = AnimaliaParams.resolve(
    6,
    {
        **MANY,
        "collections_per_player": 2,
        "collection_size": 7,
        "max_set_size": 5,
        "power_pair_requirement": 1,
    },
)


@pytest.mark.parametrize("temperature", [0, HIGHEST_TEMPERATURE])
def test_no_number_of_a_policy_file_overflows(play: Play, temperature: int) -> None:
    """Plain Python has no largest integer; compiled code plays the same games with the largest weights."""
    chance = np.random.default_rng(3)
    for game in range(6):
        policies = []
        for number in range(LARGEST.players):
            weights = {name: HIGHEST_WEIGHT * int(chance.choice((-1, 1))) for name in WEIGHTS}
            policies.append(replace(GREEDY, id=f"p{number}", weights=weights, temperature=temperature))
        rows = dict(zip(columns(GAME, LARGEST.players), play(LARGEST, policies, 1, first=game), strict=True))
        slow = Replayer(GAME, LARGEST, policies, 1).play(1, game).row
        assert {name: int(value[0]) for name, value in rows.items()} == slow
