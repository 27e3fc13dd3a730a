"""The page as text: complete, escaped, equal for equal results, written whole or not at all."""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from balance import report
from balance.errors import EnvironmentFault
from balance.report import differences, verdicts, words
from tests.report import sample
from tests.report.parsed import ISOLATES, parse
from tests.report.sample import Shape, build

THREE_BY_THREE = Shape(players=(3, 4, 5), variants=("baseline", "neutral cards in", "four seasons"))
OUTSIDE = Path(report.__file__).parents[2]


def test_the_first_screen_comes_first_and_the_sections_in_order() -> None:
    page = parse(report.render(build(THREE_BY_THREE)))
    order = [given["id"] for tag, given in page.tags if tag == "section"]
    found = "summary verdict changes limits checks seats leads variants usage takings measures records rules"
    assert order == [*found.split(), "reading", "provenance", "timing"]


def test_the_page_says_the_sentences_of_the_terminal() -> None:
    results = build(THREE_BY_THREE)
    text = parse(report.render(results)).text
    for sentence in [*verdicts.sentences(results), *differences.sentences(results)]:
        assert sentence in text


def test_an_interruption_is_said_before_anything_else() -> None:
    page = report.render(build(Shape(status="interrupted")))
    assert page.index("This run was interrupted") < page.index("With 4 players")
    assert "interrupted:" not in report.render(build())


@pytest.mark.parametrize("players", range(1, 7))
def test_every_number_of_players_has_its_tables(players: int) -> None:
    results = build(Shape(players=(players,)))
    page = parse(report.render(results))
    where = f"baseline, {words.plural(players, 'player')}"
    wins = page.tables[f"Share of wins by seat: {where}"]
    assert [row[:2] for row in wins[1:]] == [
        [
            f"Seat {seat + 1}",
            words.value(results["cells"][0]["seats"][seat]["win_share"], True).replace(" ", "\u00a0"),
        ]
        for seat in range(players)
    ]
    for caption in (
        "Score by seat",
        "Per game",
        "How often",
        "Per seat",
        "Medals so far by season",
        "Cards",
        "Record games",
    ):
        assert len(page.tables[f"{caption}: {where}"]) > 1, caption


def test_every_cell_is_at_a_glance() -> None:
    page = parse(report.render(build(THREE_BY_THREE)))
    glance = page.tables["All cells at a glance: share of wins by seat, ties, turns and mean score"]
    assert [row[0] for row in glance[1:4]] == [
        "baseline, 3 players",
        "neutral cards in, 3 players",
        "four seasons, 3 players",
    ]
    assert len(glance) == 10


def test_the_tests_of_the_seats_are_a_table_and_so_is_each_two_of_them() -> None:
    tables = parse(report.render(build())).tables
    assert tables["Are the seats even? baseline, 4 players"][1:] == [
        [words.capital(what), found] for what, found in verdicts.evenness(build()["cells"][0])
    ]
    pairs = tables["Share of wins, first less second, all intervals together: baseline, 4 players"]
    assert [row[0] for row in pairs[1:]][:2] == ["seats 1 and 2", "seats 1 and 3"]
    assert len(pairs) == 1 + 6
    assert not any("even?" in caption for caption in parse(report.render(build(Shape(players=(1,))))).tables)


def test_differences_show_how_sure_they_are_and_what_the_same_deals_gained() -> None:
    tables = parse(report.render(build(Shape(variants=("baseline", "other"))))).tables
    caption = "All differences: 4 players; marked where a change was found, what got worse first"
    head, first, *others = tables[caption]
    assert head[-3:] == ["p", "Correlation", "Worth"]
    assert (first[1], first[-3:]) == ("Shared wins", ["<0.001", "0.60", "2.5x"])
    assert len(others) == 10


def test_policies_have_a_table_only_where_there_are_several() -> None:
    several = parse(report.render(build(Shape(policies=("greedy", "random")))))
    assert [row[0] for row in several.tables["Types of player: baseline, 4 players"]] == [
        "Type of player",
        "greedy",
        "random",
    ]
    assert not any("Types of player" in caption for caption in parse(report.render(build())).tables)


