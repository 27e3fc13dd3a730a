"""What the numbers say, in plain sentences; the page and the terminal say the same ones.

Everything here is plain text, and ASCII but for names. People count seats from 1. Shares come in as parts of
1 and go out as percent; differences of shares are points (percentage points).
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from balance.errors import listed

Record = Mapping[str, Any]
Pair = tuple[Record, Record]
"""A comparison and one metric of it."""

SHARES = ("win_share", "tie_rate", "goal_rate", "capped_rate")
"""Metrics that are shares of games whether or not a definition says so."""
SHOWN_CHANGES = 8
NOTHING = "-"


# ---------------------------------------------------------------------- numbers


def count(number: int) -> str:
    """A whole number with separators: '100,000'."""
    return f"{number:,}"


def plural(number: int, one: str, many: str = "") -> str:
    """'1 game', '2,000 games'."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def decimals(half_width: float) -> int:
    """How many decimals a number deserves: one, and more once its interval is narrower than they can show."""
    return 1 if half_width >= 0.05 or half_width <= 0 else min(6, math.ceil(-math.log10(half_width * 2)))


def _telling(digits: int, end: float) -> int:
    """More decimals where an interval that leaves out zero would otherwise seem to begin at it."""
    return next((more for more in range(digits, 6) if float(fixed(end, more).replace(",", ""))), digits)


def _decimals(estimate: Record, scale: float) -> int:
    if estimate["low"] is None or estimate["high"] is None:
        return 1
    return decimals(scale * (estimate["high"] - estimate["low"]) / 2)


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


def signed(number: float | None, digits: int = 1) -> str:
    """'+1.1', '-0.4', '0.0'."""
    text = fixed(number, digits)
    return f"+{text}" if number is not None and number > 0 and text.strip("0.,") else text


def percent(share: float | None, digits: int = 1) -> str:
    """A share of 1 as '25.4 %'."""
    return NOTHING if share is None else f"{fixed(100 * share, digits)} %"


def points(share: float | None, digits: int = 1) -> str:
    """A difference of shares as '+1.1 points'."""
    return NOTHING if share is None else f"{signed(100 * share, digits)} points"


def value(estimate: Record, share: bool) -> str:
    """The value of an estimate: '26.1 %' or '28.1'."""
    if share:
        return percent(estimate["value"], _decimals(estimate, 100))
    if estimate["low"] == estimate["high"] == estimate["value"]:
        return quantity(estimate["value"])
    return fixed(estimate["value"], _decimals(estimate, 1))


def interval(estimate: Record, share: bool) -> str:
    """The interval of an estimate: '25.4 to 25.7 %' or '28.0 to 28.2'; '-' where all games were alike."""
    scale = 100 if share else 1
    if estimate["low"] is None or estimate["high"] is None or estimate["low"] == estimate["high"]:
        return NOTHING
    digits = _decimals(estimate, scale)
    return (
        f"{fixed(scale * estimate['low'], digits)} to {fixed(scale * estimate['high'], digits)}{' %' * share}"
    )


def difference(estimate: Record, share: bool) -> str:
    """The value of a difference, with its sign: '+1.1 points' or '-2.3'."""
    if share:
        return points(estimate["value"], _decimals(estimate, 100))
    return signed(estimate["value"], _decimals(estimate, 1))


def difference_interval(estimate: Record, share: bool) -> str:
    """The interval of a difference, with signs: '+0.8 to +1.4 points'."""
    scale = 100 if share else 1
    if estimate["low"] is None or estimate["high"] is None:
        return NOTHING
    low, high = (signed(scale * estimate[end], _decimals(estimate, scale)) for end in ("low", "high"))
    return f"{low} to {high}{' points' * share}"


def sizes(estimate: Record, share: bool) -> tuple[int, str, str, str]:
    """A difference without its sign: the decimals it deserves, the near end of its interval, its size, the far end."""
    scale = 100 if share else 1
    ends = sorted(scale * abs(estimate[end]) for end in ("low", "value", "high"))
    digits = _telling(_decimals(estimate, scale), ends[0])
    near, size, far = (fixed(end, digits) for end in ends)
    return digits, near, size, far


def ceiling(estimate: Record, share: bool) -> str:
    """The largest size that the interval of a difference allows, rounded up."""
    return _upwards(estimate, max(abs(estimate["low"]), abs(estimate["high"])), share)


