"""Experiments: read from a file, taken from a game, changed on the command line, laid out as cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from balance import registry
from balance.errors import BalanceError, RulesError
from balance.experiment.checks import faults_of
from balance.experiment.decks import cards_of, deck_of, read_deck
from balance.experiment.models import (
    BASELINE,
    SCHEMA_VERSION,
    Experiment,
    Lineup,
    Restriction,
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
_LENGTHS = ("games", "precision", "time")
"""The ways to say how long to play, of which one holds."""


@dataclass(frozen=True)
class Cell:
    """One variant at one number of players, in one mode, at one level of play (None where the line-up is what counts).

    `changes` are its rules that differ from the baseline's, `ban` is what a seat may not choose in it.
    """

    variant: str
    players: int
    rules: GameParams
    changes: dict[str, object] = field(default_factory=dict)
    mode: str | None = None
    level: str | None = None
    ban: Restriction | None = None

    @property
    def differs(self) -> bool:
        """Whether it is played otherwise than the baseline."""
        return bool(self.changes) or self.ban is not None


def read_experiment(path: Path | str) -> Experiment:
    """The experiment in a file, complete; BalanceError with all its faults, one a line and in order.

    Policy files and a deck that it names are looked for in its own folder, and are read along with it.
    """
    source = read(path)
    if "policy" in source.data and "game" not in source.data:
        sentence = "This is a policy file, no experiment; it is named in [lineup] or with --policies."
        raise BalanceError(source.fault(("policy",), sentence))
    faults = faults_of(source.data, Path(path).parent)
    if faults:
        faults.sort(key=lambda fault: source.position(fault.key))
        raise _refused(source.fault(fault.key, fault.sentence) for fault in faults)
    folder = Path(path).parent
    return _complete(_with_deck(_with_types(Experiment.model_validate(source.data), folder), folder))


def from_game(game_name: str) -> Experiment:
    """A game's own experiment: the rulebook's rules at every number of players."""
    return _complete(Experiment(schema_version=SCHEMA_VERSION, game=game_name))


def with_overrides(
    experiment: Experiment,
    *,
    rules: Mapping[str, object] | None = None,
    players: Sequence[int] | None = None,
    modes: Sequence[str] | None = None,
    deck: str | None = None,
    policies: Sequence[str] | None = None,
    levels: Sequence[str] | None = None,
    games: int | None = None,
    precision: str | None = None,
    time: str | None = None,
    seed: int | None = None,
) -> Experiment:
    """The experiment with what the command line sets; `rules` change the baseline, a variant's own rules win.

    Policy files among `policies`, and the deck, are looked for in the current folder.
    BalanceError with one sentence a line when the result is no experiment.
    """
    game = registry.load(experiment.game)
    data = experiment.model_dump(exclude_unset=True)
    types, cards = data.pop("types", ()), data.pop("cards", None)
    data["rules"] = {**experiment.rules, **(rules or {})}
    length, before = _given(games=games, precision=precision, time=time), data.get("run", {})
    kept = {key: value for key, value in before.items() if not length or key not in _LENGTHS}
    data["run"] = {**kept, **length, **_given(seed=seed)}
    data |= _sizes(experiment, game, players, modes)
    if deck is not None:
        data["deck"], cards = deck, None
    if policies is not None or levels is not None:
        data["lineup"], types = (
            {key: tuple(value) for key, value in _given(policies=policies, levels=levels).items()},
            (),
        )
    known = deck_of(experiment, game) if cards is not None else None
    faults = faults_of(data, types=[own["name"] for own in types], deck=known)
    if (
        players is not None or modes is not None or policies is not None or levels is not None
    ):  # gates on others are none of this one's
        absent = {fault.key[1] for fault in faults if fault.key[0] == "gates"}
        data["gates"] = [gate for at, gate in enumerate(data.get("gates", ())) if at not in absent]
        faults = [fault for fault in faults if fault.key[0] != "gates"]
    if faults:
        raise _refused(printable(fault.sentence) for fault in faults)
    changed = _with_types(Experiment.model_validate({**data, "types": types, "cards": cards}), Path())
    return _complete(_with_deck(changed, Path()))


def _sizes(
    experiment: Experiment, game: Game, players: Sequence[int] | None, modes: Sequence[str] | None
) -> dict[str, Any]:
    """What `--players` and `--mode` make of an experiment's; one alone keeps what goes with it of the other."""
    found: dict[str, Any] = _given(players=players, modes=modes)
    if modes is not None and players is None:
        kept = [count for count in experiment.players if game.sizes([count], modes)]
        found |= {"players": kept} if kept else {}
    if players is not None and modes is None:
        kept_modes = [mode for mode in experiment.modes if game.sizes(players, [mode])]
        found |= {"modes": kept_modes} if kept_modes else {}
    return {key: tuple(value) for key, value in found.items()}


