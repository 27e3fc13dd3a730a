"""The results of a run as plain data: all that the terminal, the page and other programs are told.

Whole numbers are counts; an estimate is {"value", "low", "high", "n", "method"}, where n are the independent
blocks behind it. In a cell "sides" are the types of players that meet there, "teams" the seats that play together and
"goal" what winning means, where a mode has such; its "components" are names with numbers, in the game's order; "ban"
says what a seat may not choose, where something is banned. "seconds_per_decision" is there where the experiment says
it; "own_rules" are the rules that the experiment's baseline does not have from the rulebook, with their values. Only
`timing`, which is added by whoever has a clock, differs between two equal runs.

The "tests" of a cell ask whether its seats, or teams, are even; {} where there is one alone. "even" is the test of all
at once: {"statistic", "p_value", "effect"}, the effect size being Cohen's w (0.1 is small). "deviations" are each
less an even share, with intervals that hold together, and "largest_seat_deviation" is the largest of them
("largest_team_deviation" for teams); "pairs" are each less each other, likewise, and "spread" is the largest of these.
"band" is how far apart two may be ("most"; "set" says that the experiment's gates say so), and "verdict" whether they
are: "inside", "outside", "cannot tell" or "no data".

In a comparison "changed" says whether any game came out otherwise, and "same_rules" who says already what the variant
sets: "rulebook", "baseline" or null. Of its "games" by each set of rules those on deals that are void under neither are
"compared"; "left_out" are others that count by one set of rules alone. Each of its "metrics" has the mean of the
"baseline" and of the variant ("value"), their "difference" on the same deals ("same_games" says that the means are of
these games and no others), and whose it is: "seat" (with "seats" of a team) or "policy". "effect" is the difference in
units of how much the number varies from game to game (null where it never varies), "correlation" that of the two rule
sets on the same deals, "worth" how many games on different deals one of these is worth (null where the means are of
other games). "p_value" is of this question alone, "adjusted" for all of its "family": "headline" (by Holm) or
"explored" (by Benjamini and Hochberg). "found" says that it is more than luck by that, "worse" that it is for the worse
as well (see `worse`).

"lopsided" of a baseline are the deals with the highest margins, each played again with other choices of the players:
what the margin is then, and which share of the wins whoever won it ("seat") takes, with intervals that hold for all
deals together; "same" says that no replay came out otherwise. "leads" of a baseline say who leads when, from a part of
its games: see `leads`. "logs" of the first baselines are games to be read, each with the "metric" and "end" that it was
chosen for ("comeback" is the biggest one, see `leads`), the "value" there, and its "text", of which the end may be
missing ("whole"). Only a sweep has a "sweep" (see there).
"""

from __future__ import annotations

import hashlib
import json

from balance import __version__
from balance.analysis import precision, sprt, warnings
from balance.analysis.bands import tolerance_of
from balance.analysis.comparisons import comparisons
from balance.analysis.definitions import definitions, parameters
from balance.analysis.extremes import extremes
from balance.analysis.gates import judged
from balance.analysis.goals import goal
from balance.analysis.leads import leads
from balance.analysis.lopsided import lopsided
from balance.analysis.measures import measures
from balance.analysis.narrowest import best_at
from balance.analysis.seats import seats, sides, teams, tests
from balance.analysis.series import series
from balance.analysis.summaries import Cell, Record
from balance.analysis.sweeps import sweep
from balance.experiment.events import Outcome
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.rundir import RESULTS_SCHEMA
from balance.game import GameParams
from balance.parameters import BESIDE_RULES


