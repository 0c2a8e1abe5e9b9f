"""Fold a text to the letters a reader sees.

Compatibility forms (fullwidth, mathematical, circled) become plain letters, look-alikes of other scripts become
the Latin letter they imitate, and what cannot be seen (zero-width, bidi, accents piled on a letter) goes away.
Every character is folded by itself until it no longer changes, so folding twice is the same as folding once.
"""

import unicodedata

from hub.kit.confusables import CONFUSABLES

FOLD_MEMO_CHARS_MAX = 8_192
"""How many distinct characters the folding table remembers."""

_DROPPED = frozenset({"Cc", "Cf", "Mn", "Me", "Mc", "Cs", "Co"})
_SPACES = frozenset({"Zs"})
_BREAKS = frozenset({"Zl", "Zp"})
_TAG_FIRST, _TAG_LAST, _TAG_OFFSET = 0xE0020, 0xE007E, 0xE0000
_CHEROKEE_SMALL_FIRST, _CHEROKEE_SMALL_LAST, _CHEROKEE_CAPITAL = 0xAB70, 0xABBF, 0x13A0
_FOLD_ROUNDS = 4


def _fold_once(char: str) -> str:
    """Fold one character one step."""
    code = ord(char)
    if _TAG_FIRST <= code <= _TAG_LAST:
        return chr(code - _TAG_OFFSET)  # tag characters are an invisible copy of ASCII: read what they hide
    if _CHEROKEE_SMALL_FIRST <= code <= _CHEROKEE_SMALL_LAST:
        return chr(code + _CHEROKEE_CAPITAL - _CHEROKEE_SMALL_FIRST)
    if char in CONFUSABLES:
        return CONFUSABLES[char]
    if char in "\n\t":
        return char
    category = unicodedata.category(char)
    if category in _SPACES:
        return " "
    if category in _BREAKS:
        return "\n"
    if category in _DROPPED:
        return ""
    return unicodedata.normalize("NFKD", char)


def fold_char(char: str) -> str:
    """Return what ``char`` looks like, as zero or more plain characters; stable under itself."""
    folded = char
    for _ in range(_FOLD_ROUNDS):
        again = "".join(map(_fold_once, folded))
        if again == folded:
            break
        folded = again
    return folded


class _FoldTable(dict[int, str]):
    """The table for ``str.translate``; fills itself, up to a bound."""

    def __missing__(self, code: int) -> str:
        folded = fold_char(chr(code))
        if len(self) < FOLD_MEMO_CHARS_MAX:
            self[code] = folded
        return folded


_TABLE = _FoldTable()


_BY_SOUND = str.maketrans("ρπσςγηβРрСсВвНнУуХхГгПпЛлДдЗзИиФфБб", "rpssghbRrSsVvNnUuHhGgPpLlDdZzIiFfBb")


def by_sound(text: str) -> str:
    """Return ``text`` with Greek and Cyrillic letters read by their sound instead of their shape."""
    return fold(text.translate(_BY_SOUND))


def fold(text: str) -> str:
    """Return ``text`` folded; idempotent, never raises, keeps upper and lower case."""
    return text.translate(_TABLE)
