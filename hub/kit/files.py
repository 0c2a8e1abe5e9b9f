"""Files that are replaced in one step, and that only their owner may read."""

import contextlib
import os
import secrets
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
