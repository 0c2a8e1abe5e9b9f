"""Training a model at a service: looks whether one is due, and carries out what a person said yes to.

What it costs, where it stands and how to go on is known by whoever trains (`hub/io/training`); here is only when. What
was begun goes on after a restart: the training says itself for which card it is.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

from hub.contract.errors import PulseError
from hub.domain.lessons import TrainingPair
from hub.domain.reports import CountPairs, PairsAfter
from hub.domain.training import TrainingOffer
from hub.kit.tasks import end_all
from hub.learn.pairs import is_offered
from hub.loop.commands import StopTraining, TrainModel
from hub.loop.events import Event, ModelTrained, TrainingDue
from hub.loop.state import State
from hub.ports import Clock, Store

LOOK_EVERY = timedelta(hours=1)
PAGE_PAIRS = 200
PAIRS_MAX = 20_000
Prepare = Callable[[Sequence[TrainingPair], int], Awaitable[TrainingOffer | None]]
"""Make the file of these pairs, the last of which has this number; None where no service is set up."""
Train = Callable[[str, TrainingOffer | None], Awaitable[str]]
"""Train for a card, or go on where that was; return the model's name."""
log = logging.getLogger(__name__)


class ModelTrainer:
    """One training at a time."""

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        prepare: Prepare,
        train: Train,
        forget: Callable[[], Awaitable[None]],
        under_way: Callable[[], str],
    ) -> None:
        self._store = store
        self._clock = clock
        self._prepare = prepare
        self._train = train
        self._forget = forget
        self._under_way = under_way
        self._tasks: set[asyncio.Task[None]] = set()
        self._training: asyncio.Task[None] | None = None

    def begin(self, state: Callable[[], State], post: Callable[[Event], None]) -> None:
        """Go on with what was under way, and look from now on whether a training is due."""
        card_id = self._under_way()
        if card_id:
            self._training = self._spawn(self._carry_out(card_id, None, post))
        self._spawn(self._look_on(state, post))

    def do(self, command: TrainModel | StopTraining, post: Callable[[Event], None]) -> None:
        """Begin a training, or end it."""
        if isinstance(command, TrainModel):
            self._training = self._spawn(self._carry_out(command.card_id, command.offer, post))
            return
        if self._training is not None:
            self._training.cancel()
        self._spawn(self._forget_all())

    async def look(self, state: State) -> TrainingOffer | None:
        """Return what can be offered now, with its file made; None where nothing is due, or something is under way."""
        count = await self._store.read(CountPairs(user=state.user))
        is_busy = self._training is not None and not self._training.done()
        if is_busy or not state.policy.dpo_export or not self._is_due(count.total, state):
            return None
        return await self._prepare(await self._pairs(state.user), count.last)

    async def close(self) -> None:
        """End; what is under way goes on at the next start."""
        await end_all(self._tasks)

    def _is_due(self, pairs: int, state: State) -> bool:
        return is_offered(pairs, state.mind.training, self._clock.now())

    async def _look_on(self, state: Callable[[], State], post: Callable[[Event], None]) -> None:
        while True:
            await self._clock.sleep_until(self._clock.now() + LOOK_EVERY)
            try:
                offer = await self.look(state())
            except PulseError as error:  # the store or the disk; the next look is another try
                log.warning("a training could not be prepared: %s", error.code)
                continue
            if offer is not None:
                post(TrainingDue(offer=offer))

    async def _carry_out(self, card_id: str, offer: TrainingOffer | None, post: Callable[[Event], None]) -> None:
        try:
            post(ModelTrained(card_id=card_id, name=await self._train(card_id, offer)))
        except PulseError as error:
            post(ModelTrained(card_id=card_id, wrong=" ".join(filter(None, (error.detail, error.fix)))))

    async def _forget_all(self) -> None:
        try:
            await self._forget()
        except PulseError as error:
            log.warning("a training could not be stopped at its service: %s", error.code)

    async def _pairs(self, user: str) -> list[TrainingPair]:
        found, number = list[TrainingPair](), 0
        while len(found) < PAIRS_MAX and (
            page := await self._store.read(PairsAfter(user=user, after=number, limit=PAGE_PAIRS))
        ):
            found += [one.pair for one in page]
            number = page[-1].number
        return found

    def _spawn(self, work: Awaitable[None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
