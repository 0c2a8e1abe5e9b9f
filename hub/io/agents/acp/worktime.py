"""How long an agent has worked: the time in which it waits for a person does not count."""


class WorkTime:
    """Counts up to a limit. It is told the time, and knows none."""

    def __init__(self, limit_s: float) -> None:
        self._left_s = limit_s
        self._since_s: float | None = None

    def go(self, now_s: float) -> float:
        """Count from now on; return how long there is left."""
        self._since_s = now_s
        return max(0.0, self._left_s)

    def rest(self, now_s: float) -> None:
        """Count no more until it goes on."""
        if self._since_s is not None:
            self._left_s -= now_s - self._since_s
        self._since_s = None
