"""Numbers and names as the page and the terminal write them; `verdicts` and `differences` make sentences of them.

Everything here is plain text, and ASCII but for names. People count seats from 1. Shares come in as parts of
1 and go out as percent; differences of shares are percentage points, 'pp', for points are what a game counts.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from balance.errors import listed

Record = Mapping[str, Any]
SHARES = ("win_share", "seat_spread", "tie_rate", "goal_rate", "capped_rate")
"""Metrics that are shares of games whether or not a definition says so."""
APART = ("seat_spread",)
"""Those of them that are the distance between two shares."""
NOTHING = "-"
PP = " pp"
"""The unit of differences of shares: percentage points."""
_CODES = re.compile(r"\s+(?:\[[A-Z]-\d+(?:,\s+[A-Z]-\d+)*\]|\([A-Z]-\d+(?:,\s+[A-Z]-\d+)*\))")
_WIDE, _NARROW = 5, 0.05
"""Half the width of an interval from which on no decimal, and up to which more than one, can be told."""


# ---------------------------------------------------------------------- numbers


def count(number: int) -> str:
    """A whole number with separators: '100,000'."""
    return f"{number:,}"


def plural(number: int, one: str, many: str = "") -> str:
    """'1 game', '2,000 games'."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def decimals(half_width: float) -> int:
    """How many decimals a number deserves: one, none where its interval is wide, more where it is narrower than one."""
    if half_width >= _WIDE:
        return 0
    return 1 if half_width >= _NARROW or half_width <= 0 else min(6, math.ceil(-math.log10(half_width * 2)))


def _end(number: float, digits: int) -> str:
    """An end of an interval, with more decimals where it would otherwise seem to be zero."""
    more = (more for more in range(digits, 6) if float(fixed(number, more).replace(",", "")))
    return fixed(number, next(more, digits))


def _decimals(estimate: Record, scale: float) -> int:
    if estimate["low"] is None or estimate["high"] is None:
        return 1
    return decimals(scale * (estimate["high"] - estimate["low"]) / 2)


def _few_decimals(estimate: Record, share: bool) -> int:
    """The same; two of a mean that was the same in every game, though its interval is narrower than they show."""
    found = _decimals(estimate, 100 if share else 1)
    return found if share or estimate.get("method") != "unseen" else min(found, 2)


def digits(estimate: Record, share: bool) -> int:
    """How many decimals its interval supports."""
    return _decimals(estimate, 100 if share else 1)


def fixed(number: float | None, digits: int = 1) -> str:
    """A number with fixed decimals; never '-0.0'."""
    if number is None or not math.isfinite(number):
        return NOTHING
    text = f"{number:,.{digits}f}"
    return text.lstrip("-") if not text.strip("-0.,") else text


def quantity(number: float | None) -> str:
    """A number that may be whole: '12', '12.5', '1,204'."""
    if number is not None and float(number).is_integer():
        return count(int(number))
    return fixed(number, 2)


def alike(one: float, other: float, apart: float) -> tuple[str, str, str]:
    """Two numbers and their difference, whole where all of them are, else with as many decimals as agree."""
    if all(float(number).is_integer() for number in (one, other, apart)):
        return quantity(one), quantity(other), quantity(apart)
    digits, size = agreeing(2, one, other, apart)
    return fixed(one, digits), fixed(other, digits), size


def signed(number: float | None, digits: int = 1) -> str:
    """'+1.1', '-0.4', '0.0'."""
    return _with_plus(fixed(number, digits))


def _with_plus(text: str) -> str:
    """A number as it is written, with a plus sign where it is above zero."""
    return f"+{text}" if text[:1] not in "-" and text.strip("0.,") else text


def percent(share: float | None, digits: int = 1) -> str:
    """A share of 1 as '25.4 %'."""
    return NOTHING if share is None else f"{fixed(100 * share, digits)} %"


def points(share: float | None, digits: int = 1) -> str:
    """A difference of shares as '+1.1 pp'."""
    return NOTHING if share is None else f"{signed(100 * share, digits)}{PP}"


def value(estimate: Record, share: bool) -> str:
    """The value of an estimate: '26.1 %' or '28.1'."""
    if share:
        return percent(estimate["value"], _decimals(estimate, 100))
    if estimate["low"] == estimate["high"] == estimate["value"]:
        return quantity(estimate["value"])
    return fixed(estimate["value"], _few_decimals(estimate, share))


