"""Whether the settings files are still what Pulse has read, and what of them waits for a restart."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from hub.contract.api import HealthPart
from hub.kit.files import read_regular

FILE_BYTES_MAX = 2 * 1_048_576
"""More than Pulse reads of its settings."""
EDITED = "was edited; restart Pulse to use it"


class SettingsFiles:
    """Remembers what each file was when it was made; one that does not exist counts as empty. The first is named."""

    def __init__(self, *paths: Path) -> None:
        self.paths = paths
        self._read = self._contents()
        self._seen = self._stamps()
        self._named = paths[0]
        self._rest: Callable[[], str] = str

    def is_edited(self) -> bool:
        """Return True if a file is another one than was read last."""
        return self._contents() != self._read

    def take(self) -> None:
        """Note that the files are about to be read; what is written from now on is another edit."""
        self._seen, contents, self._rest = self._stamps(), self._contents(), str
        self._named, self._read = self._edited(contents), contents

    def waits(self, rest: Callable[[], str]) -> None:
        """Note what says that something of the files that were taken does not hold yet; empty for nothing."""
        self._rest = rest

    def health(self) -> HealthPart:
        """Say where the settings are, and whether they have to be read again by a restart."""
        stamps = self._stamps()
        if stamps != self._seen and (contents := self._contents()) != self._read:
            return HealthPart(name="settings", status="degraded", detail=f"{self._edited(contents)} {EDITED}.")
        self._seen = stamps
        if rest := self._rest():
            return HealthPart(name="settings", status="degraded", detail=f"{self._named} {rest}.")
        return HealthPart(name="settings", status="ok", detail=str(self.paths[0]))

    def _edited(self, contents: tuple[bytes, ...]) -> Path:
        """Return the file that differs from what was read; the first where none does."""
        differs = (path for path, now, was in zip(self.paths, contents, self._read, strict=True) if now != was)
        return next(differs, self.paths[0])

    def _contents(self) -> tuple[bytes, ...]:
        return tuple(map(_content, self.paths))

    def _stamps(self) -> tuple[tuple[int, ...], ...]:
        return tuple(map(_stamp, self.paths))


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _content(path: Path) -> bytes:
    try:
        return hashlib.sha256(read_regular(path, FILE_BYTES_MAX)[0]).digest()
    except OSError:
        return b""
