"""What a series says: one rule, value by value, at each number of players; the page and the terminal say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.report import words
from balance.report.rules import written

Record = Mapping[str, Any]
LEAST_TOLD = 2
"""So many values are told in the sentence about a table where they have no order; the table holds all of them."""
LONGEST_NAME = 28
"""So many letters of a variant's name stand where there is little room."""
MOST_DIGITS = 2
"""Decimals of numbers that stand side by side."""
_HIGH, _OFTEN = ("higher", "lower"), ("more often", "less often")
_NAMES = {
    "score": "the mean score",
    "score_margin": "the winning margin",
    "goal_rate": "how often the goal is reached",
}
_HEADS = {"score": "score", "score_margin": "margin", "seat_spread": "spread", "tie_rate": "shared"}


def headline(results: Record) -> Record | None:
    """The series that is the question of the experiment: the first one of its file."""
    found: Sequence[Record] = results["series"]
    return found[0] if found else None


def question(one: Record) -> str:
    """What a series asks."""
    return f"What does {words.name(one['rule'])} change?"


def terms(one: Record, results: Record) -> str:
    """How to read the sentences and tables of a series."""
    who = "seat or team" if any("teams" in cell for cell in results["cells"]) else "seat"
    return (
        f"On the same deals, with {words.confidence(results)} intervals; * is {_source(one)}. "
        f"Edge: the {who} furthest from even, in pp, percentage points."
    )


def _source(one: Record) -> str:
    return "the rulebook" if one["official"] else "the baseline"


# ---------------------------------------------------------------------- sentences


def sentence(one: Record, table: Record, results: Record) -> str:
    """What the values next to the baseline's change at one table, and the one that changes most of all others."""
    before, nearest = compared(table)
    ordered = from_the_nearest(table)
    shown, others = ordered[: len(nearest) or LEAST_TOLD], ordered[len(nearest) or LEAST_TOLD :]
    told = [_told(row, table, results) for row in shown]
    if nearest and others and (most := _found_of(others[0], table, results)):
        told.append(f"Of the others {_value(others[0])} changes most: {most}")
        shown.append(others[0])
    start = f"With {words.setting(table)} {_source(one)} sets {one['rule']} to {_value(before)}"
    more = len(table["rows"]) - 1 - len(shown)
    rest = [f"And {words.count(more)} more below"] if more else []
    return ". ".join([start, *told, *rest]) + "."


def in_a_sentence(one: Record, results: Record) -> str:
    """What moves the length most, or where nothing does the mean score, of all values at all tables."""
    tables = one["tables"]
    for metric in (tables[0]["metrics"][0], "score"):
        if most := _most(tables, metric, results):
            return f"The largest change: {most}."
    return (
        f"No value of {words.name(one['rule'])} that was played surely changes the length or the mean score."
    )


def _most(tables: Sequence[Record], metric: str, results: Record) -> str:
    """'set to 3 with 4 players the game is 1.2 rounds shorter (1.1 to 1.3)'; '' where no change was found."""
    found = [
        (abs(estimate["value"]), at, row)
        for at, each in enumerate(tables)
        for row in each["rows"]
        for estimate in [row["differences"].get(metric)]
        if estimate is not None and not _is_unknown(estimate) and _is_found(estimate)
    ]
    if not found:
        return ""
    _, at, row = max(found, key=lambda one: one[0])
    moved = (_moved if metric == "score" else _longer)(row, metric, results)
    return f"set to {_value(row)} with {words.setting(tables[at])} {moved}"


def compared(table: Record) -> tuple[Record, list[Record]]:
    """The row that the others are compared with, and those of the values next to it."""
    rows = table["rows"]
    (before,) = (row for row in rows if row["baseline"])
    return before, _nearest(table, before)


def from_the_nearest(table: Record) -> list[Record]:
    """All rows but the one that they are compared with: the values next to it first, then what changes most."""
    before, nearest = compared(table)
    others = [row for row in table["rows"] if row is not before and row not in nearest]
    return [*nearest, *sorted(others, key=lambda row: -_effect(row, table))]


def _nearest(table: Record, before: Record) -> list[Record]:
    """The next values above and below the baseline's where they have an order; none where they have not."""
    sizes = [_order(row["value"]) for row in table["rows"]]
    own = _order(before["value"])
    if own is None or None in sizes:
        return []
    ordered = [(float(size or 0) - own, row) for size, row in zip(sizes, table["rows"], strict=True)]
    above, below = ([one for one in ordered if way * one[0] > 0] for way in (1, -1))
    return [min(side, key=lambda one: abs(one[0]))[1] for side in (above, below) if side]


def _order(value: Any) -> float | None:
    """What puts values into an order: a number itself, a list of numbers by their sum; None for words."""
    if isinstance(value, list):
        return float(sum(value)) if all(isinstance(one, int | float) for one in value) else None
    return float(value) if isinstance(value, int | float) else None


def _effect(row: Record, table: Record) -> float:
    """How much a value surely changes: each mean as a part of its largest change at that table, taken together."""
    return sum(
        _moves(row, name) / most
        for name in table["metrics"]
        if (most := max(_moves(each, name) for each in table["rows"]))
    )


