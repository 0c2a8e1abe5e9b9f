"""The private folder of one session: among the system's temporary files, and gone when the session is over.

It is not below `$PULSE_HOME`, whose path no run is told. Its name begins with a word that belongs to this home, so that
the next start can remove what a killed hub left behind.
"""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from hub.io.agents.environment import home_mark

NAME_CHARS = 12
NO_ROOM = (
    "Pulse could not make a folder for the session among the temporary files, or read its own below {}. "
    "Free some space, or check the permissions"
)


def session_folder(home: Path) -> tempfile.TemporaryDirectory[str] | None:
    """Make a folder that only its owner can enter; None if the disk does not let us."""
    try:
        return tempfile.TemporaryDirectory(prefix=_prefix(home), ignore_cleanup_errors=True)
    except OSError:
        return None


def remove_left_behind(home: Path) -> None:
    """Remove the folders of sessions that an earlier hub of this home did not end; others' are left alone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_prefix(home)}*"):
        status = folder.lstat()
        if status.st_uid == os.getuid() and folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)


def _prefix(home: Path) -> str:
    """Return how the folders of this home begin; a digest, for the mark itself is not everybody's to see."""
    return f"pulse-{hashlib.sha256(home_mark(home).encode()).hexdigest()[:NAME_CHARS]}-"
