"""Gates: what an experiment file asks of the results, and everything that can be wrong with that."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from balance.errors import Fault, listed, nearest
from balance.experiment.metrics import SPREAD, STATISTICS, by_seat, is_share, names
from balance.experiment.models import BASELINE, LONGEST_WHY, Experiment, Gate
from balance.experiment.wording import shown, spelled
from balance.game import MAX_SEATS, Game, Size
from balance.stats.verdict import Band

LIMITS = ("min", "max", "target", "band")
_SHARE = re.compile(r"([+-]?[0-9]{1,3}(?:\.[0-9]{1,9})?) ?(pp|%)")
_KINDS = 'a number, or text such as "3pp" or "25%"'
_FARTHEST = 10**15
_OF_POLICY = ("win_share", "score")

SHAPES: dict[tuple[str, ...], tuple[str, object]] = {
    ("gates",): ("a list of tables that each begin with [[gates]]", list),
    ("gates", "*"): ("a table with a metric and limits", dict),
    ("gates", "*", "metric"): ("the name of a metric in quotes", str),
    ("gates", "*", "players"): ("a list of numbers of players, such as [3, 4]", list),
    ("gates", "*", "players", "*"): ("a whole number", int),
    ("gates", "*", "variants"): ('a list of variants in quotes, such as ["baseline"]', list),
    ("gates", "*", "variants", "*"): ("the name of a variant in quotes", str),
    ("gates", "*", "mode"): ("the name of a mode in quotes", str),
    ("gates", "*", "seat"): (f"a whole number from 1 to {MAX_SEATS}", int),
    ("gates", "*", "policy"): ("the name of a policy in quotes", str),
    ("gates", "*", "against"): ('"baseline" or "file"', str),
    ("gates", "*", "level"): ('"error" or "warn"', str),
    ("gates", "*", "why"): (f"text of 1 to {LONGEST_WHY} characters on one line", str),
}
"""For each key: its allowed values in words, and their type; * stands for any index."""


def band_of(gate: Gate) -> Band:
    """The values that are fine, ends included."""
    low, high, target, reach = (_number(getattr(gate, name)) for name in LIMITS)
    if target is not None:
        return Band.around(target, reach or 0.0)
    return Band(_or(low, -math.inf), _or(high, math.inf))


def covers(game: Game, gate: Gate, variant: str, size: Size) -> bool:
    """Whether a gate covers the cell of a variant at a table of that size."""
    return (
        _is_meant(gate, size)
        and (not gate.variants or variant in gate.variants)
        and not (gate.against == "baseline" and variant == BASELINE)
        and not lacks(game, gate, size)
    )


def lacks(game: Game, gate: Gate, size: Size) -> bool:
    """Whether a table that a gate is meant for has no such metric, or no such seat."""
    metric, seat = gate.metric.partition(".")[0], gate.seat or 1
    return _is_meant(gate, size) and (metric not in names(game, size) or seat > size[0])


def _is_meant(gate: Gate, size: Size) -> bool:
    return (not gate.players or size[0] in gate.players) and (not gate.mode or size[1] == gate.mode)


def stopping(experiment: Experiment, saved: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What of the gates decides how long a check plays, as plain data; `saved` is the baseline of a file."""
    told = {"metric", "players", "variants", "mode", "seat", "policy", "against", *LIMITS}
    gates = [gate.model_dump(mode="json", include=told) for gate in experiment.gates]
    return {"rule": "gates", "gates": gates, **({"baseline": saved} if saved else {})}


# What can be wrong.


def faults(
    gates: Sequence[object],
    game: Game,
    sizes: Sequence[Size],
    variants: Sequence[str],
    policies: Sequence[str],
    together: bool = True,
) -> Iterator[Fault]:
    """The faults of gates that have the right shape; `policies` are the line-up's by name.

    They meet in one game (`together`), or are levels of play, of which each has games of its own.
    """
    for number, data in enumerate(gates):
        try:
            gate = Gate.model_validate(data)
        except ValidationError:  # told by whoever looks at shapes
            continue
        found = list(_metric(gate, game, sizes))
        found += () if found else _whose(gate, game, policies, together and len(policies) > 1)
        found += _places(gate, sizes, variants)
        found += () if found else _of_file(gate)
        found += () if found else _limits(gate, is_share(game, gate.metric))
        found += () if found else _nowhere(gate, game, sizes, variants)
        yield from (Fault(("gates", number, *fault.key), fault.sentence) for fault in found)


