"""One tweak held against an experiment's baseline."""

from __future__ import annotations

from typing import Any

import pytest

from balance.errors import BalanceError
from balance.experiment.config import Variant
from balance.experiment.models import Gate
from balance.experiment.plan import Plan
from balance.experiment.tweak import name_of, tweaked

from .dice_race import install, race


@pytest.fixture(autouse=True)
def fake_games(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


def test_the_tweak_is_the_only_variant_and_named_by_what_it_sets() -> None:
    own = race().model_copy(
        update={"variants": (Variant(name="other", rules={"goal": 8}),), "rules": {"goal": 20}}
    )
    found = tweaked(own, {"head_start": 2, "idle": 1})
    (variant,) = found.variants
    assert (variant.name, found.title) == (
        "head_start=2, idle=1",
        "A race: head_start=2, idle=1",
    )
    cell = Plan(found).cells[1]
    assert cell.cell.changes == {"head_start": 2, "idle": 1}
    assert cell.cell.rules.as_data()["goal"] == 20


def test_a_value_of_the_rulebook_is_no_fault() -> None:
    baseline, same = Plan(tweaked(race(), {"goal": 12})).cells[:2]
    assert same.cell.changes == {}
    assert same.cell.rules == baseline.cell.rules


def test_gates_about_variants_are_left_out_and_others_kept() -> None:
    gates = (
        Gate(metric="seat_spread", max="2pp"),
        Gate(metric="turns", max=3, variants=("other",)),
        Gate(metric="turns", max=3, against="baseline"),
    )
    assert tweaked(race().model_copy(update={"gates": gates}), {"goal": 8}).gates == gates[:1]


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"goals": 8}, 'Did you mean "goal"?'),
        ({"goal": 100}, '"goal" must be'),
        ({"goal": "far"}, '"goal" must be'),
    ],
)
def test_rules_that_make_no_game_are_refused(rules: dict[str, Any], says: str) -> None:
    with pytest.raises(BalanceError) as refused:
        tweaked(race(), rules)
    assert says in refused.value.message


def test_names_are_written_as_they_are_typed_and_cut_when_long() -> None:
    assert (
        name_of({"tie_break": "none", "table": [0, 1], "owl": False})
        == "tie_break=none, table=[0, 1], owl=false"
    )
    assert len(name_of({f"rule_{number}": number for number in range(30)})) == 80
    assert "\n" not in name_of({"a": "b\nc"})
