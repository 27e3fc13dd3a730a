"""The results of a run as plain data: all that the terminal, the page and other programs are told.

Whole numbers are counts; an estimate is {"value", "low", "high", "n", "method"}, where n are the independent
blocks behind it. In a cell "sides" are the types of players that meet there, "teams" the seats that play together and
"goal" what winning means, where a mode has such. Only `timing`, which is added by whoever has a clock, differs between
two equal runs.
"""

from __future__ import annotations

import hashlib
import json

from balance import __version__
from balance.analysis import warnings
from balance.analysis.comparisons import comparison
from balance.analysis.definitions import definitions, parameters
from balance.analysis.extremes import extremes
from balance.analysis.goals import goal
from balance.analysis.measures import measures
from balance.analysis.seats import seats, sides, teams, tests
from balance.analysis.series import series
from balance.analysis.summaries import Cell, Record
from balance.experiment.events import Outcome
from balance.experiment.plan import Plan
from balance.experiment.rundir import RESULTS_SCHEMA
from balance.game import Game, GameParams
from balance.parameters import BESIDE_RULES


def results(outcome: Outcome, command: str = "") -> Record:
    """The results of what was played; `command` leads to them again."""
    plan = outcome.plan
    run = plan.experiment.run
    cells = [Cell(one, tally, run.confidence) for one, tally in zip(plan.cells, outcome.tallies, strict=True)]
    records = [_cell(plan.game, cell) for cell in cells]
    comparisons = _comparisons(plan, cells)
    deck = {"deck": _deck(plan)} if plan.game.has_deck else {}
    return {
        "schema": RESULTS_SCHEMA,
        "status": "complete" if outcome.complete else "interrupted",
        "game": plan.experiment.game,
        "game_title": plan.game.title,
        "title": plan.experiment.title,
        "seed": run.seed,
        "confidence": run.confidence,
        "words": {"round": plan.game.round_name, "turn": plan.game.turn_name},
        "definitions": definitions(plan.game),
        "parameters": parameters(plan.game),
        "policies": _policies(plan),
        "cells": records,
        "comparisons": comparisons,
        "series": series(plan, cells, comparisons),
        "warnings": warnings.sentences(plan, cells, records),
        "gates": [],
        **deck,
        "provenance": _provenance(outcome, command),
    }


def _cell(game: Game, cell: Cell) -> Record:
    planned = cell.planned
    return {
        "name": planned.folder,
        "variant": planned.cell.variant,
        "players": planned.players,
        "mode": planned.cell.mode,
        "level": None,
        "policies": list(planned.slots),
        "rules": {name: value for name, value in planned.cell.rules if name not in BESIDE_RULES},
        "changes": dict(planned.cell.changes),
        **_remarks(planned.cell.rules),
        "games": cell.tally.played,
        "blocks": cell.blocks,
        "rotations": cell.rotations,
        "capped": warnings.capped(cell),
        "void": warnings.void(cell),
        "seats": seats(cell),
        "sides": sides(cell),
        **({"teams": teams(cell)} if planned.has_teams else {}),
        **({"goal": goal(cell)} if planned.goal else {}),
        "measures": measures(game, cell),
        "tests": tests(cell),
        "extremes": extremes(game, cell),
    }


def _remarks(rules: GameParams) -> Record:
    """What some rules say in other words, where the game has such words."""
    found = rules.remarks()
    return {"remarks": found} if found else {}


def _comparisons(plan: Plan, cells: list[Cell]) -> list[Record]:
    return [
        comparison(plan.game, cells[one.index], cells[group[0].index])
        for group in plan.groups
        for one in group[1:]
        if cells[one.index].compared
    ]


def _deck(plan: Plan) -> Record:
    """Which cards were played with: the folder that they came from, what to know of them, and what tells them apart."""
    content = json.dumps(plan.game.deck_data(plan.deck), sort_keys=True).encode()
    return {
        "folder": plan.experiment.deck,
        "note": plan.game.note_on(plan.deck),
        "digest": hashlib.sha256(content).hexdigest()[:16],
    }


def _policies(plan: Plan) -> list[Record]:
    """The types of players that took part: what each does, and its numbers."""
    helps = {policy.id: policy.help for policy in plan.policies}
    return [{**numbers, "help": helps[numbers["id"]]} for numbers in plan.identity["policies"]]


def _provenance(outcome: Outcome, command: str) -> Record:
    plan = outcome.plan
    return {
        "command": command,
        "tool": __version__,
        "rules_version": plan.game.rules_version,
        "seed": plan.experiment.run.seed,
        "experiment": plan.digest[:8],
        "fingerprints": {"loop": plan.loop.fingerprint, "games": outcome.games_digest},
    }
