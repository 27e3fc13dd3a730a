"""Every test vector of the contract, and its example of a whole game, against the kernels."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from . import kennel_answers, kennel_answers_later
from .kennel_log import LOG, replayed

PATH = Path(__file__).resolve().parents[1] / "vectors" / "kennelmester.toml"
VECTORS = tomllib.loads(PATH.read_text(encoding="utf-8"))["vector"]
Given = dict[str, Any]


def answer_to(check: str) -> Callable[[Given], Given]:
    """The function that answers vectors of one kind."""
    name = f"answer_{check}"
    found: Callable[[Given], Given] = getattr(kennel_answers, name, None) or getattr(
        kennel_answers_later, name
    )
    return found


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['id']}-{vector['check']}")
def test_vector(vector: Given) -> None:
    assert answer_to(vector["check"])(vector["in"]) == vector["out"]


def test_all_vectors_are_there() -> None:
    assert len({vector["id"] for vector in VECTORS}) == len(VECTORS) == 103


def test_the_example_is_played_line_by_line() -> None:
    """8.7, to the letter: the kernels write the hand-made log when its choices, shuffles and dice are theirs."""
    events, _ = replayed()
    assert events == LOG
