"""What the README says holds: its commands run, in order, and what it names exists."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Any

import polars
import pytest

from balance import engine, registry
from balance.conformance import check
from balance.conformance.facts import KERNELS, is_free
from balance.engine.banned import Ban
from balance.engine.kernels import _BUILTINS
from balance.engine.records import HEADER
from balance.errors import RulesError
from balance.experiment.config import read_experiment
from balance.experiment.plan import Plan
from balance.experiment.replay import Replayer
from balance.game import Bounds, Game, Measure

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CONFIGS = sorted((ROOT / "configs").glob("*.toml"))
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.startswith("balance ")]
OWN_GAME = README.split("\n## Add a game\n")[1].split("\n## ")[0]
"""The page that teaches how to write a game."""
TOUR = [command for command in COMMANDS if command not in OWN_GAME]
LISTING = "\n\n".join(re.findall(r"^```python\n(.*?)^```", OWN_GAME, re.DOTALL | re.MULTILINE))
"""The game of that page: its blocks in one file."""
NAMED = sorted(
    {
        found
        for text in [*BLOCKS, *re.findall(r"`([^`\n]+)`", README)]
        for found in re.findall(r"\bbalance .*", text)
    }
)
"""Every command that stands in a block or between backticks, up to the end of its line."""
OPTIONS = sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", " ".join(re.findall(r"`([^`\n]+)`", README)))))
"""Every option that stands between backticks."""
FILES = re.findall(r"`([\w/*-]+\.(?:html|json|csv|parquet|log))`", README.split("## What a run leaves")[1])
"""The files that a run leaves."""


def balance(
    folder: Path, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "balance", *arguments],
        cwd=folder,
        env={**os.environ, "COLUMNS": "80", **(env or {})},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@cache
def options_of(command: str) -> frozenset[str]:
    """The options that a command's help lists."""
    shown = balance(ROOT, *command.split(), "--help")
    assert shown.returncode == 0, f"there is no command {command}: {shown.stderr}"
    return frozenset(re.findall(r"(?<![\w-])--[a-z][a-z-]*", shown.stdout))


@cache
def commands() -> tuple[str, ...]:
    """The commands that the help lists."""
    return tuple(re.findall(r"^  (\w+) ", balance(ROOT, "--help").stdout.split("Commands:")[1], re.MULTILINE))


def in_order(folder: Path, commands: list[str]) -> dict[str, str]:
    """Run commands one after the other; what each printed. Their runs have left all that the README says."""
    printed = {}
    for command in commands:
        ended = balance(folder, *shlex.split(command)[1:])
        assert ended.returncode == 0, f"{command}\n{ended.stdout}\n{ended.stderr}"
        assert ended.stdout, command
        printed[command] = ended.stdout
    runs = [path.parent for path in folder.glob("**/manifest.json")]
    assert len(runs) == sum(command.startswith(("balance run ", "balance compare ")) for command in commands)
    assert len(FILES) >= 6
    for run in runs:
        assert [pattern for pattern in FILES if not list(run.glob(pattern))] == []
    return printed


def test_the_commands_of_the_tour_run_in_order(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "configs", tmp_path / "configs")
    printed = in_order(tmp_path, TOUR)
    assert len(printed) == len(TOUR) >= 12
    kinds = {command.split()[1] for command in TOUR}
    assert kinds >= {"doctor", "selftest", "games", "rules", "run", "find", "replay", "init", "players"}
    assert kinds >= {"compare", "plan"}
    found = next(text for command, text in printed.items() if "score_margin > 15" in command)
    assert "balance replay first-look --game " in found
    (columns,) = re.findall(
        r"^`find` asks for columns of the rows: (.*?); and", README, re.DOTALL | re.MULTILINE
    )
    rows = polars.read_parquet_schema(next((tmp_path / "first-look").glob("games/*/*.parquet")))
    named = set(re.findall(r"`(\w+)`", columns))
    assert {"score_0", "policy_0"} < named <= {*rows, "score_margin"}


@pytest.mark.parametrize("command", NAMED)
def test_a_command_that_the_readme_names_has_these_options(command: str) -> None:
    line = re.split(r"[;|&`]", command)[0]
    name = line.split()[1]
    if name == "COMMAND":  # any of them, as in `balance COMMAND --help`
        name = "run"
    assert name in commands()
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", line)) <= options_of(name)


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_that_the_readme_names_exists(option: str) -> None:
    assert option in frozenset[str]().union(*map(options_of, commands()))


