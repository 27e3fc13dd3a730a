"""What the game counted, written into its row; `measures` says what each number is."""

from balance.engine import kernel
from balance.games.zooloretto.layout import (
    BUYS,
    CURVE_ROUNDS,
    DISCARDS,
    EXCHANGES,
    MONEY,
    MOVES,
    N_ACTIONS,
    N_PLACES,
    PUMPED,
    SEAT_STEP,
    TILE_GROUPS,
)
from balance.games.zooloretto.params import MOST_SLOTS
from balance.games.zooloretto.scoring import enclosure_points, penalty, stall_points

N_GROUPS = len(TILE_GROUPS)


@kernel
def measure(state, params, shares, row):
    """What the game counted. `shares`: each seat's part of the win, in sixtieths."""
    row.most_money_actions = state.most_money_in_round
    row.tiles_lost = state.tiles_lost
    for seat in range(params.players):
        row.pumped |= was_pumped(state, seat)
        measure_seat(state, params, seat, row)
        measure_standing(state, seat, row)
        if shares[seat] > 0:
            measure_winner(state, seat, shares[seat], row)
    for action in range(N_ACTIONS):
        row.actions[action, 0] = state.offered_actions[action]
        for seat in range(params.players):
            row.actions[action, 1] += times_used(state, seat, action)
    for group in range(N_GROUPS):
        row.tiles[group, 0] = state.drawn_tiles[group]
        for seat in range(params.players):
            row.tiles[group, 1] += state.tiles_of[seat, group]
    for size in range(1, MOST_SLOTS + 1):
        row.trucks[size - 1, 0] = state.truck_counts[size, 0]
        row.trucks[size - 1, 1] = state.truck_counts[size, 1]


@kernel
def was_pumped(state, seat):
    """3.1: whether coins were due for one enclosure of a seat more than three times."""
    for place in range(1, N_PLACES):
        if state.fills[seat * SEAT_STEP + place] > PUMPED:
            return 1
    return 0


@kernel
def times_used(state, seat, action):
    """How often a seat used a turn for an action."""
    return state.money_taken[seat, action - MONEY] if action >= MONEY else state.used_actions[seat, action]


@kernel
def measure_seat(state, params, seat, row):
    """What one seat scored and did."""
    row.enclosures[seat] = enclosure_points(state, params, seat)
    row.stalls[seat] = stall_points(state, params, seat)
    row.barn[seat] = -penalty(state, params, seat)
    row.expansions[seat] = state.expanded[seat]
    row.moves[seat] = state.money_taken[seat, MOVES]
    row.exchanges[seat] = state.money_taken[seat, EXCHANGES]
    row.purchases[seat] = state.money_taken[seat, BUYS]
    row.discards[seat] = state.money_taken[seat, DISCARDS]
    row.spent[seat] = state.spent[seat]
    row.coins[seat] = state.coins[seat]
    row.births[seat] = state.births[seat]
    row.tiles_taken[seat] = 0
    for group in range(N_GROUPS):
        row.tiles_taken[seat] += state.tiles_of[seat, group]


@kernel
def measure_standing(state, seat, row):
    """The score after each round."""
    for number in range(min(state.round_number, CURVE_ROUNDS)):
        row.standing[number, seat] = state.standing[number, seat]


@kernel
def measure_winner(state, seat, share, row):
    """What a winner used and took, by his part of the win."""
    for action in range(N_ACTIONS):
        row.actions[action, 2] += share * times_used(state, seat, action)
    for group in range(N_GROUPS):
        row.tiles[group, 2] += share * state.tiles_of[seat, group]
    for size in range(1, MOST_SLOTS + 1):
        row.trucks[size - 1, 2] += share * state.trucks_of[seat, size]
