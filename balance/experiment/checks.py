"""Everything that can be wrong with an experiment's data: each a fault with its key and a plain sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from balance import registry
from balance.errors import BalanceError, Fault, RulesError, listed, nearest
from balance.experiment.models import (
    HIGHEST_CONFIDENCE,
    HIGHEST_SEED,
    LONGEST_NAME,
    LONGEST_TITLE,
    LOWEST_CONFIDENCE,
    MOST_GAMES,
    SCHEMA_VERSION,
    SECTIONS,
    ExperimentFile,
)
from balance.experiment.policy_files import is_file, unknown_policy, unreadable
from balance.experiment.toml_positions import KeyPath
from balance.experiment.wording import instead, shown, spelled
from balance.game import Game

Data = Mapping[str, Any]
BASELINE = "baseline"

_SHAPES: dict[tuple[str, ...], tuple[str, object]] = {
    ("schema_version",): (str(SCHEMA_VERSION), int),
    ("title",): (f"text of 1 to {LONGEST_TITLE} characters on one line", str),
    ("game",): ("the name of a game in quotes", str),
    ("players",): ("a list of numbers of players, such as [3, 4]", list),
    ("players", "*"): ("a whole number", int),
    ("run",): ("a table that begins with [run]", dict),
    ("run", "games"): (f"a whole number from 1 to {spelled(MOST_GAMES)}", int),
    ("run", "seed"): (f"a whole number from 0 to {spelled(HIGHEST_SEED)}", int),
    ("run", "confidence"): (f"a number from {LOWEST_CONFIDENCE} to {HIGHEST_CONFIDENCE}", float),
    ("rules",): ("a table that begins with [rules]", dict),
    ("variants",): ("a list of tables that each begin with [[variants]]", list),
    ("variants", "*"): ("a table with a name and rules", dict),
    ("variants", "*", "name"): (f"text of 1 to {LONGEST_NAME} characters on one line", str),
    ("variants", "*", "rules"): ("a table such as { rule = value }", dict),
    ("lineup",): ("a table that begins with [lineup]", dict),
    ("lineup", "policies"): ("a list of policies in quotes, separated by commas in [ ]", list),
    ("lineup", "policies", "*"): ("the name of a policy, or of a policy file, in quotes", str),
}
"""For each key: its allowed values in words, and their type; * stands for any index."""

_MISSING = {
    "schema_version": f"write schema_version = {SCHEMA_VERSION}.",
    "game": "name the game to be played; `balance games` lists them.",
    "name": 'give the variant a name, such as name = "another hand size".',
}


def faults_of(data: Data, folder: Path = Path(), types: Collection[str] = ()) -> list[Fault]:
    """All faults of an experiment's data; an empty list means that the models and the game accept it.

    Policy files are looked for in `folder`; `types` are the names of those that were read before.
    """
    game, found = _game(data)
    found += _shape(data, game)
    found += _names(data)
    if game is not None:
        found += _players(data, game) + _policies(data, game, folder, types) + _rules(data, game)
    return found


def _game(data: Data) -> tuple[Game | None, list[Fault]]:
    name = data.get("game")
    if not isinstance(name, str) or not name.strip():
        return None, []
    try:
        return registry.load(name), []
    except BalanceError as error:
        return None, [Fault(("game",), f"{error.message} {error.hint}".strip())]


# Shape: keys and types, found by the models.


def _shape(data: Data, game: Game | None) -> list[Fault]:
    try:
        ExperimentFile.model_validate(data)
    except ValidationError as error:
        items = error.errors(include_url=False)
        return [fault for item in items for fault in _misshapen(item, data, game)]
    return []


def _misshapen(item: Any, data: Data, game: Game | None) -> Iterator[Fault]:
    key: KeyPath = item["loc"]
    if item["type"] == "extra_forbidden":
        yield Fault(key, _unknown_key(key, data, game))
    elif item["type"] == "missing":
        yield Fault(key, f'"{key[-1]}" is missing: {_MISSING[str(key[-1])]}')
    elif item["type"] != "too_short" or not item["input"]:  # a list of faulty items is called short, too
        yield Fault(key, _wrong_value(key, item["input"]))


def _wrong_value(key: KeyPath, value: object) -> str:
    allowed, kind = _SHAPES[tuple("*" if isinstance(part, int) else part for part in key)]
    subject = f'"{key[-1]}" must be'
    if isinstance(key[-1], int):
        subject = f'Item {key[-1] + 1} of "{key[-2]}" must be'
    return f"{subject} {allowed}, not {shown(value)}.{_advice(key, value, kind)}"


def _advice(key: KeyPath, value: object, kind: object) -> str:
    if kind is list and type(value) in (int, str):
        _, item_kind = _SHAPES[(*map(str, key), "*")]
        return f" Write [{shown(value)}]." if type(value) is item_kind else ""
    if key == ("run", "confidence"):
        percent = re.fullmatch(r"([0-9]{2}(?:\.[0-9]{1,2})?) ?%?", str(value))
        return f" Write {float(percent[1]) / 100:g}." if percent and float(percent[1]) >= 50 else ""
    return instead(value, kind)


def _unknown_key(key: KeyPath, data: Data, game: Game | None) -> str:
    name = str(key[-1])
    place, known = _section(key[0] if len(key) > 1 else "")
    homes = [where for where, model in SECTIONS.items() if name in model.model_fields]
    if homes:
        return f'"{name}" does not belong {place}; it belongs {homes[0]}.'
    if game is not None and name in game.Params.model_fields:
        home = "in its rules = { }" if place == "in [[variants]]" else "in [rules]"
        return f'"{name}" is a rule of the game; it does not belong {place}, but {home}.'
    table: Any = data
    for part in key[:-1]:
        table = table[part]
    meant = nearest(name, [other for other in known if other not in table])
    return f'Unknown key "{name}" {place}.{meant} The keys known there: {listed(known)}.'


def _section(table: str | int) -> tuple[str, list[str]]:
    for place, model in SECTIONS.items():
        if place in (f"in [{table}]", f"in [[{table}]]"):
            return place, list(model.model_fields)
    place, model = next(iter(SECTIONS.items()))
    return place, list(model.model_fields)


# Names of variants.


def _names(data: Data) -> list[Fault]:
    found = []
    seen: dict[str, str] = {}
    for index, variant in _variants(data):
        name = variant.get("name")
        if not isinstance(name, str):
            continue
        key: KeyPath = ("variants", index, "name")
        same = unicodedata.normalize("NFKC", name).strip().casefold()
        if same == BASELINE:
            sentence = f'A variant cannot be called "{name}": that is the game with [rules] alone.'
            found.append(Fault(key, sentence))
        elif same in seen:
            other = "" if seen[same] == name else f' (the other is "{seen[same]}")'
            found.append(Fault(key, f'Two variants are called "{name}"{other}; each needs its own name.'))
        elif same:
            seen[same] = name
    return found


# What the game allows.


def _players(data: Data, game: Game) -> list[Fault]:
    given = _items(data.get("players"))
    found = []
    for index, count in enumerate(given):
        if type(count) is not int:
            continue
        if count not in game.players:
            sentence = f"{game.title} is for {_counts(game)}, not {spelled(count)}."
            found.append(Fault(("players", index), sentence))
        elif count in given[:index]:
            found.append(Fault(("players", index), f'"players" lists {count} twice.'))
    return found


def _policies(data: Data, game: Game, folder: Path, types: Collection[str]) -> list[Fault]:
    given = _items(_table(data.get("lineup")).get("policies"))
    known = {*types, *(policy.id for policy in game.policies)}
    found = []
    for index, name in enumerate(given):
        if not isinstance(name, str):
            continue
        key: KeyPath = ("lineup", "policies", index)
        if is_file(name):
            wrong = unreadable(folder / name)
            found += [Fault(key, wrong)] if wrong else []
        elif name not in known:
            found.append(Fault(key, unknown_policy(game, name)))
    fewest = min(_player_counts(data, game))
    if len(given) > fewest:
        need = f"{len(given)} policies need at least {len(given)} players"
        found.append(Fault(("lineup", "policies"), f"{need}, but this experiment has games of {fewest}."))
    return found


def _rules(data: Data, game: Game) -> list[Fault]:
    counts = _player_counts(data, game)
    baseline = _table(data.get("rules"))
    wrong = _wrong_rules(game, counts, baseline)
    found = [Fault(("rules", *fault.key), fault.sentence) for fault in wrong]
    for index, variant in _variants(data):
        changes = variant.get("rules", {})
        if not isinstance(changes, dict):
            continue
        path: KeyPath = ("variants", index, "rules")
        own = [
            fault
            for fault in _wrong_rules(game, counts, {**baseline, **changes})
            if fault not in wrong or set(fault.key[:1]) & set(changes)
        ]
        found += [Fault((*path, *fault.key), fault.sentence) for fault in own]
        if not own and not wrong and not _changes_something(game, counts, baseline, changes):
            name = shown(variant.get("name", index + 1))
            found.append(Fault(path, f"The variant {name} changes nothing: its rules are the baseline's."))
    return found


def _wrong_rules(game: Game, counts: Sequence[int], rules: Data) -> list[Fault]:
    """The faults at any of `counts`; one that not all player counts of the game have names its own."""
    hit: dict[Fault, list[int]] = {}
    for count in game.players:
        for fault in _wrong_rules_with(game, count, rules):
            hit.setdefault(fault, []).append(count)
    found = []
    for fault, at in hit.items():
        here = [count for count in at if count in counts]
        if here and len(at) < len(game.players):
            found.append(Fault(fault.key, _with_players(fault.sentence, here)))
        elif here:
            found.append(fault)
    return found


def _wrong_rules_with(game: Game, players: int, rules: Data) -> list[Fault]:
    try:
        game.Params.resolve(players, rules)
    except RulesError as error:
        return [Fault(each.key, each.sentence + _rule_advice(game, each.key, rules)) for each in error.faults]
    return []


def _rule_advice(game: Game, key: KeyPath, rules: Data) -> str:
    name = str(key[0]) if key else ""
    if name in game.Params.model_fields:
        value, kind = rules.get(name), game.Params.model_fields[name].annotation
        known = game.Params.choices(name)
        if game.Params.is_list(name) and isinstance(value, str) and value in known:
            return f" Write [{shown(value)}]."
        if game.Params.is_list(name) and len(key) > 1 and isinstance(value, (list, tuple)):
            value, kind = value[int(key[1])], str if known else int
        if kind in (int, bool):
            return instead(value, kind)
        return nearest(value, known) if isinstance(value, str) and value not in known else ""
    homes = [place for place, model in SECTIONS.items() if name in model.model_fields and name != "players"]
    return f' The key "{name}" belongs {homes[0]}.' if homes else ""


def _with_players(sentence: str, counts: list[int]) -> str:
    if len(counts) == 1 and re.search(rf"\b{counts[0]} players?\b", sentence):
        return sentence
    return f"With {listed(counts)} player{'s' if counts != [1] else ''}: {sentence}"


def _changes_something(game: Game, counts: Sequence[int], baseline: Data, changes: Data) -> bool:
    resolve, both = game.Params.resolve, {**baseline, **changes}
    return any(resolve(players, baseline) != resolve(players, both) for players in counts)


# Parts of data whose shape may be wrong.


def _items(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _table(value: object) -> Data:
    return value if isinstance(value, dict) else {}


def _variants(data: Data) -> list[tuple[int, Data]]:
    variants = enumerate(_items(data.get("variants")))
    return [(index, variant) for index, variant in variants if isinstance(variant, dict)]


def _player_counts(data: Data, game: Game) -> list[int]:
    given = [count for count in _items(data.get("players")) if type(count) is int and count in game.players]
    return sorted({*given}) or list(game.players)


def _counts(game: Game) -> str:
    counts = list(game.players)
    consecutive = len(counts) > 2 and game.players.step == 1
    words = f"{counts[0]} to {counts[-1]}" if consecutive else " or ".join(str(count) for count in counts)
    return f"{words} player{'s' if counts != [1] else ''}"
