"""What a game says about itself: names, texts, bounds, parameters, and kernels of the right kind."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from balance.conformance.bans import bans
from balance.conformance.modes import deck, modes
from balance.conformance.violation import Violation
from balance.engine import rng
from balance.engine.banned import kernels_of
from balance.engine.kernels import fingerprint, is_kernel
from balance.engine.playing import bindings, columns, policy_kernels
from balance.engine.records import HEADER
from balance.errors import BalanceError
from balance.game import (
    CHOICE,
    HIGHEST_TEMPERATURE,
    HIGHEST_WEIGHT,
    MAX_SEATS,
    Game,
    GameParams,
    Measure,
    Policy,
)

KERNELS = {
    "setup": ("state", "params", "rng"),
    "legal_actions": ("state", "params", "actions"),
    "apply_action": ("state", "params", "action", "rng"),
    "score": ("state", "params", "seat"),
    "tiebreak": ("state", "params", "seat"),
    "measure": ("state", "params", "shares", "row"),
    "determinize": ("state", "params", "seat", "rng"),
}
"""The kernels of a game and their arguments."""
CHOOSE = ("state", "params", "weights", "rng", "actions")
"""The arguments of a policy's kernel."""
OF_BANS = {"concerns": ("state", "params", "action"), "withhold": ("state", "params", "names")}
"""The kernels for bans and their arguments."""
TAKEN = {
    *(
        "game",
        "block",
        "rotation",
        "ended",
        "turns",
        "rounds",
        "plies",
        "score",
        "rank",
        "win_share",
        "policy",
    ),
    *("score_margin", "tie_rate", "seat_spread", "capped_rate", "goal_rate"),
}
"""Names that tables and metrics use already."""
WIDTHS = {"rounds": rng.ROUND_BITS, "turns": rng.TURN_BITS, "steps": rng.STEP_BITS}
"""The bits that a bound has in an address of random numbers."""


def facts(game: Game) -> Iterator[Violation]:
    """All that is wrong with a game before it is played."""
    yield from _metadata(game)
    yield from _bounds(game)
    for measure in game.measures:
        yield from _measure(game, measure)
    yield from _columns(game)
    yield from _policies(game)
    yield from _parameters(game)
    yield from _players(game)
    yield from modes(game)
    yield from deck(game)
    yield from bans(game)
    yield from _state(game)
    yield from _kernels(game)


def is_name(text: str) -> bool:
    """Whether a text can name a field or column: small letters, digits, underscores."""
    return isinstance(text, str) and text.isidentifier() and text == text.lower()


def is_free(name: str) -> bool:
    """Whether a record can have a field of that name: numpy's records have attributes of their own."""
    return not hasattr(np.record, name)


def _refused(what: str, name: str, taken: Collection[str] = ()) -> Iterator[Violation]:
    """That something cannot be called so, and why."""
    if not is_name(name):
        why = "a name is of small letters, digits and underscores, and begins with a letter"
    elif not is_free(name):
        why = "records use that name for themselves"
    elif name in taken:
        why = "tables and pages use that name"
    else:
        return
    yield Violation("names", f'{what} cannot be called "{name}": {why}.')


def _sentence(what: str, text: str) -> Iterator[Violation]:
    if fault := _unfit(text):
        yield Violation("texts", f"{what} {fault}.")
    elif not text.strip().endswith(".") or text[:1] != text[:1].upper():
        wanted = "must be a sentence with a capital letter and a full stop"
        yield Violation("texts", f'{what} {wanted}, not "{text}".')


def _filled(texts: Mapping[str, str]) -> Iterator[Violation]:
    for what, text in texts.items():
        if fault := _unfit(text):
            yield Violation("texts", f"{what} {fault}.")


def _unfit(text: object) -> str:
    """Why a text cannot be shown to people, as the end of a sentence; '' where it can."""
    if not isinstance(text, str):
        return f"must be text, not {type(text).__name__}"
    if not text.isprintable():  # half a character, say, as it comes from a file read with another encoding
        return f"has a character that cannot be shown: {text!r}"
    return "" if text.strip() else "is empty"


