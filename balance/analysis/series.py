"""Series: variants that change one and the same rule, and nothing else, laid out by the values of that rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from balance.analysis.metrics import single
from balance.analysis.seats import largest_deviation
from balance.analysis.summaries import Cell, Record
from balance.experiment.columns import outcomes
from balance.experiment.plan import Plan, PlannedCell
from balance.game import Game

OUTCOMES = ("goal_rate", "score_margin")
"""What is told of the games that have it, beside their length, the mean score, and the seats."""


def series(plan: Plan, cells: Sequence[Cell], comparisons: Sequence[Record]) -> list[Record]:
    """The series of an experiment, of two variants or more, in the order of its file; the first is its headline.

    Each has a table for each number of players with a row for each value: the baseline's, and the variants' that
    differ from it there.
    """
    found = [_series(plan, rule, names, cells, comparisons) for rule, names in _rules(plan).items()]
    return [one for one in found if one["tables"]]


def _rules(plan: Plan) -> dict[str, list[str]]:
    """The rules of which variants change each alone, with the names of two variants at least."""
    found: dict[str, list[str]] = {}
    for variant in plan.experiment.variants:
        if len(variant.rules) == 1:
            found.setdefault(next(iter(variant.rules)), []).append(variant.name)
    return {rule: names for rule, names in found.items() if len(names) > 1}


def _series(
    plan: Plan, rule: str, names: Sequence[str], cells: Sequence[Cell], comparisons: Sequence[Record]
) -> Record:
    groups = [[cells[one.index] for one in _members(group, names)] for group in plan.groups]
    played = [[cell for cell in group if cell.blocks] for group in groups if group[0].blocks]
    played = [group for group in played if len(group) > 1]
    length = length_metric(cell for group in played for cell in group)
    return {
        "rule": rule,
        "official": rule not in plan.experiment.rules,
        "tables": [_table(plan.game, rule, group, length, comparisons) for group in played],
    }


def _members(group: Sequence[PlannedCell], names: Sequence[str]) -> list[PlannedCell]:
    """The baseline, and the variants of these names that differ from it."""
    baseline, *others = group
    return [baseline, *(one for one in others if one.cell.variant in names and one.cell.changes)]


def length_metric(cells: Iterable[Cell]) -> str:
    """What says how long these games last: rounds, or turns where all of them have the same number of rounds."""
    seen = {int(value) for cell in cells for value in cell.tally.of_games("rounds").values}
    return "rounds" if len(seen) > 1 else "turns"


def _table(
    game: Game, rule: str, cells: Sequence[Cell], length: str, comparisons: Sequence[Record]
) -> Record:
    planned = cells[0].planned
    known = outcomes(game, planned)
    metrics = [length, "score", *(name for name in OUTCOMES if name in known)]
    rows: dict[str, Record] = {}
    for cell in cells:  # of variants with the same value the first one stands for all
        value = cell.planned.cell.rules.as_data()[rule]
        rows.setdefault(repr(value), _row(game, value, cell, metrics, comparisons))
    found = list(rows.values())
    if all(isinstance(row["value"], int | float) for row in found):
        found.sort(key=lambda row: float(row["value"]))
    return {
        "players": planned.players,
        "mode": planned.cell.mode,
        "level": planned.cell.level,
        "metrics": metrics,
        "rows": found,
    }


def _row(
    game: Game, value: object, cell: Cell, metrics: Sequence[str], comparisons: Sequence[Record]
) -> Record:
    """One value of the rule: what came of it, and how that differs from the baseline on the same deals."""
    planned = cell.planned.cell
    differences = {
        metric["metric"]: {**metric["difference"], "found": metric["found"]}
        for one in comparisons
        if (one["variant"], one["players"], one["mode"], one["level"])
        == (planned.variant, planned.players, planned.mode, planned.level)
        for metric in one["metrics"]
        if metric["seat"] is None and "policy" not in metric and metric["metric"] in metrics
    }
    return {
        "value": list(value) if isinstance(value, tuple) else value,
        "variant": planned.variant,
        "baseline": not planned.changes,
        "means": {name: single(game, cell, name, None, cell.confidence).as_dict() for name in metrics},
        "differences": differences,
        "seat": _furthest(game, cell),
    }


def _furthest(game: Game, cell: Cell) -> Record | None:
    """The seat furthest from an even share of the wins, or the team by its first seat and all; None for one alone."""
    found = largest_deviation(game, cell)
    if "largest_team_deviation" not in found:
        return found.get("largest_seat_deviation")
    team: Record = found["largest_team_deviation"]
    seats = cell.planned.teams[team["team"]]
    return {"seat": seats[0], "seats": list(seats), **team}
