"""How values appear in sentences, and what to write instead of a value of the wrong type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from balance.errors import listed, so_many_players

SWITCHES = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}
"""Words that people write for a switch, in lower case, and what TOML has for them."""
_LONGEST = 100
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_NUMBER = re.compile(r"([+-]?)([0-9]{1,3}(?:[_, \u00a0\u202f][0-9]{3})+|[0-9]{1,20})([kKM]?)")
_DECIMAL = re.compile(r"(-?[0-9]{1,9})[.,]([0-9]{1,20})")
_UNITS = {"": 1, "k": 1_000, "K": 1_000, "M": 1_000_000}


def printable(text: str) -> str:
    """The text on one line, with characters that could steer a terminal shown by their codes."""
    return _INVISIBLE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def shown(value: object) -> str:
    """A value as the file has it, cut when it is long."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = f'"{_cut(value)}"'
    elif isinstance(value, (list, tuple)):
        text = _cut(f"[{', '.join(shown(item) for item in value)}]")
    elif isinstance(value, dict):
        pairs = ", ".join(f"{key} = {shown(item)}" for key, item in value.items())
        text = _cut(f"{{ {pairs} }}" if pairs else "{}")
    else:
        text = _cut(str(value))
    return printable(text)


def slug(text: str) -> str:
    """A text as part of a file's name: small letters a to z, digits and single hyphens; perhaps empty."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-")


def name_of_run(title: str, game: str, digest: str) -> str:
    """The name of a run's folder if nobody names it: <title>-<hash>."""
    return f"{slug(title) or slug(game) or 'run'}-{digest[:8]}"


def bare(value: object) -> str:
    """A value as it is typed after `--set RULE=`: a word without quotes."""
    return value if isinstance(value, str) and value else shown(value)


def spelled(number: float) -> str:
    """A number with its thousands apart, as TOML allows: 1_000_000."""
    return f"{number:_}" if abs(number) >= 10_000 else str(number)


def instead(value: object, kind: object) -> str:
    """The end of a sentence about a value not of `kind`: what to write, or '' where that is unclear."""
    if kind is bool:
        word = SWITCHES.get(value.lower()) if isinstance(value, str) else None
        if word:
            return f" Write {word} without quotes."
        if type(value) is int and value in (0, 1):
            return f" Write {'true' if value else 'false'}."
    if kind is int:
        number = _number_in(value) if isinstance(value, str) else None
        if number is not None:
            return f" Write {spelled(number)} without quotes."
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e18:
            return f" Write {spelled(int(value))}."
    if kind is float and isinstance(value, str) and (found := _DECIMAL.fullmatch(value.strip())):
        return f" Write {found[1]}.{found[2]} without quotes."
    if kind is str and isinstance(value, (bool, int, float)):
        return f' Write it in quotes: "{shown(value)}".'
    return ""


def sizes_in_words(sizes: Iterable[tuple[int, str | None]]) -> str:
    """Numbers of players and their modes: '2 and 3 players' or '2 and 3 players (duel) and 4 players (team)'."""
    counts: dict[str | None, list[int]] = {}
    for number, mode in sizes:
        counts.setdefault(mode, []).append(number)
    return listed(f"{so_many_players(those)}{f' ({mode})' if mode else ''}" for mode, those in counts.items())


def _number_in(text: str) -> int | None:
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        return None
    sign, digits, unit = found.groups()
    return int(sign + re.sub("[^0-9]", "", digits)) * _UNITS[unit]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
