"""A sequential test as the reason to stop: does a policy win so much more than even, or a variant change a share?

Two claims stand against each other, that the number is at most the first mean or at least the second; play ends as soon
as one is accepted, each wrongly with a chance of at most 1 minus the confidence. A policy's number is its share of all
wins above an even one, in blocks in which it sat in every seat; a variant's is its paired difference from the baseline.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from balance.analysis.metrics import differences, source
from balance.analysis.summaries import Cell, Record
from balance.errors import BalanceError, listed, nearest, so_many_players
from balance.experiment.events import Outcome
from balance.experiment.metrics import SPREAD, by_seat, is_share, names
from balance.experiment.models import Experiment
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.tally import Tally
from balance.experiment.wording import printable
from balance.game import Game
from balance.stats.histogram import Histogram
from balance.stats.intervals import share_interval
from balance.stats.paired import paired_difference
from balance.stats.sequential import FEWEST_BLOCKS, anytime_share
from balance.stats.sprt import Sprt, difference_test, expected_blocks, share_test
from balance.stats.stopped import stopped_mean

RULE = "sprt"
FEWEST_UNLIKE = 50
"""Fewer wins, losses or changed blocks than that are too far from normal for what corrects a test that ended play."""


@dataclass(frozen=True)
class Claim:
    """What is tested: a policy's share above even, or what a variant changes of a share (of a seat, if it has one)."""

    means: tuple[float, float]
    metric: str = "win_share"
    seat: int | None = None
    policy: str | None = None

    @property
    def data(self) -> dict[str, Any]:
        """As plain data for the identity of the run."""
        found = {"rule": RULE, "means": list(self.means), "metric": self.metric}
        return {**found, "seat": self.seat, "policy": self.policy}


def of_policy(game: Game, experiment: Experiment, means: tuple[float, float]) -> Claim:
    """The claim about the first policy of a line-up; BalanceError where it does not meet others, or nobody can win so
    much, or so little."""
    policies = experiment.lineup.policies
    if len(set(policies)) < 2:
        raise BalanceError(
            "--sprt tests the first policy against the others: name two or more, such as --policies greedy,random."
        )
    for players in dict.fromkeys(players for players, _ in game.sizes(experiment.players, experiment.modes)):
        held = sum(policies[slot % len(policies)] == policies[0] for slot in range(players))
        even = held / players
        if not 0 <= even + means[0] < even + means[1] <= 1:
            raise BalanceError(
                f'With {so_many_players([players])} "{policies[0]}" holds {held} of {players} seats, an even share of '
                f"{100 * even:.3g} % of the wins, so --sprt tests from {-100 * even:.3g}pp to {100 - 100 * even:.3g}pp."
            )
    return Claim(means, policy=policies[0])


def of_variant(game: Game, experiment: Experiment, means: tuple[float, float], asked: str) -> Claim:
    """The claim about what a variant changes: "tie_rate", or "win_share:2" of a seat; BalanceError for others."""
    metric, colon, seat = asked.partition(":")
    sizes = game.sizes(experiment.players, experiment.modes)
    known = [name for name in names(game, sizes[0]) if is_share(game, name) and name != SPREAD]
    known = [name for name in known if all(name in names(game, size) for size in sizes)]
    if metric not in known:
        raise BalanceError(
            f'--sprt tests a share, and "{printable(metric)}" is none here.{nearest(metric, known)}',
            f"The shares are {listed(known)}; write --metric {known[0]}, say." if known else "",
        )
    if (metric in by_seat(game)) != bool(colon):
        example = f"--metric {metric}:1" if metric in by_seat(game) else f"--metric {metric}"
        raise BalanceError(
            f'"{metric}" is a number of {"a seat" if not colon else "no seat"}; write {example}.'
        )
    seats = range(1, min(players for players, _ in sizes) + 1)
    if colon and (not seat.isdecimal() or int(seat) not in seats):
        raise BalanceError(
            f'--metric {metric}:SEAT takes a seat from 1 to {seats[-1]}, not "{printable(seat)}".'
        )
    return Claim(means, metric, int(seat) - 1 if colon else None)


