"""What the kernels answer to the test vectors of 7.1 to 7.3: inheritance, litters, turns, trade."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from balance.engine.plain import plain_kernel
from balance.games.kennelmester import GAME, bargain, breeding, kennel, layout, piles, steps, traits, turns
from balance.games.kennelmester.deck_files import placeholder_deck
from balance.games.kennelmester.layout import (
    BIRTH,
    COIN,
    DRAW_DOG,
    ENTER,
    FREE,
    MATE,
    NOBODY,
    NURSING,
    PASS,
    PREGNANT,
    PUP,
    SELL_CUSTOMER,
    SELL_PLAYER,
)
from balance.games.kennelmester.params import sides_of
from balance.games.kennelmester.trace import KINDS
from balance.games.kennelmester.trace_state import vector

from .kennel_scenes import Scene, customer, deck_of, dog, kernel_of, word

Given = dict[str, Any]
DUO, ALONE, PAIRS = (2, "competitive"), (1, "solo"), (4, "team")
PARAMETERS = set(GAME.Params.rule_names())


def rules_in(given: Given) -> Given:
    """The parameters among the numbers of a vector."""
    return {name: value for name, value in given.items() if name in PARAMETERS}


# ---------------------------------------------------------------- 7.1 inheritance


def answer_inherit(given: Given) -> Given:
    rules = rules_in(given)
    scene = Scene(DUO, {**rules, "trait_cap": 60} if rules.get("trait_rule") == "sum" else rules)
    found = kernel_of(traits.inherited_from)(scene.params, word(given["mother"]), word(given["father"]))
    return {"inherited": vector(found)}


def answer_pup_total(given: Given) -> Given:
    scene = Scene(DUO, rules_in(given), deck_of([dog("pup", **given["card"]), dog("other")])).deal()
    pup = scene.keep(0, "pup", PUP, inherited=given["inherited"])
    return {"total": vector(scene.call(traits.total, pup))}


def pair(given: Given, relation: str = "opponent") -> tuple[Scene, Given]:
    """A mating: the female of player 0, the male of an opponent or of a partner; the mating's line."""
    mother, father = given["mother"], given["father"]
    printed = [one.get("card", one) for one in (mother, father)]
    dogs = [dog("mother", "female", **printed[0]), dog("father", **printed[1]), dog("other")]
    size, owner = (PAIRS, 2) if relation == "partner" else (DUO, 1)
    scene = Scene(size, {"start_coins": 60, **rules_in(given)}, deck_of(dogs)).deal()
    scene.keep(0, "mother", inherited=mother.get("inherited", {}) if "card" in mother else {})
    scene.keep(owner, "father", inherited=father.get("inherited", {}) if "card" in father else {})
    scene.begin().act(MATE, "mother", "father")
    return scene, scene.last("mate")


def answer_parents(given: Given) -> Given:
    _, line = pair(given)
    return {"inherited": line["inherited"], "fee": line["fee"]}


def answer_stud_fee(given: Given) -> Given:
    scene, line = pair(given, given["relation"])
    coins = 60 * (2 if given["relation"] == "partner" else 1)
    assert line["coins"] == coins - line["fee"]
    assert scene.state.coins[1] == coins + (line["fee"] if given["relation"] == "opponent" else 0)
    return {"fee": line["fee"]}


def answer_lineage(given: Given) -> Given:
    """Speed over two generations of births."""
    cards = [*given["g0"], *given["g1_cards"], given["g2_card"]]
    sexes = ["female", "male", "female", "male", "female"]
    dogs = [
        dog(f"dog_{at}", sex, speed=dice) for at, (sex, dice) in enumerate(zip(sexes, cards, strict=True))
    ]
    scene = Scene(ALONE, {"start_coins": 9}, deck_of([dogs[0], dogs[1], dogs[4], dogs[3], dogs[2]])).deal()
    scene.keep(0, "dog_0")
    scene.keep(0, "dog_1")
    found = []
    for pair_of, pups, face, start in ((("dog_0", "dog_1"), 2, 4, 1), (("dog_2", "dog_3"), 1, 2, 5)):
        scene.begin(0, start).act(MATE, *pair_of)
        scene.begin(0, start + 1).act(BIRTH, pair_of[0], faces=[face])
        assert len(scene.last("birth")["pups"]) == pups
        scene.begin(0, start + 2)
        found.append(scene.last("birth")["inherited"]["speed"])
    totals = [vector(scene.call(traits.total, scene.cards[f"dog_{at}"]))["speed"] for at in (2, 3, 4)]
    return {
        "g1_inherited": found[0],
        "g1_totals": totals[:2],
        "g2_inherited": found[1],
        "g2_total": totals[2],
    }


# ---------------------------------------------------------------- 7.2 litters and the calendar


def litters(rules: Given) -> list[int]:
    """The pups for each face of the die."""
    scene = Scene(ALONE, rules)
    scene.faces = [1, 2, 3, 4, 5, 6]
    return [int(scene.call(breeding.litter_size, 0, 0, scene.rng)) for _ in range(6)]


def answer_litter(given: Given) -> Given:
    return {"pups": [litters({})[face - 1] for face in given["faces"]]}


