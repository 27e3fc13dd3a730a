from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.errors import BalanceError
from balance.experiment.toml_positions import KeyPath, scan
from balance.experiment.toml_source import parse, read

Write = Callable[..., str]
DIGITS = " A number is digits only, as in 200_000; text goes in quotes."

DOCUMENT = """\
# a comment with [brackets] and seed = 3
title = "a # in a text ] and a [table]"
"odd key" . 'second' = 1

[run] # [seed]
  seed = 7
	games = 1_000
run-time.steps.first = 2

[[variants]]
name = 'a'
rules = { size = 3, deep = { x = [1, { y = 2 }] }, "a.b" = 4 }

  [[variants]]
  name = "b"
  [variants.rules]
  size = 4

[lists]
numbers = [
    1,    # one, ]
    [2, 3],
    { z = \"""
]}\""" , w = '''a'b''c''''' },
]
text = \"""
seed = 9 \\\""" [[variants]]
\"""
last = 2021-01-01 10:00:00
"""


@pytest.mark.parametrize(
    ("key_path", "position"),
    [
        (("title",), (2, 1)),
        (("odd key",), (3, 1)),
        (("odd key", "second"), (3, 13)),
        (("run",), (5, 2)),
        (("run", "seed"), (6, 3)),
        (("run", "games"), (7, 2)),
        (("run", "run-time", "steps", "first"), (8, 16)),
        (("variants",), (10, 3)),
        (("variants", 0), (10, 3)),
        (("variants", 0, "name"), (11, 1)),
        (("variants", 0, "rules"), (12, 1)),
        (("variants", 0, "rules", "size"), (12, 11)),
        (("variants", 0, "rules", "deep", "x"), (12, 30)),
        (("variants", 0, "rules", "deep", "x", 0), (12, 35)),
        (("variants", 0, "rules", "deep", "x", 1), (12, 38)),
        (("variants", 0, "rules", "deep", "x", 1, "y"), (12, 40)),
        (("variants", 0, "rules", "a.b"), (12, 52)),
        (("variants", 1), (14, 5)),
        (("variants", 1, "name"), (15, 3)),
        (("variants", 1, "rules"), (16, 13)),
        (("variants", 1, "rules", "size"), (17, 3)),
        (("lists", "numbers", 0), (21, 5)),
        (("lists", "numbers", 1, 1), (22, 9)),
        (("lists", "numbers", 2, "z"), (23, 7)),
        (("lists", "numbers", 2, "w"), (24, 9)),
        (("lists", "text"), (26, 1)),
        (("lists", "last"), (29, 1)),
    ],
)
def test_each_key_has_a_position(key_path: KeyPath, position: tuple[int, int]) -> None:
    source = parse(DOCUMENT, "e.toml")
    assert source.position(key_path) == position


@pytest.mark.parametrize(
    ("key_path", "position"),
    [
        ((), (1, 1)),
        (("missing",), (1, 1)),
        (("run", "missing"), (5, 2)),
        (("variants", 1, "rules", "missing", 3), (16, 13)),
        (("variants", 7, "rules"), (10, 3)),
    ],
)
def test_what_is_missing_is_placed_at_what_surrounds_it(key_path: KeyPath, position: tuple[int, int]) -> None:
    assert parse(DOCUMENT, "e.toml").position(key_path) == position


def test_a_fault_names_file_line_and_column() -> None:
    source = parse(DOCUMENT, "my folder/e.toml")
    assert source.fault(("run", "seed"), "No.") == "my folder/e.toml:6:3: No."
    assert source.line(6) == "  seed = 7"
    assert source.line(1) == "# a comment with [brackets] and seed = 3"


def test_a_fault_cannot_steer_the_terminal() -> None:
    assert (
        parse("a = 1", "e\n.toml").fault(("a",), "A\x1b[31m\u202eb.")
        == "e\\u000a.toml:1:1: A\\u001b[31m\\u202eb."
    )


def test_bom_and_windows_line_ends_count_for_nothing(write: Write) -> None:
    source = read(write(b"\xef\xbb\xbfa = 1\r\nb = '''x\r\ny'''\r\n\r\nc = [\r\n 3]\r\n"))
    assert source.data == {"a": 1, "b": "x\ny", "c": [3]}
    assert [source.position(path) for path in [("a",), ("b",), ("c",), ("c", 0)]] == [
        (1, 1),
        (2, 1),
        (5, 1),
        (6, 2),
    ]
    assert source.line(5) == "c = ["


