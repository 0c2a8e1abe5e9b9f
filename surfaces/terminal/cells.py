"""How wide text is on a terminal, and how to cut it. Text from elsewhere passes through `safe` before it is drawn."""

import unicodedata

from hub.kit.text import cut, visible

TAB = "    "
_WIDE = frozenset({"W", "F"})
_NO_WIDTH = frozenset({"Mn", "Me"})


def safe(text: str) -> str:
    """Return one line's text with every character that could steer a terminal made visible as ⟨U+001B⟩."""
    return visible(text.replace("\t", TAB), kept="", emoji=False)


def paragraphs(text: str) -> list[str]:
    """Return the lines of a text, each made safe."""
    return [safe(line) for line in text.replace("\r\n", "\n").split("\n")]


def width(text: str) -> int:
    """Return how many cells a safe text takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def clip(text: str, cells: int) -> str:
    """Cut a safe text to at most `cells`, with an ellipsis where something is missing."""
    return cut(text, cells, width)


def wrap(text: str, cells: int) -> list[str]:
    """Break a text into lines of at most `cells`, at spaces where there are any; nothing is left out."""
    lines: list[str] = []
    for paragraph in paragraphs(text):
        lines += _wrap(paragraph, max(2, cells))
    return lines


def pad(text: str, cells: int) -> str:
    """Fill a safe text with spaces up to `cells`."""
    return text + " " * max(0, cells - width(text))


def _wrap(text: str, cells: int) -> list[str]:
    lines = []
    while width(text) > cells:
        head, rest = _split(text, cells)
        space = head.rfind(" ")
        if space > 0 and not rest.startswith(" "):
            head, rest = text[:space], text[space + 1 :]
        lines.append(head)
        text = rest.removeprefix(" ")
    return [*lines, text]


def _split(text: str, cells: int) -> tuple[str, str]:
    used = 0
    for index, char in enumerate(text):
        used += _cells(char)
        if used > cells:
            return text[:index], text[index:]
    return text, ""


def _cells(char: str) -> int:
    if unicodedata.category(char) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1
