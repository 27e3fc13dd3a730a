"""The largest decks, and lists of options that no buffer holds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from balance.engine.plain import plain_params
from balance.engine.playing import Buffers, Table
from balance.games.kennelmester import GAME, layout
from balance.games.kennelmester.deck import (
    MOST_BREEDS,
    MOST_CHARACTERS,
    MOST_CUSTOMERS,
    MOST_DOGS,
    MOST_EVENTS,
    SEXES,
    TRAITS,
    Deck,
)

from . import kennels
from .kennel_census import Census
from .kennel_scenes import Scene, customer, deck_of, dog, event
from .kennels import RANDOM, RICH, VARIED
from .plays import Moment, Watched

SIZE = (6, "team")
RULES: dict[str, Any] = {**RICH, "start_coins": 99, "event_deck_size": MOST_EVENTS, "hand_limit": 20}


def largest() -> Deck:
    """As many cards of each kind as a deck may have, in as many breeds."""
    chance = random.Random(1)
    dogs = []
    for at in range(MOST_DOGS):
        traits = dict.fromkeys(chance.sample(TRAITS, 2), 6)
        dogs.append(
            dog(f"dog_{at}", SEXES[at // MOST_BREEDS % 2], at % 51, f"breed_{at % MOST_BREEDS}", **traits)
        )
    wishes = [{"trait": trait, "min": 3, "coins": 2, "reputation": 1} for trait in TRAITS]
    customers = [
        customer(
            f"cu_{at}",
            wishes[at % 5],
            wishes[(at + 1) % 5],
            breed=f"breed_{at % MOST_BREEDS}" if at % 2 else None,
        )
        for at in range(MOST_CUSTOMERS)
    ]
    events = [event(f"ev_{at}", traits=TRAITS[at % 3 : at % 3 + 3]) for at in range(MOST_EVENTS)]
    preps = {f"ch_{at}": (at % 3,) for at in range(MOST_CHARACTERS)}
    return deck_of(dogs, customers, events, preps)


def test_the_largest_deck_is_played_with() -> None:
    """Every card is where it should be, breed 63 among them, whose bit is the sign of a word."""
    params = GAME.resolve(SIZE, {**RULES, "round_cap": 8, "team_target": 500}, largest())
    census = Census(params, plain_params(GAME, params))
    watched, count = Watched(GAME, [*GAME.policies, VARIED]), 0

    def watch(moment: Moment) -> None:
        nonlocal count
        count += 1
        if count % 20 == 0:
            census.at_decision(moment)

    watched.watch = watch
    state, _ = watched.play(params, [RANDOM, VARIED] * 3, 1, 0)
    census.at_end(state)
    assert count > 150


@pytest.mark.compiler
def test_it_plays_compiled_as_well() -> None:
    params = GAME.resolve(SIZE, {**RULES, "round_cap": 200}, largest())
    table = Table(GAME, params, (RANDOM,) * 6, 1)
    rows = kennels.loop().play(table, 1, 0, 20, Buffers(GAME), kennels.loop().new_sums())
    assert len(np.unique(rows[3])) > 10


def test_a_list_that_is_too_long_is_counted_and_not_written() -> None:
    """6.3: nothing is written past the room for options, and the number tells that they are too many."""
    females, males = ([f"{letter}_{at}" for at in range(70)] for letter in "fm")
    dogs = [dog(name, "female") for name in females] + [dog(name) for name in males]
    scene = Scene(
        (2, "competitive"), {"sale_deal": "off", "upkeep_divisor": 0}, deck_of([*dogs, dog("more")])
    ).deal()
    for name in [*females, *males]:
        scene.keep(0, name)
    scene.begin()
    assert scene.state.n_mates == 70 * 70
    assert scene.state.options == scene.call(GAME.legal_actions, scene.actions) > layout.MAX_ACTIONS
    assert scene.actions.code[layout.MAX_ACTIONS] == 0
    assert scene.actions.code[layout.MAX_ACTIONS - 1] > 0
