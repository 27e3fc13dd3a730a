"""Experiments with the game of the summit, played: the baseline and a variant in any of its modes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from experiment.summit import install

from balance.analysis import results
from balance.experiment.config import Experiment, Lineup, Run, Variant
from balance.experiment.events import Finished, Outcome
from balance.experiment.runner import Options, run

GAMES = 20_000
Rules = tuple[tuple[str, Any], ...]


@cache
def outcome(
    players: tuple[int, ...],
    modes: tuple[str, ...],
    policies: tuple[str, ...] = ("climber",),
    games: int = GAMES,
    rules: Rules = (),
) -> Outcome:
    """What was played, once for all tests."""
    experiment = Experiment(
        schema_version=1,
        game="summit",
        title="Summit",
        players=players,
        modes=modes,
        run=Run(games=games, seed=4),
        rules=dict(rules),
        variants=(Variant(name="lucky", rules={"luck": 0.75}),),
        lineup=Lineup(policies=policies),
    )
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        install(patch)
        events = list(run(experiment, Path(folder), 2, Options(rows=False)))
    (finished,) = [event for event in events if isinstance(event, Finished)]
    return finished.outcome


def found(
    players: tuple[int, ...],
    modes: tuple[str, ...],
    policies: tuple[str, ...] = ("climber",),
    games: int = GAMES,
    rules: Rules = (),
) -> dict[str, Any]:
    """The results of it."""
    return results(outcome(players, modes, policies, games, rules))
