"""Names and words of others within sentences of Pulse's: whom a name may pass for, and how both are quoted. Pure."""

import re
import unicodedata

from hub.kit.fold import fold

OURS = "pulse"
OF_NOBODY_ELSE = frozenset({"you", "me", "myself", "i", "user", "du", "ich", "mich", "sie", "system"})
"""What the person, and the machine, are called."""
NAME_CHARS_MAX = 64
_ODD = re.compile(r"[^\w.@/:+-]+")
_MARKS = str.maketrans(
    {
        "\N{LEFT DOUBLE QUOTATION MARK}": "\N{LEFT SINGLE QUOTATION MARK}",
        "\N{RIGHT DOUBLE QUOTATION MARK}": "\N{RIGHT SINGLE QUOTATION MARK}",
        "\N{DOUBLE LOW-9 QUOTATION MARK}": "\N{SINGLE LOW-9 QUOTATION MARK}",
        "\N{DOUBLE HIGH-REVERSED-9 QUOTATION MARK}": "\N{SINGLE HIGH-REVERSED-9 QUOTATION MARK}",
    }
)


def plain_name(name: str) -> str:
    """Return the letters and digits of a name, without case, width, decoration or characters that imitate others."""
    folded = fold(unicodedata.normalize("NFKC", name))
    return "".join(char for char in folded.casefold() if char.isalnum())


def is_reserved(name: str, *persons: str) -> bool:
    """Return True if a name passes for Pulse, for the system, or for the person, whose names `persons` are."""
    plain = plain_name(name)
    return plain.startswith(OURS) or plain in {*OF_NOBODY_ELSE, *map(plain_name, persons)} - {""}


def name_in_quotes(name: str) -> str:
    """Return a name between quotation marks, which it cannot close; it has no spaces, so that it says no sentence."""
    plain = _ODD.sub("-", name).strip("-")
    return f"“{plain if len(plain) <= NAME_CHARS_MAX else plain[: NAME_CHARS_MAX - 1] + '…'}”"


def within_quotes(words: str) -> str:
    """Return words as they may stand between our quotation marks, which they cannot close."""
    return words.translate(_MARKS)


def words_in_quotes(words: str) -> str:
    """Return words between quotation marks, which they cannot close."""
    return f"“{within_quotes(words)}”"
