"""Zooloretto's types of players: each plays as it says, and none is nonsense."""

from __future__ import annotations

import numpy as np
import pytest

from balance.experiment.tally import counted
from balance.game import SHARE_UNIT, Policy
from balance.games.zooloretto import GAME
from balance.games.zooloretto.params import ZoolorettoParams
from balance.games.zooloretto.policies import MEANINGS, WEIGHTS
from balance.stats.intervals import share_interval

from . import zoo
from .zoo import GREEDY, RANDOM

PLAYERS, GAMES = 4, 6_000
RULES = ZoolorettoParams.resolve(PLAYERS)
CHARACTERS = [policy for policy in GAME.policies if policy.choose is GREEDY.choose and policy is not GREEDY]


def among(policy: Policy, others: Policy) -> dict[str, float]:
    """What one player comes to among three others, on average."""
    rows = zoo.play(RULES, [policy, *[others] * (PLAYERS - 1)], GAMES, seed=2, rotations=PLAYERS)
    seats, numbers = -np.arange(GAMES) % PLAYERS, np.arange(GAMES)
    names = ["win_share", "score", *(measure.id for measure in GAME.measures_of("seat"))]
    return {name: float(zoo.everywhere(rows, name)[seats, numbers].mean()) for name in names}


def share(policy: Policy, others: Policy) -> float:
    return among(policy, others)["win_share"] / SHARE_UNIT


def test_the_types_are_these() -> None:
    names = ["random", "greedy", "beginner", "gambler", "spender", "miser", "denier"]
    assert [policy.id for policy in GAME.policies] == names
    assert all(set(policy.weights) == set(WEIGHTS) == set(MEANINGS) for policy in CHARACTERS)


@pytest.mark.parametrize("policy", [GREEDY, *CHARACTERS], ids=lambda policy: policy.id)
def test_all_beat_random(policy: Policy) -> None:
    assert share(policy, RANDOM) > 0.9


def seats_that_it_wins(policy: Policy, players: int) -> list[bool]:
    """For each seat whether one player of the type surely wins more than an even share of it, among random ones."""
    rows = zoo.play(
        ZoolorettoParams.resolve(players), [policy, *[RANDOM] * (players - 1)], 600 * players, 3, players
    )
    seats, games = -np.arange(600 * players) % players, np.arange(600 * players)
    won = zoo.everywhere(rows, "win_share")[seats, games]
    shares = [counted(won[seats == seat]) for seat in range(players)]
    return [share_interval(share, 0.999, SHARE_UNIT).low > 1 / players for share in shares]


@pytest.mark.parametrize("players", zoo.PLAYERS)
def test_greedy_beats_random_in_every_seat(players: int) -> None:
    assert seats_that_it_wins(GREEDY, players) == [True] * players


@pytest.mark.parametrize("players", zoo.PLAYERS)
def test_who_plays_at_random_beats_random_in_no_seat(players: int) -> None:
    """What the test above would say of a player who is no better than the others."""
    assert seats_that_it_wins(RANDOM, players) == [False] * players


@pytest.mark.parametrize("policy", CHARACTERS, ids=lambda policy: policy.id)
def test_none_is_better_than_greedy(policy: Policy) -> None:
    assert share(policy, GREEDY) < 0.25


def test_they_play_as_they_say() -> None:
    usual = among(GREEDY, GREEDY)
    of = {policy.id: among(policy, GREEDY) for policy in CHARACTERS}
    assert of["gambler"]["tiles_taken"] > usual["tiles_taken"] + 2
    assert of["miser"]["coins"] > usual["coins"] + 4
    assert of["miser"]["spent"] < usual["spent"] / 4
    assert of["spender"]["exchanges"] > usual["exchanges"]
    assert of["spender"]["coins"] < usual["coins"]
    assert of["denier"]["tiles_taken"] < usual["tiles_taken"] - 2
    assert of["beginner"]["score"] < usual["score"] - 1


def test_nobody_pumps_and_games_end() -> None:
    """A-47: moving animals to and fro for the coins is legal, but no round of it is worth its turns."""
    for policy in [GREEDY, *CHARACTERS]:
        for players in GAME.players:
            rows = zoo.play(ZoolorettoParams.resolve(players), [policy] * players, 3_000, seed=5)
            assert not rows["ended"].any(), (policy.id, players)
            assert rows["pumped"].mean() < 0.01, (policy.id, players)


def test_free_money_actions_do_not_go_on_for_ever() -> None:
    free = {f"price_{kind}": 0 for kind in ("move", "exchange", "buy", "discard", "expand")}
    for switches in (
        {},
        {"exchange_with_empty": True, "exchange_same_species": True, "exchange_pays_fill": True},
    ):
        params = ZoolorettoParams.resolve(3, {**free, **switches})
        assert not zoo.play(params, [GREEDY] * 3, 3_000)["ended"].any()
