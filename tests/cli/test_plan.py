"""balance plan: the games and seconds that a question takes, measured in a pilot."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from balance.cli import planned, seen
from balance.experiment import pilots
from balance.experiment.config import from_game, with_overrides
from balance.experiment.events import Compiled, Event, Progress
from balance.experiment.runner import Clock

from .commands import Ended, files_in
from .test_compare import FILE

Command = Callable[..., Ended]


@pytest.fixture(autouse=True)
def short_pilots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pilots, "GAMES", 2_000)
    monkeypatch.setattr(pilots, "LASTS", 0.0)


def test_a_sentence_a_table_and_what_was_measured(balance: Command, here: Path) -> None:
    ended = balance("plan", "pig", "--players", 2, "--detect", "1pp", "--power", "0.8")
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) <= 80
    text = " ".join(ended.out.split())
    assert text.startswith(
        "Pig With 2 players, to see with a chance of 80 % that a seat is 1 pp off an even share of the wins, play "
        "19,600 games: "
    )
    assert "2 players games seconds stopping: at most seconds" in text
    for row, games in (("one set of rules", "19,600"), ("a change, each, other deals", "39,2|39,3")):
        assert re.search(rf"{row} ({games})", text), row
    assert "Measured in 2,000 games: share of wins of seat " in text
    assert "Not measured: that both rules correlate by 0.5" in text
    assert files_in(here) == {}, "pilots leave nothing"


def test_a_named_tweak_is_measured(balance: Command) -> None:
    asked = (
        "plan",
        "pig",
        "--players",
        "2,3",
        "--detect",
        "0.5",
        "--metric",
        "turns",
        "--set",
        "head_start=5",
    )
    ended = balance(*asked)
    text = " ".join(ended.out.split())
    assert (
        'With 3 players, to see with a chance of 80 % that "head_start=5" makes a difference of 0.5 in "Turns"'
        in text
    )
    assert re.search(
        r'"head_start=5": on the same deals both rules correlate by 0\.\d+; a game is worth \d+\.\d', text
    )
    found = json.loads(balance(*asked, "--format", "json").out)
    assert (found["schema"], found["metric"], found["detect"], found["share"]) == (
        "balance.plan/1",
        "turns",
        0.5,
        False,
    )
    for table in found["tables"]:
        (one,) = table["comparisons"]
        same, other = one["same_deals"]["fixed"]["games"], one["other_deals"]["fixed"]["games"]
        assert 2 < other / same < one["worth"], "so few games would show too few changes to be sure of"
        assert one["correlation"] > 0.9
        assert one["same_deals"]["fixed"]["seconds"] > 0


def test_the_variants_of_a_file_are_planned_each(balance: Command, here: Path) -> None:
    (here / "pigs.toml").write_text(FILE + '[[variants]]\nname = "idle"\nrules = { most_rounds = 199 }\n')
    text = " ".join(balance("plan", "pigs.toml", "--detect", "1pp").out.split())
    assert '"other" makes a difference of 1 pp in share of wins' in text
    assert 'With 2 players, "idle" changed not one game of the pilot, so there is nothing to see.' in text


def test_what_so_many_games_show(balance: Command) -> None:
    asked = ("plan", "pig", "--players", 2, "--games", "100k")
    ended = balance(*asked)
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) <= 80
    text = " ".join(ended.out.split())
    assert text.startswith(
        "Pig With 2 players, 100,000 games show with a chance of 80 % that a seat is 0.45 pp off an even share of "
        "the wins"
    )
    assert "on different deals it would have to be 0.63 pp." in text
    assert "one set of rules 100,000" in text
    found = json.loads(balance(*asked, "--format", "json").out)
    (table,) = found["tables"]
    assert (found["games"], found["detect"]) == (100_000, None)
    assert 0.0043 < table["alone"]["fixed"]["detect"] < 0.0045 < table["alone"]["stopping"]["detect"]


def test_what_they_show_of_a_named_tweak_and_what_too_few_show(balance: Command) -> None:
    tweak = ("plan", "pig", "--players", 2, "--metric", "turns", "--set", "head_start=5")
    text = " ".join(balance(*tweak, "--games", "2k").out.split())
    assert re.search(
        r'show with a chance of 80 % that "head_start=5" makes a difference of 0\.0\d+ in "Turns"', text
    )
    few = " ".join(balance(*tweak, "--games", 1).out.split())
    assert '1 game by each set of rules is too few to show anything of "head_start=5".' in few
    idle = ("plan", "pig", "--players", 2, "--set", "most_rounds=199", "--games", "2k")
    assert "changed not one game of the pilot, so there is nothing to see." in " ".join(
        balance(*idle).out.split()
    )


def test_the_pace_is_that_of_play_alone(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that of the whole pilot, most of which is something else."""
    monkeypatch.setattr(Clock, "_speed", lambda *_: 4321.4)
    asked = ("plan", "pig", "--players", 2, "--detect", "1pp", "--threads", 1)
    (table,) = json.loads(balance(*asked, "--format", "json").out)["tables"]
    assert table["pilot"]["games_per_second"] == 4321
    for rows, rule_sets in ((table["alone"], 1), (table["comparisons"][0]["other_deals"], 2)):
        for one in rows.values():
            assert one["seconds"] == pytest.approx(rule_sets * one["games"] / 4321)
    text = " ".join(balance(*asked).out.split())
    assert "a game; 4,321 games a second on 1 thread." in text


