"""The games of a run that are most worth reading, told move by move: written at its end, to be read on its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.replay import Replayer
from balance.experiment.tally import Tally

COMEBACK = "comeback"
"""Beside the metrics: the biggest comeback, where the leads are known."""
MOST_CELLS, GAMES = 4, 3
"""So many baselines have logs, of so many games."""
BEGINNING, END = 2_000, 18_000
"""Of a longer log so many letters are kept: how a game began, and how it ended."""
BETWEEN = "... what lies between is left out here ..."
Told = tuple[str, str, int, int]
"""A metric, which end of it, the value, and the number of the game."""


def logs(
    plan: Plan, tallies: Sequence[Tally], leads: Mapping[str, Any], go_on: Callable[[], bool]
) -> dict[str, Any] | None:
    """The logs of the first baselines by folder, in the words of the game; None when `go_on` says no.

    A game of somebody else's may have none, or fail to tell one: then there is none.
    """
    found: dict[str, Any] = {}
    if plan.game.narrate is None or plan.game.tracer is None:
        return found
    for cell in [group[0] for group in plan.groups][:MOST_CELLS]:
        table = plan.table(cell)
        for metric, end, value, number in telling(cell, tallies[cell.index], leads.get(cell.folder)):
            if not go_on():
                return None
            with suppress(Exception):
                replayer = Replayer(plan.game, table.params, table.policies, table.rotations, table.ban)
                text = _text(plan, replayer, number)
                kept = {"metric": metric, "end": end, "value": value, "game": number, **cut(text)}
                found.setdefault(cell.folder, []).append(kept)
    return found


def telling(cell: PlannedCell, tally: Tally, leads: Mapping[str, Any] | None) -> list[Told]:
    """The biggest comeback, the clearest win and the longest game, or others that differ; alone the best and worst."""
    wanted: list[Told] = []
    if leads and leads["comebacks"]:
        behind, number, *_ = leads["comebacks"][0]
        wanted.append((COMEBACK, "high", behind, number))
    rivals = [("score_margin", "high"), ("turns", "high"), ("score_margin", "low"), ("turns", "low")]
    alone = [("score_0", "high"), ("score_0", "low"), ("turns", "high"), ("turns", "low")]
    wanted += _ends(tally, rivals if len(cell.leaders) > 1 else alone)
    numbers = dict.fromkeys(number for *_, number in wanted)
    return [next(one for one in wanted if one[3] == number) for number in numbers][:GAMES]


def _ends(tally: Tally, ends: Sequence[tuple[str, str]]) -> Iterator[Told]:
    """The first game at each end, of metrics that differ from game to game."""
    for metric, end in ends:
        games = tally.of_games(metric)
        kept = (tally.highest if end == "high" else tally.lowest).get(metric)
        if kept and games.minimum != games.maximum:
            yield (metric.removesuffix("_0"), end, *kept[0])


def _text(plan: Plan, replayer: Replayer, number: int) -> str:
    assert plan.game.narrate is not None
    return "\n".join(plan.game.narrate(replayer.play(plan.experiment.run.seed, number).events))


def cut(text: str) -> dict[str, Any]:
    """A text, or of a long one whole lines of its beginning and end, and whether that is all of it."""
    if len(text) <= BEGINNING + END:
        return {"text": text, "whole": True}
    first = text[: max(0, text.rfind("\n", 0, BEGINNING + 1))]
    at = text.find("\n", len(text) - END - 1)
    last = text[at + 1 if at >= 0 else len(text) - END :]
    return {"text": f"{first}\n\n{BETWEEN}\n\n{last}", "whole": False}
