"""How many cards wait, for the number on an icon: a delivery brings it a moment before the state does."""

from datetime import datetime


class WaitingCount:
    """The newest count that was heard; None before any."""

    def __init__(self) -> None:
        self.count: int | None = None
        self._at: datetime | None = None

    def hear(self, count: int | None, at: datetime) -> None:
        """Take a count as of `at`, unless a newer one is known."""
        if count is not None and (self._at is None or at >= self._at):
            self.count, self._at = count, at
