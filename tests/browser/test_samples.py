"""Pages that the tool itself has made, in a browser: they draw, ask for nothing, and the committed ones are true."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from balance import report
from tests.browser.generated import GAMES, PIG, SAMPLES, make
from tests.browser.opening import OpenPage
from tests.cli.commands import own_process
from tests.report.parsed import parse

pytestmark = [pytest.mark.browser, pytest.mark.compiler]
Made = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The results of a command; each is given once."""
    return cache(lambda name: make(name, tmp_path_factory.mktemp("made")))


def told(page: str) -> str:
    """What a page says, but for the parts that speak of the machine and of the program's own source."""
    return parse(re.sub(r'<section id="(?:provenance|timing)".*?</section>', "", page, flags=re.DOTALL)).text


@pytest.mark.parametrize("name", [*GAMES, *PIG])
def test_every_chart_draws_and_nothing_goes_wrong(open_page: OpenPage, made: Made, name: str) -> None:
    results = made(name)
    seen = open_page(results)
    assert serious(seen.page) == []
    seen.draw_all()
    figures = parse(report.render(results)).figures
    drawn = dict(
        seen.page.eval_on_selector_all(
            ".plot", "places => places.map(place => [place.id, place.data.length])"
        )
    )
    assert drawn == {place: len(figure["data"]) for place, figure in figures.items()}
    assert len(drawn) > 2
    assert seen.faults == []
    assert all(url.startswith(("file:", "data:", "blob:")) for url in seen.requests)
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_runs_side_by_side_draw_too(open_page: OpenPage, tmp_path: Path) -> None:
    for name in ("comparison", "levels"):
        make(name, tmp_path)
    ended = own_process(tmp_path, "report", "comparison-run", "levels-run", "--out", "side.html")
    assert ended.code == 0, ended.err
    seen = open_page(tmp_path / "side.html")
    seen.draw_all()
    assert seen.page.locator("table").count() > 1
    assert seen.faults == []
    assert all(url.startswith(("file:", "data:", "blob:")) for url in seen.requests)


def serious(page: Any) -> list[str]:
    """What axe-core finds to be serious or worse; contrasts, which take it long, are looked at on smaller pages."""
    found = Axe().run(page, options={"rules": {"color-contrast": {"enabled": False}}}).response["violations"]
    return [one["id"] for one in found if one["impact"] in ("serious", "critical")]


def test_what_is_serious_is_seen(open_page: OpenPage, made: Made) -> None:
    """What the test above looks for: an image without words would be noticed."""
    seen = open_page(made("failed gate"))
    seen.page.evaluate("document.querySelector('main').appendChild(new Image(9, 9))")
    assert serious(seen.page) == ["image-alt"]


@pytest.mark.parametrize("name", GAMES)
def test_the_committed_sample_is_what_its_command_makes(
    made: Made, name: str, pytestconfig: pytest.Config
) -> None:
    sample = SAMPLES / f"{name}.html"
    results = made(name)
    if pytestconfig.getoption("--update-transcripts"):
        report.write(results, sample)
    assert told(sample.read_text(encoding="utf-8")) == told(report.render(results))
    another = results | {"cells": [cell | {"games": cell["games"] + 1} for cell in results["cells"]]}
    assert told(sample.read_text(encoding="utf-8")) != told(report.render(another))


@pytest.mark.parametrize("name", GAMES)
def test_a_committed_sample_has_no_codes_and_no_paths_and_names_its_folder(name: str) -> None:
    page = (SAMPLES / f"{name}.html").read_text(encoding="utf-8")
    text = parse(page).text
    assert f"balance replay {name}-run --game " in text
    assert not re.search(r"\b[A-Z]-\d+\b|\bRUN\b|(?<![\w.])/(?:home|tmp|root|Users)/", text)


def test_the_samples_say_which_command_made_them() -> None:
    text = Path(SAMPLES / "README.md").read_text(encoding="utf-8")
    for name in GAMES:
        assert f"balance run reports/samples/{name}.toml --out {name}-run" in text
        assert (SAMPLES / f"{name}.html").stat().st_size < 3_500_000
