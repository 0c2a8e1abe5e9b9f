"""Text from the world made harmless, and listed; it stays the world's."""

from datetime import timedelta
from typing import TypeVar

from hub.domain.provenance import Wording, WorldText, say
from hub.kit.text import one_line, several_lines

NAME_CHARS_MAX = 80
TEXT_CHARS_MAX = 240
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
WEEK = timedelta(days=7)
W = TypeVar("W", bound=WorldText)


def clean(text: W, chars_max: int = NAME_CHARS_MAX) -> W:
    """Return `text` on one line, without control, bidi, zero-width or broken characters, at most `chars_max` long."""
    return text.map(lambda words: one_line(words, chars_max))


def clean_lines(text: W, chars_max: int) -> W:
    """Return `text` as `clean` does, but with its line breaks."""
    return text.map(lambda words: several_lines(words, chars_max))


def listed(names: tuple[WorldText | Wording, ...], shown_max: int = 3) -> Wording:
    """Return "a, b, c and 2 more"."""
    shown = Wording()
    for number, name in enumerate(names[:shown_max]):
        part = name if isinstance(name, Wording) else clean(name)
        shown = say("{shown}, {name}" if number else "{name}", shown=shown, name=part)
    rest = len(names) - shown_max
    return say("{shown} and {rest} more", shown=shown, rest=rest) if rest > 0 else shown


def in_lines(names: tuple[WorldText, ...]) -> Wording:
    """Return one name a line."""
    lines = Wording()
    for number, name in enumerate(names):
        lines = say("{lines}\n{name}" if number else "{name}", lines=lines, name=clean(name, TEXT_CHARS_MAX))
    return lines
