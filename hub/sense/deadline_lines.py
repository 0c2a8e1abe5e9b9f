"""Deadlines in a text that the person named: lines such as "Deadline: 3 December" or "Abgabe bis Montag".

A line counts if it has a word for a deadline and ends with a day. A day without a year, a weekday or "tomorrow" is
counted from when the text was last written.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from hub.kit.due import WEEKDAYS, due_of

LINES_MAX = 5_000
LINE_CHARS_MAX = 500
FOUND_MAX = 50
NOTHING = "·"
"""Stands before a line, for the day alone is no sentence; no line begins with it once its markup is gone."""

_MARK = re.compile(
    r"\b(?:deadline|due|by|until|bis|fällig|frist|abgabe(?:termin|frist)?|einsendeschluss|redaktionsschluss)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:[#>*+\-\s·•]|\[ ?\]|\d{1,3}[.)]\s)*")
_DONE = re.compile(r"^[>*+\-\s]*\[[xX]\]|^\s*[*+\-]?\s*~~")
_LABEL = re.compile(
    r"^(?:deadline|due(?: date)?|frist|fällig|abgabe(?:termin|frist)?|termin)"
    r"(?:\s+(?:by|on|am|bis|ist|is))?\s*[:\u2013-]?\s*",
    re.IGNORECASE,
)
_TAIL = re.compile(r"[\s,:;(\u2013-]+$|\s+(?:deadline|due|fällig|frist|abgabe)\s*[:\u2013-]?\s*$", re.IGNORECASE)
_NO_DAY = re.compile(
    r"^[\s,]*(?:(?:(?:at|by|um|bis)\s+)+\d{1,2}(?:[:.]\d{2}(?!\.))?\s*(?:am|pm|uhr)?|in \d{1,3} [mhs]\w+)[.!]?$",
    re.IGNORECASE,
)
"""A clock time alone, or a few hours: in a text nobody knows of which day."""
_MARKUP = re.compile(r"[*_`]+|</?[a-z]{1,10}>")


class LineDue(NamedTuple):
    """What is due, in the text's own words (empty where the line names only the day), when, and on which line."""

    what: str
    at: datetime
    line: int


def deadlines_in(content: str, written_at: datetime) -> Iterator[LineDue]:
    """Yield the deadlines of a text, at most `FOUND_MAX`.

    Args:
        content: the text; anything at all.
        written_at: when it was last written, in the person's zone.
    """
    found = 0
    for number, line in enumerate(content.split("\n")[:LINES_MAX], start=1):
        if found >= FOUND_MAX:
            return
        if len(line) > LINE_CHARS_MAX or _DONE.match(line) or not _MARK.search(line):
            continue
        bare = " ".join(_MARKUP.sub("", _LEAD.sub("", line)).replace("|", " ").split())
        labelled = _LABEL.match(bare)
        read = f"{NOTHING} bis {bare[labelled.end() :]}" if labelled else f"{NOTHING} {bare}"
        due = due_of(read, written_at)
        if due is not None and not _NO_DAY.match(read[len(due.title) :]):
            found += 1
            yield LineDue(what=_words(due.title.removeprefix(NOTHING)), at=due.at, line=number)


def _words(title: str) -> str:
    before, title = "", title.strip().removeprefix("bis").strip()
    while title != before:
        before, title = title, _TAIL.sub("", title)
    return "" if title.casefold() in WEEKDAYS else title
