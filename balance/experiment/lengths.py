"""How long to play, in other words than a number of games: until shares are known so well, or for so long."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from balance.errors import Fault, listed
from balance.experiment.metrics import names
from balance.experiment.wording import shown, sizes_in_words
from balance.game import Game, Size

PRECISION = 'percentage points from "0.01pp" to "20pp"'
TIME = 'a time from "1s" to "24h", such as "60s" or "5m"'
_POINTS = re.compile(r"([0-9]{1,2}(?:\.[0-9]{1,4})?) ?pp")
_TIME = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,3})?) ?([smh])")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_LONGEST = 24 * 3600
_WORST = 0.5
"""The standard deviation of a share that varies most."""


def half_width(text: str) -> float | None:
    """The text "0.5pp" as 0.005; None where it is no such text."""
    found = _POINTS.fullmatch(text.strip())
    share = float(Decimal(found[1]) / 100) if found else 0.0
    return share if 0.0001 <= share <= 0.2 else None


def seconds(text: str) -> float | None:
    """The text "5m" as 300; None where it is no such text."""
    found = _TIME.fullmatch(text.strip())
    time = float(found[1]) * _SECONDS[found[2]] if found else 0.0
    return time if 1 <= time <= _LONGEST else None


def faults(run: Mapping[str, Any], game: Game, sizes: Sequence[Size]) -> Iterator[Fault]:
    """What is wrong with how long a run is to be, as a file says it."""
    given = [name for name in ("games", "precision", "time") if name in run]
    if len(given) > 1:
        sentence = f"How long to play is said in one way, not in {len(given)}: {listed(given)}."
        yield Fault(("run", given[1]), sentence)
        return
    for name, read, allowed in (("precision", half_width, PRECISION), ("time", seconds, TIME)):
        value = run.get(name)
        if isinstance(value, str) and value.strip() and read(value) is None:
            yield Fault(("run", name), f'"{name}" must be {allowed}, not {shown(value)}.')
    alone = [size for size in sizes if not shares_at(game, size)]
    if "precision" in run and alone:
        where = sizes_in_words(alone)
        yield Fault(
            ("run", "precision"), f"With {where} there is no share to know so well; say how many games."
        )


def shares_at(game: Game, size: Size) -> str:
    """What is to be known so well at a table: the wins of all seats, or the rate of the goal; '' where neither is."""
    known = names(game, size)
    return next((name for name in ("win_share", "goal_rate") if name in known), "")


def most_blocks(precision: str, confidence: float) -> int:
    """The blocks after which any share is known so well, however it varies, also for whoever looks all the time."""
    from balance.stats.power import blocks_for_half_width  # takes a while

    return blocks_for_half_width(half_width(precision) or 1.0, _WORST, confidence, anytime=True)
