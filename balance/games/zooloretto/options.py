"""5.2 to 5.4, the options of D-1: counting them, and finding option number k, without listing any.

Sets of tile classes are bit masks, so the options of one place to another are the common members of what the one
holds and the other accepts. `lists` writes the same options out as codes.
"""

from balance.engine import kernel
from balance.games.zooloretto.bits import FIRST, lowest, member, members
from balance.games.zooloretto.layout import (
    BARN,
    BUY,
    BUYS,
    D1_TURN,
    DISCARD,
    DISCARDS,
    DRAW,
    EXCHANGE,
    EXCHANGES,
    EXPAND,
    EXPANDS,
    KIN,
    LEAVE,
    MOVE,
    MOVES,
    SEAT_STEP,
    SPECIES_OF,
    TAKE,
)
from balance.games.zooloretto.scoring import species_in
from balance.games.zooloretto.zoo import animals_of, places_of

# ================================================================ counting


@kernel(inline=True)
def count_turn(state, params):
    """D-1: how many options the player on turn has, in all and by kind."""
    state.decision = D1_TURN
    state.n_draws = state.stock_at < state.stock_size and state.middle & state.open != 0
    state.n_takes = members(state.middle & state.loaded)
    state.options = state.n_draws + state.n_takes
    state.n_moves = state.n_exchanges = state.n_buys = state.n_discards = state.n_expands = 0
    state.looks_anew = 0
    if state.coins[state.seat] >= params.cheapest:
        count_money(state, params)
    count_offers(state)


@kernel(inline=True)
def count_money(state, params):
    """Z-32: the money actions that the player can pay, and all their details."""
    seat = state.seat
    coins = state.coins[seat]
    state.looks_anew = state.stale >> seat & 1
    if state.looks_anew:
        state.own_moves[seat] = count_moves(state, params, seat)
        state.own_exchanges[seat] = count_exchanges(state, params, seat)
        state.stale ^= 1 << seat
    if coins >= params.prices[MOVES]:
        state.n_moves = state.own_moves[seat]
    if coins >= params.prices[EXCHANGES]:
        state.n_exchanges = state.own_exchanges[seat]
    if coins >= params.prices[BUYS]:
        state.n_buys = count_buys(state, params, seat)
    if coins >= params.prices[DISCARDS]:
        state.n_discards = members(discardable(state, params, seat))
    if coins >= params.prices[EXPANDS]:
        state.n_expands = state.expanded[seat] < params.expansion_boards
    state.options += state.n_moves + state.n_exchanges + state.n_buys + state.n_discards + state.n_expands


@kernel(inline=True)
def count_offers(state):
    """For the counter of actions: which kinds of actions the player could choose."""
    state.offered_actions[0] += state.n_draws
    state.offered_actions[1] += state.n_takes > 0
    state.offered_actions[2] += state.n_moves > 0
    state.offered_actions[3] += state.n_exchanges > 0
    state.offered_actions[4] += state.n_buys > 0
    state.offered_actions[5] += state.n_discards > 0
    state.offered_actions[6] += state.n_expands


# ================================================================ moves


@kernel(inline=True)
def movable(state, params, first, source, place):
    """Z-36, A-12, A-13: the classes that can be moved from one place of a zoo to another."""
    if source == place:
        return 0
    tiles = state.classes[first + source]
    if source != BARN:
        tiles &= params.may_leave
    return tiles & (params.into_barn if place == BARN else state.accept[first + place])


@kernel
def count_moves(state, params, seat):
    """How many moves the zoo allows."""
    first, n = seat * SEAT_STEP, 0
    for source in range(places_of(state, seat)):
        tiles = state.classes[first + source]
        if tiles != 0:
            if source != BARN:
                tiles &= params.may_leave
                n += members(tiles & params.into_barn) - members(tiles & state.accept[first + source])
            for place in range(1, SEAT_STEP):
                n += members(tiles & state.accept[first + place])
    return n


@kernel
def move_number(state, params, k):
    """The code of move number k."""
    first, places = state.seat * SEAT_STEP, places_of(state, state.seat)
    for source in range(places):
        for place in range(places):
            tiles = movable(state, params, first, source, place)
            n = members(tiles)
            if k < n:
                return MOVE + 64 * member(tiles, k) + 8 * source + place
            k -= n
    return LEAVE


# ================================================================ exchanges


