r"""Text from elsewhere, made safe for Discord: shown as it is, and nothing in it means anything. Pure.

Discord takes a backslash before any sign that is neither letter, digit nor space as "this very sign", so a text with
all its signs escaped shows exactly itself: no mention, no heading, no link, no invite, no fence. In a footer, a label
or a thread's name nothing is parsed, so there only what cannot be seen is made visible.
"""

import unicodedata
from datetime import datetime

ELLIPSIS = "…"
FENCE = "```"
_NEVER_SHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_EMOJI_PARTS = frozenset("\u200d\ufe0f")
_UNITS_WIDE_FROM = 0x10000


def size(text: str) -> int:
    """Return how long Discord finds a text: in UTF-16 units, the larger of the ways in which it might count."""
    return len(text) + sum(ord(char) >= _UNITS_WIDE_FROM for char in text)


def plain(text: str, units: int) -> str:
    """Return one line for a place where nothing is parsed, of at most `units`."""
    return _clip([_shown(char, before) for char, before in _pairs(" ".join(text.split()))], units)


def lines(text: str, units: int) -> str:
    """Return a text of several lines for an attachment or a text box; what cannot be seen is made visible."""
    return _clip([char if char in "\n\t" else _shown(char, before) for char, before in _pairs(_unix(text))], units)


def escaped(text: str, units: int) -> str:
    """Return a text that shows as itself where Discord parses markdown; an escape is never cut in two.

    Of what shows nothing at all nothing is left: Discord takes no blank field.
    """
    shown = _clip([_escaped(char, before) for char, before in _pairs(_unix(text).strip("\n"))], units)
    return shown if shown.strip() else ""


def one_line(text: str, units: int) -> str:
    """Return `escaped` for a place with one line."""
    return escaped(" ".join(text.split()), units)


def block(text: str, units: int) -> str:
    """Return an output as a code block; one that holds a fence itself is escaped instead."""
    room = units - 2 * len(FENCE) - 2
    if "``" in text or room <= 0:
        return escaped(text, units)
    return f"{FENCE}\n{lines(text, room)}\n{FENCE}"


def is_cut(text: str, units: int) -> bool:
    """Say whether `escaped` leaves something out."""
    return escaped(text, units) != escaped(text, 2 * units + 16 * len(text) + 16)


def moment(at: datetime) -> str:
    """Write a moment as Discord's own timestamp, which everybody reads in their own time zone."""
    return f"<t:{int(at.timestamp())}:R>"


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")


def _pairs(text: str) -> list[tuple[str, str]]:
    return list(zip(text, f" {text}", strict=False))


def _clip(parts: list[str], units: int) -> str:
    if sum(map(size, parts)) <= units:
        return "".join(parts)
    kept, left = [], units - len(ELLIPSIS)
    for part in parts:
        left -= size(part)
        if left < 0:
            break
        kept.append(part)
    return "".join([*kept, ELLIPSIS]) if units >= len(ELLIPSIS) else ""


def _escaped(char: str, before: str) -> str:
    if char in "\n\t ":
        return char
    if char.isascii() and char.isprintable():
        return char if char.isalnum() else f"\\{char}"
    return _shown(char, before)


def _shown(char: str, before: str) -> str:
    if char in _EMOJI_PARTS and unicodedata.category(before) in {"So", "Sk", "Mn"}:
        return char
    return f"⟨U+{ord(char):04X}⟩" if unicodedata.category(char) in _NEVER_SHOWN else char
