"""Gates judged: each in every cell that it covers, by an interval that holds together with those of all the others.

A cell passes only if the whole interval lies within the limits and fails only if all of it lies outside; otherwise it
is inconclusive. A gate passes if all its cells do, and fails if any does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from balance.analysis.baseline import estimate as saved_estimate
from balance.analysis.metrics import difference, estimate, single
from balance.analysis.narrowest import best_at
from balance.analysis.spread import of_pairs
from balance.analysis.summaries import Cell, Record
from balance.analysis.warnings import void
from balance.experiment.events import Outcome
from balance.experiment.gates import band_of, covers, lacks, stopping
from balance.experiment.metrics import SPREAD, is_share
from balance.experiment.models import MOST_GAMES, Experiment, Gate
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.tally import Tally
from balance.stats.critical import normal_critical
from balance.stats.estimate import Estimate
from balance.stats.independent import independent_difference
from balance.stats.multiplicity import each_of
from balance.stats.power import power_critical
from balance.stats.sequential import FEWEST_BLOCKS, anytime_factor
from balance.stats.unseen import unseen_part
from balance.stats.verdict import Band, Verdict, more_blocks_of_all

VERDICT_SCHEMA = "balance.verdict/1"
PASS, FAIL, INCONCLUSIVE, NO_DATA = "pass", "fail", "inconclusive", "no data"
VERDICTS = (FAIL, NO_DATA, INCONCLUSIVE, PASS)
"""From the worst to the best."""
_WORDS: dict[Verdict, str] = {
    "inside": PASS,
    "outside": FAIL,
    "cannot tell": INCONCLUSIVE,
    "no data": NO_DATA,
}
PROBABLY = 0.8
"""The chance with which the number of games that is told decides a question, if what was found is the truth."""
_UNKNOWN = Estimate(math.nan, -math.inf, math.inf, 0, "too few")

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

    def estimates(self, plan: Plan, tallies: Tallies, complete: bool = True) -> tuple[Estimate, ...]:
        """What was found; several that hold together where the gate asks how far seats are apart."""
        best_at = _best_at(plan, self.cell, complete)
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

    def held_by_file(self, found: Sequence[Estimate]) -> Estimate | None:
        """What was found as if it were known exactly by now: no game played now shortens the file's own interval."""
        then = self.of_file()
        if then is None or not found:
            return None
        value = found[0].value
        return Estimate(value, value - (then.high - then.value), value + (then.value - then.low), then.n, "")


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


class UntilDecided:
    """The stopping rule of a check: each table is played until every gate fails there, or passes in all its cells."""

    def __init__(self, experiment: Experiment, saved: Record | None = None) -> None:
        self.identity = stopping(experiment, saved)

    def decided(self, plan: Plan, cells: Sequence[PlannedCell], tallies: Sequence[Tally]) -> bool:
        """Whether no question about these cells is open."""
        known = dict(zip((cell.index for cell in cells), tallies, strict=True))
        found: dict[int, list[Verdict]] = {}
        for one in questions(plan):
            if one.cell.index in known:
                found.setdefault(one.number, []).append(one.band.judge_all(one.estimates(plan, known)))
        return all("outside" in gate or set(gate) == {"inside"} for gate in found.values())


def judged(outcome: Outcome, saved: Record | None = None) -> list[Record]:
    """All gates of an experiment with their verdicts, in the order of the file; seats count from 0."""
    plan, tallies = outcome.plan, dict(enumerate(outcome.tallies))
    cells: dict[int, list[Record]] = {}
    for one in questions(plan, saved):
        cells.setdefault(one.number, []).append(_answer(one, plan, tallies, outcome.complete))
    return [
        _record(number, gate, plan, cells.get(number, []))
        for number, gate in enumerate(plan.experiment.gates)
    ]


def record(outcome: Outcome, saved: Record | None = None) -> Record:
    """The verdict on an experiment with all that it rests on; equal for equal runs."""
    plan, run = outcome.plan, outcome.plan.experiment.run
    gates = judged(outcome, saved)
    cells = [
        {"name": cell.folder, "variant": cell.cell.variant, "players": cell.players, "mode": cell.cell.mode}
        | {"level": cell.cell.level, "games": tally.played, "rotations": cell.rotations}
        for cell, tally in zip(plan.cells, outcome.tallies, strict=True)
    ]
    return {
        "schema": VERDICT_SCHEMA,
        "verdict": verdict(gates),
        "status": "complete" if outcome.complete else "interrupted",
        "game": plan.experiment.game,
        "game_title": plan.game.title,
        "title": plan.experiment.title,
        "experiment": plan.digest[:8],
        "seed": run.seed,
        "confidence": run.confidence,
        "cells": cells,
        "gates": gates,
    }


def verdict(gates: Sequence[Record]) -> str:
    """Of all gates together: the worst of those that may fail a check; "no data" where nothing could be judged."""
    if all(gate["verdict"] == NO_DATA for gate in gates):
        return NO_DATA
    return _worst([gate["verdict"] for gate in gates if gate["level"] == "error"] or [PASS])


def _worst(verdicts: Sequence[str]) -> str:
    return min(verdicts, key=VERDICTS.index)


