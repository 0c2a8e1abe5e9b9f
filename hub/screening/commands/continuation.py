"""Which lines of a shell text are one: a backslash at the end of a line continues it, but not everywhere."""

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_CONTINUED = re.compile(rb"(\\+)\n")
LITERAL = frozenset({"comment", "raw_string", "ansi_c_string"})
"""Where a backslash at the end of a line is a letter like any other."""


def continued(raw: bytes, root: "Node") -> bytes:
    """Join the lines that a shell joins: an odd run of backslashes, outside what it takes letter by letter."""
    literal: list[tuple[int, int]] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        quoted = node.type == "heredoc_body" and node.parent is not None and is_quoted(node.parent)
        if quoted or node.type in LITERAL:
            literal.append((node.start_byte, node.end_byte))
        else:
            waiting += node.children
    literal.sort()

    def one(match: re.Match[bytes]) -> bytes:
        run = len(match.group(1))
        at = bisect_right(literal, (match.start(), len(raw))) - 1
        if run % 2 == 0 or (at >= 0 and literal[at][0] <= match.start() < literal[at][1]):
            return match.group()
        return match.group()[: run - 1]

    return _CONTINUED.sub(one, raw)


def is_quoted(redirect: "Node") -> bool:
    """Return True if the word that ends a here-document is quoted, so that nothing in it is expanded."""
    return any(
        one.type == "heredoc_start" and re.search(r"[\\'\"]", (one.text or b"").decode("utf-8", "replace"))
        for one in redirect.children
    )
