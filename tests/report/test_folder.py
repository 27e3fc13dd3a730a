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
    assert text.count("animalia-run is the folder that this page was made in") == 2
    elsewhere = results("balance run x.toml --out /apart/other/animalia-run")
    elsewhere["cells"][0]["logs"] = found["cells"][0]["logs"]
    assert report.render(found) == report.render(elsewhere)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("balance run x.toml --out animalia-run --threads 2", "balance run x.toml --out animalia-run"),
        ("balance run x.toml", "balance run x.toml"),
        ("balance run x.toml --out", "balance run x.toml"),
    ],
)
def test_the_command_that_plays_again_makes_the_folder_of_the_others(typed: str, told: str) -> None:
    found = results(typed, command="balance run x.toml")
    assert folder.with_out("balance run x.toml", found) == told
    assert told in parse(report.render(found)).text


def test_an_interrupted_run_promises_no_equal_numbers() -> None:
    whole = results("balance run x.toml", command="balance run x.toml")
    assert "gets the same numbers" in parse(report.render(whole)).text
    text = parse(report.render({**whole, "status": "interrupted"})).text
    assert "gets the same numbers" not in text
    assert "this command goes on where it stopped" in text
