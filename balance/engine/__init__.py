"""What game authors may use, all of it imported by name."""

from balance.engine.choice import OPTIONS_PER_DRAW, code_of, noisy, prefers, ranked
from balance.engine.kernels import kernel
from balance.engine.records import CAPPED_OVER, LOST_OVER, VOID_OVER, state_dtype
from balance.engine.rng import aim, below, bounded, draw
from balance.engine.trace import TRACE, note

__all__ = [
    "CAPPED_OVER",
    "LOST_OVER",
    "OPTIONS_PER_DRAW",
    "TRACE",
    "VOID_OVER",
    "aim",
    "below",
    "bounded",
    "code_of",
    "draw",
    "kernel",
    "noisy",
    "note",
    "prefers",
    "ranked",
    "state_dtype",
]
