"""Values typed on the command line, read with the exact types that an experiment file has."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence

from balance.errors import BalanceError
from balance.experiment import lengths
from balance.experiment.models import HIGHEST_CONFIDENCE, HIGHEST_SEED, LOWEST_CONFIDENCE, MOST_GAMES
from balance.experiment.wording import SWITCHES, printable, shown, spelled
from balance.game import MAX_SEATS
from balance.parameters import BESIDE_RULES

_WORD = re.compile(r"[^\W\d][\w.+-]*")
_WHOLE = re.compile(r"[0-9]+(?:_[0-9]+)*")
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9}")
_NO_RULES = {"players": "The number of players", "mode": "The mode", "deck": "The deck"}
QUOTE = '"'
_UNITS = {"k": 1_000, "K": 1_000, "M": 1_000_000}


def parse_set(text: str, option: str = "--set") -> tuple[str, object]:
    """One `--set key=value`: a TOML value, or a bare word as text; sentences name the `option`."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not key:
        raise _wrong(f"{option} needs a rule and a value, such as seasons=2, not {shown(text)}.")
    if key in BESIDE_RULES:
        raise _wrong(f"{_NO_RULES[key]} is no rule; use --{key}.")
    if not value:
        raise _wrong(f"{option} {key}= has no value; an empty text is written {key}='\"\"'.")
    found = _toml_value(value)
    if found is not None:
        return key, found
    if value.lower() in SWITCHES:
        switch = SWITCHES[value.lower()]
        raise _wrong(f"{option} {key}={value}: write {key}={switch} (or '{key}=\"{value}\"' for the word).")
    if _WORD.fullmatch(value):
        return key, value
    kinds = "a number such as 3 or 0.5, true, false, a word, text in quotes, or a list such as [1, 2]"
    raise _wrong(f"{option} {key}={value}: this is no value. Write {kinds}.")


def parse_sets(texts: Iterable[str]) -> dict[str, object]:
    """All `--set` options of a command; the same key twice is an error."""
    found: dict[str, object] = {}
    for text in texts:
        key, value = parse_set(text)
        if key in found:
            raise _wrong(f"--set {key} is given twice: {shown(found[key])} and {shown(value)}.")
        found[key] = value
    return found


def parse_players(text: str) -> tuple[int, ...]:
    """`--players 3,4`: numbers of players."""
    counts = tuple(_whole(part) or 0 for part in _parts(text))
    if not all(1 <= count <= MAX_SEATS for count in counts):
        allowed = f"whole numbers from 1 to {MAX_SEATS} with commas between them, such as 3,4"
        raise _wrong(f"--players takes {allowed}, not {shown(text)}.")
    _refuse_repeats("--players", counts)
    return counts


def parse_policies(text: str) -> tuple[str, ...]:
    """`--policies a,b`: names of policies."""
    parts = _parts(text)
    if not all(parts):
        allowed = "names with commas between them, such as greedy,random"
        raise _wrong(f"--policies takes {allowed}, not {shown(text)}.")
    return tuple(parts)


def parse_levels(text: str) -> tuple[str, ...]:
    """`--levels a,b`: names of policies, each of which plays games of its own."""
    parts = _parts(text)
    if not all(parts):
        raise _wrong(
            f"--levels takes names with commas between them, such as random,greedy, not {shown(text)}."
        )
    _refuse_repeats("--levels", parts)
    return tuple(parts)


def parse_modes(text: str) -> tuple[str, ...]:
    """`--mode a,b`: names of modes."""
    parts = _parts(text)
    if not all(parts):
        raise _wrong(f"--mode takes names with commas between them, such as solo,team, not {shown(text)}.")
    _refuse_repeats("--mode", parts)
    return tuple(parts)


def parse_deck(text: str) -> str:
    """`--deck folder`: where a deck lies."""
    if not text.strip():
        raise _wrong(f"--deck takes a folder, not {shown(text)}.")
    return text


def parse_games(text: str) -> int:
    """`--games 200k`: how many games; k stands for thousand, M for million."""
    digits, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS else (text, "")
    number = _whole(digits)
    if number is None:
        raise _wrong(f"--games takes a whole number such as 5000, 1_000_000, 200k or 5M, not {shown(text)}.")
    games = number * _UNITS.get(unit, 1)
    if not 1 <= games <= MOST_GAMES:
        raise _wrong(f"--games must be from 1 to {spelled(MOST_GAMES)}, not {shown(text)}.")
    return games


