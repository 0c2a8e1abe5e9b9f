"""Files that only their owner may read, written in one step."""

import errno
import os
from pathlib import Path

from hub.kit.files import FOLDER_MODE, replace_file

NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})


def private_folder(folder: Path) -> None:
    """Make ``folder`` (and its parents) if need be, and close it to everybody else."""
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    folder.chmod(FOLDER_MODE)


def write_private(path: Path, text: str) -> None:
    """Replace ``path`` by ``text`` in one step; nobody else can read it at any moment.

    Where a full disk has no room for a second copy, what is no longer than before is written over the file itself: who
    is taken off a list is off it. That is not one step, and a crash in the middle leaves a file that is refused.
    """
    content = text.encode()
    try:
        replace_file(path, content)
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
