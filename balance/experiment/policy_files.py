"""Policy files: types of players of one's own, made of a policy of the game and other numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from balance.errors import BalanceError, Fault, listed, nearest
from balance.experiment.models import (
    LONGEST_HELP,
    LONGEST_POLICY,
    PlayerType,
    PolicyFile,
    PolicyTable,
)
from balance.experiment.toml_positions import KeyPath
from balance.experiment.toml_source import content, read
from balance.experiment.wording import instead, printable, shown
from balance.game import HIGHEST_TEMPERATURE, HIGHEST_WEIGHT, Game, Policy

KIND = "policy file"
_WEIGHT = f"a whole number from -{HIGHEST_WEIGHT} to {HIGHEST_WEIGHT}"
_SHAPES: dict[KeyPath, tuple[str, object]] = {
    ("policy",): ("a table that begins with [policy]", dict),
    ("policy", "name"): (f"text of 1 to {LONGEST_POLICY} letters, digits, - and _", str),
    ("policy", "based_on"): ("the name of a policy in quotes", str),
    ("policy", "temperature"): (f"a whole number from 0 to {HIGHEST_TEMPERATURE}", int),
    ("policy", "help"): (f"text of 1 to {LONGEST_HELP} characters on one line", str),
    ("weights",): ("a table that begins with [weights]", dict),
}
"""For each key: its allowed values in words, and their type; all others are weights."""
_MISSING = {
    "name": 'name the type of player, such as name = "hoarder".',
    "based_on": "name a policy of the game; `balance games` lists them.",
}


def is_file(name: str) -> bool:
    """Whether a name in a line-up is that of a policy file."""
    return name.lower().endswith(".toml")


def unreadable(path: Path) -> str:
    """Why a policy file cannot be read, as a sentence; '' if it can."""
    try:
        content(path, KIND)
    except BalanceError as error:
        return error.message
    return ""


def read_type(path: Path, game: Game) -> PlayerType:
    """The type of player in a file, with all its numbers; BalanceError with all faults, one a line and in order."""
    source = read(path, KIND)
    faults = list(_faults(source.data, game))
    if faults:
        faults.sort(key=lambda fault: source.position(fault.key))
        raise BalanceError("\n".join(source.fault(fault.key, fault.sentence) for fault in faults))
    file = PolicyFile.model_validate(source.data)
    base, own = game.policy(file.policy.based_on), file.policy
    found = PlayerType(
        name=own.name,
        based_on=base.id,
        temperature=base.temperature if own.temperature is None else own.temperature,
        weights={**base.weights, **file.weights},
        help=own.help,
    )
    return found if own.help else found.model_copy(update={"help": _differences(found, base)})


def name_of(policy: str, game: Game, folder: Path) -> str:
    """What a policy of a line-up is called; of a file that can be read, the name in it."""
    if not is_file(policy):
        return policy
    try:
        return read_type(folder / policy, game).name
    except BalanceError:
        return policy


def types_of(paths: Iterable[Path], game: Game) -> dict[Path, PlayerType]:
    """The types of players in several files; BalanceError if two share a name and are not the same."""
    found: dict[Path, PlayerType] = {}
    for path in paths:
        new = read_type(path, game)
        for other, known in found.items():
            if known.name.casefold() == new.name.casefold() and known != new:
                names = printable(f"{other} and {path}")
                sentence = f'Two types of players are called "{new.name}" and are not the same: {names}.'
                raise BalanceError(sentence, "Give one of them another name.")
        found[path] = new
    return found


def policy_of(game: Game, own: PlayerType) -> Policy:
    """The policy of the game with the numbers of a type of player; KeyError if the game has it no more."""
    numbers = MappingProxyType(own.weights)
    base = game.policy(own.based_on)
    return replace(
        base, id=own.name, title=own.name, help=own.help, weights=numbers, temperature=own.temperature
    )


def unknown_policy(game: Game, name: str) -> str:
    """That a game has no such policy, as a sentence."""
    known = [policy.id for policy in game.policies]
    return f'{game.title} has no policy "{name}".{nearest(name, known)} Its policies: {listed(known)}.'


def _faults(data: Mapping[str, Any], game: Game) -> Iterator[Fault]:
    if "policy" not in data:
        yield Fault((), "This is no policy file: the table [policy] is missing.")
        return
    try:
        PolicyFile.model_validate(data)
    except ValidationError as error:
        yield from (_misshapen(item, data) for item in error.errors(include_url=False))
    table, weights = data["policy"], data.get("weights", {})
    if isinstance(table, dict):
        yield from _names(table, weights if isinstance(weights, dict) else {}, game)


def _misshapen(item: Any, data: Mapping[str, Any]) -> Fault:
    key: KeyPath = item["loc"]
    if item["type"] == "extra_forbidden":
        return Fault(key, _unknown_key(key, data))
    if item["type"] == "missing":
        return Fault(key, f'"{key[-1]}" is missing: {_MISSING[str(key[-1])]}')
    allowed, kind = _SHAPES.get(key, (_WEIGHT, int))
    value = item["input"]
    return Fault(key, f'"{key[-1]}" must be {allowed}, not {shown(value)}.{instead(value, kind)}')


def _unknown_key(key: KeyPath, data: Mapping[str, Any]) -> str:
    name, in_table = str(key[-1]), len(key) > 1
    known = [*(PolicyTable if in_table else PolicyFile).model_fields]
    if not in_table and name in PolicyTable.model_fields:
        return f'"{name}" does not belong at the top of the file; it belongs in [policy].'
    there = data["policy"] if in_table else data
    place = "in [policy]" if in_table else "at the top of the file"
    near = nearest(name, [other for other in known if other not in there])
    return f'Unknown key "{name}" {place}.{near} The keys known there: {listed(known)}.'


def _names(table: Mapping[str, Any], weights: Mapping[str, Any], game: Game) -> Iterator[Fault]:
    """Names that the game has already, or does not have."""
    name, base = table.get("name"), table.get("based_on")
    if isinstance(name, str) and name.casefold() in {policy.id.casefold() for policy in game.policies}:
        sentence = f'{game.title} has a policy "{name}" of its own; give this one another name.'
        yield Fault(("policy", "name"), sentence)
    if not isinstance(base, str):
        return
    if base not in {policy.id for policy in game.policies}:
        yield Fault(("policy", "based_on"), unknown_policy(game, base))
        return
    known = game.policy(base).weights
    own = f"Its weights: {listed(known)}." if known else "It has none."
    for weight in weights:
        if weight not in known:
            near = nearest(weight, [other for other in known if other not in weights])
            yield Fault(("weights", weight), f'"{base}" has no weight "{weight}".{near} {own}')


def _differences(own: PlayerType, base: Policy) -> str:
    """What sets a type of player apart from the policy that it is based on, as a sentence."""
    before = {"temperature": base.temperature, **base.weights}
    after = {"temperature": own.temperature, **own.weights}
    changed = [
        f"{name} = {after[name]} (not {before[name]})" for name in before if after[name] != before[name]
    ]
    return f"As {base.id}, but {listed(changed)}." if changed else f"As {base.id}, by another name."