def interval(estimate: Record, share: bool) -> str:
    """The interval of an estimate: '25.4 to 25.7 %' or '28.0 to 28.2'; '-' where all games were alike."""
    scale = 100 if share else 1
    if estimate["low"] is None or estimate["high"] is None or estimate["low"] == estimate["high"]:
        return NOTHING
    digits = _few_decimals(estimate, share)
    return (
        f"{fixed(scale * estimate['low'], digits)} to {fixed(scale * estimate['high'], digits)}{' %' * share}"
    )


def difference(estimate: Record, share: bool) -> str:
    """The value of a difference, with its sign: '+1.1 pp' or '-2.3'."""
    if share:
        return points(estimate["value"], _decimals(estimate, 100))
    return signed(estimate["value"], _few_decimals(estimate, share))


def difference_interval(estimate: Record, share: bool) -> str:
    """The interval of a difference, with signs: '+0.8 to +1.4 pp'."""
    scale = 100 if share else 1
    if estimate["low"] is None or estimate["high"] is None:
        return NOTHING
    digits = _few_decimals(estimate, share)
    low, high = (scale * estimate[end] for end in ("low", "high"))
    ends = (_end(end, digits) if excludes_zero(estimate) else fixed(end, digits) for end in (low, high))
    return f"{' to '.join(map(_with_plus, ends))}{PP * share}"


def moved(estimate: Record, share: bool, between: Sequence[float | None]) -> tuple[list[str], str]:
    """The two numbers that a difference lies between, and the difference with its sign, in decimals that agree."""
    if None in (estimate["value"], *between):
        return [plain(number, share, 1) for number in between], difference(estimate, share)
    if None is not estimate["low"] == estimate["high"] and not share:
        one, other = (number or 0 for number in between)
        *shown, size = alike(one, other, abs(estimate["value"]))
    else:
        digits, size = _agreeing(estimate, share, between)
        shown = [plain(number, share, digits) for number in between]
    sign = "-" if estimate["value"] < 0 and size.strip("0.,") else ""
    return shown, f"{_with_plus(sign + size)}{PP * share}"


def _agreeing(estimate: Record, share: bool, between: Sequence[float | None]) -> tuple[int, str]:
    scale = 100 if share else 1
    one, other = (scale * (number or 0) for number in between)
    return agreeing(_decimals(estimate, scale), one, other, scale * abs(estimate["value"]))


def sizes(estimate: Record, share: bool, between: Sequence[float | None] = ()) -> tuple[int, str, str, str]:
    """A difference without its sign: the decimals it deserves, the near end of its interval, its size, the far end.

    `between` are the two numbers that it is the difference of: with so many decimals all three agree as they are shown.
    """
    scale = 100 if share else 1
    near, size, far = sorted(scale * abs(estimate[end]) for end in ("low", "value", "high"))
    few = _decimals(estimate, scale)
    more, shown = _agreeing(estimate, share, between) if between else (few, fixed(size, few))
    return more, _end(near, few), shown, fixed(far, few)


def agreeing(digits: int, one: float, other: float, apart: float) -> tuple[int, str]:
    """`digits` decimals or one more, and what is then shown of how far `apart` two numbers are, so that all agree.

    Where the rounded numbers do not, with one more either, what is shown is the difference of the two as shown; but
    not of numbers that are so far apart by no rounding.
    """
    for more in (digits, digits + 1):
        first, second, size = (Decimal(f"{number:.{more}f}") for number in (one, other, apart))
        if abs(first - second) == size:
            break
    is_rounded = abs(abs(first - second) - size) <= Decimal(1).scaleb(-more)
    return (more, f"{abs(first - second):,f}") if is_rounded else (digits, fixed(apart, digits))


def ceiling(estimate: Record, share: bool) -> str:
    """The largest size that the interval of a difference allows, rounded as the tables round its ends."""
    return size_of(estimate, max(estimate["low"], estimate["high"], key=abs), share)


def size_of(estimate: Record, end: float, share: bool) -> str:
    """An end of an interval without its sign, with the digits that it has in the tables."""
    scale = 100 if share else 1
    return fixed(abs(scale * end), _decimals(estimate, scale))


def never_differed(estimate: Record) -> bool:
    """Whether a difference was 0 in every game, though others may be to come."""
    is_same = estimate["low"] == estimate["high"] or estimate.get("method") == "unseen"
    return bool(is_same and estimate["value"] == 0)


def excludes_zero(estimate: Record) -> bool:
    """Whether the interval of a difference leaves out 'no difference'."""
    return (
        estimate["low"] is not None
        and estimate["high"] is not None
        and (estimate["low"] > 0 or estimate["high"] < 0)
    )


