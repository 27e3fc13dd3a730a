"""Zooloretto's rules from above: setup, rounds and turns, applying an action, what happens by itself.

Rule ids (Z-12, A-29, D-1) are those of the rules contract. A decision leaves the state waiting for `state.seat`; what
leaves no choice (a single option, births, coins, the end of a round) is carried out at once.
"""

from balance.engine import TRACE, VOID_OVER, aim, below, kernel, note
from balance.games.zooloretto.bits import FIRST, member
from balance.games.zooloretto.layout import (
    CURVE_ROUNDS,
    D1_TURN,
    D2_LOAD,
    DEALT,
    DISCARD,
    DRAW,
    EXPAND,
    FIRST_EXPANSION,
    LEAVE,
    LEFT,
    LOAD,
    MOST_TILES,
    NEXT_SEAT,
    NOTHING,
    PLACE,
    ROUND_END,
    SEAT_STEP,
    TAKE,
    TURN_IS_OVER,
)
from balance.games.zooloretto.money import use_money
from balance.games.zooloretto.options import count_turn, place_option, turn_option
from balance.games.zooloretto.scoring import score
from balance.games.zooloretto.trucks import clear_trucks, draw_tile, load, place_code, place_tile, take_truck
from balance.games.zooloretto.zoo import open_enclosure

# ================================================================ 2.1 setup


@kernel
def setup(state, params, rng):
    """Z-1 to Z-8: the stock, the boards and the coins; seat 0 starts. The state arrives zeroed."""
    aim(rng, 0, 0, 0, 0)
    remove_species(state, params, rng)
    shuffle(state, params, rng)
    for seat in range(params.players):
        state.coins[seat] = params.start_coins
        for place in range(1, FIRST_EXPANSION):
            open_enclosure(state, params, seat, place)
    state.bank = params.coin_supply - params.players * params.start_coins
    state.middle = (1 << params.truck_count) - 1
    state.open = state.middle
    state.in_round = (1 << params.players) - 1
    if TRACE:
        note(state, params, DEALT, 0, 0, 0)
    begin_turn(state, params)
    carry_on(state, params, forced(state, params))


@kernel(inline=True)
def remove_species(state, params, rng):
    """Z-1, A-37: the species named, or some drawn at random."""
    state.removed = params.named
    if params.named == 0:
        left = (1 << params.species_in_box) - 1
        for i in range(params.species_removed):
            species = member(left, below(rng, MOST_TILES + i, params.species_in_box - i))
            left ^= 1 << species
            state.removed |= 1 << species


@kernel(inline=True)
def shuffle(state, params, rng):
    """Z-2, Z-3: the tiles one by one, each changing places with a random one (itself included).

    The draw of a tile is addressed by the tile, so a rule that adds or removes tiles leaves the rest alike.
    """
    n = 0
    for i in range(params.box_size):
        if params.box[1, i] & state.removed:
            continue
        place = below(rng, params.box[2, i], n + 1)
        state.stock[n] = state.stock[place]
        state.stock[place] = params.box[0, i]
        n += 1
    state.stock_size = n
    state.main_size = n - params.end_stack


# ================================================================ 2.2 rounds and turns


@kernel(inline=True)
def begin_turn(state, params):
    """Z-9: a turn begins; D-1."""
    state.turn += 1
    state.turns += 1
    count_turn(state, params)


@kernel(inline=True)
def end_turn(state, params):
    """Z-10 to Z-12, A-39: the next player's turn, the end of the round, or the end of the game."""
    if state.in_round == 0:
        end_round(state, params)
    elif state.turns >= params.turn_limit:
        state.round_number += 1
        state.over = VOID_OVER
    else:
        state.seat = NEXT_SEAT[state.in_round * SEAT_STEP + state.seat]
    if state.over == 0:
        begin_turn(state, params)


@kernel
def end_round(state, params):
    """Z-12, Z-13, Z-57: the next round, or the game is over, or at the limit void (3.2)."""
    next_start = state.last_taker
    if params.next_start:
        next_start = (state.start_seat + 1) % params.players
    clear_trucks(state, params)
    if state.round_number < CURVE_ROUNDS:
        for seat in range(params.players):
            state.standing[state.round_number, seat] = score(state, params, seat)
    if TRACE:
        note(state, params, ROUND_END, next_start, 0, 0)
    state.round_number += 1
    if state.is_last_round:
        state.over = 1
    elif state.turns >= params.turn_limit:
        state.over = VOID_OVER
    state.turn = 0
    state.start_seat = next_start
    state.seat = next_start
    state.in_round = (1 << params.players) - 1
    for seat in range(params.players):
        state.money_in_round[seat] = 0


# ================================================================ apply action


@kernel
def apply_action(state, params, action, rng):
    """Do what the action says, and all that follows from it."""
    carry_on(state, params, action)


@kernel
def carry_on(state, params, action):
    """Carry out an action, then whatever leaves no choice, until somebody has to decide or the game is over."""
    while action != NOTHING:
        if action < LOAD:
            act(state, params, action)
        elif action < PLACE:
            load(state, params, action - LOAD)
        elif action < DISCARD:
            place_tile(state, params, action)
        else:
            use_money(state, params, action)
        if state.decision == TURN_IS_OVER:
            end_turn(state, params)
        action = forced(state, params)


@kernel(inline=True)
def act(state, params, action):
    """D-1: draw, take a truck, expand, or leave the round (A-29)."""
    if action == DRAW:
        draw_tile(state, params)
    elif action == LEAVE:
        leave(state, params)
    elif action < EXPAND:
        take_truck(state, params, action - TAKE)
    else:
        use_money(state, params, action)


@kernel(inline=True)
def leave(state, params):
    """A-29: nothing else is left, so the player leaves the round without a truck."""
    state.in_round &= ~(1 << state.seat)
    state.decision = TURN_IS_OVER
    if TRACE:
        note(state, params, LEFT, 0, 0, 0)


@kernel(inline=True)
def forced(state, params):
    """The only option of the decision that is due; NOTHING if the player has a choice or the game is over."""
    if state.options > 1 or state.over:
        return NOTHING
    if state.decision == D1_TURN:
        return turn_option(state, params, 0)
    if state.decision == D2_LOAD:
        return LOAD + FIRST[state.middle & state.open]
    tile, place = place_option(state, 0)
    return place_code(state, tile, place)