def excludes_zero(estimate: Record) -> bool:
    """Whether the interval of a difference leaves out 'no difference'."""
    return (
        estimate["low"] is not None
        and estimate["high"] is not None
        and (estimate["low"] > 0 or estimate["high"] < 0)
    )


# ---------------------------------------------------------------------- names


def seat(index: int) -> str:
    """'seat 1' for the seat that machines call 0."""
    return f"seat {index + 1}"


def side(entry: Record) -> str:
    """Whose a number is: 'seats 1 and 3' for what the seats of a team have together, else 'seat 1'."""
    together = entry.get("seats")
    return f"seats {listed(number + 1 for number in together)}" if together else seat(entry["seat"])


def sides(cell: Record) -> list[tuple[str, Record]]:
    """All who compete in a cell, with their wins and scores: the teams, or else the seats."""
    found: Sequence[Record] = cell.get("teams") or cell["seats"]
    return [(side(entry), entry) for entry in found]


def isolated(text: str) -> str:
    """The text as it is, kept from turning its neighbours round when it is written from right to left."""
    turning = any(
        unicodedata.bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO") for letter in text
    )
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}" if turning else text


def name(text: str) -> str:
    """A name that somebody chose, in quotation marks."""
    return f'"{isolated(text)}"'


def capital(sentence: str) -> str:
    """The sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]


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


# ---------------------------------------------------------------------- the verdict


def verdict(results: Record) -> list[str]:
    """What was found about the seats or the goal at each table, then for whom and by which yardstick."""
    sentences = [seats(cell, results) for cell in baseline_cells(results)]
    if not sentences:
        sentences = ["No game of the baseline was finished, so nothing can be said about the seats."]
    return [*_warning_of_interruption(results), *sentences, *terms(results)]


def _warning_of_interruption(results: Record) -> list[str]:
    return [interrupted()] if results["status"] != "complete" else []


def interrupted() -> str:
    """What a reader must know first about a run that was cut short."""
    return "This run was interrupted: all numbers come from the games that were finished until then."


def terms(results: Record) -> list[str]:
    """By which yardstick and for which players the verdict holds."""
    return [*_yardstick(results), lineup(results)]


def _yardstick(results: Record) -> list[str]:
    if results.get("gates"):
        return []
    return ["No tolerance band was set, so this report does not call the game balanced or unbalanced."]


def seats(cell: Record, results: Record) -> str:
    """Which seat is furthest from an even share in one cell, and by how much; or how often the goal is reached."""
    start = f"With {setting(cell)}, "
    test = _seat_test(cell)
    if "goal" in cell:
        return start + _goal(cell, results)
    if cell["players"] == 1:
        return start + "there are no seats to compare."
    if test is None:
        return start + "the seats were not compared."
    found = _seat_stands_out if excludes_zero(test["estimate"]) else _no_seat_stands_out
    return start + found(cell, test, results)


def _goal(cell: Record, results: Record) -> str:
    rate = cell["measures"]["goal_rate"]["mean"]
    between = f"{confidence(results)} interval {interval(rate, True)}"
    return f"the goal is reached in {value(rate, True)} of the games ({between}). The goal: {cell['goal']['sentence']}"


def stands_out(cell: Record) -> bool:
    """Whether some seat of the cell was found to differ from an even share."""
    test = _seat_test(cell)
    return test is not None and excludes_zero(test["estimate"])


def _seat_test(cell: Record) -> Record | None:
    """The seat or team furthest from an even share, where the cell has such to compare and enough games to do so."""
    tests = cell.get("tests", {})
    test: Record | None = tests.get("largest_team_deviation") or tests.get("largest_seat_deviation")
    if test is None or cell["players"] == 1 or None in (test["estimate"]["low"], test["estimate"]["high"]):
        return None
    return test


def headline(cell: Record) -> str:
    """The shortest form of `seats`: 'Seat 2: +1.1 points' or 'Nothing above 0.6 points'."""
    test = _seat_test(cell)
    if "goal" in cell:
        return f"Goal reached: {value(cell['measures']['goal_rate']['mean'], True)}"
    if test is None:
        return "Not compared"
    if excludes_zero(test["estimate"]):
        return f"{capital(_tested(cell, test)[0])}: {difference(test['estimate'], True)}"
    return f"Nothing above {ceiling(test['estimate'], True)} points"


def _tested(cell: Record, test: Record) -> tuple[str, str, str]:
    """Who is furthest from an even share, what share that one has, and what an even one would be."""
    among = sides(cell)
    who, entry = among[test["team"] if "team" in test else test["seat"]]
    return who, value(entry["win_share"], True), percent(1 / len(among))


def _seat_stands_out(cell: Record, test: Record, results: Record) -> str:
    (who, share, even), estimate = _tested(cell, test), test["estimate"]
    takes, among = ("take", "teams") if "team" in test else ("takes", "seats")
    more = "more" if estimate["value"] > 0 else "fewer"
    _, near, size, far = sizes(estimate, True)
    return (
        f"{who} {'are' if 'team' in test else 'is'} furthest from an even share of {even}: "
        f"{'they' if 'team' in test else 'it'} {takes} {share} of the wins, {size} points {more} "
        f"({confidence(results)} interval {near} to {far} points {more}, "
        f"allowing for having looked at all {len(sides(cell))} {among})."
    )


def _no_seat_stands_out(cell: Record, test: Record, results: Record) -> str:
    (who, share, even), estimate = _tested(cell, test), test["estimate"]
    what, verb = ("difference between teams", "are") if "team" in test else ("seat difference", "is")
    below, above = (_upwards(estimate, abs(estimate[end]), True) for end in ("low", "high"))
    return (
        f"no {what} larger than {ceiling(estimate, True)} points was found. Furthest from an even share "
        f"of {even} {verb} {who} with {share} of the wins, but that may "
        f"be luck: the {confidence(results)} interval reaches from {below} points below "
        f"to {above} points above."
    )


def _upwards(estimate: Record, end: float, share: bool) -> str:
    """An end of an interval, rounded up: what is promised not to be exceeded must not be."""
    scale = 100 if share else 1
    digits = _decimals(estimate, scale)
    return fixed(math.ceil(scale * end * 10**digits - 1e-9) / 10**digits, digits)


def confidence(results: Record) -> str:
    """'95 %'."""
    return f"{100 * results['confidence']:g} %"


def lineup(results: Record) -> str:
    """For which simulated players the numbers hold."""
    policies = sorted({policy for cell in results["cells"] for policy in cell["policies"]})
    who = listed([name(policy) for policy in policies]) or "no type"
    seating = (
        " (each sat in every seat equally often)"
        if any(cell["rotations"] > 1 for cell in results["cells"])
        else ""
    )
    kind = f"type {who} only" if len(policies) < 2 else f"types {who} only{seating}"
    return (
        f"All of this holds for players of {kind}: simulated players who follow fixed rules. "
        f"People, and stronger or weaker players, may see other numbers."
    )


# ---------------------------------------------------------------------- variants


def changes(results: Record, limit: int = SHOWN_CHANGES) -> list[str]:
    """What the variants change, biggest first, and how many differences could not be told apart from none.

    What a variant changes in the same direction at several numbers of players is one sentence.
    """
    differences = [(one, metric) for one in results["comparisons"] for metric in one["metrics"]]
    told = [pair for pair in differences if excludes_zero(pair[1]["difference"])]
    groups = _grouped([pair for pair in told if not _told_as_a_whole(*pair)])
    groups.sort(key=lambda group: -max(_effect(results, *pair) for pair in group))
    shown = groups[:limit]
    hidden = len(told) - sum(map(len, shown))
    return [
        *(_change(results, group) for group in shown),
        *_remainder(len(told), hidden, len(differences), results),
    ]


def _told_as_a_whole(comparison: Record, metric: Record) -> bool:
    """Whether one seat's difference is part of a difference of all seats, which says it more shortly."""
    wholes = {one["metric"] for one in comparison["metrics"] if one.get("seat") is None}
    return metric.get("seat") is not None and metric["metric"] in wholes