def test_an_empty_file_is_an_empty_document(write: Write) -> None:
    source = read(write(""))
    assert source.data == {}
    assert source.position(("game",)) == (1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nb", 'e.toml:2:2: A key must be followed by "=" and a value.'),
        ("a =\nb = 1", "e.toml:1:4: A value is missing here."),
        ("a = # nothing", "e.toml:1:5: A value is missing here."),
        ("a = yes", "e.toml:1:5: yes is not a value of TOML; write true."),
        ("x = 1\n  a = True # so", "e.toml:2:7: True is not a value of TOML; write true."),
        ("a = [off]", "e.toml:1:6: off is not a value of TOML; write false."),
        (
            "a = { b = greedy }",
            "e.toml:1:11: greedy is not a value of TOML; "
            "text goes in straight quotes, a number begins with a digit.",
        ),
        ("a = “x”", 'e.toml:1:5: These quotation marks are not straight ones; write "like this".'),
        (
            "seed = 7\ngames = 200k # many",
            'e.toml:2:12: The line should end before "k # many".' + DIGITS,
        ),
        (
            "a = 1,000",
            'e.toml:1:6: The line should end before ",000".' + DIGITS,
        ),
        (
            "a = 08",
            'e.toml:1:6: The line should end before "8".' + DIGITS,
        ),
        (
            "players = [3, 4\n[run]",
            'e.toml:2:1: A list goes wrong here: "]" is missing, or a comma between two values.',
        ),
        (
            "players = [3 4]",
            'e.toml:1:14: A list goes wrong here: "]" is missing, or a comma between two values.',
        ),
        (
            "r = { a = 1 b = 2 }",
            'e.toml:1:13: A table in braces goes wrong here: "}" is missing, or a comma.',
        ),
        ('a = "x\nb = 1', "e.toml:1:5: This text in quotes is not closed."),
        ('a = "x', "e.toml:1:5: This text in quotes is not closed."),
        ("a = 'x\nb = 1", "e.toml:1:5: This text in quotes is not closed."),
        ("a = 'x", "e.toml:1:5: This text in quotes is not closed."),
        ("a = '''x", "e.toml:1:5: This text in quotes is not closed."),
        ('a = """x', "e.toml:1:5: This text in quotes is not closed."),
        ("= 3", "e.toml:1:1: A key was expected here, such as seed = 7."),
        ("a = 1\n ! b", "e.toml:2:2: A key was expected here, such as seed = 7."),
        ("ö = 3", "e.toml:1:1: A key was expected here, such as seed = 7."),
        ('a = "C:\\games"', "e.toml:1:10: A backslash in double quotes must be doubled: \\\\."),
        ("[run\na = 1", 'e.toml:1:5: The name of a table ends with "]".'),
        ("[[run]\na = 1", 'e.toml:1:6: The name of a table that begins with "[[" ends with "]]".'),
        ("a = 2021-02-31", "e.toml:1:5: This date does not exist."),
        ("seed = 1\n# so\nseed = 2\nb = 1", 'e.toml:3:1: "seed" is written twice; the first time on line 1.'),
        ("[run]\nseed = 1\n[run]\n", 'e.toml:3:2: "run" is written twice; the first time on line 1.'),
        ("r = { a = 1,\ta = 2 }", 'e.toml:1:14: "r.a" is written twice; the first time on line 1.'),
        ("r = { a = 1 }\n[r]\nb = 2", 'e.toml:2:2: "r" is written twice; the first time on line 1.'),
        (
            "[[v]]\nx = 1\n[[v]]\nx = 2\nx = 3",
            'e.toml:5:1: "v.x" is written twice; the first time on line 4.',
        ),
        ("r = { a = 1 }\nr.b = 2", "e.toml:2:8: This was already defined further up."),
        ("a = 1\n[a.b]", "e.toml:2:5: This was already defined further up."),
        ('a = "\x01"', "e.toml:1:6: This is not TOML: Illegal character '\\x01'."),
        (
            "a = 0" + "[" * 3,
            'e.toml:1:6: The line should end before "[[[".' + DIGITS,
        ),
        ("b = 1\na = " + "9" * 5000, "e.toml:2:5: This number has too many digits."),
    ],
)
def test_syntax_errors_are_sentences_at_a_place(write: Write, text: str, message: str) -> None:
    with pytest.raises(BalanceError) as refused:
        read(write(text))
    assert refused.value.message == message


