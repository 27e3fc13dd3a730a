"""What a sweep says, on the page and in the terminal: effects, what is impossible, the best point."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from balance import report
from balance.cli.lines import columns
from balance.cli.sweeps import as_text
from balance.experiment.batches import BATCHES
from balance.report import halves, sweep_page, sweeps, words
from tests.report.parsed import parse
from tests.report.sample import build, estimate
from tests.report.sample_sweep import IMPOSSIBLE, with_sweep

GRID, ALONE = with_sweep(), with_sweep(factors=1)


def test_the_best_point_is_called_better_only_when_it_is_so_on_fresh_deals() -> None:
    three, four = sweeps.best(GRID)
    assert three == (
        'With 3 players the seats are closest together at "owl false, seasons 2": 3.0 pp (2.6 to 3.4 pp). Played '
        "again on fresh deals it comes to 3.4 pp (3.0 to 3.8 pp), "
        "the baseline to 8.1 pp (7.7 to 8.5 pp): better, by 4.7 pp (4.1 to 5.3)."
    )
    assert four.endswith(
        "it comes to 3.4 pp (3.0 to 3.8 pp), the baseline to 8.1 pp (7.7 to 8.5 pp): 0.4 pp less, but that may be "
        "anything from 1.0 less to 0.2 more, so it cannot be called better."
    )


@pytest.mark.parametrize(
    ("low", "value", "high", "told"),
    [
        (-0.153, -0.094, 0.007, "9.4 pp less, but that may be anything from 15.3 less to 0.7 more, so {}."),
        (-0.02, 0.0, 0.03, "no difference, but that may be anything from 2.0 less to 3.0 more, so {}."),
        (0.01, 0.02, 0.03, "2.0 pp more (1.0 more to 3.0 more), so it is no better than the baseline."),
        (
            -0.03,
            -0.02,
            -0.01,
            "2.0 pp less (3.0 less to 1.0 less), but its test does not rule out luck, so {}.",
        ),
        (None, -0.02, None, "{} than the baseline."),
        (0.0, 0.0, 0.0, "{} than the baseline."),
    ],
)
def test_why_a_point_cannot_be_called_better_is_what_decided_it(
    low: float | None, value: float, high: float | None, told: str
) -> None:
    """The intervals of the two do not touch here, and yet it is that of their difference which counts."""
    found = copy.deepcopy(GRID)
    one = found["sweep"]["best"]["tables"][1]
    again = {"value": 0.009, "low": 0.0, "high": 0.053, "n": 9, "method": "test"}
    one |= {"again": again, "baseline_again": estimate(0.009 - value, 0.043)}
    one["difference"] = {**again, "value": value, "low": low, "high": high}
    sentence = sweeps.best(found)[1]
    assert sentence.endswith(f"pp): {told.format('it cannot be called better')}")
    assert "Played again on fresh deals it comes to 0.9 pp (0.0 to 5.3 pp), the baseline to " in sentence


def test_a_larger_number_is_better_where_more_is_wanted() -> None:
    found = copy.deepcopy(GRID)
    found["sweep"]["best"] |= {"metric": "score", "end": "high"}
    one = found["sweep"]["best"]["tables"][0]
    one |= {"found": estimate(30, 0.1), "again": estimate(29, 0.1), "difference": estimate(2, 0.3)}
    assert (
        'With 3 players "Score" is highest at "owl false, seasons 2": 30.0 (29.9 to 30.1).'
        in sweeps.best(found)[0]
    )
    assert sweeps.best(found)[0].endswith(": better, by 2.0 (1.7 to 2.3).")
    one |= {"again": estimate(29.44, 0.1), "baseline_again": estimate(27.06, 0.1)}
    one["difference"] = estimate(2.38, 0.3)
    assert (
        "comes to 29.44 (29.3 to 29.5), the baseline to 27.06 (27.0 to 27.2): better, by 2.38 "
        in (sweeps.best(found)[0])
    )
    one |= {"difference": estimate(-2, 0.3), "better": False}
    assert sweeps.best(found)[0].endswith(", so it is no better than the baseline.")


def test_the_baseline_and_what_was_not_played_again() -> None:
    found = copy.deepcopy(GRID)
    first, second = found["sweep"]["best"]["tables"]
    first |= {"is_baseline": True, "variant": "baseline", "again": None, "found": estimate(0.004, 0.003)}
    second["again"] = None
    assert sweeps.best(found) == [
        'With 3 players the seats are closest together at "baseline": 0.4 pp (0.1 to 0.7 pp). That is the baseline '
        "itself.",
        'With 4 players the seats are closest together at "owl false, seasons 2": 3.0 pp (2.6 to 3.4 pp). It was not '
        "played again.",
    ]
    del found["sweep"]["best"]
    assert sweeps.best(found) == []


@pytest.mark.parametrize(
    ("results", "high", "told"),
    [
        (
            ALONE,
            0.055,
            'at which value the seats are closest together: seen at "{}", 0.4 pp (0.1 to 5.5 pp), but the '
            "intervals of 2 of 3 others overlap that.",
        ),
        (
            GRID,
            0.05,
            'at which point the seats are closest together: seen at "{}", 0.4 pp (0.1 to 5.0 pp), but the '
            "interval of 1 of 5 others overlaps that.",
        ),
    ],
)
def test_where_the_intervals_of_others_overlap_the_best_cannot_be_told(
    results: dict[str, Any], high: float, told: str
) -> None:
    found = copy.deepcopy(results)
    one = found["sweep"]["best"]["tables"][0]
    for at, point in enumerate(found["sweep"]["tables"][0]["points"]):
        if point["means"]:
            point["means"]["seat_spread"] = estimate(0.032 + 0.01 * at, 0.004)
    one |= {"found": {**estimate(0.004, 0.003), "high": high}}
    one |= {"again": None}
    start = "With 3 players it cannot be told " + told.format(one["variant"])
    assert sweeps.best(found)[0] == f"{start} It was not played again."


def test_impossible_points_are_named_with_their_reason() -> None:
    assert sweeps.impossible(GRID) == [
        f'"owl false, seasons 3" with {count} players is impossible: {IMPOSSIBLE}' for count in (3, 4)
    ]
    assert sweeps.impossible(GRID, 1)[1:] == ["And 1 more point is impossible."]
    assert sweeps.impossible(ALONE) == []


@pytest.mark.parametrize("results", [GRID, ALONE], ids=["grid", "one rule"])
def test_the_terminal_says_it_in_80_columns(results: dict[str, object]) -> None:
    text = as_text(results)
    assert all(columns(line) <= 80 for line in text.splitlines())
    for sentence in (*sweeps.impossible(results, sweeps.MOST_NAMED), *sweeps.best(results)):
        assert sentence in " ".join(line.strip() for line in text.splitlines())


def test_the_terminal_shows_each_effect_and_why_there_is_none() -> None:
    lines = as_text(GRID).splitlines()
    at = lines.index('"owl", 3 players, over 2 of 3 combinations of the other rules')
    assert [line.split() for line in lines[at + 1 : at + 4]] == [
        ["turns", "score", "margin", "shared"],
        ["false", *["-1.00", "±", "0.04"] * 3, *["0.0", "±", "4.0"]],
        ["true", *["0.00", "±", "0.04"] * 3, *["+1.0", "±", "4.0"]],
    ]
    told = " ".join(line.strip() for line in lines)
    assert sweeps.without_effect(GRID["sweep"]["tables"][1]["effects"][1]) in told
    assert '"seasons" has no main effect that could be told' in told


def test_what_a_main_effect_leaves_out_is_named() -> None:
    owl, seasons = GRID["sweep"]["tables"][0]["effects"]
    told = 'Left out, as not every value of "owl" is possible there: seasons 3.'
    assert (sweeps.effect_left_out(owl), sweeps.effect_left_out(seasons)) == (told, "")
    assert f"  {told}" in as_text(GRID).splitlines()
    assert told in parse(report.render(GRID)).text
    assert "over 2 combinations of the other rules" in sweeps.effect_title(
        seasons, GRID["sweep"]["tables"][0]
    )
    many = {**owl, "left_out": [{"seasons": number, "prizes": [3, 1]} for number in range(12)]}
    assert sweeps.effect_left_out(many).endswith("seasons 9, prizes [3, 1]; and 2 more.")
    assert sweeps.effect_left_out({**owl, "combinations": 0}) == ""  # which says itself that there are none
    assert "over the combinations of the other rules with which all these values are possible" in " ".join(
        as_text(GRID).split()
    )


def test_a_sweep_of_few_games_says_why_it_shows_no_effects() -> None:
    assert sweeps.FEWEST_BLOCKS == BATCHES
    found = copy.deepcopy(GRID)
    for effect in found["sweep"]["tables"][0]["effects"]:
        for level in effect["levels"]:
            level["effects"] = {
                name: {**one, "low": None, "high": None} for name, one in level["effects"].items()
            }
    told = (
        '"owl" has no main effect that could be told: that takes 64 or more blocks (games on deals of their own) at '
        "each point."
    )
    assert told in " ".join(as_text(found).split())
    page = report.render(found)
    assert told in parse(page).text
    assert "effect-0-0-turns" not in page


def test_the_page_does_not_ask_twice_what_a_rule_does() -> None:
    alone, many = (copy.deepcopy(one) for one in (ALONE, GRID))
    many["sweep"]["factors"] += [{"rule": f"rule_{at}", "values": [1, 2]} for at in range(2)]
    assert [sweeps.title(one) for one in (alone, GRID, many)] == [
        "Curves, and the best value",
        'What do "owl" and "seasons" do?',
        "What does each rule do?",
    ]


def test_without_a_best_point_it_says_why() -> None:
    found = copy.deepcopy(ALONE)
    told = "No point is called the best: there are no seats to compare, and no --best says what is."
    assert told not in " ".join(as_text(found).split())
    del found["sweep"]["best"]
    assert told in " ".join(as_text(found).split())


def test_a_number_that_is_not_known_is_not_shown() -> None:
    assert sweeps.effect({"value": 1.0, "low": None, "high": None}, share=False) == "-"


def charts_of(results: dict[str, object]) -> set[str]:
    """The charts of the sweep on its page."""
    names = [name.removeprefix("figure-") for name in parse(report.render(results)).figures]
    return {name for name in names if name.startswith(("effect-", "heat-", "sweep-"))}


def test_the_page_draws_effects_curves_and_fields() -> None:
    charts = charts_of(GRID)
    effects = {
        f"effect-{at}-{n}-{name}"
        for at, n in ((0, 0), (0, 1), (1, 0))
        for name in ("turns", "score", "score_margin", "tie_rate")
    }
    assert charts == effects | {f"heat-{at}-{name}" for at in (0, 1) for name in ("seat_spread", "turns")}
    curves = charts_of(ALONE)
    assert curves == {f"sweep-{at}-{name}" for at in (0, 1) for name in GRID["sweep"]["tables"][0]["shown"]}


def test_a_field_holds_every_point_by_its_two_values() -> None:
    figure = parse(report.render(GRID)).figures["figure-heat-0-turns"]
    (cells,) = figure["data"]
    assert cells["z"] == [[20, None, 22], [23, 24, 25]]
    assert cells["text"][0][1] == "impossible"
    assert (figure["layout"]["yaxis"]["ticktext"], figure["layout"]["xaxis"]["ticktext"]) == (
        ["false", "true"],
        ["2", "3", "4"],
    )


def test_values_that_are_no_numbers_make_no_curve_but_a_table() -> None:
    found = copy.deepcopy(ALONE)
    for table in found["sweep"]["tables"]:
        for point in table["points"]:
            point["values"] = {"seasons": f"word {point['values']['seasons']}"}
    assert not charts_of(found)
    assert "seasons 3" in report.render(found)


def test_a_run_that_is_no_sweep_has_no_such_section() -> None:
    assert sweep_page.section(build()).blocks == ()


def around() -> dict[str, Any]:
    """A sweep of several rules, one at a time."""
    found = copy.deepcopy(GRID)
    found["sweep"]["grid"] = False
    return found


def test_rules_that_are_changed_one_at_a_time_have_a_table_in_the_terminal() -> None:
    text = as_text(around())
    lines = text.splitlines()
    at = lines.index("3 players")
    heads, first, *_ = lines[at + 1 :]
    assert heads.split() == ["turns", "score", "margin", "shared"]
    assert first.split()[:2] == ["owl", "false,"]
    assert first.count("-0.05") == 3
    assert first.endswith("-5.0 ± 0.4")
    assert sweeps.change_terms(around()) in " ".join(text.split())
    played = [point for point in GRID["sweep"]["tables"][0]["points"] if point["differences"]]
    assert (
        len(sweeps.change_rows(around()["sweep"]["tables"][0], ["turns"], around())) == 1 + len(played) == 5
    )
    assert all(columns(line) <= 80 for line in lines)
    assert sweeps.change_terms(GRID) not in as_text(GRID), "a grid has its main effects"


def test_rules_that_are_changed_one_at_a_time_have_the_same_table_on_the_page_below_the_baseline() -> None:
    """Not folded: it is the answer to what each rule does."""
    found = around()
    for table in found["sweep"]["tables"]:
        table["points"] = [point for point in table["points"] if not point["is_baseline"]]
    section = sweep_page.section(found)
    part = section.blocks[1]
    changes, folded = part.blocks
    assert section.lede == sweeps.change_terms(found)
    assert not part.folded
    assert changes.caption.startswith("What each change does, 3 players: ")
    assert [row[0].text for row in changes.rows][:2] == ["baseline: its means", "owl false, seasons 2"]
    assert [row[-1].text for row in changes.rows][:2] == ["8.0 % ± 0.4", "-5.0 ± 0.4"]
    assert len(changes.rows) == 1 + 4
    (every,) = folded.blocks
    assert [row[0].text for row in every.rows][:2] == ["baseline", "owl false, seasons 2"]
    assert len(sweep_page.section(GRID).blocks[1].blocks[-1].blocks[0].rows) == 6, (
        "a grid has it among its points"
    )


def test_a_variant_that_changed_no_game_differs_by_exactly_nothing() -> None:
    assert sweeps.effect(estimate(0.0, 0.0), True) == "0"
    assert sweeps.effect(estimate(0.0, 0.0004), True) == "0.00 ± 0.04"


def ends(low: float, value: float, high: float) -> dict[str, Any]:
    return {**estimate(value, 0.01), "low": low, "high": high}


def test_where_an_interval_lies_to_one_side_both_its_ends_are_shown() -> None:
    found = around()
    point = found["sweep"]["tables"][0]["points"][0]
    point["means"] |= {"seat_spread": ends(0.0, 0.004, 0.045), "tie_rate": ends(0.0, 0.0, 0.004)}
    point["differences"]["seat_spread"] = ends(-0.12, 0.04, 0.11)
    part = sweep_page.section(found).blocks[1]
    (row,) = (row for row in part.blocks[-1].blocks[0].rows if row[0].text == point["variant"])
    assert (row[1].text, row[2].text, row[-1].text) == (
        "0.4 pp (0.0 to 4.5)",
        "20.000 ± 0.004",
        "0.0 % (0.0 to 0.4)",
    )
    assert part.blocks[0].rows[1][1].text == "+4 (-12 to +11)"
    assert all(columns(line) <= 80 for line in as_text(found).splitlines())


@pytest.mark.parametrize(
    ("low", "value", "high", "told"),
    [
        (0.0, 0.004, 0.045, "0.4 (0.0 to 4.5)"),
        (0.0304, 0.041, 0.0551, "4.1 (3.0 to 5.5)"),
        (0.0398, 0.041, 0.04225, "4.1 ± 0.1"),
        (-0.0077, 0.0277, 0.0646, "2.8 ± 3.6"),
    ],
)
def test_half_a_width_is_shown_only_where_it_reaches_as_far_to_both_sides(
    low: float, value: float, high: float, told: str
) -> None:
    digits, half = halves.half_width(ends(low, value, high), 100)
    assert halves.joined(words.fixed(100 * value, digits), half) == told
    assert halves.joined("1.0", words.NOTHING) == "1.0"
