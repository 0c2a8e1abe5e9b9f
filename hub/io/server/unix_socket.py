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
from collections.abc import Callable
from pathlib import Path

from hub.io.home.folder import Home, HomeError
from hub.io.home.private_files import is_open_to_owner, make_room, private_folder
from hub.kit.files import FILE_MODE, FOLDER_MODE

FOLDER = "run"
NAME = "api.sock"
DRAFT = "api.new"
"""No longer than its name."""
PATH_BYTES_MAX = 100
"""Linux takes 107, macOS 103."""
BACKLOG = 512
DIGEST_CHARS = 16
TEMPORARY = "pulse-"


class LocalSocket:
    """The socket, listening, and its path; `serve` is handed each that is opened after the first."""

    def __init__(self, home: Path) -> None:
        """Open it; the home's lock must be held, so that what is there is left over and nobody's.

        Raises:
            HomeError: it cannot be made.
        """
        self.serve: Callable[[socket.socket], None] = lambda _opened: None
        self._is_closed = False
        try:
            left = Home(home).record()
            if left is not None and left.socket:
                forget(Path(left.socket))
            self.path = _place(home)
            self.socket = self._open()
        except OSError as error:
            raise HomeError(
                f"The socket for Pulse's commands cannot be opened below {home}: {error.strerror or error}.",
                fix=HomeError.__doc__ or "",
            ) from error

    def _open(self) -> socket.socket:
        """Listen, and put it in place in one step, so that every client finds this socket or the one before."""
        make_room(self.path)
        private_folder(self.path.parent)
        draft = self.path.with_name(DRAFT)
        draft.unlink(missing_ok=True)
        opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            opened.bind(str(draft))
            draft.chmod(FILE_MODE)
            opened.listen(BACKLOG)
            opened.setblocking(False)  # noqa: FBT003  the standard library's own signature
            made = draft.lstat()
            draft.replace(self.path)
        except OSError:
            opened.close()
            raise
        self._made = (made.st_dev, made.st_ino)
        return opened

    def put_back(self) -> bool:
        """Listen at the path again where something else is there by now, or nothing; return True if so.

        What is connected stays connected; the socket before this one is closed by whom `serve` calls.

        Raises:
            OSError: it cannot be made.
        """
        if self._is_closed or self._is_there():
            return False
        self.socket = self._open()
        self.serve(self.socket)
        return True

    def _is_there(self) -> bool:
        try:
            found = self.path.lstat()
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self._made and is_open_to_owner(found)

    def close(self) -> None:
        """Take the socket away."""
        self._is_closed = True
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