def plain(number: float | None, share: bool, digits: int) -> str:
    """A number without an interval: '26.1 %' or '28.1'."""
    return percent(number, digits) if share else fixed(number, digits)


def measured(metric: str, text: str) -> str:
    """A number of a metric with its unit: the distance between two shares is no '5.7 %', but '5.7 pp'."""
    return text.replace(" %", PP) if metric in APART else text


def p_value(number: float | None) -> str:
    """A p-value: '0.03', or '<0.001' where no more than that can be trusted."""
    if number is None:
        return NOTHING
    return "<0.001" if number < 0.001 else fixed(number, 3 if number < 0.1 else 2)


def times(number: float | None) -> str:
    """How many times as many: '1.3x', '250x', '>9999x'."""
    if number is None:
        return NOTHING
    return ">9999x" if number > 9999 else f"{fixed(number, 1 if number < 100 else 0)}x"


# ---------------------------------------------------------------------- names


def seat(index: int) -> str:
    """'seat 1' for the seat that machines call 0."""
    return f"seat {index + 1}"


def side(entry: Record) -> str:
    """Whose a number is: 'seats 1 and 3' for what the seats of a team have together, else 'seat 1'."""
    together = entry.get("seats")
    return f"seats {listed(number + 1 for number in together)}" if together else seat(entry["seat"])


def pair(entries: Sequence[Record]) -> str:
    """Two who compete: 'seats 1 and 2', or 'seats 1 and 3 and seats 2 and 4' where these are teams."""
    if any("seats" in one for one in entries):
        return " and ".join(map(side, entries))
    return f"seats {listed(one['seat'] + 1 for one in entries)}"


def sides(cell: Record) -> list[tuple[str, Record]]:
    """All who compete in a cell, with their wins and scores: the teams, or else the seats."""
    found: Sequence[Record] = cell.get("teams") or cell["seats"]
    return [(side(entry), entry) for entry in found]


def shortened(text: str, longest: int) -> str:
    """A text of at most so many letters; where it was longer it ends in an ellipsis."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def isolated(text: str) -> str:
    """The text as it is, kept from turning its neighbours round when it is written from right to left."""
    turning = any(
        unicodedata.bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO") for letter in text
    )
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}" if turning else text


def name(text: str) -> str:
    """A name that somebody chose, in quotation marks; those within it are single ones."""
    inside = text.replace('"', "'")
    return f'"{isolated(inside)}"'


def capital(sentence: str) -> str:
    """The sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]


def without_codes(text: str) -> str:
    """The text without the numbers of rules by which a game's own files call them: ' [Z-19, Z-20]', ' (R-31)'."""
    return _CODES.sub("", text)


def table_size(cell: Record) -> str:
    """The number of players of a cell and its mode: '4 players', '4 players (team)'."""
    mode = f" ({isolated(str(cell['mode']))})" if cell.get("mode") else ""
    return plural(cell["players"], "player") + mode


def setting(cell: Record) -> str:
    """The number of players of a cell and, where the run has levels, its level."""
    level = f" at level {name(str(cell['level']))}" if cell.get("level") is not None else ""
    return table_size(cell) + level


def title(results: Record, metric: str) -> str:
    """The title that the game gives a metric."""
    return str(results["definitions"].get(metric, {}).get("title") or metric)


def deck_note(results: Record) -> str:
    """What a reader must know of the deck before anything else; '' where there is nothing."""
    return str(results.get("deck", {}).get("note", ""))


def table_word(results: Record, word: str) -> str:
    """What this game calls a turn or a round."""
    return str(results.get("words", {}).get(word) or word)


def is_share(results: Record, metric: str) -> bool:
    """Whether a metric is a share of games, shown in percent."""
    return metric in SHARES or bool(results["definitions"].get(metric, {}).get("share"))


def baseline_name(results: Record) -> str:
    """The variant that the others are compared with."""
    named = [comparison["baseline"] for comparison in results["comparisons"]]
    return str((named + [cell["variant"] for cell in results["cells"]] + ["baseline"])[0])


def baseline_cells(results: Record) -> list[Record]:
    """The cells of the baseline in which games count."""
    wanted = baseline_name(results)
    return [cell for cell in results["cells"] if cell["variant"] == wanted and cell["blocks"]]


def confidence(results: Record) -> str:
    """'95 %'."""
    return f"{100 * results['confidence']:g} %"
