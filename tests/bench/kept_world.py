"""A hub on a real store that keeps a real log, in this process: what takes lines in, and answers about sessions."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

from hub.domain.requests import Reply
from hub.domain.world_log_state import WorldIntake
from hub.domain.world_requests import LookAtWorld, WorldShown
from hub.io.home.clock import SystemClock
from hub.io.store.sqlite import open_store
from hub.io.world.on_disk import LogOnDisk
from hub.io.world.writing import ROTATE_BYTES
from hub.loop.events import WorldRead
from hub.runner import AgentRuns, HabitTrainer, Hub, SensorReader, WorldKeeper
from tests.fakes.agent import ScriptedRunner
from tests.fakes.armed import FakeArming
from tests.fakes.bus import FakeBroker, FakeBus
from tests.fakes.world import a_state
from tests.loop.stage import PROFILES, a_policy
from tests.runner.running_hub import trained


class KeptWorld:
    """The hub and its keeper; `hear` is told of all lines that were taken in, once that is durable."""

    def __init__(self, hub: Hub, keeper: WorldKeeper) -> None:
        self.hub, self.keeper = hub, keeper
        self.hear: Callable[[WorldRead], None] = lambda _read: None
        keeper.meet(self._take_in, hub.submit)

    async def look(self) -> None:
        await self.keeper.look()

    async def shown(self) -> WorldShown:
        reply = await self.hub.submit(LookAtWorld())
        assert isinstance(reply, WorldShown), reply
        return reply

    @property
    def intake(self) -> WorldIntake:
        return self.hub.state().world.intake

    async def _take_in(self, read: WorldRead) -> Reply:
        reply = await self.hub.take_in(read)
        self.hear(read)
        return reply


@asynccontextmanager
async def kept_world(path: Path, database: Path, rotate_bytes: int = ROTATE_BYTES) -> AsyncIterator[KeptWorld]:
    """Start it; nothing is read before `look`."""
    store, clock, numbers = await open_store(database), SystemClock(), count()
    keeper = WorldKeeper(
        LogOnDisk(path, rotate_bytes=rotate_bytes), path=str(path), store=store, clock=clock, user="me"
    )
    hub = Hub(
        a_state(a_policy(), PROFILES),
        store=store,
        bus=FakeBus(FakeBroker()),
        clock=clock,
        sensor_reader=SensorReader(store=store, clock=clock, sensors=(), twin=None),
        runs=AgentRuns({"command": ScriptedRunner()}),
        trainer=HabitTrainer(store, "me", trained),
        new_seed=lambda: f"s{next(numbers):08d}",
        arming=FakeArming(),
        world=keeper,
    )
    await hub.start()
    try:
        yield KeptWorld(hub, keeper)
    finally:
        await keeper.close()
        await hub.close()
        await store.close()
