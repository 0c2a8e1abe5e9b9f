"""Which port the API had last. A browser knows Pulse by it: on another one an open page never finds it again."""

import contextlib
from pathlib import Path

from hub.io.home.private_files import write_private

PORT_MAX = 65_535


class LastPort:
    """The port in one home's folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "port"

    def read(self) -> int:
        """Return the port, 0 where none is known."""
        try:
            port = int(self.path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0
        return port if 0 < port <= PORT_MAX else 0

    def keep(self, port: int) -> None:
        """Remember the port. A disk that is full does not keep Pulse from starting; a page is opened again then."""
        if port != self.read():
            with contextlib.suppress(OSError):
                write_private(self.path, f"{port}\n")
