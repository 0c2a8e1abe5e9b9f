"""Patterns with `*` and `?`, compared in a time that no pattern can drive up. Pure.

Theory: between two stars stands a piece of fixed length, so its leftmost place is as good as any other, and nothing has
to be tried twice. An atomic group says so: a pattern costs at most its length times that of the text, whoever wrote it.
`[` and `]` are letters like any other, for there are files called `[id].tsx`.
"""

import re
from collections.abc import Callable

STAR, ANY = "*", "?"


def matcher(pattern: str) -> Callable[[str], bool]:
    """Return what says whether a whole text fits: `*` is any text, also none, `?` one character; letter case counts."""
    first, *rest = (_piece(piece) for piece in pattern.split(STAR))
    between = "".join(f"(?>.*?{piece})" for piece in rest[:-1])
    fits = re.compile(f"{first}{between}{f'.*{rest[-1]}' if rest else ''}", re.DOTALL).fullmatch
    return lambda text: fits(text) is not None


def is_pattern(text: str) -> bool:
    """Say whether a text can mean more than itself."""
    return STAR in text or ANY in text


def _piece(piece: str) -> str:
    return ".".join(re.escape(part) for part in piece.split(ANY))
