"""What the game counted, written into its row; `measures` says what each number is."""

from balance.engine import kernel
from balance.games.kennelmester.layout import (
    A_BIRTH,
    A_COIN,
    A_DRAW_CUSTOMER,
    A_DRAW_DOG,
    A_ENTER,
    A_MATE,
    A_TRADE,
    CURVE_ROUNDS,
    DEALS,
    GENERATIONS,
    HALF,
    N_KINDS,
    N_TYPES,
    R_CAP,
    R_EVENTS,
    R_TARGET,
)
from balance.games.kennelmester.params import MOST_PUPS

N_DEALS = len(DEALS)
HALF_MASK = (1 << HALF) - 1


@kernel
def measure(state, params, shares, row):
    """What the game counted. `shares`: each seat's part of the win, in sixtieths."""
    row.by_target = state.reason == R_TARGET
    row.by_events = state.reason == R_EVENTS
    row.by_cap = state.reason == R_CAP
    row.unwon_events = state.unwon
    for seat in range(params.players):
        measure_seat(state, params, seat, row)
        measure_curves(state, seat, row)
        for kind in range(N_KINDS):
            row.actions[kind, 1] += state.used_kinds[seat, kind]
        for size in range(MOST_PUPS + 1):
            row.litters[size, 1] += state.litters[seat, size]
        for kind in range(N_TYPES):
            row.events[kind, 0] += state.entries_of[seat, kind]
            row.events[kind, 1] += state.wins_of[seat, kind]
        if shares[seat] > 0:
            measure_winner(state, seat, shares[seat], row)
    measure_offers(state, row)
    for deal in range(N_DEALS):
        row.deals[deal, 0] = state.deals[deal, 0]
        row.deals[deal, 1] = state.deals[deal, 1]
    measure_breeding(state, params, row)


@kernel
def measure_offers(state, row):
    """How often each kind of action could be chosen."""
    row.actions[A_COIN, 0] = state.points
    row.actions[A_DRAW_DOG, 0] = state.points - state.no_draws[0]
    row.actions[A_DRAW_CUSTOMER, 0] = state.points - state.no_draws[1]
    row.actions[A_TRADE, 0] = state.offered[0] & HALF_MASK
    row.actions[A_MATE, 0] = state.offered[0] >> HALF
    row.actions[A_BIRTH, 0] = state.offered[1] & HALF_MASK
    row.actions[A_ENTER, 0] = state.offered[1] >> HALF


@kernel
def measure_seat(state, params, seat, row):
    """What one seat has and did."""
    row.reputation_customers[seat] = state.customer_reputation[seat]
    row.reputation_events[seat] = state.reputation[seat] - state.customer_reputation[seat]
    row.coins[seat] = state.coins[params.side[seat]]
    row.bought[seat] = state.bought[seat]
    row.sold[seat] = state.sold[seat]
    row.bred[seat] = 0
    for size in range(GENERATIONS):
        row.bred[seat] += state.raised[seat, size]
    row.entered[seat] = row.won[seat] = 0
    for kind in range(N_TYPES):
        row.entered[seat] += state.entries_of[seat, kind]
        row.won[seat] += state.wins_of[seat, kind]
    row.upkeep_paid[seat] = state.upkeep_paid[seat]
    row.upkeep_waived[seat] = state.upkeep_waived[seat]


@kernel
def measure_curves(state, seat, row):
    """Reputation and coins after each round."""
    for number in range(min(state.round_number, CURVE_ROUNDS)):
        row.standing[number, seat] = state.standing[number, seat]
        row.purse[number, seat] = state.purse[number, seat]


@kernel
def measure_breeding(state, params, row):
    """How often each size of litter could come, and the pups and their dice by generation."""
    births = 0
    for size in range(MOST_PUPS + 1):
        births += row.litters[size, 1]
    for size in range(MOST_PUPS + 1):
        row.litters[size, 0] = births
    for number in range(GENERATIONS):
        row.generations[number, 0] = state.raised_dice[number, 0]
        row.generations[number, 1] = state.raised_dice[number, 1]


@kernel
def measure_winner(state, seat, share, row):
    """What a winner did, by his part of the win."""
    for kind in range(N_KINDS):
        row.actions[kind, 2] += share * state.used_kinds[seat, kind]
    for deal in range(N_DEALS):
        row.deals[deal, 2] += share * state.deals_of[seat, deal]
    for size in range(MOST_PUPS + 1):
        row.litters[size, 2] += share * state.litters[seat, size]
    for number in range(GENERATIONS):
        row.generations[number, 2] += share * state.raised[seat, number]
    for kind in range(N_TYPES):
        row.events[kind, 2] += share * state.wins_of[seat, kind]
