"""No type of player looks at what it cannot see (section 6.1)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from balance.engine import kernel
from balance.engine.plain import copied, plain_kernel
from balance.engine.playing import policy_kernels
from balance.game import Policy
from balance.games.kennelmester import GAME
from balance.games.kennelmester.bargain import valuation
from balance.games.kennelmester.layout import NONE
from balance.games.kennelmester.lists import legal_actions

from .kennels import RICH
from .plays import Moment, Watched

determinize = plain_kernel(GAME.determinize)
GREEDY = GAME.policy("greedy")
ASKING = {"stud_deal": "ask", "sale_price_rule": "split", "round_cap": 14}
Size = tuple[int, str]
TABLES: list[tuple[Size, dict[str, Any]]] = [
    ((1, "solo"), {}),
    ((3, "competitive"), {}),
    ((4, "competitive"), {**RICH, **ASKING}),
    ((4, "team"), {"start_dogs": 2, **ASKING}),
]


def hidden_made_different(moment: Moment, chance: random.Random) -> Any:
    """A copy of the state in which all that the seat cannot see is dealt anew."""
    state, rng = copied(moment.state), copied(moment.rng)
    rng.key_1, rng.key_2, rng.moment = (np.uint64(chance.getrandbits(64)) for _ in range(3))
    determinize(state, moment.params, state.seat, rng)
    state.stale = moment.state.stale
    return state


def differences(policy: Policy, size: Size, overrides: dict[str, Any], player: Policy) -> tuple[int, int]:
    """How many decisions there were in a game of a player, and how often a policy would choose otherwise if only hidden
    things differed."""
    watched, chance, counts = Watched(GAME, [policy]), random.Random(5), [0, 0]
    kind, params = policy_kernels(GAME, [policy]).index(policy.choose), GAME.resolve(size, overrides)

    def decide(moment: Moment, state: Any) -> tuple[int, list[int]]:
        actions = copied(moment.actions)
        listed = watched.legal_actions(state, moment.params, actions)
        options = [actions.code[at] for at in range(listed)]
        arguments = (state, moment.params, moment.weights, copied(moment.rng), actions)
        return watched.choose(kind, *arguments), options

    def watch(moment: Moment) -> None:
        counts[0] += 1
        usual = decide(moment, copied(moment.state))
        counts[1] += usual != decide(moment, hidden_made_different(moment, chance))

    watched.watch = watch
    watched.play(params, [player] * params.players, 3, 0)
    return counts[0], counts[1]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0]}")
@pytest.mark.parametrize("policy", GAME.policies[1:], ids=lambda policy: policy.id)
def test_players_are_honest(policy: Policy, table: tuple[Size, dict[str, Any]]) -> None:
    decisions, different = differences(policy, *table, policy)
    assert decisions > 40
    assert different == 0


@kernel
def looks_at_the_decks(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: the top card of the first breed decides."""
    n = legal_actions(state, params, actions)
    return actions.code[state.deck[max(state.deck_size[0] - 1, 0)] % n]


@kernel
def looks_at_the_events(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: the next event decides."""
    n = legal_actions(state, params, actions)
    return actions.code[state.event_deck[state.event_at] % n]


@kernel
def looks_into_hands(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: the first card of the next player's hand decides."""
    n, other = legal_actions(state, params, actions), (state.seat + 1) % params.players
    return actions.code[state.hand[other, 0] % n]


@kernel
def looks_at_pups(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: the last dog of the next player's kennel decides, pup or not."""
    n, dog = legal_actions(state, params, actions), state.last_dog[(state.seat + 1) % params.players]
    return actions.code[dog % n if dog != NONE else 0]


@kernel
def weighs_others_hands(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: what its first dog is worth to the next player decides, whose hand is part of that."""
    n, dog = legal_actions(state, params, actions), state.first_dog[state.seat]
    if dog == NONE:
        return actions.code[0]
    return actions.code[valuation(state, params, (state.seat + 1) % params.players, dog) // 1000 % n]


CHEATS = [looks_at_the_decks, looks_at_the_events, looks_into_hands, looks_at_pups, weighs_others_hands]


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_cheats_are_caught(cheat: Any) -> None:
    _, different = differences(Policy("cheat", "Cheat", "Cheats.", cheat), (4, "competitive"), {}, GREEDY)
    assert different > 20
