"""What a reader of the results must know before believing them, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from balance.analysis.summaries import Cell, Record
from balance.engine.playout import TRUNCATED, VOID
from balance.errors import listed, so_many_players
from balance.experiment.plan import Plan
from balance.game import CHOICE, CounterMeasure, Game

FEW_GAMES = 1_000
ENOUGH_GAMES = 10_000
"""So many games say that what never happened in them hardly ever happens."""


def sentences(plan: Plan, cells: Sequence[Cell], records: Sequence[Record]) -> list[str]:
    """All warnings about a run; `records` are the cells' results."""
    played = [(cell, record) for cell, record in zip(cells, records, strict=True) if cell.tally.played]
    return [
        *_rounded(plan),
        *_ended_early(plan),
        *_few(played),
        *_stopped(plan.game, played),
        *_capped(plan.game, played),
        *_void(played),
        *_unused(plan.game, played),
    ]


def capped(cell: Cell) -> int:
    """How many games ended at a cap, that of the rules or that of the tool."""
    return _ended(cell, TRUNCATED)


def stopped(game: Game, cell: Cell) -> int:
    """How many of them had to be stopped, at the most decisions that any rules lead to."""
    if not game.capped_by_rules:
        return capped(cell)
    plies = cell.tally.of_games("plies")
    return min(capped(cell), int(plies.counts[plies.values >= game.bounds.plies].sum()))


def void(cell: Cell) -> int:
    """How many games were void."""
    return _ended(cell, VOID)


def _ended(cell: Cell, how: int) -> int:
    ended = cell.tally.of_games("ended")
    return int(ended.counts[ended.values == how].sum())


def _rounded(plan: Plan) -> Iterator[str]:
    wanted = plan.experiment.run.games
    if plan.experiment.run.precision:
        return
    for group in plan.groups:
        if group[0].games != wanted:
            where = so_many_players([group[0].players])
            games = f"With {where} {group[0].games:,} games are played instead of {wanted:,}"
            yield f"{games}, so that each type of player sits in each seat equally often."


def _ended_early(plan: Plan) -> Iterator[str]:
    if plan.stopping and plan.stopping["rule"] == "gates" and plan.experiment.gates:
        yield (
            "How many games were played was not fixed beforehand: play ends as soon as the gates are decided. The "
            "intervals of the gates allow for that; all others would hold for a number of games that was fixed."
        )


def _few(played: Sequence[tuple[Cell, Record]]) -> Iterator[str]:
    few = [(cell, record) for cell, record in played if cell.tally.played < FEW_GAMES]
    if not few:
        return
    least = min(cell.tally.played for cell, _ in few)
    games = f"{least:,} games were" if least > 1 else "1 game was"
    where = "" if len(few) == len(played) else f" ({listed(_where(cell) for cell, _ in few)})"
    shares = [side["win_share"] for _, record in few for side in record.get("teams") or record["seats"]]
    widest = max((share["high"] - share["low"]) / 2 for share in shares)
    of_goals = all(cell.planned.goal for cell, _ in few)
    what = "how often the goal is reached is" if of_goals else "the shares of wins are"
    sure = f"{what} known to within {100 * widest:.1f} pp only"
    yield f"Only {games} played{where}, too few to say much: {sure}."


def _stopped(game: Game, played: Sequence[tuple[Cell, Record]]) -> Iterator[str]:
    for cell, _ in played:
        found = stopped(game, cell)
        if found:
            games = f"{found:,} of {cell.tally.played:,} games ({_where(cell)})"
            yield f"{games} had to be stopped before they were over; they count as they stood."


def _capped(game: Game, played: Sequence[tuple[Cell, Record]]) -> Iterator[str]:
    """Games that the rules end at a cap and rank, in one sentence; cells with the same share stand together."""
    found: dict[str, list[Cell]] = {}
    for cell, _ in played:
        games = capped(cell) - stopped(game, cell)
        if games:
            found.setdefault(_percent(games, cell.tally.played), []).append(cell)
    if not found:
        return
    if list(map(len, found.values())) == [len(played)]:
        shares = f"{next(iter(found))} of the games"
    else:
        where = [f"{share} ({'; '.join(map(_where, cells))})" for share, cells in found.items()]
        shares = listed(where).replace(" (", " of the games (", 1)
    yield f"{shares} end at the cap that the rules set; they are ranked, and count in every mean."


def _percent(games: int, of: int) -> str:
    """A share in percent that is 0 or 100 only where it is none or all."""
    if games == of:
        return "100 %"
    return f"{min(99.9, max(0.1, round(100 * games / of, 1)))} %"


def _void(played: Sequence[tuple[Cell, Record]]) -> Iterator[str]:
    for cell, _ in played:
        games, together = void(cell), cell.tally.played - cell.blocks * cell.rotations
        if games:
            were, they, their = (
                ("was", "it enters", "its block") if games == 1 else ("were", "they enter", "their blocks")
            )
            of = f"{games:,} of {cell.tally.played:,} games ({_where(cell)}) {were} void"
            others = f", nor do the {together - games:,} others of {their}" if together > games else ""
            yield f"{of}; {they} no mean{others}."


def _unused(game: Game, played: Sequence[tuple[Cell, Record]]) -> Iterator[str]:
    """Items that were offered and never taken in some cell, or never offered in any."""
    enough = [(cell, record) for cell, record in played if cell.tally.played >= ENOUGH_GAMES]
    for measure in game.measures_of("counter"):
        for item in measure.items:
            counts = [(cell, count) for cell, record in enough if (count := _count(record, measure, item))]
            if enough and len(counts) == len(enough) and not any(_happened(count) for _, count in counts):
                yield f"{_named(item, measure)} never came up in any game."
                continue
            for cell, count in counts:
                if count["offered"]["total"] and not count["taken"]["total"]:
                    offered = f"{count['offered']['total']:,}"
                    often = f"was offered {offered} times and never taken"
                    if measure.faces != CHOICE:
                        often = f"has {offered} {measure.faces[0]} and 0 {measure.faces[1]}"
                    yield f"{_named(item, measure)} {often} ({_where(cell)})."


def _count(record: Record, measure: CounterMeasure, item: str) -> Record | None:
    """What was counted of an item; None where the rules leave it out."""
    return next((one for one in record["measures"][measure.id]["items"] if one["item"] == item), None)


def _happened(count: Mapping[str, Record]) -> bool:
    return any(count[face]["total"] for face in ("offered", "taken", "held_by_winner"))


def _named(item: str, measure: CounterMeasure) -> str:
    return f'"{item}" of "{measure.title}"'


def _where(cell: Cell) -> str:
    return cell.planned.where
