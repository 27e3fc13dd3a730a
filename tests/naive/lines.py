"""What the referees' checks of traces have in common: reading lines strictly, and the lines of one game."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

Event = dict[str, Any]
Test = Callable[[Any], bool]


def is_int(value: Any) -> bool:
    return type(value) is int


def is_bool(value: Any) -> bool:
    return type(value) is bool


def is_string(value: Any) -> bool:
    return type(value) is str


def is_object(value: Any) -> bool:
    return type(value) is dict


def list_of(test: Test) -> Test:
    return lambda value: type(value) is list and all(test(entry) for entry in value)


def object_of(test: Test) -> Test:
    return lambda value: type(value) is dict and all(test(entry) for entry in value.values())


def or_null(test: Test) -> Test:
    return lambda value: value is None or test(value)


def one_of(*words: str) -> Test:
    return lambda value: is_string(value) and value in words


def form_faults(line: Event, fields: Mapping[str, Test], optional: Collection[str] = ()) -> list[str]:
    """What is wrong with the fields of an object: missing, extra, of another type."""
    faults = [f"field {name} is missing" for name in fields if name not in line and name not in optional]
    for name, value in line.items():
        if name not in fields:
            faults.append(f"field {name} does not belong here")
        elif not fields[name](value):
            faults.append(f"field {name} has a value of the wrong type or form, {short(value)}")
    return faults


def short(value: Any) -> str:
    """A value as it may stand in a sentence."""
    text = json.dumps(value)
    return text if len(text) <= 300 else text[:300] + " ..."


def doubled_names(pairs: list[tuple[str, Any]]) -> list[str]:
    """The keys that stand more than once in an object of a JSON text."""
    names = [name for name, _ in pairs]
    return [name for at, name in enumerate(names) if name in names[:at]]


def refuse_constant(name: str) -> None:
    """NaN and the infinities are no JSON, though Python reads them."""
    raise ValueError(f"{name} is not JSON")


def read_object(text: Any, events: Collection[str]) -> tuple[Event | None, list[str]]:
    """The object of one line, None if it is none of these events, and what is wrong with its form."""
    if type(text) is not str:
        return None, ["the line is not text"]
    text = text.removesuffix("\n")
    if text.strip() == "":
        return None, ["the line is empty"]
    if "\n" in text:
        return None, ["the line holds a line break"]
    doubled: list[str] = []

    def build_object(pairs: list[tuple[str, Any]]) -> Event:
        doubled.extend(doubled_names(pairs))
        return dict(pairs)

    try:
        text.encode("utf-8")
        line = json.loads(text, object_pairs_hook=build_object, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        return None, [f"the line is not strict JSON ({error})"]
    if type(line) is not dict:
        return None, ["the line is not an object"]
    if "event" not in line:
        return None, ["the line has no event"]
    if type(line["event"]) is not str or line["event"] not in events:
        return None, [f"there is no event {short(line['event'])}"]
    return line, [f"key {name} stands twice in one object" for name in doubled]


def not_first(line: Event) -> list[str]:
    """The event must be the first key."""
    return [] if next(iter(line)) == "event" else ["key event is not the first"]


class TraceError(Exception):
    """The replay cannot go on. `at` counts the lines after the header; None is the end of the trace."""

    def __init__(self, at: int | None, text: str) -> None:
        super().__init__(text)
        self.at = at
        self.text = text


class Block:
    """The lines of one game in a trace."""

    def __init__(self, complaints: list[str]) -> None:
        self.complaints = complaints
        self.index = "?"  # as far as it is known
        self.lines: list[Event] = []
        self.numbers: list[int] = []
        self.sound = True  # every line is well formed

    def complain(self, number: int, text: str) -> None:
        self.complaints.append(f"game {self.index}, line {number}: {text}")
