"""What a reader of the results must know before believing them, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from balance.analysis.summaries import Cell, Record
from balance.engine.playout import TRUNCATED, VOID
from balance.errors import listed
from balance.experiment.plan import Plan
from balance.game import CounterMeasure, Game

FEW_GAMES = 1_000
ENOUGH_GAMES = 10_000
"""So many games say that what never happened in them hardly ever happens."""


def sentences(plan: Plan, cells: Sequence[Cell], records: Sequence[Record]) -> list[str]:
    """All warnings about a run; `records` are the cells' results."""
    played = [(cell, record) for cell, record in zip(cells, records, strict=True) if cell.tally.played]
    return [
        *_rounded(plan),
        *_few(played),
        *_capped(played),
        *_void(played),
        *_unused(plan.game, played),
        *_unchanged(played),
    ]


def capped(cell: Cell) -> int:
    """How many games had to be stopped."""
    return _ended(cell, TRUNCATED)


def void(cell: Cell) -> int:
    """How many games were void."""
    return _ended(cell, VOID)


def _ended(cell: Cell, how: int) -> int:
    ended = cell.tally.of_games("ended")
    return int(ended.counts[ended.values == how].sum())


def _rounded(plan: Plan) -> Iterator[str]:
    wanted = plan.experiment.run.games
    for group in plan.groups:
        if group[0].games != wanted:
            games = (
                f"With {group[0].players} players {group[0].games:,} games are played instead of {wanted:,}"
            )
            yield f"{games}, so that each type of player sits in each seat equally often."


def _few(played: Sequence[tuple[Cell, Record]]) -> Iterator[str]:
    few = [(cell, record) for cell, record in played if cell.tally.played < FEW_GAMES]
    if not few:
        return
    least = min(cell.tally.played for cell, _ in few)
    games = f"{least:,} games were" if least > 1 else "1 game was"
    where = "" if len(few) == len(played) else f" ({listed(_where(cell) for cell, _ in few)})"
    shares = [seat["win_share"] for _, record in few for seat in record["seats"]]
    widest = max((share["high"] - share["low"]) / 2 for share in shares)
    sure = f"the shares of wins are known to within {100 * widest:.1f} points only"
    yield f"Only {games} played{where}, too few to say much: {sure}."


def _capped(played: Sequence[tuple[Cell, Record]]) -> Iterator[str]:
    for cell, _ in played:
        stopped = capped(cell)
        if stopped:
            games = f"{stopped:,} of {cell.tally.played:,} games ({_where(cell)})"
            yield f"{games} had to be stopped before they were over; they count as they stood."


def _void(played: Sequence[tuple[Cell, Record]]) -> Iterator[str]:
    for cell, _ in played:
        games, together = void(cell), cell.tally.played - cell.blocks * cell.rotations
        if games:
            of = f"{games:,} of {cell.tally.played:,} games ({_where(cell)}) were void"
            others = f", nor do the {together - games:,} others of their blocks" if together > games else ""
            yield f"{of}; they enter no mean{others}."


def _unused(game: Game, played: Sequence[tuple[Cell, Record]]) -> Iterator[str]:
    """Items that were offered and never taken in some cell, or never offered in any."""
    enough = [(cell, record) for cell, record in played if cell.tally.played >= ENOUGH_GAMES]
    for measure in game.measures_of("counter"):
        for at, item in enumerate(measure.items):
            counts = [(cell, record["measures"][measure.id]["items"][at]) for cell, record in enough]
            if counts and not any(
                _happened(count) or _is_absent(measure, item, cell) for cell, count in counts
            ):
                yield f"{_named(item, measure)} never came up in any game."
                continue
            for cell, count in counts:
                if count["offered"]["total"] and not count["taken"]["total"]:
                    often = f"offered {count['offered']['total']:,} times and never taken"
                    yield f"{_named(item, measure)} was {often} ({_where(cell)})."


def _is_absent(measure: CounterMeasure, item: str, cell: Cell) -> bool:
    return measure.absent is not None and item in measure.absent(cell.planned.cell.rules)


def _unchanged(played: Sequence[tuple[Cell, Record]]) -> Iterator[str]:
    idle: dict[str, list[Cell]] = {}
    for cell, _ in played:
        if not _is_baseline(cell) and not cell.tally.changed:
            idle.setdefault(cell.planned.cell.variant, []).append(cell)
    for variant, cells in idle.items():
        counts = listed(cell.players for cell in cells)
        yield f'The variant "{variant}" changed nothing in any game with {counts} players.'


def _is_baseline(cell: Cell) -> bool:
    return not cell.tally.differences


def _happened(count: Mapping[str, Record]) -> bool:
    return any(count[face]["total"] for face in ("offered", "taken", "held_by_winner"))


def _named(item: str, measure: CounterMeasure) -> str:
    return f'"{item}" of "{measure.title}"'


def _where(cell: Cell) -> str:
    return cell.planned.where
