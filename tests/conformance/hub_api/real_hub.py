"""The real hub over a store in memory and a broker in memory, without sensors and agents."""

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from hub.domain.policy import Agent, Channel, Policy
from hub.domain.teaching import Taught, YesModel
from hub.io.home.clock import SystemClock
from hub.learn.yes import fit
from hub.loop.state import State
from hub.ports import Store
from hub.runner import AgentRuns, HabitTrainer, Hub, SensorReader
from tests.fakes.agent import ScriptedRunner
from tests.fakes.armed import FakeArming
from tests.fakes.bus import FakeBus
from tests.fakes.store import MemoryStore

USER = "anna"
POLICY = Policy(
    channels=(Channel(name="koji-core", specialty="Code", agent="playbook"),),
    agents=(Agent(name="playbook", kind="playbook"),),
)


async def trained(history: Sequence[Taught]) -> YesModel | str:
    """Train at once, in this process."""
    return fit(history)


@asynccontextmanager
async def real_hub(store: Store | None = None) -> AsyncIterator[Hub]:
    """Start a hub and stop it again."""
    kept, clock = store or MemoryStore(), SystemClock()
    seeds = map("seed{}".format, itertools.count())
    hub = Hub(
        State(user=USER, secret=b"s" * 32, file_policy=POLICY, policy=POLICY, profiles={}),
        store=kept,
        bus=FakeBus(),
        clock=clock,
        sensor_reader=SensorReader(store=kept, clock=clock, sensors=(), twin=None),
        runs=AgentRuns({"playbook": ScriptedRunner()}),
        trainer=HabitTrainer(kept, USER, trained),
        new_seed=lambda: next(seeds),
        arming=FakeArming(),
    )
    await hub.start()
    try:
        yield hub
    finally:
        await hub.close()