def _grouped(differences: Sequence[Pair]) -> list[list[Pair]]:
    groups: dict[tuple[object, ...], list[Pair]] = {}
    for comparison, metric in differences:
        upwards = metric["difference"]["value"] > 0
        who = (metric.get("seat"), str(metric.get("seats", "")))
        key = (comparison["variant"], metric["metric"], who, upwards)
        groups.setdefault(key, []).append((comparison, metric))
    return list(groups.values())


def _remainder(told: int, hidden: int, looked_at: int, results: Record) -> Iterable[str]:
    if hidden:
        yield f"{plural(hidden, 'more difference is', 'more differences are')} in the tables."
    all_of_them = plural(looked_at, "difference")
    if not told and looked_at:
        yield f"None of the {all_of_them} looked at could be told apart from no change."
    elif told < looked_at:
        untold = count(looked_at - told)
        yield f"{untold} of the {all_of_them} looked at could not be told apart from no change."
    by_luck = round((1 - results["confidence"]) * looked_at)
    if told and by_luck:
        yield (
            f"Each interval stands alone: had nothing changed at all, about {count(by_luck)} "
            f"of {count(looked_at)} would still seem to differ, by luck."
        )


def _change(results: Record, group: Sequence[Pair]) -> str:
    """What one variant does to one metric, at each number of players where it was told apart."""
    comparison, metric = group[0]
    moves = "rises" if metric["difference"]["value"] > 0 else "falls"
    steps = "; ".join(_step(results, *pair) for pair in group)
    return f"{name(comparison['variant'])}: {subject(results, metric)} {moves} {steps}."