def cells(experiment: Experiment, game: Game) -> list[Cell]:
    """All that is played: for each table (players, mode, level) the baseline, then the variants as the file has them.

    Of a sweep no point that is impossible there, nor one that is the baseline itself.
    """
    variants = [(BASELINE, {}), *((variant.name, variant.rules) for variant in experiment.variants)]
    deck = deck_of(experiment, game)
    found = []
    tables = product(game.sizes(experiment.players, experiment.modes), experiment.lineup.levels or (None,))
    for size, level in tables:
        baseline = dict(game.resolve(size, experiment.rules, deck))
        for name, own in variants:
            try:
                rules = game.resolve(size, {**experiment.rules, **own}, deck)
            except RulesError:
                if not experiment.factors:
                    raise
                continue
            changes = {key: value for key, value in rules if value != baseline[key]}
            if changes or name == BASELINE or not experiment.factors:
                ban = None if name == BASELINE else experiment.ban
                found.append(Cell(name, size[0], rules, changes, size[1], level, ban))
    return found


def _with_types(experiment: Experiment, folder: Path) -> Experiment:
    """The experiment with the types of players that its policy files hold in the place of the files."""
    lineup = experiment.lineup
    files = {name: folder / name for name in lineup.names if is_file(name)}
    if not files:
        return experiment
    read_types = types_of(dict.fromkeys(files.values()), registry.load(experiment.game))
    names = {name: read_types[file].name for name, file in files.items()}
    types = {own.name: own for own in read_types.values()}
    policies, levels = (
        tuple(names.get(name, name) for name in part) for part in (lineup.policies, lineup.levels)
    )
    called = lineup.model_copy(update={"policies": policies, "levels": levels})
    return experiment.model_copy(update={"lineup": called, "types": tuple(types.values())})


def _with_deck(experiment: Experiment, folder: Path) -> Experiment:
    """The experiment with the cards of the deck that it names, unless they were read before."""
    if not experiment.deck or experiment.cards is not None:
        return experiment
    game = registry.load(experiment.game)
    return experiment.model_copy(update={"cards": cards_of(game, read_deck(game, folder / experiment.deck))})


def _complete(experiment: Experiment) -> Experiment:
    """The experiment with the game's own title, player counts, policy and deck where it names none.

    Where a game has modes, numbers of players that are not named stay so: they go by the mode.
    """
    game = registry.load(experiment.game)
    lineup = experiment.lineup if experiment.lineup.names else Lineup(policies=(default_policy(game),))
    found: dict[str, Any] = {"title": experiment.title or game.title, "lineup": lineup}
    if experiment.players or not game.modes:
        found["players"] = tuple(sorted(experiment.players or game.players))
    if game.has_deck:
        found["cards"] = cards_of(game, deck_of(experiment, game))
    return experiment.model_copy(update=found)


def _refused(lines: Iterable[str]) -> BalanceError:
    return BalanceError("\n".join(dict.fromkeys(lines)))


def _given(**values: object) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
