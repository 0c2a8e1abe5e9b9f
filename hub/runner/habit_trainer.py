"""Carrying out a training of habits: the stored answers go out, and a model comes back, or the reason why not."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from hub.contract.api import HealthPart
from hub.contract.errors import PulseError
from hub.domain.reports import TaughtLately
from hub.domain.teaching import Taught, YesModel
from hub.lexicon import NO_WORDS, shipped
from hub.loop.events import Event, YesModelArrived
from hub.ports import Store

TRAINED_MAX = 5_000
"""Answers that a model is made of: older ones have faded."""
DAMAGED_WORDS = (
    "The table of words that came with Pulse (hub/lexicon/words.bin) is damaged: suggestions are rated without their "
    "words. Install Pulse again."
)
Train = Callable[[Sequence[Taught]], Awaitable[YesModel | str]]
log = logging.getLogger(__name__)


class HabitTrainer:
    """Reads what was taught, has it trained on, and remembers how that went."""

    def __init__(self, store: Store, user: str, train: Train) -> None:
        self._store = store
        self._user = user
        self._train = train
        self._trouble = ""

    async def train(self, before: datetime, post: Callable[[Event], None]) -> None:
        """Train on all that was taught before a moment, and post the model; None where there is none."""
        try:
            rows = await self._store.read(TaughtLately(user=self._user, limit=TRAINED_MAX))
            made = await self._train([row for row in rows if row.at < before])
        except PulseError as error:  # the store could not be read
            made = error.detail
        self._trouble = made if isinstance(made, str) else ""
        if self._trouble:
            log.warning("the model of your answers was not made anew: %s", self._trouble)
        post(YesModelArrived(before=before, model=None if isinstance(made, str) else made))

    def health(self) -> HealthPart:
        """Say whether the last training went well; without one, what was learnt answer by answer is used."""
        if shipped() is NO_WORDS:
            return HealthPart(name="learning", status="degraded", detail=DAMAGED_WORDS)
        return HealthPart(
            name="learning",
            status="degraded" if self._trouble else "ok",
            detail=f"{self._trouble} What was learnt before is used." if self._trouble else "",
        )
