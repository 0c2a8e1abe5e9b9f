"""Whether git surely ignores a `node_modules`, so that Claude takes no skills from it: read from files alone.

Claude asks `git check-ignore`, which passes over what is tracked and knows nothing outside a repository. So a folder is
left out only where a `.gitignore` on the way to it names it plainly and the index names no file in it; whatever is
harder to read than that is looked into.
"""

import os
import re
from fnmatch import fnmatchcase
from pathlib import Path

from hub.kit.files import read_regular

NAME = "node_modules"
HEAD_BYTES_MAX, GITIGNORE_BYTES_MAX, INDEX_BYTES_MAX = 4_096, 262_144, 67_108_864
_HEAD = rb"ref: refs/|[0-9a-f]{40}"
_ANYWHERE = frozenset({NAME, f"**/{NAME}"})
_PLAIN_INDEXES = (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3")
"""How an index begins in which each name stands in full; from version 4 on one leaves out what the last began with."""
_NOT_ALL = (b"link\0", b"sdir\0")
"""The extensions of an index that keeps names in a second file, or names a folder for all that is tracked in it."""
_UNCLEAR = frozenset("\\[")
_BYTE_ORDER_MARK = "\ufeff"


class IgnoredFolders:
    """The folders of this name below one folder; it is looked at once in which repository that is."""

    def __init__(self, folder: str) -> None:
        folder = os.path.realpath(folder)  # as git sees it, which knows nothing of links on the way
        around = (folder, *map(str, Path(folder).parents))
        self._top = next((one for one in around if os.path.lexists(f"{one.rstrip('/')}/.git")), "")
        git = f"{self._top.rstrip('/')}/.git"
        self._may_track = not self._top or not _is_repository(git, folder) or _may_track(f"{git}/index")

    def has(self, holder: str) -> bool:
        """Return True if git surely ignores the `node_modules` in this folder."""
        if self._may_track:
            return False
        holder, top = os.path.realpath(holder), Path(self._top)
        between = [one for one in (Path(holder), *Path(holder).parents) if one.is_relative_to(top)]
        if any(one != top and os.path.lexists(one / ".git") for one in between):
            return False  # a repository in another, of which git tells nothing
        is_named = False
        for folder in reversed(between):
            lines = _lines(folder / ".gitignore")
            if lines is None:
                return False
            for line in lines:
                plain = line.removesuffix("/")
                if line.startswith("!"):
                    is_named = is_named and not _may_mean(line[1:])
                elif plain in _ANYWHERE or (plain == f"/{NAME}" and str(folder) == holder):
                    is_named = True
        return is_named


def _may_mean(pattern: str) -> bool:
    last = pattern.rstrip("/").rpartition("/")[2].casefold()  # git may be told that case does not count
    return not _UNCLEAR.isdisjoint(last) or fnmatchcase(NAME, last)


def _lines(path: Path) -> list[str] | None:
    """Return the patterns in such a file, which git takes from no link; None where it may read other ones there."""
    if not os.path.lexists(path):
        return []
    text = (_beginning(path, GITIGNORE_BYTES_MAX) or b"\0").decode(errors="replace")
    if "\0" in text or text.startswith(_BYTE_ORDER_MARK):
        return None
    return [line.removesuffix("\r").rstrip(" ") for line in text.split("\n")]


def _is_repository(git: str, folder: str) -> bool:
    """Return True if git surely takes this for the repository of a folder: a whole one of the user's, on its disk."""
    try:
        here, *parts = (Path(one).stat() for one in (folder, git, f"{git}/objects", f"{git}/refs", f"{git}/.."))
    except OSError:
        return False
    is_own = {(one.st_dev, one.st_uid) for one in parts} == {(here.st_dev, os.geteuid())}
    return is_own and re.match(_HEAD, _beginning(Path(git, "HEAD"), HEAD_BYTES_MAX) or b"") is not None


def _may_track(index: str) -> bool:
    """Return True unless this index names no file in a folder of this name; where there is none, nothing is tracked."""
    if not os.path.lexists(index):
        return False
    raw = _beginning(Path(index), INDEX_BYTES_MAX)
    if raw is None or not raw.startswith(_PLAIN_INDEXES) or any(one in raw for one in _NOT_ALL):
        return True
    return f"{NAME}/".encode() in raw.lower()


def _beginning(path: Path, bytes_max: int) -> bytes | None:
    """Return all of a file; None where it is longer, a link, or none that can be read."""
    try:
        raw, _ = read_regular(path, bytes_max + 1, follow=False)
    except OSError:
        return None
    return raw if len(raw) <= bytes_max else None
