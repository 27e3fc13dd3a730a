"""The rules of the house as functions: each takes a piece of the project and says what is wrong with it."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Source:
    """One Python file: where it lies in the repository, and its text."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def module(self) -> str:
        """Its name when imported."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


def tracked() -> list[str]:
    """The files of the repository; in a copy without version control, all that are no caches."""
    if (ROOT / ".git").exists():
        command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        return [path for path in dict.fromkeys(listed) if (ROOT / path).is_file()]
    found = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
    cached = ("__pycache__", ".egg-info", ".venv", "_cache")
    return [path.as_posix() for path in found if not any(part.endswith(cached) for part in path.parts)]


def sources(*folders: str) -> list[Source]:
    """The Python files below some folders."""
    paths = [path for path in tracked() if path.endswith(".py") and path.startswith(folders)]
    return [Source(path, (ROOT / path).read_text("utf-8")) for path in paths]


# ---------------------------------------------------------------- kernels

LONGEST_KERNEL = 25
NUMBERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
"""All that kernels may take from numpy: the types of integers."""
CALLS = {"range", "min", "max", "abs", "len", "bool", "int"}
"""The builtins that kernels may call."""
DISPLAYS = (
    ast.List,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.JoinedStr,
)
STATEMENTS = (ast.Raise, ast.Assert, ast.Try, ast.With, ast.Yield, ast.YieldFrom, ast.Await, ast.Import)
STATEMENTS += (ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Lambda, ast.ClassDef, ast.Delete)
FIRST, LAST = ("state", "params"), ("rng", "actions", "row")
"""The order of the house: state, params, then the subject, then rng, then buffers."""


def is_kernel(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef):
        return False
    marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in node.decorator_list]
    return any(isinstance(mark, ast.Name) and mark.id == "kernel" for mark in marks)


def kernel_faults(source: Source) -> Iterator[str]:
    """Everything that a kernel must not be or do."""
    top = {id(node) for node in source.tree.body}
    builtin_names = set(dir(__builtins__)) if not isinstance(__builtins__, dict) else set(__builtins__)
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.FunctionDef) or not is_kernel(node):
            continue
        where = f"{source.path}:{node.lineno} {node.name}"
        if id(node) not in top:
            yield f"{where} is not at the top of its module"
        length = code_lines(source, node)
        if length > LONGEST_KERNEL:
            yield f"{where} has {length} lines"
        yield from (f"{where} {fault}" for fault in argument_faults(node, "/games/" in source.path))
        for part in (part for statement in node.body for part in ast.walk(statement)):
            fault = body_fault(part, builtin_names)
            if fault:
                yield f"{where} {fault} (line {getattr(part, 'lineno', node.lineno)})"


def code_lines(source: Source, node: ast.FunctionDef) -> int:
    """Lines with code: no decorators, docstring, comments or blank lines."""
    first = node.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    text = range(first.lineno, (first.end_lineno or 0) + 1) if is_text else range(0)
    body = "\n".join(source.lines[node.lineno - 1 : node.end_lineno]) + "\n"
    empty = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    tokens = [
        token for token in tokenize.generate_tokens(io.StringIO(body).readline) if token.type not in empty
    ]
    full = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    return len({line + node.lineno - 1 for line in full}.difference(text))


def argument_faults(node: ast.FunctionDef, in_game: bool) -> Iterator[str]:
    given = node.args
    if given.defaults or given.kwonlyargs or given.vararg or given.kwarg:
        yield "has arguments that are not plain positional ones"
    names = [argument.arg for argument in given.args]
    ordered = sorted(names, key=place_of)
    if in_game and names != ordered:
        yield f"takes ({', '.join(names)}), not in house order ({', '.join(ordered)})"


def place_of(name: str) -> int:
    """Where an argument stands in the order of the house; the subject comes in the middle."""
    return FIRST.index(name) - len(FIRST) if name in FIRST else 1 + LAST.index(name) if name in LAST else 0


def body_fault(part: ast.AST, builtin_names: set[str]) -> str:
    """What is wrong with one node of a kernel's body."""
    if isinstance(part, DISPLAYS):
        return f"makes a {type(part).__name__}"
    if isinstance(part, (*STATEMENTS, ast.FunctionDef)):
        return f"contains a {type(part).__name__}"
    if isinstance(part, ast.Constant) and isinstance(part.value, (float, complex)):
        return f"contains the number {part.value}"
    if isinstance(part, (ast.BinOp, ast.AugAssign)) and isinstance(part.op, ast.Div):
        return "divides with /"
    if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "np":
        return "" if part.attr in NUMBERS else f"uses np.{part.attr}"
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
        unfit = part.func.id in builtin_names - CALLS
        return f"calls {part.func.id}" if unfit else ""
    if isinstance(part, ast.Subscript):
        return "counts an index from the end" if any(map(is_negative, indices(part.slice))) else ""
    return ""


