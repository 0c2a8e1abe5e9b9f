"""Why Pulse acts alone or does not is told as a code beside its English, so that it is said in every language."""

from collections.abc import Awaitable, Callable

import pytest

from hub.contract.api import ConfigPatch
from hub.domain.policy import Caps
from hub.domain.requests import Configure, Pause, Resume, Trigger
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.views import status_of
from tests.fakes.world import World
from tests.loop.stage import NOON, a_policy, a_world


async def paused(world: World) -> None:
    await world.ask(Pause(reason=""))


async def resumed(world: World) -> None:
    await world.ask(Pause(reason=""))
    await world.ask(Resume())


async def switched_off(world: World) -> None:
    await world.ask(Configure(patch=ConfigPatch(enabled=False), by="local"))


async def switched_on(world: World) -> None:
    await switched_off(world)
    await world.ask(Configure(patch=ConfigPatch(enabled=True), by="local"))


async def stopped(world: World) -> None:
    await world.ask(Configure(patch=ConfigPatch(emergency_stop=True), by="local"))


async def spent(world: World) -> None:
    await world.ask(Trigger(hint="Spend it", force=True))


@pytest.mark.parametrize("happens", [paused, resumed, switched_off, switched_on, stopped, spent])
async def test_each_reason_is_said_in_german_too(happens: Callable[[World], Awaitable[None]]) -> None:
    world = await a_world(a_policy(caps=Caps(hour_microusd=1)))
    await happens(world)
    status = status_of(world.state, NOON)
    assert status.reason
    assert worded(status.reason_worded, "", phrases("en")) == status.reason
    assert worded(status.reason_worded, "", phrases("de")) not in {"", status.reason}


async def test_a_persons_own_reason_stays_in_their_words() -> None:
    world = await a_world()
    await world.ask(Pause(reason="in a demo"))
    status = status_of(world.state, NOON)
    assert (status.reason, status.reason_worded) == ("in a demo", None)
