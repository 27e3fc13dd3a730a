"""Results of all shapes, made up but consistent: testing the report needs no simulator."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<b>bold</b> & <a href='javascript:alert(2)'>link</a>",
    "שלום (אחד) 12",
    "🦉 owl [brackets] %{x} $y$",
    "]]> &lt;i&gt; \u2028 \u2029 {{ 7*7 }}",
    '"><img src=x onerror=alert(3)>',
)
ITEMS = ("cat_thief", "cat_spy", "dog_champion", "dog_scruffy", "rabbit_trickster", "parrot_beauty", "owl")
RULES = {
    "seasons": (3, "Seasons in a game."),
    "collection_size": (5, "Animals in a full collection."),
    "owl": (True, "Whether the owl, which counts as any family, is in play."),
    "remove_neutral": (True, "Whether the neutral (cute) cards leave the game."),
    "bonus_first": (2, "Bonus cards for a sole first place in elegance."),
    "medals_group_5": (5, "Medals that 5 animals of one family in a collection earn."),
    "tiebreak": ("largest_family", "What breaks a tie on points: the most medals of one family, or nothing."),
    "litter_table": ([0, 0, 1, 1, 2, 2], "Young by the number shown on the die."),
}
CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"remove_neutral": False},
    {"bonus_first": 3, "seasons": 4},
    {"owl": False},
)
DEFINITIONS: dict[str, dict[str, Any]] = {
    "turns": {
        "kind": "game",
        "title": "Turns",
        "unit": "",
        "help": "Turns of all players together.",
        "more": "a longer game",
    },
    "rounds": {
        "kind": "game",
        "title": "Seasons",
        "unit": "",
        "help": "Seasons played.",
        "more": "a longer game",
    },
    "plies": {
        "kind": "game",
        "title": "Decisions",
        "unit": "",
        "help": "Choices with more than one option.",
        "more": "more to decide",
    },
    "score": {
        "kind": "seat",
        "title": "Score",
        "unit": "points",
        "help": "Points at the end.",
        "more": "richer play",
    },
    "score_margin": {
        "kind": "game",
        "title": "Winning margin",
        "unit": "points",
        "help": "First score minus second.",
        "more": "clearer wins",
    },
    "tie_rate": {
        "kind": "game",
        "title": "Shared wins",
        "unit": "",
        "help": "Games without a sole winner.",
        "more": "more ties",
        "share": True,
    },
    "win_share": {
        "kind": "seat",
        "title": "Share of wins",
        "unit": "",
        "help": "Wins by seat.",
        "more": "more wins",
    },
    "most_medals": {
        "kind": "game",
        "title": "Most medals of one family used",
        "unit": "medals",
        "help": "The box holds 15 of each family.",
        "more": "a fuller table",
        "check": True,
    },
    "out_of_medals": {
        "kind": "game",
        "title": "Games that ran out of medals",
        "unit": "",
        "help": "More than 15 of a family were needed.",
        "more": "a box that is too small",
        "share": True,
        "check": True,
    },
    "thefts": {
        "kind": "seat",
        "title": "Cards stolen",
        "unit": "cards",
        "help": "Cards that a seat's thieves took.",
        "more": "more interaction",
    },
    "standing": {
        "kind": "curve",
        "title": "Medals so far",
        "unit": "medals",
        "help": "Medals held at the end of each season.",
        "more": "more points",
    },
    "cards": {
        "kind": "counter",
        "title": "Cards",
        "unit": "",
        "help": "What was in a set on offer, was taken, and lay before the winner.",
        "more": "a sought-after card",
        "items": list(ITEMS),
    },
}


@dataclass
class Shape:
    """What a made-up run looks like."""

    players: Sequence[int] = (4,)
    variants: Sequence[str] = ("baseline",)
    policies: Sequence[str] = ("greedy",)
    levels: Sequence[str | None] = (None,)
    deviation: float = 0.011
    half_width: float = 0.003
    status: str = "complete"
    title: str = "Animalia: do the neutral cards matter?"
    items: Sequence[str] = ITEMS
    capped: int = 0
    seed: int = 7


UNKNOWN: dict[str, Any] = {"value": None, "low": None, "high": None, "n": 0, "method": "too few"}


def estimate(value: float, half_width: float, n: int = 100_000) -> dict[str, Any]:
    return {"value": value, "low": value - half_width, "high": value + half_width, "n": n, "method": "test"}


def build(shape: Shape | None = None) -> dict[str, Any]:
    """The results of a run of that shape."""
    shape = shape or Shape()
    luck = random.Random(shape.seed)
    definitions = {
        one: {"share": False, "check": False, **definition} for one, definition in DEFINITIONS.items()
    }
    definitions["cards"]["items"] = list(shape.items)
    cells = [
        _cell(shape, luck, players, at, level)
        for players in shape.players
        for at in range(len(shape.variants))
        for level in shape.levels
    ]
    return {
        "schema": "balance.results/1",
        "status": shape.status,
        "game": "animalia",
        "game_title": "Animalia",
        "title": shape.title,
        "seed": shape.seed,
        "confidence": 0.95,
        "own_rules": {},
        "words": {"round": "season", "turn": "turn"},
        "definitions": definitions,
        "parameters": {name: text for name, (_, text) in RULES.items()},
        "policies": [_policy(name) for name in dict.fromkeys(shape.policies)],
        "cells": cells,
        "comparisons": _comparisons(shape, luck, cells),
        "series": [],
        "warnings": ['"parrot_beauty" of "Cards" was offered 48,211 times and never taken.'],
        "gates": [],
        "provenance": {
            "command": "balance run configs/animalia.toml --games 100000 --seed 7",
            "tool": "0.1.0",
            "rules_version": 1,
            "fingerprints": {"kernels": "9f2c1d3e5a7b", "decks": "00c1ab34"},
        },
        "timing": timing(),
    }


def timing(seconds: float = 3.25) -> dict[str, Any]:
    return {
        "command": "balance run configs/animalia.toml --threads 2",
        "machine": "2 cores",
        "threads": 2,
        "started": "2026-01-05T10:00:00Z",
        "seconds": seconds,
        "compile_seconds": 1.5,
        "games_per_second": 310000,
    }


def with_series(
    results: dict[str, Any], rule: str, values: Sequence[Any], baseline: int = 0
) -> dict[str, Any]:
    """The results and one series more, whose values are those of the cells of each number of players in order."""
    tables = []
    for players in dict.fromkeys(cell["players"] for cell in results["cells"]):
        cells = [cell for cell in results["cells"] if cell["players"] == players]
        rows = [_value(results, cell, value) for cell, value in zip(cells, values, strict=True)]
        rows.sort(key=lambda row: values.index(row["value"]))
        rows = [row | {"baseline": at == baseline} for at, row in enumerate(rows)]
        metrics = ["turns", "score", *(["score_margin"] if players > 1 else [])]
        tables.append({"players": players, "mode": None, "level": None, "metrics": metrics, "rows": rows})
    results["series"].append({"rule": rule, "official": True, "tables": tables})
    return results


def _value(results: dict[str, Any], cell: dict[str, Any], value: Any) -> dict[str, Any]:
    scores = [entry["score"]["mean"]["value"] for entry in cell["seats"]]
    means = {name: cell["measures"][name]["mean"] for name in ("turns", "score_margin")}
    differences = {
        metric["metric"]: metric["difference"]
        for one in results["comparisons"]
        if (one["variant"], one["players"]) == (cell["variant"], cell["players"])
        for metric in one["metrics"]
        if metric["seat"] is None
    }
    return {
        "value": value,
        "variant": cell["variant"],
        "baseline": False,
        "means": {**means, "score": estimate(sum(scores) / len(scores), 0.02)},
        "differences": differences,
        "seat": cell["tests"].get("largest_seat_deviation") if cell["players"] > 1 else None,
    }


def hostile() -> dict[str, Any]:
    """Every name that a user or a game chooses is an attack or at least unusual."""
    shape = Shape(
        players=(3,),
        variants=("baseline", *HOSTILE[:3]),
        policies=HOSTILE[:3],
        title=HOSTILE[0],
        items=HOSTILE,
        deviation=0.02,
    )
    results = build(shape)
    for at, definition in enumerate(results["definitions"].values()):
        definition |= {key: HOSTILE[at % len(HOSTILE)] for key in ("title", "unit", "help", "more")}
    results |= {
        "game": HOSTILE[1],
        "game_title": HOSTILE[5],
        "warnings": list(HOSTILE),
        "own_rules": {},
        "words": {"round": HOSTILE[0], "turn": HOSTILE[3]},
    }
    results["parameters"] = {
        name: HOSTILE[at % len(HOSTILE)] for at, name in enumerate(results["parameters"])
    }
    for at, policy in enumerate(results["policies"]):
        policy |= {"help": HOSTILE[at], "weights": {HOSTILE[at]: -1}}
    results["provenance"]["command"] = HOSTILE[0]
    results["provenance"]["fingerprints"] = {HOSTILE[5]: HOSTILE[4]}
    results["timing"]["machine"] = HOSTILE[2]
    for cell in results["cells"]:
        cell["mode"] = HOSTILE[1]
        cell["rules"][HOSTILE[0]] = HOSTILE[4]
        cell["logs"] = [game_log("turns", "\n".join(HOSTILE))]
    return results


def bare() -> dict[str, Any]:
    """A run of which only the outcome is known: no variants, no measures, no warnings, no parameters."""
    results = build(Shape(players=(2,)))
    results |= {
        "parameters": {},
        "policies": [],
        "warnings": [],
        "provenance": {},
        "own_rules": {},
        "words": {},
        "timing": {},
        "definitions": {},
    }
    cell = results["cells"][0]
    cell |= {"rules": {}, "measures": {}, "tests": {}, "extremes": [], "sides": []}
    del cell["leads"]
    return results


# ---------------------------------------------------------------------- one cell


def _cell(shape: Shape, luck: random.Random, players: int, at: int, level: str | None) -> dict[str, Any]:
    rules = {name: value for name, (value, _) in RULES.items()} | {"remove_neutral": players <= 4}
    changes = (
        {}
        if at == 0
        else {key: value for key, value in CHANGES[(at - 1) % 3 + 1].items() if rules[key] != value}
    )
    lead = shape.deviation * (1 - 0.4 * at)
    shares = [1 / players - lead / max(1, players - 1)] * players
    best = 1 % players
    shares[best] = 1 - sum(shares) + shares[best]
    games = 100_000 if shape.status == "complete" else 31_000
    slots = [shape.policies[slot % len(shape.policies)] for slot in range(players)]
    rotations = players if len(shape.policies) > 1 else 1
    return {
        "name": f"cell-{at}-p{players}",
        "variant": shape.variants[at],
        "players": players,
        "mode": None,
        "level": level,
        "policies": slots,
        "rules": rules | changes,
        "changes": changes,
        "components": [["animal tiles", 33 + 11 * min(players, 5)], ["stalls", 12], ["coins", 30]],
        "games": games,
        "blocks": games // rotations,
        "rotations": rotations,
        "capped": shape.capped,
        "void": shape.capped // 2,
        "seats": [
            {
                "seat": seat,
                "win_share": estimate(share, shape.half_width),
                "score": _summary(luck, 24 + 10 * (share - 1 / players), 5),
            }
            for seat, share in enumerate(shares)
        ],
        "sides": _sides(luck, slots, players),
        "measures": _measures(shape, luck, players, at),
        "tests": _tests(shares, best, shape.half_width),
        "extremes": [
            {
                "metric": metric,
                "end": end,
                "games": [{"game": luck.randrange(games), "value": 60 - rank} for rank in range(10)],
            }
            for metric in ("turns", "score_margin")
            for end in ("high", "low")
        ],
        **({"leads": leads(players)} if players > 1 and at == 0 else {}),
    }


def _tests(shares: Sequence[float], best: int, half: float) -> dict[str, Any]:
    even = 1 / len(shares)
    deviations = [
        {"seat": seat, "estimate": estimate(share - even, 1.3 * half)} for seat, share in enumerate(shares)
    ]
    pairs = [
        {"seats": [a, b], "difference": estimate(shares[a] - shares[b], 2 * half)}
        for a, b in itertools.combinations(range(len(shares)), 2)
    ]
    spread = max((abs(pair["difference"]["value"]) for pair in pairs), default=0.0)
    return (
        {
            "largest_seat_deviation": deviations[best],
            "even": {"statistic": 12.5, "p_value": 0.0004, "effect": 0.021},
            "deviations": deviations,
            "pairs": pairs,
            "spread": spread,
            "band": {"most": 0.03, "set": False},
            "verdict": "inside"
            if spread + 2 * half <= 0.03
            else "outside"
            if spread > 0.03 + 2 * half
            else "cannot tell",
        }
        if len(shares) > 1
        else {}
    )


def _policy(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "based_on": "greedy",
        "kernel": "choose_greedy",
        "help": "Weighs each option.",
        "temperature": 4,
        "weights": {"medal": 15, "card": -14},
    }


def leads(players: int, games: int = 2000) -> dict[str, Any]:
    """Who leads when: after two of three seasons, somebody alone, and more and more often for good."""

    def distribution(counts: Sequence[int]) -> dict[str, Any]:
        histogram = {"values": list(range(len(counts))), "counts": list(counts)}
        quantiles = {"p10": 0, "p50": 1, "p90": len(counts) - 1}
        return {"quantiles": quantiles, "max": len(counts) - 1, "histogram": histogram}

    rounds = [
        {
            "round": number,
            "games": games,
            "alone": 0.5 + 0.2 * number,
            "wins": {**estimate(1 / players + 0.2 * number, 0.02), "n": games},
            "decided": {**estimate(0.3 * number, 0.02), "n": games},
        }
        for number in (1, 2)
    ]
    return {
        "games": games,
        "half": rounds[0]["wins"],
        "last": {**estimate(0.6 / players, 0.01), "n": games},
        "rounds": rounds,
        "changes": {
            "mean": {**estimate(0.8, 0.04), "n": games},
            "none": {**estimate(0.45, 0.02), "n": games},
            **distribution((900, 600, 500)),
        },
        "behind": {"none": {**estimate(0.5, 0.02), "n": games}, **distribution((1000, 400, 400, 150, 49, 1))},
        "comebacks": [
            {"game": game, "behind": behind, "seat": 1, "round": 2} for game, behind in ((128, 5), (7, 4))
        ],
    }


def game_log(metric: str, text: str, game: int = 128, whole: bool = True) -> dict[str, Any]:
    return {"metric": metric, "end": "high", "value": 60, "game": game, "text": text, "whole": whole}


def _sides(luck: random.Random, slots: Sequence[str], players: int) -> list[dict[str, Any]]:
    found = list(dict.fromkeys(slots))
    return [
        {
            "policy": policy,
            "seat_share": slots.count(policy) / players,
            "win_share": estimate(1 / players + 0.08 * (len(found) / 2 - rank), 0.004),
            "share_of_wins": estimate(1 / len(found) + 0.08 * (len(found) / 2 - rank), 0.008),
            "seats": [estimate(1 / players + 0.01 * (seat - rank), 0.009) for seat in range(players)],
            "score": _summary(luck, 26 - 3 * rank, 5),
        }
        for rank, policy in enumerate(found)
    ]


def _summary(luck: random.Random, mean: float, sd: float, lowest: int = 0) -> dict[str, Any]:
    drawn = sorted(max(lowest, round(luck.gauss(mean, sd))) for _ in range(1000))
    number = Counter(drawn)
    values = list(range(drawn[0], drawn[-1] + 1))
    return {
        "mean": estimate(mean, sd * 0.0062),
        "sd": sd,
        "quantiles": {"p10": drawn[100], "p50": drawn[500], "p90": drawn[900]},
        "min": drawn[0],
        "max": drawn[-1],
        "histogram": {"values": values, "counts": [100 * number[value] for value in values]},
    }


def _constant(number: int) -> dict[str, Any]:
    return {
        "mean": estimate(number, 0),
        "sd": 0.0,
        "quantiles": {"p10": number, "p50": number, "p90": number},
        "min": number,
        "max": number,
        "histogram": {"values": [number], "counts": [100_000]},
    }


def _measures(shape: Shape, luck: random.Random, players: int, at: int) -> dict[str, Any]:
    return {
        "turns": _summary(luck, 9 * players + 2 * at, 3.2),
        "rounds": _constant(3) if at != 2 else _summary(luck, 4, 0.7),
        "plies": _summary(luck, 14 * players, 5),
        "score_margin": _summary(luck, 4.2, 2.5),
        "tie_rate": {"mean": estimate(0.041 + 0.004 * at, 0.0012), "count": 4100 + 400 * at},
        "most_medals": _summary(luck, 11, 1.4),
        "out_of_medals": {"mean": estimate(0.0007, 0.0002), "count": 70},
        "thefts": {"seats": [_summary(luck, 1.4 + 0.1 * seat, 1) for seat in range(players)]},
        "standing": {
            "rounds": [1, 2, 3],
            "seats": [
                [{"mean": estimate(7.5 * step + 0.3 * seat, 0.05), "sd": 2.1} for step in (1, 2, 3)]
                for seat in range(players)
            ],
        },
        "cards": {"items": [_item(name, rank, len(shape.items)) for rank, name in enumerate(shape.items)]},
    }


def _item(name: str, rank: int, items: int) -> dict[str, Any]:
    offered = 2.4 - 1.5 * rank / items
    taken = 0.0 if rank == items - 2 else offered * (0.8 - 0.4 * rank / items)
    faces = {"offered": offered, "taken": taken, "held_by_winner": taken * 0.4}
    return {
        "item": name,
        **{
            face: {"total": int(100_000 * mean), "mean": estimate(mean, 0.004)}
            for face, mean in faces.items()
        },
        "take_rate": estimate(taken / offered, 0.002) if rank else None,
    }


# ---------------------------------------------------------------------- comparisons


def _comparisons(shape: Shape, luck: random.Random, cells: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for cell in cells:
        if cell["variant"] == shape.variants[0]:
            continue
        base = next(
            one
            for one in cells
            if (one["variant"], one["players"], one["level"])
            == (shape.variants[0], cell["players"], cell["level"])
        )
        found.append(
            {
                "variant": cell["variant"],
                "players": cell["players"],
                "mode": None,
                "level": cell["level"],
                "baseline": base["variant"],
                "games": cell["games"],
                "changed": True,
                "same_rules": None,
                "metrics": [
                    _metric(metric, seat, _of(base, metric, seat), _of(cell, metric, seat), luck)
                    for metric, seat in _wanted(cell)
                ],
            }
        )
    return found


def _wanted(cell: dict[str, Any]) -> list[tuple[str, int | None]]:
    metrics = ("score", "turns", "rounds", "plies", "score_margin", "tie_rate", "most_medals")
    return [
        *((metric, None) for metric in metrics),
        *(("win_share", seat) for seat in range(cell["players"])),
    ]


def _of(cell: dict[str, Any], metric: str, seat: int | None) -> float:
    if seat is not None:
        return float(cell["seats"][seat]["win_share"]["value"])
    if metric == "score":
        return sum(entry["score"]["mean"]["value"] for entry in cell["seats"]) / cell["players"]
    return float(cell["measures"][metric]["mean"]["value"])


def _metric(
    metric: str, seat: int | None, baseline: float, value: float, luck: random.Random
) -> dict[str, Any]:
    half = 0.0022 if metric in ("win_share", "tie_rate") else 0.03
    seen = value - baseline + luck.uniform(-half, half) / 2
    return {
        "metric": metric,
        "seat": seat,
        "baseline": baseline,
        "value": baseline + seen,
        "difference": estimate(seen, half),
        **judged(metric, seen, half),
    }


def judged(metric: str, seen: float, half: float, worse: bool = False) -> dict[str, Any]:
    """What else is said of a difference, as if its interval alone decided."""
    return {
        "effect": seen / (0.4 if metric in ("win_share", "tie_rate") else 5),
        "correlation": 0.6,
        "worth": 2.5,
        "family": "explored" if metric in ("plies", "most_medals") else "headline",
        "p_value": 0.0001 if abs(seen) > half else 0.4,
        "adjusted": 0.0005 if abs(seen) > half else 1.0,
        "found": abs(seen) > half,
        "worse": worse or (metric == "tie_rate" and seen > half),
    }
