"""The verdict: a card for each number of players, with a small drawing of its seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import cells, figures, verdicts, words
from balance.report.blocks import Card, Cards, Dot, Section, Text

Record = Mapping[str, Any]


def section(results: Record) -> Section:
    """The verdict: a card for each number of players, then for whom and by which yardstick it holds."""
    found = words.baseline_cells(results)
    blocks: list[Any] = []
    if found:
        blocks += [Cards([_card(cell, results) for cell in found]), *_yardstick(results)]
    else:
        blocks.append(Text(verdicts.sentences(results), "caution"))
    return Section("verdict", _question(found), "", blocks)


def _yardstick(results: Record) -> list[Text]:
    """Where the tolerance bands come from; for whom the verdict holds is said by `limits`."""
    told = [one for one in verdicts.terms(results) if one != verdicts.lineup(results)]
    return [Text(told, "note")] if told else []


def _question(found: Sequence[Record]) -> str:
    """What the verdict answers: about seats, about a goal, or both."""
    asked = (
        ["Does it matter where you sit?"] if not found or any("goal" not in cell for cell in found) else []
    )
    return " ".join(
        [*asked, *(["How often is the goal reached?"] if any("goal" in cell for cell in found) else [])]
    )


def _card(cell: Record, results: Record) -> Card:
    label = words.capital(words.setting(cell))
    sentence, found = verdicts.of_cell(cell, results), verdicts.stands_out(cell)
    scale = words.fixed(100 * _span(cell))
    return Card(label, verdicts.headline(cell), sentence, found, cells.facts(cell), _dots(cell), scale)


def _span(cell: Record) -> float:
    """How far from an even share the drawing of a card reaches to both sides."""
    shares = [entry["win_share"] for _, entry in words.sides(cell)]
    ends = [share[end] for share in shares for end in ("low", "high") if share[end] is not None]
    return max([figures.SMALLEST_SPAN, *(abs(float(end) - 1 / len(shares)) for end in ends)])


def _dots(cell: Record) -> list[Dot]:
    """The share of each seat, or team, and its interval as places from 0 (left) to 100 (right), the even share in the
    middle."""
    among = words.sides(cell)
    even: float = 1 / len(among)
    shares = [entry["win_share"] for _, entry in among]
    ends = [share[end] for share in shares for end in ("low", "high")]
    if len(among) == 1 or None in ends:
        return []
    names = [name.removeprefix("seats ") if "teams" in cell else words.capital(name) for name, _ in among]
    span = _span(cell)

    def place(share: float) -> float:
        return 50 + 46 * (share - even) / span

    return [
        Dot(names[at], at, *(place(one[end]) for end in ("value", "low", "high")))
        for at, one in enumerate(shares)
    ]
