"""A baseline: what a run found, small enough to be committed, so that later runs can be held against it."""

from __future__ import annotations

import hashlib
import json
import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from balance.analysis.metrics import reach, source
from balance.analysis.summaries import Cell, Record
from balance.errors import BalanceError, listed, so_many_players
from balance.experiment.events import Outcome
from balance.experiment.metrics import SPREAD, by_seat, names
from balance.experiment.plan import Plan, PlannedCell
from balance.stats.estimate import Estimate
from balance.stats.intervals import mean_from_sums, share_from_sums
from balance.stats.unseen import rare_blocks, room_of, room_of_share

SCHEMA = "balance.baseline/1"


def baseline(outcome: Outcome, tool: str) -> Record:
    """All means of a run as whole numbers: blocks, sum, sum of squares, and what makes 1 of them."""
    plan = outcome.plan
    cells = [
        _cell(plan, Cell(one, tally, plan.experiment.run.confidence))
        for one, tally in zip(plan.cells, outcome.tallies, strict=True)
        if tally.of_blocks("turns").n
    ]
    return {
        "schema": SCHEMA,
        "game": plan.game.id,
        "title": plan.experiment.title,
        "rules_version": plan.game.rules_version,
        "tool": tool,
        "seed": plan.experiment.run.seed,
        "cells": cells,
    }


def as_text(found: Record) -> str:
    """The file: one line for each metric, so that a change of one shows as a change of one line."""
    head = [f" {json.dumps(key)}: {_plain(value)}," for key, value in found.items() if key != "cells"]
    cells = ",\n".join(_cell_text(cell) for cell in found["cells"])
    return "\n".join(["{", *head, f' "cells": [\n{cells}\n ]', "}"]) + "\n"


def _cell_text(cell: Record) -> str:
    facts = ", ".join(f"{json.dumps(key)}: {_plain(cell[key])}" for key in cell if key != "metrics")
    metrics = ",\n".join(f"   {_plain(one)}" for one in cell["metrics"])
    return f'  {{{facts}, "metrics": [\n{metrics}\n  ]}}'


def _plain(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _cell(plan: Plan, cell: Cell) -> Record:
    planned = cell.planned
    return {
        "variant": planned.cell.variant,
        "players": planned.players,
        "mode": planned.cell.mode,
        "level": planned.cell.level,
        "policies": list(planned.slots),
        "players_digest": _players(plan, planned),
        "rules": _rules(plan, planned),
        "games": cell.tally.played,
        "metrics": [
            _moments(plan, cell, metric, seat)
            for metric in names(plan.game, planned.size)
            for seat in _seats(plan, metric, planned)
        ],
    }


def _rules(plan: Plan, cell: PlannedCell) -> str:
    """What tells the rules of a cell, and its deck, from others."""
    deck = plan.game.deck_data(plan.deck) if plan.game.has_deck else None
    data = json.dumps([cell.cell.rules.as_data(), deck], sort_keys=True).encode()
    return hashlib.sha256(data).hexdigest()[:16]


def _players(plan: Plan, cell: PlannedCell) -> str:
    """What tells the numbers of the policies of a cell from others."""
    numbers = [one for one in plan.identity["policies"] if one["id"] in cell.slots]
    return hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()[:16]


def _seats(plan: Plan, metric: str, cell: PlannedCell) -> Iterator[int | None]:
    if metric not in ("win_share", SPREAD):
        yield None
    if metric in by_seat(plan.game):
        yield from range(cell.players)


def _moments(plan: Plan, cell: Cell, metric: str, seat: int | None) -> Record:
    """The numbers of a metric; where few blocks were unlike the rest with the `room` for one more of them."""
    found = source(plan.game, cell, metric, seat)
    blocks, unit = cell.tally.of_blocks(found.column), found.unit * found.parts
    facts = {"metric": metric, "seat": seat, "n": blocks.n, "total": blocks.total, "squares": blocks.squares}
    facts |= {"unit": unit, "share": found.share}
    far = unit * reach(found, cell)
    room = math.ceil(room_of_share(blocks, unit) if found.share else room_of(blocks, far))
    return {**facts, **({"room": room} if room else {})}


# ---------------------------------------------------------------------- held against


def estimate(saved: Record, cell: PlannedCell, metric: str, seat: int | None, confidence: float) -> Estimate:
    """What a baseline says of a metric, at a number of blocks that was fixed."""
    for one in _of(saved, cell)["metrics"]:
        if (one["metric"], one["seat"]) == (metric, seat):
            return _estimate(one, confidence)
    return Estimate(math.nan, -math.inf, math.inf, 0, "too few")


def _estimate(one: Record, confidence: float) -> Estimate:
    """ValueError or TypeError for numbers that no games can have."""
    n, total, squares, unit = (operator.index(one[key]) for key in ("n", "total", "squares", "unit"))
    unseen = math.ceil(rare_blocks(confidence) * operator.index(one.get("room", 0)))
    if one["share"]:
        return share_from_sums(n, total, squares, confidence, unit, unseen)
    return mean_from_sums(n, total, squares + unseen, confidence, unit)


def refuse(saved: Record, plan: Plan, cells: Sequence[PlannedCell], file: str) -> None:
    """BalanceError with the reason where the cells of a plan cannot be held against a baseline."""
    if saved["game"] != plan.game.id:
        raise BalanceError(f"{file} is a baseline of {saved['game']}, not of {plan.game.id}.")
    if saved["rules_version"] != plan.game.rules_version:
        versions = (
            f"of version {saved['rules_version']} of the rules, and this is version {plan.game.rules_version}"
        )
        raise BalanceError(f"{file} is {versions}.")
    for cell in cells:
        found = _of(saved, cell)
        if not found:
            known = listed(
                f'"{one["variant"]}" with {so_many_players([one["players"]])}' for one in saved["cells"]
            )
            raise BalanceError(f"{file} has nothing on {cell.where}; it has {known}.")
        if found["policies"] != list(cell.slots):
            then, now = (listed(dict.fromkeys(names)) for names in (found["policies"], cell.slots))
            raise BalanceError(f"{file} was played by others: {then}, not {now} ({cell.where}).")
        if found["players_digest"] != _players(plan, cell):
            raise BalanceError(f"{file} was played by players of other weights ({cell.where}).")
        if found["rules"] != _rules(plan, cell):
            raise BalanceError(
                f"{file} was played by other rules, or with another deck ({cell.where}).",
                "What a change of the rules does, variants show on the same deals; or make a new baseline.",
            )


def _of(saved: Record, cell: PlannedCell) -> Mapping[str, Any]:
    wanted = (cell.cell.variant, cell.players, cell.cell.mode, cell.cell.level)
    for one in saved["cells"]:
        if (one["variant"], one["players"], one["mode"], one["level"]) == wanted:
            return dict(one)
    return {}


def read(text: str, file: str) -> Record:
    """The baseline in a file; BalanceError where there is none."""
    try:
        found = json.loads(text)
        written = found["schema"]
        if written == SCHEMA:
            for cell in found["cells"]:
                _ = cell["rules"], cell["policies"], cell["players_digest"]
                for one in cell["metrics"]:
                    _estimate(one, 0.95)
            if found["cells"] and found["game"] and found["rules_version"]:
                return dict(found)
            raise ValueError("no cells")
    except (ValueError, TypeError, KeyError, OverflowError, ZeroDivisionError) as error:
        raise BalanceError(f"{file} is no baseline; `balance baseline RUN FILE` writes one.") from error
    raise BalanceError(f'{file} was written by another version of balance: its layout is "{written}".')
