"""What the gates of an experiment ask, cell by cell, and the intervals that answer; all hold together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from balance.analysis.baseline import estimate as saved_estimate
from balance.analysis.metrics import difference, estimate, single
from balance.analysis.summaries import Cell, Record
from balance.experiment.gates import band_of, covers
from balance.experiment.metrics import SPREAD, is_share
from balance.experiment.models import Gate
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.tally import Tally
from balance.stats.estimate import Estimate
from balance.stats.independent import independent_difference
from balance.stats.multiplicity import each_of
from balance.stats.verdict import Band

Tallies = Mapping[int, Tally]
"""What was tallied of cells, by their numbers."""


@dataclass(frozen=True)
class Question:
    """A gate in one of the cells that it covers, at the level that each question takes."""

    number: int
    gate: Gate
    cell: PlannedCell
    baseline: PlannedCell
    confidence: float
    saved: Record | None = None
    """The baseline of a file, if there is one."""

    @property
    def band(self) -> Band:
        """The values that are fine. How far two seats are apart counts either way."""
        band = band_of(self.gate)
        return Band.around(0.0, band.high) if self.is_spread else band

    @property
    def is_spread(self) -> bool:
        """Whether it asks how far the seats are apart."""
        return self.gate.metric == SPREAD and not self.gate.against

    def is_share(self, plan: Plan) -> bool:
        """Whether the metric is a share itself."""
        return is_share(plan.game, self.gate.metric.partition(".")[0])

    def never_passes(self, plan: Plan) -> bool:
        """Whether what is not decided can fail, but never pass: its limits leave no room for any interval.

        An interval has a width; and that of a share reaches up from 0, or down from 1, however often it was so.
        """
        band = band_of(self.gate)
        least = -1.0 if self.gate.against else 0.0
        edges = self.is_share(plan) and (band.high <= least or band.low >= 1)
        return band.low == band.high or edges

    def estimates(self, plan: Plan, tallies: Tallies, best_at: int | None) -> tuple[Estimate, ...]:
        """What was found; several that hold together where the gate asks how far seats are apart.

        `best_at` are the blocks at which intervals are narrowest that hold at all looks, None where there is one.
        """
        gate, seat = self.gate, None if self.gate.seat is None else self.gate.seat - 1
        cell, baseline = (
            Cell(one, tallies[one.index], self.confidence) for one in (self.cell, self.baseline)
        )
        how = (gate.metric, seat, self.confidence, best_at, gate.policy or None)
        if gate.against == "file":
            now, then = single(plan.game, cell, *how), self.of_file()
            return (replace(independent_difference(now, then), n=now.n),) if then else ()
        if gate.against:
            return (difference(plan.game, cell, baseline, *how),)
        found = estimate(plan.game, cell, *how)
        return found if isinstance(found, tuple) else (found,)

    def of_file(self) -> Estimate | None:
        """What the baseline of a file says, if the gate asks for one and there is one."""
        if self.gate.against != "file" or not self.saved:
            return None
        seat = None if self.gate.seat is None else self.gate.seat - 1
        return saved_estimate(self.saved, self.cell, self.gate.metric, seat, self.confidence)

    def file_too_small(self, found: Sequence[Estimate]) -> bool:
        """Whether the baseline of a file has too few games to decide this, whatever is played now.

        No game that is played now shortens the file's own interval; whichever value of those that are still possible
        turns out to be right, it is then neither within the limits nor beyond them.
        """
        then = self.of_file()
        if then is None or not found or math.isinf(found[0].high - found[0].low):
            return False
        below, above = then.high - then.value, then.value - then.low
        now, band = found[0], self.band
        fits = max(now.low, band.low + below) <= min(now.high, band.high - above)
        return not (fits or now.high - below > band.high or now.low + above < band.low)


def questions(plan: Plan, saved: Record | None = None) -> list[Question]:
    """All that the gates of an experiment ask; at the level of each, all hold at the confidence of the experiment.

    `saved` is the baseline of a file, if it is another than the one that a check was played against.
    """
    saved = saved or (plan.stopping or {}).get("baseline")
    asked = [
        (number, gate, cell, group[0])
        for number, gate in enumerate(plan.experiment.gates)
        for group in plan.groups
        for cell in group
        if covers(plan.game, gate, cell.cell.variant, (cell.players, cell.cell.mode))
    ]
    level = each_of(plan.experiment.run.confidence, max(1, len(asked)))
    return [Question(*one, level, saved) for one in asked]
