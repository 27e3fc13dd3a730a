"""A game or policy in a module of one's own that does what it must not: one sentence, and how to look at it."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .commands import Ended, files_in

Command = Callable[..., Ended]
TESTS = Path(__file__).parents[1]
MODULE = """\
from dataclasses import replace
from balance.engine import code_of, draw, kernel, ranked
from balance.game import Policy
from engine.toy import GAME as TOY
from engine.toy import apply_action as usual
from engine.toy import legal_actions as usual_list

@kernel
def choose_badly(state, params, weights, rng, actions):
    if state.round_number == 1 and state.held[state.seat] == 17:
        return 9
    return usual_list(state, params, actions) - 2

@kernel
def remember(state, params, action, rng):
    usual(state, params, action, rng)
    if state.turns == 4:
        state.points[params.players + state.turns] = 1

@kernel
def use_words(state, params, action, rng):
    usual(state, params, action, rng)
    state.points[0] += "three"

@kernel
def go_on(state, params, action, rng):
    usual(state, params, action, rng)
    if state.over:
        state.over = state.round_number = 0

@kernel
def divide(state, params, seat):
    return state.points[seat] << (state.turns / 2)

@kernel
def choose_from_zero(state, params, weights, rng, actions):
    best = bits = 0
    for option in range(usual_list(state, params, actions)):
        bits = draw(rng, 0) if option == 0 else bits
        best = max(best, ranked(0, 0, bits, option, option))
    return code_of(best)

@kernel
def misspell(state, params, action, rng):
    usual(state, params, action, rng)
    state.points[0] += params.round

class NoFaults(TOY.Params):
    def impossible(self):
        return "no"

class NoDefaults(TOY.Params):
    def following(self):
        return [3]

BAD = Policy("bad", "Bad", "Does what nobody can.", choose_badly)
ILLEGAL = replace(TOY, policies=(BAD, *TOY.policies))
HALF = replace(TOY, score=divide)
ZERO = replace(TOY, policies=(Policy("zero", "Zero", "Any.", choose_from_zero),))
MISSPELT = replace(TOY, apply_action=misspell)
FAULTS = replace(TOY, Params=NoFaults)
DEFAULTS = replace(TOY, Params=NoDefaults)
TABLES = replace(TOY, tables=lambda params: [1, 2])
NARROW = replace(TOY, apply_action=remember)
WORDS = replace(TOY, apply_action=use_words)
ENDLESS = replace(TOY, apply_action=go_on)
"""


@pytest.fixture(autouse=True)
def mine(here: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The module lies in the current folder."""
    (here / "mine.py").write_text(MODULE)
    monkeypatch.syspath_prepend(TESTS)
    monkeypatch.syspath_prepend(here)
    yield
    sys.modules.pop("mine", None)


def run(balance: Command, game: str, *options: str) -> Ended:
    return balance("run", f"mine:{game}", "--players", "3", "--games", "300", "--threads", "1", *options)


@pytest.mark.parametrize("policies", ["bad", "careful,bad"])
def test_an_illegal_action_stops_the_run_and_says_all_about_it(balance: Command, policies: str) -> None:
    ended = run(balance, "ILLEGAL", "--policies", policies, "--out", "my run")
    (fault,) = (line for line in ended.faults if line.startswith("error"))
    assert ended.code == 2
    assert ended.out == ""
    assert 'of Toy stops: the policy "bad" in seat ' in fault
    assert fault.endswith(
        ("chose action 9, but 0, 1 and 2 are legal (round 2, turn 1).", "turn 2).", "turn 3).")
    )
    assert "  The state was: seat = " in ended.err
    assert " 17, " in ended.err
    (look,) = (line for line in ended.err.splitlines() if line.startswith("  To look at the game: "))
    name, *command = shlex.split(look.removeprefix("  To look at the game: "))
    again = balance(*command)
    assert (name, again.code) == ("balance", 2)
    assert again.faults == [fault]
    assert again.out.startswith("game.\ndealt.\nchosen.\n")
    assert "end." not in again.out
    events = [json.loads(line) for line in balance(*command, "--format", "jsonl").out.splitlines()]
    assert [event["event"] for event in events].count("scored") == 1


def test_a_game_that_is_named_is_the_first_of_all(balance: Command) -> None:
    """Each game alone is legal up to the one that is named."""
    ended = run(balance, "ILLEGAL", "--policies", "bad", "--out", "r")
    number = int(ended.err.split("error: Game ")[1].split()[0])
    alone = ("replay", "mine:ILLEGAL", "--players", "3", "--policies", "bad")
    assert [balance(*alone, "--game", game).code for game in range(number + 1)] == [0] * number + [2]


def test_a_run_with_legal_policies_only_is_not_stopped(balance: Command) -> None:
    assert run(balance, "ILLEGAL", "--policies", "careful,any", "--out", "r").code == 0


