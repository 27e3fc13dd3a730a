"""The results as tidy tables: first what a row is about, then value, low, high, n and method."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Record = Mapping[str, Any]
Row = Sequence[object]
ESTIMATE = ("value", "low", "high", "n", "method")
COMPARED = ("effect", "correlation", "worth", "family", "p_value", "adjusted", "found", "worse")


def tables(results: Record) -> dict[str, str]:
    """The content of each table as CSV, by name."""
    cell = ("variant", "players", "mode", "level")
    found = {
        "seats": _csv((*cell, "seat", "metric", "statistic", *ESTIMATE), _seats(results)),
        "policies": _csv((*cell, "policy", "seat", "metric", "statistic", *ESTIMATE), _policies(results)),
        "measures": _csv((*cell, "metric", "seat", "statistic", *ESTIMATE), _measures(results)),
        "comparisons": _csv(
            (
                *cell,
                "baseline",
                "metric",
                "seat",
                "policy",
                "of_baseline",
                "of_variant",
                *ESTIMATE,
                *COMPARED,
            ),
            _comparisons(results),
        ),
        "seat_pairs": _csv((*cell, "metric", "one", "other", *ESTIMATE), _seat_pairs(results)),
        "counters": _csv((*cell, "metric", "item", "statistic", "total", *ESTIMATE), _counters(results)),
        "curves": _csv((*cell, "metric", "seat", "round", *ESTIMATE), _curves(results)),
        "extremes": _csv((*cell, "metric", "end", "rank", "game", "seat", "value"), _extremes(results)),
    }
    if results["series"]:
        heads = ("rule", "setting", *cell, "metric", "seat", "statistic", *ESTIMATE)
        found["series"] = _csv(heads, _series(results))
    if any("teams" in one for one in results["cells"]):
        found["teams"] = _csv((*cell, "team", "seats", "metric", "statistic", *ESTIMATE), _teams(results))
    if any("leads" in one for one in results["cells"]):
        found["leads"] = _csv((*cell, "round", "statistic", *ESTIMATE), _leads(results))
    if any("goal" in one for one in results["cells"]):
        found["goals"] = _csv((*cell, "at_least", *ESTIMATE), _goals(results))
    return found


def _seats(results: Record) -> Iterator[Row]:
    for key, cell in _cells(results):
        for entry in cell["seats"]:
            yield (*key, entry["seat"], "win_share", "mean", *_numbers(entry["win_share"]))
            yield from _statistics((*key, entry["seat"], "score"), entry["score"])


def _teams(results: Record) -> Iterator[Row]:
    for key, cell in _cells(results):
        for entry in cell.get("teams", ()):
            start = (*key, entry["team"], " ".join(map(str, entry["seats"])))
            yield (*start, "win_share", "mean", *_numbers(entry["win_share"]))
            yield from _statistics((*start, "score"), entry["score"])


def _leads(results: Record) -> Iterator[Row]:
    """How often the leader after each round wins, and how often the later winner leads from there on."""
    for key, cell in _cells(results):
        for step in cell.get("leads", {}).get("rounds", ()):
            if step["wins"]:
                yield (*key, step["round"], "leader_wins", *_numbers(step["wins"]))
            yield (*key, step["round"], "decided", *_numbers(step["decided"]))


def _goals(results: Record) -> Iterator[Row]:
    """The share of games that would reach each goal."""
    for key, cell in _cells(results):
        for point in cell["goal"]["curve"] if "goal" in cell else ():
            yield (*key, point["at_least"], *_numbers(point["rate"]))


def _policies(results: Record) -> Iterator[Row]:
    """A policy's numbers over all its seats, then its wins in each seat."""
    for key, cell in _cells(results):
        for side in cell["sides"]:
            for metric in ("win_share", "share_of_wins"):
                yield (*key, side["policy"], None, metric, "mean", *_numbers(side[metric]))
            yield from _statistics((*key, side["policy"], None, "score"), side["score"])
            for seat, share in enumerate(side["seats"]):
                yield (*key, side["policy"], seat, "win_share", "mean", *_numbers(share))


