"""A stage for playbooks of the loop: one agent that runs anything, devices, and cards made on demand."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.api import AnswerReply, TriggerAnswer
from hub.contract.events import AnyEvent, ExecutionStarted, PredictionNew
from hub.contract.surface import CardDelivery
from hub.contract.topics import DeviceAddress
from hub.contract.words import Risk, Verb
from hub.domain.execution import Job, RunResult
from hub.domain.policy import Policy
from hub.domain.requests import Ask, Refused, Reply, Trigger
from hub.domain.storage import ExecutionById, MoveExecution
from hub.domain.suggestion import Card
from hub.io.home.profiles import read_profiles
from hub.settings import Settings, policy_of
from tests.fakes.world import DONE, World, a_state, utc

NOON = utc(2026, 3, 10, 12, 0)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
PROFILES = read_profiles()
PHONE, WATCH, DISCORD = (DeviceAddress(surface=name, device="mine") for name in ("phone", "watch", "discord"))
GLASSES = DeviceAddress(surface="glasses", device="mine")


def a_policy(zone: str = "UTC", **changed: object) -> Policy:
    """One agent that runs any prompt serves every channel."""
    policy = policy_of(Settings(), zone)
    agent = replace(policy.agents[0], name="worker", kind="command", argv=("work",), idempotent=False)
    channels = tuple(replace(channel, agent="worker") for channel in policy.channels)
    return replace(policy, channels=channels, agents=(agent,), **changed)


def idempotent(policy: Policy) -> Policy:
    return replace(policy, agents=tuple(replace(agent, idempotent=True) for agent in policy.agents))


def never(_job: Job) -> RunResult | None:
    """An agent that goes on until somebody ends it."""
    return None


async def a_world(policy: Policy | None = None, now: datetime = NOON, running_max: int = 4) -> World:
    """A hub that has just been opened and has had its first look, which found nothing."""
    state = a_state(policy or a_policy(), PROFILES)
    world = World(replace(state, limits=replace(state.limits, running_max=running_max)), now)
    await world.open()
    return world


async def a_card(world: World, prompt: str = "Write down what was decided") -> Card:
    """Put a card before the person, by a hint."""
    reply = await world.ask(Trigger(hint=prompt, force=True))
    assert isinstance(reply, TriggerAnswer), reply
    assert reply.triggered, reply.message
    assert reply.prediction is not None
    return await world.card(reply.prediction.id)


async def a_question(world: World, key: str = "q1", risk: Risk = Risk.LOW, timeout_s: int = 600) -> Card:
    """Put somebody else's question before the person."""
    asked = Ask(key=key, asker="script", question="May I?", details="", risk=risk, timeout_s=timeout_s)
    return await world.card(taken(await world.ask(asked)).prediction.id)


async def running(world: World, prompt: str = "Write down what was decided") -> Card:
    """Have a card approved, and its agent at work."""
    world.results = never
    card = await a_card(world, prompt)
    taken(await world.answer(card, Verb.APPROVE))
    return await world.card(card.id)


async def finish_proven(world: World, card: Card) -> Card:
    """End a run so that what was needed is seen: its output has the word that its need asks for."""
    card = await world.card(card.id)
    execution = await world.store.read(ExecutionById(user="me", execution_id=card.execution_id or ""))
    assert execution is not None
    wants = replace(execution, need=replace(execution.need, expected_text="passed"))
    await world.store.commit([(MoveExecution(execution=wants, expect_state=execution.state),)])
    await world.finish(execution.id, DONE)
    return await world.card(card.id)


def taken(reply: Reply) -> AnswerReply:
    assert isinstance(reply, AnswerReply), reply
    return reply


def refused(reply: Reply) -> Refused:
    assert isinstance(reply, Refused), reply
    return reply


def handed(world: World, to: DeviceAddress, kind: type[AnyEvent] = PredictionNew) -> CardDelivery:
    """Return the latest delivery of one kind of event to one device."""
    return [one for _, address, one in world.deliveries if address == to and isinstance(one.event, kind)][-1]


def started(world: World) -> list[str]:
    """Return the ids of the executions that were announced as started."""
    return [event.execution_id for event in world.told(ExecutionStarted) if isinstance(event, ExecutionStarted)]
