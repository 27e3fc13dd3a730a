"""2.5 Breeding: matings, stud fees, births and litters."""

import numpy as np

from balance.engine import TRACE, aim, below, draw, kernel, note
from balance.games.kennelmester.kennel import arrive, grow_up, is_idle, now, seat_of
from balance.games.kennelmester.layout import (
    A_BIRTH,
    A_MATE,
    BIRTHS,
    BORN,
    D8_FREE_MATE,
    DELIVERED,
    FIRST_DECK,
    FREE,
    GENERATIONS,
    GO_ON,
    MATE,
    MATED,
    NONE,
    NURSING,
    PREGNANT,
    PUP,
    ROLLED,
    STUD,
    WORD_LITTER,
)
from balance.games.kennelmester.params import MOST_PUPS
from balance.games.kennelmester.piles import draw as draw_card
from balance.games.kennelmester.piles import refill
from balance.games.kennelmester.seats import are_partners, coins_of, earn
from balance.games.kennelmester.steps import ask, code_of, count_deal, finish, was_refused
from balance.games.kennelmester.traits import all_dice, inheritance, total

AUTO, ASK, OFF = range(3)
"""The settings of `stud_deal`."""
AS_ACTION, FOR_FREE, REROLL, NO_RETRY = range(4)
"""The settings of `litter_zero_retry`."""
_2 = np.uint64(2)

# ================================================================ mating


@kernel(inline=True)
def stud_fee(params, mother_seat, father_seat, inherited):
    """K-32: what the male costs; nothing within a side."""
    if are_partners(params, mother_seat, father_seat):
        return np.int64(0)
    return params.stud_base_fee + params.stud_die_fee * all_dice(inherited)


@kernel(inline=True)
def may_mate(state, params, mother, father):
    """6.4: whether the acting player's idle female may be mated with this male of her breed."""
    if not is_idle(state, father):
        return False
    return seat_of(state, father) == state.acting or may_hire(state, params, mother, father)


@kernel
def may_hire(state, params, mother, father):
    """6.4: whether the acting player may use another's idle male: he can pay, and it was not refused."""
    seat, owner = state.acting, seat_of(state, father)
    if params.stud_deal == OFF:
        return False
    fee = stud_fee(params, seat, owner, inheritance(state, params, mother, father))
    if coins_of(state, params, seat) < fee:
        return False
    return state.n_refused == 0 or not was_refused(state, code_of(MATE, mother, father))


@kernel(inline=True)
def mates_for(state, params, mother):
    """K-30: how many males an idle female may be mated with."""
    n, breed = np.int64(0), params.pile_of[mother]
    at = params.male_start[breed]
    after = at + state.males[breed]
    while at < after:
        n += may_mate(state, params, mother, np.int64(state.studs[at]))
        at += 1
    return n


@kernel
def propose_mating(state, params, mother, father, action):
    """K-30, K-31, A-25: mate two dogs; with stud_deal = "ask" the male's owner is asked, unless he is a partner."""
    seat, owner = state.acting, seat_of(state, father)
    is_foreign = not are_partners(params, seat, owner)
    state.deals[STUD, 0] += is_foreign
    if params.stud_deal == ASK and is_foreign:
        inherited = inheritance(state, params, mother, father)
        ask(state, params, action, owner, stud_fee(params, seat, owner, inherited))
    else:
        mate(state, params, mother, father, state.decision == D8_FREE_MATE)


@kernel
def mate(state, params, mother, father, is_free):
    """K-30 to K-33: pay the fee; both are busy for the round, she is pregnant, and what the pups inherit is fixed."""
    seat, owner = state.acting, seat_of(state, father)
    inherited = inheritance(state, params, mother, father)
    fee = stud_fee(params, seat, owner, inherited)
    if not are_partners(params, seat, owner):
        count_deal(state, params, np.int64(STUD), owner)
    earn(state, params, seat, -fee)
    earn(state, params, owner, fee)
    state.used_round[mother] = state.used_round[father] = state.since[mother] = now(state)
    state.place[mother] = PREGNANT + seat
    state.pregnant[seat] += 1
    state.father[mother] = father
    state.carried[mother] = inherited
    state.litter_generation[mother] = 1 + max(state.generation[mother], state.generation[father])
    state.stale = 1
    if TRACE:
        note(state, params, MATED, mother, fee, is_free)
    if is_free:
        close_birth(state, params)
    else:
        finish(state, params, np.int64(A_MATE), np.int64(NONE))


