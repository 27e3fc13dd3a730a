"""What experiment and policy files may hold, as models; what is left out has a default here or comes from the game."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from balance.experiment.wording import printable
from balance.game import HIGHEST_TEMPERATURE, HIGHEST_WEIGHT, MAX_SEATS, Game

SCHEMA_VERSION = 1
BASELINE = "baseline"
"""What the game with [rules] alone is called."""
MOST_GAMES = 10**12
HIGHEST_SEED = 2**64 - 1
LOWEST_CONFIDENCE = 0.5
HIGHEST_CONFIDENCE = 0.9999
QUICKEST_DECISION = 0.1
SLOWEST_DECISION = 3600.0
LONGEST_TITLE = 200
LONGEST_NAME = 80
LONGEST_POLICY = 40
LONGEST_HELP = 200
LONGEST_WHY = 300


def _on_one_line(text: str) -> str:
    if printable(text) != text:
        raise ValueError("a control character")
    return text


Text = Annotated[str, Field(pattern=r"\S"), AfterValidator(_on_one_line)]
"""Text on one line with something to read in it."""
Rules = Annotated[
    dict[str, Any],
    Field(json_schema_extra={"additionalProperties": {"type": ["number", "boolean", "string", "array"]}}),
]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _AsGiven(_Table):
    @model_serializer(mode="wrap")
    def _as_given(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Without what was left out, which no file may write."""
        return {key: value for key, value in dump(self).items() if value not in (None, "", (), [])}


class Run(_AsGiven):
    """How much is played."""

    games: int = Field(
        default=100_000,
        ge=1,
        le=MOST_GAMES,
        description="Games for each variant and number of players; four times as many halve the doubt.",
    )
    precision: Text = Field(
        default="",
        description='Instead of games: how well the share of wins of every seat shall be known, such as "0.5pp".',
    )
    time: Text = Field(
        default="", description='Instead of games: how long this machine shall play, such as "60s" or "5m".'
    )
    seed: int = Field(
        default=1,
        ge=0,
        le=HIGHEST_SEED,
        description="Fixes every shuffle: the same seed gives the same games again, another seed fresh ones.",
    )
    confidence: float = Field(
        default=0.95,
        ge=LOWEST_CONFIDENCE,
        le=HIGHEST_CONFIDENCE,
        description="How sure the intervals are: 0.95 means that 95 of 100 of them hold the true value.",
    )
    seconds_per_decision: float | None = Field(
        default=None,
        ge=QUICKEST_DECISION,
        le=SLOWEST_DECISION,
        description="How long people take for a decision, such as 15; then the report tells the length in minutes too.",
    )


class Variant(_Table):
    """A change to the rules that is compared with the baseline."""

    name: Text = Field(max_length=LONGEST_NAME, description="What tables and figures call this variant.")
    rules: Rules = Field(default={}, description="The rules that differ from the baseline's.")


class Lineup(_AsGiven):
    """Who plays."""

    policies: tuple[str, ...] = Field(
        default=(),
        min_length=1,
        strict=False,
        description="One policy sits in every seat; of several, each takes its turn in every seat.",
    )
    levels: tuple[str, ...] = Field(
        default=(),
        strict=False,
        description="Levels of play, instead: everything is played once by each of these policies in every seat.",
    )

    @property
    def names(self) -> tuple[str, ...]:
        """All who play, by name, each once."""
        return tuple(dict.fromkeys((*self.policies, *self.levels)))


Limit = Annotated[Any, Field(json_schema_extra={"type": ["number", "string"]})]
"""A number, or a share as text: "3pp" or "25%"."""


class Gate(_AsGiven):
    """A limit that the results must keep; `balance check` judges it in every cell that it covers."""

    metric: Text = Field(
        description="What is judged: seat_spread, win_share, score, turns, a measure of the game, or turns.p90."
    )
    min: Limit = Field(
        default=None, description='The least that is fine: a number, or "3pp" or "25%" of a share.'
    )
    max: Limit = Field(
        default=None, description='The most that is fine: a number, or "3pp" or "25%" of a share.'
    )
    target: Limit = Field(default=None, description="What it should be; band says how far from it is fine.")
    band: Limit = Field(default=None, description="How far below and above the target is fine.")
    players: tuple[int, ...] = Field(
        default=(),
        min_length=1,
        strict=False,
        description="The numbers of players that it covers; all of this experiment's if left out.",
    )
    variants: tuple[str, ...] = Field(
        default=(),
        min_length=1,
        strict=False,
        description='The variants that it covers, "baseline" among them; all if left out.',
    )
    mode: Text = Field(
        default="", description="The mode that it covers; all of this experiment's if left out."
    )
    seat: int | None = Field(default=None, ge=1, le=MAX_SEATS, description="Whose number, counted from 1.")
    policy: Text = Field(default="", description="Which type of player's number, where several play.")
    against: Literal["baseline", "file"] | None = Field(
        default=None,
        description='"baseline": the limits are those of the difference from it, on the same deals; "file": of that '
        "from an earlier run, which `balance baseline` has written down.",
    )
    level: Literal["error", "warn"] = Field(
        default="error", description='"warn": it is shown, and never fails a check.'
    )
    why: Text = Field(
        default="", max_length=LONGEST_WHY, description="Why the limit is there, for whoever reads."
    )