def test_deep_nesting_is_refused(write: Write) -> None:
    with pytest.raises(BalanceError, match=r"^e\.toml: Lists or tables are nested too deeply to be read\.$"):
        read(write("a = " + "[" * 100_000))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"a = 1\r\ntitle = 'k\xc3\xb6ly\xf6k'\r\n",
            "e.toml:2:14: The file is not UTF-8 text (byte 0xf6); save it as UTF-8.",
        ),
        (b"\xef\xbb\xbf\xff", "e.toml:1:1: The file is not UTF-8 text (byte 0xff); save it as UTF-8."),
        ("a = 1".encode("utf-16"), "e.toml:1:1: The file is saved as UTF-16; save it as UTF-8."),
    ],
)
def test_other_encodings_are_refused(write: Write, content: bytes, message: str) -> None:
    with pytest.raises(BalanceError) as refused:
        read(write(content))
    assert refused.value.message == message


def test_a_missing_file_is_named_with_the_nearest(write: Write) -> None:
    write("", "animals.toml")
    write("", "other.toml")
    with pytest.raises(BalanceError) as refused:
        read("animal.toml")
    assert refused.value.message == 'There is no file "animal.toml". Did you mean "animals.toml"?'
    assert refused.value.hint == "Experiment files in that folder: animals.toml, other.toml."


def test_a_missing_file_in_a_folder_without_any(tmp_path: Path) -> None:
    with pytest.raises(BalanceError) as refused:
        read(tmp_path / "x.toml")
    assert (refused.value.message, refused.value.hint) == (f'There is no file "{tmp_path}/x.toml".', "")


def test_a_missing_folder(write: Write) -> None:
    write("")
    with pytest.raises(BalanceError) as refused:
        read("nowhere/e.toml")
    assert refused.value.message == 'There is no file "nowhere/e.toml": its folder does not exist either.'


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.toml").touch()
    with pytest.raises(BalanceError) as refused:
        read(tmp_path)
    assert refused.value.message == f'"{tmp_path}" is a folder, not an experiment file.'
    assert refused.value.hint == "Experiment files in that folder: a.toml."


def test_an_unreadable_file(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    name = write("a = 1")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(BalanceError) as refused:
        read(name)
    assert refused.value.message == '"e.toml" cannot be read: Permission denied.'


# Generated documents: a tree of data is written in one of the many ways TOML has; every value is unique.

_KEYS = st.one_of(
    st.sampled_from(["a", "b", "run", "seed", "1", "-", "true"]),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=4),
    st.sampled_from(["a.b", "a b", "", "[x]", "#", "'", '"', "\\", "=", "{", "}", "]", ","]),
)
_NASTY = st.sampled_from(["]", "}", "#", " = ", "[[a]]", "'", '"', '"""', "\\", ",", "{", "é犬", " "])
_LEAVES = st.one_of(
    st.lists(_NASTY, max_size=4).map("".join), st.just(True), st.floats(allow_nan=False), st.just("date")
)


