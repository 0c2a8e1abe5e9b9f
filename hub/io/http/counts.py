"""What the API counts for /metrics."""

from collections import Counter


class Counts:
    """Grows only; one number for each class of status, so it is bounded."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()

    def answered(self, status: int) -> None:
        """Count one answer by the first digit of its status, such as `2xx`."""
        self.answers[f"{status // 100}xx"] += 1
