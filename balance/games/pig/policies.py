"""How simulated players of Pig choose."""

from balance.engine import below, kernel
from balance.game import Policy
from balance.games.pig.rules import HOLD, ROLL


@kernel
def choose_hold_at(state, params, weights, rng, actions):
    """Hold with enough points in this turn."""
    return HOLD if state.turn_points >= weights.hold_at else ROLL


@kernel
def choose_random(state, params, weights, rng, actions):
    """Either choice with the same probability."""
    return below(rng, 0, 2)


POLICIES = (
    Policy(
        "hold-at-20",
        "Hold at 20",
        "Rolls until the turn has 20 points: the usual advice, close to the best for each single turn.",
        choose_hold_at,
        {"hold_at": 20},
        meanings={"hold_at": "Points in the turn that are enough to hold."},
    ),
    Policy("random", "Random", "Holds or rolls by the toss of a coin; a floor, not a player.", choose_random),
)
"""The first one plays where nobody is named."""
