"""A file that the hub alone writes: what another program writes there while Pulse runs is no word of the person's."""

import contextlib
from pathlib import Path

from hub.io.home.private_files import is_open_to_owner, make_folder, make_room, replace_private
from hub.kit.files import read_regular

FILE_BYTES_MAX = 16 * 1_048_576


class KeptFile:
    """One such file, and what the hub last read or wrote there; None where there is none.

    What is `lasting` is on the disk once it is written, also where the power fails.
    """

    def __init__(
        self, path: Path, content: bytes | None = None, *, lasting: bool = False, bytes_max: int = FILE_BYTES_MAX
    ) -> None:
        self.path, self._lasting, self._bytes_max = path, lasting, bytes_max
        self.content = content

    def read(self) -> bytes | None:
        """Read it; what it says now is what it is to say.

        Raises:
            OSError: it is there and cannot be read.
        """
        self.content = self._read(self._bytes_max)
        return self.content

    def write(self, text: str) -> None:
        """Have it say something else.

        Raises:
            OSError: it cannot be written; it is to say what it said.
        """
        before, self.content = self.content, text.encode()
        try:
            make_folder(self.path.parent)
            replace_private(self.path, self.content, lasting=self._lasting)
        except OSError:
            self.content = before
            raise

    def put_back(self) -> bool:
        """Have it say again what the hub wrote; return True if it said something else, or cannot be read.

        Raises:
            OSError: it cannot be written.
        """
        if not make_room(self.path):
            with contextlib.suppress(OSError):  # no file of the hub's, so it is put in its place
                if self._read(len(self.content or b"") + 1, is_usable=True) == self.content:
                    return False
        if self.content is None:
            self.path.unlink(missing_ok=True)
        else:
            make_folder(self.path.parent)
            replace_private(self.path, self.content, lasting=self._lasting)
        return True

    def _read(self, limit_bytes: int, *, is_usable: bool = False) -> bytes | None:
        """Return what it says, None where it is missing; with `is_usable` only if its owner may use it, too."""
        try:
            content, about = read_regular(self.path, limit_bytes)
        except FileNotFoundError:
            return None
        if about.st_size > len(content):
            raise OSError(f"{self.path} is too large.")
        if is_usable and not is_open_to_owner(about):
            raise OSError(f"{self.path} is closed to its owner.")
        return content
