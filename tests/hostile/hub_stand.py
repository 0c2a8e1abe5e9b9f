"""A hub in a process of its own, with the broker that came along, for attackers and the devices between them."""

import contextlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hub.contract.access import Login
from tests.bench.hub_process import HubProcess, running

CONFIG = """
[crosspoll]
pending_max = 100000
[sensors]
transcripts = false
"""


class HubStand:
    """A running hub and its broker's process."""

    def __init__(self, hub: HubProcess, folder: Path) -> None:
        self.hub = hub
        self._record = folder / "home" / "broker" / "child.json"

    def broker_pid(self) -> int:
        """Return the process of the broker that runs now."""
        return int(json.loads(self._record.read_text())["pid"])

    def pair(self, surface: str, device: str) -> Login:
        """Pair a device; its profile has the name of its surface."""
        body = {"surface": surface, "device": device, "profile": surface}
        return msgspec.convert(self.hub.call("POST", "/api/v1/devices", body), Login)

    def ask(self, key: str) -> str:
        """Ask the person something; return the card's id."""
        body = {"question": f"Deploy {key}?", "timeoutS": 3600, "idempotencyKey": f"k{key}"}
        return str(self.hub.call("POST", "/api/v1/ask", body)["prediction"]["id"])

    def broker_health(self) -> str:
        """Return how the hub says that its broker is."""
        parts = self.hub.call("GET", "/api/v1/health")["parts"]
        return str(next(part["status"] for part in parts if part["name"] == "broker"))


@contextlib.contextmanager
def hub_stand() -> Iterator[HubStand]:
    """Run a hub for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="pulse-hostile-") as name:
        folder = Path(name)
        home = folder / "home"
        home.mkdir(mode=0o700)
        (home / "config.toml").write_text(CONFIG, encoding="utf-8")
        (home / "config.toml").chmod(0o600)
        with running(home, folder) as hub:
            yield HubStand(hub, folder)
        if hub.process.stdout is not None:
            hub.process.stdout.close()
