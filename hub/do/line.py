r"""One line of an agent's output, made safe to show on any surface.

Colour codes are taken out, since programs write them for terminals and they say nothing. Every other control
character, and those that reorder or hide text (bidi, zero-width), are shown as `\\xNN` or `\\uNNNN`: what an agent
prints must not be able to pass for something else.
"""

import re

LINE_CHARS_MAX = 400
SCANNED_CHARS_MAX = 4 * LINE_CHARS_MAX
"""No more of a line is looked at: a line of megabytes costs no more than this."""

TAB = "    "
CUT = "…"

_COLOUR = re.compile(r"\x1b\[[0-9;:]{0,32}[mK]")
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def clip_line(line: str) -> str:
    """Return `line` as one visible line of at most `LINE_CHARS_MAX` characters; doing it again changes nothing."""
    plain = _COLOUR.sub("", line[:SCANNED_CHARS_MAX].rstrip("\r\n")).replace("\t", TAB)
    shown = _HIDDEN.sub(_spell, plain)
    if len(shown) <= LINE_CHARS_MAX and len(line) <= SCANNED_CHARS_MAX:
        return shown
    return shown[: LINE_CHARS_MAX - len(CUT)] + CUT


def _spell(found: re.Match[str]) -> str:
    """Spell one character by its number."""
    number = ord(found[0])
    return f"\\x{number:02x}" if number <= 0xFF else f"\\u{number:04x}"  # noqa: PLR2004  the last number of two digits
