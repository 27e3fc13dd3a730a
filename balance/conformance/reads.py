"""A parameter that nothing reads would be reported, with great precision, as having no effect."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from balance.conformance.code import sources
from balance.conformance.extremes import openings
from balance.conformance.facts import is_free
from balance.conformance.violation import Violation
from balance.game import Game, GameParams

Tables = dict[str, Any]


def worked_out(game: Game, rule_sets: Sequence[GameParams]) -> tuple[list[Tables], set[str]]:
    """The tables of each set of rules, and the parameters that were read to work them out."""
    read: set[str] = set()
    if game.tables is None:
        return [{} for _ in rule_sets], read

    def noting(self: Any, name: str) -> Any:
        if name in game.Params.model_fields:
            read.add(name)
        return object.__getattribute__(self, name)

    watched: Any = type("Watched", (game.Params,), {"__getattribute__": noting})
    return [game.tables_of(watched.model_construct(**dict(params))) for params in rule_sets], read


def unstable(game: Game, tables: Sequence[Tables]) -> Iterator[Violation]:
    """Tables that the one binary for all rules cannot use."""
    layouts = [
        [(name, np.asarray(value).dtype, np.shape(value)) for name, value in each.items()] for each in tables
    ]
    if any(layout != layouts[0] for layout in layouts):
        yield Violation("tables", "Tables change their names, types or shapes with the rules.")
    for name, dtype, _ in layouts[0]:
        if name in game.Params.model_fields:
            yield Violation("tables", f'The table "{name}" is called like a parameter.')
        if not is_free(name) or dtype.kind not in "iu":
            yield Violation("tables", f'The table "{name}" needs another name, or integers.')


def unread(game: Game, tables: Tables, read_by_tables: set[str]) -> Iterator[Violation]:
    """Parameters and tables that no kernel reads, and no table is worked out from."""
    gates = {name for opened in openings(game).values() for name in opened}
    read = {"players"} | gates | _read_by_kernels(game)
    for name in game.Params.model_fields:
        if name not in read | read_by_tables:
            yield Violation("parameters", f'"{name}" is read by no kernel and no table, so it has no effect.')
    for name in tables:
        if name not in read:
            yield Violation("tables", f'The table "{name}" is read by no kernel.')


def _read_by_kernels(game: Game) -> set[str]:
    """The fields of `params` that some kernel names."""
    nodes = (node for source in sources(game) for node in ast.walk(source.tree))
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "params"
    }
