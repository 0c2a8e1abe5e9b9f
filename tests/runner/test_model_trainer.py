"""When a training is offered: by the count of pairs, the person's switch, and what was offered before."""

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from hub.contract.errors import UserError
from hub.domain.lessons import AddPair, TrainingPair
from hub.domain.training import Training, TrainingOffer
from hub.learn.pairs import PAIRS_MIN
from hub.loop.commands import StopTraining, TrainModel
from hub.loop.events import Event, ModelTrained, TrainingDue
from hub.runner import ModelTrainer
from hub.runner.model_trainer import LOOK_EVERY
from tests.conformance.store.samples import pair
from tests.fakes.clock import VirtualClock
from tests.fakes.store import MemoryStore
from tests.fakes.world import a_state
from tests.loop.stage import a_policy
from tests.loop.test_train_offer import OFFER


class Service:
    """Trains when it is told to; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[object] = []
        self.heard: asyncio.Queue[object] = asyncio.Queue()
        self.may_end = asyncio.Event()
        self.card = ""
        self.breaks = False

    async def prepare(self, pairs: Sequence[TrainingPair], through: int) -> TrainingOffer:
        self.asked.append((len(pairs), through))
        return replace(OFFER, pairs=len(pairs), through=through)

    async def train(self, card_id: str, offer: TrainingOffer | None) -> str:
        self.heard.put_nowait((card_id, offer))
        await self.may_end.wait()
        if self.breaks:
            raise UserError("It would cost more.", fix="Look there.")
        return "me/new"

    async def forget(self) -> None:
        self.heard.put_nowait("forgotten")

    def under_way(self) -> str:
        return self.card


class Stage:
    """A trainer, its store and its service, and what it posted."""

    def __init__(self, *, dpo_export: bool = True) -> None:
        self.store, self.clock, self.service = MemoryStore(), VirtualClock(), Service()
        self.state = a_state(a_policy(dpo_export=dpo_export))
        self.posted: asyncio.Queue[Event] = asyncio.Queue()
        self.trainer = ModelTrainer(
            store=self.store,
            clock=self.clock,
            prepare=self.service.prepare,
            train=self.service.train,
            forget=self.service.forget,
            under_way=self.service.under_way,
        )

    async def with_pairs(self, count: int) -> None:
        made = [AddPair(pair=pair(f"c{n}", f"r{n}", user=self.state.user, at=n)) for n in range(count)]
        await self.store.commit([tuple(made)])

    def begin(self) -> None:
        self.trainer.begin(lambda: self.state, self.posted.put_nowait)


@pytest.mark.parametrize(
    ("count", "is_on", "is_offered"),
    [(PAIRS_MIN - 1, True, False), (PAIRS_MIN, True, True), (PAIRS_MIN + 250, True, True), (PAIRS_MIN, False, False)],
)
async def test_it_is_offered_from_fifty_pairs_on_where_that_is_switched_on(
    count: int,
    is_on: bool,  # noqa: FBT001  a column
    is_offered: bool,  # noqa: FBT001  a column
) -> None:
    stage = Stage(dpo_export=is_on)
    await stage.with_pairs(count)
    offer = await stage.trainer.look(stage.state)
    assert (offer is not None) == is_offered
    assert stage.service.asked == ([(count, count)] if is_offered else [])


async def test_what_was_offered_lately_is_not_prepared_again() -> None:
    stage = Stage()
    await stage.with_pairs(PAIRS_MIN)
    training = Training(offered_at=stage.clock.now(), offered_pairs=PAIRS_MIN)
    state = replace(stage.state, mind=replace(stage.state.mind, training=training))
    assert await stage.trainer.look(state) is None


async def test_it_looks_by_itself_and_trains_one_thing_at_a_time() -> None:
    stage = Stage()
    await stage.with_pairs(PAIRS_MIN)
    stage.begin()
    await stage.clock.let_pass(LOOK_EVERY)
    due = await stage.posted.get()
    assert isinstance(due, TrainingDue)
    stage.trainer.do(TrainModel(card_id="pred_1", offer=due.offer), stage.posted.put_nowait)
    assert await stage.trainer.look(stage.state) is None
    stage.service.may_end.set()
    assert await stage.posted.get() == ModelTrained(card_id="pred_1", name="me/new")
    await stage.trainer.close()


async def test_what_goes_wrong_is_told_with_what_to_do() -> None:
    stage = Stage()
    stage.service.breaks = True
    stage.service.may_end.set()
    stage.trainer.do(TrainModel(card_id="pred_1", offer=OFFER), stage.posted.put_nowait)
    assert await stage.posted.get() == ModelTrained(card_id="pred_1", wrong="It would cost more. Look there.")


async def test_what_was_under_way_goes_on_at_a_start_and_a_stop_ends_it() -> None:
    stage = Stage()
    stage.service.card = "pred_9"
    stage.begin()
    assert await stage.service.heard.get() == ("pred_9", None)
    stage.trainer.do(StopTraining(card_id="pred_9"), stage.posted.put_nowait)
    assert await stage.service.heard.get() == "forgotten"
    await stage.trainer.close()
    assert stage.posted.empty()
