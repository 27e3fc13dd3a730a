"""The rules that were played and who played: every parameter, what the variants change, the types of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.report import cells, words
from balance.report.blocks import Entry, Table, table

Record = Mapping[str, Any]


def tables(results: Record) -> list[Table]:
    """What the variants change, all parameters of the baseline with the changed ones marked, the types of players."""
    changed, baseline = _changes(results), words.baseline_cells(results)
    found = [_change_table(changed)] if changed else []
    if any(cell["rules"] for cell in baseline):
        found.append(_parameters(results, baseline, {row[2] for row in changed}))
    if results["policies"]:
        found.append(_policies(results))
    return found


def written(value: object) -> str:
    """A parameter's value as an experiment file has it, without quotation marks."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(written(item) for item in value)}]"
    return "" if value is None else str(value)


def _change_table(changed: Sequence[Sequence[str]]) -> Table:
    heads = ["Variant", "Players", "Parameter", "Baseline", "Variant's value"]
    rows: list[list[str | Entry]] = [[*row[:4], Entry(row[4], row[5], marked=True)] for row in changed]
    return table("What the variants change in the rules", heads, rows)


def _changes(results: Record) -> list[list[str]]:
    """Variant, players, parameter, baseline value, new value, a remark; equal changes at several tables share a row."""
    rules_at = {_table(cell): cell["rules"] for cell in words.baseline_cells(results)}
    found: dict[tuple[str, str, str, str, str], list[str]] = {}
    for cell in (one.cell for one in cells.every(results)):
        for parameter, value in sorted(cell["changes"].items()):
            before = rules_at.get(_table(cell), {}).get(parameter)
            remark = words.isolated(cell.get("remarks", {}).get(parameter, ""))
            key = (str(cell["variant"]), parameter, written(before), written(value), remark)
            players = found.setdefault(key, [])
            at = f"{cell['players']} ({cell['mode']})" if cell.get("mode") else str(cell["players"])
            players += [] if at in players else [at]
    return [[key[0], listed(players), *key[1:]] for key, players in found.items()]


def _table(cell: Record) -> tuple[int, object, object]:
    return cell["players"], cell.get("mode"), cell.get("level")


def _parameters(results: Record, baseline: Sequence[Record], altered: set[str]) -> Table:
    by_table = {words.table_size(cell): cell for cell in baseline}  # all levels of play have the same rules
    tables = list(by_table.values())
    names = sorted({parameter for cell in tables for parameter in cell["rules"]})
    alike = all(len({written(cell["rules"].get(one)) for cell in tables}) == 1 for one in names)
    heads, shown = (["Value"], tables[:1]) if alike else (list(by_table), tables)
    rows = [
        [
            Entry(
                one,
                words.without_codes(str(results["parameters"].get(one, ""))),
                marked=one in altered,
                code=True,
            ),
            *(_value(cell, one, one in altered) for cell in shown),
        ]
        for one in names
    ]
    mark = "; marked: a variant changes it" if altered else ""
    caption = f"All parameters of {words.name(words.baseline_name(results))}{mark}"
    return table(caption, ["Parameter", *heads], rows)


def _value(cell: Record, parameter: str, marked: bool) -> Entry:
    remark = words.isolated(cell.get("remarks", {}).get(parameter, ""))
    return Entry(written(cell["rules"].get(parameter)), remark, marked=marked)


def _policies(results: Record) -> Table:
    """The types of players: what each does, and by which numbers."""
    rows = []
    for policy in results["policies"]:
        numbers = {"temperature": policy["temperature"], **dict(sorted(policy["weights"].items()))}
        weighs = ", ".join(f"{name} = {value}" for name, value in numbers.items())
        rows.append([words.isolated(policy["id"]), words.isolated(policy["help"]), weighs])
    return table(
        "The types of players and their numbers", ["Type of player", "What it does", "Numbers"], rows
    )
