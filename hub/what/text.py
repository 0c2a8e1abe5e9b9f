"""Words for people: text from the world made harmless, counts and ages made readable."""

import unicodedata
from datetime import timedelta
from typing import TypeVar

from hub.domain.provenance import Wording, WorldText, say

NAME_CHARS_MAX = 80
TEXT_CHARS_MAX = 240
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
WEEK = timedelta(days=7)
W = TypeVar("W", bound=WorldText)


def clean(text: W, chars_max: int = NAME_CHARS_MAX) -> W:
    """Return `text` on one line, without control, bidi, zero-width or broken characters, at most `chars_max` long."""
    return text.map(lambda words: _one_line(words, chars_max))


def clean_lines(text: W, chars_max: int) -> W:
    """Return `text` as `clean` does, but with its line breaks."""
    return text.map(lambda words: _lines(words, chars_max))


def listed(names: tuple[WorldText, ...], shown_max: int = 3) -> Wording:
    """Return "a, b, c and 2 more"."""
    shown = Wording()
    for number, name in enumerate(names[:shown_max]):
        shown = say("{shown}, {name}" if number else "{name}", shown=shown, name=clean(name))
    rest = len(names) - shown_max
    return say("{shown} and {rest} more", shown=shown, rest=rest) if rest > 0 else shown


def _one_line(text: str, chars_max: int) -> str:
    # Anything longer than this is cut below anyway; looking at all of a huge text would only cost time.
    shown = "".join(_seen(char) for char in text[: 4 * chars_max])
    line = " ".join(shown.split())
    return line if len(line) <= chars_max else line[: chars_max - 1].rstrip() + "…"


def _lines(text: str, chars_max: int) -> str:
    kept = "".join("\n" if char == "\n" else _seen(char) for char in text[: 4 * chars_max])
    lines = "\n".join(" ".join(line.split()) for line in kept.split("\n")).strip()
    return lines if len(lines) <= chars_max else lines[: chars_max - 1].rstrip() + "…"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return "1 module", "3 modules"; `plural` for words that do not just take an s."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def span(age: timedelta) -> str:
    """Return a span in its largest fitting unit: "1 min", "2 h", "3 days"; never negative."""
    minutes = max(int(age.total_seconds() // 60), 1)
    if age < HOUR:
        return f"{minutes} min"
    if age < 2 * DAY:
        return f"{minutes // 60} h"
    return f"{age.days} days"


def _seen(char: str) -> str:
    category = unicodedata.category(char)
    if char.isspace() or category in {"Cc", "Zl", "Zp"}:
        return " "
    return "" if category.startswith("C") else char