def test_policies_show_what_they_win_of_all_and_in_each_seat() -> None:
    page = parse(report.render(build(Shape(players=(6,), policies=("greedy", "random")))))
    head, greedy, _ = page.tables["Types of player: baseline, 6 players"]
    assert dict(zip(head[4:6], greedy[4:6], strict=True)) == {
        "Part of all wins": "58.0\xa0%",
        "Interval": "57.2\xa0to\xa058.8\xa0%",
    }
    caption = "Wins of each type of player in each seat, of its own games there: baseline, 6 players"
    assert [row[0] for row in page.tables[caption]] == ["Type of player", "greedy", "random"]
    assert page.tables[caption][0][1:] == [f"Seat {seat}" for seat in range(1, 7)]
    assert page.tables[caption][2][6] == "20.7\xa0%\xa0(19.8\xa0to\xa021.6\xa0%)"
    assert not any("in each seat" in caption for caption in parse(report.render(build())).tables)


def test_the_numbers_of_each_type_of_player_are_shown() -> None:
    page = parse(report.render(build(Shape(policies=("hoarder",)))))
    assert page.tables["The types of players and their numbers"][1] == [
        "hoarder",
        "Weighs each option.",
        "temperature = 4, card = -14, medal = 15",
    ]


def test_rules_show_every_parameter_and_every_change() -> None:
    page = parse(report.render(build(THREE_BY_THREE)))
    changed = page.tables["What the variants change in the rules"]
    assert ["neutral cards in", "3 and 4", "remove_neutral", "true", "false"] in changed
    assert ["four seasons", "3, 4 and 5", "seasons", "3", "4"] in changed
    every = page.tables['All parameters of "baseline"; marked: a variant changes it']
    assert {row[0].split("Whether")[0].split("Seasons in")[0] for row in every} >= {
        "remove_neutral",
        "seasons",
    }
    assert len(every) == 1 + len(sample.RULES)
    assert next(row for row in every if row[0].startswith("remove_neutral"))[1:] == ["true", "true", "false"]


def test_one_column_of_rules_where_all_tables_play_alike() -> None:
    every = parse(report.render(build(Shape(players=(3, 4))))).tables['All parameters of "baseline"']
    assert every[0] == ["Parameter", "Value"]


def test_an_item_never_taken_is_marked() -> None:
    assert '<td class="n marked">0</td>' in report.render(build())


def test_capped_and_void_games_are_counted() -> None:
    text = parse(report.render(build(Shape(capped=12)))).text
    assert "100,000 games; 12 games ended at the cap; 6 void games, left out of every mean." in text


def test_record_games_come_with_the_command() -> None:
    one, several = (parse(report.render(build(shape))).text for shape in (Shape(), THREE_BY_THREE))
    assert "balance replay RUN --game N --cell cell-0-p4" in one
    assert [several.count(f"--game N --cell cell-{at}-p4") for at in range(4)] == [1, 1, 1, 0]


def test_a_record_of_a_seat_names_it() -> None:
    results = build()
    games = [{"game": 17, "seat": 2, "value": 48}]
    results["cells"][0]["extremes"].append({"metric": "score", "end": "high", "games": games})
    records = parse(report.render(results)).tables["Record games: baseline, 4 players"]
    assert ["Most: Score", "48", "17 (seat 3: 48)"] in records


def test_one_game_is_enough_for_a_page() -> None:
    results = build(Shape(variants=("baseline", "other"), status="interrupted"))
    for cell in results["cells"]:
        cell |= {"games": 1, "blocks": 1}
        for measure in cell["measures"].values():
            if "mean" in measure:
                measure["mean"] |= {"low": None, "high": None}
            if "sd" in measure:
                measure["sd"] = None
        for line in cell["measures"]["standing"]["seats"]:
            line[0]["mean"] |= {"low": None, "high": None}
    for metric in results["comparisons"][0]["metrics"]:
        metric |= {
            "baseline": None,
            "value": None,
            "difference": sample.UNKNOWN,
            "found": False,
            "worse": False,
        }
    page = parse(report.render(results))
    assert "None" not in page.text.replace("None of the", "")
    assert "could be told apart from no change" in page.text