def indices(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def is_negative(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
    )


# ---------------------------------------------------------------- floors

FLOORS = (
    {"errors", "interrupts", "__version__"},
    {"parameters"},
    {"game", "narration"},
    {"engine", "registry"},
    {"games", "stats", "conformance"},
    {"experiment"},
    {"analysis"},
    {"report"},
    {"cli"},
    {"__main__"},
)
"""Imports only go down; those of one floor do not know each other."""
KNOWN_ONLY = {
    "stats": {"errors"},
    "games": {"errors", "game", "engine", "narration"},
    "conformance": {"errors", "game", "engine"},
}
"""Some may use less than all that lies below them."""
EXTERNAL = {
    "numba": {"engine"},
    "llvmlite": {"engine"},
    "platformdirs": {"engine"},
    "numpy": {"parameters", "game", "engine", "games", "stats", "conformance", "experiment", "analysis"},
    "pydantic": {"parameters", "game", "games", "experiment"},
    "scipy": {"stats"},
    "filelock": {"experiment"},
    "polars": {"experiment", "analysis", "cli"},
    "jinja2": {"report"},
    "markupsafe": {"report"},
    "typer": {"cli"},
    "click": {"cli"},
    "rich": {"cli"},
}
"""Who may import which package; the page is data to plotly's own script, so nobody imports plotly."""


def floor_of(part: str) -> int:
    return next(number for number, floor in enumerate(FLOORS) if part in floor)


def imports(source: Source) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, at the top or later: line and name."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield node.lineno, "." * node.level
        elif isinstance(node, ast.ImportFrom) and node.module == "balance":
            yield from ((node.lineno, f"balance.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, str(node.module)


def import_faults(source: Source) -> Iterator[str]:
    """Imports that go up, sideways, or to a package that this floor has no business with."""
    own = source.module.split(".")[1:] or ["__version__"]
    for line, name in imports(source):
        where = f"{source.path}:{line} imports {name}"
        parts = name.split(".")
        if parts[0] == "":
            yield f"{where}: imports are written out in full"
        elif parts[0] != "balance":
            if parts[0] not in sys.stdlib_module_names and own[0] not in EXTERNAL.get(parts[0], set()):
                yield f"{where}: not for {own[0]}"
        elif parts[1:2] != own[:1] or (own[0] == "games" and parts[2:3] != own[1:2]):
            target = parts[1]
            known = KNOWN_ONLY.get(own[0])
            down = floor_of(target) < floor_of(own[0]) and (known is None or target in known)
            if not down or target == "games":
                yield f"{where}: not below {own[0]}"
            elif own[0] == "games" and target == "engine" and len(parts) > 2:
                yield f"{where}: games import from balance.engine itself"


COMPILER_WORDS = re.compile(r"\b(?:njit|nogil|fastmath|forceinline|error_model)\b")


def compiler_faults(source: Source) -> Iterator[str]:
    """Only the engine knows that there is a compiler, and no file draws random numbers by numpy."""
    for number, line in enumerate(source.lines, 1):
        if "/engine/" not in source.path and (word := COMPILER_WORDS.search(line)):
            yield f"{source.path}:{number} mentions {word[0]}"
    for node in ast.walk(source.tree):
        if (
            isinstance(node, ast.Attribute)
            and node.attr == "random"
            and ast.unparse(node.value) in ("np", "numpy")
        ):
            yield f"{source.path}:{node.lineno} uses np.random"


# ---------------------------------------------------------------- everything else in a file

LONGEST_FILE = 600


def length_faults(source: Source) -> Iterator[str]:
    if len(source.lines) > LONGEST_FILE:
        yield f"{source.path} has {len(source.lines)} lines"


SPEAKERS = ("balance/cli/", "balance/__main__.py")


def print_faults(source: Source) -> Iterator[str]:
    """Only the command line prints."""
    for node in ast.walk(source.tree):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if called in ("print", "sys.stdout.write", "sys.exit") and not source.path.startswith(SPEAKERS):
            yield f"{source.path}:{node.lineno} calls {called}"


def docstring_faults(source: Source) -> Iterator[str]:
    """Modules, and public classes, functions and methods, say what they are."""
    if source.text.strip() and not ast.get_docstring(source.tree):
        yield f"{source.path} has no docstring"
    waiting: list[ast.AST] = [source.tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                overloaded = any(ast.unparse(mark) == "overload" for mark in node.decorator_list)
                if not ast.get_docstring(node) and not overloaded:
                    yield f"{source.path}:{node.lineno} {node.name} has no docstring"
                if isinstance(node, ast.ClassDef):
                    waiting.append(node)


# ---------------------------------------------------------------- texts

HOME = "|".join(("tmp", "home", "root", "Users", "mnt", "opt", "usr", "var", "srv", "private"))
MACHINE_PATH = re.compile(rf"(?<![\w.:/<>*)}}~-])/(?:{HOME})/[\w.-]+|\b[A-Z]:\\\\?Users")
LEFT_OVER = re.compile("|".join((r"\bTO" "DO\\b", r"\bFIX" "ME\\b", r"\bX" "XX\\b", r"\bHA" "CK\\b")))
LEFT_OUT = re.compile(
    r"\b(?:mark\.(?:sk" r"ip|xf" r"ail)|pytest\.(?:sk" r"ip|xf" r"ail|importorsk" r"ip)|unittest\.sk" r"ip)"
)


def text_faults(path: str, text: str) -> Iterator[str]:
    """What belongs to somebody's machine or to work not done."""
    for number, line in enumerate(text.splitlines(), 1):
        for what, pattern in (
            ("a path of one machine", MACHINE_PATH),
            ("unfinished", LEFT_OVER),
            ("left out", LEFT_OUT),
        ):
            if found := pattern.search(line):
                yield f"{path}:{number} {what}: {found[0]}"


TOP_LEVEL = {"pyproject.toml", "README.md", "balance", "configs", "reports", "tests"}


def top_level_faults(paths: list[str]) -> Iterator[str]:
    """The top of the repository holds exactly what belongs there, and dotfiles."""
    found = {path.split("/")[0] for path in paths}
    plain = {name for name in found if not name.startswith(".")}
    yield from (f"{name} does not belong at the top" for name in sorted(plain - TOP_LEVEL))
    yield from (f"{name} is missing at the top" for name in sorted(TOP_LEVEL - plain))


# ---------------------------------------------------------------- names


def name_faults(where: str, members: Mapping[str, Any]) -> Iterator[str]:
    """Tuples of names and the numbers that stand for them agree, and functions that name things are one to one."""
    tuples = {name: value for name, value in members.items() if is_names(value)}
    for name, value in tuples.items():
        if len(set(value)) < len(value):
            yield f"{where}.{name} holds a name twice"
    for constant, code in members.items():
        if constant.isupper() and isinstance(code, int):
            places = [value.index(constant.lower()) for value in tuples.values() if constant.lower() in value]
            if places and code not in places:
                yield f"{where}.{constant} is {code}, but its name is number {places[0]}"
    for name, function in members.items():
        thing, _, kind = name.rpartition("_")
        count = members.get(f"N_{thing.upper()}S")
        if callable(function) and kind == "name" and isinstance(count, int):
            named = [function(number) for number in range(count)]
            if len(set(named)) < count or not all(isinstance(each, str) and each for each in named):
                yield f"{where}.{name} does not name {count} {thing}s apart"


def is_names(value: object) -> bool:
    return isinstance(value, tuple) and len(value) > 1 and all(isinstance(each, str) for each in value)
