"""Where Codex's own server is found, and how long it waits for its person."""

from pathlib import Path

from hub.contract.base import Value

SOCKET = Path("app-server-control") / "app-server-control.sock"
"""Where it listens below its home, which is `$CODEX_HOME` or `~/.codex`."""


class CodexPlace(Value):
    """Codex's own folder, and for how many seconds a card of its waits."""

    home: str
    wait_s: int

    @property
    def socket(self) -> Path:
        """Where its app-server listens while it runs."""
        return Path(self.home) / SOCKET
