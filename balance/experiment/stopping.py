"""Rules by which a run ends before its last game: decided from what is tallied, at numbers of blocks fixed beforehand.

So when it ends depends on the experiment alone, not on threads, speed or interruptions. A run that is stopped by a rule
needs intervals that hold at all looks together (see `stats.sequential`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.tally import Tally


class StoppingRule(Protocol):
    """Says whether the cells of one table have been played for long enough."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """All that its decisions depend on, as plain data for `Plan`; not empty."""

    def decided(self, plan: Plan, cells: Sequence[PlannedCell], tallies: Sequence[Tally]) -> bool:
        """Whether these cells, a group of the plan that has come to a look, need no more games."""
