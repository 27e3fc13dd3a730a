"""What to do about each kind of violation."""

from __future__ import annotations

ADVICE = {
    "names": "Choose another name: small letters, digits and underscores, each name once and none that is taken.",
    "texts": "Write the text; people read it in lists, tables and on the page.",
    "metadata": "Correct this entry of the Game.",
    "bounds": "Set Bounds to the most that any allowed rules lead to.",
    "measures": "Let the kernel `measure` write it in every game, or take the measure out of the Game.",
    "items": "Name each item of a counter once; their places are the first index of the measure in its row.",
    "modes": "Let the field mode of Params and Game.modes agree; who play together have one score and one tiebreak.",
    "decks": "Give the Game read_deck= and a deck of plain dataclasses, which can be written as JSON.",
    "types of players": "Give each policy an id of its own; people name it on the command line.",
    "official rules": "Change the defaults, in the fields or by for_players, or the numbers of players.",
    "fields": "Write the name as it is declared: rules in Params, fields in state_dtype(), measures and weights.",
    "turns": "Add 1 to state.turns in apply_action for each turn that is played.",
    "policies": "Let the policy call legal_actions and return one of the codes, and change nothing in the state.",
    "parameters": "Let a kernel or a table use the parameter so that it matters, or take it out.",
    "state": "Begin the state with state_dtype(), of integers only; only apply_action may change it.",
    "kernels": "Mark the function @kernel, with the arguments of its kind, and use only what kernels may.",
    "tables": "Let `tables` return integer arrays of the same names and shapes for all rules.",
    "seat": "Set state.seat to a seat of this game before each decision.",
    "random numbers": "Call aim() before each draw: round, turn and step within their bounds, no address twice.",
    "legal actions": "List at least two codes, ascending and from 0, and no more than Bounds.actions.",
    "functions": "Let this function of the game return what is said here, for all rules that are allowed.",
    "runs": "Look at the function and the line that are named; a field of the state may be too short for these rules.",
    "repeatable": "Keep nothing outside of the state; take chance only from aim, below and draw.",
    "moments": "Let round and turn only grow: noise is drawn by them, and would repeat.",
    "ends": "Let every game come to state.over = 1, or raise Bounds.plies if games may be longer.",
    "bans": "Return from `concerns` a bit for each name, in their order, and let it change nothing.",
    "honesty": "Let the policy use only what its seat can see, or let determinize keep what everybody can see.",
    "determinize": "Redeal only what the seat cannot see, so that options and the rest of the state stay as they are.",
    "compiled": "Use in kernels only what compiles and gives the same in plain Python: integers that fit their fields.",
    "traces": "Let the tracer tell at least one event, and narrate at least one line of text.",
    "copies": "Keep nothing outside of the state, which is copied to look ahead.",
    "leftovers": "Fill what you read: memory holds what the decision or the game before has left.",
}
"""For each rule of the kit one sentence."""
