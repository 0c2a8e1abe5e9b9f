"""Reads the person's files of goals, questions, feelings, hypotheses and deadlines, each only when it changed.

Agents write these files, at any moment: one that is half-written, too large, or turned into a link or a pipe is named,
and counts as it was when it could last be read, so that what is open in it does not go and come back as news.
"""

import os
import stat
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from hub.contract.base import Value
from hub.domain.readings import AnyReading, DriveFilesReading
from hub.domain.situation import DriveFileKind, DriveItem
from hub.io.sensors.bounded import head
from hub.io.sensors.file_stamps import Stamp, stamp_of
from hub.io.sensors.guard import DiskSensor, UnreadableError
from hub.sense.drive_files import FILE_BYTES_MAX, drive_file

FILES_MAX = 16


class NamedFile(Value):
    """A file, and what its items are."""

    kind: DriveFileKind
    path: Path


class SeenFile(Value):
    """A file as it was last seen: its time, size and number; what stood open in it, and what of it is no use."""

    stamp: Stamp | None
    items: tuple[DriveItem, ...] | None
    wrong: tuple[str, ...] = ()


NEVER = SeenFile(stamp=None, items=None)


class DriveFilesSensor(DiskSensor):
    """Looks at each file's time and size, and reads those that changed; a file that does not exist says nothing."""

    name = "drive-files"

    def __init__(self, files: Sequence[NamedFile], zone: tzinfo) -> None:
        super().__init__()
        self._files = tuple(files)[:FILES_MAX]
        self._zone = zone
        self._seen: dict[Path, SeenFile] = {}

    def look(self, now: datetime) -> AnyReading:  # noqa: ARG002  it is as it is
        """Look once, beside the loop."""
        self._seen = {file.path: self._at(file) for file in self._files}
        return reading_of(self._seen.items())

    def _at(self, file: NamedFile) -> SeenFile:
        before = self._seen.get(file.path, NEVER)
        try:
            status = file.path.lstat()
            return before if stamp_of(status) == before.stamp else self._read(file, status, before.items)
        except (FileNotFoundError, NotADirectoryError):
            return SeenFile(stamp=None, items=())
        except OSError as wrong:
            return SeenFile(stamp=None, items=before.items, wrong=(wrong.strerror or str(wrong),))

    def _read(self, file: NamedFile, status: os.stat_result, before: tuple[DriveItem, ...] | None) -> SeenFile:
        try:
            raw, written_at = _whole(file.path, status), datetime.fromtimestamp(status.st_mtime, UTC)
            found = drive_file(raw, file.kind, str(file.path), self._zone, written_at)
        except UnreadableError as wrong:
            found = str(wrong)
        if isinstance(found, str):
            return SeenFile(stamp=stamp_of(status), items=before, wrong=(found,))
        return SeenFile(stamp=stamp_of(status), items=found.items, wrong=found.wrong)


def reading_of(seen: Iterable[tuple[Path, SeenFile]]) -> DriveFilesReading:
    """Return what all files say together."""
    seen = tuple(seen)
    return DriveFilesReading(
        items=tuple(item for _, one in seen for item in one.items or ()),
        wrong=tuple(f"{path}: {why}" for path, one in seen for why in one.wrong),
        unread=tuple(str(path) for path, one in seen if one.items is None),
    )


def _whole(path: Path, status: os.stat_result) -> bytes:
    if stat.S_ISLNK(status.st_mode):
        raise UnreadableError("it is a symbolic link; name the file that it points to")
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError("it is not a regular file")
    raw = head(path, FILE_BYTES_MAX + 1, follow=False)
    if len(raw) > FILE_BYTES_MAX:
        raise UnreadableError(f"it is larger than {FILE_BYTES_MAX} bytes; move what is over out of it")
    return raw
