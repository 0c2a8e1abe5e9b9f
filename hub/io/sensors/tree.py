"""Which folders of a workspace are worth watching, and which file names are noise."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path

from hub.io.sensors.bounded import entries
from hub.sense.installed_files import TOOL_FOLDERS

GIT = ".git"
VERSION_CONTROL = (GIT, ".hg", ".svn", ".jj")
IGNORED_FOLDERS = TOOL_FOLDERS | {
    *(*VERSION_CONTROL, ".idea"),
    *("build", "dist", "target", "out", "coverage", "htmlcov", ".next", ".nuxt"),
}
"""Version control (the git sensor looks there itself), what package managers install, what builds and tools make."""
NOISE_SUFFIXES = ("~", ".swp", ".swx", ".tmp", ".pyc", ".lock", "4913")
"""What editors and tools write beside the file that is meant."""


def is_in_repository(folder: Path) -> bool:
    """Return True if a folder is a git repository, or lies in one."""
    return any((one / GIT).exists() for one in (folder, *folder.parents))


def is_versioned(folder: Path) -> bool:
    """Return True if version control keeps a folder, or one around it."""
    place = folder.resolve()
    return any((one / sign).exists() for one in (place, *place.parents) for sign in VERSION_CONTROL)


def is_noise(name: str) -> bool:
    """Return True if a file of this name is a by-product."""
    return name.endswith(NOISE_SUFFIXES) or name.startswith(".#")


def is_ignored(relative: str) -> bool:
    """Return True if a path below the workspace lies in an ignored folder or is itself noise."""
    *folders, name = relative.split("/")
    return is_noise(name) or not IGNORED_FOLDERS.isdisjoint((*folders, name))


def folders(root: Path, without: Path | None = None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each folder worth watching, outermost first, with the files in it; links are never followed.

    The folder `without`, and what is below it, is left out, unless it is the root.

    A folder that cannot be read is yielded without files: it may become readable. They are plain texts, for there may
    be 100,000 files, and a `Path` of each takes longer than to find them.
    """
    waiting = deque((str(root),))
    left_out = str(without)
    while waiting:
        folder = waiting.popleft()
        files: list[str] = []
        for entry in entries(folder):
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in IGNORED_FOLDERS and entry.path != left_out:
                    waiting.append(entry.path)
            elif not is_noise(entry.name):
                files.append(entry.path)
        yield folder, tuple(files)
