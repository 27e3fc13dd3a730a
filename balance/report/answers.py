"""What a series says: one rule, value by value, at each number of players; the page and the terminal say the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.report import halves, verdicts, words
from balance.report.rules import written

Record = Mapping[str, Any]
LEAST_TOLD = 2
"""So many values are told in the sentence about a table where they have no order; the table holds all of them."""
LONGEST_NAME = 28
"""So many letters of a variant's name stand where there is little room."""
_HIGH, _OFTEN, _WIDE = ("higher", "lower"), ("more often", "less often"), ("wider", "narrower")
_NAMES = {
    "score": "the mean score",
    "score_margin": "the winning margin",
    "goal_rate": "how often the goal is reached",
}
_GAP = "seat_spread"
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
    """The largest change of all that is shown of all values at all tables, by how much it varies between games."""
    found = [
        (_varies(row, each, results, metric), each, row, metric)
        for each in one["tables"]
        for row in each["rows"]
        for metric in (*each["metrics"], _GAP)
        if _is_moved(_gap(row, each, results) if metric == _GAP else row["differences"].get(metric))
    ]
    if not found:
        alone = all("goal_rate" in each["metrics"] for each in one["tables"])
        last = "how often the goal is reached" if alone else "how even the seats are"
        which = f"No value of {words.name(one['rule'])} that was played"
        return f"{which} surely changes the length, the mean score or {last}."
    _, table, row, metric = max(found, key=lambda one: one[0])
    return f"The largest change: set to {_value(row)} with {words.setting(table)} {_most(row, table, results, metric)}."


def _most(row: Record, table: Record, results: Record, metric: str) -> str:
    """'the game is 1.2 rounds shorter (1.1 to 1.3)', 'the gap between seats is 3 pp wider (2 to 4)'."""
    if metric == _GAP and (gap := _gap(row, table, results)):
        return f"the gap between seats is {_brief(gap, True, _WIDE)}"
    return (_longer if metric == table["metrics"][0] else _moved)(row, metric, results)


def _varies(row: Record, table: Record, results: Record, metric: str) -> float:
    """How large a change is beside how much the number varies from game to game; of one that never varies, infinite."""
    entry = _entry(row, table, results, metric)
    effect = entry["effect"] if entry else 0.0
    return math.inf if effect is None else abs(float(effect))


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
    parts = [_longer(row, length, results), *(_moved(row, name, results) for name in others)]
    parts.append(_furthest(row, table, results))
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
    if words.never_differed(estimate):
        return f"no change of {what} was seen in any game"
    return f"no change of {what} above {words.ceiling(estimate, share)}{unit} was found"


def _furthest(row: Record, table: Record, results: Record) -> str:
    """Which seat or team is furthest from an even share there, if there are such to compare, and if that is new."""
    seat = _seat(row, table, results)
    if seat is None or _is_unknown(seat["estimate"]):
        return ""
    estimate, (who, wins) = seat["estimate"], ("team", "win") if "team" in seat else ("seat", "wins")
    if not words.excludes_zero(estimate):
        return f"no {who} was found more than {words.ceiling(estimate, True)} pp from even"
    _, near, size, far = words.sizes(estimate, True)
    more = "more" if estimate["value"] > 0 else "fewer"
    entry = _entry(row, table, results, "win_share", seat["seat"])
    rest = ", of which no change was found" if entry and not entry["found"] else ""
    return f"{words.side(seat)} {wins} {size} pp {more} than even there ({near} to {far}){rest}"


def _seat(row: Record, table: Record, results: Record) -> Record | None:
    """The seat or team furthest from even where a value was played; of two as all else on the page says it."""
    seat: Record | None = row["seat"]
    cell = next((one for one in results["cells"] if _at(one) == (row["variant"], *_at(table)[1:])), None)
    if seat is None or cell is None or len(words.sides(cell)) != 2 or not (test := verdicts.furthest(cell)):
        return seat
    together = cell["teams"][test["team"]]["seats"] if "team" in test else [test["seat"]]
    return {**test, "seat": together[0], **({"seats": together} if "team" in test else {})}


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
    gap = _brief(_gap(row, table, results), True, _WIDE)
    return [_named(row), *found, gap if goal is None or _is_unknown(goal) else _brief_goal(goal)]


def _brief_goal(goal: Record) -> str:
    moved = _brief(goal, True, _OFTEN)
    return f"goal reached {moved}" if _is_found(goal) else f"goal: {moved}"


def _gap(row: Record, table: Record, results: Record) -> Record | None:
    """How much further apart than by the baseline's rules the two seats are that are furthest apart."""
    entry = _entry(row, table, results, _GAP)
    return entry and {**entry["difference"], "found": entry["found"]}


def _entry(
    row: Record, table: Record, results: Record, metric: str, seat: int | None = None
) -> Record | None:
    """All that is known of how a value changes a metric, of one seat or of all together."""
    wanted = row["variant"], *_at(table)[1:]
    compared = [entry for one in results["comparisons"] if _at(one) == wanted for entry in one["metrics"]]
    of_it = (
        one for one in compared if (one["metric"], one["seat"]) == (metric, seat) and "policy" not in one
    )
    return next(of_it, None)


def _at(one: Record) -> tuple[Any, ...]:
    """The variant, where there is one, and the table that something belongs to."""
    return one.get("variant"), one["players"], one["mode"], one["level"]


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
    if words.never_differed(estimate):
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
    """The numbers of a row, each with its half width; the last is the seat furthest from even."""
    means = [
        (name, _with_half(row["means"][name], words.is_share(results, name))) for name in table["metrics"]
    ]
    found = [(words.measured(name, number), half) for name, (number, half) in means]
    if _has_seats(table):
        found.append(_seat_cell(_seat(row, table, results)))
    return found


def _seat_cell(seat: Record | None) -> tuple[str, str]:
    """'2: +1.1', or '1+3: +1.1' of a team: by how many percentage points which seat differs from an even share."""
    if seat is None or _is_unknown(seat["estimate"]):
        return words.NOTHING, words.NOTHING
    digits, half = halves.half_width(seat["estimate"], 100, words.signed)
    name = "+".join(str(number + 1) for number in seat.get("seats") or [seat["seat"]])
    return f"{name}: {words.signed(100 * seat['estimate']['value'], digits)}", half


def _with_half(estimate: Record, share: bool) -> tuple[str, str]:
    """A mean and its half width; shares in percent."""
    if _is_unknown(estimate) or estimate["low"] == estimate["high"]:
        return words.value(estimate, share), words.NOTHING
    scale = 100 if share else 1
    digits, half = halves.half_width(estimate, scale)
    return f"{words.fixed(scale * estimate['value'], digits)}{' %' * share}", half


def value(row: Record) -> str:
    """The value of the rule in a row; the one that all others are compared with has an asterisk."""
    return f"{_value(row)} *" if row["baseline"] else _value(row)
