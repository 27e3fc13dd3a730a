"""Lines as wide as a terminal shows them."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from balance.cli.lines import columns, wrapped
from balance.cli.tables import table


def test_columns_stand_in_line_under_wide_names() -> None:
    names = ["犬", "e\u0301", "שלום", "plain", "한국어 ｆｕｌｌ", "犬" * 60]
    lines = list(table([["", "mean"], *([name, "12.5"] for name in names)]))
    assert {cell_len(line) for line in lines if line.endswith(("mean", "12.5"))} == {80}
    assert max(map(cell_len, lines)) <= 80
    assert "".join(lines).count("犬") == 61


@pytest.mark.parametrize(
    "text", ["", "abc 12", "犬と猫", "e\u0301ő", "שלום", "ｆｕｌｌ 한국어", "😀", "a\u200bb"]
)
def test_columns_are_those_of_a_terminal(text: str) -> None:
    assert columns(text) == cell_len(text)


def test_lines_break_between_words_and_never_before_a_percent_sign() -> None:
    text = "so it is 12.5 % or thief-happy  said"
    assert wrapped(text, width=14) == ["so it is", "12.5 % or", "thief-happy", "said"]
    assert wrapped("a " + "b" * 12, "- ", "  ", 8) == ["- a", "  bbbbbb", "  bbbbbb"]
    assert wrapped("") == [""]
    assert wrapped("a\u00a0b c\u3000d", width=5) == ["a\u00a0b", "c\u3000d"]


def test_a_name_from_right_to_left_ends_in_each_line() -> None:
    lines = wrapped("x \u2068אאאא בבבב גגגג\u2069 25.0", "", "  ", 10)
    assert lines == ["x \u2068אאאא\u2069", "  \u2068בבבב\u2069", "  \u2068גגגג\u2069", "  25.0"]
