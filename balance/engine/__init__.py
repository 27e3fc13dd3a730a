"""What game authors may use, all of it imported by name."""

from balance.engine.choice import OPTIONS_PER_DRAW, noisy, prefers
from balance.engine.kernels import kernel
from balance.engine.records import state_dtype
from balance.engine.rng import aim, below, bounded, draw
from balance.engine.trace import TRACE, note

__all__ = [
    "OPTIONS_PER_DRAW",
    "TRACE",
    "aim",
    "below",
    "bounded",
    "draw",
    "kernel",
    "noisy",
    "note",
    "prefers",
    "state_dtype",
]
