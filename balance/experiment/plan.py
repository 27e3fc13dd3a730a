"""What a run will do, settled before the first game: cells, line-ups, blocks, and the hash of it all."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from balance import registry
from balance.engine.playing import Loop, Table
from balance.experiment.bans import ban_of
from balance.experiment.config import Cell, Experiment, cells
from balance.experiment.decks import deck_of
from balance.experiment.lengths import most_blocks
from balance.experiment.policy_files import policy_of
from balance.experiment.wording import slug
from balance.game import Game, Policy, Sides, Size

RUN_SCHEMA = "balance.run/2"
"""The layout of a run's folder; it changes with that of the manifest, the progress or the rows."""
PART_GAMES = 60_000
"""Games of a part: so many that files are few, so few that little is lost when a run is stopped."""
_WHOLE_BLOCKS = 60
"""Divisible by any number of rotations, 1 to 6."""


@dataclass(frozen=True)
class PlannedCell:
    """A cell and who sits where: `slots` are the policies by slot, `games` a whole number of blocks."""

    index: int
    cell: Cell
    slots: tuple[str, ...]
    rotations: int
    games: int
    folder: str
    teams: Sides
    """The seats of each side; each seat alone where nobody plays together."""
    goal: str = ""
    """What has to be reached where winning means that, as a sentence."""

    @property
    def players(self) -> int:
        """The number of players."""
        return self.cell.players

    @property
    def size(self) -> Size:
        """The table: the number of players and the mode."""
        return self.players, self.cell.mode

    @property
    def where(self) -> str:
        """The cell in words: 'baseline, 4 players' or 'baseline, 4 players (team)'."""
        mode = f" ({self.cell.mode})" if self.cell.mode else ""
        level = f", level {self.cell.level}" if self.cell.level else ""
        return f"{self.cell.variant}, {self.players} player{'s' if self.players > 1 else ''}{mode}{level}"

    @property
    def has_teams(self) -> bool:
        """Whether some seats play together."""
        return len(self.teams) < self.players

    @property
    def leaders(self) -> tuple[int, ...]:
        """The first seat of each side, whose score is its side's."""
        return tuple(team[0] for team in self.teams)

    @property
    def sides(self) -> tuple[str, ...]:
        """The distinct policies, in the order of their first slots."""
        return tuple(dict.fromkeys(self.slots))


@dataclass(frozen=True)
class Step:
    """One part of all cells at one table, the baseline first; steps are finished one by one."""

    number: int
    cells: tuple[PlannedCell, ...]
    part: int
    first: int
    count: int
    group: int = 0
    is_look: bool = False
    """Whether its cells may end after it."""


