"""Pages that were open when the hub stopped: one that stays away has left, and nobody else is said to have."""

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from hub.contract.topics import DeviceAddress
from hub.domain.delivery import Device
from hub.domain.requests import ReportPresence
from hub.domain.storage import PutDevice
from hub.io.api.app import open_services
from hub.io.live.watchers import BACK, Watchers
from tests.fakes.clock import VirtualClock, let_others
from tests.fakes.hub_api import ScriptedDesk
from tests.io.api.running import USER, Behind

DESK, PHONE = DeviceAddress(surface="browser", device="desk"), DeviceAddress(surface="browser", device="phone")


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def desk() -> ScriptedDesk:
    return ScriptedDesk()


@pytest.fixture
async def watchers(desk: ScriptedDesk, clock: VirtualClock) -> AsyncIterator[Watchers]:
    made = Watchers(desk, clock)
    yield made
    made.close()


def left(desk: ScriptedDesk) -> list[DeviceAddress]:
    said = [one for one in desk.requests if isinstance(one, ReportPresence)]
    return [one.sender for one in said if not one.presence.online]


async def test_who_stays_away_has_left(watchers: Watchers, desk: ScriptedDesk, clock: VirtualClock) -> None:
    watchers.expect([DESK, PHONE])
    await clock.let_pass(BACK / 2)
    assert left(desk) == []
    watchers.say(PHONE, object(), visible=True, active_at=None)
    await clock.let_pass(BACK)
    assert left(desk) == [DESK]


async def test_a_hub_that_ends_says_nothing_more(watchers: Watchers, desk: ScriptedDesk, clock: VirtualClock) -> None:
    watchers.expect([DESK])
    watchers.close()
    await clock.let_pass(2 * BACK)
    assert desk.requests == []


async def test_expected_are_the_open_pages_that_are_still_paired() -> None:
    behind = Behind()
    page = Device(user=USER, surface="browser", device="open", profile="browser", online=True)
    await behind.write(
        PutDevice(device=page),
        PutDevice(device=replace(page, device="closed", online=False)),
        PutDevice(device=replace(page, device="revoked", revoked=True)),
        PutDevice(device=replace(page, surface="phone", device="anna", profile="phone")),
    )
    services = await open_services(behind.parts(), "localhost")
    await let_others()
    assert left(behind.desk) == [DeviceAddress(surface="browser", device="open")]
    services.watchers.close()
