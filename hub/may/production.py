"""Does a text speak of production? Whole words only: `prod-db` and `deploy to PROD01` do, `product` does not."""

import re

from hub.kit.fold import fold

_WORD = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def production_word(texts: tuple[str, ...], words: tuple[str, ...]) -> str | None:
    """Return the first of `words` that one of `texts` holds as a whole word, or None.

    Spelling tricks (look-alike letters, invisible characters, case) are undone first. A word may be several.
    """
    haystack = " | ".join(_spaced(text) for text in texts)
    return next((word for word in words if (wanted := _words(word)) and f" {wanted} " in haystack), None)


def _spaced(text: str) -> str:
    # Read once as it is and once with camelCase taken apart: `deployProd` names production, and so does `pRod`.
    plain = fold(text)
    return f" {_words(plain)} | {_words(_HUMP.sub(' ', plain))} "


def _words(text: str) -> str:
    return " ".join(_WORD.findall(fold(text).casefold()))
