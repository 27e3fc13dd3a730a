"""The rules of the house, each with cases that break it."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import house_rules as house
import pytest
from house_rules import ROOT, Source, sources, tracked

from balance import registry

PACKAGE = sources("balance/")
TEXTS = (".py", ".md", ".toml", ".jinja", ".css", ".yml", ".yaml", ".cfg", ".sh", ".txt", ".gitignore")


def none(faults: Iterable[str]) -> None:
    """There are no faults; all of them are shown otherwise."""
    found = "\n".join(faults)
    assert not found, found


def in_all(rule: Callable[[Source], Iterable[str]]) -> list[str]:
    """The faults of every file of the package."""
    return [fault for source in PACKAGE for fault in rule(source)]


def source(text: str, path: str = "balance/games/pig/rules.py") -> Source:
    return Source(path, textwrap.dedent(text))


def test_there_is_something_to_look_at() -> None:
    kernels = [node for each in PACKAGE for node in each.tree.body if house.is_kernel(node)]
    assert len(PACKAGE) > 50
    assert len(kernels) > 100


# ---------------------------------------------------------------- kernels


def test_kernels_keep_the_rules() -> None:
    none(in_all(house.kernel_faults))


def test_so_does_the_toy() -> None:
    toy = Source("balance/games/toy/rules.py", (ROOT / "tests/engine/toy.py").read_text("utf-8"))
    none(house.kernel_faults(toy))
    none(house.import_faults(toy))


LONG = "\n".join(["def long(state):", '    """Doc."""', *["    state.a = 1"] * house.LONGEST_KERNEL])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def make():\n    @kernel\n    def inner(state):\n        pass", "not at the top"),
        ("class A:\n    @kernel\n    def inner(state):\n        pass", "not at the top"),
        (f"@kernel\n{LONG}", "has 26 lines"),
        (f"@kernel(inline=True)\n{LONG}", "has 26 lines"),
        ("@kernel\ndef f(state, params, seat=0):\n    pass", "not plain positional"),
        ("@kernel\ndef f(state, *more):\n    pass", "not plain positional"),
        ("@kernel\ndef f(state, *, seat):\n    pass", "not plain positional"),
        ("@kernel\ndef f(params, state):\n    pass", "house order (state, params)"),
        ("@kernel\ndef f(word, params):\n    pass", "house order (params, word)"),
        ("@kernel\ndef f(state, params, rng, seat):\n    pass", "house order (state, params, seat, rng)"),
        ("@kernel\ndef f(state, actions, rng):\n    pass", "house order (state, rng, actions)"),
        ("@kernel\ndef f(a):\n    return np.zeros(3)", "np.zeros"),
        ("@kernel\ndef f(a):\n    return np.array(a)", "np.array"),
        ("@kernel\ndef f(a):\n    return np.random.randint(a)", "np.random"),
        ("@kernel\ndef f(a):\n    return np.float64(a)", "np.float64"),
        ("@kernel\ndef f(a):\n    return [a]", "makes a List"),
        ("@kernel\ndef f(a):\n    return {a: a}", "makes a Dict"),
        ("@kernel\ndef f(a):\n    return {a}", "makes a Set"),
        ("@kernel\ndef f(a):\n    return sum(i for i in range(a))", "GeneratorExp"),
        ("@kernel\ndef f(a):\n    return [i for i in range(a)]", "ListComp"),
        ("@kernel\ndef f(a):\n    return list(a)", "calls list"),
        ("@kernel\ndef f(a):\n    return sorted(a)", "calls sorted"),
        ("@kernel\ndef f(a):\n    print(a)", "calls print"),
        ("@kernel\ndef f(a):\n    return float(a)", "calls float"),
        ("@kernel\ndef f(a):\n    return f'{a}'", "JoinedStr"),
        ("@kernel\ndef f(a):\n    raise ValueError", "contains a Raise"),
        ("@kernel\ndef f(a):\n    assert a", "contains a Assert"),
        ("@kernel\ndef f(a):\n    try:\n        pass\n    finally:\n        pass", "contains a Try"),
        ("@kernel\ndef f(a):\n    return (lambda b: b)(a)", "contains a Lambda"),
        ("@kernel\ndef f(a):\n    def g(b):\n        return b\n    return g(a)", "contains a FunctionDef"),
        ("@kernel\ndef f(a):\n    import math", "contains a Import"),
        ("@kernel\ndef f(a):\n    return a * 0.5", "the number 0.5"),
        ("@kernel\ndef f(a):\n    return a / 2", "divides"),
        ("@kernel\ndef f(a):\n    a /= 2\n    return a", "divides"),
        ("@kernel\ndef f(a):\n    return a[-1]", "from the end"),
        ("@kernel\ndef f(a):\n    return a[0, -2]", "from the end"),
    ],
)
def test_a_kernel_that_breaks_a_rule_is_found(text: str, says: str) -> None:
    faults = list(house.kernel_faults(source(text)))
    assert any(says in fault for fault in faults), faults


def test_what_is_no_code_does_not_count() -> None:
    text = '''
        @kernel(
            inline=True
        )
        def f(state):
            """A docstring
            of several lines."""
            # a comment

            a = (
                state.a
            )  # another
            return a
        '''
    code = source(text)
    [node] = code.tree.body
    assert house.code_lines(code, node) == 5
    none(house.kernel_faults(code))


# ---------------------------------------------------------------- floors


def test_imports_go_down() -> None:
    none(in_all(house.import_faults))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("balance/stats/mean.py", "from balance.game import Game"),
        ("balance/engine/loop.py", "import balance.experiment.plan"),
        ("balance/engine/loop.py", "from balance import registry"),
        ("balance/experiment/run.py", "def f():\n    from balance.report import page"),
        ("balance/experiment/run.py", "from balance.games.animalia import GAME"),
        ("balance/analysis/a.py", "from balance import cli"),
        ("balance/report/page.py", "from balance.cli.run import run"),
        ("balance/conformance/x.py", "from balance.registry import load"),
        ("balance/conformance/x.py", "from balance.games import animalia"),
        ("balance/games/pig/rules.py", "from balance.games.animalia.rules import score"),
        ("balance/games/pig/rules.py", "from balance.engine.rng import draw"),
        ("balance/games/pig/rules.py", "from balance.registry import load"),
        ("balance/games/pig/rules.py", "from . import params"),
        ("balance/errors.py", "from balance.game import Game"),
        ("balance/game.py", "from balance.engine import kernel"),
        ("balance/games/pig/rules.py", "from numba import njit"),
        ("balance/experiment/run.py", "import numba"),
        ("balance/analysis/a.py", "import plotly.graph_objects"),
        ("balance/report/page.py", "import polars"),
        ("balance/report/page.py", "import typer"),
        ("balance/experiment/run.py", "from rich.table import Table"),
        ("balance/experiment/run.py", "from scipy import stats"),
        ("balance/cli/run.py", "import requests"),
    ],
)
def test_an_import_that_goes_up_or_astray_is_found(path: str, text: str) -> None:
    assert list(house.import_faults(source(text, path)))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("balance/games/pig/rules.py", "from balance.games.pig.params import PigParams"),
        ("balance/games/pig/__init__.py", "from balance.engine import kernel\nimport numpy as np"),
        ("balance/cli/run.py", "from balance import __version__, registry\nfrom balance.report import write"),
        ("balance/__main__.py", "from balance.cli import main"),
        ("balance/stats/mean.py", "from balance.stats.estimate import Estimate\nimport math"),
    ],
)
def test_an_import_that_goes_down_is_not(path: str, text: str) -> None:
    none(house.import_faults(source(text, path)))


def test_only_the_engine_knows_the_compiler() -> None:
    none(in_all(house.compiler_faults))


@pytest.mark.parametrize("text", ["@njit\ndef f(): pass", "fastmath = True", "# nogil", "np.random.seed(1)"])
def test_a_mention_of_the_compiler_is_found(text: str) -> None:
    assert list(house.compiler_faults(source(text)))


HEAVY = ("numba", "numpy", "polars", "plotly", "scipy", "pydantic", "jinja2")


def loaded_by(statement: str) -> set[str]:
    """Which of the heavy packages a fresh process has loaded after a statement."""
    script = f"import sys\n{statement}\nprint(*{HEAVY}.__class__(n for n in {HEAVY} if n in sys.modules))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_command_line_loads_nothing_heavy_before_it_must() -> None:
    assert loaded_by("import balance.cli, balance.__main__") == set()


def test_loading_something_heavy_is_noticed() -> None:
    assert {"numpy", "pydantic"} <= loaded_by("import balance.game")


# ---------------------------------------------------------------- files


def test_only_the_command_line_prints() -> None:
    none(in_all(house.print_faults))


def test_public_things_say_what_they_are() -> None:
    none(in_all(house.docstring_faults))


def test_files_are_not_too_long() -> None:
    none(in_all(house.length_faults))


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (house.print_faults, "print(1)"),
        (house.print_faults, "def f():\n    sys.exit(2)"),
        (house.docstring_faults, "A = 1"),
        (house.docstring_faults, '"""Doc."""\ndef f():\n    pass'),
        (house.docstring_faults, '"""Doc."""\nclass A:\n    pass'),
        (house.docstring_faults, '"""Doc."""\nclass A:\n    """Doc."""\n    def f(self):\n        pass'),
        (house.length_faults, "a = 1\n" * (house.LONGEST_FILE + 1)),
    ],
)
def test_a_file_that_breaks_a_rule_is_found(rule: Callable[[Source], Iterable[str]], text: str) -> None:
    assert list(rule(source(text)))


def test_no_text_belongs_to_one_machine_or_to_work_not_done() -> None:
    paths = [path for path in tracked() if path.endswith(TEXTS)]
    assert len(paths) > 100
    none(fault for path in paths for fault in house.text_faults(path, (ROOT / path).read_text("utf-8")))


@pytest.mark.parametrize(
    "words",
    [
        ("see ", "/ho", "me/ann/project"),
        ('open("', "/tm", 'p/rows.csv")'),
        ("in ", "C:\\", "Users\\ann"),
        ("# TO", "DO later"),
        ("# FIX", "ME"),
        ("@pytest.mark.sk", "ip"),
        ("@pytest.mark.xf", "ail(strict=True)"),
        ("pytest.importorsk", 'ip("x")'),
    ],
)
def test_a_text_that_does_not_belong_is_found(words: tuple[str, ...]) -> None:
    assert list(house.text_faults("README.md", "".join(words)))


def test_the_top_of_the_repository() -> None:
    none(house.top_level_faults(tracked()))


def test_something_else_at_the_top_is_found() -> None:
    right = [*sorted(house.TOP_LEVEL), ".gitignore"]
    none(house.top_level_faults(right))
    assert list(house.top_level_faults([*right, "Makefile"])) == ["Makefile does not belong at the top"]
    assert list(house.top_level_faults(right[1:])) == [f"{right[0]} is missing at the top"]


# ---------------------------------------------------------------- names


def modules_of(game: str) -> list[Any]:
    """The modules of an installed game."""
    package = registry.load(game).Params.__module__.rpartition(".")[0]
    folder = Path(importlib.import_module(package).__file__ or "").parent
    return [importlib.import_module(f"{package}.{path.stem}") for path in folder.glob("[a-z]*.py")]


@pytest.mark.parametrize("game", registry.names())
def test_names_and_their_numbers_agree(game: str) -> None:
    modules = modules_of(game)
    assert len(modules) >= 3
    none(fault for module in modules for fault in house.name_faults(module.__name__, vars(module)))


@pytest.mark.parametrize(
    "members",
    [
        {"SUITS": ("club", "heart", "club")},
        {"SUITS": ("club", "heart"), "HEART": 0},
        {"N_CARDS": 3, "card_name": lambda card: "ace" if card else "king"},
        {"N_CARDS": 2, "card_name": lambda card: card},
    ],
    ids=["twice", "another number", "not one to one", "no text"],
)
def test_names_that_disagree_are_found(members: dict[str, Any]) -> None:
    assert list(house.name_faults("pig", members))


def test_names_that_agree_are_not() -> None:
    members = {"SUITS": ("club", "heart"), "CLUB": 0, "HEART": 1, "N_CARDS": 2, "card_name": str}
    none(house.name_faults("pig", members))