def test_the_readme_names_every_command() -> None:
    table = set(re.findall(r"^\| `balance (\w+)", README, re.MULTILINE))
    assert table == set(commands())


TYPES = README.split("\n## Player types\n")[1].split("\n## ")[0]
"""The page with the tables of player types, each after the command that prints it."""
TABLE_COMMANDS = [command for command in re.findall(r"`(balance [^`]+)`", TYPES) if "markdown" in command]
KINDS = ("one player of each type among", "one player of a type", "each type alone", "all of one type")
"""What stands above a table of each kind."""
TABLES = re.findall(rf"^(?:PLACEHOLDER.*\n\n)?.*(?:{'|'.join(KINDS)}).*\n\n(?:\|.*\n)+", TYPES, re.MULTILINE)


def of_kind(kind: str) -> dict[str, str]:
    """The tables of a kind by the title of their game."""
    found = [
        table.removeprefix(note) for table in TABLES for note in re.findall(r"^PLACEHOLDER.*\n\n|^", table)
    ]
    return {re.split("[,:]", table)[0]: table for table in found if kind in table}


def test_every_game_with_types_of_players_has_its_table() -> None:
    assert list(of_kind(KINDS[0])) == ["Animalia", "Zooloretto", "Kennelmester"]
    assert len(TABLE_COMMANDS) == len(TABLES) == sum(len(of_kind(kind)) for kind in KINDS)


def test_every_mode_of_kennelmester_is_in_a_table() -> None:
    told = {
        mode for kind in KINDS[:3] for mode in re.findall(r" \(([a-z]+)\)", of_kind(kind)["Kennelmester"])
    }
    assert told == {mode.id for mode in registry.load("kennelmester").modes}


@pytest.mark.parametrize(("name", "modes"), [("zooloretto", ()), ("kennelmester", ("competitive", "team"))])
def test_the_usual_player_is_above_an_even_share_in_every_seat_at_every_number_of_players(
    name: str, modes: tuple[str, ...]
) -> None:
    """The tables by seat say so: the lower ends of all intervals."""
    game = registry.load(name)
    by_seat = of_kind(KINDS[1])[game.title]
    rows = [line.strip("| ").split(" | ") for line in by_seat.splitlines() if line.startswith("| `greedy`")]
    sizes = game.sizes(modes=modes)
    assert [row[1] for row in rows] == [f"{count} ({mode})" if mode else str(count) for count, mode in sizes]
    for size, (_, _, even, *seats) in zip(sizes, rows, strict=True):
        lows = [float(low) for low in re.findall(r"\(([0-9.]+) to ", " ".join(seats))]
        assert len(lows) == len(game.sides(size))
        assert min(lows) > float(even.removesuffix(" %"))


@pytest.mark.parametrize(("command", "before"), list(zip(TABLE_COMMANDS, TABLES, strict=False)))
def test_a_table_of_player_types_is_what_its_command_prints(
    tmp_path: Path, request: pytest.FixtureRequest, command: str, before: str
) -> None:
    ended = balance(tmp_path, *shlex.split(command)[1:])
    assert ended.returncode == 0, ended.stderr
    assert len(ended.stdout.splitlines()) >= 6
    if request.config.getoption("--update-transcripts"):
        page = ROOT / "README.md"
        page.write_text(page.read_text("utf-8").replace(before, ended.stdout), "utf-8")
    assert before == ended.stdout, "a player type plays otherwise now; see --update-transcripts"
    assert list(tmp_path.iterdir()) == []


