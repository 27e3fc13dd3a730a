"""A sweep of two rules, made up: a grid of 2 by 3 points of which one is impossible, and the best one played again."""

from __future__ import annotations

from itertools import product
from typing import Any

from tests.report.sample import Shape, build, estimate

FACTORS: tuple[tuple[str, tuple[Any, ...]], ...] = (("owl", (False, True)), ("seasons", (2, 3, 4)))
METRICS = ["seat_spread", "rounds", "turns", "score", "score_margin", "tie_rate"]
SHOWN = ["seat_spread", "turns", "score", "score_margin", "tie_rate"]
IMPOSSIBLE = 'There are too few cards: "owl" must be true & <b>not</b> false.'


def point(values: dict[str, Any], at: int, impossible: str = "") -> dict[str, Any]:
    """One point; the higher `at`, the higher all its means."""
    means = {
        name: estimate(0.03 + 0.01 * at if name in ("seat_spread", "tie_rate") else 20.0 + at, 0.004)
        for name in METRICS
    }
    moved = {name: estimate(0.01 * (at - 5), 0.004) for name in METRICS}
    return {
        "variant": ", ".join(f"{rule} {str(value).lower()}" for rule, value in values.items()),
        "values": values,
        "is_baseline": at == 5,
        "impossible": impossible,
        "means": {} if impossible else means,
        "differences": {} if impossible or at == 5 else moved,
    }


def with_sweep(players: tuple[int, ...] = (3, 4), factors: int = 2) -> dict[str, Any]:
    """Results of a sweep over one of the rules or both."""
    names = [rule for rule, _ in FACTORS][2 - factors :]
    values = [of_one for _, of_one in FACTORS][2 - factors :]
    results = build(Shape(players=players))
    tables = [_table(count, names, values) for count in players]
    results["sweep"] = {
        "factors": [
            {"rule": rule, "values": list(of_one)} for rule, of_one in zip(names, values, strict=True)
        ],
        "grid": factors > 1,
        "tables": tables,
        "best": {
            "metric": "seat_spread",
            "end": "low",
            "seed": 9,
            "tables": [_best(table) for table in tables],
        },
    }
    return results


def _table(count: int, names: list[str], values: list[tuple[Any, ...]]) -> dict[str, Any]:
    points = [
        point(dict(zip(names, of_one, strict=True)), at, IMPOSSIBLE if at == 1 and len(names) > 1 else "")
        for at, of_one in enumerate(product(*values))
    ]
    effects = [
        {
            "rule": rule,
            "combinations": 0 if rule == "seasons" and count == 4 else 2,
            "left_out": [{"seasons": 3}] if rule == "owl" else [],
            "levels": _levels(of_one),
        }
        for rule, of_one in zip(names, values, strict=True)
    ]
    return {
        "players": count,
        "mode": None,
        "level": None,
        "metrics": METRICS,
        "shown": SHOWN,
        "baseline": {**point({"owl": True, "seasons": 4}, 5), "variant": "baseline"},
        "points": points,
        "effects": effects if len(names) > 1 else [],
    }


def _levels(values: tuple[Any, ...]) -> list[dict[str, Any]]:
    metrics = [name for name in METRICS if name != "seat_spread"]
    return [
        {
            "value": value,
            "means": dict.fromkeys(metrics, 20.0 + at),
            "effects": {
                name: estimate(at - 1.0 if name != "tie_rate" else 0.01 * at, 0.04) for name in metrics
            },
        }
        for at, value in enumerate(values)
    ]


def _best(table: dict[str, Any]) -> dict[str, Any]:
    first = table["points"][0]
    return {
        **{key: table[key] for key in ("players", "mode", "level")},
        "variant": first["variant"],
        "values": first["values"],
        "is_baseline": False,
        "found": first["means"]["seat_spread"],
        "again": estimate(0.034, 0.004),
        "baseline_again": estimate(0.081, 0.004),
        "difference": estimate(-0.047, 0.006) if table["players"] == 3 else estimate(-0.004, 0.006),
        "better": table["players"] == 3,
    }
