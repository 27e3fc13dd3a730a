"""What was found about the seats or the goal, in sentences: which seat is furthest from even, and if that is fine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.errors import listed
from balance.report import words

Record = Mapping[str, Any]


def sentences(results: Record) -> list[str]:
    """What was found about the seats or the goal at each table, then for whom and by which yardstick."""
    sentences = [of_cell(cell, results) for cell in words.baseline_cells(results)]
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
    """Where the tolerance bands come from, if any seats were held against one."""
    tests = [cell["tests"] for cell in words.baseline_cells(results) if cell["tests"].get("verdict")]
    own = {band_width(one) for one in tests if not one["band"]["set"]}
    if not own:
        return []
    most = listed(sorted(own))
    return [
        f"The tolerance band of {most} pp (percentage points) between any two seats is this tool's own; a gate on "
        "seat_spread in the experiment file sets another."
    ]


def band_width(tests: Record) -> str:
    """How far apart two seats may be, in percentage points."""
    return words.fixed(100 * tests["band"]["most"], 2).rstrip("0").rstrip(".")


def judged(cell: Record) -> str:
    """Whether the seats lie within the tolerance band, as a sentence; '' where nothing was compared."""
    tests = cell.get("tests", {})
    if tests.get("verdict") in (None, "no data"):
        return ""
    who = "teams" if "teams" in cell else "seats"
    band, apart = f"the tolerance band of {band_width(tests)} pp", _gap(cell)
    if tests["verdict"] == "inside":
        others = f", and no two {who} are further apart" if len(words.sides(cell)) > 2 else ""
        return f"All {who} lie within {band}: {apart}{others}."
    if tests["verdict"] == "outside":
        return f"The {who} lie outside {band}: {apart}."
    return f"Whether all {who} lie within {band} cannot be told yet: {apart}."


def _gap(cell: Record) -> str:
    """'seat 2 is 1.5 pp ahead of seat 1 (interval 0.9 to 2.1)', by the interval that the first screen has too."""
    ahead, behind, estimate = leader(cell)
    size, between = apart(estimate)
    between = f" (interval {between})" if between else ""
    if not estimate["value"]:
        return f"{widest(cell)[0]} are level{between}"
    if "teams" in cell:
        return f"the team of {ahead} is {size} ahead of that of {behind}{between}"
    return f"{ahead} is {size} ahead of {behind}{between}"


def leader(cell: Record) -> tuple[str, str, Record]:
    """Of the two that are furthest apart who takes more, who takes less, and the first one's wins less the other's."""
    found = max(cell["tests"]["pairs"], key=lambda one: abs(one["difference"]["value"]))
    among = [name for name, _ in words.sides(cell)]
    ahead, behind = (among[at] for at in found.get("teams", found.get("seats")))
    estimate = found["difference"]
    if estimate["value"] >= 0:
        return ahead, behind, estimate
    low, high = (None if estimate[end] is None else -estimate[end] for end in ("high", "low"))
    return behind, ahead, {**estimate, "value": -estimate["value"], "low": low, "high": high}


def apart(estimate: Record) -> tuple[str, str]:
    """'6.1 pp' and its interval, '5.2 to 7.0'; an end beyond zero keeps its minus sign."""
    between = words.difference_interval(estimate, True).replace("+", "").removesuffix(words.PP)
    return words.difference(estimate, True).lstrip("+"), "" if between == words.NOTHING else between


def widest(cell: Record) -> tuple[str, Record]:
    """The two seats, or teams, that are furthest apart, by name, and the difference between them."""
    found = max(cell["tests"]["pairs"], key=lambda one: abs(one["difference"]["value"]))
    return pair(cell, found), found["difference"]


def pair(cell: Record, found: Record) -> str:
    """The two that were compared, by name."""
    if "teams" in found:
        return words.pair([cell["teams"][number] for number in found["teams"]])
    return words.pair([{"seat": number} for number in found["seats"]])


def evenness(cell: Record) -> list[tuple[str, str]]:
    """The tests of the seats as rows of a small table: what was tested, and what came out; empty for one side."""
    tests = cell.get("tests", {})
    if tests.get("verdict") in (None, "no data"):
        return []
    who, several = ("team", "teams") if "teams" in cell else ("seat", "seats")
    test, (both, apart) = _seat_test(cell), widest(cell)
    rows = []
    if tests["even"]:
        effect = f"effect size {words.fixed(tests['even']['effect'], 3)} (0.1 is small)"
        p = words.p_value(tests["even"]["p_value"])
        rows.append((f"all {several} even", f"p {'' if p.startswith('<') else '= '}{p}, {effect}"))
    if test is not None:
        rows.append(
            (f"{who} furthest from even", f"{_tested(cell, test)[0]}, {_with_interval(test['estimate'])}")
        )
    rows.append((f"{several} furthest apart", f"{both}, {_with_interval(apart)}"))
    whose = "of the experiment" if tests["band"]["set"] else "this tool's own"
    verdict = {"cannot tell": "cannot tell yet"}.get(tests["verdict"], tests["verdict"])
    rows.append((f"tolerance band of {band_width(tests)} pp", f"{verdict} (the band is {whose})"))
    return rows


def _with_interval(estimate: Record) -> str:
    between = words.difference_interval(estimate, True)
    value = words.difference(estimate, True)
    return value if between == words.NOTHING else f"{value} ({between.removesuffix(words.PP)})"


def of_cell(cell: Record, results: Record) -> str:
    """Which seat is furthest from an even share in one cell, and by how much; or how often the goal is reached."""
    start = f"With {words.setting(cell)}, "
    test = _seat_test(cell)
    if "goal" in cell:
        return start + _goal(cell, results)
    if cell["players"] == 1:
        return start + "there are no seats to compare."
    if test is None:
        return start + "the seats were not compared."
    verdict = judged(cell)
    if words.excludes_zero(test["estimate"]):
        return f"{start}{_seat_stands_out(cell, test, results)} {verdict}".rstrip()
    if verdict and len(words.sides(cell)) == 2:  # how far two are from even is half of how far they are apart
        return f"{start}{verdict[0].lower()}{verdict[1:]}"
    return f"{start}{_no_seat_stands_out(cell, test, results)} {verdict}".rstrip()


def _goal(cell: Record, results: Record) -> str:
    rate = cell["measures"]["goal_rate"]["mean"]
    between = f"{words.confidence(results)} interval {words.interval(rate, True)}"
    often = f"the goal is reached in {words.value(rate, True)} of the games"
    return f"{often} ({between}). The goal: {cell['goal']['sentence']}"


def stands_out(cell: Record) -> bool:
    """Whether some seat of the cell was found to differ from an even share."""
    test = _seat_test(cell)
    return test is not None and words.excludes_zero(test["estimate"])


def favoured(cell: Record) -> tuple[str, str] | None:
    """Who was found to win more than an even share, furthest of all, and the verb that goes with it; None if nobody."""
    test = _seat_test(cell)
    if test is None or not words.excludes_zero(test["estimate"]) or test["estimate"]["value"] < 0:
        return None
    return _tested(cell, test)[0], "are" if "team" in test else "is"


def _seat_test(cell: Record) -> Record | None:
    """The seat or team furthest from an even share, where the cell has such to compare and enough games to do so."""
    test = furthest(cell)
    if test is None or cell["players"] == 1 or None in (test["estimate"]["low"], test["estimate"]["high"]):
        return None
    return test


def furthest(cell: Record) -> Record | None:
    """The seat or team furthest from an even share; of two the one ahead, by half of how far they are apart."""
    tests = cell.get("tests", {})
    test: Record | None = tests.get("largest_team_deviation") or tests.get("largest_seat_deviation")
    if test is None or len(words.sides(cell)) != 2 or not tests.get("pairs"):
        return test
    ahead, _, apart = leader(cell)
    at = [name for name, _ in words.sides(cell)].index(ahead)
    half = {end: None if apart[end] is None else apart[end] / 2 for end in ("value", "low", "high")}
    return {"team" if "team" in test else "seat": at, "estimate": {**apart, **half}}


def headline(cell: Record) -> str:
    """The shortest form of `seats`: 'Seat 2: +1.1 pp' or 'None further than 0.6 pp from even'."""
    test = _seat_test(cell)
    if "goal" in cell:
        return f"Goal reached: {words.value(cell['measures']['goal_rate']['mean'], True)}"
    if test is None:
        return "Not compared"
    if words.excludes_zero(test["estimate"]):
        return f"{words.capital(_tested(cell, test)[0])}: {words.difference(test['estimate'], True)}"
    return f"None further than {words.ceiling(test['estimate'], True)} pp from even"


def _tested(cell: Record, test: Record) -> tuple[str, str, str]:
    """Who is furthest from an even share, what share that one has, and what an even one would be."""
    among = words.sides(cell)
    who, entry = among[test["team"] if "team" in test else test["seat"]]
    return who, words.value(entry["win_share"], True), words.percent(1 / len(among))


def _seat_stands_out(cell: Record, test: Record, results: Record) -> str:
    who, estimate, among_all = _tested(cell, test)[0], test["estimate"], len(words.sides(cell))
    takes, among = ("take", "teams") if "team" in test else ("takes", "seats")
    allowing = f", allowing for having looked at all {among_all} {among}" if among_all > 2 else ""
    more = "more" if estimate["value"] > 0 else "fewer"
    ends = 1 / among_all, 1 / among_all + estimate["value"]
    digits, near, size, far = words.sizes(estimate, True, ends)
    even, share = (words.percent(end, digits) for end in ends)
    return (
        f"{who} {'are' if 'team' in test else 'is'} furthest from an even share of {even}: "
        f"{'they' if 'team' in test else 'it'} {takes} {share} of the wins, {size} pp {more} "
        f"({words.confidence(results)} interval {near} to {far} pp {more}{allowing})."
    )


def _no_seat_stands_out(cell: Record, test: Record, results: Record) -> str:
    (who, share, even), estimate = _tested(cell, test), test["estimate"]
    what, every, verb = ("teams were", "teams", "are") if "team" in test else ("seat was", "seats", "is")
    below, above = (words.size_of(estimate, estimate[end], True) for end in ("low", "high"))
    furthest = f"Furthest {verb} {who} with {share} of the wins"
    if not estimate["value"]:
        furthest = f"All {every} won equally often"
    return (
        f"no {what} found further than {words.ceiling(estimate, True)} pp from an even share of {even}. "
        f"{furthest}, but that may be luck: the {words.confidence(results)} interval reaches from {below} pp below "
        f"to {above} pp above."
    )


def lineup(results: Record) -> str:
    """For which simulated players the numbers hold."""
    policies = sorted({policy for cell in results["cells"] for policy in cell["policies"]})
    who = listed([words.name(policy) for policy in policies]) or "no type"
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
