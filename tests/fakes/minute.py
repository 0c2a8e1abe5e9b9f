"""The time in which nothing more is told, which ends when a test says so."""

from collections.abc import Callable


class Minute:
    """Stands in for the event loop's timers: calls what waits for it when it is over."""

    def __init__(self) -> None:
        self._then: list[Callable[[], None]] = []

    def __call__(self, delay_s: float, then: Callable[[], None]) -> None:
        assert delay_s > 0
        self._then.append(then)

    def is_over(self) -> None:
        """Call what waited; what is asked for meanwhile waits for the next one."""
        over, self._then = self._then, []
        for then in over:
            then()
