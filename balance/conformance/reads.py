"""A parameter that nothing reads would be reported, with great precision, as having no effect."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from balance.conformance.facts import KERNELS, is_free
from balance.conformance.violation import Violation
from balance.engine.kernels import global_names, is_kernel
from balance.engine.records import params_dtype
from balance.game import Game, GameParams


def unstable(game: Game, rule_sets: Sequence[GameParams]) -> Iterator[Violation]:
    """Tables that the one binary for all rules cannot use."""
    try:
        layouts = [params_dtype(game, params) for params in rule_sets]
    except ValueError as error:  # two fields of one name
        yield Violation("tables", f"Tables and parameters do not fit into one record: {error}.")
        return
    if any(layout != layouts[0] for layout in layouts):
        yield Violation("tables", "Tables change their names, types or shapes with the rules.")
    for name in (layouts[0].names or ())[len(game.Params.model_fields) :]:
        if not is_free(name) or layouts[0][name].base.kind not in "iu":
            yield Violation("tables", f'The table "{name}" needs another name, or integers.')


def unread(game: Game, rule_sets: Sequence[GameParams]) -> Iterator[Violation]:
    """Parameters and tables that no kernel and no table is worked out from."""
    read = {"players"} | _read_by_kernels(game) | _read_by_tables(game, rule_sets)
    for name in params_dtype(game, rule_sets[0]).names or ():
        if name not in read:
            yield Violation("parameters", f'"{name}" is read by no kernel and no table, so it has no effect.')


def _read_by_kernels(game: Game) -> set[str]:
    """The fields of `params` that some kernel names."""
    waiting = [getattr(game, name) for name in KERNELS] + [policy.choose for policy in game.policies]
    seen: set[int] = set()
    read: set[str] = set()
    while waiting:
        fn = waiting.pop()
        if id(fn) in seen:
            continue
        seen.add(id(fn))
        reached = [fn.__globals__.get(name) for name in global_names(fn.__code__)]
        waiting += [value for value in reached if is_kernel(value)]
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(fn)))):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "params"
            ):
                read.add(node.attr)
    return read


def _read_by_tables(game: Game, rule_sets: Sequence[GameParams]) -> set[str]:
    """The parameters that the game's tables are worked out from."""
    read: set[str] = set()

    def noting(self: Any, name: str) -> Any:
        if name in game.Params.model_fields:
            read.add(name)
        return object.__getattribute__(self, name)

    watched: Any = type("Watched", (game.Params,), {"__getattribute__": noting})
    if game.tables:
        for params in rule_sets:
            game.tables(watched.model_construct(**dict(params)))
    return read