def _moves(row: Record, metric: str) -> float:
    estimate = row["differences"].get(metric)
    return abs(float(estimate["value"])) if estimate is not None and _is_moved(estimate) else 0.0


def _value(row: Record) -> str:
    """A value of the rule; a list without blanks, as no line is broken in it."""
    found = row["value"]
    return words.isolated(written(found).replace(" ", "") if isinstance(found, list) else written(found))


def _told(row: Record, table: Record, results: Record) -> str:
    """'Set to 3, the game is 1.2 rounds shorter (1.1 to 1.3), the mean score is ...'."""
    length, *others = [name for name in table["metrics"] if name != "score_margin"]
    parts = [_longer(row, length, results), *(_moved(row, name, results) for name in others), _furthest(row)]
    told = listed([part for part in parts if part]) or "too few games were played to tell"
    return f"Set to {_value(row)}, {told}"


def _found_of(row: Record, table: Record, results: Record) -> str:
    """What was found of the length, or else of another mean, of a value; '' where nothing was."""
    found = (
        (_moved if at else _longer)(row, name, results)
        for at, name in enumerate(table["metrics"])
        if name != "score_margin" and _is_moved(row["differences"].get(name))
    )
    return next(found, "")


def _is_moved(estimate: Record | None) -> bool:
    return estimate is not None and not _is_unknown(estimate) and _is_found(estimate)


def _longer(row: Record, metric: str, results: Record) -> str:
    """What becomes of the length of the game."""
    estimate = row["differences"].get(metric)
    unit = f"{words.table_word(results, metric.removesuffix('s'))}s"
    if _is_unknown(estimate):
        return ""
    if not _is_found(estimate):
        return _no_change("the length", estimate, False, f" {unit}")
    way = "longer" if estimate["value"] > 0 else "shorter"
    return f"the game is {_size(estimate, False, f' {unit} {way}')}"


def _moved(row: Record, metric: str, results: Record) -> str:
    """What becomes of another mean."""
    estimate, share = row["differences"].get(metric), words.is_share(results, metric)
    name = _NAMES.get(metric) or words.name(words.title(results, metric))
    unit = words.PP if share else ""
    if _is_unknown(estimate):
        return ""
    if not _is_found(estimate):
        return _no_change(name, estimate, share, unit)
    is_goal = metric == "goal_rate"
    way = (_OFTEN if is_goal else _HIGH)[estimate["value"] < 0]
    return f"{'the goal is reached' if is_goal else f'{name} is'} {_size(estimate, share, f'{unit} {way}')}"


def _is_unknown(estimate: Record | None) -> bool:
    return estimate is None or None in (estimate["value"], estimate["low"], estimate["high"])


def _is_found(estimate: Record) -> bool:
    """Whether a change is more than luck, allowing for how many are looked at, and its interval leaves out none."""
    return bool(estimate.get("found", True)) and words.excludes_zero(estimate)


def _size(estimate: Record, share: bool, unit: str) -> str:
    """'1.2 rounds shorter (1.1 to 1.3)'."""
    if estimate["low"] == estimate["high"]:
        return f"{words.quantity(abs(estimate['value']))}{unit} every time"
    _, near, size, far = words.sizes(estimate, share)
    return f"{size}{unit} ({near} to {far})"


def _no_change(what: str, estimate: Record, share: bool, unit: str) -> str:
    """How large a change could have been missed."""
    if estimate["low"] == estimate["high"]:
        return f"no change of {what} was seen in any game"
    return f"no change of {what} above {words.ceiling(estimate, share)}{unit} was found"


def _furthest(row: Record) -> str:
    """Which seat or team is furthest from an even share, if the game has such to compare."""
    seat = row["seat"]
    if seat is None or _is_unknown(seat["estimate"]):
        return ""
    estimate, (who, is_) = seat["estimate"], ("team", "are") if "team" in seat else ("seat", "is")
    if not words.excludes_zero(estimate):
        return f"no {who} was found more than {words.ceiling(estimate, True)} pp from even"
    _, near, size, far = words.sizes(estimate, True)
    return f"{words.side(seat)} {is_} then furthest from even, by {size} pp ({near} to {far})"


# ---------------------------------------------------------------------- the same in a few words


def common(one: Record) -> str:
    """The baseline's value of the rule where it is the same with all numbers of players, else ''."""
    values = {_value(compared(table)[0]) for table in one["tables"]}
    return values.pop() if len(values) == 1 else ""


def against(one: Record, results: Record) -> str:
    """What the entries of `brief` are compared with."""
    value = common(one)
    of = f", which sets {one['rule']} to {value}," if value else ""
    return f"Against {_source(one)}{of} on the same deals, with {words.confidence(results)} intervals"


def place(one: Record, table: Record) -> str:
    """'3 players', with the baseline's value where that is another one elsewhere: '3 players (rulebook: 2)'."""
    setting = words.capital(words.setting(table))
    before, _ = compared(table)
    return setting if common(one) else f"{setting} ({_source(one).removeprefix('the ')}: {_value(before)})"


