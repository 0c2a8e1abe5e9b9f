"""Files that are replaced in one step, and that only their owner may read; and reading what others wrote."""

import contextlib
import os
import secrets
import stat
from pathlib import Path

FILE_MODE, FOLDER_MODE = 0o600, 0o700


def replace_file(path: Path, content: bytes, *, lasting: bool = False) -> None:
    """Write a file in one step: after a crash it is the old or the new one, and nobody else could read it meanwhile.

    With `lasting` it is on the disk when this returns, also where the power fails.

    Raises:
        OSError: it could not be written, and is as it was.
    """
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)  # of a process that was killed; whoever put something else there gains nothing
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            if lasting:
                file.flush()
                os.fsync(descriptor)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)  # on a full disk it would keep what little room there is
        raise


def create_file(path: Path, content: bytes) -> None:
    """Write a file that does not exist yet, and lasts: no reader sees half of it, and one that is there stays.

    Raises:
        OSError: it could not be written.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):  # another process was faster; its file is the one
            os.link(draft, path)
    finally:
        draft.unlink()


def read_regular(
    path: str | Path, limit_bytes: int, *, start: int = 0, follow: bool = True
) -> tuple[bytes, os.stat_result]:
    """Return what a file says, as far as the limit, and what is known of it once it was read; nothing is waited for.

    Args:
        path: the file.
        limit_bytes: how much to read at most.
        start: from which byte on.
        follow: whether a symbolic link is followed.

    Raises:
        OSError: it is missing, unreadable, or no regular file.
    """
    # Without O_NONBLOCK, opening a named pipe would wait for a writer that never comes.
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    with os.fdopen(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{path} is not a regular file.")
        file.seek(start)
        return file.read(limit_bytes), os.fstat(file.fileno())
