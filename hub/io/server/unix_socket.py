"""The hub's own Unix socket: the way in for this machine's commands, in a folder that nobody else can enter.

A socket's path may only be about a hundred bytes long. Where that of $PULSE_HOME is longer, the socket gets a private
folder elsewhere; run.json tells where.
"""

import contextlib
import hashlib
import os
import socket
import stat
import tempfile
from pathlib import Path

from hub.io.home.folder import Home, HomeError
from hub.io.home.private_files import private_folder
from hub.kit.files import FILE_MODE, FOLDER_MODE

FOLDER = "run"
NAME = "api.sock"
PATH_BYTES_MAX = 100
"""Linux takes 107, macOS 103."""
BACKLOG = 512
DIGEST_CHARS = 16
TEMPORARY = "pulse-"


class LocalSocket:
    """The socket, listening, and its path."""

    def __init__(self, home: Path) -> None:
        """Open it; the home's lock must be held, so that what is there is left over and nobody's.

        Raises:
            HomeError: it cannot be made.
        """
        try:
            left = Home(home).record()
            if left is not None and left.socket:
                forget(Path(left.socket))
            self.path = _place(home)
            self.path.unlink(missing_ok=True)
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                self.socket.bind(str(self.path))
                self.path.chmod(FILE_MODE)
                self.socket.listen(BACKLOG)
            except OSError:
                self.socket.close()
                raise
        except OSError as error:
            raise HomeError(
                f"The socket for Pulse's commands cannot be opened below {home}: {error.strerror or error}.",
                fix=HomeError.__doc__ or "",
            ) from error
        self.socket.setblocking(False)  # noqa: FBT003  the standard library's own signature

    def close(self) -> None:
        """Take the socket away."""
        self.socket.close()
        forget(self.path)


def forget(path: Path) -> None:
    """Remove a socket, and its folder if that was made for it alone; a hub that was killed left both."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
        if path.parent.name.startswith(TEMPORARY):
            path.parent.rmdir()


def _place(home: Path) -> Path:
    own = home / FOLDER / NAME
    if _fits(own):
        private_folder(own.parent)
        return own
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and _is_private(Path(runtime)):
        digest = hashlib.sha256(os.fsencode(home)).hexdigest()[:DIGEST_CHARS]
        shared = Path(runtime) / f"{TEMPORARY}{digest}" / NAME
        if _fits(shared):
            private_folder(shared.parent)
            return shared
    return Path(tempfile.mkdtemp(prefix=TEMPORARY)) / NAME


def _fits(path: Path) -> bool:
    return len(os.fsencode(path)) <= PATH_BYTES_MAX


def _is_private(folder: Path) -> bool:
    """Return True if a folder is ours alone; one that others can write to could be swapped for theirs."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) == FOLDER_MODE
