"""How simulated players of Kennelmester choose: at random, or by weighing what a person at the table would look at."""

from types import MappingProxyType

import numpy as np

from balance.engine import below, draw, kernel, prefers
from balance.game import Policy
from balance.games.kennelmester.choosing import option
from balance.games.kennelmester.contending import further_entry
from balance.games.kennelmester.dealing import best_disposal, consent, worth_of_card, worth_of_customer
from balance.games.kennelmester.layout import (
    D1_START,
    D2_ACTION,
    D3_ENTER_MORE,
    D4_BONUS,
    D5_DISCARD,
    D6_CONSENT,
    D7_DISPOSE,
    DISCARD_CUSTOMER,
    DISCARD_DOG,
    FIRST_CUSTOMER,
    NONE,
    PASS,
    START_BREED,
)
from balance.games.kennelmester.pairing import propose_mating
from balance.games.kennelmester.steps import code_of
from balance.games.kennelmester.weighing import best_action
from balance.games.kennelmester.worth import (
    IDLE,
    IDLE_STEP,
    LOWEST,
    N_IDLE,
    look_at_kennel,
    merit,
    note_money,
    weighed,
)


@kernel(inline=True)
def choose_random(state, params, weights, rng, actions):
    """6.5: each option with the same probability."""
    return option(state, params, below(rng, 0, state.options))


@kernel(inline=True)
def choose_greedy(state, params, weights, rng, actions):
    """The option worth most by the weights, with noise."""
    if state.decision == D2_ACTION or state.decision == D4_BONUS:
        return best_action(state, params, weights, rng, actions)
    if state.decision == D3_ENTER_MORE:
        return further_entry(state, params, weights, rng, actions)
    return choose_rarely(state, params, weights, rng, actions)


@kernel
def choose_rarely(state, params, weights, rng, actions):
    """D-1 and D-5 to D-8."""
    if state.decision == D1_START:
        return best_breed(state, params, weights, rng)
    if state.decision == D6_CONSENT:
        return consent(state, params)
    note_money(state, params, weights, actions)
    look_at_kennel(state, params, actions)
    if state.decision == D5_DISCARD:
        return best_discard(state, params, weights, rng, actions)
    if state.decision == D7_DISPOSE:
        return best_disposal(state, params, weights, rng, actions)
    actions.code[N_IDLE + 1], actions.code[IDLE + IDLE_STEP] = 1, state.mother
    code, worth = propose_mating(state, params, weights, rng, actions)
    return code if code != NONE and prefers(worth, weights.temperature, rng) else np.int64(PASS)


@kernel
def best_breed(state, params, weights, rng):
    """D-1: the breed whose cards have most of what events ask for, with an eye on who else has dogs of it."""
    best, found, bits = LOWEST, np.int64(NONE), draw(rng, 0)
    for breed in range(params.n_breeds):
        if state.deck_size[breed] > 0:
            worth = weights.start * merit(params.breed_dice[breed], state.ahead) >> 4
            for seat in range(params.players):
                dog = state.first_dog[seat]
                if dog != NONE and params.pile_of[dog] == breed:
                    worth += weights.company
            value = weighed(weights, worth, np.int64(breed), bits, rng)
            if value > best:
                best, found = value, np.int64(breed)
    return code_of(START_BREED, found, 0)


@kernel
def best_discard(state, params, weights, rng, actions):
    """D-5: the card that is worth least."""
    best, found, bits, seat = LOWEST, np.int64(NONE), draw(rng, 0), state.acting
    for at in range(state.hand_size[seat]):
        card = np.int64(state.hand[seat, at])
        if card < FIRST_CUSTOMER:
            code, worth = code_of(DISCARD_DOG, card, 0), worth_of_card(state, params, weights, card, actions)
        else:
            code = code_of(DISCARD_CUSTOMER, card - FIRST_CUSTOMER, 0)
            worth = worth_of_customer(params, weights, card - FIRST_CUSTOMER, actions)
        value = weighed(weights, -worth, np.int64(at), bits, rng)
        if value > best:
            best, found = value, code
    return found


WEIGHTS = MappingProxyType(
    {
        "prize": 110,
        "rivals": 16,
        "enough": 120,
        "hire": 0,
        "coin": 45,
        "plenty": 3,
        "save": 80,
        "champion": 16,
        "second": 8,
        "pup": 0,
        "pair": 900,
        "search": 320,
        "stud": 0,
        "upkeep": 8,
        "kennel": 0,
        "market": 30,
        "start": 12,
        "company": -4,
    }
)
MEANINGS = MappingProxyType(
    {
        "prize": "For each point of reputation, as far as it can be expected.",
        "rivals": "What each player whose turn is to come takes from the chance to win an event, in 1024ths.",
        "enough": "From this worth on an entry, a mating or a sale is good enough, and nothing else is looked at.",
        "hire": "What it costs, beside the coins, to hire another player for help.",
        "coin": "For each coin, when there are none.",
        "plenty": "How much less a coin is worth for each coin that there is: 0 hoards.",
        "save": "For taking coins when a dog of the hand is wanted that cannot be paid.",
        "champion": "For each die that the best dog can be expected to roll more in an event to come.",
        "second": "For each such die of the second-best dog.",
        "pup": "For each pup that a mating can be expected to bring, besides.",
        "pair": "For having both sexes of a breed in the kennel.",
        "search": "For drawing a dog that could complete such a pair.",
        "stud": "What it costs, beside the coins, to use the male of another player.",
        "upkeep": "What each coin of upkeep costs that another dog adds in a turn.",
        "kennel": "Dogs that are kept; for each further one a customer is wanted in the hand.",
        "market": "For drawing a customer, in sixteenths of a coin.",
        "start": "For the dice that a starting breed has on average, in all events together.",
        "company": "For each dog of a starting breed that others have.",
    }
)


def character(name: str, what: str, temperature: int = 0, **weights: int) -> Policy:
    """A player like greedy but for some of the weights."""
    own = MappingProxyType({**WEIGHTS, **weights})
    return Policy(name, name.capitalize(), what, choose_greedy, own, temperature, MEANINGS)


POLICIES = (
    Policy(
        "random",
        "Random",
        "Takes each legal option with the same probability; a floor, not a player.",
        choose_random,
    ),
    character(
        "greedy",
        "Weighs entries, matings, trades and coins as a careful player would, one decision at a time.",
    ),
    character("beginner", "Wants what greedy wants, but often overlooks the better option.", 25, enough=1000),
    character(
        "worker",
        "Works for coins and keeps them, where others breed and enter.",
        coin=75,
        plenty=1,
        market=20,
    ),
    character(
        "breeder",
        "Breeds for better dogs, round after round, whatever the upkeep.",
        champion=22,
        second=14,
        pup=30,
        upkeep=0,
    ),
    character(
        "trader",
        "Breeds for customers: draws many of them, and sells whatever somebody takes.",
        prize=64,
        enough=170,
        champion=9,
        second=3,
        pup=12,
        kennel=-1,
        market=44,
    ),
    character(
        "competitor",
        "Lives for the events: enters whatever may win, whoever else is there.",
        prize=200,
        rivals=10,
        pup=0,
    ),
)
