"""Temporary files of the tests in memory, where the system offers that.

Every store and every secret is written through to the disk, and a suite makes some ten thousand of them: a third of
the time of the quick tests was spent waiting for that. That what is written survives a crash is proved with processes
that are killed, which lose nothing that the system was given, on whatever kind of folder.
"""

import os
import tempfile
from collections.abc import MutableMapping
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108  the kernel's own name for it; what is made in it has a name of its own
FREE_BYTES_MIN = 4 * 1024**3
"""A whole run makes virtual environments and browser profiles, too."""


def can_hold_them(folder: Path) -> bool:
    """Say whether programs can be written to this folder and started, with room enough."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    there = os.statvfs(folder)
    return not there.f_flag & os.ST_NOEXEC and there.f_bavail * there.f_frsize >= FREE_BYTES_MIN


def keep_temporary_files_in_memory(environ: MutableMapping[str, str] = os.environ, folder: Path = MEMORY) -> None:
    """Let this process and all that it starts make temporary files there, unless somebody has named another place."""
    if "TMPDIR" not in environ and can_hold_them(folder):
        environ["TMPDIR"] = str(folder)
        tempfile.tempdir = None  # looked up anew
