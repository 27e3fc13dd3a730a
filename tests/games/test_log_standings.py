"""Who leads, as the logs say it, is who leads in the measures of a run: after each round, and half-way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from balance import narration
from balance.engine.playing import NOT_REACHED, new_marks
from balance.experiment import replay as replaying
from balance.experiment.leads import Seen, seen
from balance.experiment.replay import Replayer
from balance.game import Size
from balance.games import animalia, kennelmester, pig, zooloretto
from balance.narration import Log, leaders

GAMES = {one.GAME.id: one.GAME for one in (animalia, kennelmester, pig, zooloretto)}
SHORT = {"reputation_target": 12, "round_cap": 12}
Case = tuple[str, Size, dict[str, Any]]
CASES: list[Case] = [
    (name, size, SHORT if name == "kennelmester" else {})
    for name, game in GAMES.items()
    for size in game.official_sizes
    if len(game.sides(size)) > 1
]
CASES += [
    ("animalia", (3, None), {"medal_points": 2, "excellence_group_size": 2, "tiebreak": "none", "seasons": 5}),
    ("zooloretto", (4, None), {"barn_stall_unit": "kind", "stall_to_barn_by_choice": True, "tie_break": "none"}),
    ("kennelmester", (4, "team"), {**SHORT, "tie_break": "coins"}),
    ("kennelmester", (3, "competitive"), {**SHORT, "tie_break": "coins", "end_check": "immediate"}),
    ("pig", (3, None), {"head_start": 20}),
]  # fmt: skip
NUMBERS, MOST_ROUNDS = range(1, 4), 100


class Marks(dict[tuple[int, ...], int]):
    """What the loop notes of rounds, for kernels in plain Python."""

    shape = (1, MOST_ROUNDS)


@dataclass
class Told:
    """A game played again: its log, its row, and what a run counts of who led."""

    lines: list[str]
    events: list[dict[str, Any]]
    row: dict[str, int]
    seen: Seen
    points: list[list[int]]
    """Of each side after each round that play went on after."""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Told]:
    """Plays a game of a case again."""

    def play(case: Case, number: int) -> Told:
        name, size, changes = case
        game, noted = GAMES[name], new_marks(1, MOST_ROUNDS)
        policies = [game.policies[at % 2] for at in range(size[0])]
        replayer, marks = Replayer(game, game.resolve(size, changes), policies, size[0]), Marks()
        monkeypatch.setattr(replaying, "new_marks", lambda: marks)
        found = replayer.play(7, number)
        for at, value in marks.items():
            noted[at] = value
        noted = noted[..., [seats[0] for seats in game.sides(size)]]
        wins = np.array([[found.row[f"win_share_{seats[0]}"] for seats in game.sides(size)]])
        points = [own for own in noted[0, :, 0].tolist() if own[0] != NOT_REACHED]
        assert game.narrate is not None
        known = seen(noted, wins, np.array([found.row["rounds"]]), np.array([0]), 1)
        return Told(game.narrate(found.events), found.events, found.row, known, points)

    return play


def sentences(lines: Sequence[str]) -> list[tuple[list[int], str]]:
    """The points in each sentence on how all stand, and what it says of who leads."""
    text = " ".join(" ".join(lines).split())
    listed = r"(?:so far|Half-way, after round \d+ of \d+): ((?:\w+ \d+ -?\d+(?:, )?)+); "
    found = re.findall(listed + r"(.*?(?:leads?|share the lead)\b)", text)
    return [([int(one.split()[-1]) for one in points.split(", ")], lead) for points, lead in found]


def table(lines: Sequence[str]) -> list[list[str]]:
    """The rows of the table of standings without their margins, one for each round."""
    start = next((at for at, line in enumerate(lines) if " AFTER EACH " in line), len(lines))
    rows = []
    for line in lines[start + 2 :]:
        if not line:
            break
        (first, _, last), cells = line.split()[1].partition("-"), line.split()[2:]
        rows += [cells] * (int(last or first) - int(first) + 1)
    return rows


def mistakes(game: Told) -> Iterator[str]:
    """Where the log says of who leads something else than a run counts."""
    said, half = sentences(game.lines), game.row["rounds"] // 2 - 1
    counted = list(enumerate(game.points))
    if game.lines[0].startswith("Pig"):
        counted = [counted[half]] if half >= 0 else []
    else:
        leads = [
            str(int(game.seen.leader[0, at]) + 1) if game.seen.alone[0, at] else "-" for at, _ in counted
        ]
        if table(game.lines) != [[*map(str, own), one] for own, one in zip(game.points, leads, strict=True)]:
            yield "the table"
    if len(said) != len(counted):
        yield f"{len(said)} standings instead of {len(counted)}"
    for (at, points), (read, lead) in zip(counted, said, strict=False):
        name = re.search(r"(?:Player|Pair|player) (\d+) leads", lead)
        leader = int(game.seen.leader[0, at]) if game.seen.alone[0, at] else None
        if read != points:
            yield f"the points after round {at + 1}"
        if (int(name[1]) - 1 if name else None) != leader:
            yield f"the leader after round {at + 1}"
        if len(said) > 1 and ("half-way" in lead) != (at == half):
            yield f"round {at + 1} and half-way"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_log_names_the_leaders_that_are_counted(case: Case, told: Callable[..., Told]) -> None:
    for number in NUMBERS:
        assert list(mistakes(told(case, number))) == []


def wrong(points_now: Any) -> Any:
    """The first side has a point too many."""

    def changed(log: Log, event: Any) -> tuple[list[int], Sequence[int]]:
        (first, *others), breaks = points_now(log, event)
        return [first + 1, *others], breaks

    return changed


@pytest.mark.parametrize("name", ["animalia", "kennelmester", "zooloretto"])
def test_a_wrong_standing_is_noticed(
    name: str, told: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = GAMES[name].narrate.__globals__["_Log"]  # type: ignore[union-attr]
    case = next(one for one in CASES if one[0] == name)
    monkeypatch.setattr(kind, "points_now", wrong(kind.points_now))
    found = list(mistakes(told(case, 1)))
    assert {"the table", "the points after round 1"} <= set(found)


def test_a_wrong_leader_and_a_wrong_half_are_noticed(
    told: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    case = ("zooloretto", (3, None), {})
    with monkeypatch.context() as patch:
        patch.setattr(Log, "half", 1)
        assert "round 1 and half-way" in set(mistakes(told(case, 1)))
    monkeypatch.setattr(narration, "leaders", lambda scores, _: [len(scores) - 1])
    assert any(one.startswith("the leader after") for one in mistakes(told(case, 1)))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_log_names_the_winners(case: Case, told: Callable[..., Told]) -> None:
    """A pair wins as one: only true ties are shared."""
    name, size, _ = case
    sides = GAMES[name].sides(size)
    for number in NUMBERS:
        game = told(case, number)
        end = " ".join(" ".join(game.lines[-3:]).split())
        winners = [side for side, seats in enumerate(sides) if game.row[f"rank_{seats[0]}"] == 1]
        names = [f"{'Player' if len(sides) == size[0] else 'Pair'} {side + 1}" for side in winners]
        if name == "pig":
            assert f"The win goes to {' and '.join(names).lower()} [" in end
            continue
        assert ("share the victory" in end) == (len(winners) > 1)
        points = game.row[f"score_{sides[winners[0]][0]}"]
        victory = re.search(rf"((?:Pair|Player) \d+[^|\]]*) (?:wins|share the victory) with {points} ", end)
        assert victory
        assert re.findall(r"(?:Pair|Player) \d+", victory[1])[-len(winners) :] == names


@pytest.mark.parametrize("name", ["animalia", "kennelmester", "zooloretto"])
def test_a_game_that_stopped_is_told_up_to_there(name: str, told: Callable[..., Told]) -> None:
    """Where somebody's player does what is not allowed, there is no result; only seasons are counted beforehand."""
    game = told(next(one for one in CASES if one[0] == name), 1)
    narrate = GAMES[name].narrate
    assert narrate is not None
    lines = narrate(game.events[:-1])
    assert lines[0] == game.lines[0]
    assert [points for points, _ in sentences(lines)][: len(game.points)] == game.points
    assert ("half-way" in "\n".join(lines)) == (name == "animalia")


def test_leaders_are_told_by_points_and_then_by_the_tiebreak() -> None:
    assert leaders([3, 5, 5], [9, 1, 2]) == [2]
    assert leaders([3, 5, 5], [9, 2, 2]) == [1, 2]
    assert leaders([-1, -1], [0, 0]) == [0, 1]
