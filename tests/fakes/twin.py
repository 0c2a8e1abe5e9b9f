"""A model that has learnt its lines."""

from collections import deque
from collections.abc import Iterable

from hub.contract.api import HealthPart
from hub.domain.policy import Policy
from hub.domain.provenance import ModelText
from hub.domain.suggestion import Guess
from hub.domain.twin import TwinChat, TwinQuestion, TwinReply, TwinSaid, TwinTrial


class ScriptedTwin:
    """Gives its answers one after the other; after the last one it says nothing."""

    def __init__(self, answers: Iterable[Guess | None]) -> None:
        self._answers = deque(answers)
        self.asked: list[TwinQuestion] = []

    async def predict(self, asked: TwinQuestion, policy: Policy) -> TwinReply:
        del policy
        self.asked.append(asked)
        guess = self._answers.popleft() if self._answers else None
        return TwinReply(trouble="It has no answer.") if guess is None else TwinReply(guesses=(guess,))

    async def chat(self, chat: TwinChat) -> TwinSaid:
        guess = self._answers.popleft() if self._answers else None
        wrong = f"The model “{chat.service.name}” did not answer." if guess is None else ""
        return TwinSaid(words=ModelText("") if guess is None else guess.prompt, wrong=wrong)

    async def test(self, policy: Policy, name: str = "") -> tuple[TwinTrial, ...]:
        return tuple(
            TwinTrial(name=one.name, model=one.model, is_well=True, detail="it answered")
            for one in policy.twins
            if name in {"", one.name}
        )

    def health(self, policy: Policy) -> tuple[HealthPart, ...]:
        return tuple(HealthPart(name=f"model {one.name}", status="ok") for one in policy.twins)
