"""Charts are saved as files and tables copied as CSV: offline, by the keyboard, with every name as it is."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.opening import Opened, OpenPage
from tests.report import sample
from tests.report.parsed import ISOLATES
from tests.report.sample import Shape, build

pytestmark = pytest.mark.browser
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
TABLE = """table => [...table.rows].map(row => [...row.cells].map(cell => {
  const note = cell.querySelector('small');
  return note ? cell.textContent.slice(0, -note.textContent.length) : cell.textContent;
}))"""


def rows_of(page: Page, at: int) -> list[list[str]]:
    """The rows of a table as a reader sees them, with a plain minus, plain blanks and nothing for a dash."""
    rows = page.locator("main table").nth(at).evaluate(TABLE)
    numbers = (
        page.locator("main table")
        .nth(at)
        .evaluate("table => [...table.rows].map(row => [...row.cells].map(cell => cell.matches('.n')))")
    )
    return [
        [_plain(text) if number else text.translate(ISOLATES) for text, number in zip(*both, strict=True)]
        for both in zip(rows, numbers, strict=True)
    ]


def _plain(text: str) -> str:
    return "" if text == "–" else text.translate(ISOLATES).replace("\N{MINUS SIGN}", "-").replace("\xa0", " ")


def copied(seen: Opened, at: int) -> list[list[str]]:
    """What a press of a table's button leaves in its text area."""
    tools = seen.page.locator("main .scroll + .tools").nth(at)
    tools.locator("button").click()
    return list(csv.reader(io.StringIO(tools.locator("textarea").evaluate("area => area.value"), newline="")))


@pytest.mark.parametrize("results", [build(Shape(variants=("baseline", "other"))), sample.hostile()])
def test_the_csv_of_every_table_equals_the_table(open_page: OpenPage, results: dict[str, Any]) -> None:
    seen = open_page(results)
    seen.page.evaluate(NO_CLIPBOARD)
    seen.unfold()
    number = seen.page.locator("main table").count()
    assert seen.page.locator("main .scroll + .tools button").count() == number > 10
    seen.page.evaluate(
        "document.querySelectorAll('main .scroll + .tools button').forEach(one => one.click())"
    )
    seen.until(f"document.querySelectorAll('main textarea').length === {number}")
    values = seen.page.eval_on_selector_all(
        "main textarea", "areas => areas.map(area => area.textContent || area.value)"
    )
    for at, value in enumerate(values):
        assert list(csv.reader(io.StringIO(value, newline=""))) == rows_of(seen.page, at), at
    text = "".join(values)
    if results["title"] == sample.HOSTILE[0]:
        assert '"""><img src=x onerror=alert(3)>"' in text
    assert not seen.faults


def test_without_a_clipboard_the_text_lies_there_selected(open_page: OpenPage) -> None:
    seen = open_page(build())
    seen.page.evaluate(NO_CLIPBOARD)
    seen.unfold()
    assert copied(seen, 0) == rows_of(seen.page, 0)
    selected = (
        "[document.activeElement].map(area => area.value.slice(area.selectionStart, area.selectionEnd))[0]"
    )
    chosen = seen.page.evaluate(selected)
    assert list(csv.reader(io.StringIO(chosen, newline=""))) == rows_of(seen.page, 0)
    assert "Ctrl+C" in seen.page.locator("main .tools [role=status]").first.inner_text()


def test_the_clipboard_takes_the_table_at_a_key(open_page: OpenPage) -> None:
    seen = open_page(build(), permissions=["clipboard-read", "clipboard-write"])
    seen.unfold()
    seen.page.locator("main .scroll + .tools button").first.focus()
    seen.page.keyboard.press("Enter")
    seen.until("document.querySelector('main .scroll + .tools [role=status]').textContent === 'Copied.'")
    told = seen.page.evaluate("navigator.clipboard.readText()")
    assert list(csv.reader(io.StringIO(told, newline=""))) == rows_of(seen.page, 0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_charts_are_saved_by_mouse_and_keyboard_in_the_colours_of_paper(
    open_page: OpenPage, tmp_path: Path, scheme: str
) -> None:
    seen = open_page(sample.hostile(), color_scheme=scheme)
    tools = seen.page.locator("figure", has=seen.page.locator("#figure-cards-0")).locator("> .tools button")
    with seen.page.expect_download() as png:
        tools.nth(0).click()
    png.value.save_as(tmp_path / "chart.png")
    assert png.value.suggested_filename == "figure-cards-0.png"
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG\r\n")
    with seen.page.expect_download() as svg:
        tools.nth(1).focus()
        seen.page.keyboard.press("Enter")
    svg.value.save_as(tmp_path / "chart.svg")
    drawn = (tmp_path / "chart.svg").read_text("utf-8")
    assert drawn.startswith("<svg")
    assert "rgb(255, 255, 255)" in drawn
    assert "&#60;/script&#62;" in drawn
    assert not re.search("<script|<img|<a ", drawn)
    assert all(url.startswith(("file:", "data:", "blob:")) for url in seen.requests)
    assert not seen.faults


def test_nothing_to_press_on_paper_and_without_scripts(open_page: OpenPage) -> None:
    seen = open_page(build())
    assert seen.page.locator(".tools").first.is_visible()
    seen.page.emulate_media(media="print")
    assert (
        seen.page.eval_on_selector_all(".tools", "all => all.filter(one => one.checkVisibility()).length")
        == 0
    )
    assert open_page(build(), java_script_enabled=False).page.locator(".tools").count() == 0
