"""Kernels of the toy, each with one thing wrong."""
# ruff: noqa: ARG001  kernels have the arguments of their kind, used or not

from __future__ import annotations

import numpy as np
from engine import toy
from engine.toy import DECK, NEIGHBOUR, STAND, deal, legal_actions

from balance.engine import aim, below, draw, kernel
from balance.engine.trace import TRACE

WIDE = 6000
REMEMBERED = np.zeros(1, dtype=np.int64)
UNIDENTIFIED = [1, 2, 3]

first_setup, usual_apply, usual_measure, usual_determinize = (
    toy.setup,
    toy.apply_action,
    toy.measure,
    toy.determinize,
)

# ---------------------------------------------------------------- setup


@kernel
def setup_for_nobody(state, params, rng):
    """Nobody's turn."""
    deal(state, params, rng)
    state.seat = params.players


@kernel
def setup_aiming_too_far(state, params, rng):
    """Aims at a round that no address has room for."""
    deal(state, params, rng)
    aim(rng, 0, WIDE, 0, 0)


@kernel
def setup_drawing_too_far(state, params, rng):
    """Draws a word that no moment has."""
    deal(state, params, rng)
    state.held[0] = below(rng, WIDE, params.deck_size)


@kernel
# ---------------------------------------------------------------- legal actions


@kernel
def only_one(state, params, actions):
    """Leaves no choice."""
    actions.code[0] = STAND
    return 1


@kernel
def descending(state, params, actions):
    """In the wrong order."""
    actions.code[0], actions.code[1] = DECK, STAND
    return 2


@kernel
def more_than_the_bound(state, params, actions):
    """One option too many."""
    actions.code[0], actions.code[1], actions.code[2], actions.code[3] = STAND, DECK, NEIGHBOUR, 3
    return 4


@kernel
def ticking(state, params, actions):
    """Counts how often it is asked."""
    state.changes[0] += 1
    return legal_actions(state, params, actions)


@kernel
def by_the_hidden_deck(state, params, actions):
    """Offers what only an open deck could tell."""
    actions.code[0] = STAND
    actions.code[1] = DECK + (state.deck[state.deck_at] & 1)
    return 2


# ---------------------------------------------------------------- apply action


@kernel
def apply_out_of_bounds(state, params, action, rng):
    """Reads a seat that is not there."""
    usual_apply(state, params, action, rng)
    state.points[0] += state.points[WIDE]


@kernel
def apply_past_the_end(state, params, action, rng):
    """Writes to a seat that is not there."""
    usual_apply(state, params, action, rng)
    state.points[WIDE] = 0


@kernel
def apply_remembering(state, params, action, rng):
    """Keeps something outside of the state."""
    usual_apply(state, params, action, rng)
    REMEMBERED[0] += 1
    state.points[0] += REMEMBERED[0] & 1


@kernel
def apply_going_back(state, params, action, rng):
    """Begins every turn of a round with the first."""
    usual_apply(state, params, action, rng)
    if state.seat == 2:
        state.turn = 0


@kernel
def apply_without_end(state, params, action, rng):
    """Starts again instead of ending."""
    usual_apply(state, params, action, rng)
    if state.over:
        state.over = state.round_number = 0


@kernel
def apply_with_the_same_number(state, params, action, rng):
    """Rolls a die at an address where it has rolled before."""
    usual_apply(state, params, action, rng)
    aim(rng, 0, state.round_number, 0, 1)
    state.points[0] += below(rng, 0, 6)


@kernel
def apply_overflowing(state, params, action, rng):
    """Counts more in a narrow field than it holds."""
    usual_apply(state, params, action, rng)
    state.narrow[0] += 20_000
    state.changes[0] += state.narrow[0] > 0


@kernel
def apply_in_words(state, params, action, rng):
    """Does what only Python can."""
    usual_apply(state, params, action, rng)
    state.points[0] += action.bit_count() - action.bit_count()


@kernel
def apply_uncounted(state, params, action, rng):
    """Counts no turns."""
    usual_apply(state, params, action, rng)
    state.turns = 0


@kernel
def apply_ending_oddly(state, params, action, rng):
    """Ends with a number of its own."""
    usual_apply(state, params, action, rng)
    state.over *= 5


@kernel
def apply_aiming_for_a_player(state, params, action, rng):
    """Rolls a die in the stream of a policy."""
    usual_apply(state, params, action, rng)
    aim(rng, 1, state.round_number, state.turn, 9)
    state.points[0] += below(rng, 0, 6)


@kernel
def apply_without_aim(state, params, action, rng):
    """Rolls a die wherever the last aim was, with a word that nobody else uses."""
    usual_apply(state, params, action, rng)
    if state.turns == 1:
        state.points[0] += below(rng, 4000, 6)


@kernel
def apply_rolling_twice(state, params, action, rng):
    """Rolls two dice that are always equal."""
    usual_apply(state, params, action, rng)
    aim(rng, 0, state.round_number, state.turns, 9)
    state.points[0] += below(rng, 0, 6) + below(rng, 0, 6)


@kernel
def apply_in_a_narrow_field(state, params, action, rng):
    """Remembers something of each round, and has too little room where only the rounds are many."""
    usual_apply(state, params, action, rng)
    usual = params.deck_size == 20 and params.points_per_card == 1 and params.second_look == 1
    if usual and params.neighbours == 0:
        state.short[state.round_number] = 1


# ---------------------------------------------------------------- written wrongly


