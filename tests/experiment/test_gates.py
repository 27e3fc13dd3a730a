"""Gates in an experiment file: what is wrong with one is told before the first game, at its place."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import pytest
from pydantic import Field

from balance import registry
from balance.errors import BalanceError
from balance.experiment.config import read_experiment, with_overrides
from balance.experiment.gates import band_of, covers
from balance.experiment.metrics import names
from balance.experiment.models import Experiment, Gate
from balance.game import CounterMeasure, GameMeasure, GameParams, Mode, SeatMeasure

from .fake_games import MARKET

Write = Callable[..., str]


class FairParams(GameParams):
    players: int = Field(ge=1, le=4, description="Number of players.")
    mode: Literal["all", "alone", "pairs"] = Field("all", description="The mode.")
    swaps: int = Field(1, ge=0, le=3, description="Swaps in a turn.")


FAIR = replace(
    MARKET,
    id="fair",
    title="Fair",
    players=range(1, 5),
    Params=FairParams,
    modes=(
        Mode("all", "All", (2, 3, 4)),
        Mode("alone", "Alone", (1, 2), goal="Sell all."),
        Mode("pairs", "Pairs", (4,), sides=lambda _players: (0, 1, 0, 1)),
    ),
    measures=(
        GameMeasure("sold", "Sold", "goods", "Goods sold.", "more trade"),
        GameMeasure("empty", "Empty", "games", "Games with an empty market.", "scarcity", share=True),
        SeatMeasure("coins", "Coins", "coins", "Coins of a seat.", "wealth"),
        CounterMeasure("goods", "Goods", "goods", "What was sold.", "more use", items=("hay", "oats")),
    ),
    capped_by_rules=True,
)
KNOWN = {"market": MARKET, "fair": FAIR}
HEAD = """\
schema_version = 1
game = "fair"
players = [2, 3]
[[variants]]
name = "no swaps"
rules = { swaps = 0 }
[lineup]
policies = ["greedy", "random"]
[[gates]]
"""


@pytest.fixture(autouse=True)
def known_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:  # noqa: ARG001
    monkeypatch.setattr(registry, "load", lambda name: KNOWN[name])


def refused(write: Write, text: str) -> list[str]:
    with pytest.raises(BalanceError) as error:
        read_experiment(write(HEAD + text))
    assert error.value.exit_code == 2
    return error.value.message.splitlines()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            'metric = "seat_spred"\nmax = 0.1',
            '10:1: Fair has no metric "seat_spred". Did you mean "seat_spread"? ',
        ),
        (
            'metric = "goods"\nmax = 1',
            '10:1: "goods" is not one number of a game or of a seat, so no gate can',
        ),
        (
            'metric = "goal_rate"\nmax = 1',
            '10:1: There is no "goal_rate" at any table of this experiment; there are',
        ),
        (
            'metric = "sold.p95"\nmax = 1',
            '10:1: There is no sold.p95. Did you mean "p90"? There are sold.sd, ',
        ),
        ('metric = "sold.max"\nmax = 1', "10:1: sold.max grows with the games that are played, so no gate"),
        ('metric = "empty.sd"\nmax = 1', '10:1: "empty" is a share, of which there is no .sd.'),
        (
            'metric = "sold.sd"\nmax = 1\nagainst = "file"',
            "12:1: A baseline file holds the means of games and seats",
        ),
        ("max = 1", '9:3: "metric" is missing: say what is judged, such as metric = "seat_spread".'),
        ('metric = "sold"', "10:1: A gate needs a limit: min, max, or target with band."),
        (
            'metric = "sold"\ntarget = 4',
            "11:1: How far from the target is fine? Add band; with band = 0 the gate",
        ),
        ('metric = "sold"\nband = 4\nmax = 9', '11:1: "band" belongs to a target: target = 0.5'),
        (
            'metric = "sold"\ntarget = 4\nband = 1\nmax = 9',
            "11:1: A gate has min and max, or target and band, not",
        ),
        ('metric = "sold"\ntarget = 4\nband = -1', '12:1: "band" cannot be below 0 here, and is -1.'),
        ('metric = "sold"\nmin = 5\nmax = 4', '11:1: "min" is above "max": 5 and 4.'),
        (
            'metric = "sold"\nmax = "3pp"',
            '11:1: "sold" is no share; write "max" as a plain number, not "3pp".',
        ),
        (
            'metric = "sold"\nmax = "many"',
            '11:1: "max" must be a number, or text such as "3pp" or "25%", not "many".',
        ),
        (
            'metric = "sold"\nmax = true',
            '11:1: "max" must be a number, or text such as "3pp" or "25%", not true.',
        ),
        (
            'metric = "sold"\nmax = 1e308',
            '11:1: "max" must lie between -1_000_000_000_000_000 and 1_000_000_000_000_000, and is 1e+308.',
        ),
        (
            'metric = "sold"\nmin = -inf',
            '11:1: "min" must lie between -1_000_000_000_000_000 and 1_000_000_000_000_000, and is -inf. Where there '
            "is no limit, leave min out.",
        ),
        (
            f'metric = "sold"\nmax = {"9" * 400}',
            '11:1: "max" must lie between -1_000_000_000_000_000 and 1_000_000_000_000_000, and is 99999',
        ),
        (
            'metric = "sold"\nmax = "1e308"',
            '11:1: "max" must be a number, or text such as "3pp" or "25%", not "1e308".',
        ),
        (
            'metric = "sold"\nmax = "inf"',
            '11:1: "max" must be a number, or text such as "3pp" or "25%", not "inf".',
        ),
        (
            'metric = "sold"\nmax = nan',
            '11:1: "max" must be a number, or text such as "3pp" or "25%", not nan.',
        ),
        (
            'metric = "empty"\nmax = "0,5 %"',
            '11:1: "max" must be a number, or text such as "3pp" or "25%", not "0,5 %". Write "0.5 %".',
        ),
        (
            'metric = "empty"\nmax = 3',
            '11:1: "empty" is a share, from 0 to 1; max = 3 lies outside. Write "3pp" or 0.03.',
        ),
        ('metric = "empty"\nmin = -0.1', '11:1: "min" cannot be below 0 here, and is -0.1.'),
        (
            'metric = "seat_spread"\nmin = 0.1',
            '10:1: "seat_spread" says how far the seats are apart; its only limit',
        ),
        (
            'metric = "win_share"\nmax = 0.3',
            '10:1: "win_share" needs to be told whose: seat = 1, or policy = "greedy".',
        ),
        ('metric = "sold"\nmax = 3\nseat = 1', '12:1: "sold" is no number of a seat; leave "seat" out.'),
        ('metric = "coin"\nmax = 3\nseat = 1', '10:1: Fair has no metric "coin". Did you mean "coins"?'),
        ('metric = "coins"\nmax = 3\nseat = 0', '12:1: "seat" must be a whole number from 1 to 6, not 0.'),
        ('metric = "coins"\nmax = 3\nseat = 4', "12:1: There is no seat 4 with 3 players."),
        (
            'metric = "coins"\nmax = 3\nseat = 3\nplayers = [3, 2]',
            "13:15: There is no seat 3 with 2 players.",
        ),
        (
            'metric = "sold"\nmax = 3\nplayers = 3',
            '12:1: "players" must be a list of numbers of players, such as [3, 4], not 3. Write [3].',
        ),
        (
            'metric = "sold"\nmax = 3\nplayers = [4]',
            "12:12: This experiment has no games of 4, but of 2 and 3.",
        ),
        (
            'metric = "sold"\nmax = 3\nmode = "al"',
            '12:1: This experiment has no mode "al". Did you mean "all"?',
        ),
        (
            'metric = "sold"\nmax = 3\nvariants = ["no swap"]',
            '12:13: There is no variant "no swap". Did you mean "no '
            'swaps"? There are "baseline" and "no swaps".',
        ),
        (
            'metric = "sold"\nmax = 3\nvariants = ["baseline"]\nagainst = "baseline"',
            "12:13: The baseline cannot be",
        ),
        (
            'metric = "sold"\nmax = 3\nagainst = "base"',
            '12:1: "against" must be "baseline" or "file", not "base".',
        ),
        (
            'metric = "score"\nmax = 3\npolicy = "greed"',
            '12:1: The policy "greed" does not play. Did you mean "greedy"? Those who do: greedy and random.',
        ),
        (
            'metric = "coins"\nmax = 3\npolicy = "greedy"',
            '12:1: "coins" is no number of a policy; those are win_share',
        ),
        (
            'metric = "sold"\nmax = 3\nlevel = "warning"',
            '12:1: "level" must be "error" or "warn", not "warning".',
        ),
        (
            'metric = "sold"\nmax = 3\nmaximum = 4',
            '12:1: Unknown key "maximum" in [[gates]]. The keys known there:',
        ),
        (
            'metric = "sold"\nmax = 3\nseed = 4',
            '12:1: "seed" does not belong in [[gates]]; it belongs in [run].',
        ),
        (
            'metric = "sold"\nmax = 3\nwhy = "a\\u0007b"',
            '12:1: "why" must be text of 1 to 300 characters on one line',
        ),
    ],
)
def test_a_gate_that_cannot_be_judged_is_a_sentence_at_its_place(write: Write, text: str, says: str) -> None:
    (fault,) = refused(write, text)
    assert fault.startswith(f"e.toml:{says}"), fault


def test_every_gate_is_told_of(write: Write) -> None:
    text = (
        'metric = "sold"\nmax = 3\n[[gates]]\nmetric = "gold"\nmax = 1\n[[gates]]\nmetric = "sold"\nmax = "a"'
    )
    assert [fault.split(": ")[0] for fault in refused(write, text)] == ["e.toml:13:1", "e.toml:17:1"]


def test_without_variants_nothing_is_held_against_the_baseline(write: Write) -> None:
    file = 'schema_version = 1\ngame = "fair"\n[[gates]]\nmetric = "sold"\nmax = 1\nagainst = "baseline"'
    with pytest.raises(
        BalanceError, match=r"e.toml:6:1: There are no \[\[variants\]\] that could be held against"
    ):
        read_experiment(write(file))
    with pytest.raises(BalanceError, match=r'no variant "no swaps"\. There are no variants\.'):
        read_experiment(write(file.replace('against = "baseline"', 'variants = ["no swaps"]')))


def test_one_policy_alone_is_no_policy_to_judge(write: Write) -> None:
    file = 'schema_version = 1\ngame = "fair"\n[[gates]]\nmetric = "score"\nmax = 1\npolicy = "greedy"'
    with pytest.raises(BalanceError, match="A single policy sits in every seat"):
        read_experiment(write(file))


GATE = 'metric = "seat_spread"\nmax = "3pp"\nplayers = [3]\nlevel = "warn"\nwhy = "Fairness"\n'


def test_a_gate_is_read_as_written_and_kept_as_given(write: Write) -> None:
    experiment = read_experiment(write(HEAD + GATE))
    (gate,) = experiment.gates
    assert gate == Gate(metric="seat_spread", max="3pp", players=(3,), level="warn", why="Fairness")
    data: Any = experiment.model_dump(mode="json")
    assert data["gates"] == [
        {"metric": "seat_spread", "max": "3pp", "players": [3], "level": "warn", "why": "Fairness"}
    ]
    assert Experiment.model_validate(data).gates == experiment.gates


def test_a_gate_on_players_who_are_not_played_is_left_aside(write: Write) -> None:
    experiment = read_experiment(write(HEAD + GATE))
    assert with_overrides(experiment, games=50).gates == experiment.gates
    assert with_overrides(experiment, players=[3]).gates == experiment.gates
    assert with_overrides(experiment, players=[2]).gates == ()


@pytest.mark.parametrize(
    ("facts", "low", "high"),
    [
        ({"max": "3pp"}, -math.inf, 0.03),
        ({"min": "25%", "max": "30 %"}, 0.25, 0.3),
        ({"min": 3}, 3, math.inf),
        ({"target": 0, "band": "0.5pp"}, -0.005, 0.005),
        ({"target": 10, "band": 2.5}, 7.5, 12.5),
        ({"target": 4, "band": 0}, 4, 4),
    ],
)
def test_limits_are_numbers_points_or_percent(facts: dict[str, Any], low: float, high: float) -> None:
    band = band_of(Gate(metric="any", **facts))
    assert (band.low, band.high) == (low, high)


def test_a_gate_covers_the_cells_that_have_its_metric_and_seat() -> None:
    def where(**facts: Any) -> list[tuple[str, int, str | None]]:
        gate = Gate(**facts)
        return [
            (variant, *size)
            for size in FAIR.all_sizes
            for variant in ("baseline", "no swaps")
            if covers(FAIR, gate, variant, size)
        ]

    assert len(where(metric="turns")) == 2 * len(FAIR.all_sizes) == 12
    assert where(metric="turns", players=(1,), variants=("baseline",)) == [("baseline", 1, "alone")]
    assert where(metric="goal_rate", against="baseline") == [
        ("no swaps", 1, "alone"),
        ("no swaps", 2, "alone"),
    ]
    assert where(metric="coins.sd", seat=4, variants=("no swaps",)) == [
        ("no swaps", 4, "all"),
        ("no swaps", 4, "pairs"),
    ]
    assert where(metric="turns", mode="pairs", variants=("baseline",)) == [("baseline", 4, "pairs")]


def test_the_metrics_go_by_the_table() -> None:
    alone, pairs = names(FAIR, (1, "alone")), names(FAIR, (4, "pairs"))
    own = ("capped_rate", "sold", "empty", "coins")
    assert alone == ("score", "turns", "rounds", "plies", "goal_rate", *own)
    assert pairs == (
        "win_share",
        "seat_spread",
        "score",
        "turns",
        "rounds",
        "plies",
        "tie_rate",
        "score_margin",
        *own,
    )