def _step(results: Record, comparison: Record, metric: Record) -> str:
    """'with 4 players from 28.1 to 30.4, by 2.3 (interval 2.2 to 2.4)'."""
    share, estimate = is_share(results, metric["metric"]), metric["difference"]
    start = f"with {setting(comparison)} from"
    if estimate["low"] == estimate["high"]:
        ends = (metric["baseline"], metric["value"], abs(estimate["value"]))
        before, after, size = map(quantity, ends)
        return f"{start} {before} to {after}, by {size} every time"
    unit = " points" if share else ""
    digits, closest, size, furthest = sizes(estimate, share)
    before, after = (plain(metric[end], share, digits) for end in ("baseline", "value"))
    return f"{start} {before} to {after}, by {size}{unit} (interval {closest} to {furthest}{unit})"


def plain(number: float | None, share: bool, digits: int) -> str:
    """A number without an interval: '26.1 %' or '28.1'."""
    return percent(number, digits) if share else fixed(number, digits)


def subject(results: Record, metric: Record) -> str:
    """What a difference is about: '"Turns"', 'seat 2's share of wins', 'seat 2's "Score"'."""
    title_, index = title(results, metric["metric"]), metric.get("seat")
    what = "share of wins" if metric["metric"] == "win_share" else name(title_)
    if metric.get("seats"):
        return f"{what} of {side(metric)}"
    return what if index is None else f"{seat(index)}'s {what}"


def _effect(results: Record, comparison: Record, metric: Record) -> float:
    """The size of a difference in units of how much the number varies from game to game."""
    size, spread = abs(metric["difference"]["value"]), _spread(results, comparison, metric)
    return size / spread if spread > 0 else math.inf


def _spread(results: Record, comparison: Record, metric: Record) -> float:
    """How much the number varies from game to game, in the baseline or the variant, whichever is more."""
    if is_share(results, metric["metric"]):
        return max(
            math.sqrt(max(0.0, share * (1 - share))) for share in (metric["baseline"], metric["value"])
        )
    spreads = [
        _mean_spread(cell, metric)
        for cell in results["cells"]
        if cell["variant"] in (comparison["variant"], comparison["baseline"])
        and all(cell.get(key) == comparison.get(key) for key in ("players", "mode", "level"))
    ]
    known = [spread for spread in spreads if spread is not None]
    return max(known) if known else abs(float(metric["baseline"])) or 1.0


def _mean_spread(cell: Record, metric: Record) -> float | None:
    spreads = _spreads(cell, metric)
    return sum(spreads) / len(spreads) if spreads else None


def _spreads(cell: Record, metric: Record) -> list[float]:
    if metric["metric"] == "score":
        by_seat = [entry["score"] for entry in cell["seats"]]
    else:
        measure = cell["measures"].get(metric["metric"], {})
        by_seat = measure.get("seats", [measure])
    chosen = by_seat if metric.get("seat") is None else by_seat[metric["seat"] : metric["seat"] + 1]
    return [float(summary["sd"]) for summary in chosen if summary.get("sd") is not None]
