"""Policy files on the command line: what is played, what a run remembers, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .commands import Ended, files_in, played

Command = Callable[..., Ended]
HOARDER = '[policy]\nname = "my-hoarder"\nbased_on = "greedy"\ntemperature = 4\n[weights]\ncard = -4\n'
SMALL = ("run", "animalia", "--players", "4", "--games", "60", "--policies", "greedy,h.toml")


@pytest.fixture
def hoarder(here: Path) -> Path:
    """The file h.toml in the current folder."""
    path = here / "h.toml"
    path.write_text(HOARDER)
    return path


def test_a_run_plays_the_numbers_of_the_file(balance: Command, here: Path, hoarder: Path) -> None:  # noqa: ARG001
    assert balance(*SMALL, "--out", "r").code == 0
    results = json.loads((here / "r" / "results.json").read_bytes())
    assert results["cells"][0]["policies"] == ["greedy", "my-hoarder"] * 2
    greedy, mine = results["policies"]
    changed = {name for name in greedy["weights"] if greedy["weights"][name] != mine["weights"][name]}
    assert (changed, mine["weights"]["card"], mine["temperature"]) == ({"card"}, -4, 4)
    assert (greedy["based_on"], mine["based_on"]) == ("greedy", "greedy")
    assert mine["kernel"] == greedy["kernel"] == "balance.games.animalia.policies.choose_greedy"
    assert json.loads((here / "r" / "manifest.json").read_bytes())["policies"][1]["weights"]["card"] == -4


def test_a_run_does_not_need_the_file_any_more(balance: Command, here: Path, hoarder: Path) -> None:
    assert balance(*SMALL, "--out", "r").code == 0
    page, rows = (here / "r" / "report.html").read_bytes(), played(here / "r")
    before = balance("replay", "r", "--game", 3)
    assert before == balance("replay", *SMALL[1:4], *SMALL[6:], "--game", 3)
    assert "my-hoarder" in before.out
    hoarder.write_text(HOARDER.replace("-4", "-13"))
    assert balance("replay", "r", "--game", 3) == before
    hoarder.unlink()
    assert balance("replay", "r", "--game", 3) == before
    assert balance("report", "r").code == 0
    assert ((here / "r" / "report.html").read_bytes(), played(here / "r")) == (page, rows)


def test_a_changed_file_is_another_run(balance: Command, here: Path, hoarder: Path) -> None:
    assert balance(*SMALL).code == balance(*SMALL).code == 0
    assert len(list((here / "reports").iterdir())) == 1
    hoarder.write_text(HOARDER.replace("-4", "-5"))
    (folder,) = (here / "reports").iterdir()
    assert balance(*SMALL, "--out", folder.relative_to(here)).faults == [
        f'error: The folder {folder.relative_to(here)} holds a different experiment ("Animalia"). '
        "Nothing was changed."
    ]
    assert balance(*SMALL).code == 0
    hoarder.write_text(HOARDER.replace("my-hoarder", "other"))
    assert balance(*SMALL).code == 0
    assert len(list((here / "reports").iterdir())) == 3


def test_a_help_sentence_changes_no_game(balance: Command, here: Path, hoarder: Path) -> None:
    assert balance(*SMALL).code == 0
    hoarder.write_text(HOARDER.replace("[weights]", 'help = "Keeps all."\n[weights]'))
    assert "already complete" in balance(*SMALL).err
    assert len(list((here / "reports").iterdir())) == 1


def test_an_experiment_finds_its_files_beside_it(balance: Command, here: Path, hoarder: Path) -> None:
    by_hand = balance("replay", *SMALL[1:4], *SMALL[6:], "--game", 2)
    (here / "deep").mkdir()
    hoarder.rename(here / "deep" / "h.toml")
    (here / "deep" / "e.toml").write_text(
        'schema_version = 1\ngame = "animalia"\nplayers = [4]\n[lineup]\npolicies = ["greedy", "h.toml"]\n'
    )
    assert balance("replay", "deep/e.toml", "--game", 2) == by_hand
    assert by_hand.code == 0


def test_threads_change_nothing(balance: Command, here: Path, hoarder: Path) -> None:  # noqa: ARG001
    many = (*SMALL[:4], "--games", "3000", "--policies", "greedy,h.toml,random")
    for threads in (1, 3):
        assert balance(*many, "--out", f"r{threads}", "--threads", threads).code == 0
    assert played(here / "r1") == played(here / "r3")


def test_who_holds_several_seats_has_a_share_of_all_wins(balance: Command) -> None:
    lineup = ("--policies", "greedy,beginner,random", "--games", "4000", "--format", "json")
    sides = json.loads(balance("run", "animalia", "--players", "4", *lineup).out)["cells"][0]["sides"]
    assert [side["seat_share"] for side in sides] == [0.5, 0.25, 0.25]
    assert sum(side["share_of_wins"]["value"] for side in sides) == pytest.approx(1, abs=1e-12)
    for side in sides:
        assert side["share_of_wins"]["low"] < side["share_of_wins"]["value"] < side["share_of_wins"]["high"]
        assert len(side["seats"]) == 4


WRONG = {
    "some-other-player.toml": 'There is no file "some-other-player.toml".',
    "folder.toml": '"folder.toml" is a folder, not a policy file.',
    "text.toml": "text.toml:1:6: A key must be followed by \"=\" and a value.",
    "e.toml": "e.toml:1:1: This is no policy file: the table [policy] is missing.",
    "weight.toml": 'weight.toml:6:1: "greedy" has no weight "crd". Did you mean "card"? Its weights: keep, card, '
    "medal, star, pair_to_be, thief, spy, trickster, hurt, spare and prize.",
    "large.toml": 'large.toml:6:1: "card" must be a whole number from -1000 to 1000, not 5000.',
    "taken.toml": 'taken.toml:2:1: Animalia has a policy "hoarder" of its own; give this one another name.',
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_one_sentence_and_nothing_is_written(balance: Command, here: Path, name: str) -> None:
    (here / "folder.toml").mkdir()
    (here / "text.toml").write_text("some text")
    (here / "e.toml").write_text('schema_version = 1\ngame = "animalia"\n')
    (here / "weight.toml").write_text(HOARDER.replace("card", "crd"))
    (here / "large.toml").write_text(HOARDER.replace("-4", "5000"))
    (here / "taken.toml").write_text(HOARDER.replace("my-hoarder", "hoarder"))
    before = files_in(here)
    for command in (
        ("run", "animalia", "--policies", f"greedy,{name}"),
        ("replay", "animalia", "--players", "4", "--game", "1", "--policies", name),
        ("players", "animalia", name),
    ):
        ended = balance(*command)
        assert (ended.code, ended.out, ended.faults) == (2, "", [f"error: {WRONG[name]}"])
    assert files_in(here) == before


def test_a_file_to_start_from(balance: Command, here: Path) -> None:
    assert balance("init", "animalia", "--player") == Ended(
        0,
        "configs/my-animalia-player.toml\n",
        "Change it, then: balance players animalia configs/my-animalia-player.toml\n",
    )
    as_it_is = balance("init", "animalia", "--player")
    assert (as_it_is.code, as_it_is.faults) == (
        2,
        ["error: configs/my-animalia-player.toml is already there; nothing was changed."],
    )
    mine = ("--players", "4", "--policies", "configs/my-animalia-player.toml", "--game", "1")
    greedy = balance("replay", "animalia", "--players", "4", "--game", "1").out
    told = balance("replay", "animalia", *mine).out.replace("my-player", "greedy")
    assert told.split() == greedy.split()  # the longer name breaks a line elsewhere
    assert balance("init", "animalia").code == 0  # whose line-up may name the other file
    file = here / "configs" / "my-animalia.toml"
    file.write_text(file.read_text().replace('["greedy"]', '["my-animalia-player.toml"]'))
    assert balance("replay", "configs/my-animalia.toml", "--cell", "baseline-p4", "--game", "1").code == 0


def test_a_policy_file_among_the_configs_is_no_experiment(balance: Command) -> None:
    assert balance("init", "animalia", "--player").code == 0
    assert balance("run").faults == ["error: Say what to run: an experiment file or a game."]
    assert balance("init", "animalia").code == 0
    ended = balance("run", "--players", "2", "--games", "60", "--out", "r")
    assert ended.code == 0, ended.err
