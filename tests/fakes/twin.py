"""A model that has learnt its lines."""

from collections import deque
from collections.abc import Iterable

from hub.domain.policy import Policy
from hub.domain.situation import Situation
from hub.domain.suggestion import Guess, Offer


class ScriptedTwin:
    """Gives its answers one after the other; after the last one it says nothing."""

    def __init__(self, answers: Iterable[Guess | None]) -> None:
        self._answers = deque(answers)
        self.asked: list[Situation] = []
        self.offered: list[tuple[Offer, ...]] = []

    async def predict(self, situation: Situation, policy: Policy, offers: tuple[Offer, ...] = ()) -> Guess | None:
        del policy
        self.asked.append(situation)
        self.offered.append(offers)
        return self._answers.popleft() if self._answers else None
