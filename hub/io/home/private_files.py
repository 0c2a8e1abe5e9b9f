"""Files that only their owner may read, written in one step."""

import errno
import os
import secrets
from pathlib import Path

from hub.kit.files import FILE_MODE, FOLDER_MODE, replace_file

NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})


def private_folder(folder: Path) -> None:
    """Make ``folder`` (and its parents) if need be, and close it to everybody else."""
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    folder.chmod(FOLDER_MODE)


def make_folder(folder: Path) -> None:
    """Make ``folder`` if need be, closed to everybody else; one that is there stays as its owner has it."""
    if not folder.is_dir():
        private_folder(folder)


def is_open_to_owner(about: os.stat_result) -> bool:
    """Return True if the owner of a file of ours may read and write it, as when it was made."""
    return about.st_mode & FILE_MODE == FILE_MODE


def make_room(path: Path) -> bool:
    """Move a folder aside that is where the file should be, with all in it; take away what else is no file.

    What stands in the place of its folder, and is none, is moved aside as well.

    Returns:
        True if there was something of the kind.
    """
    folder = path.parent
    if os.path.lexists(folder) and not folder.is_dir():
        _move_aside(folder)
    if path.is_dir() and not path.is_symlink():
        _move_aside(path)
        return True
    if os.path.lexists(path) and not path.is_file():
        path.unlink()
        return True
    return False


def _move_aside(path: Path) -> None:
    path.rename(path.with_name(f"{path.name}.{secrets.token_hex(8)}"))


def write_private(path: Path, text: str) -> None:
    """Replace ``path`` by ``text`` in one step; nobody else can read it at any moment."""
    replace_private(path, text.encode())


def replace_private(path: Path, content: bytes, *, lasting: bool = False) -> None:
    """Replace a file in one step; nobody else can read it at any moment. With `lasting` it is on the disk then.

    Where a full disk has no room for a second copy, what is no longer than before is written over the file itself: who
    is taken off a list is off it. That is not one step, and a crash in the middle leaves a file that is refused.
    """
    try:
        replace_file(path, content, lasting=lasting)
    except OSError as error:
        if error.errno not in NO_SPACE or not _written_over(path, content):
            raise


def _written_over(path: Path, content: bytes) -> bool:
    """Write over a file what is no longer than it is; False if it is longer, or there is no such file."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        if len(content) > os.fstat(descriptor).st_size:
            return False
        file.write(content)
        file.truncate()
        os.fsync(descriptor)
    return True
