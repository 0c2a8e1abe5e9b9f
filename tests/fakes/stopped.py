"""What stops: a clock until a test moves it, and a world where a test says so."""

from datetime import datetime


class StoppedClock:
    """A clock that only tests move."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    async def sleep_until(self, moment: datetime) -> None:
        self._now = max(self._now, moment)


class StoppedError(Exception):
    """The world was stopped where a test said so, as by a kill -9."""