def answer_litter_stats(given: Given) -> Given:
    sizes = litters(rules_in(given))
    probs = [Fraction(sizes.count(size), 6) for size in range(max(sizes) + 1)]
    mean = sum(size * chance for size, chance in enumerate(probs))
    return {"probs": [str(chance) for chance in probs], "mean": str(mean)}


def is_idle(scene: Scene, card: int) -> bool:
    return bool(kernel_of(kennel.is_idle)(scene.state, card))


def breeders(rules: Given | None = None, pups: int = 3) -> Scene:
    """A player with a female and a male, and some more dogs in the deck."""
    more = [dog(f"pup_{at}") for at in range(pups)]
    dogs = [dog("mother", "female"), dog("father"), *more]
    scene = Scene(ALONE, {"actions_per_turn": 6, **(rules or {})}, deck_of(dogs)).deal()
    scene.keep(0, "mother")
    scene.keep(0, "father")
    return scene


def first_round(scene: Scene, start: int, holds: Callable[[], bool]) -> int:
    """The first round, from one on, at whose turn something holds."""
    for number in range(start, start + 12):
        scene.begin(0, number)
        if holds():
            return number
    raise AssertionError


def answer_calendar(given: Given) -> Given:
    scene, mated, born = breeders(rules_in(given)), given["mated"], given["born"]
    scene.begin(0, mated).act(MATE, "mother", "father")
    mother, father = scene.cards["mother"], scene.cards["father"]
    male_free = first_round(scene, mated, lambda: is_idle(scene, father))
    earliest = first_round(scene, mated, lambda: scene.may(BIRTH, "mother"))
    scene.begin(0, born).act(BIRTH, "mother", faces=[2])
    [pup] = [scene.cards[name] for name in scene.last("birth")["pups"]]
    adult = first_round(scene, born, lambda: scene.state.place[pup] == FREE)
    assert scene.last("grow_up") == {
        "event": "grow_up",
        "player": 0,
        "pups": [scene.names[pup]],
        "mothers": ["mother"],
    }
    assert scene.state.place[mother] == FREE
    return {"male_free": male_free, "earliest_birth": earliest, "adult": adult, "mother_free": adult}


def answer_after_zero_litter(given: Given) -> Given:
    rounds, costs = [], []
    for retry in given["retry"]:
        scene = breeders({**rules_in(given), "litter_zero_retry": retry})
        scene.begin(0, given["mated"]).act(MATE, "mother", "father")
        if given["born"] > given["mated"]:
            scene.begin(0, given["born"])
        scene.act(BIRTH, "mother", faces=[1, 1] if retry == "reroll" else [1])
        at_once = scene.state.decision == layout.D8_FREE_MATE
        if at_once:
            assert scene.options() == [PASS, scene.code(MATE, "mother", "father")]
        costs.append(not at_once)
        may = scene.may(MATE, "mother", "father")
        assert may == (given["born"] > given["mated"] and retry != "none")
        rounds.append(given["born"] if may else given["born"] + 1)
        if not may:
            scene.begin(0, given["born"] + 1)
            assert scene.may(MATE, "mother", "father")
    return {"next_mating_round": rounds, "costs_action": costs}


def answer_short_deck(given: Given) -> Given:
    names = ["deck", "spent", "discards"]
    scene = breeders({"litter_table": [given["litter"]] * 6}, sum(given[name] for name in names))
    for at in range(given["spent"]):
        scene.state.place[scene.take(f"pup_{at}")] = layout.SPENT
        kernel_of(piles.join_pile)(scene.state, 0)
    scene.begin(0, 3).act(MATE, "mother", "father")
    scene.begin(0, 4).act(BIRTH, "mother", faces=[6])
    mother = scene.state.place[scene.cards["mother"]]
    return {
        "refilled": any(line["event"] == "refill" for line in scene.events),
        "pups": len(scene.last("birth")["pups"]),
        "nursing": mother == NURSING,
    }


def answer_dog_state(given: Given) -> Given:
    names = [f"dog_{at}" for at in range(len(given["dogs"]))]
    deck = deck_of([dog(name, "female") for name in names], [customer("cu")])
    scene = Scene(DUO, {"start_coins": 50}, deck).deal()
    scene.hold(0, "cu")
    for name, one in zip(names, given["dogs"], strict=True):
        stage = PREGNANT if one["pregnant"] else NURSING if one["nursing"] else FREE
        stage = PUP if one["stage"] == "pup" else stage
        since = given["r"] if stage in (PUP, NURSING) else 1 if stage == PREGNANT else 0
        scene.keep(0, name, stage, since=since, used_round=one["used"], entered_round=one["entered"])
    scene.begin(0, given["r"])
    found = {
        "idle": [scene.may(ENTER, name, NOBODY) for name in names],
        "may_leave": [scene.may(SELL_PLAYER, name, 1) for name in names],
        "customer": [scene.may(SELL_CUSTOMER, name, "cu") for name in names],
    }
    assert found["idle"] == [is_idle(scene, scene.cards[name]) for name in names]
    return found