def _metric(gate: Gate, game: Game, sizes: Sequence[Size]) -> Iterator[Fault]:
    name, dot, statistic = gate.metric.partition(".")
    here = list(dict.fromkeys(metric for size in sizes for metric in names(game, size)))
    anywhere = {metric for size in game.all_sizes for metric in names(game, size)}
    counted = [measure.id for kind in ("curve", "counter") for measure in _measures(game, kind)]
    if name in counted:
        yield _fault("metric", f'"{name}" is not one number of a game or of a seat, so no gate can judge it.')
    elif name not in anywhere:
        sentence = f'{game.title} has no metric "{gate.metric}".{nearest(name, here)}'
        yield _fault("metric", f"{sentence} Its metrics: {listed(here)}.")
    elif name not in here:
        yield _fault(
            "metric", f'There is no "{name}" at any table of this experiment; there are {listed(here)}.'
        )
    elif dot and statistic == "max":
        yield _fault(
            "metric", f"{gate.metric} grows with the games that are played, so no gate can judge it."
        )
    elif dot and is_share(game, name):
        yield _fault("metric", f'"{name}" is a share, of which there is no .{statistic}.')
    elif dot and statistic not in STATISTICS:
        known = listed(f"{name}.{each}" for each in STATISTICS)
        yield _fault(
            "metric", f"There is no {gate.metric}.{nearest(statistic, STATISTICS)} There are {known}."
        )


def _measures(game: Game, kind: Any) -> list[Any]:
    return game.measures_of(kind)


def _places(gate: Gate, sizes: Sequence[Size], variants: Sequence[str]) -> Iterator[Fault]:
    """Players, mode and variants that are not in the experiment."""
    counts, modes = sorted({size[0] for size in sizes}), sorted({size[1] for size in sizes if size[1]})
    for at, count in enumerate(gate.players):
        if count not in counts:
            sentence = f"This experiment has no games of {count}, but of {listed(counts)}."
            yield _fault("players", sentence, at)
    if gate.mode and not modes:
        yield _fault("mode", "This experiment has no modes.")
    elif gate.mode and gate.mode not in modes:
        sentence = f'This experiment has no mode "{gate.mode}".{nearest(gate.mode, modes)}'
        yield _fault("mode", f"{sentence} It has {listed(modes)}.")
    for at, name in enumerate(gate.variants):
        if name not in (BASELINE, *variants):
            sentence = f"There is no variant {shown(name)}.{nearest(name, (BASELINE, *variants))}"
            known = (
                f"There are {listed(map(shown, (BASELINE, *variants)))}."
                if variants
                else "There are no variants."
            )
            yield _fault("variants", f"{sentence} {known}", at)
        elif gate.against == "baseline" and name == BASELINE:
            yield _fault("variants", "The baseline cannot be held against itself.", at)
    if gate.against == "baseline" and not variants:
        yield _fault("against", "There are no [[variants]] that could be held against the baseline.")


def _whose(gate: Gate, game: Game, policies: Sequence[str], several: bool) -> Iterator[Fault]:
    """Seats and policies that make no sense; `several` policies may meet in a game, or one alone sits in every seat."""
    name = gate.metric.partition(".")[0]
    if gate.seat and name not in by_seat(game):
        yield _fault("seat", f'"{name}" is no number of a seat; leave "seat" out.')
    if not gate.policy:
        if name == "win_share" and not gate.seat:
            need = "whose: seat = 1" + (f', or policy = "{policies[0]}"' if several else "")
            yield _fault("metric", f'"win_share" needs to be told {need}.')
    elif gate.policy not in policies:
        sentence = f"The policy {shown(gate.policy)} does not play.{nearest(gate.policy, policies)}"
        yield _fault("policy", f"{sentence} Those who do: {listed(policies)}.")
    elif not several:
        yield _fault("policy", "A single policy sits in every seat; a policy is judged where several play.")
    elif name not in _OF_POLICY or (gate.seat and name != "win_share"):
        yield _fault("policy", f'"{gate.metric}" is no number of a policy; those are {listed(_OF_POLICY)}.')


def _of_file(gate: Gate) -> Iterator[Fault]:
    """What no baseline file holds: it has means alone."""
    if gate.against == "file" and (gate.policy or "." in gate.metric or gate.metric == SPREAD):
        held = "A baseline file holds the means of games and seats, and nothing else"
        yield _fault("against", f'{held}, so "{gate.metric}" cannot be held against one.')


