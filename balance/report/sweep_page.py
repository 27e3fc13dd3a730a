"""A sweep as parts of the page: curves and main effects, a heat map of two rules, the points one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import answers, figures, halves, sweeps, words
from balance.report.blocks import Chart, Charts, Entry, Part, Section, Table, Text, table

Record = Mapping[str, Any]
MOST_HEATED = 2
"""So many metrics get a heat map."""


def section(results: Record) -> Section:
    """Everything there is to say of a sweep; empty where the run is none."""
    if "sweep" not in results:
        return Section("sweep", "")
    found = results["sweep"]
    blocks: list[Any] = [Text(sweeps.best(results))] if "best" in found else []
    for at, each in enumerate(found["tables"]):
        blocks.append(Part(words.capital(words.setting(each)), _blocks(at, each, results)))
    missing = sweeps.impossible(results)
    if missing:
        blocks.append(Part("Points that cannot be played", [Text(missing, "list")], folded=len(missing) > 5))
    return Section("sweep", sweeps.title(results), _terms(results), blocks)


def _terms(results: Record) -> str:
    """How to read its tables."""
    if results["sweep"]["grid"]:
        return sweeps.effect_terms(results)
    return sweeps.change_terms(results) if len(results["sweep"]["factors"]) > 1 else ""


def _blocks(at: int, each: Record, results: Record) -> list[Any]:
    factors = results["sweep"]["factors"]
    blocks: list[Any] = []
    if len(factors) == 1:
        blocks.append(Charts(_curves(at, each, results)))
    elif results["sweep"]["grid"]:
        for number, effect in enumerate(each["effects"]):
            blocks += _effect(f"{at}-{number}", each, effect, results)
        if len(factors) == 2:
            blocks.append(Charts(_heat_maps(at, each, results)))
    else:
        blocks.append(_changes(each, results))
    blocks.append(Part("All points", [_points(each, results)], folded=True))
    return blocks


# ---------------------------------------------------------------------- one rule


def _curves(at: int, each: Record, results: Record) -> list[Chart]:
    """Each metric over the values of the rule, where these are numbers."""
    (factor,) = results["sweep"]["factors"]
    points = [point for point in each["points"] if point["means"]]
    values = [point["values"][factor["rule"]] for point in points]
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return []
    return [
        _curve(f"sweep-{at}-{metric}", each, factor["rule"], metric, points, results)
        for metric in each["shown"]
    ]


def _curve(
    name: str, each: Record, rule: str, metric: str, points: Sequence[Record], results: Record
) -> Chart:
    share, title = words.is_share(results, metric), words.title(results, metric)
    values = [point["values"][rule] for point in points]
    means = [_scaled(point["means"][metric], 100 if share else 1) for point in points]
    unit = words.measured(metric, f"{title}, %") if share else title
    figure = figures.curves([title], values, [means], rule, unit)
    rows = [
        [
            sweeps.value(value),
            words.measured(metric, words.value(point["means"][metric], share)),
            words.measured(metric, words.interval(point["means"][metric], share)),
        ]
        for value, point in zip(values, points, strict=True)
    ]
    numbers = table(f"{title} by {rule}, {words.setting(each)}", [rule, f"#{title}", "#Interval"], rows)
    sentence = (
        f"Each dot is the mean with that value of {rule}, each bar its {words.confidence(results)} interval."
    )
    return Chart(name, title, sentence, figure, numbers)


def _scaled(estimate: Record, scale: float) -> Record:
    ends = {end: None if estimate[end] is None else scale * estimate[end] for end in ("value", "low", "high")}
    return {**estimate, **ends}


# ---------------------------------------------------------------------- main effects


def _effect(name: str, each: Record, effect: Record, results: Record) -> list[Any]:
    if missing := sweeps.without_effect(effect):
        return [Text([missing])]
    names = [sweeps.value(level["value"]) for level in effect["levels"]]
    metrics = sweeps.effect_metrics(each)
    charts = []
    for metric in metrics:
        share, title = words.is_share(results, metric), words.title(results, metric)
        estimates = [level["effects"][metric] for level in effect["levels"]]
        if any(None in (one["value"], one["low"], one["high"]) for one in estimates):
            continue
        unit = "difference in percentage points" if share else "difference"
        figure = figures.differences(names, [(title, estimates)], unit, 100 if share else 1)
        rows = [
            [
                value,
                words.measured(metric, words.plain(level["means"][metric], share, 2)),
                words.difference(one, share),
                words.difference_interval(one, share),
            ]
            for value, level, one in zip(names, effect["levels"], estimates, strict=True)
        ]
        caption = f"{title}: {sweeps.effect_title(effect, each)}"
        numbers = table(caption, [effect["rule"], "#Mean", "#From the average", "#Interval"], rows)
        sentence = (
            f"{effect['rule']}: how far the mean with each value lies from the mean over all its values."
        )
        charts.append(Chart(f"effect-{name}-{metric}", title, sentence, figure, numbers))
    left_out = sweeps.effect_left_out(effect)
    told = [Text([left_out])] if left_out else []
    return [Part(sweeps.effect_title(effect, each), [*told, Charts(charts)])] if charts else []


# ---------------------------------------------------------------------- two rules


def _heat_maps(at: int, each: Record, results: Record) -> list[Chart]:
    return [_heat_map(f"heat-{at}-{metric}", each, metric, results) for metric in each["shown"][:MOST_HEATED]]


def _heat_map(name: str, each: Record, metric: str, results: Record) -> Chart:
    down, across = results["sweep"]["factors"]
    share, title = words.is_share(results, metric), words.title(results, metric)
    played = {_place(point["values"], down, across): point for point in each["points"]}
    places = [
        [_place({down["rule"]: one, across["rule"]: other}, down, across) for other in across["values"]]
        for one in down["values"]
    ]
    means = [[played[at]["means"].get(metric) if at in played else None for at in row] for row in places]
    told = [
        [
            words.measured(metric, words.value(mean, share)) if mean else _missing(at, played)
            for mean, at in zip(*rows, strict=True)
        ]
        for rows in zip(means, places, strict=True)
    ]
    figure = figures.heat_map(
        (down["rule"], [sweeps.value(one) for one in down["values"]]),
        (across["rule"], [sweeps.value(one) for one in across["values"]]),
        [[mean["value"] if mean else None for mean in row] for row in means],
        told,
        100 if share else 1,
    )
    heads = [f"{down['rule']} / {across['rule']}", *(f"#{sweeps.value(one)}" for one in across["values"])]
    rows = [[sweeps.value(one), *row] for one, row in zip(down["values"], told, strict=True)]
    sentence = f"{title} at each combination of {down['rule']} and {across['rule']}; darker is more."
    return Chart(name, title, sentence, figure, table(f"{title}, {words.setting(each)}", heads, rows))


def _place(values: Record, down: Record, across: Record) -> tuple[str, str]:
    return repr(values[down["rule"]]), repr(values[across["rule"]])


def _missing(at: tuple[str, str], played: Mapping[tuple[str, str], Record]) -> str:
    return "impossible" if at in played else words.NOTHING


# ---------------------------------------------------------------------- rules that are changed one at a time


def _changes(each: Record, results: Record) -> Table:
    """What the terminal says of each change, below the means of the baseline."""
    baseline = each["baseline"]
    name = Entry(f"{words.isolated(baseline['variant'])}: its means")
    first: list[str | Entry] = [name, *_numbers(baseline, each, results)]
    _, *changes = sweeps.change_rows(each, each["shown"], results)
    caption = (
        f"What each change does, {words.setting(each)}: the baseline's means, and how far each moves them"
    )
    return table(caption, _heads("Change", each, results), [first, *changes])


# ---------------------------------------------------------------------- all points


def _points(each: Record, results: Record) -> Table:
    baseline = [] if any(point["is_baseline"] for point in each["points"]) else [each["baseline"]]
    rows = [[point["variant"], *_numbers(point, each, results)] for point in (*baseline, *each["points"])]
    caption = f"Every point, {words.setting(each)}: {halves.TITLE}"
    return table(caption, _heads("Point", each, results), rows)


def _heads(first: str, each: Record, results: Record) -> list[str]:
    return [first, *(f"#{words.capital(head)}" for head in sweeps.heads(each["shown"], results))]


def _numbers(point: Record, each: Record, results: Record) -> list[str]:
    if not point["means"]:
        return ["impossible", *["" for _ in each["shown"][1:]]]
    cells = answers.cells(
        {"means": point["means"], "seat": None}, {"metrics": each["shown"], "rows": []}, results
    )
    return [halves.joined(number, half) for number, half in cells]