def test_a_short_pilot_is_followed_by_a_longer_one_that_gives_the_pace(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pilot of 2,000 games by each set of rules has a pace of 4,000, so one of 3,000 lasts 1.5 seconds."""
    loaded: list[str] = []
    monkeypatch.setattr(pilots, "LASTS", 1.5)
    monkeypatch.setattr("balance.cli.plan.import_module", loaded.append)
    monkeypatch.setattr(Clock, "_speed", lambda _, games: float(games))
    asked = ("plan", "pig", "--players", 2, "--detect", "1pp", "--set", "sides=8", "--format", "json")
    (table,) = json.loads(balance(*asked).out)["tables"]
    assert table["pilot"]["games_per_second"] == 2 * 3_000
    assert table["pilot"]["games"] == 2_000, "what varies is known from the pilot"
    assert loaded == ["polars"], "before the time is taken"


def test_only_a_pilot_that_was_too_short_is_played_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pilots, "LASTS", 0.5)
    (pilot,) = pilots.pilots(with_overrides(from_game("pig"), players=(2,)), "win_share")
    longer = pilots.longer(pilot, 2, 8_004)
    assert longer is not None
    assert longer.run.games == 2_001
    assert pilots.longer(pilot, 2, 8_000) is None, "2,000 games in each of two cells lasted half a second"


def test_the_pace_is_that_of_the_last_game() -> None:
    """Not of an earlier one; and what comes after it is not waited for."""

    def events() -> Iterator[Event]:
        yield Compiled(3.0)
        yield Progress(100, 1000, 50.0, 18.0)
        yield Progress(1000, 1000, 200.0, None)
        raise AssertionError("the games that a run plays again are no part of it")

    assert pilots.pace_of(events()) == 200.0
    with pytest.raises(KeyboardInterrupt):
        pilots.pace_of([Progress(100, 1000, 50.0, 18.0)])


def test_the_price_is_that_of_all_tables_together(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pilots, "GAMES", 60)
    asked = ("plan", "pig", "--players", "2,3,4,5,6", "--set", "head_start=1", "--detect", "1pp")
    text = " ".join(balance(*asked).out.split())
    assert text.endswith("headline numbers, 50 of them, a difference takes up to 2.2 times as many.")


def test_a_price_is_told_where_several_numbers_are_asked() -> None:
    told = [planned._reading({"confidence": 0.95, "questions": at, "price": 1.3}) for at in (0, 1, 3)]
    assert ["headline" in one for one in told] == [False, False, True]


def test_a_table_that_does_not_have_the_metric_is_told_of_first(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pilots, "GAMES", 60)
    tables = ("--players", "1,4", "--mode", "solo,team", "--set", "solo_target=40")
    text = " ".join(balance("plan", "kennelmester", *tables, "--detect", "9pp").out.split())
    told = (
        "With 1 player (solo) there is no share of wins, so no pilot was played: ask with --metric goal_rate."
    )
    assert 0 < text.index(told) < text.index("With 4 players (team), ")


@pytest.mark.parametrize(
    ("more", "told", "rows"),
    [
        ((29,), "29 games are too few to show anything.", False),
        (
            (30,),
            "30 games by each set of rules show with a chance of 80 % that a change of the rules makes a difference of "
            "29 pp in share of wins; on different deals it would have to be 37 pp.",
            True,
        ),
        (
            (3, "--set", "head_start=1"),
            '3 games by each set of rules are too few to show anything of "head_start=1".',
            False,
        ),
        (
            (30, "--metric", "tie_rate"),
            '"Shared wins" was the same in every game of the pilot, so there is nothing to plan.',
            False,
        ),
    ],
)
def test_the_sentence_and_the_table_agree_on_what_few_games_show(
    balance: Command, more: tuple[object, ...], told: str, rows: bool
) -> None:
    text = " ".join(balance("plan", "pig", "--players", 2, "--games", *more).out.split())
    assert told in text
    assert "100 pp" not in text
    assert ("one set of rules" in text, "Stopping" in text) == (rows, rows)
    assert ("spread (SD)" in text) == ("tie_rate" not in more)


def test_what_is_the_same_in_every_game_needs_no_plan(balance: Command) -> None:
    ended = balance("plan", "pig", "--players", 2, "--detect", "1pp", "--metric", "tie_rate")
    assert ended.code == 0
    assert "was the same in every game of the pilot" in " ".join(ended.out.split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--detect", "1"), '"win_share" is a share: --detect takes percentage points'),
        (("--detect", "1pp", "--metric", "turns"), '"turns" is no share: --detect takes a plain number'),
        (("--detect", "1pp", "--metric", "turn"), 'Pig has no metric "turn" here. Did you mean "turns"?'),
        (("--detect", "1pp", "--metric", "seat_spread"), '"seat_spread" is no mean'),
        (("--detect", "1pp", "--power", "80"), "--power takes a chance"),
        (("--detect", "1pp", "--set", "sides=99"), '"sides" must be'),
        ((), "Say what to plan: --detect D for the games that a difference takes, or --games N for"),
        (("--detect", "1pp", "--games", "5k"), "Say what to plan: --detect D for the games"),
        (("--games", "many"), "--games takes a whole number such as 5000, 1_000_000, 200k or 5M"),
    ],
)
def test_what_cannot_be_planned_is_one_sentence(
    balance: Command, here: Path, arguments: tuple[str, ...], says: str
) -> None:
    ended = balance("plan", "pig", "--players", "2", *arguments)
    assert (ended.code, ended.out, len(ended.faults)) == (2, "", 1)
    assert says in ended.err
    assert files_in(here) == {}


def test_a_deck_that_was_invented_is_said_first(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pilots, "GAMES", 60)
    asked = ("plan", "kennelmester", "--players", 1, "--detect", "1", "--metric", "score")
    ended = balance(*asked)
    assert ended.out.startswith("Kennelmester\n\nPLACEHOLDER DECK: ")
    assert json.loads(balance(*asked, "--format", "json").out)["deck_note"].startswith("PLACEHOLDER DECK: ")


@pytest.mark.parametrize("void", [True, False])
@pytest.mark.parametrize("page", [planned, seen])
def test_a_pilot_that_says_nothing_has_one_sentence_and_no_numbers(page: Any, void: bool) -> None:
    nothing = {
        "alone": None,
        "seat": 0,
        "sd": 0.0,
        "pilot": {"games": 10_000, "games_per_second": 9, "threads": 2},
    }
    change = {"variant": None, "changed": True, "void": False, "same_deals": None, "other_deals": None}
    one = {"players": 2, "mode": None, "level": None, "void": void, **nothing, "comparisons": [change]}
    facts = {"title": "Pig", "metric": "win_share", "share": True, "left_out": [], "tables": [one]}
    facts |= {"games": 500, "detect": 0.01, "power": 0.8, "confidence": 0.95, "questions": 9, "price": 1.6}
    text = " ".join(page.as_text(facts).split())
    start, rest = text.split(". ", 1)
    assert start == " ".join(f"Pig {planned.alike(facts, one)}".rstrip(".").split())
    assert rest.startswith("For 95 % intervals")
    assert "0.000" not in text


def test_tables_that_lack_the_metric_share_a_sentence() -> None:
    sizes = [{"players": players, "mode": "team", "usual": "win_share"} for players in (4, 6)]
    facts = {"title": "Kennel", "metric": "goal_rate", "metric_title": "Goal reached", "left_out": sizes}
    assert " ".join(" ".join(planned.beginning(facts)).split()) == (
        'Kennel With 4 players (team) and 6 players (team) there is no "Goal reached", so no pilot was played: ask '
        "with --metric win_share."
    )


def test_too_few_games_for_one_set_of_rules_may_show_a_change() -> None:
    """A seat that wins 53 % can lose all of that, but be only 50 pp off an even share."""
    none, some = ({"fixed": {"detect": detect}, "stopping": {"detect": None}} for detect in (None, 0.528))
    change = {"variant": None, "changed": True, "void": False, "same_deals": some, "other_deals": none}
    one = {"players": 2, "mode": None, "level": None, "void": False, "alone": none, "comparisons": [change]}
    facts = {"metric": "win_share", "share": True, "games": 7, "power": 0.8}
    assert list(seen._answers(facts, one)) == [
        "With 2 players, 7 games are too few to show that a seat is off an even share of the wins, however far.",
        "With 2 players, 7 games by each set of rules show with a chance of 80 % that a change of the rules makes a "
        "difference of 53 pp in share of wins; on different deals no difference would show.",
    ]


def test_what_varies_by_the_other_rules_alone_is_planned() -> None:
    """No game of the baseline is shared; some by the variant are."""
    takes = {name: {"games": 80, "seconds": 1.0, "detect": 0.01} for name in ("fixed", "stopping")}
    change = {"variant": "even", "changed": True, "void": False, "same_deals": takes, "other_deals": takes}
    one = {"players": 2, "mode": None, "level": None, "void": False, "alone": None, "comparisons": [change]}
    facts = {"metric": "tie_rate", "metric_title": "Shared wins", "share": True, "games": 80, "detect": 0.01}
    facts["power"] = 0.8
    for page in (planned, seen):
        (sentence,) = page._answers(facts, one)
        assert re.search('"even" makes a difference of 1 pp in "Shared wins"[,;] ', sentence)


@pytest.mark.parametrize("void", [True, False])
def test_a_pilot_of_void_games_is_not_said_to_have_changed_nothing(void: bool) -> None:
    found = {"variant": "short", "void": void, "changed": True, "few": None}
    one = {"players": 2, "mode": None, "level": None, "void": void, "comparisons": [found]}
    facts = {"metric": "win_share", "metric_title": "Share of wins"}
    assert ("void" in planned.alike(facts, one), "void" in planned.unchanged(facts, one, found)) == (
        void,
        void,
    )
    rare = {"variant": "short", "void": False, "changed": True, "few": 3}
    assert "on 3 deals of the pilot: too few to plan with" in planned.unchanged(facts, one, rare)
