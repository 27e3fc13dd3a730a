"""The values that `--vary` names."""

from __future__ import annotations

import pytest

from balance.errors import BalanceError
from balance.experiment.sweep_values import parse_varies, parse_vary

VALUES: dict[str, tuple[object, ...]] = {
    "a=1,2,3": (1, 2, 3),
    "a=0..4": (0, 1, 2, 3, 4),
    " a = 10 , 20..40/10 ": (10, 20, 30, 40),
    "a=-2..1": (-2, -1, 0, 1),
    "a=0..1/0.25": (0.0, 0.25, 0.5, 0.75, 1.0),
    "a=0.1..0.3/0.1": (0.1, 0.2, 0.3),
    "a=7": (7,),
    "a=true,false": (True, False),
    "a=1,true": (1, True),
    "a=none,coins": ("none", "coins"),
    'a="two words",x': ("two words", "x"),
    "a=[0, 1] | [2,3] | []": ([0, 1], [2, 3], []),
}

WRONG = {
    "a": '--vary needs a rule and its values, such as seasons=2,3,4, not "a".',
    "a=": '--vary needs a rule and its values, such as seasons=2,3,4, not "a=".',
    "=1": '--vary needs a rule and its values, such as seasons=2,3,4, not "=1".',
    "a=1,2,1": "--vary a lists 1 twice.",
    "a=0..3,2": "--vary a lists 2 twice.",
    "a=1,,2": "--vary a= has no value; an empty text is written a='\"\"'.",
    "a=yes,no": "--vary a=yes: write a=true (or 'a=\"yes\"' for the word).",
    "a=[1,2] [3,4]": "--vary a=[1,2] [3,4]: this is no value. Write a number such as 3 or 0.5, true, false, a word, "
    "text in quotes, or a list such as [1, 2].",
    "a=4..0": "--vary a=4..0: a range goes up from its first number to its last in steps that meet it, such as 0..4, "
    "or 0..10/2 for steps of 2.",
    "a=0..5/2": "--vary a=0..5/2: a range goes up from its first number to its last in steps that meet it, such as "
    "0..4, or 0..10/2 for steps of 2.",
    "a=0..5/0": "--vary a=0..5/0: a range goes up from its first number to its last in steps that meet it, such as "
    "0..4, or 0..10/2 for steps of 2.",
    "a=1..900000": "--vary a=1..900000 are 900_000 values; at most 1000 can be named.",
    "a=0..99999999999": "--vary a=0..99999999999: the numbers of a range have at most 9 digits before the point and 9 "
    "behind it.",
    f"a=0..{'9' * 5000}": f"--vary a=0..{'9' * 57}: the numbers of a range have at most 9 digits before the point and "
    "9 behind it.",
    "a=0..999999999": "--vary a=0..999999999 are 1_000_000_000 values; at most 1000 can be named.",
    "a=0..1/0.0000000001": "--vary a=0..1/0.0000000001: the numbers of a range have at most 9 digits before the point "
    "and 9 behind it.",
    "a=0..999,1000..1999": "--vary a lists more than 1000 values; no more can be named.",
    f"a={','.join(map(str, range(100_000)))}": "--vary a lists more than 1000 values; no more can be named.",
    "players=2,3": "The number of players is no rule; use --players.",
}


@pytest.mark.parametrize("text", VALUES)
def test_values(text: str) -> None:
    rule, found = parse_vary(text)
    assert rule == "a"
    assert [(type(one), one) for one in found] == [(type(one), one) for one in VALUES[text]]


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:30])
def test_what_is_no_list_of_values(text: str) -> None:
    with pytest.raises(BalanceError) as refused:
        parse_vary(text)
    assert refused.value.message == WRONG[text]


def test_each_rule_once() -> None:
    assert parse_varies(["a=1,2", "b=x"]) == {"a": (1, 2), "b": ("x",)}
    with pytest.raises(BalanceError, match="--vary a is given twice; name all"):
        parse_varies(["a=1", "b=x", "a=2"])
