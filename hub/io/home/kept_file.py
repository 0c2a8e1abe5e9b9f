"""A file that the hub alone writes: what another program writes there while Pulse runs is no word of the person's."""

import contextlib
import secrets
from pathlib import Path

from hub.io.home.private_files import private_folder, write_private
from hub.kit.files import read_regular

FILE_BYTES_MAX = 16 * 1_048_576


class KeptFile:
    """One such file, and what the hub last read or wrote there; None where there is none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._content: bytes | None = None

    def read(self) -> bytes | None:
        """Read it; what it says now is what it is to say.

        Raises:
            OSError: it is there and cannot be read.
        """
        self._content = _content(self.path)
        return self._content

    def write(self, text: str) -> None:
        """Have it say something else.

        Raises:
            OSError: it cannot be written; it is to say what it said.
        """
        before, self._content = self._content, text.encode()
        try:
            private_folder(self.path.parent)
            write_private(self.path, text)
        except OSError:
            self._content = before
            raise

    def put_back(self) -> bool:
        """Have it say again what the hub wrote; return True if it said something else, or cannot be read.

        Raises:
            OSError: it cannot be written.
        """
        if not _make_room(self.path):
            with contextlib.suppress(OSError):  # no file of the hub's, so it is put in its place
                if _content(self.path) == self._content:
                    return False
        if self._content is None:
            self.path.unlink(missing_ok=True)
        else:
            private_folder(self.path.parent)
            write_private(self.path, self._content.decode())
        return True


def _make_room(path: Path) -> bool:
    """Move a folder aside that is where the file should be, with all in it; take away what else is no file.

    Returns:
        True if there was something of the kind.
    """
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(f"{path.name}.{secrets.token_hex(8)}"))
        return True
    if path.exists() and not path.is_file():
        path.unlink()
        return True
    return False


def _content(path: Path) -> bytes | None:
    try:
        content, about = read_regular(path, FILE_BYTES_MAX)
    except FileNotFoundError:
        return None
    if about.st_size > len(content):
        raise OSError(f"{path} is too large.")
    return content
