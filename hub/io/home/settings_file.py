"""Whether the settings file is still what Pulse was started with: it is read once, at the start."""

import hashlib
from pathlib import Path

from hub.contract.api import HealthPart

EDITED = "was edited; restart Pulse to use it"


class SettingsFile:
    """Remembers what the file was when it was made; a file that is not there counts as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at_start = _content(path)
        self._seen = _stamp(path)

    def health(self) -> HealthPart:
        """Say where the file is, and whether it has to be read again by a restart."""
        stamp = _stamp(self._path)
        if stamp != self._seen and _content(self._path) != self._at_start:
            return HealthPart(name="settings", status="degraded", detail=f"{self._path} {EDITED}.")
        self._seen = stamp
        return HealthPart(name="settings", status="ok", detail=str(self._path))


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _content(path: Path) -> bytes:
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return b""
