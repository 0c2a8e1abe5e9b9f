"""Hooks that could not be read are told to the person: in the log, and by `pulse doctor` as long as the hub runs."""

import logging
from datetime import datetime

from hub.contract.api import HealthPart
from hub.io.api.call import Services

log = logging.getLogger(__name__)


class UnreadHooks:
    """How many there were, whose the last one was and when."""

    def __init__(self) -> None:
        self._count = 0
        self._last: HealthPart | None = None

    def note(self, title: str, why: str, now: datetime) -> None:
        """Take note of one."""
        self._count += 1
        log.warning("a hook of %s could not be read: %s", title, why)
        detail = (
            f"{self._count} could not be read, the last from {title}: {why} If a tool was waiting, you were asked "
            f"first. If this happens again, reconnect {title} or update Pulse."
        )
        self._last = HealthPart(name="hooks", status="degraded", detail=detail, since=now)

    def health(self) -> tuple[HealthPart, ...]:
        """Return what a person should know of it; nothing where every hook was read."""
        return () if self._last is None else (self._last,)

    async def close(self) -> None:
        """End with the API; nothing is kept."""


def unread_of(services: Services) -> UnreadHooks:
    """Return what this API takes note of."""
    return services.late.one(UnreadHooks, UnreadHooks)