class Plan:
    """An experiment laid out: all of a run that does not depend on where and how fast it is played."""

    def __init__(
        self,
        experiment: Experiment,
        part_games: int = PART_GAMES,
        stopping: Mapping[str, Any] | None = None,
    ) -> None:
        """Lay out a complete experiment (see `config`); `stopping` says by which rule cells end early (see there)."""
        if part_games < 1 or part_games % _WHOLE_BLOCKS:
            raise ValueError(f"A part holds whole blocks, so a multiple of {_WHOLE_BLOCKS} games.")
        self.experiment = experiment
        self.part_games = part_games
        self.stopping = stopping
        self.game: Game = registry.load(experiment.game)
        self.cells: tuple[PlannedCell, ...] = _planned(experiment, self.game)

    @cached_property
    def groups(self) -> tuple[tuple[PlannedCell, ...], ...]:
        """The cells by number of players and mode; each group begins with its baseline."""
        tables = groupby(self.cells, key=lambda cell: (cell.size, cell.cell.level))
        return tuple(tuple(group) for _, group in tables)

    @cached_property
    def policies(self) -> tuple[Policy, ...]:
        """The distinct policies of the line-up."""
        return tuple(self.policy(name) for name in self.experiment.lineup.names)

    def policy(self, name: str) -> Policy:
        """The policy that the line-up calls by that name: the game's, or one from a policy file; KeyError otherwise."""
        own = next((own for own in self.experiment.types if own.name == name), None)
        return policy_of(self.game, own) if own else self.game.policy(name)

    @cached_property
    def loop(self) -> Loop:
        """The loop that plays every cell; not compiled yet."""
        bans = self.experiment.ban is not None
        return Loop(self.game, self.policies, self.cells[0].cell.rules, bans=bans)

    def table(self, cell: PlannedCell) -> Table:
        """What the loop needs to know of a cell."""
        policies = tuple(self.policy(name) for name in cell.slots)
        ban = ban_of(self.game, cell.cell.ban) if self.experiment.ban else None
        return Table(self.game, cell.cell.rules, policies, cell.rotations, ban)

    def steps(self) -> Iterator[Step]:
        """All that is played, in order."""
        number = 0
        for at, group in enumerate(self.groups):
            first = part = 0
            for look in self._looks(group[0]):
                while first < look:
                    count = min(self.part_games, look - first)
                    yield Step(number, group, part, first, count, at, first + count == look)
                    number, part, first = number + 1, part + 1, first + count

    @property
    def n_steps(self) -> int:
        """How many steps there are."""
        return self.steps_before(len(self.groups))

    def steps_before(self, group: int) -> int:
        """How many steps come before those of a group."""
        return sum(self.part_of(one[0], one[0].games) for one in self.groups[:group])

    def part_of(self, cell: PlannedCell, game: int) -> int:
        """The number of the part that holds a game of a cell; after the last game, how many parts there are."""
        part = first = 0
        for look in self._looks(cell):
            if game < look:
                return part + (game - first) // self.part_games
            part, first = part - (first - look) // self.part_games, look
        return part

    def blocks(self, cell: PlannedCell) -> int:
        """The most blocks of a cell that are played."""
        return cell.games // cell.rotations

    def looks(self, cell: PlannedCell) -> list[int]:
        """The numbers of blocks at which a cell may end; the last one alone where no rule stops it."""
        last = self.blocks(cell)
        if not self.stopping:
            return [last]
        from balance.stats.sequential import looks  # takes a while, and most runs need none

        return looks(last)

    def _looks(self, cell: PlannedCell) -> list[int]:
        return [blocks * cell.rotations for blocks in self.looks(cell)]

    @property
    def games(self) -> int:
        """The games of all cells together."""
        return sum(cell.games for cell in self.cells)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """All that the games depend on, as plain data; equal identities have equal results."""
        run = self.experiment.run
        deck = {"deck": self.game.deck_data(self.deck)} if self.game.has_deck else {}
        stopping = {"stopping": self.stopping} if self.stopping else {}
        return {
            "schema": RUN_SCHEMA,
            "game": self.game.id,
            "rules_version": self.game.rules_version,
            "fingerprint": self.loop.fingerprint,
            "policies": [self._numbers(policy) for policy in self.policies],
            "cells": [_settled(cell) for cell in self.cells],
            "seed": run.seed,
            "games": run.games,
            "confidence": run.confidence,
            "part_games": self.part_games,
            **stopping,
            **deck,
        }

    @cached_property
    def deck(self) -> Any:
        """The deck that is played with; None in games without decks."""
        return deck_of(self.experiment, self.game)

    def _numbers(self, policy: Policy) -> dict[str, Any]:
        """All that a policy's choices depend on; the kernel's own text is part of the fingerprint."""
        based_on = {own.name: own.based_on for own in self.experiment.types}
        return {
            "id": policy.id,
            "based_on": based_on.get(policy.id, policy.id),
            "kernel": f"{policy.choose.__module__}.{policy.choose.__name__}",
            "weights": dict(policy.weights),
            "temperature": policy.temperature,
        }

    @cached_property
    def digest(self) -> str:
        """The hash of the identity."""
        return hashlib.sha256(json.dumps(self.identity, sort_keys=True).encode()).hexdigest()


def _planned(experiment: Experiment, game: Game) -> tuple[PlannedCell, ...]:
    lineup, run = experiment.lineup.policies, experiment.run
    found: list[PlannedCell] = []
    for cell in cells(experiment, game):
        seated = (cell.level,) if cell.level else lineup
        slots = tuple(seated[slot % len(seated)] for slot in range(cell.players))
        rotations = cell.players if len(set(slots)) > 1 else 1
        blocks = most_blocks(run.precision, run.confidence) if run.precision else -(-run.games // rotations)
        games = blocks * rotations
        folder = _folder(cell, len(found), {other.folder for other in found})
        mode, teams = game.mode(cell.mode), game.sides((cell.players, cell.mode))
        goal = _with_numbers(mode.goal, cell.rules.as_data()) if mode else ""
        found.append(PlannedCell(len(found), cell, slots, rotations, games, folder, teams, goal))
    return tuple(found)


def _folder(cell: Cell, index: int, taken: set[str]) -> str:
    """A folder for the games of a cell; its number helps where names leave nothing, or the same."""
    name = slug(cell.variant) or f"variant-{index}"
    table = "-".join([f"p{cell.players}", *(part for part in (cell.mode, cell.level) if part)])
    while f"{name}-{table}" in taken:
        name = f"{name}-{index}"
    return f"{name}-{table}"


def _settled(cell: PlannedCell) -> dict[str, Any]:
    return {
        "variant": cell.cell.variant,
        "players": cell.players,
        "rules": cell.cell.rules.as_data(),
        "slots": list(cell.slots),
        **({"ban": cell.cell.ban.model_dump()} if cell.cell.ban else {}),
    }


def _with_numbers(goal: str, rules: Mapping[str, Any]) -> str:
    """A mode's goal with the value of each rule that it names by its full name, such as 'reaches 48 (solo_target)'."""
    for name in sorted(rules, key=len, reverse=True):
        if "_" in name:
            goal = re.sub(rf"\b{name}\b", f"{rules[name]} ({name})", goal)
    return goal
