"""The source of a game's kernels: names that are declared nowhere, and what kernels must not make."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from balance.conformance.facts import KERNELS
from balance.conformance.violation import Violation
from balance.engine.banned import kernels_of
from balance.engine.kernels import reached
from balance.engine.records import weights_records
from balance.errors import nearest
from balance.game import Game

_MADE = {
    ast.List: "a list",
    ast.Dict: "a dictionary",
    ast.Set: "a set",
    ast.Tuple: "a tuple",
    ast.ListComp: "a list",
    ast.SetComp: "a set",
    ast.DictComp: "a dictionary",
    ast.GeneratorExp: "a generator",
    ast.JoinedStr: "a text",
}
_INTEGERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
"""All that kernels may take from numpy."""


@dataclass(frozen=True)
class Source:
    """A kernel as it is written, and the line in its file that line 1 of the tree stands on."""

    fn: Any
    tree: ast.FunctionDef
    first: int

    def where(self, node: ast.AST) -> str:
        """The kernel, its file and a line: 'score (pig.py, line 12)'."""
        line = self.first + getattr(node, "lineno", 1) - 1
        return f"{self.fn.__name__} ({Path(self.fn.__code__.co_filename).name}, line {line})"


def sources(game: Game) -> Iterator[Source]:
    """The game's own kernels, and all of others that they call but the engine's."""
    own = [getattr(game, name) for name in KERNELS] + [policy.choose for policy in game.policies]
    for fn in reached(own + kernels_of(game)):
        if not str(fn.__module__).startswith("balance.engine"):
            yield Source(fn, _tree(fn), fn.__code__.co_firstlineno)


@cache
def _tree(fn: Any) -> ast.FunctionDef:
    tree = ast.parse(textwrap.dedent(inspect.getsource(fn))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


def written(game: Game) -> Iterator[Violation]:
    """What is wrong with the kernels as they are written."""
    known = _fields(game)
    for source in sources(game):
        yield from _unknown(source, known)
        yield from _unfit(source)


def _fields(game: Game) -> dict[str, tuple[str, list[str]]]:
    """For the arguments that are records what their fields are, in words, and how they are called."""
    weights = list(weights_records((), game.policies).dtype.names)
    tables = game.tables_of(game.resolve(game.official_sizes[0]))
    return {
        "params": ("rule or table", [*game.resolve(game.official_sizes[0]).as_data(), *tables]),
        "state": ("field of the state", list(game.state_dtype.names or ())),
        "row": ("measure", [measure.id for measure in game.measures]),
        "weights": ("weight of the policies", weights),
        "actions": ("field of the actions", ["code"]),
    }


def _unknown(source: Source, known: dict[str, tuple[str, list[str]]]) -> Iterator[Violation]:
    arguments = {argument.arg for argument in source.tree.args.args} & known.keys()
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        record, name = node.value.id, node.attr
        if record in arguments and name not in known[record][1]:
            what, names = known[record]
            sentence = f'uses {record}.{name}, but there is no {what} "{name}".{nearest(name, names)}'
            yield Violation("fields", f"{source.where(node)} {sentence}")


def _unfit(source: Source) -> Iterator[Violation]:
    allowed = _allowed_tuples(source.tree)
    for statement in source.tree.body:
        for node in ast.walk(statement):
            if id(node) not in allowed and (fault := _fault(node)):
                yield Violation("kernels", f"{source.where(node)} {fault}.")


def _allowed_tuples(tree: ast.FunctionDef) -> set[int]:
    """Tuples that are none when compiled: indices, several values assigned or returned at once. And the docstring."""
    found: list[Any] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            found.append(node.slice)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            found += [node.targets[0], node.value]
        elif isinstance(node, ast.Return):
            found.append(node.value)
        elif isinstance(node, ast.IfExp):
            found += [node.body, node.orelse]
    docstring = {id(tree.body[0].value)} if isinstance(tree.body[0], ast.Expr) else set()
    return docstring | {id(node) for node in found if isinstance(node, ast.Tuple)}


def _fault(node: ast.AST) -> str:
    """What is wrong with a piece of a kernel, as the end of a sentence; '' where nothing is."""
    if type(node) in _MADE:
        return f"makes {_MADE[type(node)]}; keep whole numbers in fields of the state"
    if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
        return f"reckons with {node.value}, a fraction; kernels reckon in whole numbers"
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return "uses a text; texts belong into the tracer and narrate"
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
        return "divides with /, which makes fractions; write //"
    is_numpy = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np"
    if is_numpy and node.attr not in _INTEGERS:  # type: ignore[attr-defined]
        return f"uses np.{node.attr}; of numpy kernels use types of whole numbers only"  # type: ignore[attr-defined]
    return ""
