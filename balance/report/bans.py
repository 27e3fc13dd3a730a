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
    bans = [one["ban"] for one in results["cells"] if "ban" in one and one["games"]]
    if len(bans) > 1:
        yield (
            f"The {words.count(len(bans))} tables are as many questions: only what is more than luck with all of them "
            "counted is called less or more. Each interval is for itself."
        )
    for ban in bans[:1]:
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
        yield _answer(results, comparison, cell) if comparison else _untold(cell)


def is_told(results: Record) -> bool:
    """Whether it was found at some table what the ban does to the seat's wins, scores or goal."""
    bans = {_table(cell): cell["ban"] for cell in results["cells"] if "ban" in cell}
    for one in (one for one in results["comparisons"] if _table(one) in bans):
        seat = bans[_table(one)]["seat"]
        entries = [entry for metric in _DOES for entry in _of_seat(one, metric, seat)]
        if not one["changed"] or any(map(_is_found, entries)):
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


def _answer(results: Record, comparison: Record, cell: Record) -> str:
    """'Without "owl" seat 2 wins 2.3 pp less (1.5 to 3.1) and scores 0.28 less (0.21 to 0.35), with 4 players.'

    What was not found is said to be open.
    """
    ban, where = cell["ban"], f"with {words.setting(comparison)}"
    name, who = words.name(ban["name"]), words.seat(ban["seat"])
    if not comparison["changed"]:
        games = words.plural(comparison["games"], "game")
        return (
            f"{words.capital(who)} never chose {name} where it had a choice, {where}: not one of {games} came out "
            "otherwise: in them the difference is exactly 0."
        )
    entries = [entry for metric in _DOES for entry in _of_seat(comparison, metric, ban["seat"])]
    both = [(_moved(results, entry, cell), entry) for entry in entries]
    told = listed(said for said, _ in both if said)
    perhaps = [entry for said, entry in both if not said and words.excludes_zero(entry["difference"])]
    likely = listed(_likely(results, entry) for entry in perhaps)
    untold = listed(_open(results, entry) for said, entry in both if not said and entry not in perhaps)
    looked_at = words.plural(len(comparison["metrics"]), "difference")
    luck = f"but with {looked_at} looked at that may still be luck"
    if not told and not likely:
        return f"Whether {who} {untold} without {name} cannot be told yet, {where}."
    more = f"; it probably {likely}, {luck}" if told and likely else ""
    more += f"; whether it {untold} cannot be told yet" if untold else ""
    if told:
        return f"Without {name} {who} {told}, {where}{more}."
    return f"Without {name} {who} probably {likely}, {where}, {luck}{more}."


def _of_seat(comparison: Record, metric: str, seat: int) -> list[Record]:
    """The difference of a seat, or of its team; alone that of all."""
    entries = [one for one in comparison["metrics"] if one["metric"] == metric and "policy" not in one]
    own = [one for one in entries if one["seat"] is not None and seat in one.get("seats", [one["seat"]])]
    return own or [one for one in entries if one["seat"] is None and comparison["players"] == 1]


def _is_found(entry: Record) -> bool:
    """Whether a difference is more than luck, allowing for all that were looked at, and its interval leaves out 0."""
    return bool(entry["found"]) and words.excludes_zero(entry["difference"])


def _moved(results: Record, entry: Record, cell: Record) -> str:
    """'wins 2.3 pp less (1.5 to 3.1)', 'wins as much as with it to within 0.9 pp'; '' where that is open."""
    share, estimate = words.is_share(results, entry["metric"]), entry["difference"]
    does, unit = _DOES[entry["metric"]], words.PP if share else ""
    if _is_found(entry):
        _, near, size, far = words.sizes(estimate, share, _ends(entry))
        often = " often" if entry["metric"] == "goal_rate" else ""
        return f"{does} {size}{unit} {'more' if estimate['value'] > 0 else 'less'}{often} ({near} to {far})"
    if None in (estimate["low"], estimate["high"]):
        return ""
    if words.never_differed(estimate):
        return f"{does} as much as with it in every game"
    band = cell.get("tests", {}).get("band", {"most": 0})["most"] if entry["metric"] == "win_share" else 0
    if max(abs(estimate["low"]), abs(estimate["high"])) > band:
        return ""
    return f"{does} as much as with it to within {words.ceiling(estimate, share)}{unit}"


def _ends(entry: Record) -> tuple[float, float] | tuple[()]:
    """The two numbers that a difference lies between, where they are of the games that were compared."""
    is_known = "baseline" in entry and entry.get("same_games", True)
    return (entry["baseline"], entry["value"]) if is_known else ()


def _likely(results: Record, entry: Record) -> str:
    """'wins 0.5 to 3.2 pp less': of a difference whose interval leaves out 0, though it was not found."""
    share, estimate = words.is_share(results, entry["metric"]), entry["difference"]
    _, near, _, far = words.sizes(estimate, share)
    way = "more" if estimate["value"] > 0 else "less"
    often = " often" * (entry["metric"] == "goal_rate")
    return f"{_DOES[entry['metric']]} {near} to {far}{words.PP * share} {way}{often}"


def _open(results: Record, entry: Record) -> str:
    """'wins less (-9.0 to +2.1 pp)': which way it points, and what it may be."""
    share, estimate = words.is_share(results, entry["metric"]), entry["difference"]
    way = f"{'more' if estimate['value'] > 0 else 'less'}{' often' * (entry['metric'] == 'goal_rate')}"
    between = words.difference_interval(estimate, share)
    if between == words.NOTHING:
        between = "too few games"
    return f"{_DOES[entry['metric']]} {way} ({between})"
