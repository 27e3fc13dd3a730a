"""Where the intervals of a run that may end early are narrowest: settled before the first game."""

from __future__ import annotations

from balance.analysis import precision, sprt
from balance.experiment.plan import Plan, PlannedCell

_RULES = {precision.RULE: precision.best_at_of, sprt.RULE: sprt.best_at_of}


def best_at(plan: Plan, cell: PlannedCell) -> int | None:
    """The blocks at which intervals are narrowest that hold at all looks; None where there is but one look.

    A precision and a sequential test say themselves about how many blocks they take; of the rest nobody knows, and
    that is the last look.
    """
    if len(plan.looks(cell)) == 1:
        return None
    rule = _RULES.get((plan.stopping or {}).get("rule", ""), Plan.blocks)
    return rule(plan, cell)
