"""The experiment and policy files that `balance init` writes: complete, and every key explained."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

from pydantic import BaseModel

from balance.errors import RulesError, listed
from balance.experiment.metrics import SPREAD, names
from balance.experiment.models import (
    SCHEMA_VERSION,
    ExperimentFile,
    Gate,
    Lineup,
    PolicyFile,
    PolicyTable,
    Run,
    default_policy,
)
from balance.experiment.wording import printable, shown, sizes_in_words, spelled
from balance.game import HIGHEST_WEIGHT, Game, Size

_WIDTH = 100


def experiment_text(game: Game, name: str = "") -> str:
    """A commented experiment file for `game`; `name` is how the file calls it where that is not its id."""
    called = name or game.id
    parts = [
        _top(game, called),
        _run(),
        _lineup(game, called),
        _baseline(game),
        _variants(game),
        _gates(game),
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def player_text(game: Game, name: str, file: str) -> str:
    """A commented policy file for `game`, which is called `name`; `file` is what the file itself is called."""
    return "\n".join([*_head(game, name, file), "", *_policy(game), "", *_weights(game)]) + "\n"


def _head(game: Game, name: str, file: str) -> Iterator[str]:
    yield from _comment(
        f"A type of player of your own for {game.title}. Change its numbers, then see how strong it is:"
    )
    yield from _comment(f"balance players {name} THIS_FILE", "  ")
    yield from _comment(
        "It plays where it is named: with --policies, or in the [lineup] of an experiment beside it:"
    )
    yield from _comment(f"policies = [{_text(default_policy(game))}, {_text(file)}]", "  ")


def _policy(game: Game) -> Iterator[str]:
    base = game.policy(default_policy(game))
    yield "[policy]"
    yield from _key(PolicyTable, "name", _text("my-player"))
    yield from _key(PolicyTable, "based_on", _text(base.id))
    yield from _key(PolicyTable, "temperature", str(base.temperature))
    yield from _comment(PolicyTable.model_fields["help"].description or "")
    yield f"# help = {_text(f'As {base.id}, but in more of a hurry.')}"


def _weights(game: Game) -> Iterator[str]:
    base = game.policy(default_policy(game))
    yield "[weights]"
    yield from _comment(PolicyFile.model_fields["weights"].description or "")
    yield from _comment(
        f"Whole numbers from -{HIGHEST_WEIGHT} to {HIGHEST_WEIGHT}; what counts is how they compare."
    )
    for weight, value in base.weights.items():
        yield from _comment(base.meanings.get(weight, ""), "  ")
        yield f"{weight} = {value}"


def _top(game: Game, name: str) -> Iterator[str]:
    yield from _comment(f"An experiment with {game.title}. Run it with: balance run THIS_FILE")
    yield from _comment("Lines that begin with # explain; take the # away from a setting to use it.")
    yield ""
    yield from _key(ExperimentFile, "schema_version", str(SCHEMA_VERSION))
    yield from _key(ExperimentFile, "title", _text(game.title))
    yield from _key(ExperimentFile, "game", _text(name))
    yield from _key(ExperimentFile, "players", str(sorted({players for players, _ in game.sizes()})))
    if game.modes:
        yield from _comment(ExperimentFile.model_fields["modes"].description or "")
        for mode in game.modes:
            counts = f"{listed(mode.players)} player{'s' if mode.players != (1,) else ''}"
            yield from _comment(f"{mode.id}: {mode.title}, {counts}. {mode.goal}".rstrip(), "  ")
        yield f"# modes = [{', '.join(_text(mode.id) for mode in game.modes)}]"
    if game.has_deck:
        yield from _comment(ExperimentFile.model_fields["deck"].description or "")
        yield f"# deck = {_text(f'my-{game.id}-deck')}"


def _run() -> Iterator[str]:
    run = Run()
    yield "[run]"
    yield from _key(Run, "games", spelled(run.games))
    for key in ("precision", "time"):
        yield from _comment(f"{key}: {Run.model_fields[key].description}", "  ")
    yield from _key(Run, "seed", str(run.seed))
    yield from _key(Run, "confidence", str(run.confidence))
    yield from _comment(Run.model_fields["seconds_per_decision"].description or "")
    yield "# seconds_per_decision = 15"


def _lineup(game: Game, name: str) -> Iterator[str]:
    yield "[lineup]"
    yield from _comment("The policies of this game, who can be told to play it:")
    for policy in game.policies:
        yield from _comment(f"{policy.id}: {policy.help}", "  ")
    yield from _comment(
        "A type of player of your own is a policy file beside this one, and is named by it, such as "
        f'"my-{game.id}-player.toml". To get one to start from: balance init {name} --player'
    )
    yield from _key(Lineup, "policies", f"[{_text(default_policy(game))}]")
    yield from _key(Lineup, "levels", "[]")


def _baseline(game: Game) -> Iterator[str]:
    yield "[rules]"
    yield from _comment(
        f"{ExperimentFile.model_fields['rules'].description} All rules, with the rulebook's values:"
    )
    for key in game.Params.rule_names():
        yield "#"
        yield from _rule(game, key)


def _key(model: type[BaseModel], key: str, value: str) -> Iterator[str]:
    yield from _comment(model.model_fields[key].description or "")
    yield f"{key} = {value}"


def _rule(game: Game, key: str) -> Iterator[str]:
    official = {size: getattr(game.resolve(size), key) for size in game.official_sizes}
    first = next(iter(official.values()))
    yield from _comment(game.Params.model_fields[key].description or "", "  ")
    words = f"Allowed: {game.Params.allowed(key)}."
    if len(set(official.values())) > 1:
        words += f" The rulebook's value goes by the number of players: {_by_size(official)}."
    yield from _comment(words, "  ")
    yield f"# {key} = {_value(first)}"


def _by_size(official: dict[Size, object]) -> str:
    """'7 with 2 players, 5 with 3, 4 and 5'."""
    told: list[str] = []
    for value in dict.fromkeys(official.values()):
        sizes = [size for size in official if official[size] == value]
        is_plain = told and sizes[0][1] is None
        where = listed(players for players, _ in sizes) if is_plain else sizes_in_words(sizes)
        told.append(f"{shown(value)} with {where}")
    return ", ".join(told)


def _variants(game: Game) -> Iterator[str]:
    yield from _comment(
        "Each variant is a change that is compared with the baseline, on the same shuffles. "
        "A variant has a name of its own and the rules that it changes; add as many as you like."
    )
    example = _example(game)
    if example is not None:
        key, value = example
        yield "#"
        yield "# [[variants]]"
        yield f"# name = {_text(f'{key} = {value if isinstance(value, str) else shown(value)}')}"
        yield f"# rules = {{ {key} = {_value(value)} }}"


def _gates(game: Game) -> Iterator[str]:
    yield from _comment(
        "A gate is a limit that the results must keep. Judge the gates with: balance check THIS_FILE"
    )
    for key, field in Gate.model_fields.items():
        yield from _comment(f"{key}: {field.description}", "  ")
    seats = any(SPREAD in names(game, size) for size in game.sizes())
    yield "#"
    yield "# [[gates]]"
    yield f"# metric = {_text(SPREAD if seats else 'plies')}"
    yield f"# {'max' if seats else 'min'} = {_text('3pp') if seats else '1'}"
    yield f"# why = {_text('Nobody should lose by where they sit.' if seats else 'There is something to decide.')}"


def _example(game: Game) -> tuple[str, object] | None:
    """A rule and another value for it that can be played at every number of players."""
    switches_first = sorted(
        game.Params.rule_names(), key=lambda key: game.Params.model_fields[key].annotation is not bool
    )
    for key in switches_first:
        for value in _others(game, key):
            if all(_playable(game, size, key, value) for size in game.official_sizes):
                return key, value
    return None


def _others(game: Game, key: str) -> list[object]:
    official = getattr(game.resolve(game.official_sizes[0]), key)
    if isinstance(official, bool):
        return [not official]
    if isinstance(official, int):
        low, high = game.Params.bounds(key)
        return [value for value in (official + 1, official - 1) if low <= value <= high]
    return [value for value in game.Params.choices(key) if value != official]


def _playable(game: Game, size: Size, key: str, value: object) -> bool:
    try:
        game.resolve(size, {key: value})
    except RulesError:
        return False
    return True


def _comment(text: str, indent: str = "") -> list[str]:
    words = printable(" ".join(text.split()))
    return textwrap.wrap(
        words,
        _WIDTH,
        initial_indent=f"# {indent}",
        subsequent_indent=f"# {indent}",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _value(value: object) -> str:
    return _text(value) if isinstance(value, str) else shown(value)