# ---------------------------------------------------------------- 7.3 turns, hands, coins


def answer_bonus(given: Given) -> Given:
    """Actions of these kinds, closed one after the other by the kernel that closes any action."""
    actions, breeds = given["actions"], ["mudi", "puli"]
    deck = deck_of(
        [dog(f"{breed}_{sex}", sex, breed=breed) for breed in breeds for sex in ("male", "female")]
    )
    scene = Scene(DUO, {**rules_in(given), "actions_per_turn": len(actions)}, deck).deal()
    for one in actions:
        breed = breeds.index(one["breed"]) if "breed" in one else layout.NONE
        scene.call(steps.finish, KINDS.index(one["kind"]), breed)
    scene.call(turns.earn_bonus)
    if scene.state.bonus_left == 0:
        return {"earned": False}
    line = scene.last("bonus_action")
    assert line["count"] == scene.state.bonus_left
    tied = {"breed": line["breed"]} if line["breed"] else {}
    return {"earned": True, "kind": line["kind"], **tied}


def answer_hand_limit(given: Given) -> Given:
    scene = Scene(DUO, rules_in(given)).deal()
    for at in range(given["hand"]):
        scene.hold(0, f"any_{at}")
    scene.begin()
    found = []
    for _ in range(given["draws"]):
        scene.act(DRAW_DOG, 0)
        discards = 0
        while scene.state.decision == layout.D5_DISCARD:
            scene.call(GAME.apply_action, scene.options()[0], scene.rng)
            discards += 1
        found.append(discards)
    return {"discards_after_each_draw": found, "hand": scene.state.hand_size[0]}


def answer_turn_order(given: Given) -> Given:
    scene = Scene((given["n_players"], "competitive"), {"actions_per_turn": 1, "bonus_mode": "off"}).deal()
    for _ in range(given["n_players"] * given["round"]):
        scene.call(GAME.apply_action, scene.code(COIN), scene.rng)
    starts = [line["player"] for line in scene.events if line["event"] == "turn_start"]
    return {"order": starts[given["n_players"] * (given["round"] - 1) :][: given["n_players"]]}


def answer_start_coins(given: Given) -> Given:
    sizes = zip(given["players"], given["modes"], strict=True)
    scenes = [Scene(size).deal() for size in sizes]
    return {"coins_per_side": [scene.events[1]["coins"] for scene in scenes]}


def answer_sides(given: Given) -> Given:
    return {"sides": list(sides_of(given["mode"], given["n_players"]))}


def answer_start_dogs(given: Given) -> Given:
    scene, order = Scene((given["n_players"], "competitive"), rules_in(given), placeholder_deck()).deal(), []
    while scene.state.decision == layout.D1_START:
        order.append(scene.state.seat)
        scene.call(GAME.apply_action, scene.options()[0], scene.rng)
    assert [len(player["dogs"]) for player in scene.events[1]["players"]] == [2, 2, 2]
    return {"order": order}


def answer_customer_sale(given: Given) -> Given:
    price, total = given["price"], given["total"]
    deck = deck_of([dog("dog", price=price, **total)], [customer("cu", *given["bonuses"])])
    scene = Scene(ALONE, {"start_coins": 0}, deck).deal()
    scene.keep(0, "dog", wins=given["wins"])
    scene.hold(0, "cu")
    scene.begin().act(SELL_CUSTOMER, "dog", "cu")
    line = scene.last("sell")
    assert line["price"] + line["bonus_coins"] == line["coins"]
    assert scene.state.reputation[0] == line["reputation"]
    return {"coins": line["coins"], "reputation": line["reputation"]}


def answer_bargain(given: Given) -> Given:
    """What the dog is worth to both is agreed; price and consent are the kernels'."""
    scene = Scene(DUO, {"sale_price_rule": given["rule"]}, deck_of([dog("dog", price=given["value"])])).deal()
    worth = {0: given["seller"], 1: given["buyer"]}
    scene.state.coins[1] = given["buyer_coins"]
    card = scene.keep(0, "dog")
    bind = [(bargain.valuation, lambda _state, _params, seat, _dog: round(worth[seat] * 1_000_000))]
    price = plain_kernel(bargain.sale_price, bind)(scene.state, scene.params, 0, 1, card)
    sells = plain_kernel(bargain.would_sell, bind)(scene.state, scene.params, 0, card, price)
    buys = plain_kernel(bargain.would_buy, bind)(scene.state, scene.params, 1, card, price)
    return {"deal": True, "price": price} if sells and buys else {"deal": False}


def answer_valuation(given: Given) -> Given:
    assert given["mate_case"]
    assert not given["fitting_customer_offers"]
    others = [dog("mate", "female")] + [
        dog(f"far_{at}", breed="mudi") for at in range(given["other_adults"] - 1)
    ]
    deck = deck_of([dog("dog", price=given["price"], **given["total"]), *others])
    scene = Scene(DUO, {}, deck).deal()
    card = scene.keep(0, "dog", wins=given["wins"])
    for one in others:
        scene.keep(0, one.id)
    return {"v": scene.call(bargain.valuation, 0, card) / 1_000_000}