def _containers(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    tables = st.dictionaries(_KEYS, children, max_size=4)
    return st.one_of(tables, st.lists(children, max_size=3), st.lists(tables, min_size=1, max_size=3))


_TREES = st.dictionaries(_KEYS, st.recursive(_LEAVES, _containers, max_leaves=12), max_size=5)
_BARE = re.compile(r"[A-Za-z0-9_-]+")


class _Writer:
    """Writes a tree as TOML; `draw` decides between the ways to write each part."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.serial = 0
        self.values: dict[KeyPath, str] = {}
        """How the value at each path was written, for values that are no tables with a header."""

    def one_of(self, *choices: str) -> str:
        return str(self.draw(st.sampled_from(choices)))

    def key(self, key: str) -> str:
        quoted = '"' + "".join(c if c.isalnum() else f"\\U{ord(c):08x}" for c in key) + '"'
        forms = [quoted]
        if "'" not in key:
            forms.append(f"'{key}'")
        if _BARE.fullmatch(key):
            forms.append(key)
        return self.one_of(*forms)

    def text(self, text: str) -> str:
        text = f"{self.serial}{text}{self.serial}"
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        forms = [f'"{escaped}"', f'"""{escaped}"""', f'"""\n{escaped} \n]"""', f'"""{escaped}""' + '"""']
        if "'" not in text:
            forms += [f"'{text}'", f"'''\n{text}'''", f"'''{text}\n''" + "'''"]
        return self.one_of(*forms)

    def scalar(self, value: Any) -> str:
        self.serial += 1
        if isinstance(value, str) and value != "date":
            return self.text(value)
        if value == "date":
            return self.one_of(
                f"{1000 + self.serial}-01-01 10:00:00", f"{1000 + self.serial}-02-01", "10:00:00.5"
            )
        return self.one_of(str(self.serial), f"+{self.serial}.5e3", "true", "-inf", f"0x{self.serial:x}")

    def inline(self, path: KeyPath, value: Any) -> str:
        self.values[path] = written = self._inline(path, value)
        return written

    def _inline(self, path: KeyPath, value: Any) -> str:
        if isinstance(value, dict):
            blank = self.one_of("", " ", "\t")
            pairs = (self.pair((*path, key), key, item) for key, item in value.items())
            return "{" + f"{blank},{blank}".join(pairs) + blank + "}"
        if isinstance(value, list):
            gap = self.one_of("", " ", "\n", " # ], }\n", "\n\n\t")
            items = [gap + self.inline((*path, index), item) + gap for index, item in enumerate(value)]
            return "[" + ",".join(items) + (self.one_of("", "," + gap) if items else gap) + "]"
        return self.scalar(value)

    def pair(self, path: KeyPath, key: str, value: Any) -> str:
        """key = value, or a.b = value for a table of one key."""
        if isinstance(value, dict) and len(value) == 1 and self.draw(st.booleans()):
            ((inner, item),) = value.items()
            dot = self.one_of(".", " . ", ".\t")
            return f"{self.key(key)}{dot}{self.pair((*path, inner), inner, item)}"
        return f"{self.key(key)}{self.one_of('=', ' = ', ' =')}{self.inline(path, value)}"

    def table(self, path: KeyPath, header: str, table: dict[str, Any]) -> Iterator[str]:
        later = []
        for key, value in table.items():
            is_list_of_tables = (
                isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)
            )
            if (isinstance(value, dict) or is_list_of_tables) and self.draw(st.booleans()):
                later.append((key, value))
            else:
                yield self.one_of("", "  ", "\t") + self.pair((*path, key), key, value)
        for key, value in later:
            name = f"{header}.{self.key(key)}" if header else self.key(key)
            if isinstance(value, dict):
                yield self.one_of("[{}]", "  [ {} ] # [x]").format(name)
                yield from self.table((*path, key), name, value)
            else:
                for index, item in enumerate(value):
                    yield self.one_of("[[{}]]", "[[ {}\t]]").format(name)
                    yield from self.table((*path, key, index), name, item)


@st.composite
def _documents(draw: Callable[[st.SearchStrategy[Any]], Any]) -> tuple[str, dict[KeyPath, str]]:
    writer = _Writer(draw)
    between = writer.one_of("\n", "\n\n", " # seed = 1\n", '\n# [[x]] "\n')
    return between.join(writer.table((), "", draw(_TREES))) + writer.one_of("", "\n", " # end"), writer.values


def _paths(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _paths(item, (*path, key))


_KEY_TOKEN = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*'""")


@given(_documents())
@settings(max_examples=100, deadline=None)
def test_every_key_of_a_document_is_found_where_it_stands(document: tuple[str, dict[KeyPath, str]]) -> None:
    text, values = document
    data = tomllib.loads(text)
    offsets = scan(text).offsets
    assert set(offsets) == set(_paths(data))
    for path, offset in offsets.items():
        if isinstance(path[-1], str):
            token = _KEY_TOKEN.match(text, offset)
            assert token is not None
            assert list(tomllib.loads(f"{token.group()} = 0")) == [path[-1]]
            if path in values:
                assert re.compile(r"\s*=\s*").sub("", text[token.end() :], count=1).startswith(values[path])
        elif path in values:
            assert text.startswith(values[path], offset)
        else:
            assert text[:offset].rstrip(" \t").endswith("[[") or "." in text[:offset].rpartition("[[")[2]


@given(_documents())
@settings(max_examples=30, deadline=None)
def test_windows_line_ends_move_nothing(document: tuple[str, dict[KeyPath, str]]) -> None:
    text, _ = document
    unix, windows = parse(text, "e.toml"), parse(text.replace("\n", "\r\n"), "e.toml")
    assert windows == unix


@given(_documents(), st.data())
@settings(max_examples=80, deadline=None)
def test_a_damaged_document_is_read_or_refused_at_a_place(
    document: tuple[str, dict[KeyPath, str]], data: st.DataObject
) -> None:
    text, _ = document
    at = data.draw(st.integers(0, len(text)))
    damage = data.draw(
        st.sampled_from(["", "[", "]", "{", "}", '"', "'", "=", "\n", "#", "\\", ".", "a = 1\n", "\x00"])
    )
    damaged = text[:at] + damage + text[at + data.draw(st.integers(0, 3)) :]
    try:
        source = parse(damaged, "e.toml")
    except BalanceError as error:
        place = re.fullmatch(r"e\.toml:([0-9]+):([0-9]+): .*", error.message)
        line, column = (int(number) for number in place.groups()) if place else (0, 0)
        lines = damaged.replace("\r\n", "\n").split("\n")
        inside = 1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1
    else:
        inside = set(source.offsets) == set(_paths(source.data))
    assert inside
