"""Everything that can be wrong with an experiment's data: each a fault with its key and a plain sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from balance import registry
from balance.errors import BalanceError, Fault, RulesError, listed, nearest
from balance.experiment import gates, lengths, lineups
from balance.experiment.decks import read_deck
from balance.experiment.models import (
    BASELINE,
    HIGHEST_CONFIDENCE,
    HIGHEST_SEED,
    LONGEST_NAME,
    LONGEST_TITLE,
    LOWEST_CONFIDENCE,
    MOST_GAMES,
    QUICKEST_DECISION,
    SCHEMA_VERSION,
    SECTIONS,
    SLOWEST_DECISION,
    ExperimentFile,
    Gate,
    default_policy,
)
from balance.experiment.policy_files import name_of
from balance.experiment.toml_positions import KeyPath
from balance.experiment.wording import instead, shown, sizes_in_words, spelled
from balance.game import Game, Size
from balance.parameters import BESIDE_RULES

Data = Mapping[str, Any]

_SHAPES: dict[tuple[str, ...], tuple[str, object]] = {
    ("schema_version",): (str(SCHEMA_VERSION), int),
    ("title",): (f"text of 1 to {LONGEST_TITLE} characters on one line", str),
    ("game",): ("the name of a game in quotes", str),
    ("players",): ("a list of numbers of players, such as [3, 4]", list),
    ("players", "*"): ("a whole number", int),
    ("modes",): ('a list of modes in quotes, such as ["solo"]', list),
    ("modes", "*"): ("the name of a mode in quotes", str),
    ("deck",): ("the folder of a deck in quotes", str),
    ("run",): ("a table that begins with [run]", dict),
    ("run", "games"): (f"a whole number from 1 to {spelled(MOST_GAMES)}", int),
    ("run", "precision"): (lengths.PRECISION, str),
    ("run", "time"): (lengths.TIME, str),
    ("run", "seed"): (f"a whole number from 0 to {spelled(HIGHEST_SEED)}", int),
    ("run", "confidence"): (f"a number from {LOWEST_CONFIDENCE} to {HIGHEST_CONFIDENCE}", float),
    ("run", "seconds_per_decision"): (
        f"a number of seconds from {QUICKEST_DECISION} to {SLOWEST_DECISION:g}",
        float,
    ),
    ("rules",): ("a table that begins with [rules]", dict),
    ("variants",): ("a list of tables that each begin with [[variants]]", list),
    ("variants", "*"): ("a table with a name and rules", dict),
    ("variants", "*", "name"): (f"text of 1 to {LONGEST_NAME} characters on one line", str),
    ("variants", "*", "rules"): ("a table such as { rule = value }", dict),
    ("lineup",): ("a table that begins with [lineup]", dict),
    ("lineup", "policies"): ("a list of policies in quotes, separated by commas in [ ]", list),
    ("lineup", "policies", "*"): ("the name of a policy, or of a policy file, in quotes", str),
    ("lineup", "levels"): ("a list of policies in quotes, separated by commas in [ ]", list),
    ("lineup", "levels", "*"): ("the name of a policy, or of a policy file, in quotes", str),
    **gates.SHAPES,
}
"""For each key: its allowed values in words, and their type; * stands for any index."""

_MISSING = {
    "schema_version": f"write schema_version = {SCHEMA_VERSION}.",
    "game": "name the game to be played; `balance games` lists them.",
    "name": 'give the variant a name, such as name = "another hand size".',
    "metric": 'say what is judged, such as metric = "seat_spread".',
}


def faults_of(
    data: Data, folder: Path = Path(), types: Collection[str] = (), deck: object = None
) -> list[Fault]:
    """All faults of an experiment's data; an empty list means that the models and the game accept it.

    Policy files and the deck are looked for in `folder`; `types` are the names of those that were read before, and
    `deck` is the deck if it was.
    """
    game, found = _game(data)
    found += _shape(data, game)
    found += _names(data)
    if game is not None:
        found += lengths.faults(_table(data.get("run")), game, _sizes(data, game))
        found += _players(data, game) + _modes(data, game)
        fewest = min(players for players, _ in _sizes(data, game))
        found += lineups.faults(_table(data.get("lineup")), game, folder, types, fewest)
        deck, wrong = (deck, []) if deck is not None else _deck(data, game, folder)
        found += wrong or _rules(data, game, deck)
        found += _gates(data, game, folder)
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
    allowed, kind = _SHAPES[_pattern(key)]
    subject = f'"{key[-1]}" must be'
    if isinstance(key[-1], int):
        subject = f'Item {key[-1] + 1} of "{key[-2]}" must be'
    return f"{subject} {allowed}, not {shown(value)}.{_advice(key, value, kind)}"


def _pattern(key: KeyPath) -> tuple[str, ...]:
    return tuple("*" if isinstance(part, int) else part for part in key)


def _advice(key: KeyPath, value: object, kind: object) -> str:
    if kind is list and type(value) in (int, str):
        _, item_kind = _SHAPES[(*_pattern(key), "*")]
        return f" Write [{shown(value)}]." if type(value) is item_kind else ""
    if key == ("run", "confidence"):
        percent = re.fullmatch(r"([0-9]{2}(?:\.[0-9]{1,2})?) ?%?", str(value))
        return f" Write {float(percent[1]) / 100:g}." if percent and float(percent[1]) >= 50 else ""
    if key == ("run", "precision") and type(value) in (int, float):
        return f' Write "{shown(value)}pp".'
    return instead(value, kind)


def _unknown_key(key: KeyPath, data: Data, game: Game | None) -> str:
    name = str(key[-1])
    place, known = _section(key[0] if len(key) > 1 else "")
    homes = [where for where, model in SECTIONS.items() if name in model.model_fields and model is not Gate]
    if homes:
        return f'"{name}" does not belong {place}; it belongs {homes[0]}.'
    if game is not None and name in game.Params.rule_names():
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
    given, modes = _items(data.get("players")), _known_modes(data, game)
    some_fit = not modes or game.sizes(_known_players(data, game), modes)
    found = []
    for index, count in enumerate(given):
        if type(count) is not int:
            continue
        if count not in game.players:
            sentence = f"{game.title} is for {_counts(game.players)}, not {spelled(count)}."
            found.append(Fault(("players", index), sentence))
        elif count in given[:index]:
            found.append(Fault(("players", index), f'"players" lists {count} twice.'))
        elif some_fit and not game.sizes([count], modes):  # where none fits, the modes are told
            found.append(Fault(("players", index), _no_mode_for(count, data, game)))
    return found


def _no_mode_for(count: int, data: Data, game: Game) -> str:
    known = _known_modes(data, game)
    if not known:
        return f"{game.title} has no mode for {_counts([count])}."
    told = [f'"{mode.id}" is for {_counts(mode.players)}' for mode in game.modes if mode.id in known]
    return f"No mode of this experiment is for {_counts([count])}: {listed(told)}."


def _modes(data: Data, game: Game) -> list[Fault]:
    given, known = _items(data.get("modes")), [mode.id for mode in game.modes]
    if given and not known:
        return [Fault(("modes",), f"{game.title} has no modes.")]
    found = []
    for index, name in enumerate(given):
        if not isinstance(name, str):
            continue
        key: KeyPath = ("modes", index)
        if name not in known:
            sentence = f'{game.title} has no mode "{name}".{nearest(name, known)}'
            found.append(Fault(key, f"{sentence} Its modes: {listed(known)}."))
        elif name in given[:index]:
            found.append(Fault(key, f'"modes" lists "{name}" twice.'))
        elif not game.sizes(_known_players(data, game), [name]):
            counts = next(mode.players for mode in game.modes if mode.id == name)
            here = f"this experiment has games of {listed(_known_players(data, game))}"
            found.append(Fault(key, f'The mode "{name}" is for {_counts(counts)}, but {here}.'))
    return found


def _deck(data: Data, game: Game, folder: Path) -> tuple[object, list[Fault]]:
    """The deck that is named, read; or None and what is wrong with it."""
    name = data.get("deck")
    if not isinstance(name, str) or not name.strip():
        return None, []
    try:
        return read_deck(game, folder / name), []
    except BalanceError as error:
        return None, [Fault(("deck",), sentence) for sentence in error.message.splitlines()]


def _rules(data: Data, game: Game, deck: object) -> list[Fault]:
    sizes = _sizes(data, game)
    baseline = _table(data.get("rules"))
    wrong = _wrong_rules(game, sizes, baseline, deck)
    found = [Fault(("rules", *fault.key), fault.sentence) for fault in wrong]
    for index, variant in _variants(data):
        changes = variant.get("rules", {})
        if not isinstance(changes, dict):
            continue
        path: KeyPath = ("variants", index, "rules")
        own = [
            fault
            for fault in _wrong_rules(game, sizes, {**baseline, **changes}, deck)
            if fault not in wrong or set(fault.key[:1]) & set(changes)
        ]
        found += [Fault((*path, *fault.key), fault.sentence) for fault in own]
        if not own and not wrong and not _changes_something(game, sizes, baseline, changes, deck):
            name = shown(variant.get("name", index + 1))
            found.append(Fault(path, f"The variant {name} changes nothing: its rules are the baseline's."))
    return found


def _wrong_rules(game: Game, sizes: Sequence[Size], rules: Data, deck: object) -> list[Fault]:
    """The faults at any of `sizes`; one that not all tables of the game have names its own."""
    hit: dict[Fault, list[Size]] = {}
    for size in game.all_sizes:
        for fault in _wrong_rules_with(game, size, rules, deck):
            hit.setdefault(fault, []).append(size)
    found = []
    for fault, at in hit.items():
        here = [size for size in at if size in sizes]
        if here and len(at) < len(game.all_sizes):
            found.append(Fault(fault.key, _with_players(fault.sentence, here)))
        elif here:
            found.append(fault)
    return found


def _wrong_rules_with(game: Game, size: Size, rules: Data, deck: object) -> list[Fault]:
    try:
        game.resolve(size, rules, deck)
    except RulesError as error:
        return [Fault(each.key, each.sentence + _rule_advice(game, each.key, rules)) for each in error.faults]
    return []


def _rule_advice(game: Game, key: KeyPath, rules: Data) -> str:
    name = str(key[0]) if key else ""
    if name in game.Params.rule_names():
        value, kind = rules.get(name), game.Params.model_fields[name].annotation
        known = game.Params.choices(name)
        if game.Params.is_list(name) and isinstance(value, str) and value in known:
            return f" Write [{shown(value)}]."
        if game.Params.is_list(name) and len(key) > 1 and isinstance(value, (list, tuple)):
            value, kind = value[int(key[1])], str if known else float if game.Params.is_decimal(name) else int
        if kind in (int, float, bool):
            return instead(value, kind)
        return nearest(value, known) if isinstance(value, str) and value not in known else ""
    if name in BESIDE_RULES:
        return ""
    homes = [place for place, model in SECTIONS.items() if name in model.model_fields and model is not Gate]
    return f' The key "{name}" belongs {homes[0]}.' if homes else ""


def _with_players(sentence: str, sizes: list[Size]) -> str:
    if len(sizes) == 1 and re.search(rf"\b{sizes[0][0]} players?\b", sentence):
        return sentence
    return f"With {sizes_in_words(sizes)}: {sentence}"


def _changes_something(
    game: Game, sizes: Sequence[Size], baseline: Data, changes: Data, deck: object
) -> bool:
    both = {**baseline, **changes}
    return any(game.resolve(size, baseline, deck) != game.resolve(size, both, deck) for size in sizes)


def _gates(data: Data, game: Game, folder: Path) -> list[Fault]:
    variants = [str(variant.get("name")) for _, variant in _variants(data)]
    lineup = _table(data.get("lineup"))
    named = _items(lineup.get("policies")) or _items(lineup.get("levels")) or [default_policy(game)]
    policies = list(dict.fromkeys(name_of(str(name), game, folder) for name in named))
    together = not _items(lineup.get("levels"))
    given = _items(data.get("gates"))
    return list(gates.faults(given, game, _sizes(data, game), variants, policies, together))


# Parts of data whose shape may be wrong.


def _items(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _table(value: object) -> Data:
    return value if isinstance(value, dict) else {}


def _variants(data: Data) -> list[tuple[int, Data]]:
    variants = enumerate(_items(data.get("variants")))
    return [(index, variant) for index, variant in variants if isinstance(variant, dict)]


def _known_players(data: Data, game: Game) -> list[int]:
    given = _items(data.get("players"))
    return sorted({count for count in given if type(count) is int and count in game.players})


def _known_modes(data: Data, game: Game) -> list[str]:
    given = _items(data.get("modes"))
    return [mode.id for mode in game.modes if mode.id in given]


def _sizes(data: Data, game: Game) -> list[Size]:
    """The tables that an experiment is about; all of the game's where what it names makes none."""
    found = game.sizes(_known_players(data, game), _known_modes(data, game))
    return found or list(game.official_sizes)


def _counts(given: Iterable[int]) -> str:
    counts = list(given)
    consecutive = len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1))
    words = f"{counts[0]} to {counts[-1]}" if consecutive else " or ".join(str(count) for count in counts)
    return f"{words} player{'s' if counts != [1] else ''}"
