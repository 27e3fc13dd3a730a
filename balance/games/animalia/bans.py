"""What a player of Animalia can be forbidden to choose: kinds of cards, sets, powers and covers."""

from types import MappingProxyType
from typing import Any

from balance.engine import kernel
from balance.game import Bans
from balance.games.animalia.cards import size_of
from balance.games.animalia.layout import (
    COLLECTION_STEP,
    COLLECTIONS,
    COUNT_OWL,
    COVER,
    D2_OTHER,
    D3_FORCED,
    D5_THIEF,
    FAMILY_MASK,
    GIVE,
    HOLD_BACK,
    KIND,
    KIND_AT,
    N_KINDS,
    NOWHERE,
    PASS,
    STEAL,
    STOP,
    USE,
)
from balance.games.animalia.measures import POWERS, absent_cards, absent_powers
from balance.games.animalia.params import KINDS
from balance.games.animalia.powers import may_be_robbed

VERBS = {"thief": "steal", "spy": "spy out", "trickster": "give away"}
"""What is done with the powers, in their order; the cards have their names."""
KEEPING, PASSING, POWER, COVERING = N_KINDS, N_KINDS + 1, N_KINDS + 2, N_KINDS + 2 + len(POWERS)
"""The bits of actions; a kind of card has its place among KINDS."""


@kernel
def concerns(state, params, action):
    """Keeping a set is about the kinds of its cards, stealing about the kind of the card."""
    if action == PASS:
        return 1 << PASSING
    if action < STOP:
        return 1 << KEEPING | kinds_in(state.set_word)
    if USE <= action < HOLD_BACK:
        return 1 << (POWER + action - USE)
    if COVER <= action < COUNT_OWL:
        return 1 << COVERING
    if STEAL <= action < GIVE:
        at = action - STEAL
        return 1 << KIND[state.cards[at // COLLECTION_STEP, at % COLLECTION_STEP]]
    return 0


@kernel
def kinds_in(word):
    """The kinds of cards in a set, as a bit mask."""
    found = 0
    for kind in range(N_KINDS):
        found |= (word >> KIND_AT[kind] & FAMILY_MASK != 0) << kind
    return found


@kernel
def withhold(state, params, names):
    """Passing is no option, powers cannot be used, and no card of these kinds is there to be stolen."""
    if state.decision <= D2_OTHER:
        if names >> PASSING & 1:
            state.decision = D3_FORCED
    elif state.decision == D5_THIEF:
        for collection in range(COLLECTIONS):
            if may_be_robbed(state, params, collection):
                disguise(state, collection, names)
    else:
        state.usable &= ~(names >> POWER)


@kernel
def disguise(state, collection, names):
    """Cards of these kinds look like another card of the collection; if it has no other, it looks empty."""
    other, size = NOWHERE, size_of(state.word[collection])
    for place in range(size):
        if names >> KIND[state.cards[collection, place]] & 1 == 0:
            other = place
    if other == NOWHERE:
        state.word[collection] = 0
        return
    for place in range(size):
        if names >> KIND[state.cards[collection, place]] & 1:
            state.cards[collection, place] = state.cards[collection, other]


def _names() -> dict[str, str]:
    found = {kind: f"to keep a set with a card of the kind {kind}, or to steal one" for kind in KINDS}
    found |= {"owl": "to keep a set with the owl, or to steal it"}
    found |= {"keep": "to keep a set", "pass": "to pass a set on"}
    found |= {VERBS[power]: f"to use the power of the {power}" for power in POWERS}
    return found | {"cover": "to cover a card with a bonus card"}


def absent(params: Any) -> tuple[str, ...]:
    """Cards and powers that these rules leave out."""
    return *absent_cards(params), *(VERBS[power] for power in absent_powers(params))


BANS = Bans(MappingProxyType(_names()), concerns, withhold, absent)
