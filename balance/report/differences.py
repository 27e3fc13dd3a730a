"""What the variants change, in sentences: what got worse first, then the biggest changes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.report import bans, voids, words

Record = Mapping[str, Any]
Pair = tuple[Record, Record]
"""A comparison and one metric of it."""
SHOWN_CHANGES = 8


WORSE = (
    "Worse means: seats further apart or one further from an even share, more shared wins, more games at the cap, or "
    "more components needed than the box holds."
)


def sentences(results: Record, limit: int = SHOWN_CHANGES) -> list[str]:
    """What the variants change, what got worse first, and how many differences could not be told apart from none.

    What a variant changes in the same direction at several numbers of players is one sentence.
    """
    changed = [one for one in results["comparisons"] if one["changed"]]
    pairs = [(one, metric) for one in changed for metric in one["metrics"]]
    found = [pair for pair in pairs if pair[1]["found"]]
    groups = _grouped([pair for pair in found if not _told_as_a_whole(*pair)])
    groups.sort(key=_rank)
    shown = groups[:limit]
    hidden = len(found) - sum(map(len, shown))
    return [
        *bans.sentences(results),
        *voids.sentences(results),
        *(change(results, group) for group in shown),
        *([WORSE] if any(group[0][1]["worse"] for group in shown) else []),
        *_idle(results),
        *_remainder(pairs, len(found), hidden, results),
        *_gain(results, changed),
    ]


def _rank(group: Sequence[Pair]) -> tuple[bool, float]:
    """What got worse comes first, then what changed most, by how much it varies from game to game."""
    sizes = [math.inf if metric["effect"] is None else abs(metric["effect"]) for _, metric in group]
    return not group[0][1]["worse"], -max(sizes)


def _idle(results: Record) -> Iterable[str]:
    """The variants in which not one game came out otherwise; of those that have the baseline's rules somewhere only
    those that have them everywhere."""
    alike: dict[tuple[str, str | None], list[Record]] = {}
    differs = {one["variant"] for one in results["comparisons"] if one["same_rules"] is None}
    for one in results["comparisons"]:
        if not one["changed"] and not (one["same_rules"] and one["variant"] in differs):
            alike.setdefault((one["variant"], one["same_rules"]), []).append(one)
    together: dict[tuple[str | None, str, int], list[str]] = {}
    for (variant, source), found in alike.items():
        where = f"with {listed(words.setting(one) for one in found)}"
        together.setdefault((source, where, sum(one["games"] for one in found)), []).append(
            words.name(variant)
        )
    for (source, where, games), names in together.items():
        yield _alike(source, where, games, names)


def _alike(source: str | None, where: str, games: int, names: Sequence[str]) -> str:
    """'These 2 changes changed no game of 1,000 with 4 players: "a" and "b".'"""
    if len(names) > 1:
        already = f", as the {source} says the same already" if source else ""
        which, of = words.count(len(names)), words.count(games)
        return f"These {which} changes changed no game of {of} {where}{already}: {listed(names)}."
    already, so = (f" is what the {source} says already", ", so") if source else ("", ": in them")
    not_one = f"not one of {words.plural(games, 'game')} came out otherwise"
    return f"{names[0]} {where}{already}: {not_one}{so} every difference is exactly 0."


def _told_as_a_whole(comparison: Record, metric: Record) -> bool:
    """Whether one seat's difference is part of a difference of all seats that was found, which says it more shortly."""
    found = [one for one in comparison["metrics"] if one["found"]]
    wholes = {one["metric"] for one in found if one["seat"] is None and "policy" not in one}
    return (metric["seat"] is not None or "policy" in metric) and metric["metric"] in wholes


def _grouped(differences: Sequence[Pair]) -> list[list[Pair]]:
    groups: dict[tuple[object, ...], list[Pair]] = {}
    for comparison, metric in differences:
        upwards = metric["difference"]["value"] > 0
        who = (metric["seat"], str(metric.get("seats", "")), metric.get("policy"))
        key = (comparison["variant"], metric["metric"], who, upwards, metric["worse"])
        groups.setdefault(key, []).append((comparison, metric))
    return list(groups.values())


