"""Whether runs may begin, as a fact on disk: a file that is there. Taking it away needs no space, no store and no hub.

The file says nothing; that it exists is all. A home is armed once, when a version that knows of this first uses it
(`format` remembers that). From then on only a person's resume makes the file again, so whatever goes wrong in between,
a file that is missing or cannot be looked at means: nothing begins.
"""

import contextlib
import os
import stat

from hub.io.home.folder import Home, said
from hub.io.home.kept_file import KeptFile
from hub.kit.files import FILE_MODE

FORMAT = "1\n"


class ArmedFile:
    """The file in one home."""

    def __init__(self, home: Home) -> None:
        self._path = home.armed
        self.format = KeptFile(home.format, FORMAT.encode())
        """Without it hooks would not know of a stop, and a start would arm the home."""

    def set_up(self) -> None:
        """Arm a home that is new, or that an earlier version left, which had no such file; never a second time.

        Raises:
            HomeError: it cannot be written.
        """
        if os.path.lexists(self.format.path):
            return
        with said(self.format.path):
            self.format.write(FORMAT)  # first: a crash between the two leaves a home that is stopped
        self.arm()

    def is_armed(self) -> bool:
        """Return True if runs may begin."""
        try:
            return stat.S_ISREG(self._path.lstat().st_mode)
        except OSError:
            return False

    def disarm(self) -> bool:
        """Let nothing begin any more; False if the disk does not even let the file be taken away."""
        with contextlib.suppress(OSError):
            self._path.unlink()
        return not self.is_armed()

    def arm(self) -> None:
        """Let runs begin again.

        Raises:
            HomeError: the file cannot be made.
        """
        with said(self._path):
            os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, FILE_MODE))
