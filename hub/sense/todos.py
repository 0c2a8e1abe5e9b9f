"""To-do comments among added lines. The format read is a unified diff without context (`git diff -U0`)."""

import re
from collections.abc import Iterator

from hub.domain.provenance import RepositoryText
from hub.domain.situation import TodoLine
from hub.kit.text import one_line

TODO_COMMENT = re.compile(r"(?:#|//|/\*|^\s*\*|--|;|%|<!--|\"\"\"|''')[^\n]{0,40}?\b(?:TODO|FIXME)\b.*")
"""The word alone is no to-do: it must stand in something that looks like a comment."""
HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d{1,9})(?:,\d+)? @@")
TODO_CHARS_MAX = 160
LINE_CHARS_MAX = 2_000
"""Longer lines are generated or minified; searching them costs time and finds nothing."""


def in_diff(diff: str) -> Iterator[TodoLine]:
    """Yield the to-dos of a diff's added lines with their line numbers in the new file."""
    path, number, in_hunk = "", 0, False
    for line in diff.split("\n"):
        if line.startswith("diff --git "):
            path, in_hunk = "", False
        elif not in_hunk and line.startswith("+++ b/"):
            path = line.removeprefix("+++ b/").rstrip("\t")
        elif hunk := HUNK.match(line):
            number, in_hunk = int(hunk[1]), True
        elif in_hunk and line.startswith("+"):
            yield from _in_line(path, number, line[1:])
            number += 1


def in_file(path: str, content: str) -> Iterator[TodoLine]:
    """Yield the to-dos of a new file."""
    for number, line in enumerate(content.split("\n"), start=1):
        yield from _in_line(path, number, line)


def _in_line(path: str, number: int, line: str) -> Iterator[TodoLine]:
    if path and len(line) <= LINE_CHARS_MAX and (found := TODO_COMMENT.search(line)):
        yield TodoLine(path=RepositoryText(path), line=number, text=RepositoryText(one_line(found[0], TODO_CHARS_MAX)))
