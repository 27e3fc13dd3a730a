"""Pilots: short experiments, one for each table, that show how much a metric varies and how fast play is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from balance import registry
from balance.errors import BalanceError, listed, nearest
from balance.experiment.config import Experiment
from balance.experiment.events import Event, Progress
from balance.experiment.metrics import SPREAD, names
from balance.game import Game, Size

GAMES = 10_000
"""By each set of rules: enough to know a spread to within two percent."""
LASTS = 0.5
"""A pilot that was played in fewer seconds says little of the pace of a long run, which also writes down its games."""


def pilots(experiment: Experiment, metric: str) -> list[Experiment]:
    """A pilot for each table of an experiment that has the metric, at each level; BalanceError where none has."""
    game = registry.load(experiment.game)
    sizes = game.sizes(experiment.players, experiment.modes)
    fitting = [size for size in sizes if metric in names(game, size)]
    if metric == SPREAD:
        raise BalanceError(
            '"seat_spread" is no mean, so nothing says beforehand how many games it takes.',
            'Plan for "win_share": the difference of a single seat.',
        )
    if not fitting:
        raise _unknown(game, sizes, metric)
    return [
        _pilot(experiment, size, level) for size in fitting for level in experiment.lineup.levels or (None,)
    ]


def usual_metric(experiment: Experiment) -> str:
    """What is asked about where nobody says: who wins, or how often the goal is reached where all play alone."""
    game = registry.load(experiment.game)
    return usual(game, game.sizes(experiment.players, experiment.modes))


def usual(game: Game, sizes: Sequence[Size]) -> str:
    """The same of some tables."""
    known = {name for size in sizes for name in names(game, size)}
    return next(name for name in ("win_share", "goal_rate", "score") if name in known)


def longer(pilot: Experiment, cells: int, pace: float) -> Experiment | None:
    """The pilot with so many games in each of its cells that it lasts; None where it did at this pace."""
    games = int(LASTS * pace / cells)
    if games <= pilot.run.games:
        return None
    return pilot.model_copy(update={"run": pilot.run.model_copy(update={"games": games})})


def pace_of(events: Iterable[Event]) -> float:
    """The games a second of play alone, from the events of a run, which is left as soon as its last game is played."""
    for event in events:
        if isinstance(event, Progress) and event.done == event.total:
            return event.games_per_second
    raise KeyboardInterrupt  # nothing else ends a run before that


def _unknown(game: Game, sizes: list[Size], metric: str) -> BalanceError:
    known = list(dict.fromkeys(name for size in sizes for name in names(game, size) if name != SPREAD))
    sentence = f'{game.title} has no metric "{metric}" here.{nearest(metric, known)}'
    return BalanceError(f"{sentence} There are {listed(known)}.")


def _pilot(experiment: Experiment, size: Size, level: str | None) -> Experiment:
    (players, mode), lineup = size, experiment.lineup
    run = {"games": GAMES, "precision": "", "time": ""}
    return experiment.model_copy(
        update={
            "players": (players,),
            "modes": (mode,) if mode else (),
            "lineup": lineup.model_copy(update={"levels": (level,)}) if level else lineup,
            "run": experiment.run.model_copy(update=run),
            "gates": (),
        }
    )
