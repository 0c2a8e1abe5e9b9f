"""The private folder of one session: gone when the session is over."""

import tempfile
from pathlib import Path

SESSIONS_FOLDER = "sessions"
NO_ROOM = "Pulse could not make a folder for the session below {}. Free some space, or check the permissions"


def session_folder(home: Path) -> tempfile.TemporaryDirectory[str] | None:
    """Make a folder below `$PULSE_HOME/sessions` that only its owner can enter; None if the disk does not let us."""
    sessions = home / SESSIONS_FOLDER
    try:
        sessions.mkdir(mode=0o700, parents=True, exist_ok=True)
        return tempfile.TemporaryDirectory(dir=sessions, ignore_cleanup_errors=True)
    except OSError:
        return None
