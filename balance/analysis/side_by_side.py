"""Runs side by side, in the order of their dates: how a number moved from one version of the game to the next.

What is held together are the baselines of the runs, table by table. Their deals are different ones, so a difference
has the interval of two samples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from balance.errors import BalanceError, listed
from balance.stats.estimate import Estimate
from balance.stats.independent import independent_difference

Record = Mapping[str, Any]
Table = tuple[int, str | None, str | None]
Metric = tuple[str, tuple[int, ...]]
"""A number of a table, and of which seats: of none, of one, or of a team's."""


def side_by_side(runs: Mapping[str, Record]) -> dict[str, Any]:
    """The runs by name, held together; BalanceError where they are of different games, or of unequal confidence."""
    ordered = dict(
        sorted(runs.items(), key=lambda one: (str(one[1].get("timing", {}).get("started", "")), one[0]))
    )
    results = list(ordered.values())
    _same(ordered, "game", "games")
    _same(ordered, "confidence", "levels of confidence")
    tables = list(dict.fromkeys(table for one in results for table in _baselines(one)))
    return {
        "game_title": results[-1]["game_title"],
        "confidence": results[-1]["confidence"],
        "definitions": results[-1]["definitions"],
        "words": results[-1]["words"],
        "runs": [_run(name, one) for name, one in ordered.items()],
        "rules": list(_rules(results, tables)),
        "tables": [_table(results, table) for table in tables],
    }


def _same(runs: Mapping[str, Record], key: str, what: str) -> None:
    found = {str(one[key]): name for name, one in runs.items()}
    if len(found) > 1:
        told = listed(f"{name} ({value})" for value, name in found.items())
        raise BalanceError(f"These runs cannot stand side by side, for they are of different {what}: {told}.")


def _run(name: str, results: Record) -> dict[str, Any]:
    policies = dict.fromkeys(policy for cell in results["cells"] for policy in cell["policies"])
    return {
        "name": name,
        "title": results["title"],
        "started": results.get("timing", {}).get("started"),
        "tool": results["provenance"]["tool"],
        "rules_version": results["provenance"]["rules_version"],
        "seed": results["seed"],
        "games": sum(cell["games"] for cell in results["cells"]),
        "policies": list(policies),
        "deck": results.get("deck", {}).get("digest"),
        "status": results["status"],
        "bans": list(_bans(results)),
    }


def _bans(results: Record) -> Iterator[dict[str, Any]]:
    """What a seat had to do without in which variant; its games are not held together."""
    found = {cell["variant"]: cell["ban"] for cell in results["cells"] if "ban" in cell}
    for variant, ban in found.items():
        yield {"variant": variant, "seat": ban["seat"], "what": ban["what"]}


def _baselines(results: Record) -> dict[Table, Record]:
    """The first cell of each table, which is its baseline."""
    found: dict[Table, Record] = {}
    for cell in results["cells"]:
        found.setdefault((cell["players"], cell["mode"], cell["level"]), cell)
    return found


def _rules(results: Sequence[Record], tables: Sequence[Table]) -> Iterator[dict[str, Any]]:
    """The rules that are not the same in all runs, table by table; None where a run has no such table."""
    for table in tables:
        cells = [_baselines(one).get(table) for one in results]
        played = [cell["rules"] for cell in cells if cell is not None]
        for rule in dict.fromkeys(name for rules in played for name in rules):
            values = [None if cell is None else cell["rules"].get(rule) for cell in cells]
            if len({repr(rules.get(rule)) for rules in played}) > 1:
                yield {**_where(table), "rule": rule, "values": values}


def _where(table: Table) -> dict[str, Any]:
    return dict(zip(("players", "mode", "level"), table, strict=True))


def _table(results: Sequence[Record], table: Table) -> dict[str, Any]:
    numbers = [_numbers(_baselines(one).get(table)) for one in results]
    metrics = dict.fromkeys(metric for of_run in numbers for metric in of_run)
    return {**_where(table), "metrics": [_metric(metric, numbers) for metric in metrics]}


def _metric(metric: Metric, numbers: Sequence[Mapping[Metric, Record]]) -> dict[str, Any]:
    """A number in each run, and by how much it moved from the run before that has it."""
    values = [of_run.get(metric) for of_run in numbers]
    moved: list[dict[str, Any] | None] = []
    before: Record | None = None
    for value in values:
        is_step = before is not None and value is not None
        moved.append(
            independent_difference(_estimate(value), _estimate(before)).as_dict() if is_step else None
        )
        before = value or before
    name, seats = metric
    whose = {"seat": seats[0] if seats else None, **({"seats": list(seats)} if len(seats) > 1 else {})}
    return {"metric": name, **whose, "values": values, "moved": moved}


def _numbers(cell: Record | None) -> dict[Metric, Record]:
    """The means of a cell that are estimates, by metric and seat; wins and scores of a team by its seats."""
    found: dict[Metric, Record] = {}
    if cell is None or not cell["blocks"]:
        return found
    sides = {tuple(one.get("seats") or (one["seat"],)): one for one in cell.get("teams") or cell["seats"]}
    if "goal" not in cell and len(sides) > 1:
        found |= {("win_share", seats): one["win_share"] for seats, one in sides.items()}
    found |= {("score", seats): one["score"]["mean"] for seats, one in sides.items()}
    for name, measure in cell["measures"].items():
        if "mean" in measure:
            found[name, ()] = measure["mean"]
        elif "seats" in measure and all("mean" in one for one in measure["seats"]):
            found |= {(name, (seat,)): one["mean"] for seat, one in enumerate(measure["seats"])}
    return {metric: estimate for metric, estimate in found.items() if estimate["value"] is not None}


def _estimate(found: Record | None) -> Estimate:
    assert found is not None
    infinite = {"low": float("-inf"), "high": float("inf")}
    ends = {end: infinite[end] if found[end] is None else found[end] for end in infinite}
    return Estimate(found["value"], ends["low"], ends["high"], found["n"], found["method"])
