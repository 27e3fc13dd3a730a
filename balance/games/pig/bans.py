"""What a player of Pig can be forbidden to choose."""

from types import MappingProxyType

from balance.engine import kernel
from balance.game import Bans
from balance.games.pig.rules import CHOICES


@kernel
def concerns(state, params, action):
    """A choice is about itself."""
    return 1 << action


BANS = Bans(MappingProxyType({choice: f"to {choice}" for choice in CHOICES}), concerns)
