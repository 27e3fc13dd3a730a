"""Every test vector of the contract against the kernels, on states put up by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from balance.engine import playout
from balance.engine.plain import blank, copied, plain_kernel, plain_params
from balance.engine.playing import bindings
from balance.game import SHARE_UNIT
from balance.games.animalia import GAME, layout, medals
from balance.games.animalia.layout import (
    COVER,
    GIVE,
    HOLD_BACK,
    KEEP,
    PASS,
    PUT_NEXT,
    STEAL,
    STOP,
    UNDER_DECK,
    USE,
)
from balance.games.animalia.params import FAMILIES, MEMBERS, THIEF, TRICKSTER, AnimaliaParams, kind_of
from balance.games.animalia.trace import NAMES, POWERS

from .scenes import Scene, place_of

PATH = Path(__file__).resolve().parents[1] / "vectors" / "animalia.toml"
VECTORS = tomllib.loads(PATH.read_text(encoding="utf-8"))["vector"]
Given = dict[str, Any]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['id']}-{vector['kind']}")
def test_vector(vector: dict[str, Any]) -> None:
    given, expect = vector["given"], dict(vector["expect"])
    params = AnimaliaParams.resolve(given.get("players", 4), vector.get("rules"))
    said = ANSWERS[vector["kind"]](params, given)
    if vector["kind"] == "final":
        assert said.pop("win_shares") == pytest.approx(expect.pop("win_shares"), abs=1e-6)
    for name in ("options", "before", "after"):
        if name in expect:
            assert sorted(said.pop(name)) == sorted(expect.pop(name))
    assert said == expect


def test_all_vectors_are_there() -> None:
    assert [vector["id"] for vector in VECTORS] == [f"B{k:02}" for k in range(1, 17)] + [
        f"E{k:02}" for k in range(1, 91)
    ]
    assert {vector["kind"] for vector in VECTORS} == set(ANSWERS)


# ---------------------------------------------------------------- cards to fill places with


def cards(params: AnimaliaParams, powers: bool) -> Iterator[str]:
    """Cards in play with a power, or without one."""
    return (NAMES[card] for card in params.cards_in_play() if (THIEF <= kind_of(card) <= TRICKSTER) == powers)


# ---------------------------------------------------------------- offers


def pass_to(given: Given, params: AnimaliaParams, dealer: int) -> Scene:
    """Player 0 has the open places given, the others all open; the set is passed until it is due to him."""
    plain_cards = cards(params, powers=False)
    own = [[next(plain_cards) for _ in range(params.collection_size - places)] for places in given["open"]]
    scene = Scene(params, [own], deck=list(plain_cards), dealer=dealer)
    scene.go_on(layout.TURN)
    while scene.state.set_size < given["set_size"] or scene.state.seat != dealer:
        scene.act(PASS)
    return scene


def answer_offer(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    last = params.players - 1
    if given["moment"] == "reveal":
        return free_choice(pass_to(given, params, dealer=0))
    scene = pass_to(given, params, dealer=last if given["moment"] == "offered" else 0)
    events = len(scene.events)
    scene.act(PASS)
    if given["moment"] == "offered":
        if any(event == {"event": "pass", "player": 0, "forced": True} for event in scene.events[events:]):
            return {"take_into": [], "may_pass": True, "must_draw": False, "forced": False}
        assert scene.state.seat == 0
        return free_choice(scene)
    while scene.state.seat != 0 and scene.state.decision == layout.D2_OTHER:
        scene.act(PASS)
    return returned(scene, scene.events[events:])


def free_choice(scene: Scene) -> dict[str, Any]:
    """D-1, D-2: what the list of options says."""
    options = scene.options()
    into = [code - KEEP for code in options if code != PASS]
    return {"take_into": into, "may_pass": PASS in options, "must_draw": False, "forced": False}


def returned(scene: Scene, events: list[dict[str, Any]]) -> dict[str, Any]:
    """What happens, or must be chosen, when the set is back with the dealer."""
    into = [code - KEEP for code in scene.options()]
    if scene.state.decision == layout.D3_FORCED:
        scene.act(KEEP + into[0])
    elif any(event["event"] == "take" for event in events):
        into = [event["collection"] for event in events if event["event"] == "take"]
    else:
        assert events[-1]["event"] == "reveal"
        return {"take_into": [], "may_pass": False, "must_draw": True, "forced": False}
    take = next(event for event in scene.events if event["event"] == "take")
    assert (take["player"], take["forced"]) == (0, True)
    return {
        "take_into": into,
        "may_pass": False,
        "must_draw": False,
        "forced": True,
        "reason": take["reason"],
    }


def answer_alone(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    plain_cards, powers = cards(params, powers=False), cards(params, powers=True)
    own = [[next(plain_cards) for _ in range(size)] for size in given["sizes"]]
    others = [[[next(powers) for _ in range(params.collection_size)]] for _ in range(params.players - 1)]
    scene = Scene(params, [own, *others], deck=list(plain_cards), halt="award_bonus_cards")
    scene.go_on(layout.TURN)
    assert scene.open_players() == []
    takes = [event for event in scene.events if event["event"] == "take"]
    assert all(take["reason"] == "alone" for take in takes)
    return {"draws": len(takes)}


# ---------------------------------------------------------------- elegance and bonus cards


def answer_elegance(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    scene = Scene(params, [[given["collection"]]])
    return {"points": scene.call("elegance_of", 0, 0)}


def answer_awards(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    deck = [NAMES[card] for card in params.cards_in_play()][: given["deck_left"]]
    scene = Scene(params, deck=deck, dealer=given["last_dealer"])
    for seat, own in enumerate(given["points"]):
        for which, points in enumerate(own):
            scene.state.word[2 * seat + which] = points << layout.STARS_AT
    scene.call("award_bonus_cards")
    elegance = scene.events[0]
    assert elegance["points"] == given["points"]
    draws = [
        [draw["player"], -1 if draw["collection"] is None else draw["collection"], len(draw["cards"])]
        for draw in elegance["draws"]
    ]
    return {"draws": draws, "got": [len(scene.hand(seat)) for seat in range(params.players)]}


# ---------------------------------------------------------------- covers and medals


def outcomes(scene: Scene) -> list[list[int]]:
    """Player 0's medals by the reading of his owl, without those that another equals or beats everywhere."""
    found = []
    before = scene.state
    for family in range(scene.rules.families):
        scene.state = copied(before)
        scene.state.owl_family[0] = family
        scene.call("award_medals")
        found.append(
            tuple(medals.medals_of(scene.state.medals[0], earned) for earned in range(scene.rules.families))
        )
    scene.state = before
    beaten = [
        one
        for one in found
        for other in found
        if one != other and all(a <= b for a, b in zip(one, other, strict=True))
    ]
    return [list(one) for one in set(found) - set(beaten)]


