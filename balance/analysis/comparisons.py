"""Variants against the baseline, block by block on the same deals, and which differences are more than luck.

Two families of questions: the headline metrics (who wins, ties, scores, lengths, goals and caps) of all variants of a
file at all tables, where Holm's p-values make any false finding unlikely; and everything else the games count, a list
to explore, where by Benjamini and Hochberg few of the findings are false.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from balance.analysis import spread
from balance.analysis.metrics import (
    Source,
    difference,
    differences,
    gained,
    how_paired,
    of_games,
    same_games,
    single,
    source,
)
from balance.analysis.summaries import Cell, Record
from balance.analysis.worse import is_worse
from balance.experiment.metrics import SPREAD, is_share, names
from balance.experiment.plan import Plan
from balance.game import Game
from balance.stats.estimate import Estimate
from balance.stats.multiplicity import benjamini_hochberg, holm
from balance.stats.paired import Pairing, p_value

HEADLINE = (
    "win_share",
    SPREAD,
    "goal_rate",
    "tie_rate",
    "score",
    "score_margin",
    "turns",
    "rounds",
    "capped_rate",
)
"""What is asked of every variant; single seats' scores are of the list to explore."""
OF_SEATS = ("win_share",)
"""The headline metrics that each seat, or policy, is asked for."""


@dataclass(frozen=True)
class Asked:
    """A metric, and whose it is: a seat's (a team's by its first seat) or a policy's, or the table's."""

    metric: str
    seat: int | None = None
    policy: str | None = None

    @property
    def is_headline(self) -> bool:
        """Whether it is of the declared family."""
        whose = self.seat is not None or self.policy is not None
        return self.metric in HEADLINE and (not whose or self.metric in OF_SEATS)


def comparisons(plan: Plan, cells: Sequence[Cell]) -> list[Record]:
    """All differences of all variants from the baseline of their table, with p-values that allow for their number."""
    found = [
        _comparison(plan, cells[one.index], cells[group[0].index])
        for group in plan.groups
        for one in group[1:]
        if cells[one.index].compared
    ]
    asked = [one for one in found if one["same_rules"] is None]  # where nothing was changed nothing is asked
    for family, adjusted in (("headline", holm), ("explored", benjamini_hochberg)):
        entries = [entry for one in asked for entry in one["metrics"] if entry["family"] == family]
        for entry, p in zip(entries, adjusted([entry["p_value"] for entry in entries]), strict=True):
            entry["adjusted"] = p
            entry["found"] = p <= 1 - plan.experiment.run.confidence and _excludes_zero(entry["difference"])
            entry["worse"] = entry["worse"] and entry["found"]
    return found


def _excludes_zero(moved: Record) -> bool:
    return None not in (moved["low"], moved["high"]) and not moved["low"] <= 0 <= moved["high"]


def _comparison(plan: Plan, cell: Cell, baseline: Cell) -> Record:
    game, planned = plan.game, cell.planned.cell
    official = not set(plan.experiment.rules) & _changed_rules(plan, planned.variant)
    same = None if planned.differs else "rulebook" if official else "baseline"
    return {
        "variant": planned.variant,
        "players": cell.players,
        "mode": planned.mode,
        "level": planned.level,
        "baseline": baseline.planned.cell.variant,
        "games": cell.tally.played,
        "compared": cell.pairs * cell.rotations,
        "left_out": cell.left_out(baseline) * cell.rotations,
        "changed": cell.tally.changed,
        "same_rules": same,
        "metrics": [_entry(game, cell, baseline, one) for one in asked(game, cell)],
    }


def _changed_rules(plan: Plan, variant: str) -> set[str]:
    return {rule for one in plan.experiment.variants if one.name == variant for rule in one.rules}


def asked(game: Game, cell: Cell) -> Iterator[Asked]:
    """All that is compared in a cell, the headline metrics first."""
    yield from sorted(_asked(game, cell), key=lambda one: not one.is_headline)