def _measures(results: Record) -> Iterator[Row]:
    for key, cell in _cells(results):
        for metric, measure in cell["measures"].items():
            kind = results["definitions"][metric]["kind"]
            if kind == "game":
                yield from _statistics((*key, metric, None), measure)
            elif kind == "seat":
                for seat, summary in enumerate(measure["seats"]):
                    yield from _statistics((*key, metric, seat), summary)


def _comparisons(results: Record) -> Iterator[Row]:
    for one in results["comparisons"]:
        for entry in one["metrics"]:
            table = (one["variant"], one["players"], one["mode"], one["level"])
            key = (*table, one["baseline"], entry["metric"], entry["seat"], entry.get("policy"))
            more = [entry[name] for name in COMPARED]
            yield (*key, entry["baseline"], entry["value"], *_numbers(entry["difference"]), *more)


def _seat_pairs(results: Record) -> Iterator[Row]:
    """The share of the wins of one seat, or team, less another's."""
    for key, cell in _cells(results):
        for pair in cell["tests"].get("pairs", ()):
            yield (*key, "win_share", *(pair.get("seats") or pair["teams"]), *_numbers(pair["difference"]))


def _series(results: Record) -> Iterator[Row]:
    """By value of the rule: each mean, its difference from the baseline, and the seat farthest from an even share."""
    for one in results["series"]:
        for table in one["tables"]:
            for row in table["rows"]:
                value = row["value"] if isinstance(row["value"], str) else json.dumps(row["value"])
                key = (one["rule"], value, row["variant"], table["players"], table["mode"], table["level"])
                for metric, mean in row["means"].items():
                    yield (*key, metric, None, "mean", *_numbers(mean))
                for metric, difference in row["differences"].items():
                    yield (*key, metric, None, "difference", *_numbers(difference))
                if row["seat"]:
                    seat = row["seat"]
                    yield (*key, "win_share", seat["seat"], "from_even", *_numbers(seat["estimate"]))


def _counters(results: Record) -> Iterator[Row]:
    for key, metric, measure in _of_kind(results, "counter"):
        for item in measure["items"]:
            for face in ("offered", "taken", "held_by_winner"):
                total, mean = item[face]["total"], item[face]["mean"]
                yield (*key, metric, item["item"], face, total, *_numbers(mean))
            if item["take_rate"]:
                yield (*key, metric, item["item"], "take_rate", None, *_numbers(item["take_rate"]))


def _curves(results: Record) -> Iterator[Row]:
    for key, metric, measure in _of_kind(results, "curve"):
        for seat, line in enumerate(measure["seats"]):
            for number, point in zip(measure["rounds"], line, strict=True):
                yield (*key, metric, seat, number, *_numbers(point["mean"]))


def _extremes(results: Record) -> Iterator[Row]:
    for key, cell in _cells(results):
        for one in cell["extremes"]:
            for rank, entry in enumerate(one["games"], start=1):
                yield (
                    *key,
                    one["metric"],
                    one["end"],
                    rank,
                    entry["game"],
                    entry.get("seat"),
                    entry["value"],
                )


def _cells(results: Record) -> Iterator[tuple[Row, Record]]:
    """The cells in which games count, each with the key of its rows."""
    for cell in results["cells"]:
        if cell["blocks"]:
            yield (cell["variant"], cell["players"], cell["mode"], cell["level"]), cell


def _of_kind(results: Record, kind: str) -> Iterator[tuple[Row, str, Record]]:
    for key, cell in _cells(results):
        for metric, measure in cell["measures"].items():
            if results["definitions"][metric]["kind"] == kind:
                yield key, metric, measure


def _statistics(key: Row, summary: Record) -> Iterator[Row]:
    """The mean as an estimate, and what else is known of a distribution as plain values."""
    yield (*key, "mean", *_numbers(summary["mean"]))
    if "quantiles" in summary:
        n = summary["mean"]["n"]
        for name, value in {"sd": summary["sd"], **summary["quantiles"]}.items():
            yield (*key, name, value, None, None, n, None)
        for name in ("min", "max"):
            yield (*key, name, summary[name], None, None, n, None)


def _numbers(estimate: Record) -> Row:
    return [estimate[name] for name in ESTIMATE]


def _csv(head: Row, rows: Iterator[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
