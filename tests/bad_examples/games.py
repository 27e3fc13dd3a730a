"""The toy with one thing wrong, again and again: for each rule of the kit what must be found."""
# ruff: noqa: ARG002  tracers have the arguments of their kind, used or not

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from engine.toy import CARDS, GAME, POLICIES, ROUNDS, ToyParams, ToyTracer, tables
from pydantic import Field

from bad_examples import kernels
from balance.errors import Fault
from balance.game import CounterMeasure, CurveMeasure, Game, GameMeasure, Policy, SeatMeasure


@dataclass(frozen=True)
class Bad:
    """A game, the rule it breaks, and words of the sentence that must say so."""

    game: Game
    rule: str
    says: str


def toy(rule: str, says: str, **changes: Any) -> Bad:
    return Bad(replace(GAME, **changes), rule, says)


def bounds(rule: str, says: str, **changes: int) -> Bad:
    return toy(rule, says, bounds=replace(GAME.bounds, **changes))


def policy(rule: str, says: str, **changes: Any) -> Bad:
    return toy(rule, says, policies=(POLICIES[1], replace(POLICIES[0], **changes)))


def measure(rule: str, says: str, new: Any) -> Bad:
    return toy(rule, says, measures=(*GAME.measures, new))


def fields(rule: str, says: str, *more: Any) -> Bad:
    return toy(rule, says, state_dtype=np.dtype([*GAME.state_dtype.descr, *more]))


# ---------------------------------------------------------------- parameters


class WithoutRange(ToyParams):
    lucky: int = Field(7, description="A number.")


class WithEndlessList(ToyParams):
    lucky: tuple[Annotated[int, Field(ge=0, le=9)], ...] = Field((7,), description="Numbers.")


class WithLists(ToyParams):
    lucky: tuple[Annotated[int, Field(ge=0, le=9)], Annotated[int, Field(ge=0, le=9)]] = Field(
        (7, 7), description="Numbers."
    )
    moves: tuple[Literal["stand", "deck", "neighbour"], ...] = Field((), max_length=2, description="Words.")


class WithFraction(ToyParams):
    lucky: float = Field(0.5, description="A fraction without a range.")


class WithText(ToyParams):
    lucky: str = Field("no", description="Any text.")


class WithoutDescription(ToyParams):
    lucky: int = Field(7, ge=0, le=9)


class WithTakenName(ToyParams):
    item: int = Field(7, ge=0, le=9, description="A number.")


class Unread(ToyParams):
    lucky: int = Field(7, ge=0, le=9, description="A number.")


class Refused(ToyParams):
    def impossible(self) -> list[Fault]:
        return [Fault(("players",), "Six are too many.")] if self.players == 6 else []


class NeverHigh(ToyParams):
    def impossible(self) -> list[Fault]:
        high = self.points_per_card == 3
        return [Fault(("points_per_card",), "Too much.")] if high else super().impossible()


class ForFive(ToyParams):
    players: int = Field(ge=2, le=5, description="Number of players.")


class OtherWords(ToyParams):
    neighbours: Literal[1, 2] = Field(1, description="Numbers instead of words.")  # type: ignore[assignment]


class NamesWithoutCounts(ToyParams):
    """Says what lies on the table, and not how many."""

    def components(self) -> dict[str, int]:
        return ["cards", "coins"]  # type: ignore[return-value]


class TextForFaults(ToyParams):
    def impossible(self) -> list[Fault]:
        return "no"  # type: ignore[return-value]


class NoKeys(ToyParams):
    def impossible(self) -> list[Fault]:
        return ["no"]  # type: ignore[list-item]


class NoClassMethod(ToyParams):
    def for_players(self, players: int) -> dict[str, object]:  # type: ignore[override]
        return {}


class DefaultOfNoRule(ToyParams):
    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        del players
        return {"round": 3}


class DefaultTooHigh(ToyParams):
    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        del players
        return {"rounds": 99}


