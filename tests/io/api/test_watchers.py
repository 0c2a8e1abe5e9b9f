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
from tests.fakes.hub_api import ScriptedHubApi
from tests.io.api.running import USER, Behind

DESK, PHONE = DeviceAddress(surface="browser", device="desk"), DeviceAddress(surface="browser", device="phone")


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def hub_api() -> ScriptedHubApi:
    return ScriptedHubApi()


@pytest.fixture
async def watchers(hub_api: ScriptedHubApi, clock: VirtualClock) -> AsyncIterator[Watchers]:
    made = Watchers(hub_api, clock)
    yield made
    made.close()


def left(hub_api: ScriptedHubApi) -> list[DeviceAddress]:
    said = [one for one in hub_api.requests if isinstance(one, ReportPresence)]
    return [one.sender for one in said if not one.presence.online]


async def test_who_stays_away_has_left(watchers: Watchers, hub_api: ScriptedHubApi, clock: VirtualClock) -> None:
    watchers.expect([DESK, PHONE])
    await clock.let_pass(BACK / 2)
    assert left(hub_api) == []
    watchers.say(PHONE, object(), visible=True, active_at=None)
    await clock.let_pass(BACK)
    assert left(hub_api) == [DESK]


async def test_a_hub_that_ends_says_nothing_more(
    watchers: Watchers, hub_api: ScriptedHubApi, clock: VirtualClock
) -> None:
    watchers.expect([DESK])
    watchers.close()
    await clock.let_pass(2 * BACK)
    assert hub_api.requests == []


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
    assert left(behind.hub_api) == [DeviceAddress(surface="browser", device="open")]
    services.watchers.close()
