"""What happened in a game of Kennelmester, counted off the lines of its trace."""

from __future__ import annotations

from collections import Counter
from typing import Any

Line = dict[str, Any]

REASONS = ("target", "solo_rounds", "events_exhausted", "round_cap")
WANTED = (
    *(
        "mate",
        "mate: hired",
        "mate: free",
        "mate: partner's",
        "mate: inherits nothing",
        "mate: inherits 5 or more",
    ),
    *(f"birth: {pups}" for pups in range(7)),
    *("birth: rolled", "birth: rolled again", "birth: drawn", "birth: by itself", "birth: after a refill"),
    *(
        "birth: too few cards",
        "birth: no cards",
        "grow up: at once",
        "grow up: pups",
        "grow up: mother alone",
    ),
    *("draw: dogs, deck", "draw: dogs, discard", "draw: customers, deck", "draw: customers, discard"),
    *("refill: dogs", "refill: customers", "discard: dogs", "discard: customers", "discard: turn end"),
    *(
        "buy",
        "sell: customer",
        "sell: pup",
        "sell: rewarded",
        "sell: reputation",
        "sell: player",
        "sell: partner",
    ),
    *("sell: split", "sell: won before", "refuse: sale", "refuse: stud", "refuse: hire", "refuse: later dog"),
    *(
        "refuse: forced",
        "refuse: free mating",
        "enter",
        "enter: several dogs",
        "enter: own help",
        "enter: hired",
    ),
    *("enter: partner's help", "enter: nobody's help", "forced: customer", "forced: pup", "forced: player"),
    *("forced: gift", "forced: gift to partner", "forced: release", "upkeep: paid", "upkeep: waived"),
    *("upkeep: settled by parting", "compete: winner", "compete: bottom", "compete: removed"),
    *("compete: nobody qualified", "compete: tie", "compete: tied twice", "compete: three tied"),
    *(f"bonus: {kind}" for kind in ("coin", "draw_dog", "draw_customer", "trade", "mate", "birth", "enter")),
    *("bonus: tied to a breed", "bonus: taken", "bonus: declined", "bonus: more than one"),
    *(f"end: {reason}" for reason in REASONS),
    *(
        "end: at once by a sale",
        "end: at once by the contest",
        "end: shared",
        "end: solo success",
        "end: solo failure",
    ),
)
"""What has to happen in the games that are compared."""


def happenings(lines: list[Line]) -> Counter[str]:
    """How often each of WANTED, and more, happened in one game."""
    return Counter(_Game(lines).found)


