"""Sweeps as experiments: which points there are, what each is called, and what is refused before the first game."""

from __future__ import annotations

from typing import Any

import pytest

from balance import registry
from balance.errors import BalanceError
from balance.experiment.config import cells, from_game, with_overrides
from balance.experiment.models import LONGEST_NAME, Experiment, Gate, Variant
from balance.experiment.plan import Plan
from balance.experiment.sweep import impossible_points, swept, swept_around

LOAD = registry.load


@pytest.fixture(autouse=True)
def installed_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games that come with the tool."""
    monkeypatch.setattr(registry, "load", LOAD)


def pig(**changes: Any) -> Experiment:
    return with_overrides(from_game("pig"), **{"players": (2, 3), "games": 100, **changes})


def played(experiment: Experiment) -> list[tuple[str, int]]:
    return [(cell.variant, cell.players) for cell in cells(experiment, registry.load(experiment.game))]


def test_a_grid_holds_all_combinations_in_order() -> None:
    found = swept(pig(), {"target": (20, 30), "bust_costs_all": (False, True)})
    assert [(one.name, one.rules) for one in found.variants] == [
        ("target 20, bust_costs_all false", {"target": 20, "bust_costs_all": False}),
        ("target 20, bust_costs_all true", {"target": 20, "bust_costs_all": True}),
        ("target 30, bust_costs_all false", {"target": 30, "bust_costs_all": False}),
        ("target 30, bust_costs_all true", {"target": 30, "bust_costs_all": True}),
    ]
    assert [(one.rule, one.values) for one in found.factors] == [
        ("target", (20, 30)),
        ("bust_costs_all", (False, True)),
    ]
    assert (found.is_grid, found.title) == (True, "Pig: target, bust_costs_all")
    assert not swept(pig(), {"target": (20, 30)}).is_grid
    assert not pig().is_grid
    assert not found.model_copy(update={"variants": found.variants[2:3]}).is_grid, (
        "one of its points, played again"
    )


def test_a_point_that_is_the_baseline_is_not_played_twice() -> None:
    found = swept(pig(), {"target": (50, 100)})
    assert played(found) == [("baseline", 2), ("target 50", 2), ("baseline", 3), ("target 50", 3)]
    plain = found.model_copy(update={"factors": ()})  # a file that names such a variant gets what it asks for
    assert ("target 100", 2) in played(plain)


def test_an_impossible_point_is_left_out_and_its_reason_told() -> None:
    found = swept(pig(), {"sides": (2, 6), "losing_face": (1, 3)})
    gone = "sides 2, losing_face 3"
    assert gone not in [name for name, _ in played(found)]
    assert ("sides 6, losing_face 3", 3) in played(found)
    told = list(impossible_points(found, registry.load("pig")))
    assert [(one.variant, one.size) for one in told] == [(gone, (2, None)), (gone, (3, None))]
    assert told[0].reason == '"losing_face" must be from 1 to 2, the sides of the die.'
    with pytest.raises(BalanceError):  # a variant that somebody wrote down is a fault, no point
        cells(found.model_copy(update={"factors": ()}), registry.load("pig"))


def test_where_no_point_is_possible_nothing_is_played() -> None:
    with pytest.raises(BalanceError) as refused:
        swept(pig(), {"sides": (2,), "losing_face": (3, 4)})
    assert refused.value.message == "No point of this sweep is possible with 2 and 3 players."
    assert refused.value.hint == '"losing_face" must be from 1 to 2, the sides of the die.'


REFUSED: dict[str, tuple[dict[str, tuple[object, ...]], str]] = {
    "unknown": ({"taget": (1,)}, 'Unknown rule "taget". Did you mean "target"?'),
    "beside": ({"players": (2,)}, 'Unknown rule "players".'),
    "far": ({"target": (20, 999)}, '"target" must be a whole number from 10 to 200, not 999.'),
    "kind": (
        {"target": ("x", 2.5)},
        '"target" must be a whole number from 10 to 200, not "x".\n'
        '"target" must be a whole number from 10 to 200, not 2.5.',
    ),
    "range": (
        {"target": tuple(range(10))},
        "\n".join(f'"target" must be a whole number from 10 to 200, not {value}.' for value in range(5))
        + "\nAnd 5 more values are refused.",
    ),
    "switch": ({"bust_costs_all": (1,)}, '"bust_costs_all" must be true or false, not 1.'),
    "many": (
        {"target": tuple(range(10, 200)), "sides": tuple(range(2, 20))},
        "This sweep has 3420 points; at most 1000 are played at once.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_before_the_first_game(case: str) -> None:
    values, sentence = REFUSED[case]
    with pytest.raises(BalanceError) as refused:
        swept(pig(), values)
    assert refused.value.message == sentence


def test_a_list_is_checked_item_by_item() -> None:
    kennel = with_overrides(from_game("kennelmester"), players=(1,))
    assert len(swept(kennel, {"litter_table": ([0] * 6, [1] * 6)}).variants) == 2
    with pytest.raises(
        BalanceError, match='Item 6 of "litter_table" must be a whole number from 0 to 6, not 9'
    ):
        swept(kennel, {"litter_table": ([0, 0, 0, 0, 0, 9],)})


def test_around_changes_one_rule_at_a_time() -> None:
    found = swept_around(pig(rules={"target": 60}))
    values = {one.rule: one.values for one in found.factors}
    assert values["target"] == (30, 120)
    assert values["bust_costs_all"] == (True,)
    assert values["head_start"] == (1,)  # of nothing there is no half
    assert values["losing_face"] == (2,)  # half of 1 is 0, which is out of its range
    assert all(len(one.rules) == 1 for one in found.variants)
    assert (found.is_grid, found.title) == (False, "Pig: each rule")
    assert [one.name for one in found.variants][:2] == ["target 30", "target 120"]


def test_around_takes_the_defaults_of_every_table() -> None:
    zoo = swept_around(with_overrides(from_game("zooloretto"), players=(4, 5)))
    values = {one.rule: one.values for one in zoo.factors}
    assert values["species_removed"] == (0, 1, 2)  # 1 with 4 players, 0 with 5
    assert "removed_species" not in values  # a list
    words = swept_around(with_overrides(from_game("kennelmester"), players=(1,)))
    retry = next(one.values for one in words.factors if one.rule == "litter_zero_retry")
    assert retry == ("free", "reroll", "none")


def test_gates_on_variants_are_left_aside() -> None:
    gates = (Gate(metric="turns", max=99), Gate(metric="turns", max=99, variants=("x",)))
    variants = (Variant(name="x", rules={"target": 20}),)
    found = swept(pig().model_copy(update={"gates": gates, "variants": variants}), {"target": (30,)})
    assert found.gates == gates[:1]


def test_long_values_have_names_of_their_own() -> None:
    tables = tuple([0.1, 0.123456789, 0.2, 0.3, 0.1, 0.1, rest] for rest in (0.076543211, 0.0765432110001))
    kennel = with_overrides(from_game("kennelmester"), players=(1,))
    names = [one.name for one in swept(kennel, {"litter_probs": tables}).variants]
    assert len(set(names)) == 2
    assert all(len(name) <= LONGEST_NAME for name in names)


def test_a_sweep_is_a_run_of_its_own() -> None:
    grid = {"target": (20, 30), "bust_costs_all": (False, True)}
    one, other = Plan(swept(pig(), grid)), Plan(swept(pig(), {**grid, "target": (20, 40)}))
    assert one.digest == Plan(swept(pig(), grid)).digest != other.digest
