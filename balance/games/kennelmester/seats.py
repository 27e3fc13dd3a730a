"""1.6, 2.10: coins and reputation of a side, and the end of a game that a side's reputation brings."""

import numpy as np

from balance.engine import CAPPED_OVER, LOST_OVER, kernel
from balance.games.kennelmester.bits import LOWEST
from balance.games.kennelmester.layout import CURVE_ROUNDS, R_CAP, R_TARGET
from balance.games.kennelmester.params import SOLO


@kernel(inline=True)
def coins_of(state, params, seat):
    """The coins of a seat's side (K-95)."""
    return state.coins[params.side[seat]]


@kernel(inline=True)
def earn(state, params, seat, coins):
    """A seat's side gets coins, or pays where they are negative."""
    state.coins[params.side[seat]] += coins


@kernel(inline=True)
def are_partners(params, seat, other):
    """Whether two seats are of one side."""
    return params.side[seat] == params.side[other]


@kernel
def score(state, params, seat):
    """K-91, K-95: the reputation of a seat's side."""
    total, others = state.reputation[seat], params.partners[seat]
    while others != 0:
        total += state.reputation[LOWEST[others]]
        others &= others - 1
    return total


@kernel
def tiebreak(state, params, seat):
    """K-92: coins, if they are to decide."""
    return coins_of(state, params, seat) if params.tie_break else 0


@kernel
def record_round(state, params):
    """For the curves: reputation and coins of each side after the round; the round is over."""
    number = state.round_number
    if number < CURVE_ROUNDS:
        for seat in range(params.players):
            state.standing[number, seat] = score(state, params, seat)
            state.purse[number, seat] = coins_of(state, params, seat)
    state.round_number = number + 1


@kernel
def end_game(state, params, reason):
    """K-92, K-93, K-98: the game is over, and ranked; a solo game may have missed its goal."""
    state.reason = reason
    state.over = CAPPED_OVER if reason == R_CAP else 1
    if params.mode == SOLO and state.reputation[0] < params.solo_target:
        state.over = LOST_OVER


@kernel(inline=True)
def end_at_once(state, params, seat):
    """K-90, K-96: with end_check = "immediate" a side that reaches the target ends the game."""
    if params.ends_at_once and score(state, params, seat) >= params.target:
        record_round(state, params)
        end_game(state, params, np.int64(R_TARGET))