class _Game:
    """Goes through the lines of one trace."""

    def __init__(self, lines: list[Line]) -> None:
        self.header, self.found = lines[0], list[str]()
        self.sides: list[int] = self.header["sides"]
        self.before: Line = lines[0]
        self.winners: set[str] = set()
        self.parted, self.earned, self.taken = False, 0, 0
        for line in lines[1:]:
            getattr(self, f"_{line['event']}", self._other)(line)
            self._take(line)
            self.before = line

    def _take(self, line: Line) -> None:
        """An action of 8.4 may be a bonus; a free mating is part of its birth."""
        if line.get("bonus") and not line.get("free"):
            self.taken += 1
            self.note("bonus", (True, "taken"), (self.taken > 1, "more than one"))

    def note(self, name: str, *cases: tuple[bool, str]) -> None:
        self.found += [name, *(f"{name}: {case}" for holds, case in cases if holds)]

    def _other(self, line: Line) -> None:
        self.note(line["event"])

    def _partners(self, one: int, other: int | None) -> bool:
        return other is not None and other != one and self.sides[one] == self.sides[other]

    # ---------------------------------------------------------------- breeding

    def _mate(self, line: Line) -> None:
        owner, dice = line["father_owner"], sum(line["inherited"].values())
        foreign = self.sides[owner] != self.sides[line["player"]]
        partners = self._partners(line["player"], owner)
        cases = [(foreign, "hired"), (partners, "partner's"), (line["free"], "free")]
        self.note("mate", *cases, (dice == 0, "inherits nothing"), (dice >= 5, "inherits 5 or more"))

    def _birth(self, line: Line) -> None:
        short = len(line["pups"]) < line["litter"]
        rolls = ("drawn", "rolled", "rolled again")[len(line["rolls"])]
        cases = [(True, str(line["litter"])), (True, rolls), (line["n"] == 0, "by itself")]
        cases += [(short and bool(line["pups"]), "too few cards"), (short and not line["pups"], "no cards")]
        self.note("birth", *cases, (self.before["event"] == "refill", "after a refill"))

    def _grow_up(self, line: Line) -> None:
        at_once = self.before["event"] == "birth"
        self.note(
            "grow up", (at_once, "at once"), (bool(line["pups"]), "pups"), (not line["pups"], "mother alone")
        )

    # ---------------------------------------------------------------- cards and trades

    def _draw(self, line: Line) -> None:
        self.note("draw", (True, f"{line['deck']}, {line['source']}"))

    def _refill(self, line: Line) -> None:
        self.note("refill", (True, line["deck"]))

    def _discard(self, line: Line) -> None:
        late = self.header["rules"]["hand_limit_check"] == "turn_end"
        self.note("discard", (True, line["deck"]), (late, "turn end"))

    def _sell(self, line: Line) -> None:
        partners = self._partners(line["player"], line["buyer"])
        split = self.header["rules"]["sale_price_rule"] == "split" and line["to"] == "player" and not partners
        cases = [
            (True, line["to"]),
            (line["pup"], "pup"),
            (line["bonus_coins"] > 0, "rewarded"),
            (split, "split"),
        ]
        cases += [
            (line["reputation"] > 0, "reputation"),
            (partners, "partner"),
            (line["dog"] in self.winners, "won before"),
        ]
        self.note("sell", *cases)
        if line["forced"]:
            self.note("forced", (True, line["to"]), (line["pup"], "pup"))
            self.parted = True

    def _gift(self, line: Line) -> None:
        partner = self._partners(line["player"], line["recipient"])
        self.note("forced", (True, "gift"), (partner, "gift to partner"))
        self.parted = True

    def _release(self, _line: Line) -> None:
        self.note("forced", (True, "release"))
        self.parted = True

    def _refuse(self, line: Line) -> None:
        at_birth = self.before["event"] == "birth" and line["deal"] == "stud"
        cases = [(True, line["deal"]), (line["after"] > 0, "later dog")]
        self.note(
            "refuse", *cases, (line["deal"] == "sale" and line["n"] == 0, "forced"), (at_birth, "free mating")
        )

    # ---------------------------------------------------------------- events, upkeep, bonus actions

    def _enter(self, line: Line) -> None:
        helpers = [entry["preparer"] for entry in line["entries"]]
        own = line["player"]
        hired = any(entry["prep_fee"] for entry in line["entries"])
        cases = [(len(helpers) > 1, "several dogs"), (own in helpers, "own help"), (hired, "hired")]
        partner = any(self._partners(own, helper) for helper in helpers)
        self.note("enter", *cases, (partner, "partner's help"), (None in helpers, "nobody's help"))

    def _compete(self, line: Line) -> None:
        rerolls = line["rerolls"]
        cases = [(True, line["card_to"]), (bool(line["entries"]) and not line["winner"], "nobody qualified")]
        cases += [
            (bool(rerolls), "tie"),
            (len(rerolls) > 1, "tied twice"),
            (bool(rerolls) and len(rerolls[0]) > 2, "three tied"),
        ]
        self.note("compete", *cases)
        if line["winner"]:
            self.winners.add(line["winner"]["dog"])

    def _turn_start(self, _line: Line) -> None:
        self.parted, self.earned, self.taken = False, 0, 0

    def _upkeep(self, line: Line) -> None:
        cases = [(line["paid"] > 0, "paid"), (line["waived"] > 0, "waived")]
        self.note("upkeep", *cases, (self.parted, "settled by parting"))
        if self.taken < self.earned:
            self.found.append("bonus: declined")

    def _bonus_action(self, line: Line) -> None:
        self.note("bonus", (True, line["kind"]), (line["breed"] is not None, "tied to a breed"))
        self.earned = line["count"]

    def _result(self, line: Line) -> None:
        reason, solo = line["reason"], self.header["mode"] == "solo"
        by_target = reason == "target" and self.header["rules"]["end_check"] == "immediate"
        sale, contest = self.before["event"] == "sell", self.before["event"] == "round_end"
        cases = [(True, reason), (any(0 < share < 1 for share in line["win_shares"]), "shared")]
        cases += [
            (by_target and sale, "at once by a sale"),
            (by_target and contest, "at once by the contest"),
        ]
        cases += [
            (solo and line["win_shares"] == [1], "solo success"),
            (solo and line["win_shares"] == [0], "solo failure"),
        ]
        self.note("end", *cases)
