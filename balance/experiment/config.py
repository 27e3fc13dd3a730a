"""Experiments: read from a file, taken from a game, changed on the command line, laid out as cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from balance import registry
from balance.errors import BalanceError
from balance.experiment.checks import BASELINE, faults_of
from balance.experiment.models import (
    SCHEMA_VERSION,
    Experiment,
    Lineup,
    Run,
    Variant,
    default_policy,
)
from balance.experiment.policy_files import is_file, types_of
from balance.experiment.toml_source import read
from balance.experiment.wording import printable
from balance.game import Game, GameParams

__all__ = [
    "BASELINE",
    "Cell",
    "Experiment",
    "Lineup",
    "Run",
    "Variant",
    "cells",
    "from_game",
    "read_experiment",
    "with_overrides",
]


@dataclass(frozen=True)
class Cell:
    """One variant at one number of players; `changes` are its rules that differ from the baseline's there."""

    variant: str
    players: int
    rules: GameParams
    changes: dict[str, object] = field(default_factory=dict)


def read_experiment(path: Path | str) -> Experiment:
    """The experiment in a file, complete; BalanceError with all its faults, one a line and in order.

    Policy files that it names are looked for in its own folder, and are read along with it.
    """
    source = read(path)
    if "policy" in source.data and "game" not in source.data:
        sentence = "This is a policy file, no experiment; it is named in [lineup] or with --policies."
        raise BalanceError(source.fault(("policy",), sentence))
    faults = faults_of(source.data, Path(path).parent)
    if faults:
        faults.sort(key=lambda fault: source.position(fault.key))
        raise _refused(source.fault(fault.key, fault.sentence) for fault in faults)
    return _complete(_with_types(Experiment.model_validate(source.data), Path(path).parent))


def from_game(game_name: str) -> Experiment:
    """A game's own experiment: the rulebook's rules at every number of players."""
    return _complete(Experiment(schema_version=SCHEMA_VERSION, game=game_name))


def with_overrides(
    experiment: Experiment,
    *,
    rules: Mapping[str, object] | None = None,
    players: Sequence[int] | None = None,
    policies: Sequence[str] | None = None,
    games: int | None = None,
    seed: int | None = None,
) -> Experiment:
    """The experiment with what the command line sets; `rules` change the baseline, a variant's own rules win.

    Policy files among `policies` are looked for in the current folder.
    BalanceError with one sentence a line when the result is no experiment.
    """
    data = experiment.model_dump(exclude_unset=True)
    types = data.pop("types", ())
    data["rules"] = {**experiment.rules, **(rules or {})}
    data["run"] = {**data.get("run", {}), **_given(games=games, seed=seed)}
    if players is not None:
        data["players"] = tuple(players)
    if policies is not None:
        data["lineup"], types = {"policies": tuple(policies)}, ()
    faults = faults_of(data, types=[own["name"] for own in types])
    if faults:
        raise _refused(printable(fault.sentence) for fault in faults)
    return _complete(_with_types(Experiment.model_validate({**data, "types": types}), Path()))


def cells(experiment: Experiment, game: Game) -> list[Cell]:
    """All that is played: for each number of players the baseline, then the variants as the file has them."""
    variants = [(BASELINE, {}), *((variant.name, variant.rules) for variant in experiment.variants)]
    return [
        _cell(experiment, game, name, players, rules)
        for players in sorted(experiment.players or game.players)
        for name, rules in variants
    ]


def _cell(experiment: Experiment, game: Game, name: str, players: int, changes: Mapping[str, Any]) -> Cell:
    baseline = game.Params.resolve(players, experiment.rules)
    rules = game.Params.resolve(players, {**experiment.rules, **changes})
    official = dict(baseline)
    return Cell(name, players, rules, {key: value for key, value in rules if value != official[key]})


def _with_types(experiment: Experiment, folder: Path) -> Experiment:
    """The experiment with the types of players that its policy files hold in the place of the files."""
    given = experiment.lineup.policies
    files = {name: folder / name for name in given if is_file(name)}
    if not files:
        return experiment
    read_types = types_of(dict.fromkeys(files.values()), registry.load(experiment.game))
    names = tuple(read_types[files[name]].name if name in files else name for name in given)
    types = {own.name: own for own in read_types.values()}
    return experiment.model_copy(update={"lineup": Lineup(policies=names), "types": tuple(types.values())})


def _complete(experiment: Experiment) -> Experiment:
    """The experiment with the game's own title, player counts and policy where it names none."""
    game = registry.load(experiment.game)
    players = tuple(sorted(experiment.players or game.players))
    lineup = experiment.lineup if experiment.lineup.policies else Lineup(policies=(default_policy(game),))
    return experiment.model_copy(
        update={"title": experiment.title or game.title, "players": players, "lineup": lineup}
    )


def _refused(lines: Iterable[str]) -> BalanceError:
    return BalanceError("\n".join(dict.fromkeys(lines)))


def _given(**values: object) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
