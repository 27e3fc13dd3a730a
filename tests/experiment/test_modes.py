"""Modes, teams and decks in experiments: which cells there are, what they are called, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from balance import registry
from balance.errors import BalanceError
from balance.experiment import plan as planning
from balance.experiment.config import Experiment, cells, from_game, read_experiment, with_overrides
from balance.experiment.plan import Plan
from balance.experiment.proof import digest_of_run
from balance.experiment.rundir import RunDir
from balance.experiment.runner import Options, run
from balance.experiment.template import experiment_text

from .summit import GAME, Card, install

Write = Callable[..., str]
HEAD = 'schema_version = 1\ngame = "summit"\n'
CARDS = "id,steps\nmud,1\nlift,2\n"


@pytest.fixture(autouse=True)
def _summit(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


def names(experiment: Experiment) -> list[str]:
    return [cell.folder for cell in Plan(experiment).cells]


# ---------------------------------------------------------------- which cells there are


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        ("", ["p1-alone", "p2-free", "p3-free", "p4-free", "p6-pairs"]),
        ("players = [4]", ["p4-free"]),
        ("players = [4, 1]", ["p1-alone", "p4-free"]),
        ('modes = ["pairs"]', ["p4-pairs", "p6-pairs"]),
        ('modes = ["pairs", "alone"]', ["p1-alone", "p4-pairs", "p6-pairs"]),
        ('players = [1, 4]\nmodes = ["pairs", "free", "alone"]', ["p1-alone", "p4-free", "p4-pairs"]),
        ("players = [5]\n[rules]\ncrowd = true", ["p5-free"]),
    ],
)
def test_cells_are_numbers_of_players_and_modes_that_go_together(
    write: Write, text: str, folders: list[str]
) -> None:
    experiment = read_experiment(write(HEAD + text))
    assert names(experiment) == [f"baseline-{name}" for name in folders]


def test_a_cell_knows_its_mode_its_teams_and_its_goal(write: Write) -> None:
    file = write(HEAD + 'players = [1, 4]\nmodes = ["alone", "pairs"]')
    alone, pairs = Plan(read_experiment(file)).cells
    assert (alone.cell.mode, alone.teams, alone.goal) == ("alone", ((0,),), "Reach the top in time.")
    assert (pairs.cell.mode, pairs.teams, pairs.goal) == ("pairs", ((0, 2), (1, 3)), "")
    assert (alone.has_teams, pairs.has_teams, pairs.leaders) == (False, True, (0, 1))
    assert (alone.where, pairs.where) == ("baseline, 1 player (alone)", "baseline, 4 players (pairs)")


def test_variants_stand_beside_the_baseline_of_their_own_mode(write: Write) -> None:
    text = (
        HEAD
        + 'players = [4]\nmodes = ["free", "pairs"]\n[[variants]]\nname = "lucky"\nrules = { luck = 0.75 }'
    )
    groups = Plan(read_experiment(write(text))).groups
    assert [[cell.folder for cell in group] for group in groups] == [
        ["baseline-p4-free", "lucky-p4-free"],
        ["baseline-p4-pairs", "lucky-p4-pairs"],
    ]
    assert groups[1][1].cell.changes == {"luck": 0.75}


@pytest.mark.parametrize(
    ("file", "changes", "folders"),
    [
        ("", {"modes": ["pairs"]}, ["p4-pairs", "p6-pairs"]),
        ("", {"players": [4]}, ["p4-free"]),
        ("", {"players": [4], "modes": ["pairs"]}, ["p4-pairs"]),
        ("players = [1, 4]", {"modes": ["alone"]}, ["p1-alone"]),
        ('players = [1, 4]\nmodes = ["alone", "pairs"]', {"players": [4]}, ["p4-pairs"]),
        ('modes = ["alone", "pairs"]', {"modes": ["free"]}, ["p2-free", "p3-free", "p4-free"]),
    ],
)
def test_the_command_line_keeps_what_goes_together(
    write: Write, file: str, changes: dict[str, Any], folders: list[str]
) -> None:
    experiment = with_overrides(read_experiment(write(HEAD + file)), **changes)
    assert names(experiment) == [f"baseline-{name}" for name in folders]


def test_a_games_own_experiment_can_be_changed() -> None:
    assert names(with_overrides(from_game("summit"), modes=["alone"])) == ["baseline-p1-alone"]


# ---------------------------------------------------------------- what is refused

WRONG = [
    (
        'modes = ["pair"]',
        '3:10: Summit has no mode "pair". Did you mean "pairs"? Its modes: alone, free and pairs.',
    ),
    ('modes = ["free", "free"]', '3:18: "modes" lists "free" twice.'),
    (
        'modes = "free"',
        '3:1: "modes" must be a list of modes in quotes, such as ["solo"], not "free". Write ["free"].',
    ),
    (
        "modes = [1]",
        '3:10: Item 1 of "modes" must be the name of a mode in quotes, not 1. Write it in quotes: "1".',
    ),
    (
        'players = [3]\nmodes = ["pairs"]',
        '4:10: The mode "pairs" is for 4 or 6 players, but this experiment has games of 3.',
    ),
    (
        'players = [4, 3]\nmodes = ["pairs"]',
        '3:15: No mode of this experiment is for 3 players: "pairs" is for 4 or 6 players.',
    ),
    ("players = [5]", '1:1: 5 players need "crowd".'),
    ("[rules]\nmode = 1", '4:1: "mode" is not a rule; the mode is set with --mode or the key "modes".'),
    ('[rules]\ndeck = "x"', '4:1: "deck" is not a rule; the deck is set with --deck or the key "deck".'),
    ('mode = "free"', '3:1: Unknown key "mode" at the top of the file. Did you mean "modes"?'),
    ("deck = 3", '3:1: "deck" must be the folder of a deck in quotes, not 3. Write it in quotes: "3".'),
    ('deck = "none"', "3:1: The folder of the deck, none, is not there."),
    ('deck = "e.toml"', "3:1: The folder of the deck, e.toml, is a file, not a folder."),
    ("[rules]\nluck = 2.5", '4:1: "luck" must be a number from 0 to 1, not 2.5.'),
    (
        '[rules]\nluck = "0,5"',
        '4:1: "luck" must be a number from 0 to 1, not "0,5". Write 0.5 without quotes.',
    ),
    (
        "players = [1, 2, 4]\n[rules]\ntarget = 9",
        '5:1: With 1 player (alone) and 2 and 4 players (free): The "target" is out of reach within these "rounds".',
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message[:40] for _, message in WRONG])
def test_a_fault_is_one_sentence_at_its_place(write: Write, text: str, message: str) -> None:
    with pytest.raises(BalanceError) as refused:
        read_experiment(write(HEAD + text))
    first, *others = refused.value.message.splitlines()
    assert first.startswith(f"e.toml:{message}")
    assert others == []


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("modes = ['solo']", "3:1: Market Day has no modes."),
        ("deck = 'here'", "3:1: Market Day has no deck to be chosen."),
    ],
)
def test_games_without_modes_or_decks_say_so(write: Write, key: str, message: str) -> None:
    with pytest.raises(BalanceError) as refused:
        read_experiment(write(f'schema_version = 1\ngame = "market"\n{key}'))
    assert refused.value.message == f"e.toml:{message}"


def test_a_number_of_players_without_any_mode(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    from .summit import game

    lonely = game(modes=tuple(mode for mode in GAME.modes if mode.id != "free"))
    monkeypatch.setattr(registry, "load", lambda _: lonely)
    with pytest.raises(BalanceError) as refused:
        read_experiment(write(HEAD + "players = [3]"))
    assert refused.value.message == "e.toml:3:12: Summit has no mode for 3 players."


# ---------------------------------------------------------------- decks


def with_deck(write: Write, text: str = CARDS, folder: str = "cards") -> str:
    Path(folder).mkdir(exist_ok=True)
    write(text, f"{folder}/cards.csv")
    return write(HEAD + f'players = [1]\ndeck = "{folder}"\n[run]\ngames = 60')


def test_a_deck_is_read_from_beside_the_file_and_kept(write: Write) -> None:
    experiment = read_experiment(with_deck(write))
    assert experiment.deck == "cards"
    assert experiment.cards["cards"] == [{"id": "mud", "steps": 1}, {"id": "lift", "steps": 2}]
    Path("cards/cards.csv").unlink()
    (cell,) = cells(with_overrides(experiment, games=5), GAME)
    assert cell.rules.deck.cards == (Card("mud", 1), Card("lift", 2))
    assert Experiment.model_validate(experiment.model_dump(mode="json")) == experiment


def test_a_deck_of_the_command_line_lies_in_the_current_folder(write: Write) -> None:
    Path("other").mkdir()
    write("id,steps\na,3\nb,4\n", "other/cards.csv")
    experiment = with_overrides(read_experiment(with_deck(write)), deck="other")
    assert Plan(experiment).deck.cards == (Card("a", 3), Card("b", 4))
    assert with_overrides(from_game("summit"), deck="other").cards == experiment.cards


def test_every_fault_of_a_deck_is_told(write: Write) -> None:
    with pytest.raises(BalanceError) as refused:
        read_experiment(with_deck(write, "id,steps\nmud,12\nlift,high\n"))
    assert refused.value.message.splitlines() == [
        'e.toml:4:1: cards.csv:2: steps must be a whole number from 0 to 9, not "12".',
        'e.toml:4:1: cards.csv:3: steps must be a whole number from 0 to 9, not "high".',
    ]


def test_the_deck_is_part_of_what_a_run_is(write: Write) -> None:
    own, chosen = Plan(from_game("summit")), Plan(read_experiment(with_deck(write)))
    other = Plan(read_experiment(with_deck(write, "id,steps\nmud,1\nlift,3\n")))
    assert own.identity["deck"]["placeholder"] is True
    assert chosen.identity["deck"]["cards"][1] == {"id": "lift", "steps": 2}
    assert len({plan.digest for plan in (own, chosen, other)}) == 3
    renamed = read_experiment(with_deck(write, CARDS, "elsewhere"))
    assert Plan(renamed).digest == chosen.digest
    assert json.dumps(chosen.identity).count('"lift"') == 1, "once, not in every cell"


def test_games_without_decks_and_modes_are_as_they_were() -> None:
    identity = planning.Plan(from_game("market")).cells[0]
    assert identity.folder == "baseline-p2"
    assert (identity.teams, identity.goal, identity.cell.mode) == (((0,), (1,)), "", None)


def test_a_run_is_replayed_with_the_deck_that_it_was_played_with(write: Write, tmp_path: Path) -> None:
    experiment = read_experiment(with_deck(write))
    for _ in run(experiment, tmp_path / "r", 1, Options()):
        pass
    (tmp_path / "cards/cards.csv").write_text("id,steps\nmud,7\nlift,8\n")
    folder = RunDir.open(tmp_path / "r")
    manifest = folder.manifest
    assert manifest["experiment"]["cards"]["cards"][0] == {"id": "mud", "steps": 1}
    assert (manifest["cells"][0]["mode"], "deck" in manifest["cells"][0]["rules"]) == ("alone", False)
    assert folder.plan().deck.cards == (Card("mud", 1), Card("lift", 2))
    with pytest.raises(BalanceError, match="a different experiment"):
        list(run(read_experiment("e.toml"), tmp_path / "r", 1, Options()))


def test_the_fixed_games_of_a_run_are_played_in_its_mode_and_with_its_deck(write: Write) -> None:
    with_deck(write)
    plans = [
        Plan(with_overrides(from_game("summit"), players=[4], games=600, **how))
        for how in ({}, {"modes": ["pairs"]}, {"deck": "cards"}, {"modes": ["pairs"], "deck": "cards"})
    ]
    digests = []
    for plan in plans:
        plan.loop.compile()
        digests.append(digest_of_run(plan, lambda: True))
    assert len({*digests, ""}) == 5


def test_a_manifest_whose_cards_are_none_is_refused_in_a_sentence(write: Write, tmp_path: Path) -> None:
    for _ in run(read_experiment(with_deck(write)), tmp_path / "r", 1, Options()):
        pass
    path = tmp_path / "r/manifest.json"
    manifest = json.loads(path.read_text())
    manifest["experiment"]["cards"] = {"cards": "torn"}
    path.write_text(json.dumps(manifest))
    with pytest.raises(BalanceError, match="This is no deck of Summit"):
        RunDir.open(tmp_path / "r").plan()


# ---------------------------------------------------------------- the file to start from


def test_the_file_to_start_from_knows_modes_and_decks(write: Write) -> None:
    text = experiment_text(GAME)
    assert "players = [1, 2, 3, 4, 6]\n" in text
    assert '# modes = ["alone", "free", "pairs"]\n# The folder of the deck' in text
    assert "#   alone: Alone, 1 player. Reach the top in time.\n" in text
    assert '# deck = "my-summit-deck"\n' in text
    assert "# luck = 0.5\n" in text
    assert names(read_experiment(write(text))) == names(from_game("summit"))
    every = text.replace("# modes", "modes").replace("# luck = 0.5", "luck = 0.25")
    assert names(read_experiment(write(every))) == [
        f"baseline-{name}" for name in ("p1-alone", "p2-free", "p3-free", "p4-free", "p4-pairs", "p6-pairs")
    ]


@pytest.mark.parametrize("name", ["market", "solo"])
def test_games_without_them_have_files_as_before(name: str) -> None:
    text = experiment_text(registry.load(name))
    assert "modes" not in text
    assert "deck = " not in text
