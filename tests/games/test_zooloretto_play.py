"""Play as a whole: known means, tiles and coins that never get lost, bounds, and lists of options that agree."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.engine.plain import plain_kernel
from balance.engine.playing import Buffers, Loop, Table
from balance.errors import RulesError
from balance.game import SHARE_UNIT
from balance.games.zooloretto import GAME, layout, options, trucks
from balance.games.zooloretto.layout import (
    ANIMALS,
    COIN,
    FERTILE,
    KIN,
    N_ANIMALS,
    SEAT_STEP,
    STALLS,
)
from balance.games.zooloretto.params import ZoolorettoParams

from . import zoo
from .plays import Moment, Watched
from .zoo import GREEDY, PLAYERS, RANDOM

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


# ---------------------------------------------------------------- every decision of a game watched


class Census:
    """Looks at every decision of a game; an index out of bounds is a KeyError in plain Python anyway."""

    def __init__(self, params: ZoolorettoParams) -> None:
        self.params = params
        self.supply: Counter[int] | None = None
        self.rounds: Counter[int] = Counter()

    def at_decision(self, moment: Moment) -> None:
        state, params = moment.state, self.params
        self.coins(state)
        self.tiles(state)
        for seat in range(params.players):
            for place, at in zoo.places(state, seat):
                self.place(state, seat, place, at)
        assert moment.listed == state.options >= 2
        assert moment.options == sorted(set(moment.options))

    def coins(self, state: Any) -> None:
        """Z-70; a coin tile of a truck taken is a coin at once."""
        params = self.params
        delivered = sum(state.tiles_of[seat, 4] for seat in range(params.players))
        purses = [state.coins[seat] for seat in range(params.players)]
        assert min(*purses, state.bank) >= 0
        assert sum(purses) + state.bank == params.coin_supply + delivered

    def tiles(self, state: Any) -> None:
        """1.5 and Z-71: nothing is lost, and nothing comes out of nowhere."""
        params = self.params
        waiting = Counter(state.hand[slot] for slot in range(5) if state.slots_left >> slot & 1)
        drawn = Counter({state.drawn: 1}) if state.decision == layout.D2_LOAD else Counter()
        zoos = zoo.in_zoos(state, params.players)
        taken = [sum(state.tiles_of[seat, group] for seat in range(params.players)) for group in range(5)]
        born = sum(state.births[seat] for seat in range(params.players))
        discarded = sum(state.money_taken[seat, layout.DISCARDS] for seat in range(params.players))
        lost = state.tiles_lost
        left = sum((zoo.in_stock(state) + zoo.on_trucks(state) + drawn).values())
        assert left + sum(taken) + lost == params.tiles_in_play()
        kept = zoo.animals(zoos) + zoo.stalls(zoos) + sum(waiting.values())
        assert kept + discarded == sum(taken[:4]) + born
        if params.trade_kinds == "animals":
            assert zoo.stalls(zoos) + zoo.stalls(waiting) == taken[3]

    def place(self, state: Any, seat: int, place: int, at: int) -> None:
        """What is kept about a place is what its tiles say; Z-23, Z-72."""
        tiles = zoo.tiles_in(state, at)
        assert state.classes[at] == sum(1 << tile for tile in tiles)
        assert state.animals[at] == zoo.animals(tiles)
        species = {tile // 3 for tile in tiles if tile < N_ANIMALS}
        if place == layout.BARN:
            assert state.barn_stalls[seat] == zoo.stalls(tiles)
            return
        assert len(species) <= 1
        assert state.animals[at] <= moment_spaces(self.params, place)
        room = state.animals[at] < moment_spaces(self.params, place)
        accepted = (sum(int(KIN[3 * one]) for one in species) or ANIMALS) if room else 0
        assert state.accept[at] & ANIMALS == accepted
        assert bool(state.accept[at] & STALLS) == (state.stalls_left[at] > 0)
        assert state.stalls_left[at] == moment_stalls(self.params, place) - zoo.stalls(tiles) >= 0
        assert bool(state.empty[seat] >> place & 1) == (not species)
        for one in range(12):
            assert bool(state.rooms[seat, one] >> place & 1) == (one in species and room)
        litter = self.params.offspring_per_species if self.params.offspring else 0
        for one in species:
            if state.born[one] < litter:
                assert not state.count[at, 3 * one + 1] or not state.count[at, 3 * one + 2]


def moment_spaces(params: ZoolorettoParams, place: int) -> int:
    return (0, *params.enclosure_spaces, *[params.expansion_spaces] * 3)[place]


def moment_stalls(params: ZoolorettoParams, place: int) -> int:
    return (0, *params.enclosure_stall_spaces, *[params.expansion_stall_spaces] * 3)[place]


def anyhow(chance: random.Random) -> ZoolorettoParams:
    """Rules with some parameters anywhere within their bounds."""
    kind = ZoolorettoParams
    while True:
        changed: dict[str, Any] = {"turn_limit": 300}
        for name, field in kind.model_fields.items():
            if (
                name in ("players", "removed_species", "truck_blocked", "turn_limit")
                or chance.random() < 0.75
            ):
                continue
            low_high = None if field.annotation is bool or kind.choices(name) else kind.bounds(name)
            if kind.is_list(name):
                changed[name] = [chance.randint(*kind.bounds(name)) for _ in range(3)]
            elif low_high:
                changed[name] = chance.randint(*low_high)
            else:
                changed[name] = chance.choice(kind.choices(name) or (True, False))
        try:
            return kind.resolve(chance.choice(PLAYERS), changed)
        except RulesError:
            continue


TABLES = [ZoolorettoParams.resolve(players) for players in PLAYERS] + [
    ZoolorettoParams.resolve(2, {"leftover_truck": "keep", "trade_kinds": "animals_and_stalls"}),
    ZoolorettoParams.resolve(4, {"offspring_per_species": 1, "stall_to_barn_by_choice": True}),
    ZoolorettoParams.resolve(5, {"truck_capacity": 5, "end_stack": 1, "exchange_with_empty": True}),
    ZoolorettoParams.resolve(
        3, {"price_move": 0, "price_exchange": 0, "exchange_same_species": True, "turn_limit": 200}
    ),
]


@pytest.mark.parametrize("at", range(len(TABLES)))
def test_nothing_is_lost_and_no_bound_is_passed(at: int) -> None:
    params, watched = TABLES[at], Watched(GAME, GAME.policies)
    for number, policy in enumerate((RANDOM, GREEDY)):
        census = Census(params)
        watched.watch = census.at_decision
        state, plies = watched.play(params, [policy] * params.players, 20 + at, number)
        census.coins(state)
        census.tiles(state)
        assert state.over in (1, 2)
        assert plies < GAME.bounds.plies


@pytest.mark.parametrize("part", range(4))
def test_the_same_under_any_rules(part: int) -> None:
    chance, watched = random.Random(part), Watched(GAME, GAME.policies)
    for number in range(8):
        params = anyhow(chance)
        watched.watch = Census(params).at_decision
        policy = (RANDOM, GREEDY)[number % 2]
        state, _ = watched.play(params, [policy] * params.players, part, number)
        assert state.over in (1, 2)


def test_a_lost_tile_is_missed() -> None:
    """The census itself: a coin or a tile that is taken away by hand is found to be missing."""
    params = ZoolorettoParams.resolve(4)

    def steal(moment: Moment) -> None:
        census = Census(params)
        census.at_decision(moment)
        moment.state.bank -= 1
        with pytest.raises(AssertionError):
            census.coins(moment.state)
        moment.state.bank += 1
        moment.state.stock_at += 1
        with pytest.raises(AssertionError):
            census.tiles(moment.state)
        moment.state.stock_at -= 1

    watched = Watched(GAME, GAME.policies)
    watched.watch = steal
    watched.play(params, [RANDOM] * 4, 1, 0)


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
    for number in range(6):
        params = anyhow(chance) if number % 2 else ZoolorettoParams.resolve(PLAYERS[part])
        watched.play(params, [RANDOM] * params.players, part, number)
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


@pytest.mark.parametrize("players", PLAYERS)
def test_compiled_and_interpreted_games_are_equal(players: int) -> None:
    """On numpy records, whose small integers overflow where compiled code would not tell."""
    params, slots = anyhow(random.Random(players)), [GREEDY, RANDOM, GREEDY, RANDOM, GREEDY]
    slow = Loop(GAME, GAME.policies, params)
    slow.interpret()
    table = Table(GAME, params, tuple(slots[: params.players]), 1)
    rows = [loop.play(table, 9, 0, 4, Buffers(GAME), loop.new_sums()).tolist() for loop in (slow, zoo.loop())]
    assert rows[0] == rows[1]