def _remainder(pairs: Sequence[Pair], found: int, hidden: int, results: Record) -> Iterable[str]:
    looked_at = len(pairs)
    if hidden:
        yield f"{words.plural(hidden, 'more difference is', 'more differences are')} in the tables."
    all_of_them = words.plural(looked_at, "difference")
    if not found and looked_at:
        start = "Beside the claim that the sequential test chose, none" if has_claim(results) else "None"
        yield f"{start} of the {all_of_them} looked at could be told apart from no change."
    elif found < looked_at:
        untold = words.count(looked_at - found)
        yield f"{untold} of the {all_of_them} looked at could not be told apart from no change."
    if found:
        asked = [one for one in results["comparisons"] if one["same_rules"] is None]
        declared = sum(metric["family"] == "headline" for one in asked for metric in one["metrics"])
        explored = sum(len(one["metrics"]) for one in asked) - declared
        error = f"{100 * (1 - results['confidence']):g} %"
        all_of_them = ", those included where not one game changed" if declared + explored > looked_at else ""
        yield (
            f"These findings allow for the number of questions{all_of_them}: among the {words.count(declared)} "
            f"headline numbers a false one has a chance of {error} at most (Holm); of those found among the "
            f"{words.count(explored)} others about {error} may be false (Benjamini and Hochberg)."
        )


def has_claim(results: Record) -> bool:
    """Whether a sequential test accepted a claim about what a variant changes."""
    tested = results.get("sprt") or {"policy": None, "cells": []}
    return tested["policy"] is None and any(one["accepted"] is not None for one in tested["cells"])


def _gain(results: Record, changed: Sequence[Record]) -> Iterable[str]:
    """What playing the same deals gained, over the headline numbers."""
    known = [
        (metric["worth"], metric["correlation"], metric, one)
        for one in changed
        for metric in one["metrics"]
        if metric["family"] == "headline"
        and metric["worth"] is not None
        and metric["correlation"] is not None
    ]
    if not known:
        return
    ends = [
        min(known, key=lambda one: one[0]),
        *([max(known, key=lambda one: one[0])] if len(known) > 1 else []),
    ]
    told = [
        f"{words.fixed(worth, 1)} for {subject(results, metric)}{_of(one, changed)} (correlation "
        f"{words.fixed(correlation, 2)})"
        for worth, correlation, metric, one in ends
    ]
    yield f"A game on the same deals is worth so many games on different deals: {' to '.join(told)}."


def _of(one: Record, changed: Sequence[Record]) -> str:
    """By which variant and with how many players, where several were compared: ' by "a", with 4 players'."""
    variant = f" by {words.name(one['variant'])}" if len({each["variant"] for each in changed}) > 1 else ""
    table = f" with {words.setting(one)}" if len({words.setting(each) for each in changed}) > 1 else ""
    return f"{variant}{table}"


def change(results: Record, group: Sequence[Pair]) -> str:
    """What one variant does to one metric, at each number of players where it was told apart."""
    comparison, metric = group[0]
    worse = "Worse: " if metric["worse"] else ""
    moves = "rises" if metric["difference"]["value"] > 0 else "falls"
    steps = "; ".join(_step(results, *pair) for pair in group)
    return f"{worse}{words.name(comparison['variant'])}: {subject(results, metric)} {moves} {steps}."


def _step(results: Record, comparison: Record, metric: Record) -> str:
    """'with 4 players from 28.1 to 30.4, by 2.3 (interval 2.2 to 2.4)'."""
    share, estimate = words.is_share(results, metric["metric"]), metric["difference"]
    start, unit = f"with {words.setting(comparison)}", words.PP if share else ""
    ends = metric["baseline"], metric["value"]
    if estimate["low"] == estimate["high"]:
        before, after, size = words.alike(*ends, abs(estimate["value"]))
        how = f"by {size} every time"
    else:
        digits, closest, size, furthest = words.sizes(estimate, share, ends)
        told = (words.plain(end, share, digits) for end in ends)
        before, after = (words.measured(metric["metric"], end) for end in told)
        how = f"by {size}{unit} (interval {closest} to {furthest}{unit})"
    if metric.get("same_games", True):
        return f"{start} from {before} to {after}, {how}"
    return f"{start} {how}"  # the means are of other games


def ordered(pairs: Sequence[Pair]) -> list[Pair]:
    """What got worse first, then what changed, the biggest first, then all others as they come."""
    return sorted(
        pairs, key=lambda pair: (not pair[1]["found"], *(_rank([pair]) if pair[1]["found"] else ()))
    )


def what(results: Record, entry: Record) -> str:
    """A metric in a table: 'Turns', 'Share of wins, seat 1'."""
    title = words.isolated(words.title(results, entry["metric"]))
    if entry.get("policy"):
        return f"{title}, {words.isolated(entry['policy'])}"
    return title if entry["seat"] is None else f"{title}, {words.side(entry)}"


def subject(results: Record, metric: Record) -> str:
    """What a difference is about: '"Turns"', 'seat 2's share of wins', 'seat 2's "Score"'."""
    title, index = words.title(results, metric["metric"]), metric.get("seat")
    of = "share of wins" if metric["metric"] == "win_share" else words.name(title)
    if metric.get("policy"):
        return f"{of} of {words.name(metric['policy'])}"
    if metric.get("seats"):
        return f"{of} of {words.side(metric)}"
    return of if index is None else f"{words.seat(index)}'s {of}"