def brief_heads(one: Record, results: Record) -> list[str]:
    """What stands above the entries of `brief`."""
    length = words.table_word(results, one["tables"][0]["metrics"][0].removesuffix("s"))
    goals = any("goal_rate" in table["metrics"] for table in one["tables"])
    last = f"{'Goal, or gap' if goals else 'Gap'} between seats, in pp"
    return ["With", f"Length in {length}s", "Mean score", last]


def brief(row: Record, table: Record, results: Record) -> list[str]:
    """The variant, and what becomes of the length, the score, and the goal or how far apart the seats are."""
    changes = row["differences"]
    found = [
        _brief(changes.get(table["metrics"][0]), False, ("longer", "shorter")),
        _brief(changes.get("score"), False, _HIGH),
    ]
    goal = changes.get("goal_rate")
    gap = _brief(_gap(row, table, results), True, ("wider", "narrower"))
    return [_named(row), *found, gap if goal is None or _is_unknown(goal) else _brief_goal(goal)]


def _brief_goal(goal: Record) -> str:
    moved = _brief(goal, True, _OFTEN)
    return f"goal reached {moved}" if _is_found(goal) else f"goal: {moved}"


def _gap(row: Record, table: Record, results: Record) -> Record | None:
    """How much further apart than by the baseline's rules the two seats are that are furthest apart."""
    wanted = row["variant"], *(table[key] for key in ("players", "mode", "level"))
    return next(
        (
            {**entry["difference"], "found": entry["found"]}
            for one in results["comparisons"]
            if (one["variant"], one["players"], one["mode"], one["level"]) == wanted
            for entry in one["metrics"]
            if entry["metric"] == "seat_spread"
        ),
        None,
    )


def _named(row: Record) -> str:
    """The variant by its name, which the designer chose; cut where it is long."""
    return words.isolated(words.shortened(str(row["variant"]), LONGEST_NAME))


def _brief(estimate: Record | None, share: bool, ways: tuple[str, str]) -> str:
    """'1.2 shorter (1.1 to 1.3)', 'no change above 0.3'; shares in percentage points."""
    if estimate is None or _is_unknown(estimate):
        return words.NOTHING
    unit = words.PP * share
    if _is_found(estimate):
        return _size(estimate, share, f"{unit} {ways[estimate['value'] < 0]}")
    if estimate["low"] == estimate["high"]:
        return "no change in any game"
    return f"no change above {words.ceiling(estimate, share)}{unit}"


# ---------------------------------------------------------------------- tables


def heads(table: Record, results: Record) -> list[str]:
    """What stands above the rule's value and the numbers of `cells`."""
    lengths = {name: f"{words.table_word(results, name.removesuffix('s'))}s" for name in ("turns", "rounds")}
    names = [{**_HEADS, **lengths}.get(name) or words.title(results, name) for name in table["metrics"]]
    who = "team" if any(row["seat"] and "team" in row["seat"] for row in table["rows"]) else "seat"
    return ["set to", *names, *([f"{who} edge"] if _has_seats(table) else [])]


def _has_seats(table: Record) -> bool:
    return any(row["seat"] for row in table["rows"])


def cells(row: Record, table: Record, results: Record) -> list[tuple[str, str]]:
    """The numbers of a row with half the width of their intervals; the last is the seat furthest from even."""
    means = [
        (name, _with_half(row["means"][name], words.is_share(results, name))) for name in table["metrics"]
    ]
    found = [(words.measured(name, number), half) for name, (number, half) in means]
    if _has_seats(table):
        found.append(_seat_cell(row["seat"]))
    return found


def _seat_cell(seat: Record | None) -> tuple[str, str]:
    """'2: +1.1', or '1+3: +1.1' of a team: by how many percentage points which seat differs from an even share."""
    if seat is None or _is_unknown(seat["estimate"]):
        return words.NOTHING, words.NOTHING
    digits, half = half_width(seat["estimate"], 100)
    name = "+".join(str(number + 1) for number in seat.get("seats") or [seat["seat"]])
    return f"{name}: {words.signed(100 * seat['estimate']['value'], digits)}", half


def _with_half(estimate: Record, share: bool) -> tuple[str, str]:
    """A mean and half the width of its interval; shares in percent."""
    if _is_unknown(estimate) or estimate["low"] == estimate["high"]:
        return words.value(estimate, share), words.NOTHING
    scale = 100 if share else 1
    digits, half = half_width(estimate, scale)
    return f"{words.fixed(scale * estimate['value'], digits)}{' %' * share}", half


def half_width(estimate: Record, scale: int) -> tuple[int, str]:
    """Half the width of an interval, and its decimals: two at most, for the width is then rounded up."""
    half = scale * (estimate["high"] - estimate["low"]) / 2
    digits = min(MOST_DIGITS, words.decimals(half))
    return digits, words.fixed(max(half, 10.0**-digits), digits)


def value(row: Record) -> str:
    """The value of the rule in a row; the one that all others are compared with has an asterisk."""
    return f"{_value(row)} *" if row["baseline"] else _value(row)
