r"""What differs between two texts, line by line, so that no difference goes unseen. Pure.

A line ends at "\n" alone: a carriage return, a form feed or U+2028 is part of its line, and gets its mark where the
line is shown. A last line without an end is told, and blanks are marked where nothing else differs.
"""

import re
from collections.abc import Iterable, Iterator

from hub.kit.text import mark

NO_NEWLINE = "\\ No newline at end of file"
GOES_ON = "\\ No line break here: what follows in the file is on this line"
"""Of a piece: that nothing follows, or what, is not known."""
DIFFED_CHARS_MAX = 20_000
"""Longer texts are not compared, which takes long, but given one after the other."""
CONTEXT_LINES = 3
_ODD_BLANK = re.compile(r"[^\S ]")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without their ends; a newline at the end begins no further line."""
    return text.removesuffix("\n").split("\n") if text else []


def whole(sign: str, text: str, unended: str = NO_NEWLINE) -> Iterator[str]:
    """Yield every line of a text behind `sign`, as of a file that comes or goes."""
    yield from (f"{sign}{line}" for line in lines_of(text))
    if text and not text.endswith("\n"):
        yield unended


def as_new_file(path: str, text: str) -> str:
    """Return a file that is new as git's diff of it."""
    head = f"diff --git a/{path} b/{path}\nnew file\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{len(lines_of(text))} @@\n"
    return head + "".join(f"{line}\n" for line in whole("+", text))


def blanks_told(diff: str) -> str:
    """Return a diff that somebody else made, with the blanks marked as `line_diff` marks them."""
    return "\n".join(_told(diff.split("\n")))


def line_diff(name: str, before: str, after: str, context: int = CONTEXT_LINES) -> list[str]:
    """Return a unified diff in lines, heads first; empty if nothing differs.

    Texts that both end within a line are pieces of a longer one, and neither is said to go on.
    """
    if before == after:
        return []
    if before and after and not before.endswith("\n") and not after.endswith("\n"):
        before, after = f"{before}\n", f"{after}\n"
    from difflib import unified_diff  # noqa: PLC0415  only a change needs it, and a hub that idles is to be small

    heads = [f"--- {name}", f"+++ {name}"]
    if len(before) + len(after) > DIFFED_CHARS_MAX:
        return [*heads, *_told(whole("-", before, GOES_ON), whole("+", after, GOES_ON))]
    old, new = ([f"{line}\n" for line in text.split("\n")] for text in (before, after))
    # What follows the last newline is a line only if it is not empty, and has no end.
    old[-1:], new[-1:] = ([last] if (last := lines[-1].removesuffix("\n")) else [] for lines in (old, new))
    changes = list(unified_diff(old, new, lineterm="", n=context))[2:]
    return [*heads, *_told(line for change in changes for line in _ended(change))]


def _ended(change: str) -> Iterator[str]:
    yield change.removesuffix("\n")
    if not change.endswith("\n") and not change.startswith("@@"):
        yield GOES_ON


def _told(*parts: Iterable[str]) -> Iterator[str]:
    """Mark the blanks of lines that differ from one another in nothing else."""
    lines = [line for part in parts for line in part]
    gone, come = ({line[1:] for line in lines if line.startswith(sign)} for sign in "-+")
    alike = set(map(_squeezed, gone - come)) & set(map(_squeezed, come - gone))
    odd = {line for line in gone ^ come if _squeezed(line) in alike}
    for line in lines:
        yield _with_blanks(line) if line.startswith(("-", "+")) and line[1:] in odd else line


def _squeezed(line: str) -> str:
    return "".join(line.split())


def _with_blanks(line: str) -> str:
    said = line.rstrip(" ")
    return _ODD_BLANK.sub(lambda blank: mark(blank[0]), said) + mark(" ") * (len(line) - len(said))
