"""5.1 What nobody can see, dealt anew."""

from balance.engine import below, kernel


@kernel
def determinize(state, params, seat, rng):
    """Shuffle the tiles that are not yet drawn, main stock and end stack together; all else is public."""
    for i in range(state.stock_size - 1, state.stock_at, -1):
        at = state.stock_at + below(rng, i, i + 1 - state.stock_at)
        tile = state.stock[i]
        state.stock[i] = state.stock[at]
        state.stock[at] = tile
