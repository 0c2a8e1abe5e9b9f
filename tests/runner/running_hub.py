"""The real hub on a store, a broker, a clock and agents in memory."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

from msgspec.structs import replace

from hub.contract.api import AnswerReply, TriggerAnswer
from hub.contract.events import AnyEvent
from hub.contract.surface import Presence
from hub.contract.topics import DeviceAddress
from hub.contract.words import HumanInput, Verb
from hub.domain.policy import Policy
from hub.domain.requests import RegisterDevice, Reply, ReportPresence, SetAddress, Trigger, Withdraw
from hub.domain.storage import CardById
from hub.domain.suggestion import Answer, Card
from hub.domain.teaching import Taught, YesModel
from hub.kit.mqtt.messages import Delivery
from hub.learn.yes import fit
from hub.ports import Numbered, Sensor, Twin
from hub.runner import (
    AgentRuns,
    ChangeAnnouncer,
    HabitTrainer,
    Hub,
    MqttInbound,
    ProcessWatcher,
    SensorReader,
    WorldKeeper,
)
from tests.fakes.agent import Script, ScriptedRunner
from tests.fakes.armed import FakeArming
from tests.fakes.bus import FakeBroker, FakeBus
from tests.fakes.clock import VirtualClock
from tests.fakes.store import MemoryStore
from tests.fakes.world import APP_ADDRESS, APPS, a_state
from tests.loop.stage import PROFILES, a_policy

ADDRESS = b'"id":"adr_'

TICK = timedelta(seconds=31)
WAIT_S = 40.0
SETTLE_TURNS = 5
SEEDS = itertools.count(1)


async def trained(history: Sequence[Taught]) -> YesModel | str:
    """Train at once, in this process."""
    return fit(history)


class House:
    """Everything around one hub; `again` starts another hub on the same store and broker."""

    def __init__(
        self, policy: Policy | None = None, store: MemoryStore | None = None, broker: FakeBroker | None = None
    ) -> None:
        self.policy = policy or a_policy()
        self.store = store or MemoryStore()
        self.broker = broker or FakeBroker()
        self.bus = FakeBus(self.broker)
        self.clock = VirtualClock()
        self.agent = ScriptedRunner(default=Script(lines=("working",)))
        self.arming = FakeArming()
        self.sensors: Sequence[Sensor] = ()
        self.twin: Twin | None = None
        self.world: WorldKeeper | None = None
        self.processes: ProcessWatcher | None = None
        self.opens = True
        """Whether the hub can be expected to have its first look at once."""
        self.device_key: str | None = None
        """The public key by which a device has to prove what it hands in; None before agents are connected."""
        self.events: list[AnyEvent] = []
        self._changed = asyncio.Event()

    def build(self) -> Hub:
        self.sensor_reader = SensorReader(store=self.store, clock=self.clock, sensors=self.sensors, twin=self.twin)
        self.hub = Hub(
            a_state(self.policy, PROFILES),
            store=self.store,
            bus=self.bus,
            clock=self.clock,
            sensor_reader=self.sensor_reader,
            runs=AgentRuns({"command": self.agent}),
            trainer=HabitTrainer(self.store, "me", trained),
            world=self.world,
            processes=self.processes,
            new_seed=lambda: f"s{next(SEEDS):06d}x",
            arming=self.arming,
        )
        self.announcer = ChangeAnnouncer()
        self.announcer.begin(self.hub.post)
        self.ear = MqttInbound(
            self.hub, self.sensor_reader, "me", self.announcer.tell, proves_by=lambda _address: self.device_key
        )
        self.hub.feed.add(self._hear)
        return self.hub

    def _hear(self, numbered: Numbered) -> None:
        self.events.append(numbered.event)
        self._changed.set()

    async def until_told(self, wanted: Callable[[], bool]) -> None:
        """Wait until what the feed has told is enough."""
        async with asyncio.timeout(WAIT_S):
            while not wanted():
                self._changed.clear()
                await self._changed.wait()

    async def until_told_of(self, kind: type[AnyEvent], count: int = 1) -> None:
        await self.until_told(lambda: sum(isinstance(event, kind) for event in self.events) >= count)

    async def settle(self) -> None:
        """Return when everything that was posted so far, and what followed from it, has been decided."""
        for _ in range(SETTLE_TURNS):
            await self.hub.submit(Withdraw(card_id="pred_none"))
        async with asyncio.timeout(WAIT_S):
            while self.hub.state().cycle is not None or self.hub.state().mind.started_at is None:
                await self.hub.submit(Withdraw(card_id="pred_none"))

    async def tick(self) -> None:
        await self.clock.let_pass(TICK)
        await self.settle()

    async def card(self, prompt: str = "Write down what was decided") -> Card:
        reply = await self.hub.submit(Trigger(hint=prompt, force=True))
        assert isinstance(reply, TriggerAnswer), reply
        assert reply.prediction is not None, reply.message
        return await self.stored(reply.prediction.id)

    async def stored(self, card_id: str) -> Card:
        card = await self.store.read(CardById(user="me", card_id=card_id))
        assert card is not None
        return card

    async def answer(self, card: Card, verb: Verb, surface: str = "phone", **more: object) -> Reply:
        return await self.hub.submit(an_answer(card, verb, surface, **more))

    async def pair(self, address: DeviceAddress) -> None:
        await self.hub.submit(RegisterDevice(address=address, profile=address.surface))
        if address.surface in APPS:
            await self.hub.submit(SetAddress(address=address, push=APP_ADDRESS))
        await self.hub.submit(ReportPresence(sender=address, presence=Presence(online=True)))

    def published(self, part: str) -> list[Delivery]:
        """Return what was published there, but for where an app is found, which is for its gateway."""
        return [one for one in self.broker.published if part in one.topic and ADDRESS not in one.payload]


def an_answer(card: Card, verb: Verb, surface: str = "phone", **more: object) -> Answer:
    return Answer(
        key=f"k{next(SEEDS)}",
        card_id=card.id,
        verb=verb,
        by="me",
        surface=surface,
        device="mine",
        human_input=HumanInput.TAP,
        card_hash=card.card_hash,
        **more,  # type: ignore[arg-type]  # the test names fields of Answer
    )


@asynccontextmanager
async def living(house: House) -> AsyncIterator[House]:
    """Start the house's hub and close it in the end."""
    hub = house.build()
    await hub.start()
    if house.opens:
        await house.settle()
    try:
        yield house
    finally:
        await hub.close()


def is_new(reply: Reply) -> bool:
    return isinstance(reply, AnswerReply) and not reply.repeated


def hanging(policy: Policy) -> Policy:
    return replace(policy, bounds=replace(policy.bounds, duration_s_max=3_600.0))
