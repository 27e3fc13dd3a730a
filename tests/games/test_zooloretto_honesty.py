"""No policy looks at what nobody can see (section 5.1), and `determinize` hides exactly that; species are alike."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance.engine import kernel
from balance.engine.plain import copied, plain_kernel
from balance.experiment.replay import replay
from balance.game import Policy
from balance.games.zooloretto import GAME
from balance.games.zooloretto.lists import legal_actions
from balance.games.zooloretto.params import SPECIES, ZoolorettoParams

from . import zoo
from .plays import Moment, Watched
from .zoo import PLAYERS, RANDOM

determinize = plain_kernel(GAME.determinize)


def redealing(rng: Any, chance: random.Random) -> Any:
    """Random numbers that have nothing to do with the game's."""
    other = copied(rng)
    other.key_1, other.key_2, other.moment = (np.uint64(chance.getrandbits(64)) for _ in range(3))
    return other


def hidden_made_different(moment: Moment, chance: random.Random) -> Any:
    """A copy of the state in which all that nobody can see is something else, and the past is forgotten."""
    state = copied(moment.state)
    determinize(state, moment.params, state.seat, redealing(moment.rng, chance))
    for at in [*range(state.stock_at), *range(state.stock_size, 320)]:
        state.stock[at] = chance.randrange(43)
    for slot in range(8):
        if not state.slots_left >> slot & 1:
            state.hand[slot] = chance.randrange(42)
    return state


def differences(policy: Policy, params: ZoolorettoParams, games: int) -> tuple[int, int]:
    """How many decisions a policy made, and how often it chose otherwise when only hidden things differed."""
    watched, chance, counts = Watched(replace(GAME, policies=(policy,)), [policy]), random.Random(5), [0, 0]

    def decide(moment: Moment, state: Any) -> tuple[int, list[int]]:
        actions, rng = copied(moment.actions), copied(moment.rng)
        listed = watched.legal_actions(state, moment.params, actions)
        options = [actions.code[i] for i in range(listed)]
        return watched.choose(0, state, moment.params, moment.weights, rng, actions), options

    def watch(moment: Moment) -> None:
        counts[0] += 1
        counts[1] += decide(moment, copied(moment.state)) != decide(
            moment, hidden_made_different(moment, chance)
        )

    watched.watch = watch
    for number in range(games):
        watched.play(params, [policy] * params.players, 3, number)
    return counts[0], counts[1]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("policy", GAME.policies, ids=lambda policy: policy.id)
def test_policies_are_honest(policy: Policy, players: int) -> None:
    decisions, different = differences(policy, ZoolorettoParams.resolve(players), games=2)
    assert decisions > 200
    assert different == 0


@kernel
def looks_at_the_stock(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: the next tile decides."""
    n = legal_actions(state, params, actions)
    return actions.code[state.stock[state.stock_at] % n]


@kernel
def looks_at_the_end_stack(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: the last tile of the end stack decides."""
    n = legal_actions(state, params, actions)
    return actions.code[state.stock[state.stock_size - 1] % n]


@kernel
def looks_into_the_past(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: reads tiles where they lay before they were drawn."""
    n = legal_actions(state, params, actions)
    return actions.code[state.stock[0] % n]


@pytest.mark.parametrize("cheat", [looks_at_the_stock, looks_at_the_end_stack, looks_into_the_past])
def test_cheats_are_caught(cheat: Any) -> None:
    _, different = differences(
        Policy("cheat", "Cheat", "Cheats.", cheat), ZoolorettoParams.resolve(4), games=1
    )
    assert different > 20


def test_determinize_reshuffles_the_unseen_tiles_and_nothing_else() -> None:
    """Main stock and end stack together, every order alike: each unseen tile comes to each place equally often."""
    chance, first = random.Random(1), Counter()
    done = 0

    def watch(moment: Moment) -> None:
        nonlocal done
        state = moment.state
        again = copied(state)
        determinize(again, moment.params, state.seat, redealing(moment.rng, chance))
        assert zoo.in_stock(again) == zoo.in_stock(state)
        for name in state.__slots__:
            if name != "stock":
                assert getattr(again, name) == getattr(state, name), name
        assert all(again.stock[at] == state.stock[at] for at in range(state.stock_at))
        done += 1
        if done == 30:  # one position, many deals
            for _ in range(3000):
                determinize(again, moment.params, 0, redealing(moment.rng, chance))
                first[again.stock[state.stock_size - 1]] += 1
            for tile, number in zoo.in_stock(state).items():
                expected = 3000 * number / (state.stock_size - state.stock_at)
                assert abs(first[tile] - expected) < 5 * expected**0.5

    watched = Watched(GAME, GAME.policies)
    watched.watch = watch
    watched.play(ZoolorettoParams.resolve(3), [RANDOM] * 3, 1, 0)
    assert first


# ---------------------------------------------------------------- species


def test_species_are_removed_evenly() -> None:
    removed, games = Counter(), 400
    params = ZoolorettoParams.resolve(3)
    setup = plain_kernel(GAME.setup)
    from balance.engine.plain import blank, plain_params
    from balance.engine.rng import rng_dtype, seed_table

    for block in range(games):
        state, rng = blank(GAME.state_dtype), blank(rng_dtype)
        plain_kernel(seed_table)(rng, np.uint64(1), block)
        setup(state, plain_params(GAME, params), rng)
        gone = [SPECIES[at] for at in range(8) if state.removed >> at & 1]
        assert len(gone) == 2
        removed.update(gone)
    assert set(removed) == set(SPECIES[:8])
    assert all(abs(number - games / 4) < 5 * (games * 3 / 16) ** 0.5 for number in removed.values())


@pytest.mark.parametrize("policy", GAME.policies[:2], ids=lambda policy: policy.id)
def test_no_species_is_preferred(policy: Policy) -> None:
    """With all species in play each fills enclosures equally often: policies do not go by the canonical order."""
    params, held = ZoolorettoParams.resolve(5), []
    for number in range(60):
        zoos = replay(GAME, params, [policy] * 5, 1, 1, number).events[-1]["zoos"]
        counts: Counter[str] = Counter()
        for one in zoos:
            for place, tiles in one["places"].items():
                for tile, n in tiles.items():
                    if place != "barn":
                        counts[tile.removesuffix("_m").removesuffix("_f")] += n
        held.append([counts[species] for species in SPECIES[:8]])
    numbers = np.array(held)
    error = numbers.std(axis=0, ddof=1) / len(numbers) ** 0.5
    assert (abs(numbers.mean(axis=0) - numbers.mean()) < 4 * error).all()