def _asked(game: Game, cell: Cell) -> Iterator[Asked]:
    planned, policies = cell.planned, cell.planned.sides if cell.rotations > 1 else ()
    several = len(planned.teams) > 1
    of_seats = [measure.id for measure in game.measures_of("seat")]
    for metric in names(game, planned.size):
        if metric != "win_share":
            yield Asked(metric)
        if metric in ("win_share", "score"):
            if several:
                yield from (Asked(metric, seat) for seat in planned.leaders)
            yield from (Asked(metric, policy=policy) for policy in policies)
        if metric in of_seats and cell.players > 1:  # alone, the only seat's is the mean of all
            yield from (Asked(metric, seat) for seat in range(cell.players))


def _entry(game: Game, cell: Cell, baseline: Cell, one: Asked) -> Record:
    moved = difference(game, cell, baseline, one.metric, one.seat, cell.confidence, cell.best_at, one.policy)
    before, after = (_value(game, of, one) for of in (baseline, cell))
    moved_to = None if before is None or math.isnan(moved.value) else before + moved.value
    shared, p = _pairing(game, cell, baseline, one), _p_value(game, cell, baseline, one)
    team = next((team for team in cell.planned.teams if len(team) > 1 and team[0] == one.seat), ())
    team = team if one.metric in ("win_share", "score") else ()
    even = 1 / len(cell.planned.teams) if one.policy is None else None
    return {
        "metric": one.metric,
        "seat": one.seat,
        **({"seats": list(team)} if team else {}),
        **({"policy": one.policy} if one.policy is not None else {}),
        "baseline": before,
        "value": after,
        "difference": moved.as_dict(),
        "same_games": one.metric == SPREAD or same_games(cell, baseline, _source(game, cell, one)),
        "effect": _effect(game, cell, baseline, one, moved),
        "correlation": shared.correlation,
        "worth": None if shared.worth is None or math.isinf(shared.worth) else shared.worth,
        "family": "headline" if one.is_headline else "explored",
        "p_value": p,
        "adjusted": 1.0,
        "found": False,
        "worse": cell.planned.cell.ban is None and is_worse(game, one.metric, before, moved_to, even),
    }


def _value(game: Game, cell: Cell, one: Asked) -> float | None:
    if one.metric == SPREAD:
        found = spread.widest(spread.pairs(cell, cell.confidence))
    else:
        found = single(game, cell, one.metric, one.seat, cell.confidence, policy=one.policy).value
    return None if math.isnan(found) else found


def _pairing(game: Game, cell: Cell, baseline: Cell, one: Asked) -> Pairing:
    """What playing the same deals gained."""
    if one.metric == SPREAD:
        return Pairing(None, None)
    return gained(cell, baseline, _source(game, cell, one))


def _source(game: Game, cell: Cell, one: Asked) -> Source:
    return source(game, cell, one.metric, one.seat, one.policy)


def _p_value(game: Game, cell: Cell, baseline: Cell, one: Asked) -> float:
    if not cell.tally.changed:
        return 1.0
    if one.metric == SPREAD:
        return spread.change_p_value(cell, baseline, cell.best_at)
    found = _source(game, cell, one)
    told = how_paired(cell, baseline, found)
    return p_value(differences(cell, found), cell.confidence, best_at=cell.best_at, **told)


def _effect(game: Game, cell: Cell, baseline: Cell, one: Asked, moved: Estimate) -> float | None:
    """The difference in units of how much the number varies from game to game; None where it varies not at all."""
    sizes = [_varies(game, of, one) for of in (baseline, cell)]
    most = max((size for size in sizes if size), default=0.0)
    if moved.value == 0:
        return 0.0
    return moved.value / most if most and not math.isnan(moved.value) else None


def _varies(game: Game, cell: Cell, one: Asked) -> float | None:
    if not is_share(game, one.metric):
        return of_games(cell, _source(game, cell, one)).sd
    even = 1 / max(2, len(cell.planned.teams))
    share = even if one.metric == SPREAD else _value(game, cell, one)
    return None if share is None else math.sqrt(max(0.0, share * (1 - share)))
