"""One line of an agent's output, made safe to show on any surface.

Colour codes are taken out, since programs write them for terminals and they say nothing. Every other control
character, and those that reorder or hide text (bidi, zero-width), are shown as marks such as ⟨U+202E⟩: what an agent
prints must not be able to pass for something else.
"""

import re

from hub.kit.text import ELLIPSIS, cut_parts, visible, visible_parts

LINE_CHARS_MAX = 400
SCANNED_CHARS_MAX = 4 * LINE_CHARS_MAX
"""No more of a line is looked at: a line of megabytes costs no more than this."""

TAB = "    "

_COLOUR = re.compile(r"\x1b\[[0-9;:]{0,32}[mK]")


def clip_line(line: str) -> str:
    """Return `line` as one visible line of at most `LINE_CHARS_MAX` characters; doing it again changes nothing."""
    plain = _COLOUR.sub("", line[:SCANNED_CHARS_MAX].rstrip("\r\n")).replace("\t", TAB)
    if len(line) > SCANNED_CHARS_MAX:
        plain += ELLIPSIS
    shown = visible(plain, kept="")
    return shown if len(shown) <= LINE_CHARS_MAX else cut_parts(visible_parts(plain, kept=""), LINE_CHARS_MAX)