@kernel(inline=True)
def may_meet(params, kin_a, kin_b):
    """Z-38, A-14 to A-16: whether two groups, given by their species (0: none), may be exchanged."""
    if kin_a == kin_b:
        return kin_a != 0 and params.exchange_same_species != 0
    return (kin_a != 0 and kin_b != 0) or params.exchange_with_empty != 0


@kernel(inline=True)
def exchangeable(state, params, first, a, b):
    """Z-38, Z-39: whether two enclosures may exchange all their animals."""
    return (
        may_meet(params, state.kin[first + a], state.kin[first + b])
        and state.animals[first + a] <= params.spaces[b]
        and state.animals[first + b] <= params.spaces[a]
    )


@kernel(inline=True)
def barn_exchangeable(state, params, first, plain, b):
    """A-17: whether the barn's animals of a species, given by its plain class, may be exchanged with an enclosure's."""
    if animals_of(state, first + BARN, plain) > params.spaces[b]:
        return False
    return may_meet(params, KIN[plain], state.kin[first + b])


@kernel
def count_exchanges(state, params, seat):
    """How many exchanges the zoo allows."""
    first, n = seat * SEAT_STEP, 0
    in_barn, others = species_in(state.classes[first + BARN]), (1 << places_of(state, seat)) - 2
    if not params.exchange_with_empty:
        others &= ~state.empty[seat]
    while others != 0:
        b = FIRST[others]
        others &= others - 1
        rest, species = others, in_barn
        while rest != 0:
            n += exchangeable(state, params, first, FIRST[rest], b)
            rest &= rest - 1
        while species != 0:
            n += barn_exchangeable(state, params, first, lowest(species), b)
            species &= species - 1
    return n


@kernel
def exchange_number(state, params, k):
    """The code of exchange number k."""
    first, places = state.seat * SEAT_STEP, places_of(state, state.seat)
    in_barn = species_in(state.classes[first + BARN])
    for b in range(1, places):
        for a in range(1, b):
            k -= exchangeable(state, params, first, a, b)
            if k < 0:
                return EXCHANGE + 8 * a + b
        species = in_barn
        while species != 0:
            plain = lowest(species)
            k -= barn_exchangeable(state, params, first, plain, b)
            if k < 0:
                return EXCHANGE + 64 * SPECIES_OF[plain] + b
            species &= species - 1
    return LEAVE


# ================================================================ purchases and discards


@kernel
def count_buys(state, params, seat):
    """Z-42: how many purchases the other barns allow."""
    first, n = seat * SEAT_STEP, 0
    for seller in range(params.players):
        goods = state.classes[seller * SEAT_STEP + BARN] & params.traded
        if goods != 0 and seller != seat:
            for place in range(SEAT_STEP):
                n += members(goods & state.accept[first + place])
    return n


@kernel
def buy_number(state, params, k):
    """The code of purchase number k."""
    seat = state.seat
    for seller in range(params.players):
        goods = state.classes[seller * SEAT_STEP + BARN] & params.traded
        if goods != 0 and seller != seat:
            for place in range(places_of(state, seat)):
                tiles = goods & state.accept[seat * SEAT_STEP + place]
                n = members(tiles)
                if k < n:
                    return BUY + 512 * seller + 8 * member(tiles, k) + place
                k -= n
    return LEAVE


@kernel(inline=True)
def discardable(state, params, seat):
    """Z-44: the classes in the barn that can be discarded."""
    return state.classes[seat * SEAT_STEP + BARN] & params.traded


# ================================================================ option number k


@kernel
def turn_option(state, params, k):
    """D-1: the code of option number k; every option has its number, from 0 to `state.options` - 1."""
    if k < state.n_draws:
        return DRAW
    k -= state.n_draws
    if k < state.n_takes:
        return TAKE + member(state.middle & state.loaded, k)
    k -= state.n_takes
    if k < state.n_moves:
        return move_number(state, params, k)
    k -= state.n_moves
    if k < state.n_buys:
        return buy_number(state, params, k)
    k -= state.n_buys
    if k < state.n_exchanges:
        return exchange_number(state, params, k)
    k -= state.n_exchanges
    if k < state.n_discards:
        return DISCARD + member(discardable(state, params, state.seat), k)
    k -= state.n_discards
    return EXPAND if k < state.n_expands else LEAVE


@kernel
def place_option(state, k):
    """D-3: the class and the place of option number k."""
    first = state.seat * SEAT_STEP
    place = BARN
    tiles = state.rest & state.accept[first]
    n = members(tiles)
    while k >= n:
        k -= n
        place += 1
        tiles = state.rest & state.accept[first + place]
        n = members(tiles)
    return member(tiles, k), place