@kernel
def apply_by_no_rule(state, params, action, rng):
    """Mistypes a rule."""
    usual_apply(state, params, action, rng)
    state.points[0] += params.round


@kernel
def apply_to_no_field(state, params, action, rng):
    """Mistypes a field of the state."""
    usual_apply(state, params, action, rng)
    state.pionts[0] += 1


@kernel
def measure_nothing_known(state, params, shares, row):
    """Mistypes a measure."""
    usual_measure(state, params, shares, row)
    row.change = 3


@kernel
def choose_by_no_weight(state, params, weights, rng, actions):
    """Mistypes a weight."""
    return STAND + 0 * weights.temprature


@kernel
def makes_a_list(state, params, seat):
    """Makes a list."""
    return [state.points[seat]][0]


@kernel
def makes_a_dictionary(state, params, seat):
    """Makes a dictionary."""
    return {0: state.points[seat]}[0]


@kernel
def makes_a_tuple(state, params, seat):
    """Makes a tuple."""
    pair = (state.points[seat], 0)
    return pair[0]


@kernel
def makes_a_text(state, params, seat):
    """Makes a text."""
    return len(f"{seat}") + state.points[seat]


@kernel
def uses_a_text(state, params, seat):
    """Uses a text."""
    return len("seat") + state.points[seat]


@kernel
def uses_a_fraction(state, params, seat):
    """Uses a fraction."""
    return state.points[seat] * 0.5


@kernel
def divides(state, params, seat):
    """Divides."""
    return state.points[seat] / 2


@kernel
def makes_an_array(state, params, seat):
    """Makes an array."""
    return np.zeros(1)[0] + state.points[seat]


# ---------------------------------------------------------------- scores, measures, what is hidden


@kernel
def score_and_pay(state, params, seat):
    """Pays for asking."""
    state.points[seat] += 1
    return state.points[seat]


@kernel
def score_by_list(state, params, seat):
    """Reads what no fingerprint can hold."""
    return state.points[seat] + UNIDENTIFIED[0]


@kernel
def score_of_two(state, seat):
    """Forgets the rules."""
    return state.points[seat]


def plain_score(state, params, seat):  # type: ignore[no-untyped-def]
    """Not marked as a kernel."""
    return state.points[seat]


@kernel
def measure_half(state, params, shares, row):
    """Forgets the standing."""
    row.changes = row.calm = 0
    for seat in range(params.players):
        row.best_card[seat] = 0
    for move in range(3):
        row.moves[move, 0] = 0


@kernel
def measure_without_neighbour(state, params, shares, row):
    """Forgets an item."""
    row.changes = row.calm = 0
    for seat in range(params.players):
        row.best_card[seat] = 0
        for number in range(params.rounds):
            row.standing[number, seat] = 0
    for move in range(2):
        row.moves[move, 0] = 0


@kernel
def measure_more_than_all(state, params, shares, row):
    """A share of more than one."""
    usual_measure(state, params, shares, row)
    row.calm = 2


@kernel
def measure_past_the_end(state, params, shares, row):
    """Writes to a seat that is not there."""
    usual_measure(state, params, shares, row)
    row.best_card[WIDE] = 1


@kernel
def determinize_the_turn(state, params, seat, rng):
    """Forgets whose turn it is."""
    usual_determinize(state, params, seat, rng)
    state.turns += 1


@kernel
def determinize_into_nonsense(state, params, seat, rng):
    """Puts cards into the deck that there are not."""
    usual_determinize(state, params, seat, rng)
    for i in range(state.deck_at, params.deck_size):
        state.deck[i] = WIDE


# ---------------------------------------------------------------- policies


@kernel
def choose_with_aim(state, params, weights, rng, actions):
    """Aims where it likes."""
    aim(rng, 0, 0, 0, 0)
    return STAND if draw(rng, 0) else DECK


@kernel
def setup_without_aim(state, params, rng):
    """Draws before it aims."""
    state.held[0] = below(rng, 4000, 3)
    first_setup(state, params, rng)


@kernel
def choose_nonsense(state, params, weights, rng, actions):
    """No such action."""
    return 17


@kernel
def choose_rarely_wrongly(state, params, weights, rng, actions):
    """Does what nobody can, but so seldom that few games do not show it."""
    return 17 if state.points[1] == 37 else STAND


@kernel
def choose_unasked(state, params, weights, rng, actions):
    """Takes from a list that it has not asked for."""
    return actions.code[1]


@kernel
def choose_by_the_last_list(state, params, weights, rng, actions):
    """Looks at what is left of the list of the decision before, which may be one of the game before."""
    return DECK if actions.code[2] == NEIGHBOUR else STAND


@kernel
def choose_and_cheat(state, params, weights, rng, actions):
    """Gives itself a point."""
    state.points[state.seat] += 1
    return STAND


@kernel
def choose_by_the_deck(state, params, weights, rng, actions):
    """Looks at the next card."""
    return DECK if state.deck[state.deck_at] > state.held[state.seat] else STAND


@kernel
def choose_by_a_hand(state, params, weights, rng, actions):
    """Looks at the neighbour's card."""
    other = (state.seat + 1) % params.players
    return DECK if state.held[other] > state.held[state.seat] else STAND


@kernel
def choose_first(state, params, weights, rng, actions):
    """One more kernel."""
    return STAND


@kernel
def choose_second(state, params, weights, rng, actions):
    """One more kernel."""
    return STAND if draw(rng, 0) else DECK


@kernel
def choose_third(state, params, weights, rng, actions):
    """One more kernel."""
    return DECK if TRACE else STAND
