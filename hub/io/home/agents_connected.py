"""Whether an agent of the person's was ever connected: from then on a terminal has to be let in to count as theirs.

It is kept in a file, and what connecting leaves behind says it too. The running hub goes by what it knows in memory,
and puts the file back where it is missing: with the next hook, and when it ends.
"""

import contextlib
from pathlib import Path

from hub.io.home.folder import Home
from hub.kit.files import FILE_MODE, replace_file

HOOKS = "hooks"
"""The folder with the programs that agents' hooks start."""


class AgentsConnected:
    """It becomes so once, and stays."""

    def __init__(self, home: Path | None) -> None:
        self._file = None if home is None else Home(home).agents_connected
        hooks = None if home is None else home / HOOKS
        self.ever = _is_there(self._file) or (hooks is not None and _holds_any(hooks))

    def note(self) -> None:
        """Take note that one is."""
        self.ever = True
        self.keep()

    def keep(self) -> None:
        """Put the file that says so back where it was taken away, so that the next start knows it too."""
        if self.ever and self._file is not None and not self._file.exists():
            with contextlib.suppress(OSError):  # a full disk: it holds in memory, and the hooks' programs say it too
                replace_file(self._file, b"", lasting=True)
                self._file.chmod(FILE_MODE)


def _is_there(file: Path | None) -> bool:
    return file is not None and file.exists()


def _holds_any(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except OSError:
        return False
