"""The switch for traces. Rules say `if TRACE: note(...)`; the compiler drops it, a replay binds both names."""

import numpy as np

from balance.engine.kernels import kernel

TRACE = np.int64(0)


@kernel
def note(state, params, event, a, b, c):
    """Tell the tracer what has just happened; bound to a real tracer only in a replay."""