def test_a_cell_without_games_is_left_out() -> None:
    results = build(Shape(players=(3, 4), status="interrupted"))
    results["cells"][1] |= {"games": 0, "blocks": 0}
    captions = parse(report.render(results)).tables
    assert not any("4 players" in caption for caption in captions)
    for cell in results["cells"]:
        cell |= {"games": 0, "blocks": 0}
    assert "No game of the baseline was finished" in report.render(results)


def test_a_bare_result_makes_a_page() -> None:
    page = parse(report.render(sample.bare()))
    sections = [given["id"] for tag, given in page.tags if tag == "section"]
    assert sections == ["summary", "verdict", "limits", "seats", "reading", "provenance"]


def test_headings_are_in_order() -> None:
    for results in (build(), build(THREE_BY_THREE), sample.hostile()):
        levels = [int(tag[1]) for tag, _ in parse(report.render(results)).tags if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_the_small_drawings_have_a_scale() -> None:
    results = build(Shape(deviation=0.05))
    page = report.render(results)
    ends = [
        abs(one["win_share"][end] - 0.25) for one in results["cells"][0]["seats"] for end in ("low", "high")
    ]
    svg = page[page.index("<svg") : page.index("</svg>")]
    assert f">+{100 * max(ends):.1f}</text>" in svg
    assert f">\N{MINUS SIGN}{100 * max(ends):.1f}</text>" in svg
    assert ">+2.0</text>" in report.render(build(Shape(deviation=0.001)))  # small differences look small


def test_what_was_typed_stays_in_the_results() -> None:
    """The whole command may name folders of a machine."""
    rows = parse(report.render(build())).tables["Timing"]
    assert "threads" in [row[0] for row in rows]
    assert "command" not in [row[0] for row in rows]


# ---------------------------------------------------------------------- hostile names


def test_hostile_names_are_shown_and_nothing_else() -> None:
    hostile, tame = (
        parse(report.render(sample.hostile())),
        parse(report.render(build(Shape(players=(3,), variants=("a", "b"))))),
    )
    shown = " ".join(hostile.texts).translate(ISOLATES)
    for name in sample.HOSTILE:
        assert name in shown
    assert {tag for tag, _ in hostile.tags} <= {tag for tag, _ in tame.tags}
    assert not any(key.startswith("on") for _, given in hostile.tags for key in given)
    links = [given["href"] for tag, given in hostile.tags if tag == "a"]
    assert all(str(link).startswith("#") for link in links)
    scripts = [given for tag, given in hostile.tags if tag == "script" and not given]
    assert len(scripts) == 3


def test_data_in_scripts_cannot_end_them() -> None:
    page = report.render(sample.hostile())
    blocks = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.S)
    assert len(blocks) == 1 + len(parse(page).figures)
    assert all(not set("<>&\u2028\u2029") & set(block) for block in blocks)
    assert all(json.loads(block) for block in blocks)


def test_broken_text_does_not_break_the_page() -> None:
    results = build(Shape(title="half a \ud800 letter"))
    assert "half a ? letter" in report.render(results)


# ---------------------------------------------------------------------- offline, equal, small


def test_nothing_on_the_page_points_outside() -> None:
    page = parse(report.render(build(THREE_BY_THREE)))
    assert not any({"src", "srcset", "action", "data"} & set(given) for _, given in page.tags)
    assert not any(tag in ("link", "iframe", "object", "embed", "base", "form") for tag, _ in page.tags)
    policy = next(
        given["content"] for tag, given in page.tags if given.get("http-equiv") == "Content-Security-Policy"
    )
    assert str(policy).startswith("default-src 'none'; script-src 'sha256-")
    assert "http" not in str(policy)
    assert "'unsafe-eval'" not in str(policy)


