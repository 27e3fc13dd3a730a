"""What an option is worth to a seat that has to do without it, in sentences: the answer of `compare --ban`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from balance.errors import listed
from balance.report import words

Record = Mapping[str, Any]
_DOES = {"win_share": "wins", "goal_rate": "reaches the goal", "score": "scores"}
"""What is told of the seat."""


def sentences(results: Record) -> Iterator[str]:
    """What the seat loses at each table, and what it was not to choose; nothing where nothing was banned."""
    yield from answers(results)
    ban = next((one["ban"] for one in results["cells"] if "ban" in one and one["games"]), None)
    if ban:
        yield f"{forbidden(ban['seat'], ban['what'])} With and without, the deals are the same."


def forbidden(seat: int, what: str) -> str:
    """What a seat, counted from 0, was not to choose."""
    who = words.capital(words.seat(seat))
    return f"{who} was forbidden {words.isolated(what)}, wherever it could do something else."


def answers(results: Record) -> Iterator[str]:
    """What the seat loses, a sentence for each table at which games were played."""
    compared = {(one["variant"], _table(one)): one for one in results["comparisons"]}
    for cell in results["cells"]:
        if "ban" not in cell or not cell["games"]:
            continue
        comparison = compared.get((cell["variant"], _table(cell)))
        yield _answer(results, comparison, cell["ban"]) if comparison else _untold(cell)


def is_told(results: Record) -> bool:
    """Whether it was found at some table what the ban does to the seat's wins, scores or goal."""
    bans = {_table(cell): cell["ban"] for cell in results["cells"] if "ban" in cell}
    for one in (one for one in results["comparisons"] if _table(one) in bans):
        seat = bans[_table(one)]["seat"]
        told = [each["difference"] for metric in _DOES for each in _of_seat(one, metric, seat)]
        if not one["changed"] or any(
            None not in (each["low"], each["high"]) and words.excludes_zero(each) for each in told
        ):
            return True
    return False


def _untold(cell: Record) -> str:
    ban, where = cell["ban"], f"with {words.setting(cell)}"
    return (
        f"What {words.name(ban['name'])} is worth to {words.seat(ban['seat'])} {where} cannot be told: no deal counts "
        "both with and without it."
    )


def _table(one: Record) -> tuple[Any, ...]:
    return one["players"], one["mode"], one["level"]


def _answer(results: Record, comparison: Record, ban: Record) -> str:
    """'Without "owl" seat 2 wins 2.3 points less (1.5 to 3.1) and scores 0.28 less (0.21 to 0.35), with 4 players.'"""
    name, who, where = words.name(ban["name"]), words.seat(ban["seat"]), f"with {words.setting(comparison)}"
    if not comparison["changed"]:
        games = words.plural(comparison["games"], "game")
        return (
            f"{words.capital(who)} never chose {name} where it had a choice, {where}: not one of {games} came out "
            "otherwise, so the difference is exactly 0."
        )
    entries = [entry for metric in _DOES for entry in _of_seat(comparison, metric, ban["seat"])]
    told = listed(_moved(results, entry) for entry in entries)
    return f"Without {name} {who} {told}, {where}."


def _of_seat(comparison: Record, metric: str, seat: int) -> list[Record]:
    """The difference of a seat, or of its team; alone that of all."""
    entries = [one for one in comparison["metrics"] if one["metric"] == metric and "policy" not in one]
    own = [one for one in entries if one["seat"] is not None and seat in one.get("seats", [one["seat"]])]
    return own or [one for one in entries if one["seat"] is None and comparison["players"] == 1]


def _moved(results: Record, entry: Record) -> str:
    """'wins 2.3 points less (1.5 to 3.1)', 'scores as much as with it, as far as can be told (at most 0.1 off)'."""
    share, estimate = words.is_share(results, entry["metric"]), entry["difference"]
    does, unit = _DOES[entry["metric"]], " points" if share else ""
    if None in (estimate["low"], estimate["high"]):
        return f"{does} more or less than with it, too few games say which"
    if not words.excludes_zero(estimate):
        most = words.ceiling(estimate, share)
        return f"{does} as much as with it, as far as can be told (at most {most}{unit} off)"
    _, near, size, far = words.sizes(estimate, share)
    often = " often" if entry["metric"] == "goal_rate" else ""
    return f"{does} {size}{unit} {'more' if estimate['value'] > 0 else 'less'}{often} ({near} to {far})"
