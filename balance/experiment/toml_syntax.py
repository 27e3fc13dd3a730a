"""What `tomllib` objects to in a text, as a place and a sentence for somebody who does not program."""

from __future__ import annotations

import re
import tomllib

from balance.experiment.toml_positions import scan
from balance.experiment.wording import SWITCHES, shown

_UNCLOSED_TEXT = r"Unterminated string|(?:Illegal|Found invalid) character '\\n'|Expected \"'"
_SENTENCES = (
    (r"Expected '=' after", 'A key must be followed by "=" and a value.'),
    (r"Unclosed array", 'A list goes wrong here: "]" is missing, or a comma between two values.'),
    (r"Unclosed inline table", 'A table in braces goes wrong here: "}" is missing, or a comma.'),
    (_UNCLOSED_TEXT, "This text in quotes is not closed."),
    (r"Invalid initial character|Invalid statement", "A key was expected here, such as seed = 7."),
    (r"Unescaped", r"A backslash in double quotes must be doubled: \\."),
    (r"Expected '\]' at", 'The name of a table ends with "]".'),
    (r"Expected '\]\]' at", 'The name of a table that begins with "[[" ends with "]]".'),
    (r"Invalid date", "This date does not exist."),
    (r"Cannot|Duplicate", "This was already defined further up."),
)


def explain(error: tomllib.TOMLDecodeError, text: str) -> tuple[int, str]:
    """The offset of what is wrong in `text`, and a sentence."""
    message, offset = _message_and_offset(error, text)
    if message == "Invalid value":
        return offset, _no_value(text, offset)
    if message.startswith("Expected newline"):
        rest = text[offset:].partition("\n")[0].strip()
        advice = "A number is digits only, as in 200_000; text goes in quotes."
        return offset, f"The line should end before {shown(rest)}. {advice}"
    if message.startswith(("Cannot", "Duplicate")) and (repeated := scan(text[:offset]).repeated):
        key_path, first, second = repeated[0]
        name = ".".join(key for key in key_path if isinstance(key, str))
        line = text.count("\n", 0, first) + 1
        return second, f'"{name}" is written twice; the first time on line {line}.'
    if re.match(_UNCLOSED_TEXT, message):
        offset = scan(
            text
        ).end  # the parser names the end of the text, the scanner stops at its opening quote
    sentences = (sentence for pattern, sentence in _SENTENCES if re.match(pattern, message))
    return offset, next(sentences, f"This is not TOML: {message}.")


def _message_and_offset(error: tomllib.TOMLDecodeError, text: str) -> tuple[str, int]:
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
    if found is None:
        return str(error), 0
    message, line, column = found.groups()
    if line is None:
        return message, len(text.rstrip("\n"))
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    return message, starts[int(line) - 1] + int(column) - 1


def _no_value(text: str, offset: int) -> str:
    found = re.compile(r"[^\s,\]}#]*").match(text, offset)
    word = found.group() if found else ""
    if not word:
        return "A value is missing here."
    switch = SWITCHES.get(word.lower())
    if switch is not None:
        return f"{word} is not a value of TOML; write {switch}."
    if word[0] in "“”„‘’«»":
        return 'These quotation marks are not straight ones; write "like this".'
    return f"{word} is not a value of TOML; text goes in straight quotes, a number begins with a digit."
