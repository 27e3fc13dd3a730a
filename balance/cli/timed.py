"""How long to play, where that is no number of games: until shares are known so well, or for a time.

For a time, a short pilot says how many games that is, and from then on it is a run of so many games.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance.cli.aside import outcome
from balance.cli.options import command_without
from balance.cli.progress import Talk
from balance.cli.streams import say

if TYPE_CHECKING:
    from balance.experiment.models import Experiment
    from balance.experiment.stopping import StoppingRule

_FIRST, _MOST = 200, 20_000
_ENOUGH_SECONDS = 0.5
"""A pilot that lasts so long says how fast play is."""


def settled(experiment: Experiment, threads: int | None, talk: Talk) -> Experiment:
    """The experiment with the number of games that its time is enough for on this machine; others as they are."""
    from balance.experiment.config import with_overrides
    from balance.experiment.lengths import seconds

    wanted = seconds(experiment.run.time)
    if wanted is None:
        return experiment
    games = max(1, int(wanted * _games_per_second(experiment, threads)))
    unit = 10 ** max(0, len(str(games)) - 2)
    games = max(1, games // unit * unit)
    sys.argv[1:] = [*shlex.split(command_without("--for"))[1:], "--games", str(games)]
    talk.wipe()
    say(
        f"{games:,} games in each cell take about {experiment.run.time} here; --games {games} plays the same again\n"
    )
    return with_overrides(experiment, games=games)


def rule_of(
    experiment: Experiment, sprt: str | None = None, metric: str | None = None
) -> StoppingRule | None:
    """The rule by which an experiment ends before its last game, if it has one.

    With `--sprt`, a test of its first policy, or of what its variant changes of a `metric`.
    """
    if sprt is not None:
        return _until_accepted(experiment, sprt, metric)
    if not experiment.run.precision:
        return None
    from balance.analysis.precision import UntilPrecise

    return UntilPrecise(experiment)


def _until_accepted(experiment: Experiment, text: str, metric: str | None) -> StoppingRule:
    from balance import registry
    from balance.analysis.sprt import UntilAccepted, of_policy, of_variant
    from balance.experiment.settings import parse_sprt

    means, game = parse_sprt(text), registry.load(experiment.game)
    if metric is None:
        return UntilAccepted(of_policy(game, experiment, means))
    return UntilAccepted(of_variant(game, experiment, means, metric))


class _Quiet(Talk):
    """Tells of compiling, and not how far the pilot is."""

    def _on_progress(self, event: Any) -> None:
        pass


def _games_per_second(experiment: Experiment, threads: int | None) -> float:
    """Games of each cell, one cell after the other."""
    from balance.experiment.config import with_overrides

    games, cells = _FIRST, 1
    while True:
        pilot = with_overrides(experiment.model_copy(update={"gates": ()}), games=games)
        with tempfile.TemporaryDirectory() as place:
            found = outcome(pilot, Path(place) / "pilot", threads, _Quiet(), 0, games)
        cells = len(found.plan.cells)
        speed = float(found.timing["games_per_second"])
        if found.games >= speed * _ENOUGH_SECONDS or games >= _MOST:
            return speed / cells
        games = min(_MOST, games * 10)
