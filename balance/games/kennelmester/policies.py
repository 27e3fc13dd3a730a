"""How simulated players of Kennelmester choose."""

from balance.engine import below, kernel
from balance.game import Policy
from balance.games.kennelmester.choosing import option


@kernel(inline=True)
def choose_random(state, params, weights, rng, actions):
    """6.5: each option with the same probability."""
    return option(state, params, below(rng, 0, state.options))


POLICIES = (
    Policy(
        "random",
        "Random",
        "Takes each legal option with the same probability; a floor, not a player.",
        choose_random,
    ),
)
