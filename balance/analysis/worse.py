"""What it means that a change made something worse; everything else has merely changed.

Worse are: seats further apart, or one further from an even share; more shared wins; more games at the cap; more games
that run out of components, or need more of them. Of scores, lengths and goals only the designer knows what is wanted.
"""

from __future__ import annotations

from balance.experiment.metrics import SPREAD
from balance.game import Game

MORE_IS_WORSE = (SPREAD, "tie_rate", "capped_rate")


def is_worse(
    game: Game, metric: str, baseline: float | None, value: float | None, even: float | None = None
) -> bool:
    """Whether going from one value to another is for the worse; `even` is what a share of the wins should be."""
    if baseline is None or value is None:
        return False
    if metric == "win_share":
        return even is not None and abs(value - even) > abs(baseline - even)
    checks = {measure.id for measure in game.measures_of("game") if measure.check}
    return metric in (*MORE_IS_WORSE, *checks) and value > baseline
