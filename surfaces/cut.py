"""Cuts text to a size without tearing a character apart. Pure."""

import unicodedata

import msgspec

ELLIPSIS = "…"
_JOINER = "\u200d"
_REGIONAL = range(0x1F1E6, 0x1F200)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_ATTACHED = frozenset({"Mn", "Mc", "Me"})


def cut_to_chars(text: str, chars_max: int) -> str:
    """Return the text, or its beginning with an ellipsis, in at most `chars_max` code points."""
    if len(text) <= chars_max:
        return text
    end = max(0, chars_max - 1)
    while end > 0 and _tears(text, end):
        end -= 1
    return text[:end].rstrip() + ELLIPSIS


def cut_to_json_bytes(text: str, bytes_max: int) -> str:
    """Return the longest beginning whose JSON takes at most `bytes_max` bytes between its quotes; maybe nothing."""
    if json_bytes(text) <= bytes_max:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if json_bytes(cut_to_chars(text, middle)) <= bytes_max else (low, middle - 1)
    best = cut_to_chars(text, low)
    return best if json_bytes(best) <= bytes_max else ""


def json_bytes(text: str) -> int:
    """Return the size of a text in JSON, without its quotes."""
    return len(msgspec.json.encode(text)) - 2


def _tears(text: str, end: int) -> bool:
    """Say whether a cut there would take an accent, a joined part, a skin tone or half of a flag off a character."""
    before, after = text[end - 1], text[end]
    if _JOINER in (before, after) or unicodedata.category(after) in _ATTACHED or ord(after) in _SKIN_TONES:
        return True
    if ord(before) in _REGIONAL and ord(after) in _REGIONAL:
        start = end
        while start > 0 and ord(text[start - 1]) in _REGIONAL:
            start -= 1
        return (end - start) % 2 == 1
    return (before, after) == ("\r", "\n")
