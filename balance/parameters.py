"""The rules of a game as numbers, switches and words: declared once, checked, and seen by kernels as whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, Self, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from balance.errors import (
    COUNTS,
    FAULTS,
    Fault,
    GameCodeError,
    RulesError,
    answer,
    are_counts,
    are_faults,
    nearest,
    place,
)

MILLION = 1_000_000
"""Kernels see a decimal number in millionths, rounded to the nearest."""
BESIDE_RULES = {
    "players": "the number of players is set with --players",
    "mode": "the mode is set with --mode",
    "deck": "the deck is set with --deck",
}
"""Fields of the parameters that are no rules, and how they are set."""
_KEYS = {"players": "players", "mode": "modes", "deck": "deck"}
"""What an experiment file calls them."""
_DEFAULTS = 'defaults as {"rule": value}'


class GameParams(BaseModel):
    """The rules of one game as numbers and switches; subclasses declare one field per parameter.

    Each field has a type, the official default, its allowed range and a one-sentence description. This is
    the only place where a parameter is declared; the kernels, `balance rules`, the experiment file and
    the page all read it from here. Types: int, float, bool, a `Literal` of strings, or a tuple of numbers or of such
    words: `tuple[Spaces, Spaces]` where Spaces is `Annotated[int, Field(ge=1, le=10)]`, or `tuple[Word, ...]` with
    a `max_length`. Three fields are no rules: `players`; `mode`, a `Literal` of the ids of the game's modes; and
    `deck`, the cards, of any class that pydantic can write as JSON. Games without modes or decks do not have them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    players: int

    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        """Official defaults that go by the number of players (by none, unless a game says otherwise); also the mode
        that is played where none is named."""
        del players
        return {}

    @classmethod
    def resolve(
        cls,
        players: int,
        overrides: Mapping[str, object] | None = None,
        mode: str | None = None,
        deck: object = None,
    ) -> Self:
        """The complete rules for `players`: defaults for that number of players, then `overrides`.

        Without a mode or a deck those of the game's own are taken. Raises RulesError with one fault for each wrong key.
        """
        overrides = dict(overrides or {})
        beside, faults = cls._beside(mode, deck)
        faults += [Fault((key,), cls._unknown(key)) for key in overrides if not cls._is_rule(key)]
        known = {key: _immutable(value) for key, value in overrides.items() if cls._is_rule(key)}
        official = cls._defaults(cls.for_players, f"{_DEFAULTS}, and be a @classmethod", players)
        own = official.keys() - known.keys() - beside.keys()
        try:
            rules = cls(**{"players": players, **official, **known, **beside})
        except ValidationError as error:
            items = error.errors()
            cls._refuse_defaults(
                cls.for_players, [item for item in items if own.intersection(item["loc"][:1])]
            )
            within = {item["loc"][0] for item in items if len(item["loc"]) > 1}
            faults += [  # a list of faulty items is called short, too
                cls._explain(item, known)
                for item in items
                if len(item["loc"]) > 1 or not within.intersection(item["loc"])
            ]
        if faults:
            raise RulesError(faults)
        rules = rules._followed(known)
        found = [
            Fault((fault.key,) if isinstance(fault.key, str) else tuple(fault.key), fault.sentence)
            for fault in answer(rules.impossible, are_faults, FAULTS)
        ]
        if found:
            raise RulesError(found)
        answer(rules.components, are_counts, COUNTS)  # the page asks for them when the games have been played
        return rules

    def with_changes(self, overrides: Mapping[str, object]) -> Self:
        """The official rules at this number of players, in this mode and with this deck, then `overrides`."""
        beside = {key: getattr(self, key) for key in ("mode", "deck") if key in type(self).model_fields}
        return self.resolve(self.players, overrides, **beside)

    @classmethod
    def _beside(cls, mode: str | None, deck: object) -> tuple[dict[str, object], list[Fault]]:
        """The mode and the deck, where they are named and this game has such, and what is wrong with them."""
        given = {key: value for key, value in (("mode", mode), ("deck", deck)) if value is not None}
        faults = [
            Fault((key,), f"This game has no {key}{'s' if key == 'mode' else ' to be chosen'}.")
            for key in given
            if key not in cls.model_fields
        ]
        known = cls.choices("mode") if "mode" in cls.model_fields else ()
        if mode is not None and known and mode not in known:
            faults.append(Fault(("mode",), f'There is no mode "{mode}".{nearest(mode, known)}'))
            del given["mode"]
        return {key: value for key, value in given.items() if key in cls.model_fields}, faults

    def _followed(self, known: Mapping[str, object]) -> Self:
        """These rules with the defaults of `following` where nothing else was asked for."""
        found = type(self)._defaults(self.following, _DEFAULTS)
        followed = {key: value for key, value in found.items() if key not in known}
        try:
            return type(self)(**{**dict(self), **followed}) if followed else self
        except ValidationError as error:
            self._refuse_defaults(self.following, error.errors())
            raise

    @classmethod
    def rule_names(cls) -> list[str]:
        """The names of the rules that can be changed."""
        return [key for key in cls.model_fields if cls._is_rule(key)]

    @classmethod
    def _is_rule(cls, key: str) -> bool:
        return key in cls.model_fields and key not in BESIDE_RULES

    @classmethod
    def _defaults(cls, method: Callable[..., Any], expected: str, *arguments: Any) -> dict[str, Any]:
        """What `for_players` or `following` returns; GameCodeError for anything but values of known rules."""
        found = answer(method, lambda it: isinstance(it, Mapping), expected, *arguments)
        for key in found:
            if not cls._is_rule(key) and not (key == "mode" in cls.model_fields and arguments):
                near = nearest(str(key), cls.model_fields)
                raise GameCodeError(f'{place(method)} returns a value for "{key}", which is no rule.{near}')
        return {key: _immutable(value) for key, value in found.items()}

    @classmethod
    def _refuse_defaults(cls, method: Callable[..., Any], items: Sequence[Any]) -> None:
        """GameCodeError for the first default of this method that is not allowed."""
        if items:
            raise GameCodeError(
                f"{place(method)} returns a wrong value: {cls._explain(items[0], {}).sentence}"
            )

    def following(self) -> dict[str, object]:
        """Defaults that go by the values of other parameters, used where nothing else is asked for."""
        return {}

    def remarks(self) -> dict[str, str]:
        """What values say in other words, by parameter: odds as probabilities, say. Sentences for readers."""
        return {}

    def components(self) -> dict[str, int]:
        """What these rules lay on the table, and how many of each: tiles, cards, coins. {} tells nothing."""
        return {}

    def impossible(self) -> list[Fault]:
        """What cannot be played although each value is in its range (too few cards, say)."""
        return []

    @classmethod
    def _unknown(cls, key: str) -> str:
        if key in BESIDE_RULES:
            return f'"{key}" is not a rule; {BESIDE_RULES[key]} or the key "{_KEYS[key]}".'
        return f'Unknown rule "{key}".{nearest(key, cls.model_fields)}'

    @classmethod
    def _explain(cls, item: Any, given: Mapping[str, object]) -> Fault:
        key, *inside = item["loc"] or ("players",)
        if inside and item["type"] != "missing":
            allowed, value = cls._one_allowed(key), _shown(item["input"])
            return Fault((key, *inside), f'Item {inside[0] + 1} of "{key}" must be {allowed}, not {value}.')
        value = _shown(given.get(key, item["input"]))
        return Fault((key,), f'"{key}" must be {cls.allowed(key)}, not {value}.')

    @classmethod
    def refusal(cls, key: str, value: object) -> str:
        """What is wrong with this value of a rule, whatever the other rules are, as a sentence; '' if nothing is."""
        field = cls.model_fields[key]
        try:
            kind: Any = Annotated[field.annotation, field]
            TypeAdapter(kind, config=ConfigDict(strict=True)).validate_python(_immutable(value))
        except ValidationError as error:
            item = error.errors()[0]
            return cls._explain({**item, "loc": (key, *item["loc"])}, {key: value}).sentence
        return ""

    @classmethod
    def allowed(cls, key: str) -> str:
        """The allowed values of a parameter in words: 'a whole number from 0 to 3', 'true or false', 'x or y'."""
        if not cls.is_list(key):
            return cls._one_allowed(key)
        fewest, most = cls.lengths(key)
        size = f"{most}" if fewest == most else f"{fewest} to {most}"
        if cls.choices(key):
            return f"a list of {size} of the words {', '.join(cls.choices(key))}"
        low, high = map(_number, cls.bounds(key))
        return f"a list of {size} {'' if cls.is_decimal(key) else 'whole '}numbers from {low} to {high}"

    @classmethod
    def _one_allowed(cls, key: str) -> str:
        """The allowed values of a parameter, or of each item of a list."""
        if cls.model_fields[key].annotation is bool:
            return "true or false"
        choices = cls.choices(key)
        if choices:
            return " or ".join(f'"{value}"' for value in choices)
        low, high = map(_number, cls.bounds(key))
        return f"a {'' if cls.is_decimal(key) else 'whole '}number from {low} to {high}"

    @classmethod
    def is_list(cls, key: str) -> bool:
        """Whether a parameter is a list of numbers or of words."""
        return get_origin(cls.model_fields[key].annotation) is tuple

    @classmethod
    def is_decimal(cls, key: str) -> bool:
        """Whether a parameter, or each item of a list, is a number that need not be whole."""
        kind = cls._item(key) if cls.is_list(key) else cls.model_fields[key].annotation
        return getattr(kind, "__origin__", kind) is float

    @classmethod
    def lengths(cls, key: str) -> tuple[int, int]:
        """The fewest and the most items of a parameter that is a list."""
        items = get_args(cls.model_fields[key].annotation)
        if items[-1] is not Ellipsis:
            return len(items), len(items)
        fewest, most = 0, None
        for bound in cls.model_fields[key].metadata:
            fewest, most = getattr(bound, "min_length", fewest), getattr(bound, "max_length", most)
        if most is None:
            raise TypeError(f"{cls.__name__}.{key} declares no greatest length (max_length=)")
        return fewest, most

    @classmethod
    def bounds(cls, key: str) -> tuple[float, float]:
        """Lowest and highest allowed value of a parameter that is a number, or of each item of a list of numbers."""
        low = high = None
        metadata = cls.model_fields[key].metadata
        if cls.is_list(key):
            metadata = [bound for part in cls._item(key).__metadata__ for bound in part.metadata]
        for bound in metadata:
            low = getattr(bound, "ge", low)
            high = getattr(bound, "le", high)
        if low is None or high is None:
            raise TypeError(f"{cls.__name__}.{key} declares no range (ge=, le=)")
        kind = float if cls.is_decimal(key) else int
        return kind(low), kind(high)

    @classmethod
    def choices(cls, key: str) -> tuple[str, ...]:
        """The words that a choice, or each item of a list of words, may be; their positions are codes in kernels."""
        kind = cls._item(key) if cls.is_list(key) else cls.model_fields[key].annotation
        return get_args(kind) if get_origin(kind) is Literal else ()

    @classmethod
    def _item(cls, key: str) -> Any:
        return get_args(cls.model_fields[key].annotation)[0]

    def as_data(self) -> dict[str, Any]:
        """Every parameter by name, less the deck, which is kept once for all."""
        return {key: value for key, value in self if key != "deck"}

    def codes(self) -> dict[str, Any]:
        """Every parameter as kernels see it: switches as 0 and 1, words by position, lists filled up with -1, decimal
        numbers in millionths. The deck is left to the game's tables."""
        found: dict[str, Any] = {}
        for key, value in self.as_data().items():
            if isinstance(value, tuple):
                items = [self._code(key, item) for item in value]
                found[key] = np.array(items + [-1] * (self.lengths(key)[1] - len(items)), np.int64)
            else:
                found[key] = self._code(key, value)
        return found

    def _code(self, key: str, value: Any) -> int:
        if isinstance(value, float):
            return round(value * MILLION)
        return self.choices(key).index(value) if isinstance(value, str) else int(value)


def _immutable(value: object) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _number(bound: float) -> str:
    return str(int(bound)) if float(bound).is_integer() else str(bound)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return f"[{', '.join(_shown(item) for item in value)}]"
    if isinstance(value, dict):
        pairs = ", ".join(f"{key} = {_shown(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return f'"{value}"' if isinstance(value, str) else str(value)
