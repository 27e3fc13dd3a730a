"""Play as a whole: known means, bounds, setup, and lists of options that agree."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.engine.plain import plain_kernel
from balance.engine.playing import Buffers, Loop, Table
from balance.game import SHARE_UNIT
from balance.games.zooloretto import GAME, layout, options, trucks
from balance.games.zooloretto.layout import (
    COIN,
    FERTILE,
    N_ANIMALS,
    SEAT_STEP,
    STALLS,
)
from balance.games.zooloretto.params import ZoolorettoParams

from . import zoo
from .plays import Moment, Watched
from .zoo import GREEDY, PLAYERS, RANDOM
from .zoo_rule_sets import rule_sets

KNOWN_MEANS = {
    2: (3.57, 21.86, 121.4, 1.03),
    3: (1.16, 17.34, 145.5, 1.29),
    4: (-2.08, 15.64, 169.6, 1.11),
    5: (-4.33, 14.58, 193.5, 1.06),
}
"""When all play at random: mean score of a player, mean rounds and turns of a game, mean births of a game."""
ROUNDS = {2: (11, 33), 3: (9, 26), 4: (8, 22), 5: (7, 20)}
MOST_POINTS = {2: 49, 3: 40, 4: 40, 5: 40}
SETUP = {2: (55, 79, 64, 26), 3: (66, 90, 75, 24), 4: (77, 101, 86, 22), 5: (88, 112, 97, 20)}
"""Animals, tiles in play, main stock and bank (1.5)."""


# ---------------------------------------------------------------- means and bounds of many games


@pytest.mark.parametrize("players", KNOWN_MEANS)
def test_means_of_random_play(players: int) -> None:
    rows = zoo.play(ZoolorettoParams.resolve(players), [RANDOM] * players, 50_000, seed=2)
    score, rounds, turns, births = KNOWN_MEANS[players]
    assert zoo.everywhere(rows, "score").mean() == pytest.approx(score, abs=0.15)
    assert rows["rounds"].mean() == pytest.approx(rounds, abs=0.1)
    assert rows["turns"].mean() == pytest.approx(turns, abs=0.5)
    assert zoo.everywhere(rows, "births").sum(axis=0).mean() == pytest.approx(births, abs=0.06)
    assert not rows["ended"].any()


@pytest.mark.parametrize(("players", "policy"), list(product(PLAYERS, (RANDOM, GREEDY))))
def test_bounds_at_the_defaults(players: int, policy: Any) -> None:
    """Z-73, Z-75."""
    rows = zoo.play(ZoolorettoParams.resolve(players), [policy] * players, 20_000, seed=3)
    kept = rows["ended"] == 0
    fewest, most = ROUNDS[players]
    assert rows["rounds"][kept].min() >= fewest
    assert rows["rounds"][kept].max() <= most
    assert zoo.everywhere(rows, "score").max() <= MOST_POINTS[players]
    shares = zoo.everywhere(rows, "win_share").sum(axis=0)
    assert (shares[kept] == SHARE_UNIT).all()
    parts = sum(zoo.everywhere(rows, part) for part in ("enclosures", "stalls", "barn"))
    assert (zoo.everywhere(rows, "score") == parts)[:, kept].all()


@pytest.mark.parametrize("players", PLAYERS)
def test_greedy_beats_random_and_ends_its_games(players: int) -> None:
    games = 400 * players
    slots = [GREEDY] + [RANDOM] * (players - 1)
    rows = zoo.play(ZoolorettoParams.resolve(players), slots, games, seed=2, rotations=players)
    seats = -np.arange(games) % players
    won = zoo.everywhere(rows, "win_share")[seats, np.arange(games)]
    assert won.mean() / SHARE_UNIT > 0.95
    assert not zoo.play(ZoolorettoParams.resolve(players), [GREEDY] * players, 20_000)["ended"].any()


def test_the_same_seed_is_the_same_game_by_either_measure_of_it() -> None:
    params = ZoolorettoParams.resolve(3)
    one, other = (zoo.play(params, [GREEDY, RANDOM, GREEDY], 60, seed=7, rotations=3) for _ in range(2))
    assert all((one[name] == other[name]).all() for name in one)


# ---------------------------------------------------------------- options


@pytest.mark.parametrize("part", range(4))
def test_every_option_has_its_number(part: int) -> None:
    """5.4: what `random` can choose are the options listed, each once."""
    watched, chance = Watched(GAME, GAME.policies), random.Random(part)
    turn_option = plain_kernel(options.turn_option, watched.bind)
    place_option = plain_kernel(options.place_option, watched.bind)
    place_code = plain_kernel(trucks.place_code, watched.bind)
    seen: Counter[int] = Counter()

    def watch(moment: Moment) -> None:
        state = moment.state
        seen[state.decision] += 1
        if state.decision == layout.D1_TURN:
            codes = [turn_option(state, moment.params, k) for k in range(state.options)]
        elif state.decision == layout.D3_PLACE:
            codes = [place_code(state, *place_option(state, k)) for k in range(state.options)]
        else:
            trucks_open = state.middle & state.open
            codes = [layout.LOAD + truck for truck in range(6) if trucks_open >> truck & 1]
        assert sorted(codes) == moment.options

    watched.watch = watch
    sets = [(PLAYERS[part], {})] * 3 + chance.sample(rule_sets(), 5)
    for number, (players, overrides) in enumerate(sets):
        watched.play(ZoolorettoParams.resolve(players, overrides), [RANDOM] * players, part, number)
    assert min(seen[decision] for decision in (1, 2, 3)) > 50


def test_setup_sizes() -> None:
    """1.5."""
    setup = plain_kernel(GAME.setup)
    from balance.engine.plain import blank, plain_params
    from balance.engine.rng import rng_dtype

    for players, (n_animals, tiles, main, bank) in SETUP.items():
        params = ZoolorettoParams.resolve(players)
        state, rng = blank(GAME.state_dtype), blank(rng_dtype)
        setup(state, plain_params(GAME, params), rng)
        stock = Counter(state.stock[at] for at in range(state.stock_size))
        assert (zoo.animals(stock), sum(stock.values()), state.main_size) == (n_animals, tiles, main)
        assert (stock[COIN], zoo.stalls(stock), state.bank) == (12, 12, bank)
        per_species = Counter(tile // 3 for tile in stock.elements() if tile < N_ANIMALS)
        assert set(per_species.values()) == {11}
        fertile = [number for tile, number in stock.items() if tile < N_ANIMALS and FERTILE >> tile & 1]
        assert set(fertile) == {2}
        assert [state.accept[place] & STALLS != 0 for place in range(SEAT_STEP)] == [
            False,
            True,
            True,
            True,
            *[False] * 4,
        ]


@pytest.mark.parametrize("part", range(4))
def test_compiled_and_interpreted_games_are_equal(part: int) -> None:
    """On numpy records, whose small integers overflow where compiled code would not tell."""
    players, overrides = random.Random(part).choice(rule_sets())
    params, slots = ZoolorettoParams.resolve(players, overrides), [GREEDY, RANDOM, GREEDY, RANDOM, GREEDY]
    slow = Loop(GAME, GAME.policies, params)
    slow.interpret()
    table = Table(GAME, params, tuple(slots[:players]), 1)
    rows = [loop.play(table, 9, 0, 4, Buffers(GAME), loop.new_sums()).tolist() for loop in (slow, zoo.loop())]
    assert rows[0] == rows[1]