def results(outcome: Outcome, command: str = "") -> Record:
    """The results of what was played; `command` leads to them again."""
    plan = outcome.plan
    run = plan.experiment.run
    cells = [
        Cell(one, tally, run.confidence, best_at(plan, one))
        for one, tally in zip(plan.cells, outcome.tallies, strict=True)
    ]
    records = [_cell(plan, cell, outcome) for cell in cells]
    compared = comparisons(plan, cells)
    deck = {"deck": _deck(plan)} if plan.game.has_deck else {}
    return {
        "schema": RESULTS_SCHEMA,
        "status": "complete" if outcome.complete else "interrupted",
        "game": plan.experiment.game,
        "game_title": plan.game.title,
        "title": plan.experiment.title,
        "seed": run.seed,
        "confidence": run.confidence,
        **({"seconds_per_decision": run.seconds_per_decision} if run.seconds_per_decision else {}),
        "own_rules": _own_rules(plan),
        "words": {"round": plan.game.round_name, "turn": plan.game.turn_name},
        "definitions": definitions(plan.game),
        "parameters": parameters(plan.game),
        "policies": _policies(plan),
        "cells": records,
        "comparisons": compared,
        "series": series(plan, cells, compared) if len(plan.experiment.factors) < 2 else [],
        **({"sweep": sweep(plan, cells, compared)} if plan.experiment.factors else {}),
        "warnings": warnings.sentences(plan, cells, records),
        "gates": judged(outcome),
        **_ended_by(outcome),
        **deck,
        "provenance": _provenance(outcome, command),
    }


def _own_rules(plan: Plan) -> Record:
    """What the experiment sets for its baseline, where that is another value than the rulebook's at some table."""
    own: Record = {}
    for planned in (group[0] for group in plan.groups):
        official, rules = plan.game.resolve(planned.size).as_data(), planned.cell.rules.as_data()
        own |= {name: rules[name] for name in plan.experiment.rules if rules[name] != official[name]}
    return own


def _ended_by(outcome: Outcome) -> Record:
    """How well the shares are known, or what a test came to, where that decided when play ended."""
    found = precision.precision(outcome)
    tested = sprt.sprt(outcome)
    return {**({"precision": found} if found else {}), **({"sprt": tested} if tested else {})}


def _cell(plan: Plan, cell: Cell, outcome: Outcome) -> Record:
    game, planned = plan.game, cell.planned
    deals, led = (found.get(planned.folder) for found in (outcome.lopsided, outcome.leads))
    return {
        "name": planned.folder,
        "variant": planned.cell.variant,
        "players": planned.players,
        "mode": planned.cell.mode,
        "level": planned.cell.level,
        "policies": list(planned.slots),
        "rules": {name: value for name, value in planned.cell.rules if name not in BESIDE_RULES},
        "changes": dict(planned.cell.changes),
        **_remarks(planned.cell.rules),
        "components": [list(one) for one in planned.cell.rules.components().items()],
        **_ban(plan, planned),
        "games": cell.tally.played,
        "blocks": cell.blocks,
        "rotations": cell.rotations,
        "capped": warnings.capped(cell),
        "void": warnings.void(cell),
        "seats": seats(game, cell),
        "sides": sides(game, cell),
        **({"teams": teams(game, cell)} if planned.has_teams else {}),
        **({"goal": goal(cell)} if planned.goal else {}),
        "measures": measures(game, cell),
        "tests": tests(game, cell, tolerance_of(game, plan.experiment, planned)),
        "extremes": extremes(game, cell),
        **({"lopsided": lopsided(cell, deals)} if deals else {}),
        **({"leads": leads(cell, led)} if led else {}),
        **({"logs": told} if (told := outcome.logs.get(planned.folder)) else {}),
    }


def _remarks(rules: GameParams) -> Record:
    """What some rules say in other words, where the game has such words."""
    found = rules.remarks()
    return {"remarks": found} if found else {}


def _ban(plan: Plan, planned: PlannedCell) -> Record:
    """Which seat, from 0, may not choose what; nothing where nothing is banned."""
    ban, bans = planned.cell.ban, plan.game.bans
    if ban is None or bans is None:
        return {}
    return {"ban": {"seat": ban.seat - 1, "name": ban.name, "what": bans.names[ban.name]}}


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