class FailingFollowing(ToyParams):
    def following(self) -> dict[str, object]:
        return {"rounds": self.players // 0}


class FollowingTooHigh(ToyParams):
    def following(self) -> dict[str, object]:
        return {"rounds": 99}


class FollowingNothing(ToyParams):
    def following(self) -> dict[str, object]:
        return None  # type: ignore[return-value]


def listed_tables(_params: ToyParams) -> Any:
    return [np.arange(CARDS)]


def growing_tables(params: ToyParams) -> dict[str, Any]:
    return {"earns": np.arange(24 + params.points_per_card)}


def fractional_tables(params: ToyParams) -> dict[str, Any]:
    return {"earns": np.arange(24) * params.points_per_card / 2}


def tables_of_taken_names(params: ToyParams) -> dict[str, Any]:
    return {**tables(params), "size": np.arange(3)}


def tables_named_like_parameters(params: ToyParams) -> dict[str, Any]:
    return {**tables(params), "rounds": np.arange(3)}


def tables_nobody_reads(params: ToyParams) -> dict[str, Any]:
    return {**tables(params), "spare": np.arange(3)}


def constant_tables(_params: ToyParams) -> dict[str, Any]:
    return {"earns": np.arange(24)}


def failing_tables(params: ToyParams) -> dict[str, Any]:
    raise RuntimeError(f"no table for {params.players}")


def tables_without_effect(params: ToyParams) -> dict[str, Any]:
    return {"earns": np.arange(CARDS) * params.points_per_card + 0 * params.lucky}  # type: ignore[attr-defined]


class SilentTracer(ToyTracer):
    def finish(self, state: Any, row: Mapping[str, int], /) -> None:
        self.events.clear()


class FailingTracer(ToyTracer):
    def finish(self, state: Any, row: Mapping[str, int], /) -> None:
        raise RuntimeError("no more paper")


def no_lines(_events: Sequence[Mapping[str, Any]]) -> list[str]:
    return []


MORE_POLICIES = tuple(
    Policy(f"more_{at}", "More", "One more.", choose)
    for at, choose in enumerate((kernels.choose_first, kernels.choose_second, kernels.choose_third))
)

STATIC = {
    "id": toy("names", "The id", id="My Toy"),
    "version": toy("metadata", "version of the rules", rules_version=0),
    "title": toy("texts", "title is empty", title=" "),
    "summary": toy("texts", "summary must be a sentence", summary="highest card wins"),
    "half a character": toy("texts", "cannot be shown: 'To\\udce9'", title="To\udce9"),
    "title in two lines": toy("texts", "cannot be shown", title="Toy\n2"),
    "title of a number": toy("texts", "title must be text, not int", title=3),
    "id of a number": toy("names", 'The id "3"', id=3),
    "round": toy("texts", "word for a round is empty", round_name=""),
    "many players": toy("metadata", "numbers of players", players=range(2, 9)),
    "gaps in players": toy("metadata", "numbers of players", players=range(2, 7, 2)),
    "no rounds": bounds("bounds", '"rounds" must be', rounds=0),
    "rounds beyond addresses": bounds("bounds", '"rounds" must be from 1 to 4095', rounds=4096),
    "steps beyond addresses": bounds("bounds", '"steps" must be', steps=2**16),
    "measure without help": measure("texts", "help of luck", GameMeasure("luck", "Luck", "x", "", "more")),
    "measure without unit": measure("texts", "unit of luck", GameMeasure("luck", "Luck", "", "A.", "more")),
    "measure of a taken name": measure("names", '"item"', GameMeasure("item", "Luck", "x", "A.", "more")),
    "measure like a metric": measure("names", '"tie_rate"', GameMeasure("tie_rate", "T", "x", "A.", "more")),
    "two of one name": measure("names", '"standing"', SeatMeasure("standing", "S", "x", "A.", "more")),
    "two of one column": measure(
        "names", '"best_card_2"', GameMeasure("best_card_2", "B", "x", "A.", "more")
    ),
    "long curve": measure("measures", "have 1 to 4", CurveMeasure("up", "U", "x", "A.", "m", ROUNDS + 1)),
    "one face": measure(
        "faces",
        "must name two faces",
        CounterMeasure("used", "U", "x", "A.", "m", ("a",), faces=("won",)),  # type: ignore[arg-type]
    ),
    "no items": measure("items", "must have items", CounterMeasure("used", "U", "x", "A.", "more")),
    "equal items": measure(
        "items", 'has the item "a" twice', CounterMeasure("used", "U", "x", "A.", "m", ("a", "a"))
    ),
    "items of numbers": measure(
        "texts",
        "Item 1 of used must",
        CounterMeasure("used", "U", "x", "A.", "m", ("a", 1)),  # type: ignore[arg-type]
    ),
    "no policies": toy("types of players", "needs policies", policies=()),
    "two policies of one name": policy("types of players", 'Two policies are called "careful"', id="careful"),
    "policy's name": policy("names", '"Any One"', id="Any One"),
    "policy's help": policy("texts", "help of any", help="random"),
    "hot policy": policy("metadata", "temperature of any", temperature=1001),
    "heavy weight": policy("metadata", '"points" of any must be', weights={"points": 1001}),
    "light weight": policy("metadata", "from -1000 to 1000", weights={"points": -1001}),
    "weight of no number": policy("metadata", "not 0.5", weights={"points": 0.5}),
    "names without counts": toy("functions", "components (games.py, line", Params=NamesWithoutCounts),
    "text for faults": toy("functions", "impossible (games.py, line", Params=TextForFaults),
    "faults without a rule": toy("functions", "must return a list of balance.game.Fault", Params=NoKeys),
    "defaults of an instance": toy("functions", "for_players (games.py, line", Params=NoClassMethod),
    "defaults of no rule": toy(
        "functions", 'which is no rule. Did you mean "rounds"?', Params=DefaultOfNoRule
    ),
    "defaults out of range": toy("functions", 'wrong value: "rounds" must be', Params=DefaultTooHigh),
    "what follows fails": toy("functions", "following (games.py, line", Params=FailingFollowing),
    "what follows is too high": toy("functions", "following (games.py, line", Params=FollowingTooHigh),
    "what follows is no value": toy("functions", "must return defaults as", Params=FollowingNothing),
    "weight's name": policy("names", '"temperature"', weights={"temperature": 3}),
    "many kernels": toy("metadata", "more kernels of policies", policies=(*POLICIES, *MORE_POLICIES)),
    "no range": toy("parameters", "declares no range", Params=WithoutRange),
    "endless list": toy("parameters", "declares no greatest length", Params=WithEndlessList),
    "fraction": toy("parameters", '"lucky" is not fully declared', Params=WithFraction),
    "any text": toy("parameters", '"lucky" must be an int or float', Params=WithText),
    "numbered words": toy("parameters", '"neighbours" must be an int', Params=OtherWords),
    "no description": toy("texts", 'description of "lucky"', Params=WithoutDescription),
    "parameter's name": toy("names", '"item"', Params=WithTakenName),
    "official rules refused": toy("official rules", "Six are too many", Params=Refused),
    "other numbers of players": toy("parameters", "goes from 2 to 5", Params=ForFive),
    "no header": toy("state", "begins with seat", state_dtype=np.dtype([("over", np.int64)])),
    "odd size": fields("state", "multiple of 8", ("odd", np.int16)),
    "fractions in the state": fields("state", '"luck"', ("luck", np.float64)),
    "field's name": fields("names", '"base"', ("base", np.int64)),
    "no kernel": toy("kernels", "score is not marked", score=kernels.plain_score),
    "other arguments": toy("kernels", "score takes (state, seat)", score=kernels.score_of_two),
    "no identity": toy("kernels", "UNIDENTIFIED", score=kernels.score_by_list),
}
WRITTEN = {
    "mistyped rule": toy(
        "fields", 'no rule or table "round". Did you mean "rounds"?', apply_action=kernels.apply_by_no_rule
    ),
    "mistyped field": toy("fields", 'Did you mean "points"?', apply_action=kernels.apply_to_no_field),
    "mistyped measure": toy(
        "fields", 'no measure "change". Did you mean "changes"?', measure=kernels.measure_nothing_known
    ),
    "mistyped weight": policy("fields", 'Did you mean "temperature"?', choose=kernels.choose_by_no_weight),
    "list": toy("kernels", "makes a list", score=kernels.makes_a_list),
    "dictionary": toy("kernels", "makes a dictionary", score=kernels.makes_a_dictionary),
    "tuple": toy("kernels", "makes a tuple", score=kernels.makes_a_tuple),
    "made text": toy("kernels", "makes a text", score=kernels.makes_a_text),
    "text": toy("kernels", "uses a text", score=kernels.uses_a_text),
    "half": toy("kernels", "reckons with 0.5", score=kernels.uses_a_fraction),
    "division": toy("kernels", "write //", score=kernels.divides),
    "array": toy("kernels", "uses np.zeros", score=kernels.makes_an_array),
    "tables of no function": toy("functions", "must be a function", tables={"earns": np.arange(24)}),
    "tables in a list": toy("functions", "listed_tables (games.py, line", tables=listed_tables),
}
PLAYED = {
    "no turns": toy("turns", "state.turns is still 0", apply_action=kernels.apply_uncounted),
    "odd end": toy("ends", "state.over is 5", apply_action=kernels.apply_ending_oddly),
    "stream of a player": toy(
        "random numbers", "aim at stream 1", apply_action=kernels.apply_aiming_for_a_player
    ),
    "no aim in an action": toy(
        "random numbers", "before they call aim", apply_action=kernels.apply_without_aim
    ),
    "no aim in setup": toy("random numbers", "before they call aim", setup=kernels.setup_without_aim),
    "one number twice": toy("random numbers", "same number twice", apply_action=kernels.apply_rolling_twice),
    "aiming policy": policy("random numbers", "any calls aim", choose=kernels.choose_with_aim),
    "unread": toy("parameters", '"lucky" is read by no kernel', Params=Unread),
    "read by nothing any more": toy("parameters", '"points_per_card" is read', tables=constant_tables),
    "impossible extreme": toy("parameters", '"points_per_card" can never be 3', Params=NeverHigh),
    "growing tables": toy("tables", "change their names", tables=growing_tables),
    "fractional tables": toy("tables", '"earns" needs', tables=fractional_tables),
    "table's name": toy("tables", '"size" needs another name', tables=tables_of_taken_names),
    "table like a parameter": toy("tables", "called like a parameter", tables=tables_named_like_parameters),
    "table nobody reads": toy("tables", '"spare" is read by no kernel', tables=tables_nobody_reads),
    "nobody's turn": toy("seat", "Seat 2 is to act", setup=kernels.setup_for_nobody),
    "round of an address": toy("random numbers", "round of an address", setup=kernels.setup_aiming_too_far),
    "word of an address": toy("random numbers", "word of an address", setup=kernels.setup_drawing_too_far),
    "the same number": toy("random numbers", "two actions", apply_action=kernels.apply_with_the_same_number),
    "one option": toy("legal actions", "There are 1 options", legal_actions=kernels.only_one),
    "descending": toy("legal actions", "not ascending", legal_actions=kernels.descending),
    "too many options": toy("legal actions", "There are 4", legal_actions=kernels.more_than_the_bound),
    "ticking": toy("state", '"changes"', legal_actions=kernels.ticking),
    "paying to ask": toy("state", '"points"', score=kernels.score_and_pay),
    "reading out of bounds": toy("runs", "out of bounds", apply_action=kernels.apply_out_of_bounds),
    "writing out of bounds": toy("runs", "out of bounds: 6000", apply_action=kernels.apply_past_the_end),
    "memory": toy("repeatable", '"points"', apply_action=kernels.apply_remembering),
    "going back": toy("moments", "went back", apply_action=kernels.apply_going_back),
    "no end": toy("ends", "not over after 48", apply_action=kernels.apply_without_end),
    "more turns": bounds("bounds", "more than the bound", turns=3),
    "more steps": bounds("bounds", "There are 2 steps", steps=1),
    "more plies": bounds("ends", "not over after 5", plies=5),
    "unfilled list": policy("leftovers", "any takes from the list", choose=kernels.choose_unasked),
    "failing tables": toy("functions", "failing_tables (games.py, line", tables=failing_tables),
    "no such action": policy("policies", "any chose 17", choose=kernels.choose_nonsense),
    "cheating": policy("policies", '"points"', choose=kernels.choose_and_cheat),
    "peeping at the deck": policy("honesty", "any chose otherwise", choose=kernels.choose_by_the_deck),
    "peeping at a hand": policy("honesty", "any chose otherwise", choose=kernels.choose_by_a_hand),
    "options by the deck": toy(
        "determinize", "options of the seat", legal_actions=kernels.by_the_hidden_deck
    ),
    "forgetting the turn": toy("determinize", '"turns"', determinize=kernels.determinize_the_turn),
    "impossible cards": toy("runs", "out of bounds", determinize=kernels.determinize_into_nonsense),
    "no standing": toy("measures", "round 0 of standing", measure=kernels.measure_half),
    "no neighbour": toy("measures", "neighbour of moves", measure=kernels.measure_without_neighbour),
    "measure out of bounds": toy("runs", "out of bounds", measure=kernels.measure_past_the_end),
    "silent trace": toy("traces", "no events", tracer=SilentTracer),
    "failing trace": toy("runs", "no more paper", tracer=FailingTracer),
    "no log": toy("traces", "no lines", narrate=no_lines),
}
LOOKING_BACK = (replace(POLICIES[0], choose=kernels.choose_by_the_last_list), POLICIES[1])
COMPILED = {
    "only in Python": toy("compiled", "cannot be compiled", apply_action=kernels.apply_in_words),
    "overflow": toy(
        "compiled",
        "Compiled, changes of game",
        apply_action=kernels.apply_overflowing,
        state_dtype=np.dtype([*GAME.state_dtype.descr, ("narrow", np.int16, 4)]),
    ),
    "short for many rounds": toy(
        "runs",
        "apply_in_a_narrow_field (kernels.py, line",
        apply_action=kernels.apply_in_a_narrow_field,
        state_dtype=np.dtype([*GAME.state_dtype.descr, ("short", np.int64, ROUNDS)]),
    ),
    "rarely illegal": policy("policies", "is not legal", choose=kernels.choose_rarely_wrongly),
    "looking at the last game": toy("leftovers", "others were played before", policies=LOOKING_BACK),
    "more than all": toy("measures", "calm is a share", measure=kernels.measure_more_than_all),
}
