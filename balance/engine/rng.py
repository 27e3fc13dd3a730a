"""Random numbers by address: a number is fixed by the key of its game and the address it is drawn at.

There is no running stream, so results do not depend on the order of play, on threads or on chunks, any game
can be replayed alone, and a rule change leaves untouched draws as they were (common random numbers).

An address says for whom (stream 0 is the table: shuffles and dice; stream 1 + slot is a policy's own), when
(round, turn, step within the turn) and which draw of that moment (word). Table and policies have different
keys as well, so that no policy can work out the table's future.
"""

from __future__ import annotations

import numpy as np

from balance.engine.kernels import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SECOND_KEY = np.uint64(0xD1342543DE82EF95)
POLICY_KEY = np.uint64(0xA0761D6478BD642F)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)

STREAM_BITS, ROUND_BITS, TURN_BITS, STEP_BITS, WORD_BITS = 4, 12, 20, 16, 12
_STREAM_AT = np.uint64(ROUND_BITS + TURN_BITS + STEP_BITS + WORD_BITS)
_ROUND_AT = np.uint64(TURN_BITS + STEP_BITS + WORD_BITS)
_TURN_AT = np.uint64(STEP_BITS + WORD_BITS)
_STEP_AT = np.uint64(WORD_BITS)

STREAM_UNIT, STEP_UNIT = np.uint64(1) << _STREAM_AT, np.uint64(1) << _STEP_AT
"""What the next stream, or the next step of the same turn, adds to a moment."""

rng_dtype = np.dtype([("key_1", np.uint64), ("key_2", np.uint64), ("moment", np.uint64)])


@kernel(inline=True)
def mix(z):
    """Scramble 64 bits (the finalizer of splitmix64)."""
    z = (z ^ (z >> _30)) * MIX_1
    z = (z ^ (z >> _27)) * MIX_2
    return z ^ (z >> _31)


@kernel(inline=True)
def seed_table(rng, seed, block):
    """Set the keys of the table's numbers for one block of games."""
    scrambled = mix(seed + GOLDEN)
    rng.key_1 = mix(scrambled + np.uint64(block) * GOLDEN)
    rng.key_2 = mix(rng.key_1 ^ scrambled ^ SECOND_KEY)
    rng.moment = np.uint64(0)


@kernel(inline=True)
def seed_policies(rng, table):
    """Set the keys of the policies' numbers, which tell nothing of the table's."""
    rng.key_1 = mix(table.key_1 ^ POLICY_KEY)
    rng.key_2 = mix(table.key_2 + POLICY_KEY)
    rng.moment = np.uint64(0)


@kernel(inline=True)
def moment_of(stream, round_number, turn, step):
    """One moment of the game as an address whose word is 0."""
    return (
        (np.uint64(stream) << _STREAM_AT)
        | (np.uint64(round_number) << _ROUND_AT)
        | (np.uint64(turn) << _TURN_AT)
        | (np.uint64(step) << _STEP_AT)
    )


@kernel(inline=True)
def aim(rng, stream, round_number, turn, step):
    """Point the generator at one moment of the game; `draw(rng, word)` then draws there."""
    rng.moment = moment_of(stream, round_number, turn, step)


@kernel(inline=True)
def draw_at(key_1, key_2, address):
    """64 random bits: the second key enters in the middle, so the numbers of two games never run in step."""
    z = key_1 + address * GOLDEN
    z = (z ^ (z >> _30)) * MIX_1
    z = z ^ key_2
    z = (z ^ (z >> _27)) * MIX_2
    return z ^ (z >> _31)


@kernel(inline=True)
def draw(rng, word):
    """64 random bits for draw number `word` (0 to 4095) of the moment that `aim` set."""
    return draw_at(rng.key_1, rng.key_2, rng.moment + np.uint64(word))


@kernel(inline=True)
def bounded(bits, n):
    """A whole number from 0 to n - 1 (n below 2**31) out of 64 random bits."""
    return np.int64(((bits >> _32) * np.uint64(n)) >> _32)


@kernel(inline=True)
def below(rng, word, n):
    """A whole number from 0 to n - 1, drawn at `word`."""
    return bounded(draw(rng, word), n)
