"""A way back for an agent that was woken: a token for one wake, good for minutes, for a report and what stands open.

Theory: the message that wakes goes to a gateway and into a model's context, so whatever is in it may be read by others.
What this opens is the least that the message asks for, it ends by itself, and it is known in memory alone, as a hash:
no log, no database, no card and no restart has it. Each attempt has a token of its own, for an earlier one may have
arrived after all.
"""

from datetime import datetime, timedelta
from typing import Final

from hub.domain.storage import Client
from hub.kit.bounded import BoundedMap

LASTS: Final = timedelta(minutes=15)
PASSES_MAX: Final = 30
SCOPE: Final = "wake"
"""No endpoint asks for it: those that a wake may use say so."""


class WakePasses:
    """The passes that were handed out; of too many the oldest ends."""

    def __init__(self) -> None:
        self._by_hash: BoundedMap[str, Client] = BoundedMap(PASSES_MAX)

    def add(self, wake_id: str, drive: str, token_sha256: str, *, user: str, now: datetime) -> None:
        """Let a token in for a wake of this drive."""
        name = f"{SCOPE}/{wake_id}"
        self._by_hash[token_sha256] = Client(
            id=name, user=user, name=drive, token_sha256=token_sha256, scopes=(SCOPE,), created_at=now
        )

    def find(self, token_sha256: str) -> Client | None:
        """Return whose pass has this hash; whether it is still good is another question (`is_over`)."""
        return self._by_hash.get(token_sha256)


def drive_of(client: Client | None) -> str:
    """Return the drive that a client was woken for; empty for every other client."""
    return client.name if client is not None and client.scopes == (SCOPE,) else ""


def is_over(client: Client, now: datetime) -> bool:
    """Return True if this client's pass has ended; other clients have none."""
    return bool(drive_of(client)) and abs(now - client.created_at) >= LASTS
