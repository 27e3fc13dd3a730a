"""A sweep: what was found at each of its points, what each value of each rule does by itself, and the fairest point.

Where points combine values of several rules, the main effect of a value is its mean over all combinations of the other
rules, less the mean over all values: the same combinations for each value, so those that are impossible with one of
them are left aside. Where one rule is changed at a time, it is the difference from the baseline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from statistics import fmean
from typing import Any

from balance.analysis import spread
from balance.analysis.metrics import reach, single, source
from balance.analysis.series import OUTCOMES, length_metric
from balance.analysis.summaries import Cell, Record
from balance.experiment.batches import BLOCKS
from balance.experiment.metrics import SPREAD, names
from balance.experiment.models import Factor
from balance.experiment.plan import Plan
from balance.experiment.sweep import impossible_points
from balance.game import Game
from balance.stats.batched import batched_estimate
from balance.stats.estimate import Estimate

SWEPT = (SPREAD, "rounds", "turns", "score", *OUTCOMES, "tie_rate")
"""The metrics of a sweep, of the games that have them."""
Values = tuple[Any, ...]
"""One value of each factor, in their order."""


def sweep(plan: Plan, cells: Sequence[Cell], comparisons: Sequence[Record]) -> Record:
    """The sweep of an experiment that is one: its factors, and a table for each number of players and mode."""
    experiment = plan.experiment
    reasons = {(one.variant, one.size): one.reason for one in impossible_points(experiment, plan.game)}
    tables = []
    for group in plan.groups:
        size = group[0].size
        own = {name: reason for (name, where), reason in reasons.items() if where == size}
        members = {one.cell.variant: cells[one.index] for one in group}
        here = (*size, group[0].cell.level)
        differences = {one["variant"]: one for one in comparisons if _table_of(one) == here}
        tables.append(_Table(plan, members, differences, own).record())
    return {
        "factors": [{"rule": one.rule, "values": _listed(one.values)} for one in experiment.factors],
        "grid": experiment.is_grid,
        "tables": tables,
    }


@dataclass(frozen=True)
class _Table:
    """The points at one table: cells by variant, comparisons by variant, and why others are impossible."""

    plan: Plan
    cells: Mapping[str, Cell]
    comparisons: Mapping[str, Record]
    impossible: Mapping[str, str]

    @property
    def game(self) -> Game:
        return self.plan.game

    @cached_property
    def baseline(self) -> Cell:
        return next(iter(self.cells.values()))

    @cached_property
    def metrics(self) -> list[str]:
        known = names(self.game, self.baseline.planned.size)
        return [name for name in SWEPT if name in known]

    def record(self) -> Record:
        planned = self.baseline.planned
        return {
            "players": planned.players,
            "mode": planned.cell.mode,
            "level": planned.cell.level,
            "metrics": self.metrics,
            "shown": self._shown(),
            "baseline": self._point(planned.cell.variant, {}),
            "points": [self._point(one.name, one.rules) for one in self.plan.experiment.variants],
            "effects": self._effects(),
        }

    def _shown(self) -> list[str]:
        """The metrics with one kind of length, that which says more."""
        length = length_metric(self.cells.values())
        return [name for name in self.metrics if name not in ("rounds", "turns") or name == length]

    # ------------------------------------------------------------------------------------ points

    def _point(self, variant: str, rules: Mapping[str, Any]) -> Record:
        cell = self._cell(variant)
        own = self.baseline.planned.cell.rules.as_data()
        values = {one.rule: rules.get(one.rule, own[one.rule]) for one in self.plan.experiment.factors}
        compared = self.comparisons.get(variant, {"metrics": []})
        return {
            "variant": variant,
            "values": {rule: _plain(value) for rule, value in values.items()},
            "is_baseline": cell is self.baseline,
            "impossible": self.impossible.get(variant, ""),
            "means": {name: self._mean(cell, name).as_dict() for name in self.metrics} if cell else {},
            "differences": {
                one["metric"]: one["difference"]
                for one in compared["metrics"]
                if one["seat"] is None and "policy" not in one and one["metric"] in self.metrics
            },
        }

    def _cell(self, variant: str) -> Cell | None:
        """What was played of a point: its own cell, the baseline where it is the same, or none."""
        if variant in self.impossible:
            return None
        return self.cells.get(variant, self.baseline)

    def _mean(self, cell: Cell, metric: str) -> Estimate:
        if metric == SPREAD:
            return spread.largest(cell, cell.confidence)
        return single(self.game, cell, metric, None, cell.confidence)

    # ------------------------------------------------------------------------------------ main effects

    def _effects(self) -> list[Record]:
        if not self.plan.experiment.is_grid:
            return []
        return [self._effect(at, factor) for at, factor in enumerate(self.plan.experiment.factors)]

    def _effect(self, at: int, factor: Factor) -> Record:
        """What each value of a factor does, over the combinations of the others that are possible with all of them."""
        every = {
            others: [self._at((*others[:at], value, *others[at:])) for value in factor.values]
            for others in self._others(at)
        }
        rows = [row for row in every.values() if None not in row]
        left_out = [others for others, row in every.items() if None in row]
        names = [one.rule for number, one in enumerate(self.plan.experiment.factors) if number != at]
        found = {name: self._levels(rows, name) for name in self.metrics if name != SPREAD} if rows else {}
        return {
            "rule": factor.rule,
            "combinations": len(rows),
            "left_out": [
                {rule: _plain(value) for rule, value in zip(names, others, strict=True)}
                for others in left_out
            ],
            "levels": [
                {
                    "value": _plain(value),
                    "means": {name: levels[number][0] for name, levels in found.items()},
                    "effects": {name: levels[number][1].as_dict() for name, levels in found.items()},
                }
                for number, value in enumerate(factor.values)
            ],
        }

    def _others(self, at: int) -> list[Values]:
        factors = self.plan.experiment.factors
        return list(product(*(one.values for number, one in enumerate(factors) if number != at)))

    def _at(self, values: Values) -> Cell | None:
        variant = self._variants.get(repr(values))
        return None if variant is None else self._cell(variant)

    @cached_property
    def _variants(self) -> dict[str, str]:
        return {repr(tuple(one.rules.values())): one.name for one in self.plan.experiment.variants}

    def _levels(self, rows: Sequence[Sequence[Any]], metric: str) -> list[tuple[float | None, Estimate]]:
        """The mean of each level over all rows, and by how much it lies above that of all levels."""
        blocks = min(cell.blocks for row in rows for cell in row)
        if not blocks:
            return [
                (None, Estimate(float("nan"), float("-inf"), float("inf"), 0, "too few")) for _ in rows[0]
            ]
        whole = [fmean(self._value(cell, metric) for cell in level) for level in zip(*rows, strict=True)]
        series = [self._by_batch(level, metric) for level in zip(*rows, strict=True)]
        middle = [_middle(one) for one in zip(*series, strict=True)]
        cells = [cell for row in rows for cell in row]
        far = reach(source(self.game, cells[0], metric), *cells)
        found: list[tuple[float | None, Estimate]] = []
        for mean, of_level in zip(whole, series, strict=True):
            steps = [one - all_of_them for one, all_of_them in zip(of_level, middle, strict=True)]
            effect = batched_estimate(mean - _middle(whole), steps, blocks, self.baseline.confidence, far)
            found.append((mean, effect))
        return found

    def _value(self, cell: Cell, metric: str) -> float:
        found = source(self.game, cell, metric)
        blocks = cell.tally.of_blocks(found.column)
        return blocks.total / (blocks.n * found.unit)

    def _by_batch(self, level: Sequence[Cell], metric: str) -> list[float]:
        """The mean over these cells in each batch; nothing unless all of them have blocks in every batch."""
        means = []
        for cell in level:
            found, sums = source(self.game, cell, metric), cell.tally.batches
            if not all(sums[BLOCKS]):
                return []
            pairs = zip(sums[found.column], sums[BLOCKS], strict=True)
            means.append([total / (n * found.unit) for total, n in pairs])
        return [fmean(of_batch) for of_batch in zip(*means, strict=True)]


def _middle(values: Sequence[float]) -> float:
    """Their mean; of equal ones exactly what they are, so that nothing differs from it by a rounding error."""
    return values[0] if min(values) == max(values) else fmean(values)


def _table_of(one: Record) -> tuple[Any, ...]:
    return one["players"], one["mode"], one["level"]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _listed(values: Sequence[Any]) -> list[Any]:
    return [_plain(value) for value in values]
