"""What a game says about bans: names with what is forbidden, and kernels that tell and do no more than they should."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from balance.conformance.violation import Violation
from balance.engine.banned import kernels_of
from balance.engine.kernels import Bindings
from balance.engine.plain import copied, plain_kernel
from balance.game import Game

MOST_NAMES = 62
_LOOKED_AT = 12
"""So many options of a decision are looked at; the lists of some games are long."""


def bans(game: Game) -> Iterator[Violation]:
    """What is wrong with the names."""
    if game.bans is None:
        return
    if not 1 <= len(game.bans.names) <= MOST_NAMES:
        found = len(game.bans.names)
        yield Violation("bans", f"There must be 1 to {MOST_NAMES} names to ban, not {found}.")
    for name, forbidden in game.bans.names.items():
        if not name.strip() or not name.isprintable():
            yield Violation("bans", f"A name to ban must be text that can be shown, not {name!r}.")
        if not forbidden.startswith("to ") or forbidden.endswith(".") or not forbidden.isprintable():
            wanted = 'begin with "to" and end without a full stop'
            yield Violation("bans", f'What "{name}" forbids must {wanted}, not "{forbidden}".')


class Bans:
    """Looks at the kernels for bans at a decision."""

    def __init__(self, game: Game, bind: Bindings) -> None:
        """The game's kernels in plain Python."""
        self._names = len(game.bans.names) if game.bans else 0
        self._kernels: Sequence[Any] = [plain_kernel(fn, bind) for fn in kernels_of(game)]

    def look(self, state: Any, params: Any, options: Sequence[int]) -> Iterator[str]:
        """What is wrong at this decision: what `concerns` says of some options; `withhold` must be able to do its
        work on copies of the state."""
        if not self._kernels:
            return
        concerns, *withhold = self._kernels
        most = 1 << self._names
        for action in options[:: max(1, len(options) // _LOOKED_AT)]:
            names = int(concerns(state, params, action))
            if not 0 <= names < most:
                yield f"concerns says {names} of action {action}; there are {self._names} names, a bit for each."
            for hide in withhold:
                hide(copied(state), params, names)
