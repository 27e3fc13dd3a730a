"""Animalia's rules from above: setup and seasons, what happens by itself, legal actions, apply action, measures.

Rule ids (A-12, R-28, D-4) are those of the rules contract. A decision leaves the state waiting for `state.seat`;
everything that leaves no choice (forced passes, reveals, single options, shuffles) is carried out at once. The
phases of a season are in `building`, `powers` and `medals`.
"""

from balance.engine import TRACE, aim, below, kernel, note
from balance.games.animalia.building import ask_next, force_reason, start_turn, take
from balance.games.animalia.cards import open_places, put_under_deck, size_of
from balance.games.animalia.layout import (
    BY_CHOICE,
    COLLECTION_STEP,
    COLLECTIONS,
    COUNT_OWL,
    COVER,
    COVERS,
    D3_FORCED,
    D4_POWERS,
    D5_THIEF,
    D6_TRICKSTER,
    D7_SPY,
    D8_COVER,
    D9_OWL,
    ELEGANCE,
    EVERY_OTHER,
    FAMILY_MASK,
    GIVE,
    HELD,
    HOLD_BACK,
    KEEP,
    KIND_LANE,
    KIND_PART,
    N_KINDS,
    OWL_AT,
    PASS,
    PASSED,
    POWER_AT,
    POWER_BITS,
    PUT_NEXT,
    RESOLVE,
    ROOM_LANES,
    SEASON_END,
    SHUFFLE,
    STEAL,
    STOP,
    TURN,
    UNDER_DECK,
    USE,
    WAIT,
)
from balance.games.animalia.medals import (
    award_bonus_cards,
    award_medals,
    cover,
    excellence,
    medal_count,
    medals_of,
    next_cover,
    score,
)
from balance.games.animalia.params import OWL
from balance.games.animalia.powers import (
    give,
    lapse,
    may_be_robbed,
    may_receive,
    offer_powers,
    put_next,
    steal,
    use_power,
)

# ================================================================ 2.1 setup, 2.6 new season


@kernel
def setup(state, params, rng):
    """A-1, A-4, R-4: the first season begins. The state arrives zeroed."""
    state.dealer = params.first_dealer
    start_season(state, params, rng)
    go_on(state, params, rng)


@kernel
def start_season(state, params, rng):
    """A-37: every collection is empty again and all cards but the bonus cards held are shuffled."""
    state.first_dealer = state.dealer
    state.turn = 0
    state.returns = 0
    for collection in range(COLLECTIONS):
        state.word[collection] = 0
    state.room = ((1 << params.players) - 1) * ROOM_LANES[params.collection_size]
    shuffle(state, params, rng)
    state.phase = TURN
    if TRACE:
        note(state, params, SHUFFLE, 0, 0, 0)


@kernel(inline=True)
def shuffle(state, params, rng):
    """Deal the cards into the deck one by one, each changing places with a random one (itself included).

    The draw of a card is addressed by the card, so a rule that adds or removes cards leaves the rest alike.
    """
    for seat in range(params.players):
        for i in range(state.hand_count[seat]):
            state.known[state.hand[seat, i]] |= HELD
    aim(rng, 0, state.round_number, 0, 0)
    n = 0
    for i in range(params.n_cards):
        card = params.deal_order[i]
        if state.known[card] & HELD:
            state.known[card] ^= HELD
            continue
        state.known[card] = 0
        place = below(rng, card, n + 1)
        state.deck[n] = state.deck[place]
        state.deck[place] = card
        n += 1
    state.deck_top = 0
    state.deck_left = n


@kernel
def end_season(state, params, rng):
    """A-30, R-37: unused bonus cards are kept, or go under the deck; A-37: a new season; A-38: or the game is over."""
    award_medals(state, params)
    for seat in range(params.players):
        state.standing[state.round_number, seat] = score(state, params, seat)
        if not params.bonus_carry:
            for i in range(state.hand_count[seat]):
                put_under_deck(state, state.hand[seat, i])
            state.hand_count[seat] = 0
            state.hand_families[seat] = 0
    if TRACE:
        note(state, params, SEASON_END, 0, 0, 0)
    state.round_number += 1
    if state.round_number == params.seasons:
        state.over = 1
        state.phase = WAIT
        return
    last = state.dealer if params.season_dealer == 0 else state.first_dealer
    state.dealer = (last + 1) % params.players
    start_season(state, params, rng)


