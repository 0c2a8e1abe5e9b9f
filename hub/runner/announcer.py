"""Changes on their way to the loop: what repeats itself within a moment is told once more when that is over."""

import asyncio

from hub.domain.moment import Change
from hub.loop.events import Changed
from hub.runner.sensor_reader import Post

SPACING_S = 0.5
"""Well below the shortest quiet that makes sense, so that nothing is noticed later for it."""


class ChangeAnnouncer:
    """Tells the loop what changed; until it is begun nothing is told, for the first look sees it all."""

    def __init__(self) -> None:
        self._post: Post | None = None
        self._resting: dict[Change, asyncio.TimerHandle] = {}
        self._again: set[Change] = set()

    def begin(self, post: Post) -> None:
        """Tell from now on."""
        self._post = post

    def tell(self, change: Change) -> None:
        """Tell of a change, at once or when the moment since the last one of its kind is over."""
        if change in self._resting:
            self._again.add(change)
        elif self._post is not None:
            self._post(Changed(change=change))
            self._resting[change] = asyncio.get_running_loop().call_later(SPACING_S, self._rested, change)

    def close(self) -> None:
        """Tell nothing more."""
        self._post = None
        for handle in self._resting.values():
            handle.cancel()

    def _rested(self, change: Change) -> None:
        del self._resting[change]
        if change in self._again:
            self._again.discard(change)
            self.tell(change)
