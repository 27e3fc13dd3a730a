"""How a type of player does at a table of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from balance.analysis.measures import counter as counted
from balance.analysis.metrics import summary
from balance.analysis.seats import sides
from balance.analysis.summaries import Cell, Record
from balance.engine.playing import sums_layout
from balance.experiment.columns import seat_column, side_column
from balance.experiment.contests import Contests
from balance.experiment.decks import deck_of
from balance.experiment.events import Outcome
from balance.game import COUNTER_FACES, SHARE_UNIT, CounterMeasure
from balance.stats.intervals import part_interval, share_interval

CONTESTS_SCHEMA = "balance.players/1"
BY_SEAT_SCHEMA = "balance.players-by-seat/1"
MIX_SCHEMA = "balance.players-mix/1"
ALONE_SCHEMA = "balance.players-alone/1"
TAKEN = COUNTER_FACES.index("taken")


def wins(outcome: Outcome, policy: str) -> Record:
    """The share of the wins of a policy that holds one side, in an experiment of a single cell: in all games, and
    where its side has its first seat in each of them."""
    (planned,), (tally,) = outcome.plan.cells, outcome.tallies
    cell = Cell(planned, tally, outcome.plan.experiment.run.confidence)
    side = next(side for side in sides(outcome.plan.game, cell) if side["policy"] == policy)
    columns = [side_column(seat_column("win_share", team[0]), policy) for team in planned.teams]
    in_seats = [share_interval(tally.of_blocks(column), cell.confidence, SHARE_UNIT) for column in columns]
    return {"win_share": side["share_of_wins"], "seats": [share.as_dict() for share in in_seats]}


def standings(found: Contests, won: Mapping[tuple[str, str], Record]) -> Record:
    """The share of the wins of each type against each yardstick; None against itself.

    `won` goes by both names and holds what `wins` found.
    """
    return {
        "schema": CONTESTS_SCHEMA,
        **_of_all(found),
        **_of_table(found),
        "against": list(found.against),
        "types": [
            {
                "policy": policy,
                "help": what,
                "win_share": {other: _share(won.get((policy, other))) for other in found.against},
            }
            for policy, what in found.types.items()
        ],
    }


def _share(found: Record | None) -> Record | None:
    return dict(found["win_share"]) if found else None


def by_seat(tables: Sequence[Contests], won: Sequence[Mapping[tuple[str, str], Record]]) -> Record:
    """The wins of each type in each seat among random players, for each number of players; `won` as above."""
    (against,) = tables[0].against
    return {
        "schema": BY_SEAT_SCHEMA,
        **_of_all(tables[0]),
        "against": against,
        "types": [
            {
                "policy": policy,
                "help": what,
                "tables": [
                    {**_of_table(table), **shares[policy, against]}
                    for table, shares in zip(tables, won, strict=True)
                ],
            }
            for policy, what in tables[0].types.items()
        ],
    }


def reached(outcome: Outcome, policy: str) -> Record:  # noqa: ARG001
    """What a player alone reached in an experiment of a single cell: the mean score, and how often the goal if there
    is one."""
    (planned,), (tally,) = outcome.plan.cells, outcome.tallies
    game, cell = outcome.plan.game, Cell(planned, tally, outcome.plan.experiment.run.confidence)
    rate = (
        {"goal": planned.goal, "goal_rate": summary(game, cell, "goal_rate")["mean"]} if planned.goal else {}
    )
    return {**rate, "score": summary(game, cell, "score", 0)["mean"]}


def alone(found: Contests, scored: Mapping[tuple[str, str], Record]) -> Record:
    """What each type reaches alone; `scored` holds what `reached` found, by the name twice."""
    (goal,) = {one.get("goal") for one in scored.values()}
    return {
        "schema": ALONE_SCHEMA,
        **_of_all(found),
        **_of_seating(found),
        **({"goal": goal} if goal else {}),
        "types": [
            {
                "policy": policy,
                "help": what,
                **{name: number for name, number in scored[policy, policy].items() if name != "goal"},
            }
            for policy, what in found.types.items()
        ],
    }


def taken(outcome: Outcome, counter: CounterMeasure) -> Record:
    """What was taken of a counter in an experiment of a single cell: each item's share of all, and the mean of a game.

    None for an item that these rules leave out of the game.
    """
    (planned,), (tally,) = outcome.plan.cells, outcome.tallies
    cell = Cell(planned, tally, outcome.plan.experiment.run.confidence)
    start, faces = sums_layout(outcome.plan.game)[counter.id][0], len(COUNTER_FACES)
    present = {one["item"]: one["taken"]["mean"] for one in counted(cell, counter, start)["items"]}
    at = [start + number * faces + TAKEN for number in range(len(counter.items))]
    totals, squares = ([tally.sums[row][place] for place in at] for row in (0, 1))
    found: Record = {}
    for number, item in enumerate(counter.items):
        share = part_interval(cell.blocks, totals, squares, number, cell.confidence)
        known = {"share": share.as_dict() if share else None, "mean": present.get(item)}
        found[item] = known if item in present else None
    return found


def mixes(found: Contests, counter: CounterMeasure, mixed: Mapping[str, Record]) -> Record:
    """What each type takes of a counter, among its own kind; `mixed` holds what `taken` found, by name."""
    return {
        "schema": MIX_SCHEMA,
        **_of_all(found),
        **_of_table(found),
        "counter": counter.id,
        "title": counter.title,
        "unit": counter.unit,
        "types": [
            {"policy": policy, "help": what, "taken": mixed[policy]} for policy, what in found.types.items()
        ],
    }


def _of_all(found: Contests) -> Record:
    run = found.run
    experiment = found.each[0].experiment if found.each else None
    note = found.game.note_on(deck_of(experiment, found.game)) if experiment else ""
    return {
        "game": found.game.id,
        "game_title": found.game.title,
        "seed": run.seed,
        "confidence": run.confidence,
        **({"deck_note": note} if note else {}),
    }


def _of_seating(found: Contests) -> Record:
    mode = {"mode": found.table.mode} if found.table.mode else {}
    return {"players": found.table.players, **mode, "games": found.run.games}


def _of_table(found: Contests) -> Record:
    meeting = len(found.game.sides(found.table.size))
    teams = {"teams": meeting} if meeting < found.table.players else {}
    return {**_of_seating(found), **teams, "even": 1 / meeting}
