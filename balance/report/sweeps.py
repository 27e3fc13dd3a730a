"""What a sweep says: what each value of each rule does by itself, what could not be played, and the best point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.report import answers, halves, words
from balance.report.rules import written

Record = Mapping[str, Any]
FEWEST_BLOCKS = 64
"""So many blocks it takes for the interval of a main effect, which is of as many batches."""
MOST_RULES = 3
"""So many rules are named in a title."""
MOST_NAMED = 10
"""So many impossible points are named on the terminal; the page has them all."""
_TABLE = ("players", "mode", "level")
SPREAD = "seat_spread"
_NOT_BETTER = "it cannot be called better"
_WAYS = ("more", "less")
_LOW_IS = {SPREAD: "the seats are closest together", "tie_rate": "shared wins are rarest"}


def effect_title(effect: Record, table: Record) -> str:
    """What a table of main effects is about: '"hand_size", 4 players, over 6 of 8 combinations of the other rules'."""
    over, left = effect["combinations"], len(effect["left_out"])
    told = (
        words.plural(over, "combination")
        if not left
        else f"{words.count(over)} of {over + left} combinations"
    )
    return f"{words.name(effect['rule'])}, {words.setting(table)}, over {told} of the other rules"


def effect_left_out(effect: Record) -> str:
    """Which combinations of the other rules a main effect leaves out, and why; '' where it leaves out none."""
    left = [
        words.isolated(", ".join(f"{rule} {written(value)}" for rule, value in one.items()))
        for one in effect["left_out"]
    ]
    if not left or not effect["combinations"]:
        return ""
    more = f"; and {words.count(len(left) - MOST_NAMED)} more" if len(left) > MOST_NAMED else ""
    return (
        f"Left out, as not every value of {words.name(effect['rule'])} is possible there: "
        f"{'; '.join(left[:MOST_NAMED])}{more}."
    )


def effect_terms(results: Record) -> str:
    """How to read the tables of main effects."""
    return (
        "Main effects: how far the mean with each value lies from the mean over all its values, over the combinations "
        "of the other rules with which all these values are possible, on the same deals, with "
        f"{words.confidence(results)} intervals."
    )


def without_effect(effect: Record) -> str:
    """Why a rule has no main effect to show; '' where it has."""
    start = f"{words.name(effect['rule'])} has no main effect that could be told: "
    if not effect["combinations"]:
        return f"{start}with no combination of the other rules are all its values possible."
    found = [estimate for level in effect["levels"] for estimate in level["effects"].values()]
    if all(estimate["low"] is None for estimate in found):
        return (
            f"{start}that takes {FEWEST_BLOCKS} or more blocks (games on deals of their own) at each point."
        )
    return ""


def effect_metrics(table: Record) -> list[str]:
    """The metrics of which main effects were found."""
    return [name for name in table["shown"] if any(name in one["means"] for one in _levels(table))]


def change_terms(results: Record) -> str:
    """How to read the tables of rules that were changed one at a time."""
    return (
        f"How far each change moves the means, on the same deals, with {words.confidence(results)} intervals; of "
        "shares in pp, percentage points."
    )


def change_rows(table: Record, metrics: Sequence[str], results: Record) -> list[list[str]]:
    """Those changes at one table below their heads: a row for each point that was played and is not the baseline."""
    rows = [["", *heads(metrics, results)]]
    for point in table["points"]:
        if point["differences"] and not point["is_baseline"]:
            found = [effect(point["differences"][name], words.is_share(results, name)) for name in metrics]
            rows.append([words.isolated(point["variant"]), *found])
    return rows


def _levels(table: Record) -> list[Record]:
    return [level for effect in table["effects"] for level in effect["levels"]]


def heads(metrics: Sequence[str], results: Record) -> list[str]:
    """What stands above the numbers of these metrics."""
    return answers.heads({"metrics": list(metrics), "rows": []}, results)[1:]


def effect(estimate: Record, share: bool) -> str:
    """'+1.2 ± 0.1', in percentage points for shares; '0' where nothing changed, '-' where nothing is known."""
    ends = estimate["value"], estimate["low"], estimate["high"]
    if None in ends:
        return words.NOTHING
    if not any(ends):
        return "0"
    scale = 100 if share else 1
    digits, half = halves.half_width(estimate, scale, words.signed)
    return halves.joined(words.signed(scale * estimate["value"], digits), half)


def value(found: Any) -> str:
    """A value of a rule as a file has it."""
    return words.isolated(written(found))


def impossible(results: Record, most: int | None = None) -> list[str]:
    """The points that could not be played, each with the reason; `most` of them, and how many more there are."""
    found = [
        f"{words.name(point['variant'])} with {words.setting(table)} is impossible: {point['impossible']}"
        for table in results["sweep"]["tables"]
        for point in table["points"]
        if point["impossible"]
    ]
    if most is None or len(found) <= most:
        return found
    return [
        *found[:most],
        f"And {words.plural(len(found) - most, 'more point is', 'more points are')} impossible.",
    ]


def best(results: Record) -> list[str]:
    """For each number of players the best point: what it came to when it was found, and again on fresh deals."""
    found = results["sweep"].get("best")
    return [_best(found, one, results) for one in found["tables"]] if found else []


def _best(found: Record, one: Record, results: Record) -> str:
    metric, share = found["metric"], words.is_share(results, found["metric"])
    title = words.name(words.title(results, metric))
    lowest = found["end"] == "low"
    what = _LOW_IS.get(metric) if lowest else None
    best = what or f"{title} is {'lowest' if lowest else 'highest'}"
    where, at = f"With {words.setting(one)}", words.name(one["variant"])
    number, rivals = _with_interval(metric, one["found"], share), _rivals(results, one, metric)
    first = f"{where} {best} at {at}: {number}"
    if rivals:
        which = "value" if len(results["sweep"]["factors"]) == 1 else "point"
        first = f"{where} it cannot be told at which {which} {best}: seen at {at}, {number}, but {rivals}"
    if one["is_baseline"]:
        return f"{first}. That is the baseline itself."
    if one["again"] is None:
        return f"{first}. It was not played again."
    moved, told = one["difference"], f"{first}. Played again on fresh deals it comes to"
    both = one["again"], one["baseline_again"]
    if None in (moved["low"], moved["high"]) or moved["low"] == moved["high"]:
        again, before = (_with_interval(metric, end, share) for end in both)
        return f"{told} {again}, the baseline to {before}: {_NOT_BETTER} than the baseline."
    if not one["better"]:
        return f"{told} {_unproven(moved, both, metric, share, lowest)}."
    digits, near, size, far = words.sizes(moved, share, (both[0]["value"], both[1]["value"]))
    ends = (f"{words.plain(end['value'], share, digits)} ({words.interval(end, share)})" for end in both)
    again, before = (words.measured(metric, end) for end in ends)
    better = f"better, by {size}{words.PP * share} ({near} to {far})"
    return f"{told} {again}, the baseline to {before}: {better}."


def _unproven(moved: Record, both: tuple[Record, Record], metric: str, share: bool, lowest: bool) -> str:
    """What the best point and the baseline come to on fresh deals, and why the point cannot be called better."""
    scale = 100 if share else 1
    one, other, apart = (scale * float(found["value"]) for found in (*both, moved))
    digits = max(words.digits(found, share) for found in (*both, moved))
    digits, size = words.agreeing(digits, one, other, abs(apart))
    again, before = (_with_interval(metric, found, share, digits) for found in both)
    low, high = (
        f"{words.fixed(scale * abs(moved[end]), digits)} {_WAYS[moved[end] < 0]}" for end in ("low", "high")
    )
    is_seen = size.strip("0.,")
    moves = f"{size}{words.PP * share} {_WAYS[apart < 0]}" if is_seen else "no difference"
    told = f"{again}, the baseline to {before}: {moves}"
    if not words.excludes_zero(moved):
        return f"{told}, but that may be anything from {low} to {high}, so {_NOT_BETTER}"
    if (apart < 0) != lowest:
        return f"{told} ({low} to {high}), so it is no better than the baseline"
    return f"{told} ({low} to {high}), but its test does not rule out luck, so {_NOT_BETTER}"


def _with_interval(metric: str, estimate: Record, share: bool, digits: int | None = None) -> str:
    """'3.4 pp (3.0 to 3.8 pp)', with as many decimals as its interval deserves, or with `digits`."""
    between = words.interval(estimate, share)
    if digits is None:
        told = words.value(estimate, share)
    else:
        told = words.plain(estimate["value"], share, digits)
        ends = (words.plain(estimate[end], share, digits) for end in ("low", "high"))
        between = words.NOTHING if between == words.NOTHING else " to ".join(ends).replace(" %", "", 1)
    return words.measured(metric, told if between == words.NOTHING else f"{told} ({between})")


def _rivals(results: Record, one: Record, metric: str) -> str:
    """How many other points may be as good as the best one seen, for all that their intervals say; '' where none."""
    table = next(each for each in results["sweep"]["tables"] if all(each[key] == one[key] for key in _TABLE))
    others = [table["baseline"], *(point for point in table["points"] if not point["is_baseline"])]
    means = [point["means"].get(metric) for point in others if point["variant"] != one["variant"]]
    alike = sum(_overlap(one["found"], mean) for mean in means if mean is not None)
    if not alike:
        return ""
    whose = f"{words.count(alike)} of {words.plural(len(means), 'other')}"
    return f"the {'interval' if alike == 1 else 'intervals'} of {whose} {'overlaps' if alike == 1 else 'overlap'} that"


def _overlap(one: Record, other: Record) -> bool:
    """Whether two intervals have numbers in common, or one is not known."""
    ends = one["low"], one["high"], other["low"], other["high"]
    return None in ends or (one["low"] <= other["high"] and other["low"] <= one["high"])


def title(results: Record) -> str:
    """What the part of the page is about that has the curves, or the effects of several rules."""
    rules = [words.name(one["rule"]) for one in results["sweep"]["factors"]]
    if len(rules) == 1:
        return "Curves, and the best value"
    return f"What do {listed(rules)} do?" if len(rules) <= MOST_RULES else "What does each rule do?"
