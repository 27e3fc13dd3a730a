"""The one loop: every game of every kind is played by these templates.

The kernels `setup` to `policy_3` are placeholders: the game's and the policies' own are bound to them when the
template is compiled or interpreted. One binary serves every line-up, every variant and every number of players.
"""

from __future__ import annotations

import numpy as np

from balance.engine.kernels import kernel
from balance.engine.records import CAPPED_OVER, LOST_OVER, VOID_OVER
from balance.engine.rng import GOLDEN, STEP_UNIT, STREAM_UNIT, moment_of, seed_policies, seed_table
from balance.game import MAX_SEATS, SHARE_UNIT

TERMINATED, TRUNCATED, VOID = 0, 1, 2
"""How a game ended: by its rules; at a cap, that of its rules or the most plies that any rules allow; or void."""
FIXED_COLUMNS = ("ended", "turns", "rounds", "plies")
_N_FIXED = len(FIXED_COLUMNS)


@kernel
def setup(state, params, rng):
    """Bound to the game's kernel."""


@kernel
def legal_actions(state, params, actions):
    """Bound to the game's kernel."""


@kernel
def apply_action(state, params, action, rng):
    """Bound to the game's kernel."""


@kernel
def score(state, params, seat):
    """Bound to the game's kernel."""


@kernel
def tiebreak(state, params, seat):
    """Bound to the game's kernel."""


@kernel
def measure(state, params, shares, row):
    """Bound to the game's kernel."""


@kernel
def policy_0(state, params, weights, rng, actions):
    """Bound to a policy's kernel."""


@kernel
def policy_1(state, params, weights, rng, actions):
    """Bound to a policy's kernel."""


@kernel
def policy_2(state, params, weights, rng, actions):
    """Bound to a policy's kernel."""


@kernel
def policy_3(state, params, weights, rng, actions):
    """Bound to a policy's kernel."""


MAX_PLIES, N_SCALARS, N_SEAT_VALUES = np.int64(0), np.int64(0), np.int64(0)
"""Bound to the game's most plies, and to how many of its measures are one number per game, or one per seat."""


@kernel(inline=True)
def choose(kind, state, params, weights, rng, actions):
    """What the policy that holds the seat does; another kernel stands here where actions are checked."""
    return ask(kind, state, params, weights, rng, actions)


@kernel(inline=True)
def ask(kind, state, params, weights, rng, actions):
    """Ask the policy that holds the seat."""
    if kind == 0:
        return policy_0(state, params, weights, rng, actions)
    if kind == 1:
        return policy_1(state, params, weights, rng, actions)
    if kind == 2:
        return policy_2(state, params, weights, rng, actions)
    return policy_3(state, params, weights, rng, actions)


@kernel
def clear(words):
    """Zero a record, given as its words."""
    for i in range(words.shape[0]):
        words[i] = 0


@kernel
def mark_rounds(state, params, marks, game, before):
    """Note scores and tiebreaks by seat, in marks[game, round, face, seat], for all rounds that have just ended."""
    for ended in range(before, min(state.round_number, marks.shape[1])):
        for seat in range(params.players):
            marks[game, ended, 0, seat] = score(state, params, seat)
            marks[game, ended, 1, seat] = tiebreak(state, params, seat)


@kernel
def play_one(state, params, seed, block, rotation, again, kinds, weights, table, noise, actions, marks, game):
    """Play one game to its end; returns the plies, MAX_PLIES when it had to be stopped.

    A policy's noise is addressed by its slot and the moment: round, turn, and decision within the turn. Played
    `again`, with a number above 0, the deal is the same and the noise another. The end of each round after which
    play goes on is noted in `marks` as number `game`, if they have room for rounds.
    """
    seed_table(table, seed, block)
    seed_policies(noise, table)
    noise.key_1 = noise.key_1 + np.uint64(again) * GOLDEN
    setup(state, params, table)
    plies, players = 0, params.players
    moment = moment_of(1, state.round_number, state.turn, 0)
    while state.over == 0 and plies < MAX_PLIES:
        slot = state.seat + rotation
        if slot >= players:
            slot -= players
        noise.moment = moment + np.uint64(slot) * STREAM_UNIT
        action = choose(kinds[slot], state, params, weights[slot], noise, actions)
        turn, round_number = state.turn, state.round_number
        apply_action(state, params, action, table)
        if state.turn == turn and state.round_number == round_number:
            state.step += 1
            moment += STEP_UNIT
        else:
            if state.over == 0:
                mark_rounds(state, params, marks, game, round_number)
            state.step = 0
            moment = moment_of(1, state.round_number, state.turn, 0)
        plies += 1
    return plies


