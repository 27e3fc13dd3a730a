"""What game authors may use, all of it imported by name."""

from balance.engine.choice import GUMBEL, noisy
from balance.engine.kernels import kernel
from balance.engine.records import state_dtype
from balance.engine.rng import aim, below, bounded, draw
from balance.engine.trace import TRACE, note

__all__ = ["GUMBEL", "TRACE", "aim", "below", "bounded", "draw", "kernel", "noisy", "note", "state_dtype"]
