"""What a hub that runs tells as it happens: `pulse tail --json`, read by a thread."""

import json
import queue
import threading
from typing import Any

from tests.cli.real_hub import RealHub


class Told:
    """All that was told since, in its order."""

    def __init__(self, hub: RealHub) -> None:
        self._told: queue.Queue[dict[str, Any]] = queue.Queue()
        self._tail = hub.begin("tail", "--json")
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._tail.stdout is not None
        for line in self._tail.stdout:
            self._told.put(json.loads(line))

    def is_silent(self) -> bool:
        return self._told.empty()

    def next(self, wait_s: float) -> dict[str, Any]:
        return self._told.get(timeout=wait_s)

    def asked(self, event: str, wait_s: float) -> dict[str, Any]:
        """Wait until this is told of a request of an agent's, not of a notice of Pulse's own; return the card."""
        while True:
            found = self.next(wait_s)
            card = found.get("prediction", {})
            asker = (card.get("permission") or {}).get("agent", "pulse")
            if found["type"].endswith(event) and asker != "pulse":
                return dict(card)

    def close(self) -> None:
        self._tail.terminate()
        self._tail.communicate()
