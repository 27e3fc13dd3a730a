"""What the experiment asks and what was played to answer it, as the plain sentence at the top of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.experiment.wording import sizes_in_words
from balance.report import words
from balance.report.rules import written

Record = Mapping[str, Any]
MOST_NAMED = 3
"""So many variants, or types of player, are named; more are counted."""
MOST_VALUES = 6
_LONGEST = 30
"""So many letters of a name that somebody chose."""


def sentence(results: Record) -> str:
    """'What does "no swaps" change in Race? 3 and 5 players, 2,000 games each (8,000 in all), all played by greedy.'"""
    return f"{_question(results)}{own_rules(results)} {_played(with_games(results))}"


def with_games(results: Record) -> Sequence[Record]:
    """The cells that were played; all of them while none was."""
    return [cell for cell in results["cells"] if cell["games"]] or results["cells"]


def of_baseline(results: Record) -> list[Record]:
    """The cells of the baseline, those included that were not played yet."""
    return [cell for cell in results["cells"] if cell["variant"] == words.baseline_name(results)]


def tables(cells: Sequence[Record]) -> str:
    """The tables of cells: '3 and 5 players'."""
    sizes = dict.fromkeys((cell["players"], cell.get("mode")) for cell in cells)
    return sizes_in_words((players, words.isolated(mode) if mode else None) for players, mode in sizes)


def own_rules(results: Record) -> str:
    """' Not the rulebook: head_start = 5.', where the baseline has rules of its own."""
    own = [
        f"{words.isolated(rule)} = {words.isolated(written(value))}"
        for rule, value in results["own_rules"].items()
    ]
    more = len(own) - MOST_NAMED
    shown = [*own[:MOST_NAMED], f"{words.count(more)} more"] if more > 0 else own
    return f" Not the rulebook: {listed(shown)}." if own else ""


def _question(results: Record) -> str:
    game = words.isolated(str(results.get("game_title") or results["game"]))
    banned = next((cell["ban"] for cell in results["cells"] if "ban" in cell), None)
    if banned:
        return f"What is {_name(banned['name'])} worth to {words.seat(banned['seat'])} in {game}?"
    if "sweep" in results:
        return _of_sweep(results["sweep"]["factors"], game)
    baseline = words.baseline_name(results)
    variants = list(dict.fromkeys(str(cell["variant"]) for cell in results["cells"]))
    others = [one for one in variants if one != baseline]
    if not others:
        alone = results["cells"] and all("goal" in cell for cell in results["cells"])
        return (
            f"How often is the goal of {game} reached?" if alone else f"Is {game} fair, and how does it play?"
        )
    if len(others) > MOST_NAMED:
        return f"What do {words.count(len(others))} other sets of rules change in {game}?"
    return f"What {_does(len(others))} {listed(map(_name, others))} change in {game}?"


def _of_sweep(factors: Sequence[Record], game: str) -> str:
    rules = [words.isolated(str(one["rule"])) for one in factors]
    values = [words.isolated(str(value)) for value in factors[0]["values"]] if len(factors) == 1 else []
    told = f", set to {listed(values)}," if 1 < len(values) <= MOST_VALUES else ""
    which = listed(rules) if len(rules) <= MOST_NAMED else f"{words.count(len(rules))} rules"
    return f"What {_does(len(rules))} {which}{told} change in {game}?"


def _does(number: int) -> str:
    return "does" if number == 1 else "do"


def _played(cells: Sequence[Record]) -> str:
    """At which tables, how many games each, and by whom."""
    return f"{tables(cells)}, {_games([cell['games'] for cell in cells])}, {_by_whom(cells)}."


def _games(counts: Sequence[int]) -> str:
    low, high = min(counts, default=0), max(counts, default=0)
    if len(counts) < 2:
        return words.plural(high, "game")
    each = (
        words.plural(high, "game") if low == high else f"{words.count(low)} to {words.plural(high, 'game')}"
    )
    return f"{each} each ({words.count(sum(counts))} in all)"


def _by_whom(cells: Sequence[Record]) -> str:
    types = list(dict.fromkeys(str(policy) for cell in cells for policy in cell["policies"]))
    levels = list(dict.fromkeys(str(cell["level"]) for cell in cells if cell.get("level") is not None))
    if len(levels) > 1:
        named = len(levels) <= MOST_NAMED
        return f"each once by {listed(map(_cut, levels)) if named else f'{len(levels)} levels of player'}"
    if not types or len(types) > MOST_NAMED:
        return f"played by {words.plural(len(types), 'type')} of player"
    return f"{'all ' * (len(types) == 1)}played by {listed(map(_cut, types))}"


def _name(text: str) -> str:
    return words.name(words.shortened(text, _LONGEST))


def _cut(text: str) -> str:
    return words.isolated(words.shortened(text, _LONGEST))
