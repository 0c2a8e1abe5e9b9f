"""Whether git surely ignores a `node_modules`, so that Claude takes no skills from it: read from files alone.

Claude asks `git check-ignore`, which passes over what is tracked and knows nothing outside a repository. So a folder is
left out only where a `.gitignore` on the way to it names it plainly and the index names no file in it; whatever is
harder to read than that is looked into.
"""

import os
from fnmatch import fnmatchcase
from pathlib import Path

NAME = "node_modules"
GITIGNORE_BYTES_MAX, INDEX_BYTES_MAX = 262_144, 67_108_864
_ANYWHERE = frozenset({NAME, f"**/{NAME}"})
_PLAIN_INDEXES = (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3")
"""How an index begins in which each name stands in full; from version 4 on one leaves out what the last began with."""
_SPLIT = b"link\0"
"""The extension of an index that keeps names in a second file."""
_UNCLEAR = frozenset("\\[")


class IgnoredFolders:
    """The folders of this name below one folder; it is looked at once in which repository that is."""

    def __init__(self, folder: str) -> None:
        around = (folder, *map(str, Path(folder).parents))
        self._top = next((one for one in around if os.path.lexists(f"{one.rstrip('/')}/.git")), "")
        self._may_track = not self._top or _may_track(f"{self._top.rstrip('/')}/.git/index")

    def has(self, holder: str) -> bool:
        """Return True if git surely ignores the `node_modules` in this folder."""
        if self._may_track:
            return False
        top = Path(self._top)
        between = [one for one in (Path(holder), *Path(holder).parents) if one.is_relative_to(top)]
        if any(one != top and os.path.lexists(one / ".git") for one in between):
            return False  # a repository in another, of which git tells nothing
        is_named = False
        for folder in reversed(between):
            for line in _lines(folder / ".gitignore"):
                if line.startswith("!"):
                    is_named = is_named and not _may_mean(line[1:])
                elif line.rstrip("/") in _ANYWHERE or (line.rstrip("/") == f"/{NAME}" and str(folder) == holder):
                    is_named = True
        return is_named


def _may_mean(pattern: str) -> bool:
    last = pattern.rstrip("/").rpartition("/")[2]
    return not _UNCLEAR.isdisjoint(last) or fnmatchcase(NAME, last)


def _lines(path: Path) -> list[str]:
    raw = _beginning(path, GITIGNORE_BYTES_MAX)
    return [line.rstrip(" \r") for line in (raw or b"").decode(errors="replace").split("\n")]


def _may_track(index: str) -> bool:
    """Return True unless this index names no file in a folder of this name; where there is none, nothing is tracked."""
    if not os.path.lexists(index):
        return not os.path.isdir(os.path.dirname(index))  # noqa: PTH112, PTH120  a text, and never raises
    raw = _beginning(Path(index), INDEX_BYTES_MAX)
    return raw is None or not raw.startswith(_PLAIN_INDEXES) or _SPLIT in raw or f"{NAME}/".encode() in raw


def _beginning(path: Path, bytes_max: int) -> bytes | None:
    """Return all of a file; None where it is longer, or none that can be read."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        raw = file.read(bytes_max + 1)
    return raw if len(raw) <= bytes_max else None