def _metadata(game: Game) -> Iterator[Violation]:
    if not is_name(game.id):
        yield Violation("names", f'The id "{game.id}" must be of small letters, digits and underscores.')
    if game.rules_version < 1:
        yield Violation("metadata", "The version of the rules counts from 1.")
    words = {"The word for a round": game.round_name, "The word for a turn": game.turn_name}
    yield from _filled({"The title": game.title, **words})
    yield from _sentence("The summary", game.summary)
    players = game.players
    if not players or players.step != 1 or not 1 <= players[0] <= players[-1] <= MAX_SEATS:
        yield Violation("metadata", f"The numbers of players must be a range within 1 to {MAX_SEATS}.")


def _bounds(game: Game) -> Iterator[Violation]:
    for name, value in vars(game.bounds).items():
        most = 2 ** WIDTHS.get(name, 31) - 1
        if not 1 <= value <= most:
            yield Violation("bounds", f'The bound "{name}" must be from 1 to {most}, not {value}.')


def _measure(game: Game, measure: Measure) -> Iterator[Violation]:
    yield from _refused("A measure", measure.id, TAKEN)
    yield from _sentence(f"The help of {measure.id}", measure.help)
    parts = {"title": measure.title, "unit": measure.unit, "words for more": measure.more}
    yield from _filled({f"The {part} of {measure.id}": text for part, text in parts.items()})
    rounds = getattr(measure, "rounds", 1)
    if not 1 <= rounds <= game.bounds.rounds:
        sentence = f"The curve {measure.id} must have 1 to {game.bounds.rounds} rounds, not {rounds}."
        yield Violation("measures", sentence)
    items = getattr(measure, "items", ("one",))
    if not items:
        yield Violation("items", f"The counter {measure.id} must have items.")
    for item in sorted({str(item) for item in items if items.count(item) > 1}):
        yield Violation("items", f'The counter {measure.id} has the item "{item}" twice.')
    yield from _filled({f"Item {at} of {measure.id}": item for at, item in enumerate(items)})
    faces = getattr(measure, "faces", CHOICE)
    if not isinstance(faces, tuple) or len(faces) != len(CHOICE):
        yield Violation("faces", f"The counter {measure.id} must name two faces, such as {CHOICE}.")
    else:
        yield from _filled({f"Face {at} of {measure.id}": face for at, face in enumerate(faces)})


def _columns(game: Game) -> Iterator[Violation]:
    """A row's columns, and the curves and counters beside them, have names of their own."""
    names = columns(game, MAX_SEATS)
    names += [measure.id for measure in game.measures if measure.kind != "game"]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Violation("names", f'Two measures or columns are called "{name}".')


def _policies(game: Game) -> Iterator[Violation]:
    ids = [policy.id for policy in game.policies]
    if not ids:
        yield Violation("types of players", "A game needs policies.")
    for name in sorted({str(name) for name in ids if ids.count(name) > 1}):
        yield Violation("types of players", f'Two policies are called "{name}".')
    for policy in game.policies:
        yield from _policy(policy)
    if ids and not _all_bound(game):
        yield Violation("metadata", "There are more kernels of policies than the loop has places for.")


def _all_bound(game: Game) -> bool:
    """Whether the loop has a place for the kernel of every policy."""
    try:
        bound = {id(value) for _, value in bindings(game, ())}
    except (BalanceError, ValueError):
        return False
    return all(id(fn) in bound for fn in policy_kernels(game, ()))