@kernel
def rank_seats(state, params, ranking):
    """Scores, ranks (1 is best, ties share) and win shares (in sixtieths) into ranking[0], [1] and [2].

    A void game has none of them: zeros. Nobody wins a game that is lost.
    """
    players = params.players
    if state.over == VOID_OVER:
        for face in range(3):
            for seat in range(players):
                ranking[face, seat] = 0
        return
    for seat in range(players):
        ranking[0, seat] = score(state, params, seat)
        ranking[3, seat] = tiebreak(state, params, seat)
    winners = 0
    for seat in range(players):
        rank = 1
        for other in range(players):
            ahead = ranking[0, other] - ranking[0, seat]
            rank += (ahead > 0) | ((ahead == 0) & (ranking[3, other] > ranking[3, seat]))
        ranking[1, seat] = rank
        winners += rank == 1
    share = 0 if state.over == LOST_OVER else SHARE_UNIT // winners
    for seat in range(players):
        ranking[2, seat] = share if ranking[1, seat] == 1 else 0


@kernel(inline=True)
def ending_of(over):
    """How a game ended, from `state.over`."""
    if over == 0 or over == CAPPED_OVER:
        return TRUNCATED
    return VOID if over == VOID_OVER else TERMINATED


@kernel
def write_row(rows, at, state, params, plies, ranking, row_words):
    """One game's row: the fixed columns, scores, ranks and win shares by seat, then the game's measures."""
    players = params.players
    rows[0, at] = ending_of(state.over)
    rows[1, at] = state.turns
    rows[2, at] = state.round_number
    rows[3, at] = plies
    column = _N_FIXED
    for face in range(3):
        for seat in range(players):
            rows[column, at] = ranking[face, seat]
            column += 1
    for i in range(N_SCALARS):
        rows[column, at] = row_words[i]
        column += 1
    for i in range(N_SEAT_VALUES):
        for seat in range(players):
            rows[column, at] = row_words[N_SCALARS + i * MAX_SEATS + seat]
            column += 1


@kernel
def add_sums(sums, values):
    """Add the curves and counters of one block: totals, squares, and products with the value before.

    In a counter the value before `taken` is `offered`, so the products give the spread of the take rate.
    """
    before = 0
    for i in range(values.shape[0]):
        value = values[i]
        sums[0, i] += value
        sums[1, i] += value * value
        sums[2, i] += value * before
        before = value
        values[i] = 0


@kernel
def play_games(first, count, rotations, seed, again, params, kinds, weights, buffers, rows, sums):
    """Play games `first` to `first + count - 1`, whole blocks of `rotations` games each, for the first time or `again`.

    A row for each game goes into the column-major `rows[column, game]`; the curves and counters, added up over
    each block, go into `sums[total | squares | products, value]`. A block with a void game adds nothing to them.
    """
    state, words, table, noise, actions, ranking, row, row_words, block_words, marks = buffers
    start, voids = N_SCALARS + N_SEAT_VALUES * MAX_SEATS, 0
    for at in range(count):
        block = (first + at) // rotations
        rotation = (first + at) % rotations
        clear(words)
        plies = play_one(
            state, params, seed, block, rotation, again, kinds, weights, table, noise, actions, marks, at
        )
        rank_seats(state, params, ranking)
        clear(row_words)
        measure(state, params, ranking[2], row)
        write_row(rows, at, state, params, plies, ranking, row_words)
        for i in range(block_words.shape[0]):
            block_words[i] += row_words[start + i]
        voids += state.over == VOID_OVER
        if rotation == rotations - 1:
            if voids > 0:
                clear(block_words)
            add_sums(sums, block_words)
            voids = 0
