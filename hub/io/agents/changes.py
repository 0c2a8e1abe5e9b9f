"""Which files a session changed, measured by Pulse and not told by the agent.

Before the start only the commit that HEAD names is asked for (a few milliseconds); a full listing then would delay the
start by what `git status` takes in a large tree. Afterwards git lists what differs, and the inode change time, which a
program cannot set back, tells what was touched after the start. The kernel's clock for it is coarse (4 ms on Linux),
so the start is read from a file touched just before, and the program waits for the clock's next tick.
Two cases escape: a file that was already different and was put back to its committed state, and ignored files.
"""

import asyncio
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from hub.contract.base import Value
from hub.io.agents.git import GitFolder

CHANGED_FILES_MAX = 1_000
WALKED_FILES_MAX = 20_000

TICK_S = 0.001
TICKS_AWAITED_MAX = 20
"""Enough for a coarse clock; a clock that was set back must not hold up the start."""


class Before(Value):
    """How a workspace was at the start: `top` is the git work tree's root, None outside git; `head` its commit.

    Whatever changed after `since_ns` changed during the session; what changed at that very tick did not.
    """

    since_ns: int
    top: str | None
    head: str | None


async def look_before(git: GitFolder, mark: Path) -> Before:
    """Note the state of a workspace; `mark` is a file or folder of ours, to read the clock of file times from."""
    since_ns = _touched_ns(mark)
    found = await git.work_tree()
    for _ in range(TICKS_AWAITED_MAX):
        if _touched_ns(mark) > since_ns:
            break
        await asyncio.sleep(TICK_S)
    return Before(since_ns=since_ns, top=str(found.top) if found else None, head=found.head or None if found else None)


def _touched_ns(mark: Path) -> int:
    """Touch a file and return the change time that it got."""
    os.utime(mark)
    return mark.stat().st_ctime_ns


async def changed_since(git: GitFolder, workspace: Path, before: Before) -> tuple[str, ...]:
    """Return the changed files, relative to the workspace and sorted; at most `CHANGED_FILES_MAX`.

    Where the session left no repository that git can read, the files' times tell, as outside git.
    """
    found = None if before.top is None else await _from_git(git, workspace, before, Path(before.top))
    if found is None:
        found = await asyncio.to_thread(_walk, workspace, before.since_ns)
    return tuple(printable(path) for path in sorted(found)[:CHANGED_FILES_MAX])


async def _from_git(git: GitFolder, workspace: Path, before: Before, top: Path) -> set[str] | None:
    """Ask git for what is not committed, and for what was committed meanwhile; None if it no longer answers."""
    status = await git.ask("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", ".")
    if not status.ok:
        return None
    loose = [top / entry[len("XY ") :] for entry in status.fields("\0")]
    touched = await asyncio.to_thread(_touched, loose, before.since_ns)
    committed: tuple[str, ...] = ()
    if before.head:
        committed = (await git.ask("diff", "--name-only", "-z", "--no-renames", before.head, "HEAD", "--", ".")).fields(
            "\0"
        )
    return _relative((*touched, *(top / name for name in committed)), workspace)


def _relative(paths: Iterable[Path], workspace: Path) -> set[str]:
    """Give paths as seen from the workspace; git's are free of links, so the workspace must be too."""
    base = workspace.resolve()
    return {os.path.relpath(path, base) for path in paths}


def _touched(paths: Iterable[Path], since_ns: int) -> list[Path]:
    """Keep those that were touched; of one that is gone, its folder tells."""
    return [path for path in paths if _changed_ns(path) > since_ns]


def _changed_ns(path: Path) -> int:
    """Return when a file's inode, or the nearest folder that is still there, last changed."""
    for place in (path, *path.parents):
        try:
            return place.lstat().st_ctime_ns
        except OSError:
            continue
    return 0


def _walk(workspace: Path, since_ns: int) -> set[str]:
    """List touched files of a folder without git, looking at no more than `WALKED_FILES_MAX`."""
    touched = _touched(islice(_files(workspace), WALKED_FILES_MAX), since_ns)
    return {os.path.relpath(path, workspace) for path in touched}


def _files(workspace: Path) -> Iterator[Path]:
    """Give every file below a folder, links not followed; what cannot be read is left out."""
    for folder, below, names in os.walk(workspace):
        below[:] = [name for name in below if name != ".git"]
        for name in names:
            yield Path(folder, name)


def printable(path: str) -> str:
    """Return a path that every store and surface can hold, whatever bytes its name has."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