def _record(number: int, gate: Gate, plan: Plan, cells: list[Record]) -> Record:
    band = band_of(gate)
    ends = {"low": band.low, "high": band.high}
    return {
        "gate": number,
        "metric": gate.metric,
        "seat": None if gate.seat is None else gate.seat - 1,
        "policy": gate.policy or None,
        "against": gate.against,
        "share": is_share(plan.game, gate.metric.partition(".")[0]),
        "limits": {name: end if math.isfinite(end) else None for name, end in ends.items()},
        "level": gate.level,
        "why": gate.why,
        "verdict": _worst([cell["verdict"] for cell in cells] or [NO_DATA]),
        "left_out": _left_out(gate, plan),
        "cells": cells,
    }


def _left_out(gate: Gate, plan: Plan) -> list[Record]:
    """The tables that a gate would cover, but that lack its seat or its metric."""
    sizes = dict.fromkeys(group[0].size for group in plan.groups)
    return [{"players": size[0], "mode": size[1]} for size in sizes if lacks(plan.game, gate, size)]


def _answer(one: Question, plan: Plan, tallies: Tallies, complete: bool) -> Record:
    planned, found = one.cell, one.estimates(plan, tallies, complete)
    shown = of_pairs(found) if one.is_spread else found[0] if found else _UNKNOWN
    judgment = one.band.judge_all(found)
    never = judgment == "cannot tell" and one.never_passes(plan)
    of_file = _of_file(one, found)
    hopeless = never or of_file.get("file_too_small", False)
    return {
        "cell": planned.folder,
        "variant": planned.cell.variant,
        "players": planned.players,
        "mode": planned.cell.mode,
        "level": planned.cell.level,
        "rotations": planned.rotations,
        "verdict": _WORDS[judgment],
        "estimate": shown.as_dict(),
        "confidence": one.confidence,
        "more_games": None if hopeless else _more_games(one, found, plan, complete),
        "never_passes": never,
        **of_file,
        **({"teams": [list(team) for team in planned.teams]} if planned.has_teams else {}),
        **_apart(one, found),
        **_void(one, tallies),
    }


def _of_file(one: Question, found: Sequence[Estimate]) -> Record:
    """How many blocks the baseline file holds, and whether they are too few to decide whatever is played now.

    After a handful of games nobody knows yet.
    """
    held = one.held_by_file(found)
    if held is None:
        return {}
    known = not math.isinf(found[0].high - found[0].low)
    return {"file_blocks": held.n, "file_too_small": known and one.band.judge(held) == "cannot tell"}


def _apart(one: Question, found: Sequence[Estimate]) -> Record:
    """Which two sides are furthest apart."""
    if not one.is_spread or not found:
        return {}
    pairs = list(combinations(range(len(one.cell.teams)), 2))
    return {"pair": list(pairs[max(range(len(found)), key=lambda at: abs(found[at].value))])}


def _void(one: Question, tallies: Tallies) -> Record:
    """How many games were played and how many of them are void, by the baseline too where its deals are compared."""
    cells = {"": one.cell} | ({"baseline_": one.baseline} if one.gate.against == "baseline" else {})
    of = {name: Cell(cell, tallies[cell.index], one.confidence) for name, cell in cells.items()}
    return {"games": of[""].tally.played} | {f"{name}void": void(cell) for name, cell in of.items()}


def _more_games(one: Question, found: Sequence[Estimate], plan: Plan, complete: bool) -> int | None:
    """About how many more games it takes until the question is probably decided; None where nobody can tell."""
    fixed = 0 if _best_at(plan, one.cell, complete) else max((each.n for each in found), default=0)
    plain = max(fixed, FEWEST_BLOCKS)

    is_plain = one.is_share(plan) and not one.gate.against and not one.is_spread
    rare = all(each.method == "unseen" or (is_plain and each.value in (0, 1)) for each in found)

    def own(blocks: float) -> float:
        """A check of at most `plain` blocks looks but once; that of more is paid for with wider intervals. What is
        found after more of them differs by luck from what was found so far."""
        if rare:
            return unseen_part(blocks, one.confidence, None if blocks <= plain else blocks)
        luck = power_critical(PROBABLY) / math.sqrt(blocks) if blocks > found[0].n else 0.0
        if blocks <= plain:
            return luck + normal_critical(one.confidence) / math.sqrt(blocks)
        return luck + anytime_factor(blocks, one.confidence, blocks)

    held = one.held_by_file(found)
    length = found[0].high - found[0].low if held else 0.0
    part = (held.high - held.low) / length if held and length else 0.0

    def width(blocks: float) -> float:
        """Of an interval in part the file's."""
        return (
            math.hypot(math.sqrt(1 - part**2) * own(blocks) / own(found[0].n), part) if held else own(blocks)
        )

    blocks = more_blocks_of_all(found, one.band, width)
    if blocks is None or blocks * one.cell.rotations > MOST_GAMES:
        return None
    return math.ceil(blocks) * one.cell.rotations


def _best_at(plan: Plan, cell: PlannedCell, complete: bool) -> int | None:
    """The number of blocks at which the intervals are narrowest, where they must hold at several looks.

    A run of one look that was interrupted has ended at some number of games that nobody fixed.
    """
    return best_at(plan, cell) if complete or len(plan.looks(cell)) > 1 else plan.blocks(cell)
