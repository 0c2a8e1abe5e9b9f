"""What a session changed, line by line, for a person to look at: against the commit that was there at the start.

A file that was changed and not committed before shows that, too: git knows no state between. What is new and unknown
to git is read as it is, unless a filter stands between them. Nothing that the repository configures takes part (no
external diff, no text conversion).
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from hub.contract.base import Value
from hub.domain.outcome import FileLines
from hub.domain.provenance import RepositoryText
from hub.io.agents.changes import Before, printable
from hub.io.agents.defining import read_regular
from hub.io.agents.git import GitFolder
from hub.kit.line_diff import as_new_file, lines_of

DIFF_CHARS_MAX = 65_536
FILES_SHOWN_MAX = 50
NEW_FILE_BYTES_MAX = 65_536
_PLAIN = ("--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--relative")


class SessionDiff(Value):
    """The changed files with their lines, at most `FILES_SHOWN_MAX`; the diff as text, and whether there is more."""

    files: tuple[FileLines, ...] = ()
    text: str = ""
    is_cut: bool = False


async def diff_since(git: GitFolder, workspace: Path, before: Before, changed: tuple[str, ...]) -> SessionDiff:
    """Return what is different in these files, given as seen from the workspace."""
    shown = changed[:FILES_SHOWN_MAX]
    counts, text = await _from_git(git, before, shown) if before.head and shown else ({}, "")
    new = [name for name in shown if name not in counts]
    # Outside of a repository nothing is stored otherwise.
    unlike = await git.unlike_stored(new) if new and before.top else frozenset[str]()
    fresh = await asyncio.to_thread(_fresh, workspace, [name for name in new if name not in unlike])
    counts |= {name: (len(lines_of(content)), 0) for name, content in fresh.items()}
    whole = "".join((text, *(as_new_file(name, content) for name, content in fresh.items())))
    return SessionDiff(
        files=tuple(_lines_of(name, counts.get(name)) for name in shown),
        text=whole[:DIFF_CHARS_MAX],
        is_cut=len(whole) > DIFF_CHARS_MAX or len(changed) > len(shown),
    )


async def _from_git(
    git: GitFolder, before: Before, names: Iterable[str]
) -> tuple[dict[str, tuple[int, int] | None], str]:
    """Ask git for the lines of what it knows: added and removed by file (None: not countable), and the diff itself."""
    numbers = await git.ask("diff", *_PLAIN, "--numstat", "-z", before.head or "", "--", *names)
    if not numbers.ok:
        return {}, ""
    text = await git.ask("diff", *_PLAIN, before.head or "", "--", *names)
    return dict(_counted(entry) for entry in numbers.fields("\0")), printable(text.text) if text.ok else ""


def _counted(entry: str) -> tuple[str, tuple[int, int] | None]:
    added, removed, name = (*entry.split("\t", 2), "", "")[:3]
    return printable(name), (int(added), int(removed)) if added.isdigit() and removed.isdigit() else None


def _fresh(workspace: Path, names: Iterable[str]) -> dict[str, str]:
    """Read the files that git does not know; what is long, gone or no text is left out."""
    contents = ((name, read_regular(workspace / name, NEW_FILE_BYTES_MAX + 1)) for name in names)
    return {
        name: content.decode("utf-8", "replace")
        for name, content in contents
        if content is not None and len(content) <= NEW_FILE_BYTES_MAX and b"\0" not in content
    }


def _lines_of(name: str, counts: tuple[int, int] | None) -> FileLines:
    added, removed = counts if counts is not None else (None, None)
    return FileLines(path=RepositoryText(name), added=added, removed=removed)
