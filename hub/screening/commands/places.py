"""Where a file is that a command names, seen from the folder in which the command runs."""

import posixpath
import re
from collections.abc import Iterable
from enum import StrEnum

from hub.contract.effects import Effect
from hub.screening.commands.operands import is_temporary

FOLDERS_MAX = 4
"""A command that may be in more folders than this after its `cd` may be anywhere."""
ELSEWHERE = "/elsewhere"
"""Stands for a folder that is only known when the command runs."""
SOME_FOLDER = "/somewhere/project"
"""Stands for the folder where that is not known: what is relative is inside, what is written out in full is not."""
_RULES = re.compile(
    r"(?:^|/)(?:\.(?:git|husky|claude|codex|copilot|cursor|gemini|openclaw|opencode|github/(?:copilot|hooks|workflows))(?:/|$)"
    r"|\.(?:mcp\.json|gitmodules|gitconfig|vscode/tasks\.json)$)",
    re.IGNORECASE,
)
"""Files that say what runs by itself, or what an agent may do."""
_GIT_DATA = re.compile(r"(?:^|/)\.git/(?:[A-Z_]*MSG|info/exclude)$")
"""Files of git's that only hold a text."""
_DYNAMIC = re.compile(r"[$`]|<\(|>\(")
GIT_TOP = re.compile(r"\$\(git rev-parse --show-toplevel\)|\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`")
_QUIET = frozenset(
    {"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "nul", "$null", "-", "/dev/fd/1", "/dev/fd/2"}
)


class FilePlace(StrEnum):
    """Where a file is."""

    QUIET = "quiet"
    """No file: standard input or output, or nothing at all."""
    INSIDE = "inside"
    TEMPORARY = "temporary"
    RULES = "rules"
    """It says what runs by itself or what an agent may do, wherever it is."""
    OUTSIDE = "outside"
    UNKNOWN = "unknown"
    """It is only known when the command runs."""


WRITING: dict[FilePlace, Effect] = {
    FilePlace.INSIDE: Effect.WRITES_IN_WORKSPACE,
    FilePlace.TEMPORARY: Effect.WRITES_IN_WORKSPACE,
    FilePlace.RULES: Effect.CHANGES_PERMISSIONS,
    FilePlace.OUTSIDE: Effect.CHANGES_SYSTEM,
    FilePlace.UNKNOWN: Effect.WRITES_IN_WORKSPACE,
}
"""What it is to write there."""


def place_of(path: str, root: str, folders: Iterable[str]) -> FilePlace:
    """Return where a file is.

    Args:
        path: as the command names it.
        root: the folder that the agent works in, in full.
        folders: where the command may run, in full.
    """
    if path.lower() in _QUIET:
        return FilePlace.QUIET
    path = GIT_TOP.sub(".", path)
    if path.startswith(("~", "$HOME", "${HOME}")) and not root.startswith("~"):
        return (
            FilePlace.RULES if _RULES.search(path) else FilePlace.TEMPORARY if is_temporary(path) else FilePlace.OUTSIDE
        )
    full = [posixpath.normpath(posixpath.join(folder, path)) for folder in folders]
    if any(_RULES.search(one) and not _GIT_DATA.search(one) for one in full):
        return FilePlace.RULES
    if _DYNAMIC.search(path):
        return FilePlace.UNKNOWN
    if re.match(r"[A-Za-z]:[\\/]", path):
        return FilePlace.OUTSIDE
    if all(is_within(one, root) for one in full):
        return FilePlace.INSIDE
    return FilePlace.TEMPORARY if all(map(is_temporary, full)) or is_temporary(path) else FilePlace.OUTSIDE


def is_within(path: str, folder: str) -> bool:
    """Return True if a path is a folder or in it, both written out in full."""
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")
