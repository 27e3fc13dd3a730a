"""The best point of a sweep: found among many it looks better than it is, so it is played again on fresh deals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance import registry
from balance.analysis.sweeps import SWEPT
from balance.errors import BalanceError, listed, nearest
from balance.experiment.metrics import SPREAD, names
from balance.experiment.models import HIGHEST_SEED, LONGEST_TITLE, Experiment
from balance.experiment.wording import printable
from balance.stats.multiplicity import holm

Record = Mapping[str, Any]
LOW, HIGH = "low", "high"


def wanted(experiment: Experiment, asked: str | None) -> tuple[str, str] | None:
    """The metric by which points are the best and which end of it: "turns:low"; None where nothing says.

    Without being asked: the smallest differences between seats, where there are several. BalanceError for a metric that
    the sweep does not have.
    """
    game = registry.load(experiment.game)
    sizes = game.sizes(experiment.players, experiment.modes)
    known = [name for name in SWEPT if any(name in names(game, size) for size in sizes)]
    if asked is None:
        return (SPREAD, LOW) if SPREAD in known else None
    metric, _, end = asked.partition(":")
    if metric not in known:
        raise BalanceError(
            f'--best takes a metric of the sweep and its best end, not "{printable(asked)}".{nearest(metric, known)}',
            f"The metrics are {listed(known)}; write {known[0]}:low, say.",
        )
    if end not in (LOW, HIGH):
        raise BalanceError(
            f"--best {metric} needs to know which end is the best: {metric}:low or {metric}:high."
        )
    return metric, end


def best_points(results: Record, metric: str, end: str) -> list[Record]:
    """For each table of the sweep that has the metric its best point, or its baseline where no other is better."""
    found: list[Record] = []
    for table in results["sweep"]["tables"]:
        points = [table["baseline"], *table["points"]]
        values = [(_value(point, metric), at) for at, point in enumerate(points)]
        played = [(value, at) for value, at in values if value is not None]
        if played:
            _, at = min(played) if end == LOW else max(played, key=lambda one: (one[0], -one[1]))
            found.append({**_table(table), "point": points[at]})
    return found


def again(experiment: Experiment, found: list[Record]) -> Experiment | None:
    """The experiment that plays the best points again, on other deals; None where all of them are the baseline."""
    chosen = {one["point"]["variant"] for one in found if not one["point"]["is_baseline"]}
    variants = tuple(variant for variant in experiment.variants if variant.name in chosen)
    if not variants:
        return None
    run = experiment.run.model_copy(update={"seed": other_seed(experiment.run.seed)})
    title = f"{experiment.title}: the best point again"[:LONGEST_TITLE]
    return experiment.model_copy(update={"variants": variants, "run": run, "title": title})


def other_seed(seed: int) -> int:
    """Another seed, far from those that people choose."""
    return seed ^ (HIGHEST_SEED // 2 + 1)


def best(experiment: Experiment, found: list[Record], metric: str, end: str, fresh: Record | None) -> Record:
    """The best points as they were found, and as they came out again in the results `fresh`.

    "better" says that one beats the baseline there by more than luck, with the questions of all tables counted (Holm).
    """
    tables = [_again(one, metric, fresh) for one in found]
    asked = [one for one in tables if one["difference"]]
    adjusted = holm([_p_value(one, metric, fresh or {}) for one in asked])
    for one, p in zip(asked, adjusted, strict=True):
        moved = one["difference"]
        beats = moved["high"] is not None and moved["high"] < 0
        if end == HIGH:
            beats = moved["low"] is not None and moved["low"] > 0
        one["better"] = beats and p <= 1 - experiment.run.confidence
    return {
        "metric": metric,
        "end": end,
        "seed": other_seed(experiment.run.seed) if fresh else None,
        "tables": tables,
    }


def _p_value(one: Record, metric: str, fresh: Record) -> float:
    """The chance of such a difference from the baseline on the fresh deals if there were none."""
    return next(
        float(entry["p_value"])
        for compared in fresh["comparisons"]
        if compared["variant"] == one["variant"] and _table(compared) == _table(one)
        for entry in compared["metrics"]
        if entry["metric"] == metric and entry["seat"] is None and "policy" not in entry
    )


def _again(one: Record, metric: str, fresh: Record | None) -> dict[str, Any]:
    point = one["point"]
    tables = fresh["sweep"]["tables"] if fresh and not point["is_baseline"] else []
    pairs = [
        (table, replayed)
        for table in tables
        if _table(table) == _table(one)
        for replayed in table["points"]
        if replayed["variant"] == point["variant"]
    ]
    table, replayed = pairs[0] if pairs else ({}, {})
    return {
        **_table(one),
        "variant": point["variant"],
        "values": point["values"],
        "is_baseline": point["is_baseline"],
        "found": point["means"][metric],
        "again": replayed["means"][metric] if pairs else None,
        "baseline_again": table["baseline"]["means"][metric] if pairs else None,
        "difference": replayed["differences"][metric] if pairs else None,
        "better": False,
    }


def _table(one: Record) -> dict[str, Any]:
    return {key: one[key] for key in ("players", "mode", "level")}


def _value(point: Record, metric: str) -> float | None:
    value: float | None = point["means"].get(metric, {}).get("value")
    return value
