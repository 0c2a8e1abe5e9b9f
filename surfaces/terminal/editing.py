"""A line of text that is being edited, and what keys do to it."""

from hub.contract.api import PROMPT_CHARS_MAX


def edit(text: str, cursor: int, key: str) -> tuple[str, int]:
    """Return the text and cursor after one key; an unknown key changes nothing."""
    move = _moved(text, cursor, key)
    if move is not None:
        return text, move
    start, end = _removed(text, cursor, key)
    if start < end:
        return text[:start] + text[end:], start
    typed = key[len("text:") :] if key.startswith("text:") else key if len(key) == 1 else ""
    room = PROMPT_CHARS_MAX - len(text)
    typed = typed[:room]
    return text[:cursor] + typed + text[cursor:], cursor + len(typed)


def _moved(text: str, cursor: int, key: str) -> int | None:
    targets = {
        "left": max(0, cursor - 1),
        "right": min(len(text), cursor + 1),
        "home": 0,
        "ctrl-a": 0,
        "end": len(text),
        "ctrl-e": len(text),
    }
    return targets.get(key)


def _removed(text: str, cursor: int, key: str) -> tuple[int, int]:
    if key == "backspace":
        return max(0, cursor - 1), cursor
    if key in {"delete", "ctrl-d"}:
        return cursor, min(len(text), cursor + 1)
    if key == "ctrl-u":
        return 0, cursor
    if key == "ctrl-k":
        return cursor, len(text)
    if key == "ctrl-w":
        return text.rstrip(" ").rfind(" ", 0, len(text[:cursor].rstrip(" "))) + 1, cursor
    return 0, 0
