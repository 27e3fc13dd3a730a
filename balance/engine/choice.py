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
GUMBEL = np.array([round(-NOISE_SCALE * math.log(-math.log((i + 0.5) / 256))) for i in range(256)], dtype=np.int64)
_OPTIONS_PER_DRAW = 8


@kernel(inline=True)
def noisy(value, temperature, rng, option):
    """The value of option number `option` (0 to 255) with its noise, in 64ths; equal at temperature 0."""
    if temperature == 0:
        return value * NOISE_SCALE
    bits = draw(rng, option // _OPTIONS_PER_DRAW)
    byte = np.int64((bits >> np.uint64(8 * (option % _OPTIONS_PER_DRAW))) & np.uint64(255))
    return value * NOISE_SCALE + temperature * GUMBEL[byte]