class UntilAccepted:
    """The stopping rule of a claim: each table is played until it, or its opposite, is accepted in all its cells."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self.identity: Mapping[str, Any] = claim.data

    def decided(self, plan: Plan, cells: Sequence[PlannedCell], tallies: Sequence[Tally]) -> bool:
        """Whether nothing is open in these cells."""
        confidence = plan.experiment.run.confidence
        found = [Cell(cell, tally, confidence) for cell, tally in zip(cells, tallies, strict=True)]
        tests = [_tested(plan.game, cell, self._claim).test for cell in found if _asked(cell, self._claim)]
        return all(test.accepted is not None for test in tests)


def sprt(outcome: Outcome) -> Record | None:
    """The tests of a run that was played until they were decided; None for other runs."""
    plan, confidence = outcome.plan, outcome.plan.experiment.run.confidence
    told = dict(plan.stopping or {})
    if told.pop("rule", None) != RULE:
        return None
    claim = Claim(**{**told, "means": tuple(told["means"])})
    cells = [Cell(one, tally, confidence) for one, tally in zip(plan.cells, outcome.tallies, strict=True)]
    asked = [cell for cell in cells if cell.blocks and _asked(cell, claim)]
    tables = [(cell.planned.size, cell.planned.cell.level) for cell in asked]
    answers = [
        _answer(plan, cell, claim, tables.count(table) == 1)
        for cell, table in zip(asked, tables, strict=True)
    ]
    return {**told, "error": 1 - confidence, "cells": answers}


def _asked(cell: Cell, claim: Claim) -> bool:
    """A policy is tested everywhere, a change in the variants that differ."""
    return claim.policy is not None or cell.planned.cell.differs


@dataclass(frozen=True)
class _Tested:
    """The test of a cell, the blocks behind it, what makes 1 in them, the even share, and the means as tested."""

    test: Sprt
    blocks: Histogram
    unit: int
    even: float
    means: tuple[float, float]


def _tested(game: Game, cell: Cell, claim: Claim) -> _Tested:
    errors = (1 - cell.confidence, 1 - cell.confidence)
    found = source(game, cell, claim.metric, claim.seat, claim.policy)
    if claim.policy is None:
        blocks = differences(cell, found)
        test = difference_test(blocks, found.unit, cell.rotations, claim.means, errors)
        return _Tested(test, blocks, found.unit, 0.0, claim.means)
    blocks, even = cell.tally.of_blocks(found.column), found.parts / cell.players
    low, high = (min(1 - 1e-9, max(1e-9, even + mean)) for mean in claim.means)
    test = share_test(blocks, found.unit, cell.rotations, (low, high), errors)
    return _Tested(test, blocks, found.unit, even, (low, high))


def _answer(plan: Plan, cell: Cell, claim: Claim, alone: bool) -> Record:
    """The test of a cell, and the number: as if the games had been fixed, allowing for all looks at it, of which there
    may be but one, and corrected for that the test itself ended play, if it did so `alone`."""
    found = _tested(plan.game, cell, claim)
    test, blocks, unit = found.test, found.blocks, found.unit
    best_at, confidence = best_at_of(plan, cell.planned), cell.confidence
    if claim.policy is not None:
        plain = adjusted = share_interval(blocks, confidence, unit)
        if len(plan.looks(cell.planned)) > 1:
            adjusted = anytime_share(blocks, confidence, unit, cell.rotations, best_at=best_at)
    else:
        told = {"share": True, "differs": cell.planned.cell.differs}
        plain = adjusted = paired_difference(blocks, confidence, unit, **told)
        if len(plan.looks(cell.planned)) > 1:
            adjusted = paired_difference(blocks, confidence, unit, **told, best_at=best_at)
    return {
        "cell": cell.planned.folder,
        "accepted": test.accepted,
        "llr": test.llr,
        "lower": test.lower,
        "upper": test.upper,
        "even": found.even,
        "plain": plain.as_dict(),
        "adjusted": adjusted.as_dict(),
        "corrected": _corrected(plan, cell, claim, found) if alone and adjusted is not plain else None,
    }


def _corrected(plan: Plan, cell: Cell, claim: Claim, found: _Tested) -> Record | None:
    """What fits a test that ended where this one did; None where so few blocks differ that they are far from normal."""
    blocks, unit = found.blocks, found.unit
    won, lost = blocks.total, unit * blocks.n - blocks.total
    unlike = min(won, lost) * unit if claim.policy is not None else blocks.squares
    if not blocks.variance or unlike < FEWEST_UNLIKE * unit * unit:
        return None
    played = cell.tally.played // cell.rotations
    counted = blocks.n / played  # the others hold void games
    taken = [look * counted for look in plan.looks(cell.planned) if look < played]
    return stopped_mean(
        blocks.total / blocks.n / found.unit,
        blocks.variance / found.unit**2,
        [*taken, blocks.n],
        (found.test.lower, found.test.upper),
        found.means,
        cell.confidence,
        (0.0, 1.0) if claim.policy is not None else (-1.0, 1.0),
    ).as_dict()


def best_at_of(plan: Plan, cell: PlannedCell) -> int:
    """Where the intervals of such a run are narrowest: fixed before the first game, and the same however many games
    may be played at most.

    For a policy these are the blocks that the test takes on average where it takes most of them, if the games of a
    block are independent. How much a change varies on the same deals nobody knows: there it is the first look.
    """
    told = plan.stopping or {}
    if told.get("policy") is None or cell.rotations == 1:
        return FEWEST_BLOCKS
    even, error = cell.slots.count(told["policy"]) / cell.players, 1 - plan.experiment.run.confidence
    low, high = (even + mean for mean in told["means"])
    variance = even * (1 - even) / cell.rotations
    blocks = expected_blocks((low + high) / 2, variance, (low, high), (error, error))
    return max(FEWEST_BLOCKS, math.ceil(blocks))
