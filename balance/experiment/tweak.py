"""One tweak of the rules held against an experiment's baseline."""

from __future__ import annotations

from collections.abc import Mapping

from balance.experiment.config import with_overrides
from balance.experiment.models import LONGEST_NAME, LONGEST_TITLE, Experiment, Variant
from balance.experiment.wording import bare, printable


def tweaked(experiment: Experiment, rules: Mapping[str, object]) -> Experiment:
    """The experiment with the tweak as its only variant; rules that are the baseline's already are no fault.

    Its own variants are left aside, and gates that are about variants. BalanceError as from `with_overrides`.
    """
    alone = experiment.model_copy(update={"variants": (), "gates": experiment.gates_of_baseline})
    with_overrides(alone, rules=rules)  # are these rules a game?
    name = name_of(rules)
    title = f"{experiment.title}: {name}"[:LONGEST_TITLE]
    return alone.model_copy(update={"variants": (Variant(name=name, rules=dict(rules)),), "title": title})


def name_of(rules: Mapping[str, object]) -> str:
    """What the tweak is called: 'bonus_first=1, owl=false'."""
    told = printable(", ".join(f"{rule}={bare(value)}" for rule, value in rules.items()))
    return told if len(told) <= LONGEST_NAME else f"{told[: LONGEST_NAME - 1]}…"
