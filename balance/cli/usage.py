"""Wrong command lines in plain sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

import typer

from balance.errors import BalanceError, nearest

Word = TypeVar("Word", bound=StrEnum)

_SENTENCES = (
    (r"No such command '(.*?)'\.", 'There is no command "{0}".{near}'),
    (r"No such option: (.+)", "{command} has no option {0}.{near}"),
    (r"Option '(.+)' requires an argument\.", "{0} needs a value."),
    (r"Option '(.+)' does not take a value\.", "{0} takes no value."),
    (r"Missing (?:argument|option) '(.+)'\.", "{command} needs more: {0} is missing."),
    (r"Got unexpected extra argument\(s\) \((.+)\)", '{command} has no use for "{0}".'),
)
"""What the parser of command lines says, and the sentence in its place."""


def wrong_usage(error: typer.TyperException) -> BalanceError:
    """What is wrong with a command line, and where to read more."""
    context: Any = getattr(error, "ctx", None)
    command = context.command_path if context else ""
    hint = f"`{command} --help` shows what there is." if command else ""
    said = error.message or error.format_message()
    for pattern, sentence in _SENTENCES:
        if found := re.match(pattern, said):
            near = nearest(found[1], _known(context, option=found[1].startswith("-")))
            return BalanceError(sentence.format(found[1], command=f"`{command}`", near=near), hint)
    return BalanceError(" ".join(error.format_message().split()), hint)


def _known(context: Any, option: bool) -> list[str]:
    """The options, or the commands, that there are where the command line went wrong."""
    if context is None:
        return []
    if option:
        return [name for one in context.command.params for name in (*one.opts, *one.secondary_opts)]
    return list(getattr(context.command, "commands", {}))


def whole(option: str, lowest: int, highest: int | None = None) -> Callable[[str], int]:
    """A reader of whole numbers within bounds, for an option."""
    allowed = f"from {lowest} to {highest}" if highest else f"from {lowest}"

    def read(text: str) -> int:
        if re.fullmatch("[0-9]{1,9}", str(text)) and lowest <= int(text) <= (highest or int(text)):
            return int(text)
        raise BalanceError(f'{option} takes a whole number {allowed}, not "{text}".')

    return read


def number(option: str, lowest: float, highest: float) -> Callable[[str], float]:
    """A reader of numbers within bounds, for an option."""

    def read(text: str) -> float:
        if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", str(text)) and lowest <= float(text) <= highest:
            return float(text)
        raise BalanceError(f'{option} takes a number from {lowest:g} to {highest:g}, not "{text}".')

    return read


def one_of(option: str, words: type[Word]) -> Callable[[str], Word]:
    """A reader of one word out of several, for an option."""

    def read(text: str) -> Word:
        known = [word.value for word in words]
        if text not in known:
            raise BalanceError(f'{option} takes {" or ".join(known)}, not "{text}".{nearest(text, known)}')
        return words(text)

    return read