def _limits(gate: Gate, share: bool) -> Iterator[Fault]:
    given = {name: getattr(gate, name) for name in LIMITS if getattr(gate, name) is not None}
    wrong = [fault for name, value in given.items() for fault in _limit(name, value, gate, share)]
    yield from wrong
    if wrong:
        return
    if not {"min", "max", "target"} & set(given):
        yield _fault("metric", "A gate needs a limit: min, max, or target with band.")
    elif ("target" in given) != ("band" in given):
        yield _fault(*_half(given))
    elif "target" in given and len(given) > 2:
        yield _fault("target", "A gate has min and max, or target and band, not both.")
    elif gate.metric == SPREAD and not gate.against and set(given) != {"max"}:
        yield _fault("metric", '"seat_spread" says how far the seats are apart; its only limit is max.')
    elif {"min", "max"} <= set(given) and _number(gate.min) > _number(gate.max):  # type: ignore[operator]
        yield _fault("min", f'"min" is above "max": {shown(gate.min)} and {shown(gate.max)}.')


def _half(given: Mapping[str, Any]) -> tuple[str, str]:
    if "band" in given:
        return "band", '"band" belongs to a target: target = 0.5 and band = 0.02, say.'
    return (
        "target",
        "How far from the target is fine? Add band; with band = 0 the gate can fail, but never pass.",
    )


def _limit(name: str, value: object, gate: Gate, share: bool) -> Iterator[Fault]:
    """What is wrong with one limit."""
    number = _number(value)
    if number is None:
        yield _fault(name, _no_limit(name, value))
    elif isinstance(value, str) and not share:
        yield _fault(
            name, f'"{gate.metric}" is no share; write "{name}" as a plain number, not {shown(value)}.'
        )
    elif share and abs(number) > 1:
        sentence = f'"{gate.metric}" is a share, from 0 to 1; {name} = {shown(value)} lies outside.'
        yield _fault(
            name,
            sentence
            + (
                f' Write "{value}pp" or {number / 100:g}.'
                if not isinstance(value, str) and number <= 100
                else ""
            ),
        )
    elif number < 0 and (name == "band" or (share and not gate.against)):
        yield _fault(name, f'"{name}" cannot be below 0 here, and is {shown(value)}.')


def _no_limit(name: str, value: object) -> str:
    """Why a value is no limit."""
    unbounded = value in (math.inf, -math.inf)
    if unbounded or (isinstance(value, int | float) and abs(value) >= _FARTHEST):
        out = f" Where there is no limit, leave {name} out." if unbounded else ""
        ends = f"between -{spelled(_FARTHEST)} and {spelled(_FARTHEST)}"
        return f'"{name}" must lie {ends}, and is {shown(value)}.{out}'
    return f'"{name}" must be {_KINDS}, not {shown(value)}.{_decimal_comma(value)}'


def _decimal_comma(value: object) -> str:
    text = value.replace(",", ".").replace("p.p.", "pp").strip() if isinstance(value, str) else ""
    return f" Write {shown(text)}." if text != value and _number(text) is not None else ""


def _nowhere(gate: Gate, game: Game, sizes: Sequence[Size], variants: Sequence[str]) -> Iterator[Fault]:
    """A gate that covers no cell, or not what it names."""
    for at, count in enumerate(gate.players):
        if not any(
            covers(game, gate, name, size) for name, size in _cells(sizes, variants) if size[0] == count
        ):
            yield _fault("players", _absent(gate, count), at)
    if not gate.players and not any(covers(game, gate, *cell) for cell in _cells(sizes, variants)):
        most = max(size[0] for size in sizes)
        key = "seat" if (gate.seat or 0) > most else "metric"
        yield _fault(
            key, _absent(gate, most) if key == "seat" else "This gate covers no cell of the experiment."
        )


def _cells(sizes: Sequence[Size], variants: Sequence[str]) -> list[tuple[str, Size]]:
    return [(name, size) for size in sizes for name in (BASELINE, *variants)]


def _absent(gate: Gate, count: int) -> str:
    what = f"seat {gate.seat}" if (gate.seat or 0) > count else f'"{gate.metric}"'
    return f"There is no {what} with {count} player{'s' if count > 1 else ''}."


def _fault(key: str, sentence: str, at: int | None = None) -> Fault:
    return Fault((key,) if at is None else (key, at), sentence)


def _number(value: object) -> float | None:
    """A limit as a number; None where it is none."""
    if isinstance(value, str):
        found = _SHARE.fullmatch(value.strip())
        return float(Decimal(found[1]) / 100) if found else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < _FARTHEST else None


def _or(value: float | None, other: float) -> float:
    return other if value is None else value
