"""The folder in the page's commands: as it was typed, and never where on a machine it lies."""

from __future__ import annotations

from typing import Any

import pytest

from balance import report
from balance.report import folder
from tests.report.parsed import parse
from tests.report.sample import build, game_log


def results(typed: str, **provenance: str) -> dict[str, Any]:
    found = build()
    found["timing"]["command"] = typed
    found["provenance"] |= provenance
    return found


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("balance run x.toml --out animalia-run", "animalia-run"),
        ("balance run x.toml --out=runs/animalia --threads 2", "runs/animalia"),
        ("balance run x.toml --out /elsewhere/secret/animalia-run/", "animalia-run"),
        ("balance run x.toml --out ../animalia-run", "animalia-run"),
        ("balance run x.toml --out 'D:\\games\\my run'", "'my run'"),
        ("balance run x.toml --out ~/games/run", "run"),
        ("balance run x.toml --out ./here", "here"),
        ("balance run x.toml --out '$(rm -rf x)'", "'$(rm -rf x)'"),
        ("balance run animalia --out animalia", "./animalia"),
        ("balance run x.toml --out=-x", "./-x"),
        ("balance run x.toml --out /", "RUN"),
        ("balance run x.toml --out", "RUN"),
        ("balance run 'unclosed", "RUN"),
        ("", "RUN"),
    ],
)
def test_the_name_is_what_was_typed_without_the_way_to_it(typed: str, name: str) -> None:
    assert folder.name(results(typed)) == name


def test_without_a_folder_it_is_the_one_that_runs_go_to() -> None:
    found = results("balance run x.toml", experiment="abcdef0123456")
    assert folder.name(found) == "reports/animalia-do-the-neutral-cards-matter-abcdef01"


def test_no_path_of_a_machine_reaches_the_page() -> None:
    found = results("balance run x.toml --out /elsewhere/secret/animalia-run")
    found["cells"][0]["logs"] = [game_log("turns", "It was long.", 9, whole=False)]
    text = parse(report.render(found)).text
    assert "secret" not in text
    for command in ("--game N --cell cell-0-p4", "--game 128 --cell cell-0-p4", "--game 9 --cell cell-0-p4"):
        assert f"balance replay animalia-run {command}" in text
    assert text.count("animalia-run is the folder of this page") == 2
    elsewhere = results("balance run x.toml --out /apart/other/animalia-run")
    elsewhere["cells"][0]["logs"] = found["cells"][0]["logs"]
    assert report.render(found) == report.render(elsewhere)