def _policy(policy: Policy) -> Iterator[Violation]:
    if not is_name(str(policy.id).replace("-", "_")):
        yield Violation("names", f'A policy cannot be called "{policy.id}".')
    yield from _filled({f"The title of {policy.id}": policy.title})
    yield from _sentence(f"The help of {policy.id}", policy.help)
    if not _is_number(policy.temperature, 0, HIGHEST_TEMPERATURE):
        sentence = f"must be a whole number from 0 to {HIGHEST_TEMPERATURE}, not {policy.temperature}."
        yield Violation("metadata", f"The temperature of {policy.id} {sentence}")
    for name, weight in policy.weights.items():
        if not _is_number(weight, -HIGHEST_WEIGHT, HIGHEST_WEIGHT):
            sentence = f"must be a whole number from -{HIGHEST_WEIGHT} to {HIGHEST_WEIGHT}, not {weight}."
            yield Violation("metadata", f'The weight "{name}" of {policy.id} {sentence}')
        yield from _refused(f"A weight of {policy.id}", name, {"temperature"})


def _is_number(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _parameters(game: Game) -> Iterator[Violation]:
    for name in ("players", *game.Params.rule_names()):
        field = game.Params.model_fields[name]
        yield from _sentence(f'The description of "{name}"', field.description or "")
        yield from _refused("A parameter", name)
        if field.annotation is not bool and (fault := _undeclared(game.Params, name)):
            yield Violation("parameters", fault)


def _undeclared(kind: type[GameParams], name: str) -> str:
    """What a parameter that is no switch does not say about itself, as a sentence; '' where all is said."""
    is_list = kind.is_list(name)
    if kind.model_fields[name].annotation not in (int, float) and not is_list and not kind.choices(name):
        return (
            f'"{name}" must be an int or float with a range, a bool, a Literal of words, or a tuple of such.'
        )
    try:
        words = kind.choices(name) or [str(number) for number in kind.bounds(name)]
        lengths = kind.lengths(name) if is_list else (0, 0)
    except (TypeError, AttributeError) as error:
        return f'"{name}" is not fully declared: {error}.'
    if not all(type(word) is str for word in words) or lengths[0] > lengths[1]:
        return (
            f'"{name}" must be an int or float with a range, a bool, a Literal of words, or a tuple of such.'
        )
    return ""


def _players(game: Game) -> Iterator[Violation]:
    seats = game.Params.bounds("players")
    if game.players and seats != (game.players[0], game.players[-1]):
        sentence = f'"players" goes from {seats[0]} to {seats[1]}, but the game says {game.players}.'
        yield Violation("parameters", sentence)


def _state(game: Game) -> Iterator[Violation]:
    names = game.state_dtype.names or ()
    if names[: len(HEADER)] != HEADER:
        yield Violation("state", f"A state begins with {', '.join(HEADER)}; make it with state_dtype().")
    if game.state_dtype.itemsize % 8:
        yield Violation("state", "The size of a state must be a multiple of 8 bytes; make a field longer.")
    for name in names:
        yield from _refused("A field of the state", name)
        if game.state_dtype[name].base.kind not in "iu":
            yield Violation("state", f'The field "{name}" of the state is not of integers.')


def _kernels(game: Game) -> Iterator[Violation]:
    wanted = [(name, getattr(game, name), arguments) for name, arguments in KERNELS.items()]
    wanted += [(f"choose of {policy.id}", policy.choose, CHOOSE) for policy in game.policies]
    wanted += [(name, fn, of) for (name, of), fn in zip(OF_BANS.items(), kernels_of(game), strict=False)]
    refused: set[str] = set()
    for name, fn, arguments in wanted:
        if not is_kernel(fn):
            yield Violation("kernels", f"{name} is not marked @kernel.")
            continue
        taken = fn.__code__.co_varnames[: fn.__code__.co_argcount]
        if taken != arguments:
            sentence = f"{name} takes ({', '.join(taken)}) instead of ({', '.join(arguments)})."
            yield Violation("kernels", sentence)
        try:
            fingerprint(fn)
        except (TypeError, OSError) as error:
            if str(error) not in refused:  # several kernels may reach the one that is refused
                yield Violation("kernels", f"{name} cannot be compiled: {error}")
            refused.add(str(error))