# ================================================================ birth


@kernel
def litter_size(state, params, mother, again, rng):
    """K-36: the die, or the odds instead of it; `again`: 1 for the second roll of K-37."""
    word = WORD_LITTER + 2 * mother + again
    if params.rolls_die:
        face = below(rng, word, 6)
        if TRACE:
            note(state, params, ROLLED, mother, face + 1, 0)
        return params.litter_table[face]
    bits, size = np.int64(draw(rng, word) >> _2), np.int64(0)
    for limit in range(MOST_PUPS):
        size += bits >= params.litter_limits[limit]
    return size


@kernel
def give_birth(state, params, mother, rng):
    """K-35 to K-39: the litter is rolled and its pups drawn; the pregnancy is over."""
    seat, breed = state.acting, params.pile_of[mother]
    aim(rng, 0, state.round_number, state.turn, state.draw_step)
    litter = litter_size(state, params, mother, np.int64(0), rng)
    if litter == 0 and params.litter_zero_retry == REROLL:
        litter = litter_size(state, params, mother, np.int64(1), rng)
    state.litters[seat, litter] += 1
    if litter > state.deck_size[breed]:
        refill(state, params, breed, rng)
    born = min(litter, state.deck_size[breed])
    state.pregnant[seat] -= 1
    state.stale = 1
    for _ in range(born):
        bear(state, params, mother, draw_card(state, params, FIRST_DECK + breed, rng))
    if TRACE:
        note(state, params, DELIVERED, mother, litter, born)
    if born > 0:
        nurse(state, params, mother)
        close_birth(state, params)
    else:
        fail(state, params, mother)


@kernel
def bear(state, params, mother, pup):
    """K-38, A-36: a pup comes to the kennel with what it inherits."""
    state.inherited[pup] = state.carried[mother]
    state.since[pup] = now(state)
    generation = np.int64(state.litter_generation[mother])
    state.generation[pup] = generation
    arrive(state, params, state.acting, pup, np.int64(PUP))
    told = generation - 1 if generation < GENERATIONS else GENERATIONS - 1
    state.raised[state.acting, told] += 1
    state.raised_dice[told, 0] += 1
    state.raised_dice[told, 1] += all_dice(total(state, params, pup))
    if TRACE:
        note(state, params, BORN, pup, mother, 0)


@kernel
def nurse(state, params, mother):
    """K-38: the mother nurses her pups; without any time to grow they are adults at once (K-40)."""
    seat = state.acting
    state.place[mother] = NURSING + seat
    state.since[mother] = now(state)
    state.mothers[seat] += 1
    if params.grow_rounds == 0:
        grow_up(state, params, seat)


@kernel
def fail(state, params, mother):
    """K-37: a litter of none; the mother is free, and the player may try again as `litter_zero_retry` has it."""
    state.place[mother] = FREE + state.acting
    state.since[mother] = 0
    if params.litter_zero_retry == NO_RETRY:
        state.used_round[mother] = now(state)
    if params.litter_zero_retry == FOR_FREE:
        state.mother = mother
        offer_free_mating(state, params)
    else:
        close_birth(state, params)


@kernel
def offer_free_mating(state, params):
    """D-8, A-77: the mother may be mated again at once; PASS is an option, too."""
    state.decision = D8_FREE_MATE
    state.n_drawn = state.n_mates = 0
    if is_idle(state, state.mother):
        state.n_mates = mates_for(state, params, state.mother)
    state.options = 1 + state.n_mates


@kernel(inline=True)
def close_birth(state, params):
    """A birth is an action, unless it happens by itself."""
    if state.part == BIRTHS:
        state.decision = GO_ON
    else:
        finish(state, params, np.int64(A_BIRTH), np.int64(NONE))