@pytest.mark.compiler
def test_what_cannot_be_compiled_names_the_kernel_and_the_line(balance: Command) -> None:
    line = MODULE.splitlines().index('    state.points[0] += "three"') + 1
    ended = run(balance, "WORDS", "--out", "r")
    assert ended.code == 2
    assert (
        f"error: The kernel use_words of Toy cannot be compiled (mine.py, line {line}): No implementation"
        in ended.err
    )


def line_of(text: str) -> int:
    return [line.strip() for line in MODULE.splitlines()].index(text) + 1


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("game", "kernel", "line", "says"),
    [
        ("HALF", "divide", "return state.points[seat] << (state.turns / 2)", "it reckons with a fraction"),
        (
            "ZERO",
            "choose_from_zero",
            "best = max(best, ranked(0, 0, bits, option, option))",
            "a draw was mixed",
        ),
        ("MISSPELT", "misspell", "state.points[0] += params.round", 'it uses the field "round"'),
    ],
)
def test_the_kernel_of_the_game_is_named_and_not_one_of_ours(
    balance: Command, game: str, kernel: str, line: str, says: str
) -> None:
    ended = run(balance, game, "--out", "r")
    assert ended.code == 2
    where = f"error: The kernel {kernel} of Toy cannot be compiled (mine.py, line {line_of(line)}): {says}"
    assert where in ended.err
    if game == "MISSPELT":
        assert 'Did you mean "rounds"?' in ended.err


@pytest.mark.parametrize("command", ["rules", "run", "conform"])
@pytest.mark.parametrize(
    ("game", "says"),
    [
        ("FAULTS", f"impossible (mine.py, line {line_of('def impossible(self):')}) must return a list of "),
        ("DEFAULTS", f"following (mine.py, line {line_of('def following(self):')}) must return defaults as "),
    ],
)
def test_a_method_that_answers_wrongly_is_one_sentence(
    balance: Command, command: str, game: str, says: str
) -> None:
    ended = run(balance, game, "--out", "r") if command == "run" else balance(command, f"mine:{game}")
    assert ended.code == (1 if command == "conform" else 2)
    assert says in " ".join((ended.out + ended.err).split())
    assert "should not have happened" not in ended.err


def test_tables_that_are_none_are_one_sentence(balance: Command) -> None:
    ended = run(balance, "TABLES", "--out", "r")
    assert ended.code == 2
    assert 'must return tables as {"name": array of whole numbers}, not [1, 2].' in ended.err


def test_an_index_out_of_bounds_names_the_kernel_and_the_line(balance: Command) -> None:
    line = MODULE.splitlines().index("        state.points[params.players + state.turns] = 1") + 1
    fault = f"error: remember (mine.py, line {line}) failed in game 0 of Toy: an index out of bounds: 7."
    ended = run(balance, "NARROW", "--out", "r")
    assert ended.code == 2
    assert fault in ended.faults
    assert "  To look at the game: balance replay r --game 0" in ended.err
    replayed = balance("replay", "mine:NARROW", "--players", "3", "--game", 0)
    assert replayed.code == 2
    assert replayed.faults[0] == fault


def test_a_game_that_never_ends_is_stopped_and_counted(balance: Command) -> None:
    ended = run(balance, "ENDLESS", "--out", "r", "--format", "json")
    assert ended.code == 0
    (cell,) = json.loads(ended.out)["cells"]
    assert cell["capped"] == cell["games"] == 300
    assert balance("find", "r", "ended = 'limit'", "-n", 1).out.endswith(
        "300 of 300 games fulfil ended = 'limit'. The first is shown; -n shows more.\n"
    )


@pytest.mark.parametrize("command", ["run", "rules", "conform"])
def test_a_module_that_ends_the_program_is_one_sentence(balance: Command, here: Path, command: str) -> None:
    (here / "leaving.py").write_text("import sys\nsys.exit(0)\n")
    before = files_in(here)
    ended = balance(command, "leaving:GAME")
    assert ended == Ended(
        2,
        "",
        'error: The game "leaving:GAME" cannot be loaded: it ends the program while it is imported '
        "(leaving.py, line 2).\n",
    )
    assert {name for name in files_in(here) if "__pycache__" not in name} == {
        name for name in before if "__pycache__" not in name
    }


def test_a_package_that_fails_hides_no_other_game(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from balance import registry
    from balance.errors import BalanceError

    load, names = registry.load, registry.names
    fault = BalanceError(
        'The game "pog" of the package pogs 1.0 cannot be loaded: KeyError.', "Update that package."
    )

    def loading(name: str) -> object:
        if name == "pog":
            raise fault
        return load(name)

    monkeypatch.setattr(registry, "names", lambda: ["pog", *names()])
    monkeypatch.setattr(registry, "load", loading)
    ended = balance("games")
    assert (ended.code, ended.err) == (2, f"error: {fault.message}\n  {fault.hint}\n")
    assert ended.out.startswith("animalia: ")
    assert json.loads(balance("games", "--format", "json").out)[0]["id"] == "animalia"