@kernel
def go_on(state, params, rng):
    """Carry out what leaves no choice, until somebody has to decide or the game is over."""
    while state.phase != WAIT:
        phase = state.phase
        if phase == TURN:
            start_turn(state, params)
        elif phase == RESOLVE:
            offer_powers(state, params)
        elif phase == ELEGANCE:
            award_bonus_cards(state, params)
        elif phase == COVERS:
            next_cover(state, params)
        else:
            end_season(state, params, rng)


# ================================================================ legal actions (5.2, 5.3)


@kernel
def legal_actions(state, params, actions):
    """The codes of the list of options, ascending; returns how many."""
    decision = state.decision
    if decision <= D3_FORCED:
        return list_keeps(state, params, actions)
    if decision == D4_POWERS:
        return list_powers(state, params, actions)
    if decision == D5_THIEF:
        return list_thefts(state, params, actions)
    if decision == D6_TRICKSTER:
        return list_gifts(state, params, actions)
    if decision == D7_SPY:
        return list_spied(state, actions)
    if decision == D8_COVER:
        return list_covers(state, params, actions)
    for family in range(params.families):
        actions.code[family] = COUNT_OWL + family
    return params.families


@kernel
def list_keeps(state, params, actions):
    """D-1, D-2: pass, or keep the set in a collection with room; D-3: keep."""
    n = 0
    if state.decision != D3_FORCED:
        actions.code[0] = PASS
        n = 1
    for which in range(params.collections_per_player):
        if open_places(state, params, 2 * state.seat + which) >= state.set_size:
            actions.code[n] = KEEP + which
            n += 1
    return n


@kernel
def list_powers(state, params, actions):
    """D-4: stop, or use one of the kinds pending that has a target."""
    actions.code[0] = STOP
    n = 1
    for power in range(3):
        actions.code[n] = USE + power
        n += state.usable >> power & 1
    return n


@kernel
def list_thefts(state, params, actions):
    """D-5, R-20: each card that may be stolen."""
    n = 0
    for collection in range(2 * params.players):
        if may_be_robbed(state, params, collection):
            for place in range(size_of(state.word[collection])):
                actions.code[n] = STEAL + COLLECTION_STEP * collection + place
                n += 1
    return n


@kernel
def list_gifts(state, params, actions):
    """D-6, R-21, R-22: each card of the activating collection, to each open collection of another player."""
    n = 0
    own = size_of(state.word[state.taker_collection])
    for collection in range(2 * params.players):
        if may_receive(state, params, collection):
            for place in range(own):
                actions.code[n] = GIVE + COLLECTION_STEP * collection + place
                n += 1
    if n == 0:
        for place in range(own):
            actions.code[place] = UNDER_DECK + place
        return own
    return n


@kernel
def list_spied(state, actions):
    """D-7: each card seen that is not yet put back."""
    n = 0
    for i in range(state.seen):
        actions.code[n] = PUT_NEXT + i
        n += 1 - (state.placed_mask >> i & 1)
    return n


@kernel
def list_covers(state, params, actions):
    """D-8: hold the bonus card back, or cover one of the own cards that is not yet covered."""
    actions.code[0] = HOLD_BACK
    n = 1
    for which in range(params.collections_per_player):
        covered = state.covered_mask[2 * state.seat + which]
        for place in range(params.collection_size):
            actions.code[n] = COVER + COLLECTION_STEP * which + place
            n += 1 - (covered >> place & 1)
    return n


# ================================================================ apply action


@kernel(inline=True)
def apply_action(state, params, action, rng):
    """Do what the action says, and all that follows from it."""
    decision = state.decision
    if decision <= D3_FORCED:
        if action == PASS:
            pass_on(state, params)
        else:
            reason = force_reason(state, params) if decision == D3_FORCED else BY_CHOICE
            take(state, params, state.seat, action - KEEP, reason)
            if state.phase == TURN:
                start_turn(state, params)
    elif decision >= D8_COVER:
        apply_in_phase_3(state, params, action)
    else:
        apply_power(state, params, action)
    if state.phase != WAIT:
        go_on(state, params, rng)