class ExperimentFile(_Table):
    """An experiment as a file has it: which game, by whom, how often, and which rules are compared."""

    schema_version: int = Field(
        ge=SCHEMA_VERSION, le=SCHEMA_VERSION, description="The version of this file's layout; always 1."
    )
    title: Text = Field(
        default="",
        max_length=LONGEST_TITLE,
        description="The heading of the results; the game's title if left out.",
    )
    game: Text = Field(description="The name of an installed game, or module:GAME for one of your own.")
    players: tuple[int, ...] = Field(
        default=(),
        min_length=1,
        strict=False,
        description="The numbers of players to look at, each on its own; all of the game's if left out.",
    )
    modes: tuple[str, ...] = Field(
        default=(),
        min_length=1,
        strict=False,
        description="The modes to look at, each on its own; the usual one of each number of players if left out.",
    )
    deck: Text = Field(
        default="",
        description="The folder of the deck, seen from where this file lies; the game's own if left out.",
    )
    run: Run = Field(default=Run(), description="How many games are played, and from which seed.")
    rules: Rules = Field(default={}, description="The baseline: rules that differ from the rulebook's.")
    variants: tuple[Variant, ...] = Field(
        default=(), strict=False, description="Changes to compare with the baseline."
    )
    lineup: Lineup = Field(default=Lineup(), description="Which policies play.")
    gates: tuple[Gate, ...] = Field(
        default=(),
        strict=False,
        description="Limits that the results must keep; `balance check` judges them.",
    )


class PlayerType(_Table):
    """What a policy file says, with all numbers: a policy of the game that weighs things otherwise."""

    name: str
    based_on: str
    temperature: int
    weights: dict[str, int]
    help: str


class Factor(_Table):
    """A rule that a sweep varies, and its values in order."""

    rule: str
    values: tuple[Any, ...] = Field(strict=False)  # a file of JSON has lists


class Restriction(_Table):
    """What a seat, numbered from 1, may not choose."""

    name: str
    seat: int


class Experiment(ExperimentFile):
    """A complete experiment: its line-up names policies, and `types` are those of them that came from policy files.

    `cards` is what was in the deck when it was read, as data; None in games without decks. Numbers of players, modes
    and the folder of the deck may be left to the game. `factors` are what a sweep varies; its points are the variants.
    `ban` is what is forbidden in the only variant, whose rules are the baseline's.
    """

    players: tuple[int, ...] = Field(default=(), strict=False)
    modes: tuple[str, ...] = Field(default=(), strict=False)
    deck: str = ""
    types: tuple[PlayerType, ...] = Field(default=(), strict=False)
    cards: Any = None
    factors: tuple[Factor, ...] = Field(default=(), strict=False)
    ban: Restriction | None = None

    @property
    def gates_of_baseline(self) -> tuple[Gate, ...]:
        """The gates that are about no variant, which stay when other variants take the place of the file's."""
        return tuple(gate for gate in self.gates if not gate.variants and not gate.against)

    @property
    def is_grid(self) -> bool:
        """Whether the variants are all combinations of the values of several rules; a few, played again, are none."""
        points = math.prod(len(one.values) for one in self.factors)
        return len(self.variants) == points and any(len(one.rules) > 1 for one in self.variants)


class PolicyTable(_Table):
    """What a type of player is called, and what it is made of."""

    name: str = Field(
        max_length=LONGEST_POLICY,
        pattern=r"^[\w-]+$",
        description="What tables and figures call this type of player: letters, digits, - and _.",
    )
    based_on: str = Field(description="The policy of the game that it is made of.")
    temperature: int | None = Field(
        default=None,
        ge=0,
        le=HIGHEST_TEMPERATURE,
        description="How hot-headed it is: 0 takes the best option, the size of the weights often a lesser one.",
    )
    help: Text = Field(
        default="",
        max_length=LONGEST_HELP,
        description="What it does, in a sentence; if left out, how its numbers differ.",
    )


class PolicyFile(_Table):
    """A policy file: a policy of the game with other numbers."""

    policy: PolicyTable
    weights: dict[str, Annotated[int, Field(ge=-HIGHEST_WEIGHT, le=HIGHEST_WEIGHT)]] = Field(
        default={}, description="What it cares for; what is left out is as in the policy that it is based on."
    )


def default_policy(game: Game) -> str:
    """Who sits in every seat where nobody is named: "greedy" where the game has it."""
    known = [policy.id for policy in game.policies]
    return "greedy" if "greedy" in known else known[0]


SECTIONS: dict[str, type[_Table]] = {
    "at the top of the file": ExperimentFile,
    "in [run]": Run,
    "in [[variants]]": Variant,
    "in [lineup]": Lineup,
    "in [[gates]]": Gate,
}
"""The tables of the file and where they stand, in words."""
