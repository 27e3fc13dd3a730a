"""How a policy turns values into a choice: the largest value wins, with noise that makes it a softmax.

Adding Gumbel noise to each value and taking the largest chooses option i with probability proportional to
exp(value_i / temperature). The noise comes from a table of 256 integers, so no floating point decides a game.
"""

from __future__ import annotations

import math

import numpy as np

from balance.engine.kernels import kernel
from balance.engine.rng import draw

NOISE_SCALE = 64
"""Values are compared in 64ths, so that the noise can be finer than one point of value."""
GUMBEL = np.array(
    [round(-NOISE_SCALE * math.log(-math.log((i + 0.5) / 256))) for i in range(256)], dtype=np.int64
)
LOGISTIC = np.array(
    [round(NOISE_SCALE * math.log((i + 0.5) / (255.5 - i))) for i in range(256)], dtype=np.int64
)
"""The difference of two Gumbel noises: all that a choice between two options needs."""
OPTIONS_PER_DRAW = 4
"""One draw of 64 bits holds the noise of four options, 16 bits each: the upper 8 choose it from the table."""


@kernel(inline=True)
def noisy(value, temperature, bits, option):
    """The value of option number `option` with its noise, to compare; `bits` is the draw at word option // 4.

    Equal values are told apart by the noise at any temperature, 0 included, so that no seat or card is preferred.
    """
    noise = np.int64(bits >> np.uint64(16 * (option & 3))) & 0xFFFF
    if temperature == 0:
        return (value << 16) + noise
    return ((value * NOISE_SCALE + temperature * GUMBEL[noise >> 8]) << 16) + noise


CODE_BITS = 8


@kernel(inline=True)
def ranked(value, temperature, bits, option, code):
    """An option's noisy value with its action code (0 to 255) below it: the largest is the choice, without a branch.

    Values lie within 2**31 either way.
    """
    return (noisy(value, temperature, bits, option) << CODE_BITS) | code


@kernel(inline=True)
def code_of(best):
    """The action code of the option that `ranked` put first."""
    return best & ((1 << CODE_BITS) - 1)


@kernel(inline=True)
def prefers(value, temperature, rng):
    """Whether an option worth `value` is chosen over one worth nothing."""
    if temperature == 0:
        return value > 0
    return value * NOISE_SCALE + temperature * LOGISTIC[np.int64(draw(rng, 0) >> np.uint64(56))] > 0