def parse_precision(text: str) -> str:
    """`--precision 0.5pp`: how well shares shall be known."""
    if lengths.half_width(text) is None:
        raise _wrong(f"--precision takes {lengths.PRECISION.replace(QUOTE, '')}, not {shown(text)}.")
    return text


def parse_time(text: str) -> str:
    """`--for 60s`: how long to play."""
    if lengths.seconds(text) is None:
        raise _wrong(f"--for takes {lengths.TIME.replace(QUOTE, '')}, not {shown(text)}.")
    return text


def parse_seed(text: str) -> int:
    """`--seed 7`: a number that fixes every shuffle."""
    seed = _whole(text)
    if seed is None or seed > HIGHEST_SEED:
        raise _wrong(f"--seed must be a whole number from 0 to {spelled(HIGHEST_SEED)}, not {shown(text)}.")
    return seed


def parse_power(text: str) -> float:
    """`--power 0.8`: the chance to see what is looked for."""
    found = _decimal(text)
    if found is None or not LOWEST_CONFIDENCE <= found <= HIGHEST_CONFIDENCE:
        allowed = f"a chance from {LOWEST_CONFIDENCE} to {HIGHEST_CONFIDENCE}, such as 0.8"
        raise _wrong(f"--power takes {allowed}, not {shown(text)}.")
    return found


def parse_detect(text: str, metric: str, share: bool) -> float:
    """`--detect 1pp`: the smallest difference that matters, of a share in percentage points, else in its own unit."""
    number, points, _ = text.partition("pp")
    found = _decimal(number.strip())
    if share and not points:
        raise _wrong(
            f'"{metric}" is a share: --detect takes percentage points, such as 1pp or 0.5pp, not {shown(text)}.'
        )
    if not share and points:
        raise _wrong(
            f'"{metric}" is no share: --detect takes a plain number, such as 0.5, not {shown(text)}.'
        )
    if found is None or found <= 0 or text != number + points or (share and found >= 100):
        allowed = (
            "percentage points above 0 and below 100, such as 1pp"
            if share
            else "a number above 0, such as 0.5"
        )
        raise _wrong(f"--detect takes {allowed}, not {shown(text)}.")
    return found / 100 if share else found


def parse_sprt(text: str) -> tuple[float, float]:
    """`--sprt 0pp,2pp`: two shares in percentage points, the lower one first."""
    parts = [re.fullmatch(r"(-?)([0-9.]+) ?pp", part) for part in _parts(text)]
    numbers = [_decimal(part[2]) for part in parts if part]
    if len(parts) != 2 or len(numbers) != 2 or None in numbers:
        raise _wrong(f"--sprt takes two claims in percentage points, such as 0pp,2pp, not {shown(text)}.")
    low, high = (
        (-1 if part and part[1] else 1) * float(number or 0) / 100
        for part, number in zip(parts, numbers, strict=True)
    )
    if not -1 < low < high < 1:
        raise _wrong(f"--sprt takes the lower claim first, both between -100pp and 100pp, not {shown(text)}.")
    return low, high


def parse_range(text: str) -> range:
    """`A:B`: the game numbers from A up to, but not including, B."""
    first, colon, end = text.partition(":")
    low, high = _whole(first), _whole(end)
    if not colon or low is None or high is None:
        raise _wrong(f"A range of games is written 0:300 (from game 0 to game 299), not {shown(text)}.")
    if not low < high <= MOST_GAMES:
        end_of = f"the second number, at most {spelled(MOST_GAMES)}, is one above the last game"
        raise _wrong(f"The range {shown(text)} holds no games; {end_of}.")
    return range(low, high)


def _toml_value(text: str) -> object:
    """The value, or None. As the only pair of an inline table it cannot bring comments or further keys."""
    try:
        table = tomllib.loads(f"table = {{value = {text}}}")
    except (ValueError, RecursionError):
        return None
    return table["table"]["value"] if list(table["table"]) == ["value"] and list(table) == ["table"] else None


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _whole(text: str) -> int | None:
    """A whole number of digits and single underscores; one too long to be meant becomes a very large one."""
    if not _WHOLE.fullmatch(text):
        return None
    digits = text.replace("_", "").lstrip("0") or "0"
    return int(digits) if len(digits) <= 30 else 10**30


def _decimal(text: str) -> float | None:
    """A plain number such as 12 or 0.5."""
    return float(text) if _NUMBER.fullmatch(text) else None


def _refuse_repeats(option: str, values: Sequence[object]) -> None:
    for index, value in enumerate(values):
        if value in values[:index]:
            raise _wrong(f"{option} lists {value} twice.")


def _wrong(sentence: str) -> BalanceError:
    return BalanceError(printable(sentence))
