"""A surface that was just set up begins in the running Pulse, without a restart; or with the next start."""

import time
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import quote

import click
from msgspec.structs import replace

from hub.cli.api import HubClient, open_api, read
from hub.cli.command import CommandContext
from hub.cli.person_clock import here
from hub.contract.access import DeviceList, DeviceTest, DeviceView, SurfaceRenewed
from hub.contract.api import HealthAnswer, Unreached
from hub.contract.errors import WorldError
from hub.contract.words import DeliveryState
from hub.io.home.profiles import read_profiles
from hub.kit.hub_api import NotRunningError
from hub.kit.setup_dialog import can_ask

POLL_S = 0.5
BEGIN_S_MAX = 40.0
TEST_S_MAX = 60.0
KNOWN_AFTER_S = 15.0
"""A test without an outcome by then is explained by what is known of its device."""
SHOWN = frozenset({DeliveryState.SHOWN, DeliveryState.ACTED, DeliveryState.CLEARED})
FAILED = frozenset({DeliveryState.DEAD, DeliveryState.UNKNOWN})
T = TypeVar("T")


class NotBegunError(WorldError):
    """The set-up is saved, but it is not running yet. `pulse doctor` shows why."""

    code = "surface-not-begun"


def begin(context: CommandContext, surface: str, title: str) -> DeviceView | None:
    """Have the running hub begin it, and return its device once it is there; None where no hub runs, which is said.

    Raises:
        NotBegunError: it does not come up; says what it said last.
    """
    if (api := _renewed(context, surface)) is None:
        context.hint(f"Then see a test arrive: pulse devices test {surface}", bold=True)
        return None
    device = _wait(context, api, surface, title, lambda: _there(api, surface))
    if trouble := _trouble(api, surface):
        context.say(f"! {trouble}", "yellow")
    return device


def begin_gateway(context: CommandContext, gateway: str, title: str) -> HubClient | None:
    """Have the running hub begin what carries to several devices; return the hub, or None where none runs.

    Raises:
        NotBegunError: it does not come up; says what it said last.
    """
    if (api := _renewed(context, gateway)) is not None:
        _wait(context, api, gateway, title, lambda: _runs(api, gateway))
    return api


def _renewed(context: CommandContext, surface: str) -> HubClient | None:
    try:
        api = open_api(context.home)
    except NotRunningError:
        context.hint("Now start Pulse: pulse up", bold=True)
        return None
    read(api.call("POST", f"/surfaces/{quote(surface, safe='')}/renew"), SurfaceRenewed)
    return api


def _wait(context: CommandContext, api: HubClient, surface: str, title: str, look: Callable[[], T | None]) -> T:
    found = until(look, BEGIN_S_MAX)
    if found is None:
        raise NotBegunError(
            f"{title} is set up, but not running yet: {_trouble(api, surface) or 'it did not connect in time'}."
        )
    context.say(f"✓ {title} is running now; no restart is needed.", "green")
    return found


def end(context: CommandContext, surface: str) -> None:
    """Have the running hub end what was taken back."""
    try:
        api = open_api(context.home)
    except NotRunningError:
        return
    api.call("POST", f"/surfaces/{quote(surface, safe='')}/renew")


def try_out(context: CommandContext, device: DeviceView, howto: str) -> None:
    """Send a test, and say what became of it; where the device confirms nothing, the person is asked.

    Raises:
        NotBegunError: it did not arrive.
    """
    found = tested(open_api(context.home), device)
    if not arrived(device, found):
        raise NotBegunError(not_arrived(found), fix=" ".join(filter(None, (found.fix, again_by(device)))))
    if found.state is DeliveryState.ACCEPTED and can_ask() and not context.as_json:
        context.say(what_arrived(found))
        if not click.confirm("Do you see the test there?", default=True):
            fix = f"{howto} says what may be in the way. {again_by(device)}"
            raise NotBegunError("The test did not appear on the device, although its service accepted it.", fix=fix)
        context.say("✓ Suggestions arrive there now.", "green")
        return
    context.say(f"✓ {what_arrived(found)} Suggestions arrive there now.", "green")


def again_by(device: DeviceView) -> str:
    """Say how another test is sent."""
    return f"`pulse devices test {device.surface} {device.device}` sends another."


def tested(api: HubClient, device: DeviceView) -> DeviceTest:
    """Send a test, wait at most TEST_S_MAX for its outcome, and return that."""
    path = f"/devices/{quote(device.surface, safe='')}/{quote(device.device, safe='')}/test"
    before, began = api.get(path, DeviceTest).at, time.monotonic()
    api.call("POST", path)
    last = DeviceTest()

    def settled() -> DeviceTest | None:
        nonlocal last
        last = api.get(path, DeviceTest)
        if time.monotonic() - began > KNOWN_AFTER_S and (why := _why_not(api, device)) is not None:
            last = replace(last, detail=last.detail or why.why, fix=last.fix or why.fix)
        is_decided = last.state in FAILED or bool(last.detail and last.state is DeliveryState.QUEUED)
        return last if last.at != before and (is_decided or arrived(device, last)) else None

    return until(settled, TEST_S_MAX) or last


def _why_not(api: HubClient, device: DeviceView) -> Unreached | None:
    """Return why nothing arrives on a device, by what was known before the test."""
    there = (device.surface, device.device)
    found = api.get("/devices", DeviceList).devices
    return next((one.unreached for one in found if (one.surface, one.device) == there), None)


def arrived(device: DeviceView, found: DeviceTest) -> bool:
    """Return True if a test arrived: was shown, or, where a device confirms nothing, was taken by its service."""
    profile = read_profiles().get(device.profile)
    confirms = profile is None or profile.confirms_shown
    return found.state in SHOWN or (found.state is DeliveryState.ACCEPTED and not confirms)


def what_arrived(found: DeviceTest) -> str:
    """Say how far a test is known to have come."""
    at = f", {here(found.at):%H:%M:%S}" if found.at else ""
    if found.state is DeliveryState.ACCEPTED:
        return f"Its service accepted the test{at}; it does not report whether it was shown."
    return f"The test is there{at}."


def not_arrived(found: DeviceTest) -> str:
    """Say where a test is that did not arrive, and why."""
    why = found.detail.rstrip(".")
    match found.state:
        case DeliveryState.ACCEPTED:
            return (
                "Its push service accepted the test, but the device has not shown it. Is it off, or on Do Not Disturb?"
            )
        case DeliveryState.DEAD:
            return "The test did not arrive: its push service no longer accepts its address."
        case DeliveryState.QUEUED if why:
            return f"The test has not arrived: {why}. Pulse keeps trying."
        case DeliveryState.QUEUED | None:
            return "The test has not arrived: no response. Is this machine online?"
        case _:
            return f"The test did not arrive: {why or 'no reason was given'}."


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


def _runs(api: HubClient, surface: str) -> bool | None:
    """Return True once its process works, None before."""
    parts = api.get("/health", HealthAnswer).parts
    return any(part.name == f"surface {surface}" and part.status == "ok" for part in parts) or None


def _trouble(api: HubClient, surface: str) -> str:
    """Return what keeps a surface from its work; empty for nothing that is known."""
    parts = {part.name: part.detail for part in api.get("/health", HealthAnswer).parts if part.status != "ok"}
    return parts.get(f"surface {surface}", "")
