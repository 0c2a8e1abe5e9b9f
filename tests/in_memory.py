"""Temporary files of the tests in memory, where the system offers that.

Every store and every secret is written through to the disk, and a suite makes some ten thousand of them: a third of
the time of the quick tests was spent waiting for that. That what is written survives a crash is proved with processes
that are killed, which lose nothing that the system was given, on whatever kind of folder.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import MutableMapping
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108  the kernel's own name for it; what is made in it has a name of its own
FREE_BYTES_MIN = 4 * 1024**3
"""A whole run makes virtual environments and browser profiles, too."""
PREFIX = "pulse-tests-"
OF_PYTEST = "PYTEST_DEBUG_TEMPROOT"
"""Pytest's own variable for where the folders of its tests begin."""


def can_hold_them(folder: Path) -> bool:
    """Say whether programs can be written to this folder and started, with room enough."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    there = os.statvfs(folder)
    return not there.f_flag & os.ST_NOEXEC and there.f_bavail * there.f_frsize >= FREE_BYTES_MIN


def keep_temporary_files_in_memory(environ: MutableMapping[str, str] = os.environ, folder: Path = MEMORY) -> str:
    """Let this process and all that it starts make temporary files there, unless somebody has named another place.

    They are in a folder of this run, which is returned and is for the caller to remove: a hub and a browser that are
    killed leave theirs behind. What pytest gives the tests stays beside it, to be looked at when one fails.
    """
    if "TMPDIR" in environ or not can_hold_them(folder):
        return ""
    environ["TMPDIR"] = own = tempfile.mkdtemp(prefix=PREFIX, dir=folder)
    environ.setdefault(OF_PYTEST, str(folder))
    tempfile.tempdir = None  # looked up anew
    return own


def remove_at_exit(folder: str) -> None:
    """Remove it when this process ends, and not when one that was forked from it does."""
    if folder:
        atexit.register(_remove, folder, os.getpid())


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