def test_the_comparison_of_the_readme_is_what_its_command_prints(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    page = README.split("\n## Compare a tweak\n")[1].split("\n## ")[0]
    (command,) = re.findall(r"^`(balance compare [^`]+ --format markdown)` prints:$", page, re.MULTILINE)
    before = page.split("prints:\n\n")[1].split("\n\nBoth rule sets")[0]
    ended = balance(tmp_path, *shlex.split(command)[1:])
    assert ended.returncode == 0, ended.stderr
    now = ended.stdout.rstrip("\n")
    if request.config.getoption("--update-transcripts"):
        (ROOT / "README.md").write_text((ROOT / "README.md").read_text("utf-8").replace(before, now), "utf-8")
    assert before == now, "the game plays otherwise now, or the words have changed; see --update-transcripts"
    assert re.search(r"correlation 0\.[1-9]", now)


def test_the_ban_of_the_readme_is_what_its_command_prints(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    page = README.split("\n## What is an option worth?\n")[1].split("\n## ")[0]
    (command,) = re.findall(r"`(balance compare [^`]+)` begins:$", page, re.MULTILINE)
    (before,) = re.findall(r"^```text\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    ended = balance(tmp_path, *shlex.split(command)[1:])
    assert ended.returncode == 0, ended.stderr
    now = ended.stdout.split("\n\n")[1].split('\n"seat 2')[0] + "\n"
    if request.config.getoption("--update-transcripts"):
        (ROOT / "README.md").write_text((ROOT / "README.md").read_text("utf-8").replace(before, now), "utf-8")
    assert before == now, "the game plays otherwise now, or the words have changed; see --update-transcripts"
    assert now.startswith('Without "hold" seat 2 wins ')


def test_the_policy_file_of_the_readme_is_one(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```toml\n(\[policy\].*?)^```", README, re.DOTALL | re.MULTILINE)
    (tmp_path / "my-hoarder.toml").write_text(text)
    lineup = ("--policies", "greedy,my-hoarder.toml", "--players", "4", "--game", "1")
    ended = balance(tmp_path, "replay", "animalia", *lineup)
    assert ended.returncode == 0, ended.stderr
    assert "my-hoarder" in ended.stdout


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_the_experiments_that_come_along_are_without_fault(path: Path) -> None:
    plan = Plan(read_experiment(path))
    assert len(plan.cells) == len({cell.folder for cell in plan.cells}) > 1


def test_the_first_experiment_is_as_the_readme_says() -> None:
    plan = Plan(read_experiment(ROOT / "configs" / "quickstart.toml"))
    assert [(cell.where, cell.games) for cell in plan.cells] == [
        ("baseline, 4 players", 100_000),
        ("neutral cards in, 4 players", 100_000),
    ]


@pytest.mark.compiler
def test_the_workflow_judges_the_gates_of_the_first_experiment(tmp_path: Path) -> None:
    """Its step, as a shell runs it; and a check that fails is not lost in the pipe."""
    (step,) = re.findall(r"^        run: \|\n((?: {10}.*\n)+)", README, re.MULTILINE)
    (kept,) = re.findall(r"^          path: \|\n((?: {12}.*\n)+)", README, re.MULTILINE)
    script = f'balance() {{ "{sys.executable}" -m balance "$@"; }}\n{step}'
    shutil.copytree(ROOT / "configs", tmp_path / "configs")
    environment = {
        **os.environ,
        "GITHUB_ACTIONS": "true",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }

    def ended() -> int:
        how: dict[str, Any] = {
            "cwd": tmp_path,
            "env": environment,
            "stdout": subprocess.DEVNULL,
            "timeout": 120,
        }
        return subprocess.run(["bash", "-e", "-c", script], check=False, **how).returncode

    assert ended() == 0
    assert (tmp_path / "summary.md").read_text("utf-8").startswith("## Animalia")
    assert [path for path in kept.split() if not (tmp_path / path).exists()] == []
    config = tmp_path / "configs" / "quickstart.toml"
    config.write_text(config.read_text("utf-8").replace('max = "3pp"', 'max = "three"'), "utf-8")
    assert ended() == 2


# ---------------------------------------------------------------- a game of one's own


@pytest.fixture
def cups(tmp_path: Path) -> Path:
    """A folder with the game of the README in it."""
    (tmp_path / "cups.py").write_text(LISTING, "utf-8")
    return tmp_path


def loaded(cups: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> Game:
    """The game of another text, in the place of the README's."""
    (cups / "cups.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(cups)
    monkeypatch.delitem(sys.modules, "cups", raising=False)
    found = registry.load("cups:GAME")
    monkeypatch.delitem(sys.modules, "cups")
    return found


@pytest.mark.compiler
def test_the_game_of_the_readme_plays(cups: Path) -> None:
    printed = in_order(cups, [command for command in COMMANDS if command in OWN_GAME])
    words = {command.split()[1]: text for command, text in printed.items()}
    assert set(words) == {"conform", "rules", "run", "find", "replay", "report"}
    assert words["conform"].endswith("Cups: Nothing is wrong with it.\n")
    assert "equal = nobody" in words["rules"]
    for title in ("Unclaimed prizes", "Dropped out", "Points", "Actions"):  # one measure of each kind
        assert title in words["run"]
    assert "seat 1 is furthest from an even share" in words["run"]  # whoever decides first knows least
    log = words["replay"].splitlines()
    assert log[0] == "Cups, game 17"
    assert sum("stands" in line or "drops out" in line for line in log) == 3 * 6
    assert "wins the prize" in words["replay"]


def test_the_ban_of_the_readme_forbids_what_it_says(cups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bans,) = re.findall(r"`(bans=Bans\(.*?\))`", OWN_GAME)
    kernel = "@kernel\ndef concerns(state, params, action):\n    return 1 << 0 if action == OUT else 0\n\n"
    text = LISTING.replace("from balance.game import ", "from balance.game import Bans, ")
    game = loaded(cups, monkeypatch, text.replace("GAME = Game(\n", f"{kernel}GAME = Game(\n    {bans},\n"))
    assert game.bans is not None
    for ban, expected in ((Ban(), {0, 1, 2}), (Ban(0, game.bans.mask("out")), {1, 2})):
        replayer = Replayer(game, game.resolve((3, None)), [game.policies[1]] * 3, 1, ban)
        events = [event for number in range(9) for event in replayer.play(1, number).events]
        assert {int(event["player"]) for event in events if event["event"] == "drops out"} == expected


FAULTS = {
    "a draw without aim": ("    aim(rng, 0, state.round_number, 0, 0)\n", "", "aim at each anew"),
    "a number drawn twice": ("below(rng, seat, ", "below(rng, 0, ", "draws the same number twice"),
    "one option": ("    return 2\n", "    return 1\n", "There are 1 options"),
    "options out of order": ("= STAND, OUT\n    return", "= OUT, STAND\n    return", "not ascending"),
    "an unfilled list": ("legal_actions(state, params, actions))]", "2)]", "what it has not put there"),
    "a look under the cups": ("and state.out[seat] == 0)", "and state.die[seat] > 3)", "what it cannot see"),
    "a draw at the deal's address": (
        "    state.taken[action, seat] += 1\n",
        "    aim(rng, 0, state.round_number, state.turn, 0)\n    state.taken[action, seat] += below(rng, 0, 2)\n",
        "one number for two actions",
    ),
    "a kernel left out": (
        " determinize=determinize,",
        " determinize=None,",
        "determinize is not marked @kernel",
    ),
    "a name of numpy's": ('"unclaimed"', '"item"', 'cannot be called "item"'),
    "an index from the end": (
        "= state.taken[OUT, seat]\n",
        "= state.taken[OUT, seat - 1]\n",
        "out of bounds",
    ),
    "a tuple": ("    high = winners = 0\n", "    high = winners = len(WORDS) - 3\n", "WORDS, a tuple"),
    "a comprehension": (
        "    return 2\n",
        "    return len([n for n in range(2)])\n",
        "function or comprehension",
    ),
    "a default value": (
        "def end_round(state, params, rng)",
        "def end_round(state, params, rng=0)",
        "default arguments",
    ),
    "another argument": (
        "def score(state, params, seat)",
        "def score(state, seat, params)",
        "instead of (state,",
    ),
    "too low a bound": ("actions=2", "actions=1", "the bound"),
    "a measure nobody writes": ("    row.unclaimed = state.unclaimed\n", "", "ever wrote unclaimed"),
}
"""What the README warns of: what stands in the game, what is put in its place, and words of what is found."""


@pytest.mark.parametrize(("right", "wrong", "says"), FAULTS.values(), ids=FAULTS)
def test_what_the_readme_warns_of_is_found(
    cups: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, says: str
) -> None:
    assert right in LISTING
    found = check(loaded(cups, monkeypatch, LISTING.replace(right, wrong, 1)), 1)
    assert any(says in violation.sentence for violation in found), found


def test_rules_can_do_what_the_readme_says(cups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list, the four methods of rules and the tables, all as they stand in the text."""
    (a_list,) = re.findall(r"`(prizes: tuple.*)`", OWN_GAME)
    pattern = r"^- `(\w+\((?:cls|self)[^`]*\))`.*?`(\{[^`]*\}|Fault\([^`]*\))`"
    methods = re.findall(pattern, OWN_GAME, re.DOTALL | re.MULTILINE)
    by_players, following, faults, components = (f"def {head}: return {value}" for head, value in methods)
    impossible = faults.replace("Fault", "[] if self.prize >= self.comfort else [Fault") + "]"
    body = [a_list, "@classmethod", by_players, following, impossible, components]
    (table,) = re.findall(r"`(\{.*np.array\(...\)\})`", OWN_GAME)
    tables = table.replace("...", '[rules.equal == "all", len(rules.prizes)]')
    changes = {
        "import Literal": "import Annotated, Literal",
        "import Bounds,": "import Bounds, Fault,",
        "\ncups_state": "".join(f"    {line}\n" for line in body) + "\ncups_state",
        "    return state.points[seat]": "    return state.points[seat] + params.chances[0] + params.prizes[0]",
        "Params=CupsParams,": f"Params=CupsParams, tables=lambda rules: {tables},",
    }
    text = LISTING
    for right, wrong in changes.items():
        assert right in text
        text = text.replace(right, wrong, 1)
    found = loaded(cups, monkeypatch, text.replace('"..."', '"Prizes."'))
    assert check(found, 1) == []
    rules: Any = found.Params.resolve(3, {"prize": 6})
    assert (rules.rounds, rules.comfort, rules.prizes) == (8, 2, (3, 1))
    assert rules.components() == {"dice": 3}
    with pytest.raises(RulesError, match=r'^"prize" is below "comfort"\.$'):
        found.Params.resolve(3, {"comfort": 4})


def test_an_action_can_draw_as_the_readme_says(cups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (aim,) = re.findall(r"`(aim\(rng, .*state\.step.*\))`", OWN_GAME)
    acts = "    state.taken[action, seat] += 1\n"
    assert acts in LISTING
    text = LISTING.replace(acts, f"{acts}    {aim}\n    state.points[seat] += below(rng, 0, 2)\n")
    assert check(loaded(cups, monkeypatch, text), 1) == []


def test_the_readme_names_what_kernels_may_and_fields_may_not() -> None:
    (taken,) = re.findall(r"belong\s+to numpy's records \((.*?)\)", OWN_GAME)
    assert len(taken.split(", ")) >= 6
    assert [name for name in re.findall(r"`(\w+)`", taken) if is_free(name)] == []
    (own,) = re.findall(r"of Python's own (.*?), and constants", OWN_GAME, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", own)) == set(_BUILTINS)


def test_an_illegal_action_is_told_as_the_readme_says(cups: Path) -> None:
    (sentence,) = re.findall(r"^```text\n(.*?)\n```", OWN_GAME, re.DOTALL | re.MULTILINE)
    right = "return code_of(best)"
    assert right in LISTING
    (cups / "cups.py").write_text(LISTING.replace(right, "return 9"), "utf-8")
    ended = balance(cups, "replay", "cups:GAME", "--players", "3", "--game", "0")
    assert ended.returncode == 2
    assert f"error: {sentence}\n" in ended.stderr


def test_the_installed_game_stands_beside_the_others(cups: Path) -> None:
    """What `pip install .` leaves: the module, and the entry points of the README's pyproject.toml."""
    blocks = re.findall(r"^```toml\n(.*?)^```", OWN_GAME, re.DOTALL | re.MULTILINE)
    (project,) = (tomllib.loads(block)["project"] for block in blocks)
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["dependencies"] == [ours["name"]]
    ((group, entries),) = project["entry-points"].items()
    folder = cups / "installed" / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
    (folder / "entry_points.txt").write_text(f"[{group}]\n{lines}")
    shutil.move(cups / "cups.py", folder.parent)
    listed = balance(cups, "games", env={"PYTHONPATH": str(folder.parent)})
    assert listed.returncode == 0, listed.stderr
    assert "\ncups: Cups, 2 to 6 players\n" in listed.stdout
    played = balance(
        cups, "replay", "cups", "--players", "2", "--game", "3", env={"PYTHONPATH": str(folder.parent)}
    )
    assert played.stdout.startswith("Cups, game 3\n")


def test_the_readme_names_all_that_a_game_is_made_of() -> None:
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", OWN_GAME)) + LISTING))
    assert set(engine.__all__) | set(KERNELS) | set(HEADER) <= named
    assert {measure.__name__ for measure in Measure.__subclasses__()} <= named
    assert {field.name for field in fields(Bounds)} <= named
    required = {field.name for field in fields(Game) if field.default is MISSING}
    assert required <= named
