"""A revoked device: nothing more is handed to it, and nothing more is taken from it."""

import pytest
from msgspec.structs import replace

from hub.contract.surface import CardDelivery, Presence
from hub.contract.topics import DeviceAddress
from hub.contract.words import Status, Verb
from hub.domain.policy import Agent, Policy
from hub.domain.requests import RegisterDevice, ReportPresence, RevokeDevice, Trigger
from hub.domain.storage import Devices
from hub.io.home.profiles import read_profiles
from hub.settings import Settings, policy_of
from tests.fakes.world import World, a_state, utc

LAPTOP = DeviceAddress(surface="terminal", device="laptop")
DESK = DeviceAddress(surface="terminal", device="desk")
NOON = utc(2026, 3, 2, 12, 0)


def a_policy() -> Policy:
    """With an agent that can do what a hint asks for."""
    policy = policy_of(Settings(), "UTC")
    agent = Agent(name="claude", kind="command", argv=("claude", "-p"))
    return replace(policy, agents=(agent,), channels=tuple(replace(one, agent="claude") for one in policy.channels))


@pytest.fixture
async def world() -> World:
    made = World(a_state(a_policy(), read_profiles()), NOON)
    await made.open()
    await made.pair(LAPTOP, DESK)
    return made


def handed_to(world: World, address: DeviceAddress) -> list[CardDelivery]:
    return [delivery for _, to, delivery in world.deliveries if to == address]


async def test_it_is_kept_as_revoked_and_is_handed_nothing_more(world: World) -> None:
    await world.ask(RevokeDevice(address=LAPTOP))
    await world.ask(Trigger(hint="Water the plants"))
    assert {one.device: one.revoked for one in await world.store.read(Devices(user="me"))} == {
        "laptop": True,
        "desk": False,
    }
    assert len(await world.cards()) == 1
    assert handed_to(world, LAPTOP) == []
    assert handed_to(world, DESK) != []


async def test_its_presence_brings_no_cards(world: World) -> None:
    await world.ask(Trigger(hint="Water the plants"))
    before = len(handed_to(world, LAPTOP))
    await world.ask(RevokeDevice(address=LAPTOP))
    await world.ask(ReportPresence(sender=LAPTOP, presence=Presence(online=True)))
    assert len(handed_to(world, LAPTOP)) == before


async def test_a_token_that_it_still_holds_opens_nothing(world: World) -> None:
    await world.ask(Trigger(hint="Water the plants"))
    (card,) = await world.cards()
    held = handed_to(world, LAPTOP)[-1]
    await world.ask(RevokeDevice(address=LAPTOP))
    await world.hand_in(held, LAPTOP, Verb.REJECT, card.card_hash)
    assert (await world.card(card.id)).status is Status.PENDING
    await world.hand_in(handed_to(world, DESK)[-1], DESK, Verb.REJECT, card.card_hash)
    assert (await world.card(card.id)).status is Status.REJECTED


async def test_pairing_it_again_lets_it_in_again(world: World) -> None:
    await world.ask(RevokeDevice(address=LAPTOP))
    await world.ask(RegisterDevice(address=LAPTOP, profile="terminal"))
    await world.ask(ReportPresence(sender=LAPTOP, presence=Presence(online=True)))
    await world.ask(Trigger(hint="Water the plants"))
    assert handed_to(world, LAPTOP) != []


@pytest.mark.parametrize("times", [1, 2])
async def test_revoking_twice_or_a_stranger_changes_nothing_else(world: World, times: int) -> None:
    for _ in range(times):
        await world.ask(RevokeDevice(address=LAPTOP))
    await world.ask(RevokeDevice(address=DeviceAddress(surface="phone", device="unknown")))
    known = await world.store.read(Devices(user="me"))
    assert [one.revoked for one in known].count(True) == 1
    assert len(known) == 2
