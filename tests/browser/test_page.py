"""The page in a real browser that is offline: it draws, asks for nothing, runs nothing foreign."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from balance import report
from balance.report import differences, summary, theme, verdicts
from tests.browser.first_screens import SHAPES
from tests.browser.opening import DRAWN, Opened, OpenPage
from tests.report import sample
from tests.report.parsed import ISOLATES, parse
from tests.report.sample import Shape, build
from tests.report.sample_sweep import with_sweep

pytestmark = pytest.mark.browser
RESULTS = {
    "variants": build(Shape(players=(3, 4, 5), variants=("baseline", "neutral cards in", "four seasons"))),
    "policies": build(Shape(policies=("greedy", "random", "cautious"), capped=12, status="interrupted")),
    "six seats": build(Shape(players=(6,), deviation=0.001)),
    "hostile": sample.hostile(),
    "sweep": with_sweep(),
    "levels": build(Shape(players=(3,), levels=("novice", "expert"))),
    "small": build(
        Shape(
            players=(3,), variants=("baseline", "other"), policies=("greedy", "random"), status="interrupted"
        )
    ),
}
ASKING = SHAPES["series"]
"""The results of an experiment with a question: five values of a rule at four numbers of players."""


@pytest.fixture
def visit(open_page: OpenPage) -> Callable[..., Opened]:
    """Opens the page of one of the shapes."""
    return lambda shape, **context: open_page(ASKING if shape == "series" else RESULTS[shape], **context)


@pytest.mark.parametrize("shape", RESULTS)
def test_every_chart_draws_offline_and_as_the_results_say(visit: Any, shape: str) -> None:
    seen = visit(shape)
    seen.draw_all()
    figures = parse(report.render(RESULTS[shape])).figures
    drawn = dict(
        seen.page.eval_on_selector_all(
            ".plot", "places => places.map(place => [place.id, place.data.length])"
        )
    )
    assert drawn == {place: len(figure["data"]) for place, figure in figures.items()}
    wins = seen.page.eval_on_selector("#figure-wins-0", "place => place.data.map(trace => trace.y[0])")
    assert wins == pytest.approx(
        [100 * seat["win_share"]["value"] for seat in RESULTS[shape]["cells"][0]["seats"]], rel=1e-5
    )
    assert all(url.startswith(("file:", "data:", "blob:")) for url in seen.requests)
    assert len([url for url in seen.requests if url.startswith("file:")]) == 1
    assert not seen.faults


def test_charts_far_away_wait_until_they_are_seen(visit: Any) -> None:
    seen = visit("variants")
    seen.page.wait_for_timeout(300)
    assert seen.page.eval_on_selector_all(".plot", DRAWN) < seen.page.locator(".plot").count() / 2


def test_nothing_offers_to_send_the_charts_away(visit: Any) -> None:
    seen = visit("six seats")
    seen.draw_all()
    assert seen.page.locator(".modebar-btn, .plotlyjsicon").count() == 0


def test_the_legend_hides_a_seat(visit: Any) -> None:
    seen = visit("six seats")
    seen.page.locator("#figure-scores-0").scroll_into_view_if_needed()
    seen.page.locator("#figure-scores-0 .legendtoggle").nth(1).click()
    seen.until("document.querySelector('#figure-scores-0')._fullData[1].visible === 'legendonly'")


@pytest.mark.parametrize(
    ("shape", "scheme", "width"),
    [("small", "light", 1280), ("small", "dark", 1280), ("small", "light", 375), ("series", "light", 1280)],
)
def test_axe_finds_nothing(visit: Any, shape: str, scheme: str, width: int) -> None:
    seen = visit(shape, color_scheme=scheme, width=width)
    if shape == "small":
        seen.draw_all()
    found = Axe().run(seen.page)
    assert found.violations_count == 0, found.generate_report()


def test_charts_take_the_colours_of_the_screen_and_follow_it(visit: Any) -> None:
    seen = visit("six seats", color_scheme="dark")
    seen.page.locator("#figure-wins-0").scroll_into_view_if_needed()
    ink = "document.querySelector('#figure-wins-0 .xtick text')?.style.fill"
    seen.until(f"{ink} === '{_rgb(theme.INK.dark)}'")
    assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == _rgb(theme.PAPER.dark)
    seen.page.emulate_media(color_scheme="light")
    seen.until(f"{ink} === '{_rgb(theme.INK.light)}'")
    assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == _rgb(theme.PAPER.light)


def _rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


def test_hostile_names_are_shown_literally_in_charts_and_run_nothing(visit: Any) -> None:
    seen = visit("hostile")
    seen.draw_all()
    labels = seen.page.eval_on_selector_all(".plot svg text", "texts => texts.map(text => text.textContent)")
    shown = " ".join(labels).translate(ISOLATES)
    for piece in (
        "</script><script>alert(1)</script>",
        "<b>bold</b> & <a",
        "🦉 owl [brackets] %{x}",
        "&lt;i&gt;",
        "שלום",
    ):
        assert piece in shown, piece
    assert seen.page.locator(".plot svg a").count() == 0
    assert seen.page.locator("main a:not([href^='#log-cell-']), main b, main img, main i").count() == 0
    assert not seen.faults


def test_games_are_read_on_the_screen_and_not_printed(visit: Any) -> None:
    seen = visit("hostile")
    log = seen.page.locator(".log").first
    assert not log.locator("pre").is_visible()
    log.locator("summary").click()
    assert log.locator("pre").is_visible()
    assert log.locator("pre").text_content() == "\n".join(sample.HOSTILE)
    note = seen.page.locator(".printed")
    assert not note.is_visible()
    seen.page.emulate_media(media="print")
    assert not log.is_visible()
    assert note.is_visible()
    folded = seen.page.locator("main details:not([open])")
    assert folded.count() > 0
    assert not any(one.is_visible() for one in folded.all())


def test_the_answer_fits_one_screen(visit: Any) -> None:
    """Five values at each of four numbers of players, with every sentence and no table cut off."""
    seen = visit("series")
    seen.page.set_viewport_size({"width": 1280, "height": 800})
    assert seen.page.locator("#answer .answer").count() == 4
    assert seen.page.locator("#answer tbody tr").count() == 20
    assert 400 < seen.page.evaluate("document.querySelector('#answer').getBoundingClientRect().height") <= 800
    cut_off = "places => places.filter(place => place.scrollWidth > place.clientWidth).length"
    assert seen.page.eval_on_selector_all("#answer .scroll", cut_off) == 0


@pytest.mark.parametrize("shape", ["small", "hostile", "series"])
def test_small_screens_never_scroll_sideways(visit: Any, shape: str) -> None:
    seen = visit(shape, width=375)
    seen.draw_all()
    for width in (375, 320, 768):
        seen.page.set_viewport_size({"width": width, "height": 900})
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_longest_word_for_how_sure_an_answer_is_fits_a_small_screen(open_page: OpenPage) -> None:
    results = build(Shape(players=(3,), deviation=0.02))
    results["cells"][0]["tests"]["verdict"] = "cannot tell"
    seen = open_page(results, width=320)
    assert summary.UNEVEN in seen.page.locator("#summary .sure").all_inner_texts()
    seen.page.add_style_tag(content="html{font-size:125%}")  # letters are not as wide on every machine
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_without_scripts_verdict_and_tables_are_there(visit: Any) -> None:
    results = RESULTS["variants"]
    seen = visit("variants", java_script_enabled=False)
    text = re.sub(r"\s+", " ", seen.page.locator("main").inner_text())
    for sentence in (*verdicts.sentences(results), *differences.sentences(results)):
        assert sentence in text
    assert "The charts need JavaScript." in text
    assert not seen.page.locator(".plot").first.is_visible()
    seen.page.locator("details.numbers > summary").first.click()
    assert seen.page.locator("details.numbers table").first.is_visible()


def test_the_keyboard_reaches_the_verdict_first(visit: Any) -> None:
    seen = visit("six seats")
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("document.activeElement.textContent") == "Skip to the verdict"
    seen.page.keyboard.press("Enter")
    assert seen.page.evaluate("document.activeElement.id") == "main"


def test_all_numbers_open_and_close_at_a_click(visit: Any) -> None:
    seen = visit("six seats")
    folds = seen.page.locator("main details").count()
    seen.page.locator("#unfold").click()
    assert seen.page.locator("main details[open]").count() == folds
    seen.page.locator("#unfold").click()
    assert seen.page.locator("main details[open]").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_print_holds_every_chart_in_the_colours_of_paper(visit: Any, scheme: str) -> None:
    seen = visit("six seats", color_scheme=scheme)
    printed = seen.page.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert len(printed) > 30_000
    assert seen.page.eval_on_selector_all(".plot", DRAWN) == seen.page.locator(".plot").count()
    seen.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    inks = seen.page.eval_on_selector_all(
        ".plot .xtick text", "texts => [...new Set(texts.map(text => text.style.fill))]"
    )
    assert inks == [_rgb(theme.INK.light)]
    assert not seen.faults
