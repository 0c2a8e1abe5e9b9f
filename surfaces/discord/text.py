r"""Text from elsewhere, made safe for Discord: shown as it is, and nothing in it means anything. Pure.

Discord takes a backslash before any sign that is neither letter, digit nor space as "this very sign", so a text with
all its signs escaped shows exactly itself: no mention, no heading, no link, no invite, no fence. In a footer, a label
or a thread's name nothing is parsed, so there only what cannot be seen is made visible.
"""

from datetime import datetime

from hub.kit.text import cut_parts, utf16_units, visible_parts

FENCE = "```"


def plain(text: str, units: int) -> str:
    """Return one line for a place where nothing is parsed, of at most `units`."""
    return cut_parts(visible_parts(" ".join(text.split())), units, utf16_units)


def lines(text: str, units: int) -> str:
    """Return a text of several lines for an attachment or a text box; what cannot be seen is made visible."""
    return cut_parts(visible_parts(_unix(text)), units, utf16_units)


def escaped(text: str, units: int) -> str:
    """Return a text that shows as itself where Discord parses markdown; an escape is never cut in two.

    Of what shows nothing at all nothing is left: Discord takes no blank field.
    """
    shown = cut_parts(map(_escaped, visible_parts(_unix(text).strip("\n"))), units, utf16_units)
    return shown if shown.strip() else ""


def one_line(text: str, units: int) -> str:
    """Return `escaped` for a place with one line."""
    return escaped(" ".join(text.split()), units)


def block(text: str, units: int, language: str = "") -> str:
    """Return an output as a code block in the colours of a language; one that holds a fence itself is escaped."""
    room = units - 2 * len(FENCE) - 2 - len(language)
    if "``" in text or room <= 0:
        return escaped(text, units)
    return f"{FENCE}{language}\n{lines(text, room)}\n{FENCE}"


def is_cut(text: str, units: int) -> bool:
    """Return True if `escaped` leaves something out."""
    return escaped(text, units) != escaped(text, 2 * units + 16 * len(text) + 16)


def plain_cuts(text: str, units: int) -> bool:
    """Return True if `plain` leaves something out."""
    return plain(text, units) != plain(text, 2 * units + 16 * len(text) + 16)


def block_cuts(text: str, units: int, language: str = "") -> bool:
    """Return True if `block` leaves something out."""
    return block(text, units, language) != block(text, 2 * units + 16 * len(text) + 16, language)


def moment(at: datetime) -> str:
    """Write a moment as Discord's own timestamp, which everybody reads in their own time zone."""
    return f"<t:{int(at.timestamp())}:R>"


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")


def _escaped(part: str) -> str:
    return f"\\{part}" if part.isascii() and part.isprintable() and not (part.isalnum() or part == " ") else part
