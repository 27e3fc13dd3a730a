"""What a run tells while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.rundir import RunDir
from balance.experiment.tally import Tally


@dataclass(frozen=True)
class Outcome:
    """What was played: a tally for each cell of the plan, in order (see `analysis.results`)."""

    plan: Plan
    tallies: tuple[Tally, ...]
    complete: bool
    timing: dict[str, Any]
    """How long it took, on which machine: what may differ between two equal runs."""
    games_digest: str = ""
    """The digest of the run's fixed games (see `proof`)."""
    lopsided: Mapping[str, Any] = field(default_factory=dict)
    """The most lopsided deals of each baseline, played again (see there), by the cell's folder."""
    leads: Mapping[str, Any] = field(default_factory=dict)
    """Who led when, of each baseline (see there), by the cell's folder."""
    logs: Mapping[str, Any] = field(default_factory=dict)
    """Games of some baselines to be read (see there), by the cell's folder."""

    @property
    def games(self) -> int:
        """The games of all cells together, those played earlier included."""
        return sum(tally.played for tally in self.tallies)


@dataclass(frozen=True)
class Started:
    """Play begins, or goes on where it was stopped earlier (`done` > 0)."""

    folder: Path
    cells: int
    done: int
    total: int
    threads: int
    at_most: bool = False
    """Whether it may end before its last game, by a rule."""


@dataclass(frozen=True)
class Warned:
    """Something is not as it should be; results are not affected."""

    sentence: str


@dataclass(frozen=True)
class Compiling:
    """The game is being compiled, which takes a while and happens once on a machine."""

    game: str


@dataclass(frozen=True)
class Compiled:
    """Compiling is over."""

    seconds: float


@dataclass(frozen=True)
class Progress:
    """How far it is; comes a few times a second."""

    done: int
    total: int
    games_per_second: float
    seconds_left: float | None


@dataclass(frozen=True)
class CellDone:
    """All games of a cell are played."""

    cell: PlannedCell


@dataclass(frozen=True)
class Finished:
    """The last event of a run that was played to its end; the folder is still this run's own."""

    outcome: Outcome
    folder: RunDir


@dataclass(frozen=True)
class AlreadyComplete:
    """The only event of a run that had nothing left to play."""

    outcome: Outcome
    folder: RunDir


@dataclass(frozen=True)
class Interrupted:
    """The last event of a run that was stopped: what its finished steps say, if `outcome.games` is not 0."""

    outcome: Outcome
    folder: RunDir


Event = (
    Started | Warned | Compiling | Compiled | Progress | CellDone | Finished | AlreadyComplete | Interrupted
)
