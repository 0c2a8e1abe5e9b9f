"""The real time, and the person's time zone."""

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

LOCALTIME = Path("/etc/localtime")
ZONEINFO_MARK = "zoneinfo/"


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """Return the present moment."""
        return datetime.now(UTC)

    async def sleep_until(self, moment: datetime) -> None:
        """Return at `moment`, or at once if it has passed."""
        await asyncio.sleep(max(0.0, (moment - self.now()).total_seconds()))


def local_zone(configured: str) -> str:
    """Return the IANA name of the person's zone: the configured one, else the machine's, else UTC.

    Raises:
        KeyError: the configured name is unknown (a subclass, `ZoneInfoNotFoundError`).
    """
    if configured:
        return ZoneInfo(configured).key
    named = os.environ.get("TZ", "").lstrip(":")
    for name in (named, _of_link(LOCALTIME)):
        if name and _is_zone(name):
            return name
    return "UTC"


def _of_link(path: Path) -> str:
    return str(path.resolve()).partition(ZONEINFO_MARK)[2]


def _is_zone(name: str) -> bool:
    try:
        return bool(ZoneInfo(name).key)
    except (KeyError, ValueError, OSError):
        return False
