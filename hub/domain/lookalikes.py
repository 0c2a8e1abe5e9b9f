"""Make visible what cannot be seen, and mark letters that only look like others.

Invisible characters (bidi controls, zero-width, fillers, odd spaces) are replaced by a mark. A look-alike keeps its
place and gets its mark behind it, so that the word stays readable.

A Cyrillic letter in a Russian sentence is no look-alike. It is one where Latin letters share its word, or where the
whole text holds no other letter of its script than such that could pass for Latin.
"""

import re
import unicodedata

from hub.kit.text import is_hidden, mark

# Written as code points, since this is the one list that nobody can read otherwise.
_CYRILLIC = (  # the letters that pass for acehijkmnopqrstuvwxy and capitals
    "\u0430\u0410\u0412\u0441\u0421\u0435\u0415\u04bb\u041d\u0456\u0406\u0458\u0408\u041a"
    "\u041c\u043e\u041e\u043f\u0440\u0420\u0455\u0405\u0422\u0442\u0443\u0423\u051b\u051d"
    "\u0445\u0425\u0475\u0433\u0501\u04cf"
)
_GREEK = (  # the letters that pass for a i k n o p u v x y and capitals
    "\u03b1\u0391\u0392\u0395\u0396\u0397\u03b9\u0399\u03ba\u039a\u039c\u03bd\u039d\u03bf"
    "\u039f\u03c1\u03a1\u03a4\u03c5\u03a5\u03a7\u03c7\u03b3"
)
_OTHERS = (  # Armenian, Cherokee, and Latin letters of phonetic alphabets
    "\u0585\u057d\u0570\u0578\u0581\u13aa\u13ac\u13a1\u13a2\u13d9\u13da\u13d4\u13e2\u13df"
    "\u13de\u13b7\u13bb\u13a5\u0251\u0261\u0269\u029f\u0274\u0280\u028f"
)
_LISU = "".join(map(chr, range(0xA4D0, 0xA4F4)))
_LETTERS = frozenset(_CYRILLIC + _GREEK + _OTHERS + _LISU)
_SIGNS = frozenset("\u2024\u2044\u2215\u29f8\uff0f\uff0e\uff5c\u01c0\u037e")  # pass for . / | ;
_OPTION = re.compile("(?<!\\S)[\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d](?=[A-Za-z\u2010-\u2013-])")
_SHOWN_CONTROLS = frozenset("\n\t")
_LATIN_ORDINALS = frozenset("ªº")

_WORD = re.compile(r"\w+")
_ASCII_LETTER = re.compile(r"[A-Za-z]")
_MARK = re.compile("⟨U\\+[0-9A-F]{4,6}⟩")


def reveal(text: str) -> str:
    """Return `text` with every deceiving character marked; idempotent, and unchanged if there is none."""
    if text.isascii() and text.isprintable():
        return text
    suspects = _deceiving(text)
    parts = [_shown(text, place, char, suspect=place in suspects) for place, char in enumerate(text)]
    return "".join(parts)


def _shown(text: str, place: int, char: str, *, suspect: bool) -> str:
    if char not in _SHOWN_CONTROLS and is_hidden(text, place):
        return mark(char)
    if suspect and not text.startswith(mark(char), place + 1):
        return char + mark(char)
    return char


def _deceiving(text: str) -> frozenset[int]:
    """Return the places of characters that look like another one and are there to be taken for it."""
    plain = _MARK.sub(" ", text)
    alone = _only_lookalikes(plain)
    places = {place for place, char in enumerate(text) if char in _SIGNS or _is_dressed_up(char)}
    places.update(option.start() for option in _OPTION.finditer(text))
    # Hidden characters and marks cut a word in two for the eye of a program, not for that of a person.
    for word in re.finditer(rf"(?:\w|{_MARK.pattern})+", text):
        letters = _MARK.sub("", word.group())
        if _ASCII_LETTER.search(letters) or (alone and len(letters) > 1):
            places.update(word.start() + at for at, char in enumerate(word.group()) if char in _LETTERS)
    return frozenset(places)


def _only_lookalikes(text: str) -> bool:
    """Whether every letter of a script other than Latin could pass for a Latin one."""
    foreign = {char for word in _WORD.findall(text) for char in word if char.isalpha() and not _is_latin(char)}
    return foreign <= _LETTERS


def _is_latin(char: str) -> bool:
    return char.isascii() or (char not in _LETTERS and unicodedata.name(char, "").startswith("LATIN"))


def _is_dressed_up(char: str) -> bool:
    """Whether it is a plain letter or digit in another dress: fullwidth, mathematical."""
    if char.isascii() or char in _LATIN_ORDINALS or unicodedata.category(char)[0] not in "LN":
        return False
    plain = unicodedata.normalize("NFKC", char)
    return len(plain) == 1 and plain.isascii() and plain.isalnum() and unicodedata.category(char) != "No"