def test_equal_results_make_equal_pages_in_any_process_and_key_order(tmp_path: Path) -> None:
    results = build(THREE_BY_THREE)
    (tmp_path / "results.json").write_text(json.dumps(results, sort_keys=True), encoding="utf-8")
    program = (
        "import hashlib, json, sys; from balance import report; from pathlib import Path;"
        "page = report.render(json.loads(Path(sys.argv[1]).read_text(encoding='utf-8')));"
        "print(hashlib.sha256(page.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "results.json")],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=OUTSIDE,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert digests == {hashlib.sha256(report.render(results).encode()).hexdigest()}


def test_only_the_marked_element_differs_with_the_timing() -> None:
    results = build()
    other = {**results, "timing": sample.timing(99.5)}
    without = [
        re.sub(r'<section id="timing".*?</section>', "", report.render(one), flags=re.S)
        for one in (results, other)
    ]
    assert report.render(results) != report.render(other)
    assert without[0] == without[1]


def test_results_are_not_changed() -> None:
    results = build(THREE_BY_THREE)
    before = copy.deepcopy(results)
    report.render(results)
    assert results == before


def test_forty_cells_stay_below_five_megabytes() -> None:
    variants = ("baseline", *(f"variant {number}" for number in range(7)))
    results = build(
        Shape(players=(2, 3, 4, 5, 6), variants=variants, items=[f"item {number}" for number in range(36)])
    )
    assert len(results["cells"]) == 40
    assert len(report.render(results).encode()) < 5_000_000


def test_a_large_sweep_keeps_its_charts_to_the_baseline_and_its_page_small() -> None:
    variants = ("baseline", *(f"variant {number}" for number in range(18)))
    results = build(Shape(players=(2, 3, 4, 5), variants=variants))
    for one in results["comparisons"]:
        one["metrics"] = (6 * one["metrics"])[:66]
    for cell in results["cells"]:
        curve = cell["measures"]["standing"]
        curve |= {"rounds": list(range(1, 61)), "seats": [line[:1] * 60 for line in curve["seats"]]}
    text = report.render(results)
    assert len(results["cells"]) == 76
    assert (
        len(text.encode())
        < 3_000_000 + (Path(report.__file__).parent / "plotly-cartesian.min.js").stat().st_size
    )
    page = parse(text)
    drawn = {
        name.rpartition("-")[2]
        for name in page.figures
        if name.startswith(("figure-wins", "figure-standing"))
    }
    assert drawn == {str(at) for at, cell in enumerate(results["cells"]) if cell["variant"] == "baseline"}
    assert "Of 76 cells only those of the baseline have their charts and all their measures here" in page.text
    wins = [caption for caption in page.tables if caption.startswith("Share of wins by seat: ")]
    assert len(wins) == 76
    found, left = (
        sum(entry["found"] is is_found for one in results["comparisons"] for entry in one["metrics"])
        for is_found in (True, False)
    )
    of_all = [rows for caption, rows in page.tables.items() if caption.startswith("Differences found: ")]
    assert sum(len(rows) - 1 for rows in of_all) == found
    told = re.findall(r"([\d,]+) others are in tables/comparisons.csv, beside this page", page.text)
    assert sum(int(number.replace(",", "")) for number in told) == left > 0
    assert "All differences" not in page.text
    assert "have their charts" not in report.render(build(THREE_BY_THREE))


def test_the_report_needs_neither_plotly_nor_a_simulator(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(json.dumps(build()), encoding="utf-8")
    program = (
        "import json, sys; from pathlib import Path; from balance.report import words;"
        "early = 'jinja2' in sys.modules; from balance import report;"
        "report.render(json.loads(Path(sys.argv[1]).read_text(encoding='utf-8')));"
        "heavy = {'numba', 'numpy', 'polars', 'plotly', 'scipy', 'balance.game'};"
        "print(early, sorted(heavy & set(sys.modules)))"
    )
    run = [sys.executable, "-c", program, str(tmp_path / "results.json")]
    assert subprocess.run(run, cwd=OUTSIDE, capture_output=True, text=True, check=True).stdout == "False []\n"


# ---------------------------------------------------------------------- writing


def test_write_makes_one_file(tmp_path: Path) -> None:
    report.write(build(), tmp_path / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == report.render(build())


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report.html"
    target.write_text("old", encoding="utf-8")

    def full(_from: Any, _to: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(EnvironmentFault, match="The disk is full"):
        report.write(build(), target)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert target.read_text(encoding="utf-8") == "old"


def test_a_folder_that_cannot_be_is_a_plain_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EnvironmentFault, match="could not be written"):
        report.write(build(), tmp_path / "file" / "report.html")