@kernel(inline=True)
def pass_on(state, params):
    """A-6, A-7: the set goes to the left."""
    if TRACE:
        note(state, params, PASSED, state.seat, 0, 0)
    ask_next(state, params)


@kernel
def apply_power(state, params, action):
    """D-4 to D-7; what is left to resolve comes next (R-15)."""
    decision = state.decision
    if decision == D4_POWERS:
        if action == STOP:
            lapse(state, params, 0)
            state.phase = TURN
        else:
            use_power(state, params, action - USE)
    elif decision == D7_SPY:
        put_next(state, params, action - PUT_NEXT)
    elif decision == D5_THIEF:
        steal(state, params, action)
    else:
        give(state, params, action)
    if state.phase == RESOLVE:
        offer_powers(state, params)


@kernel
def apply_in_phase_3(state, params, action):
    """D-8 and D-9; the next decision of Phase 3 follows."""
    if state.decision == D9_OWL:
        state.owl_family[2 * state.seat + state.owl_at] = action - COUNT_OWL
        state.owl_at += 1
    elif action == HOLD_BACK:
        state.hand_at += 1
    else:
        cover(state, params, action)
    next_cover(state, params)


# ================================================================ measures
SUPPLY = 15
"""Medals of each type in the box (1.2); the rules do not limit them (R-1), a check reports the demand."""


@kernel
def measure(state, params, shares, row):
    """What the game counted. `shares`: each seat's part of the win, in sixtieths."""
    row.guard_hits = state.guard_hits
    row.deck_returns = state.all_returns
    row.lone_turns = state.lone_turns
    row.bonus_not_drawn = state.undrawn
    most = 0
    for family in range(params.families):
        of_family = 0
        for seat in range(params.players):
            of_family += medals_of(state.medals[seat], family)
        most = max(most, of_family)
    row.most_of_a_kind = most
    row.medals_over_supply = most > SUPPLY
    prizes = 0
    for seat in range(params.players):
        prizes += excellence(state, params, seat)
        measure_seat(state, params, seat, shares[seat], row)
    row.fives_over_supply = prizes > SUPPLY
    for kind in range(N_KINDS):
        row.cards[kind, 0] = state.card_counts[kind, 0]
        row.cards[kind, 1] = state.card_counts[kind, 1]
    for power in range(3):
        row.powers[power, 0] = state.power_counts[power, 0]
        row.powers[power, 1] = state.power_counts[power, 1]


@kernel
def measure_seat(state, params, seat, share, row):
    """What one seat did, and what it held if it won."""
    row.medals[seat] = medal_count(state, seat)
    row.prizes[seat] = excellence(state, params, seat)
    row.bonus_cards[seat] = state.bonus_drawn[seat]
    row.covers[seat] = state.covers[seat]
    row.robbed[seat] = state.robbed[seat]
    row.elegance[seat] = state.elegance[seat]
    for season in range(params.seasons):
        row.standing[season, seat] = state.standing[season, seat]
    if share > 0:
        count_kept(state, params, seat, share, row)
        for power in range(3):
            row.powers[power, 2] += state.used_powers[seat, power] * share


@kernel
def count_kept(state, params, seat, share, row):
    """Cards of each kind that counted in the seat's collections, over all seasons."""
    even = odd = owls = 0
    for season in range(params.seasons):
        for collection in range(2 * seat, 2 * seat + params.collections_per_player):
            word = state.counted[season, collection]
            even += word >> POWER_AT & EVERY_OTHER
            odd += word >> (POWER_AT + POWER_BITS) & EVERY_OTHER
            owls += word >> OWL_AT & FAMILY_MASK
    for kind in range(OWL):
        lanes = odd if KIND_PART[kind] else even
        row.cards[kind, 2] += (lanes >> KIND_LANE[kind] & 0xFF) * share
    row.cards[OWL, 2] += owls * share
