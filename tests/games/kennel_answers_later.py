"""What the kernels answer to the test vectors of 7.4 to 7.8: entering, upkeep, contests, the end, decks, codes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

from balance.engine import playout
from balance.engine.plain import plain_kernel
from balance.engine.playing import bindings
from balance.game import SHARE_UNIT
from balance.games.kennelmester import GAME, bargain, breeding, contest, entering, layout, traits, turns
from balance.games.kennelmester.deck import TRAITS
from balance.games.kennelmester.deck_files import placeholder_deck
from balance.games.kennelmester.layout import ENTER, ENTER_MORE, FREE, GIFT, PUP, REASONS, SELL_CUSTOMER
from balance.games.kennelmester.steps import code_of

from .kennel_answers import ALONE, DUO, PAIRS, Given, rules_in
from .kennel_log import options_at
from .kennel_scenes import Scene, deck_of, dog, event, kernel_of

# ---------------------------------------------------------------- 7.4 entering, upkeep


def entrants(cost: int, dogs: int = 3) -> Scene:
    """A show, and dogs of player 0."""
    deck = deck_of([dog(f"dog_{at}") for at in range(dogs)], events=[event("show", cost=cost)])
    scene = Scene(DUO, {"start_coins": 20, "hire_deal": "auto"}, deck).deal()
    for at in range(dogs):
        scene.keep(0, f"dog_{at}")
    return scene.begin()


def answer_entry_cost(given: Given) -> Given:
    scene = entrants(given["cost"], given["dogs"])
    preparer = 1 if given["preparer"] == "opponent" else 0
    scene.act(ENTER, "dog_0", preparer)
    for at in range(1, given["dogs"]):
        scene.act(ENTER_MORE, f"dog_{at}", preparer)
    line = scene.last("enter")
    paid = 20 - line["coins"]
    helper = scene.state.coins[1] - 20
    assert paid == sum(entry["entry_cost"] + entry["prep_fee"] for entry in line["entries"])
    return {"paid": paid, "to_bank": paid - helper, "to_helper": helper}


def answer_may_prepare(given: Given) -> Given:
    """Player 1 has prepared a dog of his own or of another in this round; then somebody wants his help."""
    allowed = []
    for history, wants in zip(given["history"], given["wants"], strict=True):
        scene = entrants(1)
        scene.state.prepared = 2 if history == "self" else 0
        scene.state.helped = 2 if history == "other" else 0
        if wants == "self":
            scene.state.acting = 1
        allowed.append(bool(scene.call(entering.preparers) >> 1 & 1))
    return {"allowed": allowed}


def rolled(events: list[Any], dogs: dict[str, Given], faces: list[int], **rules: int) -> Given:
    """A contest of these dogs of player 0, in this order; dice show these faces."""
    deck = deck_of([dog(name, **one["total"]) for name, one in dogs.items()], events=events)
    scene = Scene(DUO, rules, deck).deal()
    for name, one in dogs.items():
        scene.keep(0, name, prepared_dog=int(one.get("prepared", 0)))
        scene.state.entered[scene.state.n_entered] = scene.cards[name]
        scene.state.n_entered += 1
    scene.faces = list(faces)
    scene.state.event = 0
    scene.call(contest.compete, scene.rng)
    return scene.last("compete")


def answer_dice(given: Given) -> Given:
    line = rolled(
        [event("show", traits=given["event_traits"])],
        {"dog": {"total": given["total"], "prepared": given["prepared"]}},
        [1] * 20,
    )
    [entry] = line["entries"]
    assert len(entry["dice"]) == entry["base"] + entry["traits"] + entry["prep"]
    return {
        "base": entry["base"],
        "traits": entry["traits"],
        "prep": entry["prep"],
        "dice": len(entry["dice"]),
    }


def owner_of(adults: int, pups: int, coins: int, rules: Given) -> Scene:
    """Player 0 with so many dogs and coins at the end of his turn; one customer in hand."""
    names = [f"dog_{at}" for at in range(adults + pups)]
    dogs = [dog(name, price=4 if at < adults else 5) for at, name in enumerate(names)]
    scene = Scene(DUO, {"start_coins": 0, "sale_deal": "off", **rules}, deck_of([*dogs, dog("x")])).deal()
    for at, name in enumerate(names):
        scene.keep(0, name, FREE if at < adults else PUP, since=0 if at < adults else 1)
    scene.hold(0, "cu_any")
    scene.begin()
    scene.state.coins[0] = coins
    scene.state.part = layout.UPKEEP
    scene.state.decision = layout.GO_ON
    scene.call(turns.close_turn, scene.rng)
    return scene


def answer_upkeep(given: Given) -> Given:
    due = []
    for adults, pups in zip(given["adults"], given["pups"], strict=True):
        scene = owner_of(adults, pups, 99, rules_in(given))
        due.append(scene.last("upkeep")["due"])
    return {"due": due}


def answer_forced(given: Given) -> Given:
    what = [step["what"] for step in given["steps"]]
    scene = owner_of(given["adults"], 1 if "sell_pup" in what else 0, given["coins"], {})
    if not what:
        state = scene.state
        assert state.decision == layout.D7_DISPOSE
        for at in range(given["adults"]):
            state.entered_round[scene.cards[f"dog_{at}"]] = 1
        scene.call(turns.close_turn, scene.rng)
    for step in what:
        if step == "gift":
            scene.act(GIFT, "dog_0", 1)
        else:
            scene.act(SELL_CUSTOMER, "dog_0" if step == "sell_adult" else f"dog_{given['adults']}", "cu_any")
    line = scene.last("upkeep")
    return {
        "adults": line["dogs"],
        "due": line["due"],
        "paid": line["paid"],
        "coins": line["coins"],
        "waived": line["waived"],
    }


# ---------------------------------------------------------------- 7.5 the contest


def answer_contest(given: Given) -> Given:
    dogs = {name: {"total": {"speed": len(faces) - 1}} for name, faces in given["dice"].items()}
    faces = [face for listed in given["dice"].values() for face in listed]
    faces += [face for again in given["rerolls"] for face in again.values()]
    card = event("show", required=given["required"], target=given["target"])
    line = rolled([card], dogs, faces)
    assert [{one["dog"]: one["die"] for one in again} for again in line["rerolls"]] == given["rerolls"]
    entries = {entry["dog"]: entry for entry in line["entries"]}
    return {
        "successes": {name: entry["successes"] for name, entry in entries.items()},
        "qualified": [name for name, entry in entries.items() if entry["qualified"]],
        "result": {name: entry["result"] for name, entry in entries.items()},
        "winner": line["winner"]["dog"] if line["winner"] else "",
    }


def answer_event_card(given: Given) -> Given:
    found = []
    names = [*given["deck"], given["card"]]
    sizes = {"solo": ALONE, "competitive": DUO, "team": PAIRS}
    for won, mode in zip(given["won"], given["mode"], strict=True):
        deck = deck_of([dog("dog")], events=[event(name, target=2) for name in names])
        scene = Scene(sizes[mode], {}, deck).deal()
        state = scene.state
        for at in range(len(given["deck"])):
            state.event_deck[state.event_at + at] = at
        state.event = len(given["deck"])
        if won:
            state.entered[0], state.n_entered = scene.keep(0, "dog"), 1
            scene.faces = [6]
        scene.call(contest.compete, scene.rng)
        left = range(state.events_left)
        found.append([names[state.event_deck[(state.event_at + at) & layout.EVENT_MASK]] for at in left])
    return {"deck": found}


def outcomes(dice: int, required: int, target: int) -> Counter[int]:
    """How often each result comes among all throws of so many dice, worked out by the kernel that rolls."""
    card = event("show", required=required, target=target)
    scene = Scene(DUO, {"base_dice": dice}, deck_of([dog("dog")], events=[card])).deal()
    scene.state.entered[0] = scene.keep(0, "dog")
    found: Counter[int] = Counter()
    for faces in combinations_with_replacement(range(1, 7), dice):
        scene.faces, scene.state.n_entered, scene.state.event = list(faces), 1, 0
        scene.call(contest.compete, scene.rng)
        ways = factorial(dice) // prod(factorial(faces.count(face)) for face in set(faces))
        found[scene.last("compete")["entries"][0]["result"]] += ways
    return found


def answer_qualify_prob(given: Given) -> Given:
    found = []
    for dice, required, target in given["cases"]:
        results = outcomes(dice, required, target)
        found.append(str(Fraction(sum(results.values()) - results[0], 6**dice)))
    return {"p": found}


def answer_mean_result(given: Given) -> Given:
    found = []
    for dice, required, target in given["cases"]:
        results = outcomes(dice, required, target)
        found.append(str(Fraction(sum(value * ways for value, ways in results.items()), 6**dice)))
    return {"mean": found}


def answer_duel_prob(given: Given) -> Given:
    """Both roll; equal results are rolled again, which either wins as often as the other."""
    one, other = (outcomes(given[name], given["required"], given["target"]) for name in "ab")
    chances = {"a_wins": Fraction(0), "b_wins": Fraction(0), "nobody": Fraction(0)}
    for (a, ways_a), (b, ways_b) in product(one.items(), other.items()):
        chance = Fraction(ways_a * ways_b, 6 ** (given["a"] + given["b"]))
        if a == b:
            for name in ("a_wins", "b_wins") if a else ("nobody",):
                chances[name] += chance / (2 if a else 1)
        else:
            chances["a_wins" if a > b else "b_wins"] += chance
    return {name: str(chance) for name, chance in chances.items()}


# ---------------------------------------------------------------- 7.6 the end


def answer_end(given: Given) -> Given:
    players = {"solo": 1, "competitive": 2, "team": 4}[given["mode"]]
    scene = Scene((players, given["mode"]), rules_in(given)).deal()
    found = []
    rows = zip(given["side_reputation"], given["events_left"], given["round"], strict=True)
    for sides, scene.state.events_left, number in rows:
        scene.state.round_number = number - 1
        for seat in range(players):
            part = sides[seat % len(sides)]
            scene.state.reputation[seat] = (
                part if players == len(sides) else part // 2 + part % 2 * (seat < 2)
            )
        found.append(REASONS[scene.call(turns.reason_to_end)])
    return {"reason": found}


def answer_ranking(given: Given) -> Given:
    scene = Scene((len(given["coins"]), "competitive"), rules_in(given)).deal()
    for seat, (points, coins) in enumerate(zip(given["side_reputation"], given["coins"], strict=True)):
        scene.state.reputation[seat], scene.state.coins[seat] = points, coins
    scene.state.over = 1
    ranking: dict[tuple[int, int], int] = {}
    rank_seats = plain_kernel(playout.rank_seats, bindings(GAME, GAME.policies))
    rank_seats(scene.state, scene.params, ranking)
    seats = range(len(given["coins"]))
    return {
        "ranks": [ranking[1, seat] for seat in seats],
        "win_shares": [ranking[2, seat] / SHARE_UNIT for seat in seats],
    }


def answer_solo_success(given: Given) -> Given:
    found = []
    for reputation in given["reputation"]:
        scene = Scene(ALONE).deal()
        scene.state.reputation[0] = reputation
        scene.state.round_number = 23
        scene.call(turns.end_round, scene.rng)
        line = scene.finished()[-1]
        assert line["win_shares"] == [float(line["target_reached"][0])]
        found.append(line["target_reached"][0])
    return {"success": found}


# ---------------------------------------------------------------- 7.7 the deck that is shipped


def answer_deck_counts(_given: Given) -> Given:
    deck = placeholder_deck()
    return {
        "characters": len(deck.characters),
        "dogs": len(deck.dogs),
        "breeds": len(deck.breeds),
        "males": sum(one.sex == "male" for one in deck.dogs),
        "customers": len(deck.customers),
        "events": len(deck.events),
        "reputation_total": sum(one.reputation for one in deck.events),
        "cost_total": sum(one.cost for one in deck.events),
        "mean_price": str(Fraction(sum(one.price for one in deck.dogs), len(deck.dogs))),
    }


def answer_deck_exposure(_given: Given) -> Given:
    events = placeholder_deck().events
    return {"events": {name: sum(at in one.traits for one in events) for at, name in enumerate(TRAITS)}}


def official() -> Scene:
    """The shipped deck."""
    return Scene(ALONE, {}, placeholder_deck())


def answer_deck_inheritance(_given: Given) -> Given:
    scene, sums = official(), Counter[int]()
    dogs = scene.rules.deck.dogs
    for (one, mother), (other, father) in product(enumerate(dogs), repeat=2):
        if mother.breed == father.breed and (mother.sex, father.sex) == ("female", "male"):
            inherited = scene.call(breeding.inheritance, one, other)
            sums[int(traits.all_dice(inherited))] += 1
    return {"pairs": [sums[dice] for dice in range(4)]}


def answer_deck_customers(_given: Given) -> Given:
    scene = official()
    deck = scene.rules.deck
    accepts = kernel_of(bargain.accepts)
    numbers = {
        sum(int(accepts(scene.params, one, other)) for one in range(len(deck.customers)))
        for other in range(len(deck.dogs))
    }
    [number] = numbers
    return {"accepting_each_dog": number}


def answer_encode(given: Given) -> Given:
    return {"codes": [code_of(getattr(layout, kind), a, b) for kind, a, b in given["actions"]]}


def answer_options(given: Given) -> Given:
    decision, codes = options_at(given["line"])
    assert f"D-{decision}" == given["point"]
    return {"codes": codes}
