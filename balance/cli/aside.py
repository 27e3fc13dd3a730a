"""Playing on the side: experiments of which only the outcome is wanted, and no folder is kept."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from balance.cli.progress import Talk
    from balance.experiment.events import Outcome, Progress
    from balance.experiment.models import Experiment


def outcome(
    experiment: Experiment, folder: Path, threads: int | None, talk: Talk, done: int, total: int
) -> Outcome:
    """The outcome of one of several experiments; `done` of the `total` games of all were played before."""
    from balance.experiment.events import Compiled, Compiling, Finished, Progress, Warned
    from balance.experiment.runner import Options, run

    with closing(run(experiment, folder, threads, Options(rows=False))) as going:
        for event in going:
            if isinstance(event, Finished):
                return event.outcome
            if isinstance(event, Progress):
                talk.tell(_of_all(event, done, total))
            elif isinstance(event, Compiling | Compiled | Warned):
                talk.tell(event)
    raise KeyboardInterrupt  # nothing else ends a run before it is finished


def _of_all(event: Progress, done: int, total: int) -> Progress:
    """How far all experiments are together."""
    speed, far = event.games_per_second, done + event.done
    return replace(event, done=far, total=total, seconds_left=(total - far) / speed if speed else None)
