"""1.5 Dogs in kennels: their records, who is idle and who may leave, arriving, leaving and growing up."""

import numpy as np

from balance.engine import TRACE, kernel, note
from balance.games.kennelmester.layout import (
    FREE,
    GONE,
    GROWN,
    NONE,
    NURSING,
    PREGNANT,
    PUP,
    SEAT_OF,
    STAGE_OF,
)


@kernel(inline=True)
def now(state):
    """The round, counted from 1 as in the records."""
    return state.round_number + 1


@kernel(inline=True)
def seat_of(state, card):
    """Whose kennel or hand a card is in."""
    return np.int64(state.place[card]) & SEAT_OF


@kernel(inline=True)
def stage_of(state, card):
    """FREE, PREGNANT, NURSING or PUP for a dog of a kennel."""
    return np.int64(state.place[card]) & STAGE_OF


@kernel(inline=True)
def is_idle(state, dog):
    """1.5: an adult that did nothing in this round and is neither pregnant nor nursing."""
    return stage_of(state, dog) == FREE and state.used_round[dog] != now(state)


@kernel(inline=True)
def may_leave(state, dog):
    """1.5: an adult that is not entered in this round, not pregnant and not nursing."""
    return stage_of(state, dog) == FREE and state.entered_round[dog] != now(state)


@kernel(inline=True)
def value(state, params, dog):
    """A-15: the printed price, and more for each event that the dog has won."""
    return params.card_price[dog] + params.win_value_bonus * state.wins[dog]


# ================================================================ arriving and leaving


@kernel
def arrive(state, params, seat, dog, stage):
    """A dog comes to the end of a kennel, with the record it has."""
    last = state.last_dog[seat]
    state.before[dog] = last
    state.after[dog] = NONE
    if last == NONE:
        state.first_dog[seat] = dog
    else:
        state.after[last] = dog
    state.last_dog[seat] = dog
    state.place[dog] = stage + seat
    state.adults[seat] += stage != PUP
    state.pups[seat] += stage == PUP
    if params.dog_female[dog] == 0:
        list_males(state, params, params.pile_of[dog])


@kernel
def leave(state, params, dog):
    """A dog leaves its kennel for a place that is still to be found; its record is still there."""
    seat, after, before = seat_of(state, dog), state.after[dog], state.before[dog]
    if before == NONE:
        state.first_dog[seat] = after
    else:
        state.after[before] = after
    if after == NONE:
        state.last_dog[seat] = before
    else:
        state.before[after] = before
    state.adults[seat] -= stage_of(state, dog) != PUP
    state.pups[seat] -= stage_of(state, dog) == PUP
    state.place[dog] = GONE
    if params.dog_female[dog] == 0:
        list_males(state, params, params.pile_of[dog])
    state.stale = 1


@kernel
def list_males(state, params, breed):
    """The males of a breed that are in kennels, whoever owns them."""
    first = at = params.male_start[breed]
    for number in range(first, params.male_start[breed + 1]):
        male = params.male_dogs[number]
        state.studs[at] = male
        at += state.place[male] >= FREE
    state.males[breed] = at - first


@kernel(inline=True)
def erase(state, dog):
    """1.5: the record of a dog that leaves the kennels is erased."""
    state.inherited[dog] = state.wins[dog] = state.generation[dog] = 0
    state.used_round[dog] = state.entered_round[dog] = state.since[dog] = 0


@kernel(inline=True)
def move(state, params, dog, seat):
    """A dog goes to another kennel with its record."""
    leave(state, params, dog)
    arrive(state, params, seat, dog, np.int64(FREE))


# ================================================================ the acting player's dogs


@kernel
def keep_busy(state, dog):
    """A dog is idle no longer: the list of those that are closes up."""
    left = np.int64(0)
    for at in range(state.n_idle):
        other = state.idle[at]
        state.idle[left] = other
        left += other != dog
    state.n_idle = left


# ================================================================ growing up


@kernel
def grow_up(state, params, seat):
    """K-40, K-41: pups that are old enough become adults, and mothers are free, in kennel order."""
    old_enough = now(state) - params.grow_rounds
    dog = state.first_dog[seat]
    while dog != NONE:
        stage = stage_of(state, dog)
        if stage >= NURSING and state.since[dog] <= old_enough:
            state.pups[seat] -= stage == PUP
            state.adults[seat] += stage == PUP
            state.mothers[seat] -= stage == NURSING
            state.place[dog] = FREE + seat
            state.since[dog] = 0
            if TRACE:
                note(state, params, GROWN, dog, stage == NURSING, 0)
        dog = np.int64(state.after[dog])
    state.stale = 1


@kernel(inline=True)
def is_due(state, params, dog):
    """K-35: whether a female may give birth."""
    return (stage_of(state, dog) == PREGNANT) & (state.since[dog] + params.gestation_rounds <= now(state))
