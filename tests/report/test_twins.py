"""A variant that came out as the baseline did in every game is named, and not shown once more."""

from __future__ import annotations

from typing import Any

from balance import report
from balance.report import cells, first_screen, gates
from tests.report.parsed import parse
from tests.report.sample import Shape, build
from tests.report.test_gates import cell, gate

NAMES = ("baseline", "same", "other")


def found(*same: tuple[str, int], **facts: Any) -> dict[str, Any]:
    """Three sets of rules at two tables; those in `same` change nothing."""
    results = build(Shape(players=(3, 4), variants=NAMES))
    for one in results["comparisons"]:
        if (one["variant"], one["players"]) in same:
            one |= {"changed": False, "left_out": 0, **facts}
    return results


def test_what_is_the_same_has_no_charts_and_no_tables() -> None:
    results = found(("same", 3), ("same", 4))
    page = parse(report.render(results))
    assert {one.cell["variant"] for one in cells.placed(results)} == {"baseline", "other"}
    assert not any("same, " in caption for caption in page.tables)
    assert not any("same" in text for one in page.figures.values() for text in [str(one)])
    assert (
        page.text.count('of "same", which came out the same in every game; the others are folded below') > 1
    )
    assert "Not drawn, as every game came out the same" in page.text
    whole = parse(report.render(found()))
    assert any("same, " in caption for caption in whole.tables)
    assert "came out the same" not in whole.text


def test_it_is_shown_where_it_differs() -> None:
    page = parse(report.render(found(("same", 3))))
    assert any("same, 4 players" in caption for caption in page.tables)
    assert not any("same, 3 players" in caption for caption in page.tables)


def test_games_that_count_by_one_set_of_rules_alone_are_a_difference() -> None:
    results = found(("same", 3), left_out=2)
    assert ("same", 3) in {(one.cell["variant"], one.cell["players"]) for one in cells.placed(results)}


def test_nothing_but_what_is_the_same_leaves_no_part_without_charts() -> None:
    results = found(*((name, players) for name in NAMES for players in (3, 4)))
    page = report.render(results)
    assert 'id="variants"' not in page
    assert '"same" and "other", which came out the same in every game.' in parse(page).text


def test_gates_on_it_and_its_rules_are_shown_all_the_same() -> None:
    results = found(("same", 3), ("same", 4))
    results["gates"] = [gate(cell("fail", variant="same", players=3, mode=None, level=None))]
    text = parse(report.render(results)).text
    assert "same, 3 players" in text
    assert [row.variant for row in gates.rows(results)] == ["same"]
    assert any(
        row[0] == "same"
        for row in parse(report.render(results)).tables["What the variants change in the rules"]
    )


def test_the_largest_demand_on_the_box_counts_what_is_the_same() -> None:
    results = found(("same", 4))
    for one in results["cells"]:
        short = one["measures"]["out_of_medals"]
        short["mean"]["value"], short["count"] = (0.5, 50_000) if one["players"] == 4 else (0.1, 10_000)
        if one["variant"] == "other":
            short["mean"]["value"], short["count"] = 0.2, 20_000
    page = parse(report.render(results))
    rows = page.tables["Do the components suffice? The largest demand of all cells"]
    assert [row[2:] for row in rows if row[1] == "variants"][-1] == [
        "50,000\N{NO-BREAK SPACE}games",
        "50.00\N{NO-BREAK SPACE}%",
        "same, 4 players",
    ]


def test_the_first_screen_names_a_gate_once_for_what_is_the_same() -> None:
    results = found(("same", 3))
    cells_of = [cell("pass", variant=name, players=3, mode=None, level=None) for name in NAMES]
    results["gates"] = [gate(*cells_of)]
    told = " ".join(text for _, text in first_screen.section(results).blocks[-1].boxes[0].pairs)
    assert [name in told for name in NAMES] == [True, False, True]
    results["gates"] = [gate(*cells_of[1:])]  # nothing is said of the baseline
    told = " ".join(text for _, text in first_screen.section(results).blocks[-1].boxes[0].pairs)
    assert [name in told for name in NAMES] == [False, True, True]
