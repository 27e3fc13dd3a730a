"""Results of modes: goals, teams and caps, against chances that are known exactly."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from experiment.summit import install

from balance import registry
from balance.analysis import goals, results, series, tables
from balance.analysis.plans import Question, plan
from balance.analysis.precision import precision
from balance.analysis.summaries import Cell
from balance.analysis.warnings import _percent
from balance.cli import planned
from balance.experiment.files import as_json
from balance.stats.intervals import wilson

from .summits import GAMES, found, outcome

HALF = Fraction(1, 2)


def cell(mode: str, players: int, variant: str = "baseline", **how: Any) -> dict[str, Any]:
    cells = found((players,), (mode,), **how)["cells"]
    return next(one for one in cells if one["variant"] == variant)


def binomial(n: int, chance: Fraction) -> list[Fraction]:
    return [math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]


def is_near(estimate: dict[str, Any], exact: Fraction, games: int = GAMES) -> bool:
    """Within 4.42 standard errors of a share, which right rules miss once in 100,000 times."""
    p = float(exact)
    return abs(estimate["value"] - p) <= 4.42 * math.sqrt(p * (1 - p) / games)


# ---------------------------------------------------------------- goals


@pytest.mark.parametrize(("variant", "luck"), [("baseline", HALF), ("lucky", Fraction(3, 4))])
def test_how_often_a_goal_is_reached_and_how_often_others_would_be(variant: str, luck: Fraction) -> None:
    alone = cell("alone", 1, variant)
    steps = binomial(2, luck)
    rate = alone["measures"]["goal_rate"]["mean"]
    assert is_near(rate, steps[2])
    assert rate == alone["seats"][0]["win_share"]
    assert rate["method"] == "wilson"
    assert alone["goal"]["sentence"] == "Reach the top in time."
    counts = dict(zip(*alone["seats"][0]["score"]["histogram"].values(), strict=True))
    curve = alone["goal"]["curve"]
    assert [point["at_least"] for point in curve] == list(range(min(counts), 3))
    for point in curve:
        games = sum(count for score, count in counts.items() if score >= point["at_least"])
        assert point["rate"] == wilson(games, GAMES, 0.95).as_dict()
        assert is_near(point["rate"], sum(steps[point["at_least"] :], Fraction(0)))
    assert curve[-1]["rate"] == rate, "the target of these rules is 2"


def test_a_single_player_has_neither_ties_nor_margins_nor_a_fair_seat() -> None:
    alone = cell("alone", 1)
    assert {"tie_rate", "score_margin"}.isdisjoint(alone["measures"])
    assert alone["tests"] == {}
    assert "teams" not in alone
    (side,) = alone["sides"]
    assert side["share_of_wins"]["value"] == alone["measures"]["goal_rate"]["mean"]["value"]


def test_what_a_variant_does_to_the_goal_is_compared() -> None:
    (one,) = found((1,), ("alone",))["comparisons"]
    assert one["mode"] == "alone"
    metrics = {entry["metric"]: entry for entry in one["metrics"]}
    assert list(metrics) == ["score", "turns", "rounds", "goal_rate", "capped_rate", "plies", "climbs"]
    assert is_near({"value": metrics["goal_rate"]["baseline"]}, Fraction(1, 4))
    assert is_near({"value": metrics["goal_rate"]["value"]}, Fraction(9, 16))
    assert metrics["goal_rate"]["difference"]["low"] > 0.25


def test_a_long_curve_is_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goals, "MOST_VALUES", 2)
    assert [point["at_least"] for point in cell("alone", 1)["goal"]["curve"]] == [0, 2]


# ---------------------------------------------------------------- teams


def test_in_a_series_the_team_furthest_from_even_stands_for_the_seat() -> None:
    def furthest(players: int, mode: str) -> Any:
        played = outcome((players,), (mode,))
        return series._furthest(played.plan.game, Cell(played.plan.cells[0], played.tallies[0], 0.95))

    test = cell("pairs", 4)["tests"]["largest_team_deviation"]
    assert furthest(4, "pairs") == {"seat": test["team"], "seats": [test["team"], test["team"] + 2], **test}
    assert furthest(3, "free") == cell("free", 3)["tests"]["largest_seat_deviation"]
    assert furthest(1, "alone") is None


def test_pairs_have_their_wins_and_scores_together() -> None:
    pairs = cell("pairs", 4)
    shares = [seat["win_share"]["value"] for seat in pairs["seats"]]
    assert [team["seats"] for team in pairs["teams"]] == [[0, 2], [1, 3]]
    assert sum(team["win_share"]["value"] for team in pairs["teams"]) == pytest.approx(1, abs=1e-12)
    for team in pairs["teams"]:
        first, second = team["seats"]
        assert shares[first] == shares[second]
        assert team["win_share"]["value"] == pytest.approx(2 * shares[first], abs=1e-12)
        assert team["win_share"]["low"] < 0.5 < team["win_share"]["high"]
        assert team["score"] == pairs["seats"][first]["score"]
    assert sum(shares) == pytest.approx(1, abs=1e-12)


def _pairs_after_one_day(players: int) -> tuple[Fraction, Fraction, Fraction]:
    """The chances of a tie, of each margin summed up, and of a game that is not over, for two or three pairs."""
    sides, steps = players // 2, binomial(2, HALF)
    tie = margin = cap = Fraction(0)
    for heights in _all(sides, range(3)):
        chance = math.prod((steps[height] for height in heights), start=Fraction(1))
        first, second = sorted(heights, reverse=True)[:2]
        tie += chance * (first == second)
        margin += chance * (first - second)
        cap += chance * (first < 2)
    return tie, margin, cap


def _all(sides: int, heights: range) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for _ in range(sides):
        found = [(*some, height) for some in found for height in heights]
    return found


@pytest.mark.parametrize("players", [4, 6])
def test_ties_margins_and_caps_are_those_of_the_pairs(players: int) -> None:
    one_day = _one_day(players)
    tie, margin, cap = _pairs_after_one_day(players)
    assert is_near(one_day["measures"]["tie_rate"]["mean"], tie)
    assert is_near(one_day["measures"]["capped_rate"]["mean"], cap)
    assert one_day["measures"]["score_margin"]["mean"]["value"] == pytest.approx(float(margin), abs=0.03)
    assert one_day["capped"] == one_day["measures"]["capped_rate"]["count"]
    assert one_day["games"] == one_day["blocks"] == GAMES, "capped games are never dropped"


def _one_day(players: int) -> dict[str, Any]:
    return found((players,), ("pairs",), rules=(("rounds", 1),))["cells"][0]


def test_the_team_farthest_from_even_is_tested() -> None:
    pairs = cell("pairs", 6)
    assert len(pairs["tests"]["deviations"]) == len(pairs["tests"]["pairs"]) == 3
    test = pairs["tests"]["largest_team_deviation"]
    shares = [team["win_share"]["value"] for team in pairs["teams"]]
    assert test["team"] == max(range(3), key=lambda team: abs(shares[team] - 1 / 3))
    assert test["estimate"]["value"] == pytest.approx(shares[test["team"]] - 1 / 3)
    single = pairs["teams"][test["team"]]["win_share"]
    assert test["estimate"]["high"] - test["estimate"]["low"] > single["high"] - single["low"]


def test_variants_are_compared_by_team() -> None:
    (one,) = found((4,), ("pairs",))["comparisons"]
    shares = [entry for entry in one["metrics"] if entry["metric"] == "win_share"]
    assert [(entry["seat"], entry["seats"]) for entry in shares] == [(0, [0, 2]), (1, [1, 3])]
    assert sum(entry["baseline"] for entry in shares) == pytest.approx(1, abs=1e-12)
    assert sum(entry["difference"]["value"] for entry in shares) == pytest.approx(0, abs=1e-12)


def test_types_of_players_sit_with_a_partner_of_their_own() -> None:
    pairs = cell("pairs", 4, policies=("climber", "any"))
    climber, other = pairs["sides"]
    assert climber["share_of_wins"]["value"] + other["share_of_wins"]["value"] == pytest.approx(1, abs=1e-12)
    assert climber["win_share"]["low"] > 0.25 > other["win_share"]["high"]
    assert sum(team["win_share"]["value"] for team in pairs["teams"]) == pytest.approx(1, abs=1e-12)


# ---------------------------------------------------------------- caps


def test_capped_games_are_counted_and_warned_of() -> None:
    run = found((2,), ("free",))
    free = run["cells"][0]
    exact = Fraction(9, 16)
    assert is_near(free["measures"]["capped_rate"]["mean"], exact)
    assert is_near(free["measures"]["tie_rate"]["mean"], Fraction(3, 8))
    share = f"{100 * free['capped'] / GAMES:.1f} %"
    assert run["warnings"] == [
        f"{share} of the games (baseline, 2 players (free)) and {100 * run['cells'][1]['capped'] / GAMES:.1f} % "
        "(lucky, 2 players (free)) end at the cap that the rules set; they are ranked, and count in every mean."
    ]


def test_where_all_cells_are_alike_none_is_named() -> None:
    (warning,) = found((2,), ("free",), rules=(("luck", 0.0), ("target", 1)))["warnings"][:1]
    assert warning.startswith("100 % of the games (baseline, 2 players (free)) and ")
    (only,) = found((2,), ("free",), ("any",), 2000, (("target", 16), ("rounds", 8)))["warnings"]
    assert only == (
        "100 % of the games end at the cap that the rules set; they are ranked, and count in every mean."
    )


def test_games_that_all_end_at_the_cap_count_all() -> None:
    resting = found((2,), ("free",), ("any",), 600)
    assert resting["cells"][0]["capped"] > 400
    assert resting["cells"][0]["blocks"] == 600
    assert [_percent(games, 10_000) for games in (1, 4, 5_000, 9_999, 10_000)] == [
        "0.1 %",
        "0.1 %",
        "50.0 %",
        "99.9 %",
        "100 %",
    ]


def test_only_games_that_have_them_know_these_metrics() -> None:
    def metrics(name: str) -> set[str]:
        from balance.analysis.definitions import definitions

        return set(definitions(registry.load(name)))

    assert {"goal_rate", "capped_rate"}.isdisjoint(metrics("animalia") | metrics("pig"))
    with pytest.MonkeyPatch.context() as patch:
        install(patch)
        assert {"goal_rate", "capped_rate"} <= metrics("summit")


# ---------------------------------------------------------------- all of it


def test_cells_say_their_mode_and_the_deck_is_told_once() -> None:
    run = found((1, 4), ("alone", "pairs"))
    assert [(one["name"], one["mode"]) for one in run["cells"]] == [
        ("baseline-p1-alone", "alone"),
        ("lucky-p1-alone", "alone"),
        ("baseline-p4-pairs", "pairs"),
        ("lucky-p4-pairs", "pairs"),
    ]
    assert set(run["cells"][0]["rules"]) == {"rounds", "target", "luck", "crowd"}
    assert run["cells"][1]["changes"] == {"luck": 0.75}
    assert set(run["parameters"]) == {"rounds", "target", "luck", "crowd"}
    assert run["deck"]["note"] == "PLACEHOLDER DECK: these cards are not those of the mountain."
    assert run["deck"]["folder"] == ""
    assert as_json(run) == as_json(results(outcome((1, 4), ("alone", "pairs"))))


def test_tables_have_the_mode_and_two_more() -> None:
    run = found((1, 4), ("alone", "pairs"))
    written = {name: list(csv.DictReader(io.StringIO(text))) for name, text in tables(run).items()}
    for name, rows in written.items():
        assert all(row["mode"] == {"1": "alone", "4": "pairs"}[row["players"]] for row in rows), name
    wins = [row for row in written["teams"] if row["metric"] == "win_share" and row["variant"] == "baseline"]
    assert [(row["team"], row["seats"]) for row in wins] == [("0", "0 2"), ("1", "1 3")]
    assert sum(float(row["value"]) for row in wins) == pytest.approx(1)
    curve = run["cells"][0]["goal"]["curve"]
    rows = [row for row in written["goals"] if row["variant"] == "baseline"]
    assert [(int(row["at_least"]), float(row["low"])) for row in rows] == [
        (point["at_least"], point["rate"]["low"]) for point in curve
    ]


def test_a_few_games_alone_are_warned_of_in_words_of_the_goal() -> None:
    (warning, *_) = found((1,), ("alone",), games=60)["warnings"]
    assert "how often the goal is reached is known to within" in warning


def test_a_few_games_of_teams_are_warned_of_with_the_share_of_a_team() -> None:
    few = found((4,), ("pairs",), games=60)
    shares = [one["win_share"] for one in few["cells"][0]["teams"] + few["cells"][1]["teams"]]
    widest = max(share["high"] - share["low"] for share in shares) / 2
    assert f"the shares of wins are known to within {100 * widest:.1f} pp only" in few["warnings"][0]


def test_a_plan_names_the_team_and_a_precision_has_each_team_once() -> None:
    played = outcome((4,), ("pairs",))
    timed = replace(played, timing={"games_per_second": 1000, "threads": 2})
    (table,) = plan(Question("win_share", 0.02, 0.8, 0.95), [timed])["tables"]
    assert table["seats"] == [table["seat"], table["seat"] + 2]
    assert planned._off({"metric": "win_share", "share": True, "detect": 0.02}, table).startswith(
        "a team is 2"
    )
    stopping = {"rule": "precision", "half_width": 0.2}
    kept = precision(replace(played, plan=_With(played.plan, stopping)))
    assert kept is not None
    assert [one["seats"] for one in kept["cells"][0]["shares"]] == [[0, 2], [1, 3]]


class _With:
    """A plan that plays until shares are known so well."""

    def __init__(self, plan: Any, stopping: dict[str, Any]) -> None:
        self._plan, self.stopping = plan, stopping

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plan, name)
