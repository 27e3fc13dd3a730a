"""Gates judged: each in every cell that it covers, by an interval that holds together with those of all the others.

A cell passes only if the whole interval lies within the limits and fails only if all of it lies outside; otherwise it
is inconclusive. A gate passes if all its cells do, and fails if any does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from balance.analysis.forecast import more_games
from balance.analysis.narrowest import best_at
from balance.analysis.questions import Question, Tallies, questions
from balance.analysis.spread import of_pairs
from balance.analysis.summaries import Cell, Record
from balance.analysis.warnings import void
from balance.experiment.events import Outcome
from balance.experiment.gates import band_of, lacks, stopping
from balance.experiment.metrics import is_share
from balance.experiment.models import Experiment, Gate
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.tally import Tally
from balance.stats.estimate import Estimate
from balance.stats.verdict import Verdict

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
_UNKNOWN = Estimate(math.nan, -math.inf, math.inf, 0, "too few")


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
                answers = one.estimates(plan, known, best_at(plan, one.cell))
                found.setdefault(one.number, []).append(one.band.judge_all(answers))
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
    planned, looked = one.cell, _best_at(plan, one.cell, complete)
    found = one.estimates(plan, tallies, looked)
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
        "more_games": None if hopeless else more_games(one, found, plan, tallies, looked),
        "never_passes": never,
        **of_file,
        **({"teams": [list(team) for team in planned.teams]} if planned.has_teams else {}),
        **_apart(one, found),
        **_void(one, tallies),
    }


def _of_file(one: Question, found: Sequence[Estimate]) -> Record:
    """How many blocks the baseline file holds, and whether they are too few to decide whatever is played now."""
    then = one.of_file()
    if then is None or not found:
        return {}
    return {"file_blocks": then.n, "file_too_small": one.file_too_small(found)}


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


def _best_at(plan: Plan, cell: PlannedCell, complete: bool) -> int | None:
    """The number of blocks at which the intervals are narrowest, where they must hold at several looks.

    A run of one look that was interrupted has ended at some number of games that nobody fixed.
    """
    return best_at(plan, cell) if complete or len(plan.looks(cell)) > 1 else plan.blocks(cell)
