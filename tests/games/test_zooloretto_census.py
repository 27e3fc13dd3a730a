"""Games watched at every decision: nothing is lost, nothing comes out of nowhere, and what is kept is true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from balance.engine.plain import blank, copied, plain_kernel, plain_params
from balance.engine.rng import rng_dtype
from balance.games.zooloretto import GAME
from balance.games.zooloretto.layout import CLASSES, D1_TURN, D2_LOAD, SEAT_STEP
from balance.games.zooloretto.params import ZoolorettoParams
from balance.games.zooloretto.zoo import put_tile

from .plays import Moment, Watched
from .zoo import GREEDY, PLAYERS, RANDOM
from .zoo_census import Census
from .zoo_rule_sets import rule_sets

GAMES, PARTS = 6, 4


@pytest.fixture(scope="module")
def watched() -> Watched:
    return Watched(GAME, GAME.policies)


def count(watched: Watched, params: ZoolorettoParams, slots: list[Any], seed: int, number: int) -> Census:
    """One game with a census."""
    census = Census(params)
    watched.watch, watched.tracer = census.at_decision, census.note
    state, plies = watched.play(params, slots, seed, number)
    census.at_end(state)
    assert plies < GAME.bounds.plies
    return census


@pytest.mark.parametrize("players", PLAYERS)
def test_nothing_is_lost_by_the_official_rules(watched: Watched, players: int) -> None:
    params = ZoolorettoParams.resolve(players)
    taken = [
        count(watched, params, [(RANDOM, GREEDY)[number % 2]] * players, 20, number)
        for number in range(GAMES)
    ]
    assert all(census.official and len(census.drawn) > 5 for census in taken)
    assert all(any(each) for each in zip(*[(census.gone, census.born) for census in taken], strict=True))


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_lost_under_any_rules(watched: Watched, part: int) -> None:
    for number, (players, overrides) in enumerate(rule_sets()[part::PARTS]):
        params = ZoolorettoParams.resolve(players, overrides)
        count(watched, params, ([RANDOM, GREEDY, RANDOM] * 2)[:players], part, number)


# ---------------------------------------------------------------- the census finds what is wrong

CAMEL, CAMEL_M, CAMEL_F, PANDA = (CLASSES.index(name) for name in ("camel", "camel_m", "camel_f", "panda"))
Tampering = Callable[[Any], None]


def lose_a_coin(state: Any) -> None:
    state.bank -= 1


def draw_two(state: Any) -> None:
    state.stock_at += 1


def change_a_face(state: Any) -> None:
    last = state.stock_size - 1
    state.stock[last] = CAMEL if state.stock[last] != CAMEL else PANDA


def forget_a_stall(state: Any) -> None:
    state.barn_stalls[0] += 1


def forget_a_class(state: Any) -> None:
    state.classes[SEAT_STEP] ^= 1 << PANDA


def leave_no_choice(state: Any) -> None:
    state.decision, state.n_draws, state.n_takes = D1_TURN, 0, 0


FAULTS: dict[Tampering, str] = {
    lose_a_coin: "coins",
    draw_two: "tiles",
    change_a_face: "tiles",
    forget_a_stall: "place",
    forget_a_class: "place",
    leave_no_choice: "turn",
}
"""What is done to a state, and who must notice."""


@pytest.mark.parametrize(("tamper", "part"), FAULTS.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_a_fault_is_found(watched: Watched, tamper: Tampering, part: str) -> None:
    params, census, found = ZoolorettoParams.resolve(4), Census(ZoolorettoParams.resolve(4)), 0

    def watch(moment: Moment) -> None:
        nonlocal found
        census.at_decision(moment)
        if found < 20 and moment.state.decision != D2_LOAD:
            state = copied(moment.state)
            tamper(state)
            with pytest.raises(AssertionError):
                check(census, part, state)
            found += 1

    watched.watch, watched.tracer = watch, census.note
    watched.play(params, [RANDOM] * 4, 1, 0)
    assert found == 20


def check(census: Census, part: str, state: Any) -> None:
    if part == "place":
        census.place(state, 0, 0, 0)
        census.place(state, 1, 0, SEAT_STEP)
    else:
        getattr(census, part)(state)


PLACE = 1
"""The smallest enclosure, e4, of the first seat."""
OFFICIAL = ZoolorettoParams.resolve(4)


def with_tiles(overrides: dict[str, Any], *tiles: int) -> Any:
    """A game that begins, with tiles in one enclosure, put there by some rules."""
    params = ZoolorettoParams.resolve(4, overrides)
    state, record = blank(GAME.state_dtype), plain_params(GAME, params)
    plain_kernel(GAME.setup)(state, record, blank(rng_dtype))
    for tile in tiles:
        plain_kernel(put_tile)(state, record, 0, PLACE, tile)
    Census(params).place(state, 0, PLACE, PLACE)
    return state


def test_a_pair_that_has_not_bred_is_found() -> None:
    Census(OFFICIAL).place(with_tiles({}, CAMEL_M, CAMEL_F), 0, PLACE, PLACE)
    with pytest.raises(AssertionError):
        Census(OFFICIAL).place(with_tiles({"offspring": False}, CAMEL_M, CAMEL_F), 0, PLACE, PLACE)


def test_too_many_animals_are_found() -> None:
    Census(OFFICIAL).place(with_tiles({}, *[CAMEL] * 4), 0, PLACE, PLACE)
    with pytest.raises(AssertionError):
        Census(OFFICIAL).place(with_tiles({"enclosure_spaces": [5, 5, 6]}, *[CAMEL] * 5), 0, PLACE, PLACE)


def test_two_species_in_an_enclosure_are_found() -> None:
    state = with_tiles({}, CAMEL, CAMEL)
    Census(OFFICIAL).kept(state, 0, PLACE, PLACE, {CAMEL // 3})
    with pytest.raises(AssertionError):
        Census(OFFICIAL).kept(state, 0, PLACE, PLACE, {CAMEL // 3, PANDA // 3})


def test_a_round_too_short_or_too_long_is_found() -> None:
    """Z-73: from 4 to 12 tiles with four players."""
    for drawn, holds in ([0, 4, 16], True), ([0, 3, 9], False), ([0, 5, 18], False):
        census = Census(ZoolorettoParams.resolve(4))
        census.drawn = drawn
        if holds:
            census.rounds()
        else:
            with pytest.raises(AssertionError):
                census.rounds()
