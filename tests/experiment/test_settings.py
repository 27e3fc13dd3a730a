from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.errors import BalanceError
from balance.experiment.settings import (
    parse_detect,
    parse_games,
    parse_players,
    parse_policies,
    parse_power,
    parse_range,
    parse_seed,
    parse_set,
    parse_sets,
)

KINDS = "Write a number such as 3 or 0.5, true, false, a word, text in quotes, or a list such as [1, 2]."
PLAYERS = "--players takes whole numbers from 1 to 6 with commas between them, such as 3,4, not"
POLICIES = "--policies takes names with commas between them, such as greedy,random, not"
GAMES = "--games takes a whole number such as 5000, 1_000_000, 200k or 5M, not"
GAMES_RANGE = "--games must be from 1 to 1_000_000_000_000, not"
SEED = "--seed must be a whole number from 0 to 18_446_744_073_709_551_615, not"
RANGE = "A range of games is written 0:300 (from game 0 to game 299), not"
NO_GAMES = "holds no games; the second number, at most 1_000_000_000_000, is one above the last game."


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("hand_size=5", "hand_size", 5),
        (" hand_size = 5 ", "hand_size", 5),
        ("a=-2", "a", -2),
        ("a=1_000", "a", 1000),
        ("a=0x10", "a", 16),
        ("a=1.5", "a", 1.5),
        ("a=true", "a", True),
        ("a=false", "a", False),
        ("tie_break=none", "tie_break", "none"),
        ("tie_break=oldest-card.v2", "tie_break", "oldest-card.v2"),
        ("tie_break=kölyök", "tie_break", "kölyök"),
        ('tie_break="none"', "tie_break", "none"),
        ("tie_break='a b # = }'", "tie_break", "a b # = }"),
        ('a="5"', "a", "5"),
        ('a=""', "a", ""),
        ('a="on"', "a", "on"),
        ("litter=[0, 0,1]", "litter", [0, 0, 1]),
        ("a={ b = 1 }", "a", {"b": 1}),
        ("a=2021-01-01", "a", datetime.date(2021, 1, 1)),
    ],
)
def test_set_reads_values_with_their_types(text: str, key: str, value: object) -> None:
    found = parse_set(text)
    assert found == (key, value)
    assert type(found[1]) is type(value)


