"""The odds of the litter (K-36), said as probabilities wherever they are shown."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from balance.games.kennelmester import GAME

from .commands import in_process

OFFICIAL = "Pups in a litter: 0: 16.7 %, 1: 33.3 %, 2: 33.3 %, 3: 16.7 %; 1.5 on average."


def remarks(**rules: object) -> dict[str, str]:
    return GAME.resolve((4, "competitive"), rules).remarks()


def test_a_die_is_shown_as_probabilities() -> None:
    assert remarks() == {"litter_table": OFFICIAL}
    assert remarks(litter_table=[0, 0, 0, 1, 1, 2]) == {
        "litter_table": "Pups in a litter: 0: 50.0 %, 1: 33.3 %, 2: 16.7 %; 0.6667 on average."
    }
    assert remarks(litter_table=[0] * 6) == {"litter_table": "Pups in a litter: 0: 100.0 %; 0 on average."}


def test_probabilities_are_shown_back() -> None:
    assert remarks(litter_probs=[0.25, 0.0, 0.75]) == {
        "litter_probs": "Pups in a litter: 0: 25.0 %, 1: 0.0 %, 2: 75.0 %; 1.5 on average."
    }
    assert GAME.resolve((1, "solo"), {"litter_probs": [0.5, 0.5]}).litter_chances() == [Fraction(1, 2)] * 2


def test_the_list_of_rules_a_run_and_its_page_say_the_odds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    listed = in_process(monkeypatch, "rules", "kennelmester")
    assert OFFICIAL in " ".join(listed.out.split())
    as_json = json.loads(in_process(monkeypatch, "rules", "kennelmester", "--format", "json").out)
    assert [rule["rule"] for rule in as_json if "remark" in rule] == ["litter_table"]
    file = 'schema_version = 1\ngame = "kennelmester"\nplayers = [1]\n[run]\ngames = 20\n'
    file += '[lineup]\npolicies = ["random"]\n'
    file += '[[variants]]\nname = "few"\nrules = { litter_table = [0, 0, 0, 0, 1, 1] }\n'
    (tmp_path / "e.toml").write_text(file)
    played = in_process(monkeypatch, "run", "e.toml", "--out", "r")
    assert played.code == 0
    said = " ".join(played.out.split())
    few = "Pups in a litter: 0: 66.7 %, 1: 33.3 %; 0.3333 on average."
    assert said.count(few) == 1
    assert OFFICIAL not in said
    page = (tmp_path / "r" / "report.html").read_text("utf-8")
    assert few in page
    assert OFFICIAL in page
