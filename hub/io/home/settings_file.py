"""Whether the settings file is still what Pulse has read, and what of it waits for a restart."""

import hashlib
from pathlib import Path

from hub.contract.api import HealthPart

EDITED = "was edited; restart Pulse to use it"


class SettingsFile:
    """Remembers what the file was when it was made; a file that does not exist counts as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = _content(path)
        self._seen = _stamp(path)
        self._rest = ""

    def is_edited(self) -> bool:
        """Return True if the file is another one than was read last."""
        return _content(self._path) != self._read

    def take(self) -> None:
        """Note that the file is about to be read; what is written from now on is another edit."""
        self._seen, self._read, self._rest = _stamp(self._path), _content(self._path), ""

    def waits(self, rest: str) -> None:
        """Note what of the file that was taken does not hold yet; empty for nothing."""
        self._rest = rest

    def health(self) -> HealthPart:
        """Say where the file is, and whether it has to be read again by a restart."""
        stamp = _stamp(self._path)
        if stamp != self._seen and _content(self._path) != self._read:
            return HealthPart(name="settings", status="degraded", detail=f"{self._path} {EDITED}.")
        self._seen = stamp
        if self._rest:
            return HealthPart(name="settings", status="degraded", detail=f"{self._path} {self._rest}.")
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
