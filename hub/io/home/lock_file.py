"""The lock of a home: one hub has it at a time, and agents' hooks know by it that a hub is there."""

import fcntl
import os
from pathlib import Path

from hub.io.home.private_files import is_open_to_owner, make_folder, make_room
from hub.kit.files import FILE_MODE

DRAFT = ".lock.new"


class HomeHeldError(Exception):
    """Another process has it."""


class LockFile:
    """The lock, which goes with the process, however that ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held: int | None = None

    @property
    def is_held(self) -> bool:
        """Whether this process has it."""
        return self._held is not None

    def take(self) -> None:
        """Take it for this process.

        Raises:
            HomeHeldError: another process has it.
            OSError: it cannot be made.
        """
        self._held = _locked(self.path, os.O_CREAT)

    def release(self) -> None:
        """Give it back; safe to call twice."""
        if self._held is not None:
            fcntl.flock(self._held, fcntl.LOCK_UN)  # a child that is just being started may hold a copy for a moment
            os.close(self._held)
            self._held = None

    def put_back(self) -> bool:
        """Have the lock at its path again where something else is there by now, or nothing; return True if so.

        Raises:
            OSError: it cannot be made.
        """
        if self._held is None or self._is_there(self._held):
            return False
        make_room(self.path)
        make_folder(self.path.parent)
        draft = self.path.with_name(DRAFT)
        draft.unlink(missing_ok=True)
        try:
            taken = _locked(draft, os.O_CREAT | os.O_EXCL)
        except HomeHeldError as error:
            raise OSError(f"{draft} is held by another process.") from error
        try:
            draft.replace(self.path)
        except OSError:
            os.close(taken)
            raise
        before, self._held = self._held, taken
        os.close(before)
        return True

    def _is_there(self, held: int) -> bool:
        try:
            found, own = self.path.lstat(), os.fstat(held)
        except OSError:
            return False
        return os.path.samestat(found, own) and is_open_to_owner(found)


def _locked(path: Path, how: int) -> int:
    opened = os.open(path, os.O_RDWR | os.O_CLOEXEC | how, FILE_MODE)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(opened)
        if isinstance(error, BlockingIOError):
            raise HomeHeldError from error
        raise
    return opened
