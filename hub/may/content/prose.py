"""Split prose into words: quoted spans stay whole, fixed phrases become one word."""

import re
from typing import NamedTuple

from hub.may.content.heads import MERGES
from hub.may.content.limits import MAX_QUOTED_CHARS

_QUOTE = (
    rf"```[^`]{{0,{MAX_QUOTED_CHARS}}}```|`[^`\n]{{1,{MAX_QUOTED_CHARS}}}`"
    rf"|\"[^\"\n]{{1,{MAX_QUOTED_CHARS}}}\"|(?<!\w)'[^'\n]{{1,{MAX_QUOTED_CHARS}}}'(?!\w)"
)
_TOKEN = re.compile(
    rf"(?P<q>{_QUOTE})"
    r"|(?P<w>[$€£]?\s?\d+(?:[.,]\d+)+[\w%€]*|[$#@~/.€£]?[$\w][\w%]*(?:[-'./:@+_=()\[\]]+\w+)*(?:\(\))?|[~/*]|--?\w[\w-]*)"
    r"|(?P<p>--|\.{1,3}|[!?;:,\n()&|>])",
)


class Token(NamedTuple):
    """One word, quoted span (kind ``q``) or mark (kind ``p``): lower-case ``text``, and where it stands."""

    text: str
    raw: str
    start: int
    end: int
    kind: str


def _merge(tokens: list[Token], at: int) -> tuple[str, int] | None:
    """Return the replacement and length of a fixed phrase at ``at``, or None."""
    for rest, meaning in MERGES.get(tokens[at].text, ()):
        following = tokens[at + 1 : at + 1 + len(rest)]
        if tuple(token.text for token in following) == rest:
            return meaning, 1 + len(rest)
    return None


def tokenise(text: str) -> list[Token]:
    """Return the words of ``text`` in order; linear in its length."""
    plain = [
        Token(match.group().lower(), match.group(), match.start(), match.end(), match.lastgroup or "p")
        for match in _TOKEN.finditer(text)
    ]
    merged: list[Token] = []
    at = 0
    while at < len(plain):
        found = _merge(plain, at) if plain[at].text in MERGES else None
        if found is None:
            merged.append(plain[at])
            at += 1
            continue
        meaning, count = found
        merged.append(Token(meaning, meaning, plain[at].start, plain[at + count - 1].end, "w"))
        at += count
    return merged