def phase_3(params: AnimaliaParams, own: list[list[str]], held: list[str]) -> Scene:
    scene = Scene(params, [own], held=[held], halt="end_season")
    scene.call("start_phase_3")
    return scene


def cover(scene: Scene, covers: list[list[str]], until: str = "") -> None:
    """Player 0 goes through his bonus cards; [covered, bonus] each, the others are held back."""
    planned = {bonus: covered for covered, bonus in covers}
    scene.go_on(layout.COVERS)
    while scene.state.decision == layout.D8_COVER:
        bonus = scene.hand(0)[scene.state.hand_at]
        if bonus == until:
            return
        own = scene.collections()[0]
        which = next((at for at, held in enumerate(own) if planned.get(bonus) in held), 0)
        scene.act(COVER + 8 * which + place_of(own[which], planned[bonus]) if bonus in planned else HOLD_BACK)


def answer_medals(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    return {"options": outcomes(phase_3(params, [given["collection"]], []))}


def answer_cover(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    scene = phase_3(params, [given["collection"]], given["bonus"])
    before = outcomes(scene)
    cover(scene, given["covers"])
    traced = [[event["covered"], event["bonus"]] for event in scene.events if event["event"] == "cover"]
    assert sorted(traced) == sorted(given["covers"])
    return {"before": before, "after": outcomes(scene), "kept": scene.hand(0)}


# ---------------------------------------------------------------- the end


def answer_final(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    seats = range(params.players)
    state, record = blank(GAME.state_dtype), plain_params(GAME, params)
    for seat, own in enumerate(given["medals"]):
        for family, number in enumerate(own):
            state.medals[seat] |= number << (layout.LANE_BITS * family)
    ranking: dict[tuple[int, int], int] = {}
    plain_kernel(playout.rank_seats, bindings(GAME, GAME.policies))(state, record, ranking)
    excellence, largest = plain_kernel(medals.excellence), plain_kernel(medals.largest_family)
    return {
        "excellence": [excellence(state, record, seat) for seat in seats],
        "scores": [ranking[0, seat] for seat in seats],
        "largest_family": [largest(state, seat) for seat in seats],
        "ranks": [ranking[1, seat] for seat in seats],
        "win_shares": [ranking[2, seat] / SHARE_UNIT for seat in seats],
    }


# ---------------------------------------------------------------- powers


def answer_activation(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    """Player 0 keeps the set that was turned up for him."""
    scene = Scene(params, [[given["before"]]], deck=given["taken"])
    scene.go_on(layout.TURN)
    while scene.state.set_size < len(given["taken"]) or scene.state.seat != 0:
        scene.act(PASS)
    scene.call("take", 0, 0, layout.BY_CHOICE)
    return {"activated": [POWERS[scene.state.pending[i]] for i in range(scene.state.pending_count)]}


def answer_power(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    """The steps with details are chosen one by one, then the taker stops; the next turn is not begun."""
    scene = Scene(params, given["collections"], given["deck"], dealer=given["dealer"], halt="start_turn")
    scene.state.returns = given["returns"]
    scene.activate(given["actor"], given["activated"])
    for step in given["steps"]:
        if len(step) > 1:
            use(scene, given["actor"], step)
    if scene.state.decision == layout.D4_POWERS:
        scene.act(STOP)
    powers = [event for event in scene.events if event["event"] == "power"]
    assert [event["kind"] for event in powers] == [step["kind"] for step in given["steps"]]
    said = {
        "used": [event["used"] for event in powers],
        "reason": [event["reason"] for event in powers],
        "collections": scene.collections(),
        "deck": scene.deck(),
        "open_players": scene.open_players(),
    }
    return {**said, **next_turn(scene)}


def use(scene: Scene, actor: list[int], step: dict[str, Any]) -> None:
    """One power from D-4 to its end; what leaves no choice is not chosen."""
    scene.act(USE + POWERS.index(step["kind"]))
    if scene.state.decision == layout.D5_THIEF:
        victim, which = step["victim"], step["victim_collection"]
        place = place_of(scene.collection(victim, which), step["card"])
        scene.act(STEAL + 16 * victim + 8 * which + place)
    elif scene.state.decision == layout.D6_TRICKSTER:
        place = place_of(scene.collection(*actor), step["card"])
        to = step.get("recipient")
        scene.act(
            UNDER_DECK + place if to is None else GIVE + 16 * to + 8 * step["recipient_collection"] + place
        )
    elif scene.state.decision == layout.D7_SPY:
        seen = scene.deck()
        for card in step["order"][:-1]:
            scene.act(PUT_NEXT + seen.index(card))


def next_turn(scene: Scene) -> dict[str, Any]:
    """Begin the next turn on a copy: who deals, and whether he is alone."""
    scene.state, scene.halt = copied(scene.state), ""
    scene.call("start_turn")
    over = scene.state.phase == layout.ELEGANCE
    return {"next_dealer": -1 if over else scene.state.dealer, "alone": not over and bool(scene.state.alone)}


# ---------------------------------------------------------------- seasons


def answer_season(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    """The season before ends; in the new one everybody passes what he may pass."""
    ids = [NAMES[card] for card in params.cards_in_play()]
    spare = iter(ids)
    held = [[next(spare) for _ in range(number)] for number in given["held"]]
    size = params.collection_size
    built = [[[next(spare) for _ in range(size)] for _ in range(params.collections_per_player)] for _ in held]
    scene = Scene(params, built, list(spare), held, given["last_dealer"], "award_bonus_cards", shuffled=True)
    scene.state.first_dealer = given.get("first_dealer", given["last_dealer"])
    scene.call("start_phase_3")
    scene.call("end_season", rng=True)
    shuffle = scene.events[-1]
    assert (shuffle["event"], shuffle["held"]) == ("shuffle", held)
    assert sorted(shuffle["deck"] + [card for hand in held for card in hand]) == sorted(ids)
    scene.go_on(layout.TURN)
    while scene.state.decision:
        scene.act(scene.options()[0])
    return {
        "new_dealer": shuffle["dealer"],
        "cards_in_play": len(ids),
        "deck_at_shuffle": len(shuffle["deck"]),
        "deck_after_phase1": scene.state.deck_left,
    }


# ---------------------------------------------------------------- lists of options (5.2, 5.3)


def answer_actions(params: AnimaliaParams, given: Given) -> dict[str, Any]:
    return {"codes": LISTS[given["decision"]](params, given)}


def list_offer(params: AnimaliaParams, given: Given) -> list[int]:
    """D-1 to D-3, by way of the offers."""
    moment = {"D-1": "reveal", "D-2": "offered", "D-3": "returned"}[given["decision"]]
    offer = answer_offer(params, {**given, "moment": moment})
    assert offer["forced"] == (given["decision"] == "D-3")
    return [PASS] * offer["may_pass"] + [KEEP + which for which in offer["take_into"]]


def pending(params: AnimaliaParams, given: Given, kinds: list[str]) -> Scene:
    scene = Scene(params, given["collections"], given.get("deck", ["owl"]), halt="start_turn")
    scene.state.returns = given.get("returns", 0)
    scene.activate(given["actor"], kinds)
    return scene


def list_powers(params: AnimaliaParams, given: Given) -> list[int]:
    return pending(params, given, given["pending"]).options()


def list_targets(params: AnimaliaParams, given: Given) -> list[int]:
    """D-5, D-6: after the power has been named."""
    kind = {"D-5": "thief", "D-6": "trickster"}[given["decision"]]
    scene = pending(params, given, [kind])
    scene.act(USE + POWERS.index(kind))
    return scene.options()


def list_spied(params: AnimaliaParams, given: Given) -> list[int]:
    scene = pending(params, {"collections": [], "deck": given["seen"], "actor": [0, 0]}, ["spy"])
    scene.act(USE + POWERS.index("spy"))
    for card in given["placed"]:
        scene.act(PUT_NEXT + given["seen"].index(card))
    return scene.options()


def list_covers(params: AnimaliaParams, given: Given) -> list[int]:
    scene = phase_3(params, given["collections"], given["bonus"])
    cover(scene, given["covers"], until=given["next"])
    return scene.options()


def list_families(params: AnimaliaParams, _given: Given) -> list[int]:
    own = [f"{FAMILIES[at % params.families]}_{MEMBERS[at]}" for at in range(params.collection_size - 1)]
    scene = phase_3(params, [[*own, "owl"]], [])
    scene.go_on(layout.COVERS)
    assert scene.state.decision == layout.D9_OWL
    return scene.options()


LISTS: dict[str, Callable[[AnimaliaParams, Given], list[int]]] = {
    "D-1": list_offer,
    "D-2": list_offer,
    "D-3": list_offer,
    "D-4": list_powers,
    "D-5": list_targets,
    "D-6": list_targets,
    "D-7": list_spied,
    "D-8": list_covers,
    "D-9": list_families,
}
ANSWERS: dict[str, Callable[[AnimaliaParams, Given], dict[str, Any]]] = {
    "offer": answer_offer,
    "alone": answer_alone,
    "elegance": answer_elegance,
    "awards": answer_awards,
    "medals": answer_medals,
    "cover": answer_cover,
    "final": answer_final,
    "activation": answer_activation,
    "power": answer_power,
    "season": answer_season,
    "actions": answer_actions,
}