WRONG: list[tuple[Callable[[str], Any], str, str]] = [
    (parse_set, "hand_size", '--set needs a rule and a value, such as seasons=2, not "hand_size".'),
    (parse_set, "", '--set needs a rule and a value, such as seasons=2, not "".'),
    (parse_set, "=5", '--set needs a rule and a value, such as seasons=2, not "=5".'),
    (parse_set, "a=", "--set a= has no value; an empty text is written a='\"\"'."),
    (parse_set, "players=3", "The number of players is no rule; use --players."),
    (parse_set, "players=", "The number of players is no rule; use --players."),
    (parse_set, "a=True", "--set a=True: write a=true (or 'a=\"True\"' for the word)."),
    (parse_set, "a=yes", "--set a=yes: write a=true (or 'a=\"yes\"' for the word)."),
    (parse_set, "a=ON", "--set a=ON: write a=true (or 'a=\"ON\"' for the word)."),
    (parse_set, "a=False", "--set a=False: write a=false (or 'a=\"False\"' for the word)."),
    (parse_set, "a=no", "--set a=no: write a=false (or 'a=\"no\"' for the word)."),
    (parse_set, "a=off", "--set a=off: write a=false (or 'a=\"off\"' for the word)."),
    (parse_set, "a=200k", f"--set a=200k: this is no value. {KINDS}"),
    (parse_set, "a=1,000", f"--set a=1,000: this is no value. {KINDS}"),
    (parse_set, "a=08", f"--set a=08: this is no value. {KINDS}"),
    (parse_set, "a=two words", f"--set a=two words: this is no value. {KINDS}"),
    (parse_set, 'a="open', f'--set a="open: this is no value. {KINDS}'),
    (parse_set, "a=3 # three", f"--set a=3 # three: this is no value. {KINDS}"),
    (parse_set, "a=3, b = 4", f"--set a=3, b = 4: this is no value. {KINDS}"),
    (parse_set, "a=3}\nb = {c = 4", f"--set a=3}}\\u000ab = {{c = 4: this is no value. {KINDS}"),
    (parse_set, "a=\x1b[2J", f"--set a=\\u001b[2J: this is no value. {KINDS}"),
    (parse_set, "a=" + "[" * 50_000, "--set a=" + "[" * 50_000 + f": this is no value. {KINDS}"),
    (parse_players, "", f'{PLAYERS} "".'),
    (parse_players, "0", f'{PLAYERS} "0".'),
    (parse_players, "3,7", f'{PLAYERS} "3,7".'),
    (parse_players, "2-6", f'{PLAYERS} "2-6".'),
    (parse_players, "3;4", f'{PLAYERS} "3;4".'),
    (parse_players, "3,", f'{PLAYERS} "3,".'),
    (parse_players, "three", f'{PLAYERS} "three".'),
    (parse_players, "٣", f'{PLAYERS} "٣".'),
    (parse_players, "9" * 99, f'{PLAYERS} "{"9" * 99}".'),
    (parse_players, "3,4,3", "--players lists 3 twice."),
    (parse_policies, "", f'{POLICIES} "".'),
    (parse_policies, "greedy,,random", f'{POLICIES} "greedy,,random".'),
    (parse_policies, "greedy,", f'{POLICIES} "greedy,".'),
    (parse_games, "", f'{GAMES} "".'),
    (parse_games, "many", f'{GAMES} "many".'),
    (parse_games, "k", f'{GAMES} "k".'),
    (parse_games, "-5", f'{GAMES} "-5".'),
    (parse_games, "1.5M", f'{GAMES} "1.5M".'),
    (parse_games, "1,000", f'{GAMES} "1,000".'),
    (parse_games, "1e6", f'{GAMES} "1e6".'),
    (parse_games, "5m", f'{GAMES} "5m".'),
    (parse_games, "1__0", f'{GAMES} "1__0".'),
    (parse_games, "_1", f'{GAMES} "_1".'),
    (parse_games, "0", f'{GAMES_RANGE} "0".'),
    (parse_games, "0k", f'{GAMES_RANGE} "0k".'),
    (parse_games, "1000000000001", f'{GAMES_RANGE} "1000000000001".'),
    (parse_games, "1000001M", f'{GAMES_RANGE} "1000001M".'),
    (parse_games, "9" * 5000, f'{GAMES_RANGE} "{"9" * 99}…".'),
    (parse_seed, "", f'{SEED} "".'),
    (parse_seed, "-1", f'{SEED} "-1".'),
    (parse_seed, "1.0", f'{SEED} "1.0".'),
    (parse_seed, "0x10", f'{SEED} "0x10".'),
    (parse_seed, "18446744073709551616", f'{SEED} "18446744073709551616".'),
    (parse_range, "", f'{RANGE} "".'),
    (parse_range, "5", f'{RANGE} "5".'),
    (parse_range, ":5", f'{RANGE} ":5".'),
    (parse_range, "5:", f'{RANGE} "5:".'),
    (parse_range, "-1:5", f'{RANGE} "-1:5".'),
    (parse_range, "0:5:2", f'{RANGE} "0:5:2".'),
    (parse_range, "5:5", f'The range "5:5" {NO_GAMES}'),
    (parse_range, "5:4", f'The range "5:4" {NO_GAMES}'),
    (parse_range, "0:1000000000001", f'The range "0:1000000000001" {NO_GAMES}'),
]


@pytest.mark.parametrize(
    ("parse", "text", "message"), WRONG, ids=[f"{p.__name__} {t[:30]}" for p, t, _ in WRONG]
)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    parse: Callable[[str], Any], text: str, message: str
) -> None:
    with pytest.raises(BalanceError) as refused:
        parse(text)
    assert refused.value.message == message
    assert refused.value.exit_code == 2


