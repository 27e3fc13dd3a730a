"""The values that `--vary` names: `a=1,2,3`, `a=0..4`, `a=0..1/0.25`, words, switches, and lists apart by ` | `."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from balance.errors import BalanceError
from balance.experiment.settings import parse_set
from balance.experiment.wording import bare, printable, shown, spelled

MOST_VALUES = 1000
"""So many values of one rule can be named."""
_BETWEEN_LISTS = re.compile(r"\s+\|\s+")
_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?:/({_NUMBER}))?")
_LONGEST = 60
_MOST_DIGITS = 9
"""So many digits a number of a range may have before the point, and behind it."""


def parse_varies(texts: Iterable[str]) -> dict[str, tuple[object, ...]]:
    """All `--vary` options of a command, each rule with its values; the same rule twice is an error."""
    found: dict[str, tuple[object, ...]] = {}
    for text in texts:
        rule, values = parse_vary(text)
        if rule in found:
            raise _wrong(f"--vary {rule} is given twice; name all its values at once.")
        found[rule] = values
    return found


def parse_vary(text: str) -> tuple[str, tuple[object, ...]]:
    """One `--vary rule=values`: the rule and its values, each of them once."""
    rule, equals, values = (part.strip() for part in text.partition("="))
    if not equals or not rule or not values:
        raise _wrong(f"--vary needs a rule and its values, such as seasons=2,3,4, not {shown(text)}.")
    found: list[object] = []
    for value in _values(rule, values):
        if len(found) == MOST_VALUES:
            raise _wrong(
                f"--vary {rule} lists more than {spelled(MOST_VALUES)} values; no more can be named."
            )
        if any(_same(value, other) for other in found):
            raise _wrong(f"--vary {rule} lists {shown(value)} twice.")
        found.append(value)
    return rule, tuple(found)


def _values(rule: str, text: str) -> Iterator[object]:
    if text.startswith("["):
        for one in _BETWEEN_LISTS.split(text):
            yield _value(rule, one)
        return
    for one in text.split(","):
        steps = _RANGE.fullmatch(one.strip())
        if steps:
            yield from _steps(rule, one.strip(), *_bounds(rule, steps))
        else:
            yield _value(rule, one)


def _bounds(rule: str, steps: re.Match[str]) -> Iterator[Decimal]:
    """The first number of a range, its last, and its step."""
    for number in steps.groups("1"):
        if any(len(digits) > _MOST_DIGITS for digits in number.lstrip("-").split(".")):
            most = f"at most {_MOST_DIGITS} digits before the point and {_MOST_DIGITS} behind it"
            raise _wrong(f"--vary {rule}={bare(steps[0][:_LONGEST])}: the numbers of a range have {most}.")
        yield Decimal(number)


def _steps(rule: str, text: str, first: Decimal, last: Decimal, step: Decimal) -> Iterator[object]:
    """From the first to the last, both ends included."""
    if step <= 0 or last < first or (last - first) % step:
        raise _wrong(
            f"--vary {rule}={text}: a range goes up from its first number to its last in steps that meet it, "
            "such as 0..4, or 0..10/2 for steps of 2."
        )
    count = int((last - first) / step) + 1
    if count > MOST_VALUES:
        raise _wrong(
            f"--vary {rule}={text} are {spelled(count)} values; at most {spelled(MOST_VALUES)} can be named."
        )
    whole = all(number.as_tuple().exponent == 0 for number in (first, last, step))
    for at in range(count):
        yield int(first + at * step) if whole else float(first + at * step)


def _value(rule: str, text: str) -> object:
    return parse_set(f"{rule}={text.strip()}", "--vary")[1]


def _same(one: object, other: object) -> bool:
    """Whether two values are one and the same; true is not 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _wrong(sentence: str) -> BalanceError:
    return BalanceError(printable(sentence))
