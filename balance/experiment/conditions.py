"""Conditions on the rows of games: a few words of SQL that can say nothing but true or false about each game.

A condition is cut into tokens first, and each must be one of those known here, so nothing else that SQL can do
(read a file, ask another table) can be asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from balance.errors import BalanceError, listed, nearest
from balance.experiment.wording import printable

EXAMPLES = "Conditions are written like score_margin > 15, or score_0 - score_1 > 20 and turns < 50."
WORDS = {"and", "or", "not", "in", "between", "is", "null", "true", "false", "like"}
FUNCTIONS = ("abs", "greatest", "least")
_COMPARISONS = {"<", ">", "=", "==", "<=", ">=", "<>", "!="}
_BETWEEN_COMPARISONS = {"and", "or", "not", ","}
_LONGEST = 2000
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<name>[^\W\d]\w*)
    | "(?P<quoted>[^"]+)"
    | (?P<text>'(?:[^']|'')*')
    | (?P<sign><=|>=|<>|!=|==|-(?!-)|/(?!\*)|[+*%(),<>=])
    )""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A piece of a condition: a number, name (of a column or function), text, sign or word, as written in SQL."""

    kind: str
    sql: str


@dataclass(frozen=True)
class Condition:
    """A condition that was read: the columns and the texts that it names, in order, and the same in SQL."""

    text: str
    columns: tuple[str, ...]
    values: tuple[str, ...]
    sql: str


def condition(text: str, known: Sequence[str]) -> Condition:
    """Read a condition on these columns; BalanceError, in one sentence, for all that is none."""
    if not text.strip():
        raise BalanceError("The condition is empty.", EXAMPLES)
    if len(text) > _LONGEST:
        raise BalanceError(f"The condition is longer than {_LONGEST} characters.")
    tokens = list(_tokens(text))
    _look_at_brackets(text, tokens)
    _look_at_comparisons(text, tokens)
    columns = tuple(dict.fromkeys(_columns(tokens, known)))
    if not columns:
        raise BalanceError(f"{_named(text)} names no column, so it says nothing about a game.", EXAMPLES)
    return Condition(text, columns, tuple(_values(tokens)), " ".join(_guarded(tokens)))


def expression(asked: Condition, schema: Mapping[str, Any]) -> Any:
    """The condition as a polars expression on rows of this schema; BalanceError if it is not true or false."""
    import polars

    try:
        found = polars.sql_expr(f"({asked.sql})")
        kind = polars.DataFrame(schema=schema).select(found.alias("fulfilled"))["fulfilled"].dtype
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException) as error:
        raise BalanceError(f"{_named(asked.text)} {_wrong(str(error))}.", EXAMPLES) from error
    if kind != polars.Boolean:
        raise BalanceError(f"{_named(asked.text)} is not true or false, but a value.", EXAMPLES)
    return found


def unknown_column(name: str, known: Sequence[str]) -> BalanceError:
    """There is no such column; the hint lists those that there are."""
    seats = f' There is one for each seat, such as "{name}_0".' if f"{name}_0" in known else ""
    near = seats or nearest(name.lower(), known)
    return BalanceError(
        f'The rows have no column "{printable(name)}".{near}', f"The columns are: {_by_seat(known)}."
    )


def _by_seat(names: Sequence[str]) -> str:
    """Names of columns, those of the seats as one: 'turns, score_0 to score_3'."""
    seats: dict[str, list[str]] = {}
    for name in names:
        seats.setdefault(re.sub("_[0-9]$", "", name), []).append(name)
    return ", ".join(f"{same[0]} to {max(same)}" if len(same) > 1 else same[0] for same in seats.values())


def _named(text: str) -> str:
    return f'The condition "{printable(text.strip())}"'


def _wrong(said: str) -> str:
    """What polars finds wrong with a condition, as the end of a sentence."""
    if "compare string with numeric" in said:
        return "compares a text with a number"
    if said.startswith(("& on", "| on")) or "bitand" in said or "bitor" in said:
        return "joins by and, or or not what is not true or false"
    return "cannot be read"


def _tokens(text: str) -> Iterator[Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            rest = printable(text[at:end].lstrip())
            raise BalanceError(f'The condition cannot be read from "{rest[:20]}" on.', EXAMPLES)
        at, kind = found.end(), str(found.lastgroup)
        piece = found[kind]
        if kind == "name" and piece.lower() in WORDS:
            yield Token("word", piece.lower())
        else:
            yield Token("name" if kind == "quoted" else kind, piece)


def _look_at_brackets(text: str, tokens: Sequence[Token]) -> None:
    depth = 0
    for token in tokens:
        depth += (token.sql == "(") - (token.sql == ")")
        if depth < 0:
            break
    if depth:
        raise BalanceError(f"{_named(text)} has brackets that do not match.")


def _look_at_comparisons(text: str, tokens: Sequence[Token]) -> None:
    """Refuse 5 < turns < 9, which SQL takes for (5 < turns) < 9."""
    counts = [0]
    for token in tokens:
        if token.sql == "(":
            counts.append(0)
        elif token.sql == ")":
            counts.pop()
        elif token.sql in _BETWEEN_COMPARISONS:
            counts[-1] = 0
        elif token.sql in _COMPARISONS:
            counts[-1] += 1
            if counts[-1] > 1:
                hint = "Write turns > 5 and turns < 9, or turns between 6 and 8."
                raise BalanceError(f"{_named(text)} compares twice without a word between.", hint)


def _columns(tokens: Sequence[Token], known: Sequence[str]) -> Iterator[str]:
    for token, after in zip(tokens, [*tokens[1:], Token("end", "")], strict=True):
        if token.kind == "name" and after.sql == "(":
            if token.sql.lower() not in FUNCTIONS:
                only = f"there are {listed(FUNCTIONS)}"
                raise BalanceError(f'Conditions have no function "{token.sql}"; {only}.')
        elif token.kind == "name" and token.sql not in known:
            raise unknown_column(token.sql, known)
        elif token.kind == "name":
            yield token.sql


def _values(tokens: Sequence[Token]) -> Iterator[str]:
    """The texts that something is to be equal to; patterns may be anything."""
    for before, token in zip([Token("start", ""), *tokens], tokens, strict=False):
        if token.kind == "text" and before.sql != "like":
            yield token.sql[1:-1].replace("''", "'")


def _guarded(tokens: Sequence[Token]) -> Iterator[str]:
    """The tokens as SQL in which a division by zero is null, so that it fulfils no condition."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.sql in ("/", "%") and at + 1 < len(tokens):
            end = _end_of_operand(tokens, at + 1)
            divisor = tokens[at + 1 : end]
            if len(divisor) == 1 and divisor[0].kind == "number" and float(divisor[0].sql) == 0:
                raise BalanceError("The condition divides by zero.")
            yield f"{token.sql} nullif({' '.join(_guarded(divisor))}, 0)"
            at = end
        else:
            is_column = token.kind == "name" and tokens[at + 1 : at + 2] != [Token("sign", "(")]
            yield f'"{token.sql}"' if is_column else token.sql
            at += 1


def _end_of_operand(tokens: Sequence[Token], at: int) -> int:
    """Where what stands at `at` ends: signs, then a number, a column, a function, or all within brackets."""
    while at < len(tokens) and tokens[at].sql in ("+", "-"):
        at += 1
    if at < len(tokens) and tokens[at].kind == "name" and tokens[at + 1 : at + 2] == [Token("sign", "(")]:
        at += 1
    depth = 0
    while at < len(tokens):
        depth += (tokens[at].sql == "(") - (tokens[at].sql == ")")
        at += 1
        if depth <= 0:
            break
    return at
