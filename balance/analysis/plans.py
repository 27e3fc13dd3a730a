"""How many games a question takes, from pilots: to see a seat off an even share, or what a change of the rules does.

Or the other way round: what so many games can show.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from balance.analysis.comparisons import asked
from balance.analysis.definitions import definitions
from balance.analysis.metrics import differences, gained, source
from balance.analysis.summaries import Cell, Record
from balance.errors import BalanceError
from balance.experiment.events import Outcome
from balance.experiment.metrics import is_share
from balance.experiment.plan import Plan, PlannedCell
from balance.game import Game
from balance.stats.paired import Pairing
from balance.stats.power import blocks_for_difference, detectable, difference_sd, multiplicity_price
from balance.stats.sequential import FEWEST_BLOCKS

SCHEMA = "balance.plan/1"
ASSUMED = 0.5
"""The correlation on the same deals where no change of the rules is named that could be measured."""


@dataclass(frozen=True)
class Question:
    """A metric, how large a difference of it matters, the chance to see one, and the confidence.

    Or instead of the difference the `games` by each set of rules, which show one of some size.
    """

    metric: str
    detect: float | None
    power: float
    confidence: float
    games: int | None = None


def plan(question: Question, outcomes: Sequence[Outcome]) -> Record:
    """The games and seconds that the question takes at each table, alone and compared; `outcomes` are the pilots."""
    first = outcomes[0].plan
    note = first.game.note_on(first.deck) if first.game.has_deck else ""
    return {
        "schema": SCHEMA,
        "game": first.experiment.game,
        "game_title": first.game.title,
        "title": first.experiment.title,
        "seed": first.experiment.run.seed,
        **({"deck_note": note} if note else {}),
        "metric": question.metric,
        "metric_title": definitions(first.game)[question.metric]["title"],
        "share": is_share(first.game, question.metric),
        "detect": question.detect,
        "games": question.games,
        "power": question.power,
        "confidence": question.confidence,
        "tables": [_table(question, outcome) for outcome in outcomes],
    }


def _table(question: Question, outcome: Outcome) -> Record:
    game, speed = outcome.plan.game, outcome.timing["games_per_second"]
    baseline, *variants = [
        Cell(planned, tally, question.confidence)
        for planned, tally in zip(outcome.plan.cells, outcome.tallies, strict=True)
    ]
    whose, sd = max(
        ((seat, _sd(game, baseline, question.metric, seat)) for seat in _seats(baseline, question)),
        key=lambda one: one[1],
    )
    questions = sum(one.is_headline for one in asked(game, baseline)) * max(1, len(variants))
    return {
        "players": baseline.players,
        "mode": baseline.planned.cell.mode,
        "level": baseline.planned.cell.level,
        "void": not baseline.blocks,
        "pilot": {
            "games": baseline.tally.played,
            "games_per_second": speed,
            "threads": outcome.timing["threads"],
        },
        **_whose(baseline, whose),
        "sd": sd * math.sqrt(baseline.rotations),
        "alone": _alone(question, baseline, sd, speed),
        "comparisons": [_comparison(question, game, cell, baseline, speed) for cell in variants]
        or [_assumed(question, sd, _whose(baseline, whose), baseline.rotations, speed)],
        "questions": questions,
        "price": multiplicity_price(questions, question.confidence, question.power),
    }


def _seats(cell: Cell, question: Question) -> list[int | None]:
    """Whose numbers are asked for: each side's wins, or the table's mean."""
    return list(cell.planned.leaders) if question.metric == "win_share" else [None]


def _whose(cell: Cell, seat: int | None) -> Record:
    team = next((one for one in cell.planned.teams if seat in one and len(one) > 1), None)
    return {"seat": seat, **({"seats": list(team)} if team else {})}


def furthest(cell: PlannedCell) -> float:
    """How far a share of wins can be from an even one: somebody wins none of the games, or all of them."""
    even = 1 / len(cell.teams)
    return max(even, 1 - even)


def refuse_impossible(question: Question, plan: Plan) -> None:
    """BalanceError where one set of rules is asked for a difference that there cannot be."""
    cell, detect = plan.groups[0][0], question.detect
    if (
        question.metric != "win_share"
        or detect is None
        or plan.experiment.variants
        or detect <= furthest(cell)
    ):
        return
    who = "team" if cell.has_teams else "seat"
    raise BalanceError(
        f"With {cell.where.partition(', ')[2]} a {who} can be {100 * furthest(cell):.3g} points off an even share of "
        f"{100 / len(cell.teams):.3g} % at most, so --detect takes up to {100 * furthest(cell):.3g}pp, not "
        f"{100 * detect:g}pp."
    )


def _alone(question: Question, baseline: Cell, sd: float, speed: float) -> Record | None:
    """What one set of rules takes; so few games that only a difference that there cannot be shows, show none."""
    found = _takes(question, sd, baseline.rotations, speed)
    if found is None or question.metric != "win_share":
        return found
    most = furthest(baseline.planned)
    return {
        name: {**one, "detect": None if one["detect"] is None or one["detect"] > most else one["detect"]}
        for name, one in found.items()
    }


def _sd(game: Game, cell: Cell, metric: str, seat: int | None) -> float:
    """How much a block varies."""
    found = source(game, cell, metric, seat)
    return (cell.tally.of_blocks(found.column).sd or 0.0) / found.unit


def _comparison(question: Question, game: Game, cell: Cell, baseline: Cell, speed: float) -> Record:
    """The seat whose difference varies most decides."""
    sizes = []
    for seat in _seats(cell, question):
        found = source(game, cell, question.metric, seat)
        moved, of = differences(cell, found), [one.tally.of_blocks(found.column) for one in (cell, baseline)]
        apart = math.sqrt(sum(one.variance or 0.0 for one in of)) / found.unit
        sizes.append(((moved.sd or 0.0) / found.unit, apart, seat, gained(cell, baseline, found)))
    together, apart, seat, shared = max(sizes, key=lambda one: one[0])
    return {
        "variant": cell.planned.cell.variant,
        "changed": cell.tally.changed,
        "void": not cell.compared,
        **_whose(cell, seat),
        **_told(shared),
        "same_deals": _takes(question, together, cell.rotations, speed, 2),
        "other_deals": _takes(question, apart, cell.rotations, speed, 2)
        if cell.blocks and baseline.blocks
        else None,
    }


def _assumed(question: Question, sd: float, whose: Record, rotations: int, speed: float) -> Record:
    """The same for a change that nobody named."""
    return {
        "variant": None,
        "changed": True,
        "void": False,
        **whose,
        **_told(Pairing(ASSUMED, 1 / (1 - ASSUMED))),
        "same_deals": _takes(question, difference_sd(sd, ASSUMED), rotations, speed, 2),
        "other_deals": _takes(question, difference_sd(sd), rotations, speed, 2),
    }


def _told(shared: Pairing) -> Record:
    worth = shared.worth if shared.worth is not None and math.isfinite(shared.worth) else None
    return {"correlation": shared.correlation, "worth": worth}


def _takes(question: Question, sd: float, rotations: int, speed: float, rule_sets: int = 1) -> Record | None:
    """The games by each set of rules, the seconds for all, and the difference that is seen, at a number fixed
    beforehand and, where a run may stop as soon as it knows, at most; None where nothing varied in the pilot."""
    if sd == 0:
        return None
    found: Record = {}
    for name, anytime in (("fixed", False), ("stopping", True)):
        blocks, size = _seen(question, sd, rotations, anytime)
        games = blocks * rotations
        seconds = round(rule_sets * games / speed, 6) if speed else None
        found[name] = {"games": games, "seconds": seconds, "detect": size}
    return found


def _seen(question: Question, sd: float, rotations: int, anytime: bool) -> tuple[int, float | None]:
    """A number of blocks and the difference that these show; None where they are too few to show any."""
    how = question.confidence, question.power, anytime
    fewest = FEWEST_BLOCKS if anytime else 2
    if question.games is None:
        size = question.detect or 0.0
        return max(blocks_for_difference(size, sd, *how), fewest), size
    blocks = -(-question.games // rotations)
    return blocks, detectable(blocks, sd, *how) if blocks >= fewest else None
