"""The words of a text, as the table of the prior holds them. The script that learns shares this file."""

import re

TEXT_CHARS_MAX = 1_000
"""So much of a line or an offer is read; the rest says little, and the time of one estimate stays bounded."""
WORD_CHARS_MAX = 24

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_DIGITS = re.compile(r"\d+")


def words_of(text: str) -> list[str]:
    """Return the words in lower case; names in camel or snake case are split, and any number is a 0."""
    spread = _HUMP.sub(" ", text[:TEXT_CHARS_MAX]).lower()
    return [_DIGITS.sub("0", word)[:WORD_CHARS_MAX] for word in _WORD.findall(spread)]
