"""A surface that was just set up begins in the running Pulse, without a restart; or with the next start."""

import time
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import quote

from hub.cli.api import HubClient, open_api, read
from hub.cli.command import CommandContext
from hub.cli.start import called_as
from hub.contract.access import DeviceList, DeviceTest, DeviceView, SurfaceRenewed
from hub.contract.api import HealthAnswer
from hub.contract.errors import WorldError
from hub.contract.words import DeliveryState
from hub.kit.hub_api import NotRunningError

POLL_S = 0.5
BEGIN_S_MAX = 40.0
TEST_S_MAX = 60.0
SHOWN = frozenset({DeliveryState.SHOWN, DeliveryState.ACTED, DeliveryState.CLEARED})
FAILED = frozenset({DeliveryState.DEAD, DeliveryState.UNKNOWN})
T = TypeVar("T")


class NotBegunError(WorldError):
    """What was set up is kept, but it does not run yet. `pulse doctor` says more."""

    code = "surface-not-begun"


def begin(context: CommandContext, surface: str, title: str) -> DeviceView | None:
    """Have the running hub begin it, and return its device once it is there; None where no hub runs, which is said.

    Raises:
        NotBegunError: it does not come up; says what it said last.
    """
    try:
        api = open_api(context.home)
    except NotRunningError:
        context.say(f"Now start Pulse: {called_as()} up", bold=True)
        return None
    read(api.call("POST", f"/surfaces/{quote(surface, safe='')}/renew"), SurfaceRenewed)
    device = until(lambda: _there(api, surface), BEGIN_S_MAX)
    if device is None:
        raise NotBegunError(f"{title} is set up, but does not run yet: {_trouble(api, surface) or 'it is not there'}.")
    context.say(f"✓ {title} runs now; nothing has to be restarted.", "green")
    if trouble := _trouble(api, surface):
        context.say(f"! {trouble}", "yellow")
    return device


def end(context: CommandContext, surface: str) -> None:
    """Have the running hub end what was taken back."""
    try:
        api = open_api(context.home)
    except NotRunningError:
        return
    api.call("POST", f"/surfaces/{quote(surface, safe='')}/renew")


def try_out(context: CommandContext, device: DeviceView) -> None:
    """Send a test, and say what became of it.

    Raises:
        NotBegunError: it was not shown.
    """
    api = open_api(context.home)
    found = tested(api, device)
    if found.state not in SHOWN:
        fix = f"`pulse devices test {device.surface} {device.device}` sends another."
        raise NotBegunError(f"The test was not shown yet{f': {found.detail}' if found.detail else ''}.", fix=fix)
    at = found.at.astimezone() if found.at else None
    context.say(f"✓ The test is there{f', {at:%H:%M:%S}' if at else ''}. Suggestions arrive there now.", "green")


def tested(api: HubClient, device: DeviceView) -> DeviceTest:
    """Send a test, wait until it was shown or failed, at most TEST_S_MAX, and return what became of it."""
    path = f"/devices/{quote(device.surface, safe='')}/{quote(device.device, safe='')}/test"
    before = api.get(path, DeviceTest).at
    api.call("POST", path)
    last = DeviceTest()

    def settled() -> DeviceTest | None:
        nonlocal last
        last = api.get(path, DeviceTest)
        return last if last.at != before and last.state in SHOWN | FAILED else None

    return until(settled, TEST_S_MAX) or last


def until(look: Callable[[], T | None], wait_s: float) -> T | None:
    """Look again and again, at most so long; None where nothing was seen."""
    ends = time.monotonic() + wait_s
    while (found := look()) is None:
        if time.monotonic() > ends:
            return None
        time.sleep(POLL_S)
    return found


def _there(api: HubClient, surface: str) -> DeviceView | None:
    return next((one for one in api.get("/devices", DeviceList).devices if one.surface == surface and one.online), None)


def _trouble(api: HubClient, surface: str) -> str:
    """Return what keeps a surface from its work; empty for nothing that is known."""
    parts = {part.name: part.detail for part in api.get("/health", HealthAnswer).parts if part.status != "ok"}
    return parts.get(f"surface {surface}", "")
