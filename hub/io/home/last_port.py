"""Which port the API had last. A browser knows Pulse by it: on another one an open page never finds it again."""

import contextlib
from pathlib import Path

from hub.io.home.kept_file import KeptFile
from hub.io.home.private_files import write_private
from hub.kit.files import read_regular

PORT_MAX = 65_535
LINE_BYTES_MAX = 16


class LastPort:
    """The port in one home's folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "port"

    def read(self) -> int:
        """Return the port, 0 where none is known."""
        try:
            port = int(read_regular(self._path, LINE_BYTES_MAX)[0])
        except (OSError, ValueError):
            return 0
        return port if 0 < port <= PORT_MAX else 0

    def keep(self, port: int) -> None:
        """Remember the port. A disk that is full does not keep Pulse from starting; a page is opened again then."""
        if port != self.read():
            with contextlib.suppress(OSError):
                write_private(self._path, f"{port}\n")

    def kept(self, port: int) -> KeptFile:
        """Return the file as it is to stay while this is the port."""
        return KeptFile(self._path, f"{port}\n".encode())
