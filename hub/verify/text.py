"""Finding expected text in an agent's output, within bounds.

Python's `re` can take exponential time on a pattern such as `(a+)+`, so a pattern is refused when it repeats a group,
refers back, looks around, or has more than `REPEATS_MAX` open repeats; and lines are searched one by one, each cut to
`LINE_CHARS_MAX`, only in the last `SEARCHED_CHARS_MAX` of the output. The worst case is then a fraction of a second.
"""

import re

from hub.contract.base import Value
from hub.kit.text import cut

PATTERN_CHARS_MAX = 200
REPEATS_MAX = 2
LINE_CHARS_MAX = 400
SEARCHED_CHARS_MAX = 65_536
QUOTED_CHARS_MAX = 160

_LITERALS = re.compile(r"\\.|\[\^?\]?[^\]]*\]", re.DOTALL)
_REPEATED_GROUP = re.compile(r"\)[*+{]")
_OPEN_REPEAT = re.compile(r"[*+]|\{\d*,\d*\}")
_LOOK_OR_NAME = re.compile(r"\(\?(?!:)")
_BACK_REFERENCE = re.compile(r"\\[1-9]")


class Unusable(Value):
    """A pattern that will not be searched for, and why."""

    reason: str


def find(expected: str, output: str) -> str | Unusable | None:
    """Look for `expected` in `output`.

    Args:
        expected: plain text; or a regular expression between slashes, matched line by line.
        output: what the agent printed.

    Returns:
        The line that contains it, shortened; None if none does; `Unusable` for a refused pattern.
    """
    if len(expected) > len("//") and expected.startswith("/") and expected.endswith("/"):
        return _find_pattern(expected[1:-1], output)
    at = output.find(expected)
    return None if at < 0 else quoted(_line_at(output, at))


def last_line(output: str) -> str:
    """Return the last line that says something, shortened; empty if there is none."""
    tail = output[-SEARCHED_CHARS_MAX:].rstrip()
    return quoted(tail[tail.rfind("\n") + 1 :])


def quoted(line: str) -> str:
    """Shorten a line to what fits into a proof."""
    return cut(line.strip(), QUOTED_CHARS_MAX)


def _line_at(output: str, at: int) -> str:
    """Return the line around a position, without looking further than a quotation needs."""
    before = output[max(0, at - QUOTED_CHARS_MAX) : at]
    after = output[at : at + QUOTED_CHARS_MAX]
    return before[before.rfind("\n") + 1 :] + after.partition("\n")[0]


def _find_pattern(pattern: str, output: str) -> str | Unusable | None:
    """Search each line of the end of the output."""
    refusal = _refuse(pattern)
    if refusal:
        return Unusable(reason=refusal)
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError) as error:
        return Unusable(reason=f"it is not a regular expression ({error})")
    for line in output[-SEARCHED_CHARS_MAX:].splitlines():
        if compiled.search(line[:LINE_CHARS_MAX]):
            return quoted(line)
    return None


def _refuse(pattern: str) -> str:
    """Say why a pattern could take too long; empty if it cannot."""
    if len(pattern) > PATTERN_CHARS_MAX:
        return f"it is longer than {PATTERN_CHARS_MAX} characters"
    if _BACK_REFERENCE.search(pattern.replace("\\\\", "")):
        return "it refers back to a group"
    bare = _LITERALS.sub("x", pattern)
    if _REPEATED_GROUP.search(bare):
        return "it repeats a group"
    if _LOOK_OR_NAME.search(bare):
        return "it has a group with a question mark"
    if len(_OPEN_REPEAT.findall(bare)) > REPEATS_MAX:
        return f"it has more than {REPEATS_MAX} repeats such as * or +"
    return ""
