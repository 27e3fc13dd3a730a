"""How many games a question takes, from pilots: to see a seat off an even share, or what a change of the rules does.

Or the other way round: what so many games can show.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from balance.analysis.comparisons import asked
from balance.analysis.definitions import definitions
from balance.analysis.metrics import Source, differences, gained, reach, source
from balance.analysis.summaries import Cell, Record
from balance.errors import BalanceError
from balance.experiment.events import Outcome
from balance.experiment.metrics import is_share, names
from balance.experiment.pilots import usual
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.tally import Tally
from balance.game import Game
from balance.stats.paired import Pairing
from balance.stats.power import (
    FEWEST_NORMAL,
    blocks_for_difference,
    detectable,
    difference_sd,
    multiplicity_price,
    nothing,
)
from balance.stats.sequential import FEWEST_BLOCKS
from balance.stats.unseen import FEWEST_UNLIKE, UNSEEN_BLOCKS, rare_blocks, rarity, room, unseen_blocks

SCHEMA = "balance.plan/1"
ASSUMED = 0.5
"""The correlation on the same deals where no change of the rules is named that could be measured."""
_ROUNDS = 40
"""So many make what a number of games shows, and how much it varies then, agree."""


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


def plan(question: Question, outcomes: Sequence[Outcome], whole: Plan | None = None) -> Record:
    """The games and seconds that the question takes at each table, alone and compared.

    `outcomes` are the pilots, `whole` is the experiment that they are of where it has tables without a pilot.
    """
    first = outcomes[0].plan
    questions = sum(map(family, [whole] if whole else [one.plan for one in outcomes]))
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
        "left_out": _left_out(question, whole) if whole else [],
        "tables": [_table(question, outcome) for outcome in outcomes],
        "questions": questions,
        "price": multiplicity_price(max(1, questions), question.confidence, question.power),
    }


def family(plan: Plan) -> int:
    """How many headline numbers `comparisons` asks for, if no game is void: those of all variants at all tables.

    Those of one change at all tables where none is named.
    """
    found = 0
    for baseline, *variants in plan.groups:
        changes = sum(one.cell.differs for one in variants) if plan.experiment.variants else 1
        cell = Cell(baseline, Tally(), plan.experiment.run.confidence)
        found += changes * sum(one.is_headline for one in asked(plan.game, cell))
    return found


def _left_out(question: Question, whole: Plan) -> list[Record]:
    """The tables that do not have the metric, and what is usually asked for there."""
    sizes = dict.fromkeys(group[0].size for group in whole.groups)
    return [
        {"players": size[0], "mode": size[1], "usual": usual(whole.game, [size])}
        for size in sizes
        if question.metric not in names(whole.game, size)
    ]


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
        "alone": _takes(
            question, _Varies(sd, baseline.rotations, _most_alone(question, game, baseline)), speed
        ),
        "comparisons": [_comparison(question, game, cell, baseline, speed) for cell in variants]
        or [_assumed(question, game, baseline, whose, sd, speed)],
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
        f"With {cell.where.partition(', ')[2]} a {who} can be {100 * furthest(cell):.3g} pp off an even share of "
        f"{100 / len(cell.teams):.3g} % at most, so --detect takes up to {100 * furthest(cell):.3g}pp, not "
        f"{100 * detect:g}pp."
    )


def _most_alone(question: Question, game: Game, baseline: Cell) -> float:
    """How far off a number can be: a share of wins off an even one, any other share off where it is."""
    if question.metric == "win_share":
        return furthest(baseline.planned)
    return _most_moved(game, baseline, question.metric, None)


def _most_moved(game: Game, baseline: Cell, metric: str, seat: int | None) -> float:
    """How far a change can move a number: a share from where it is to none or all, anything else without end."""
    found = source(game, baseline, metric, seat)
    if not found.share:
        return math.inf
    share = (baseline.tally.of_blocks(found.column).mean or 0.0) / found.unit
    return max(share, 1 - share)


def _sd(game: Game, cell: Cell, metric: str, seat: int | None) -> float:
    """How much a block varies."""
    found = source(game, cell, metric, seat)
    return (cell.tally.of_blocks(found.column).sd or 0.0) / found.unit


def _comparison(question: Question, game: Game, cell: Cell, baseline: Cell, speed: float) -> Record:
    """The seat whose difference varies most decides; where none varies, that which varies most."""
    sizes = []
    for seat in _seats(cell, question):
        found = source(game, cell, question.metric, seat)
        moved, of = differences(cell, found), [one.tally.of_blocks(found.column) for one in (cell, baseline)]
        apart = math.sqrt(sum(one.variance or 0.0 for one in of)) / found.unit
        sizes.append(((moved.sd or 0.0) / found.unit, apart, seat, gained(cell, baseline, found)))
    together, apart, seat, shared = max(sizes, key=lambda one: one[:2])
    most = _most_moved(game, baseline, question.metric, seat)
    _refuse_too_much(question, game, baseline)
    few = _few(question, game, cell, seat)
    unseen = _unseen(source(game, cell, question.metric, seat), cell, baseline)
    return {
        "variant": cell.planned.cell.variant,
        "changed": cell.tally.changed,
        "few": few,
        "void": not cell.compared,
        **_whose(cell, seat),
        **_told(shared),
        "same_deals": None
        if few is not None
        else _takes(question, _Varies(together, cell.rotations, most, True, unseen), speed),
        "other_deals": _takes(question, _Varies(apart, cell.rotations, most, True), speed)
        if cell.blocks and baseline.blocks
        else None,
    }


def _few(question: Question, game: Game, cell: Cell, seat: int | None) -> int | None:
    """How many blocks changed in the pilot, where these are too few to say how much a change varies."""
    found = source(game, cell, question.metric, seat)
    moved = differences(cell, found)
    changed = sum(c for v, c in zip(moved.values.tolist(), moved.counts.tolist(), strict=True) if v)
    return changed if cell.tally.changed and not found.share and 0 < changed < FEWEST_UNLIKE else None


def _refuse_too_much(question: Question, game: Game, baseline: Cell) -> None:
    """BalanceError where no change of the rules can move a share by as much as is asked for."""
    most = max(_most_moved(game, baseline, question.metric, seat) for seat in _seats(baseline, question))
    if baseline.blocks and question.detect is not None and question.detect > most:
        where = baseline.planned.where.partition(", ")[2]
        raise BalanceError(
            f"With {where} a change of the rules can move this share by {100 * most:.3g} pp at most, so --detect takes "
            f"up to {100 * most:.3g}pp, not {100 * question.detect:g}pp."
        )


def _assumed(
    question: Question, game: Game, baseline: Cell, seat: int | None, sd: float, speed: float
) -> Record:
    """The same for a change that nobody named."""
    most = _most_moved(game, baseline, question.metric, seat)
    _refuse_too_much(question, game, baseline)
    same, other = (
        _takes(
            question, _Varies(difference_sd(sd, correlation), baseline.rotations, most, True, unseen), speed
        )
        for correlation, unseen in ((ASSUMED, nothing if math.isinf(most) else _of_shares), (0.0, nothing))
    )
    return {
        "variant": None,
        "changed": True,
        "few": None,
        "void": False,
        **_whose(baseline, seat),
        **_told(Pairing(ASSUMED, 1 / (1 - ASSUMED))),
        "same_deals": same,
        "other_deals": other,
    }


def _told(shared: Pairing) -> Record:
    worth = shared.worth if shared.worth is not None and math.isfinite(shared.worth) else None
    return {"correlation": shared.correlation, "worth": worth}


@dataclass(frozen=True)
class _Varies:
    """What decides how many games it takes: how much a block of so many games varies, how far the number can be moved
    at most (of what is no share without end), and what the interval allows for what was not seen."""

    sd: float
    rotations: int
    most: float
    compares: bool = False
    unseen: Callable[[float], float] = nothing

    def if_moved(self, size: float) -> float:
        """How much a block varies if a share moves by so much: as large a part of the games must then change."""
        if not self.compares or math.isinf(self.most):
            return self.sd
        return max(self.sd, math.sqrt(size * max(0.0, 1 - size) / self.rotations))


def _unseen(found: Source, cell: Cell, baseline: Cell) -> Callable[[float], float]:
    """What the interval of a difference on the same deals allows for each block to come, by the number of blocks."""
    moved = differences(cell, found)
    if found.share or not moved.n:
        return _of_shares
    n, unlike, seen = rarity(moved)
    far = found.unit * reach(found, cell, baseline) + abs(moved.total) / n
    return lambda blocks: room(blocks, blocks * unlike / n, seen, far) / found.unit**2


def _of_shares(_blocks: float) -> float:
    return 1.0


def _takes(question: Question, varies: _Varies, speed: float) -> Record | None:
    """The games by each set of rules, the seconds for all, and the difference that is seen, at a number fixed
    beforehand and, where a run may stop as soon as it knows, at most; None where nothing varied in the pilot."""
    if varies.sd == 0:
        return None
    found: Record = {}
    for name, anytime in (("fixed", False), ("stopping", True)):
        blocks, size = _seen(question, varies, anytime)
        games = blocks * varies.rotations
        seconds = round((2 if varies.compares else 1) * games / speed, 6) if speed else None
        found[name] = {"games": games, "seconds": seconds, "detect": size}
    return found


def _seen(question: Question, varies: _Varies, anytime: bool) -> tuple[int, float | None]:
    """A number of blocks and the difference that these show; None where they are too few to show any.

    A share cannot differ by more than there is of it, nor by less than a game.
    """
    fixed = unseen_blocks if math.isfinite(varies.most) else rare_blocks
    to_come = UNSEEN_BLOCKS if anytime else fixed(question.confidence)
    how = question.confidence, question.power, anytime, lambda blocks: to_come * varies.unseen(blocks)
    fewest = FEWEST_BLOCKS if anytime else FEWEST_NORMAL
    if question.games is None:
        size = question.detect or 0.0
        return max(blocks_for_difference(size, varies.if_moved(size), *how), fewest), size
    blocks = -(-question.games // varies.rotations)
    shown = detectable(blocks, varies.sd, *how) if blocks >= fewest else math.inf
    for _ in range(_ROUNDS if shown < varies.most else 0):  # the more it moves the more it varies
        shown = detectable(blocks, varies.if_moved(min(shown, 1.0)), *how)
    least = 0.0 if math.isinf(varies.most) else 1 / (blocks * varies.rotations)
    return blocks, shown if least <= shown <= varies.most and shown < math.inf else None
