"""Policy files: what they say, and what is wrong with them in one sentence at its place."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from balance.errors import BalanceError
from balance.experiment.config import Experiment, from_game, read_experiment, with_overrides
from balance.experiment.models import HIGHEST_WEIGHT, PlayerType
from balance.experiment.policy_files import policy_of, read_type
from balance.experiment.template import player_text
from balance.game import Policy

from .conftest import GAMES
from .fake_games import MARKET, SOLO, policy

Write = Callable[..., str]
WEIGHTS = {"card": -14, "medal": 15, "spare": 11}
GREEDY = Policy(
    *("greedy", "Greedy", "Weighs.", policy("x").choose, WEIGHTS),
    temperature=2,
    meanings={"card": "For each\ncard.", "medal": "For each medal."},
)
FAIR = dataclasses.replace(MARKET, id="fair", title="Fair", policies=(policy("random"), GREEDY))
WHOLE = """\
[policy]
name = "hoarder"
based_on = "greedy"
temperature = 4
help = "Keeps what it has."
[weights]
card = -4
"""
HOARDER = PlayerType(
    name="hoarder",
    based_on="greedy",
    temperature=4,
    weights={"card": -4, "medal": 15, "spare": 11},
    help="Keeps what it has.",
)
SHORT = '[policy]\nname = "short"\nbased_on = "greedy"\n'
LINEUP = 'schema_version = 1\ngame = "fair"\n[lineup]\npolicies = ["greedy", "mine.toml"]\n'


@pytest.fixture(autouse=True)
def fair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "fair", FAIR)


def test_a_file_has_all_numbers_in_the_end(write: Write) -> None:
    assert read_type(Path(write(WHOLE)), FAIR) == HOARDER


def test_what_is_left_out_is_as_in_the_policy_that_it_is_based_on(write: Write) -> None:
    short = read_type(Path(write(SHORT)), FAIR)
    assert (short.temperature, short.weights) == (2, WEIGHTS)
    assert short.help == "As greedy, by another name."


def test_what_it_does_is_said_by_its_differences(write: Write) -> None:
    found = read_type(Path(write(SHORT + "temperature = 0\n[weights]\nmedal = 0\ncard = -14")), FAIR)
    assert found.help == "As greedy, but temperature = 0 (not 2) and medal = 0 (not 15)."


def test_the_policy_chooses_by_the_same_kernel() -> None:
    own = policy_of(FAIR, HOARDER)
    assert own.choose is GREEDY.choose
    assert (own.id, own.title, own.help) == ("hoarder", "hoarder", "Keeps what it has.")
    assert (dict(own.weights), own.temperature) == (HOARDER.weights, 4)
    with pytest.raises(KeyError):
        policy_of(MARKET, HOARDER.model_copy(update={"based_on": "gone"}))


POLICY_KEYS = "The keys known there: name, based_on, temperature and help."
WEIGHT_KEYS = "Its weights: card, medal and spare."
A_NAME = "text of 1 to 40 letters, digits, - and _"
A_WEIGHT = "a whole number from -1000 to 1000"
WRONG: list[tuple[str, str]] = [
    ("", "1:1: This is no policy file: the table [policy] is missing."),
    (LINEUP, "1:1: This is no policy file: the table [policy] is missing."),
    ("policy = 3", '1:1: "policy" must be a table that begins with [policy], not 3.'),
    (
        "[[policy]]\nname = 1",
        '1:3: "policy" must be a table that begins with [policy], not [{ name = 1 }].',
    ),
    (
        '[policy]\nbased_on = "greedy"',
        '1:2: "name" is missing: name the type of player, such as name = "hoarder".',
    ),
    (
        '[policy]\nname = "x"',
        '1:2: "based_on" is missing: name a policy of the game; `balance games` lists them.',
    ),
    (SHORT + "temprature = 4", f'4:1: Unknown key "temprature" in [policy]. Did you mean "temperature"? {POLICY_KEYS}'),
    (SHORT + "card = -4", f'4:1: Unknown key "card" in [policy]. {POLICY_KEYS}'),
    (
        SHORT + "[wieghts]\ncard = -4",
        '4:2: Unknown key "wieghts" at the top of the file. Did you mean "weights"? '
        "The keys known there: policy and weights.",
    ),
    ("temperature = 4\n" + SHORT, '1:1: "temperature" does not belong at the top of the file; it belongs in [policy].'),
    (SHORT.replace('"short"', "5"), f'2:1: "name" must be {A_NAME}, not 5. Write it in quotes: "5".'),
    (SHORT.replace("short", ""), f'2:1: "name" must be {A_NAME}, not "".'),
    (SHORT.replace("short", "my hoarder"), f'2:1: "name" must be {A_NAME}, not "my hoarder".'),
    (SHORT.replace("short", "a,b"), f'2:1: "name" must be {A_NAME}, not "a,b".'),
    (SHORT.replace("short", "a.toml"), f'2:1: "name" must be {A_NAME}, not "a.toml".'),
    (SHORT.replace("short", "a\\n"), f'2:1: "name" must be {A_NAME}, not "a\\u000a".'),
    (SHORT.replace("short", "x" * 41), f'2:1: "name" must be {A_NAME}, not "{"x" * 41}".'),
    (SHORT.replace("short", "Greedy"), '2:1: Fair has a policy "Greedy" of its own; give this one another name.'),
    (
        SHORT.replace("greedy", "gredy"),
        '3:1: Fair has no policy "gredy". Did you mean "greedy"? Its policies: random and greedy.',
    ),
    (SHORT.replace('"greedy"', "true"), '3:1: "based_on" must be the name of a policy in quotes, not true. '
        'Write it in quotes: "true".'),
    (SHORT + "temperature = -1", '4:1: "temperature" must be a whole number from 0 to 1000, not -1.'),
    (SHORT + "temperature = 1001", '4:1: "temperature" must be a whole number from 0 to 1000, not 1001.'),
    (SHORT + "temperature = 4.0", '4:1: "temperature" must be a whole number from 0 to 1000, not 4.0. Write 4.'),
    (
        SHORT + 'temperature = "4"',
        '4:1: "temperature" must be a whole number from 0 to 1000, not "4". Write 4 without quotes.',
    ),
    (SHORT + "temperature = true", '4:1: "temperature" must be a whole number from 0 to 1000, not true.'),
    (SHORT + 'help = ""', '4:1: "help" must be text of 1 to 200 characters on one line, not "".'),
    (SHORT + 'help = "a\\nb"', '4:1: "help" must be text of 1 to 200 characters on one line, not "a\\u000ab".'),
    (SHORT + "[weights]\ncard = 1.5", f'5:1: "card" must be {A_WEIGHT}, not 1.5.'),
    (SHORT + "[weights]\ncard = true", f'5:1: "card" must be {A_WEIGHT}, not true.'),
    (SHORT + "[weights]\ncard = 1001", f'5:1: "card" must be {A_WEIGHT}, not 1001.'),
    (SHORT + "[weights]\ncard = -1001", f'5:1: "card" must be {A_WEIGHT}, not -1001.'),
    (SHORT + "[weights]\ncard = nan", f'5:1: "card" must be {A_WEIGHT}, not nan.'),
    (SHORT + "[weights]\ncard.x = 1", f'5:1: "card" must be {A_WEIGHT}, not {{ x = 1 }}.'),
    (SHORT + "[weights]\ncrd = 1", f'5:1: "greedy" has no weight "crd". Did you mean "card"? {WEIGHT_KEYS}'),
    (SHORT + "[weights]\ntemperature = 1", f'5:1: "greedy" has no weight "temperature". {WEIGHT_KEYS}'),
    (
        SHORT.replace("greedy", "random") + "[weights]\ncard = 1",
        '5:1: "random" has no weight "card". It has none.',
    ),
    (SHORT + "[[weights]]\ncard = 1", '4:3: "weights" must be a table that begins with [weights], not [{ card = 1 }].'),
    (SHORT + "[weights]\ncard = 1\ncard = 2", '6:1: "weights.card" is written twice; the first time on line 5.'),
    (SHORT + "[weights]\ncard = many", "5:8: many is not a value of TOML; "
     "text goes in straight quotes, a number begins with a digit."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), WRONG, ids=range(len(WRONG)))
def test_a_fault_is_a_sentence_at_its_place(write: Write, text: str, sentence: str) -> None:
    with pytest.raises(BalanceError) as refused:
        read_type(Path(write(text, "mine.toml")), FAIR)
    assert refused.value.message == f"mine.toml:{sentence}"


def test_all_faults_come_in_the_order_of_the_file(write: Write) -> None:
    text = '[weights]\nmdal = 1\ncard = "1"\n[policy]\nname = "greedy"\nbased_on = "greedy"\nseed = 1\n'
    with pytest.raises(BalanceError) as refused:
        read_type(Path(write(text)), FAIR)
    assert [line.split(": ")[0] for line in refused.value.message.splitlines()] == [
        f"e.toml:{line}:1" for line in (2, 3, 5, 7)
    ]


ENCODED = [
    (b"\xef\xbb\xbf" + WHOLE.encode(), ""),
    (WHOLE.replace("\n", "\r\n").encode(), ""),
    (WHOLE.encode("utf-16"), "e.toml:1:1: The file is saved as UTF-16; save it as UTF-8."),
    (b"# \xff", "e.toml:1:3: The file is not UTF-8 text (byte 0xff); save it as UTF-8."),
]


@pytest.mark.parametrize(("content", "sentence"), ENCODED)
def test_how_the_file_is_saved(write: Write, content: bytes, sentence: str) -> None:
    name = Path(write(content))
    if not sentence:
        assert read_type(name, FAIR) == HOARDER
        return
    with pytest.raises(BalanceError) as refused:
        read_type(name, FAIR)
    assert refused.value.message == sentence


# ---------------------------------------------------------------- in a line-up


def test_a_file_stands_where_a_policy_is_named(write: Write, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    write(WHOLE, "below/mine.toml")
    experiment = read_experiment(write(LINEUP, "below/e.toml"))  # beside it, wherever we are
    assert experiment.lineup.policies == ("greedy", "hoarder")
    assert experiment.types == (HOARDER,)
    assert with_overrides(from_game("fair"), policies=("greedy", "below/mine.toml")) == with_overrides(
        from_game("fair"), policies=("greedy", str(tmp_path / "below" / "mine.toml"))
    )


def test_what_was_read_is_kept_and_can_be_written_down(write: Write, tmp_path: Path) -> None:
    write(WHOLE, "mine.toml")
    experiment = read_experiment(write(LINEUP))
    (tmp_path / "mine.toml").unlink()
    assert with_overrides(experiment, games=5).types == (HOARDER,)
    assert Experiment.model_validate(experiment.model_dump(mode="json")) == experiment
    assert with_overrides(experiment, policies=("random",)).types == ()


def test_the_same_file_twice_is_one_type(write: Write) -> None:
    write(WHOLE, "mine.toml")
    experiment = with_overrides(
        from_game("fair"), players=(4,), policies=("mine.toml", "greedy", "./mine.toml")
    )
    assert experiment.lineup.policies == ("hoarder", "greedy", "hoarder")
    assert experiment.types == (HOARDER,)


def test_equal_policies_may_have_different_names(write: Write) -> None:
    write(SHORT, "one.toml")
    write(SHORT.replace("short", "other"), "other.toml")
    experiment = with_overrides(from_game("fair"), policies=("one.toml", "other.toml"))
    assert experiment.lineup.policies == ("short", "other")


@pytest.mark.parametrize("name", ["short", "SHORT"])
def test_different_policies_may_not_share_a_name(write: Write, name: str) -> None:
    write(SHORT, "one.toml")
    write(SHORT.replace("short", name) + "temperature = 3", "other.toml")
    with pytest.raises(BalanceError) as refused:
        with_overrides(from_game("fair"), policies=("one.toml", "other.toml"))
    assert refused.value.message == (
        f'Two types of players are called "{name}" and are not the same: one.toml and other.toml.'
    )


UNREADABLE = {
    "mine.tml.toml": 'There is no file "mine.tml.toml". Did you mean "mine.toml"?',
    "no/mine.toml": 'There is no file "no/mine.toml": its folder does not exist either.',
    "folder.toml": '"folder.toml" is a folder, not a policy file.',
    "mine.toml/x.toml": '"mine.toml/x.toml" cannot be read: Not a directory.',
    "a\0.toml": '"a\\u0000.toml" cannot be read: embedded null byte.',
    f"{'x' * 300}.toml": f'"{"x" * 300}.toml" cannot be read: File name too long.',
}


@pytest.mark.parametrize("name", UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_file_that_cannot_be_read(write: Write, tmp_path: Path, name: str) -> None:
    write(WHOLE, "mine.toml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BalanceError) as refused:
        with_overrides(from_game("fair"), policies=("greedy", name))
    assert refused.value.message == UNREADABLE[name]
    in_file = LINEUP.replace("mine.toml", name.replace("\0", "\\u0000"))
    with pytest.raises(BalanceError) as refused:
        read_experiment(write(in_file))
    assert refused.value.message == f"e.toml:4:23: {UNREADABLE[name]}"


def test_a_fault_in_a_policy_file_is_said_at_its_place_there(write: Write) -> None:
    write(WHOLE + "cards = 3\n", "mine.toml")
    with pytest.raises(BalanceError, match=r'^mine\.toml:8:1: "greedy" has no weight "cards"\.'):
        read_experiment(write(LINEUP))


def test_too_many_files_for_a_table(write: Write) -> None:
    write(WHOLE, "mine.toml")
    with pytest.raises(BalanceError, match=r"3 policies need at least 3 players, but .* games of 2\."):
        with_overrides(from_game("fair"), policies=("mine.toml",) * 3)


@pytest.mark.parametrize("key", ["types", "type"])
def test_an_experiment_file_holds_no_numbers_of_policies(write: Write, key: str) -> None:
    with pytest.raises(BalanceError, match=rf'^e\.toml:3:1: Unknown key "{key}" at the top of the file\.'):
        read_experiment(write(f'schema_version = 1\ngame = "fair"\n{key} = []\n'))


def test_a_policy_file_is_no_experiment(write: Write) -> None:
    with pytest.raises(BalanceError) as refused:
        read_experiment(write(WHOLE))
    assert refused.value.message == (
        "e.toml:1:2: This is a policy file, no experiment; it is named in [lineup] or with --policies."
    )


# ---------------------------------------------------------------- a file to start from


def test_the_file_to_start_from_is_the_default_policy_with_every_number_explained(write: Write) -> None:
    text = player_text(FAIR, "fair", "my-fair-player.toml")
    mine = read_type(Path(write(text)), FAIR)
    assert (mine.name, mine.based_on, mine.weights, mine.temperature) == ("my-player", "greedy", WEIGHTS, 2)
    assert "#   balance players fair THIS_FILE\n" in text
    assert '#   policies = ["greedy", "my-fair-player.toml"]\n' in text
    assert "#   For each card.\ncard = -14\n#   For each medal.\nmedal = 15\nspare = 11\n" in text
    assert f"from -{HIGHEST_WEIGHT} to {HIGHEST_WEIGHT}" in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_policy_without_weights_can_be_started_from_too(write: Write) -> None:
    mine = read_type(Path(write(player_text(SOLO, "solo", "my-solo-player.toml"))), SOLO)
    assert (mine.based_on, mine.weights) == ("random", {})
