"""A player of Kennelmester who takes any kind of action and deals by the bargaining model (3.2), for tests."""

from __future__ import annotations

from balance.engine import below, kernel
from balance.game import Policy
from balance.games.kennelmester.bargain import would_buy, would_help, would_lend, would_sell
from balance.games.kennelmester.layout import A_AT, CONSENT, D6_CONSENT, KIND_AT, LOW_12, MATE, SELL_PLAYER
from balance.games.kennelmester.lists import legal_actions


@kernel
def choose_bargaining(state, params, weights, rng, actions):  # noqa: ARG001
    if state.decision == D6_CONSENT:
        return answer(state, params)
    n = legal_actions(state, params, actions)
    kinds = 1
    for i in range(1, n):
        kinds += actions.code[i] >> KIND_AT != actions.code[i - 1] >> KIND_AT
    wanted, first = below(rng, 0, kinds), 0
    while wanted > 0:
        first += 1
        wanted -= actions.code[first] >> KIND_AT != actions.code[first - 1] >> KIND_AT
    last = first
    while last + 1 < n and actions.code[last + 1] >> KIND_AT == actions.code[first] >> KIND_AT:
        last += 1
    code = actions.code[first + below(rng, 1, last - first + 1)]
    if code >> KIND_AT == SELL_PLAYER and not would_sell(state, params, state.seat, code >> A_AT & LOW_12, 5):
        return actions.code[0]
    return code


@kernel
def answer(state, params):
    a, b, kind = state.pending >> A_AT & LOW_12, state.pending & LOW_12, state.pending >> KIND_AT
    if kind == SELL_PLAYER:
        yes = would_buy(state, params, state.seat, a, state.price)
    elif kind == MATE:
        yes = would_lend(state, params, state.seat, b, state.price)
    else:
        yes = would_help(state, params, state.seat)
    return (CONSENT << KIND_AT) | (yes << A_AT)


BARGAINING = Policy("bargaining", "Bargaining", "Deals as the bargaining model says.", choose_bargaining)
