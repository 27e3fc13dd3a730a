"""balance plan: how many games, and seconds on this machine, a question takes, measured in a short pilot."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
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
from balance.cli.progress import Talk

if TYPE_CHECKING:
    from balance.experiment.events import Outcome
    from balance.experiment.models import Experiment

Record = Mapping[str, Any]


def plan(
    target: Target,
    detect: Annotated[
        str,
        typer.Option(
            "--detect",
            metavar="D",
            help="The smallest difference that matters: 1pp of a share, a plain number of anything else.",
        ),
    ],
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

    A short pilot measures how much games vary, how fast they are played, and, with `--set` or for the variants of a
    file, how much it helps to play the same deals by both rules.
    """
    from balance.analysis.plans import Question
    from balance.analysis.plans import plan as planned
    from balance.experiment import settings
    from balance.experiment.metrics import is_share
    from balance.experiment.pilots import pilots, usual_metric
    from balance.registry import load

    experiment, _ = experiment_of(target, None, players, mode, deck, policies, None, seed)
    experiment = with_tweak(experiment, sets) if sets else experiment
    metric = metric or usual_metric(experiment)
    trials = pilots(experiment, metric)
    size = settings.parse_detect(detect, metric, is_share(load(experiment.game), metric))
    question = Question(metric, size, settings.parse_power(power), experiment.run.confidence)
    talk = Talk()
    talk.say("preparing")
    try:
        facts = planned(question, list(_played(trials, threads, talk)))
    finally:
        talk.wipe()
    sys.stdout.write(_printed(facts, form))


def _played(trials: list[Experiment], threads: int | None, talk: Talk) -> Iterator[Outcome]:
    from balance.cli.aside import outcome

    total = sum(one.run.games * (1 + len(one.variants)) for one in trials)
    done = 0
    with tempfile.TemporaryDirectory() as place:
        for at, one in enumerate(trials):
            found = outcome(one, Path(place) / str(at), threads, talk, done, total)
            done += found.games
            yield found


def _printed(facts: Record, form: Format) -> str:
    if form is Format.JSON:
        from balance.experiment.files import as_json

        return as_json(facts).decode("utf-8", "surrogatepass")
    from balance.cli.planned import as_text

    return as_text(facts)
