"""The first screen holds the whole answer, and so does the first page of the print, whatever was played."""

from __future__ import annotations

import pytest

from balance.report import first_screen, summary
from tests.browser.first_screens import SHAPES
from tests.browser.opening import Opened, OpenPage

pytestmark = pytest.mark.browser
WIDTH, HEIGHT = 1280, 800
PAPER = {"width": 673, "height": 1001}
"""What a sheet of A4 holds between its margins, in pixels."""
FALL = "document.querySelector('#summary').getBoundingClientRect().bottom"
CUT_OFF = "parts => parts.filter(part => part.scrollWidth > part.clientWidth).length"


def ends(seen: Opened) -> tuple[float, float]:
    """Where the first screen ends: on a screen of 1280 x 800, and on paper."""
    seen.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    on_screen = seen.page.evaluate(FALL)
    seen.page.set_viewport_size(PAPER)
    seen.page.emulate_media(media="print")
    return float(on_screen), float(seen.page.evaluate(FALL))


@pytest.mark.parametrize("shape", SHAPES)
def test_four_answers_gates_and_players_fit(open_page: OpenPage, shape: str) -> None:
    seen = open_page(SHAPES[shape])
    assert seen.page.locator("#summary .short dt").count() == 4
    boxes = first_screen.section(SHAPES[shape]).blocks[-1].boxes
    assert seen.page.locator("#summary .box li").count() == sum(len(box.pairs) for box in boxes)
    gates = sum(len(gate["cells"]) for gate in SHAPES[shape]["gates"])
    assert [len(box.pairs) for box in boxes if "Gates" in box.title] == [min(gates, 5)] * bool(gates)
    assert seen.page.eval_on_selector_all("#summary :not(.hidden)", CUT_OFF) == 0
    assert seen.page.locator("main > section").first.get_attribute("id") == "summary"
    on_screen, on_paper = ends(seen)
    assert 300 < on_screen <= HEIGHT
    assert on_paper <= PAPER["height"]
    after = "getComputedStyle(document.querySelector('#summary')).breakAfter"
    assert seen.page.evaluate(after) == "page"


@pytest.mark.parametrize(("shape", "mode"), [("series", ""), ("series of a mode", " (competitive)")])
def test_what_both_nearest_values_change_is_told_there_for_every_number_of_players(
    open_page: OpenPage, shape: str, mode: str
) -> None:
    seen = open_page(SHAPES[shape])
    heads = seen.page.locator("#summary .asked tbody th").all_inner_texts()
    assert heads == [f"{players} players{mode}" for players in (2, 3, 4, 5) for _ in range(2)]


def test_what_does_not_fit_is_seen_not_to(open_page: OpenPage) -> None:
    """What the test above measures: letters half as large again would be noticed."""
    seen = open_page(SHAPES["levels"])
    seen.page.add_style_tag(content="#summary *{font-size:1.5rem!important}")
    on_screen, on_paper = ends(seen)
    assert on_screen > HEIGHT
    assert on_paper > PAPER["height"]


def test_the_answers_are_read_without_scripts(open_page: OpenPage) -> None:
    results = SHAPES["many tables"]
    seen = open_page(results, java_script_enabled=False)
    text = " ".join(seen.page.locator("#summary").inner_text().split())
    for one in summary.statements(results):
        assert f"{one.question} {one.sure} {one.sentence[0].upper()}{one.sentence[1:]}" in text
