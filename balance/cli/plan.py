"""balance plan: how many games, and seconds on this machine, a question takes, or what so many games show."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.compare import Target, with_tweak
from balance.cli.options import (
    Deck,
    Format,
    Modes,
    Players,
    Policies,
    Seed,
    Sets,
    Threads,
    experiment_of,
    form_of,
)
from balance.cli.playing import said_if_stopped
from balance.cli.progress import Talk
from balance.errors import BalanceError

if TYPE_CHECKING:
    from balance.experiment.events import Outcome
    from balance.experiment.models import Experiment

Record = Mapping[str, Any]


def plan(
    target: Target,
    detect: Annotated[
        str | None,
        typer.Option(
            "--detect",
            metavar="D",
            help="The smallest difference that matters: 1pp of a share, a plain number of anything else.",
        ),
    ] = None,
    games: Annotated[
        str | None,
        typer.Option(
            "--games",
            metavar="N",
            help="Instead: how small a difference so many games can show; 5000, 200k, 5M.",
        ),
    ] = None,
    power: Annotated[
        str, typer.Option("--power", metavar="P", help="The chance to see such a difference.")
    ] = "0.8",
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="What differs: win_share (goal_rate where there are no seats to compare), score, turns, ...",
        ),
    ] = None,
    sets: Sets = None,
    players: Players = None,
    mode: Modes = None,
    deck: Deck = None,
    policies: Policies = None,
    seed: Seed = None,
    threads: Threads = None,
    form: Annotated[Format, form_of("What is printed on standard output.")] = Format.TEXT,
) -> None:
    """Say how many games it takes to see a difference. And how long they take on this machine.

    Or with `--games` how small a difference so many games can show.

    A short pilot measures how much games vary, how fast they are played, and, with `--set` or for the variants of a
    file, how much it helps to play the same deals by both rules.
    """
    from balance.analysis.plans import Question, refuse_impossible
    from balance.analysis.plans import plan as planned
    from balance.experiment import settings
    from balance.experiment.metrics import is_share
    from balance.experiment.pilots import pilots, usual_metric
    from balance.experiment.plan import Plan
    from balance.registry import load

    if (detect is None) == (games is None):
        raise BalanceError(
            "Say what to plan: --detect D for the games that a difference takes, or --games N for the difference that "
            "so many games can show; one of them."
        )
    experiment, _ = experiment_of(target, None, players, mode, deck, policies, None, seed)
    experiment = with_tweak(experiment, sets) if sets else experiment
    metric = metric or usual_metric(experiment)
    trials = pilots(experiment, metric)
    share, chance = is_share(load(experiment.game), metric), settings.parse_power(power)
    size = settings.parse_detect(detect, metric, share) if detect is not None else None
    number = settings.parse_games(games) if games is not None else None
    question = Question(metric, size, chance, experiment.run.confidence, number)
    for one in trials:
        refuse_impossible(question, Plan(one))
    talk = Talk()
    talk.say("preparing")
    with said_if_stopped("Stopped; a pilot keeps nothing."):
        try:
            facts = planned(question, list(_played(trials, threads, talk)), Plan(experiment))
        finally:
            talk.wipe()
    sys.stdout.write(_printed(facts, form))


def _played(trials: list[Experiment], threads: int | None, talk: Talk) -> Iterator[Outcome]:
    """The outcomes, with the pace that a long run would have."""
    from balance.cli.aside import outcome
    from balance.experiment.pilots import longer, pace_of
    from balance.experiment.runner import run

    total = sum(one.run.games * (1 + len(one.variants)) for one in trials)
    done = 0
    with tempfile.TemporaryDirectory() as place:
        for at, one in enumerate(trials):
            found = outcome(one, Path(place) / str(at), threads, talk, done, total)
            done += found.games
            more = longer(one, len(found.plan.cells), found.timing["games_per_second"])
            if more:
                import_module("polars")  # which writes down games; loading it takes as long as the pilot
                with closing(run(more, Path(place) / f"{at}-longer", threads)) as going:
                    found = replace(found, timing={**found.timing, "games_per_second": round(pace_of(going))})
            yield found


def _printed(facts: Record, form: Format) -> str:
    if form is Format.JSON:
        from balance.experiment.files import as_json

        return as_json(facts).decode("utf-8", "surrogatepass")
    from balance.cli import planned, seen

    return planned.as_text(facts) if facts["games"] is None else seen.as_text(facts)