def test_several_sets_are_one_table() -> None:
    assert parse_sets(["b=1", "a=none"]) == {"b": 1, "a": "none"}
    assert parse_sets([]) == {}


def test_the_same_rule_cannot_be_set_twice() -> None:
    with pytest.raises(BalanceError) as refused:
        parse_sets(["a=1", "b=2", "a=none"])
    assert refused.value.message == '--set a is given twice: 1 and "none".'


def test_players() -> None:
    assert parse_players("3,4") == (3, 4)
    assert parse_players(" 6 , 1") == (6, 1)


def test_policies() -> None:
    assert parse_policies("greedy") == ("greedy",)
    assert parse_policies("greedy, random,greedy") == ("greedy", "random", "greedy")


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("1", 1),
        ("200k", 200_000),
        ("3K", 3_000),
        ("1_000_000", 10**6),
        ("5M", 5 * 10**6),
        ("1000000M", 10**12),
        ("007", 7),
    ],
)
def test_games(text: str, games: int) -> None:
    assert parse_games(text) == games


def test_seeds() -> None:
    assert [parse_seed(text) for text in ("0", "1_000", "18446744073709551615")] == [0, 1000, 2**64 - 1]


def test_ranges_leave_out_their_end() -> None:
    assert parse_range("0:300") == range(0, 300)
    assert parse_range("1_000:1_001") == range(1000, 1001)


@given(
    st.text(max_size=12),
    st.sampled_from([parse_set, parse_players, parse_policies, parse_games, parse_seed, parse_range]),
)
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused_in_a_sentence(text: str, parse: Callable[[str], Any]) -> None:
    for typed in (text, f"a={text}", f"3{text}"):
        try:
            parse(typed)
        except BalanceError as error:
            sentence = error.message
        else:
            sentence = "."
        assert sentence.endswith(".")
        assert "\n" not in sentence


@pytest.mark.parametrize(
    ("text", "share", "found"),
    [
        ("1pp", True, 0.01),
        ("0.5 pp", True, 0.005),
        (".25pp", True, 0.0025),
        ("0.5", False, 0.5),
        ("12", False, 12),
    ],
)
def test_what_is_to_be_seen_is_in_points_or_plain(text: str, share: bool, found: float) -> None:
    assert parse_detect(text, "it", share) == pytest.approx(found)


@pytest.mark.parametrize(
    ("text", "share", "says"),
    [
        ("1", True, '"it" is a share: --detect takes percentage points, such as 1pp or 0.5pp, not "1".'),
        ("1%", True, '"it" is a share: --detect takes percentage points, such as 1pp or 0.5pp, not "1%".'),
        ("1pp", False, '"it" is no share: --detect takes a plain number, such as 0.5, not "1pp".'),
        ("0pp", True, '--detect takes percentage points above 0 and below 100, such as 1pp, not "0pp".'),
        ("100pp", True, '--detect takes percentage points above 0 and below 100, such as 1pp, not "100pp".'),
        ("1ppm", True, '--detect takes percentage points above 0 and below 100, such as 1pp, not "1ppm".'),
        ("-1", False, '--detect takes a number above 0, such as 0.5, not "-1".'),
        ("nan", False, '--detect takes a number above 0, such as 0.5, not "nan".'),
        ("", False, '--detect takes a number above 0, such as 0.5, not "".'),
    ],
)
def test_anything_else_to_be_seen_is_refused(text: str, share: bool, says: str) -> None:
    with pytest.raises(BalanceError) as refused:
        parse_detect(text, "it", share)
    assert refused.value.message == says


def test_a_power_is_a_chance() -> None:
    assert parse_power("0.8") == 0.8
    for text in ("80", "80%", "1", "0.2", "", "x"):
        with pytest.raises(
            BalanceError, match=r"^--power takes a chance from 0\.5 to 0\.9999, such as 0\.8, not "
        ):
            parse_power(text)
