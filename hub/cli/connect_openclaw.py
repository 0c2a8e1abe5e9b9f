"""`pulse connect openclaw`: become a device of the gateway, and take that back. OpenClaw's own settings stay as is.

The gateway's shared token opens everything there. It is used once, to let the device in, and not kept; what is kept is
the device's own token, which OpenClaw can take back alone.
"""

import asyncio
import time
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from hub.cli import letting_in
from hub.cli.api import open_api
from hub.cli.command import EXIT_FAILED, CommandContext
from hub.cli.connect_test import ANSWER_S_MAX, NOTHING_RAN, TEST_ASKS, NotConnectedError
from hub.cli.connecting import AgentFound
from hub.cli.openclaw_place import GatewayPlace, find_gateway
from hub.contract.attached import AttachRequest
from hub.contract.errors import UserError
from hub.io.attached.openclaw.connection import (
    CallRefused,
    OpenClawAwayError,
    OpenClawRefusedError,
    open_gateway,
    require_private,
)
from hub.io.attached.openclaw.device import device_id, new_key
from hub.io.attached.openclaw.kept_device import AGENT, OpenClawDevice, device_at, forget_device, keep_device
from hub.io.home.folder import Home
from hub.kit.hub_api import NotRunningError

TITLE = "OpenClaw"
TEST = "echo This is a test of Pulse"
SAYS = (
    "It then sees what OpenClaw's agents ask, and passes your answers to the gateway. OpenClaw's own clients ask as",
    "before; the first answer counts. OpenClaw shows this only to devices with operator.admin, which may change its",
    "settings, too. Its settings stay as they are; `openclaw devices list` names the device.",
)


def connect_openclaw(context: CommandContext, *, remove: bool, is_test: bool, yes: bool) -> int:
    """Do one of the four; return the exit status.

    Raises:
        OpenClawAwayError: the gateway does not answer.
        OpenClawRefusedError: it does not let this device in.
    """
    if is_test:
        return asyncio.run(_test(context))
    return _remove(context) if remove else _add(context, yes=yes)


def look_openclaw(home: Path) -> AgentFound:
    """Say how OpenClaw is connected."""
    device = device_at(home)
    if device is None:
        place = find_gateway()
        return AgentFound(agent=AGENT, title=TITLE, file=place.url, state="not connected")
    found = AgentFound(agent=AGENT, title=TITLE, file=device.url, state="connected")
    try:
        asyncio.run(_knock(device))
    except OpenClawAwayError as error:
        return replace(found, state="away", notes=(error.detail,))
    except OpenClawRefusedError as error:
        return replace(found, state="refused", notes=(error.detail, error.fix))
    return found


def _add(context: CommandContext, *, yes: bool) -> int:
    place, known = find_gateway(), device_at(context.home)
    require_private(place.url)
    if known is not None and known.url == place.url and _is_in(known):
        letting_in.before_connecting(context, AGENT)
        _attach(context.home, attach=True)
        return _say(context, place, changed=False, connected=True, words=f"{TITLE} is already connected.")
    if context.as_json and not yes:
        raise UserError("--json cannot ask for confirmation.", fix="Run it without --json, or add --yes.")
    if not context.as_json:
        context.say(f"Pulse becomes a device of the OpenClaw gateway at {place.url}.", bold=True)
        for line in SAYS:
            context.say(f"  {line}")
    if not yes and not click.confirm("Connect it?", default=True):
        context.say("Nothing was changed.")
        return EXIT_FAILED
    letting_in.before_connecting(context, AGENT)
    shared = place.token or _ask_token(context, place)
    device = OpenClawDevice(url=place.url, key=new_key() if known is None else known.key)
    paired = asyncio.run(_pair(device, shared))
    Home(context.home).prepare()
    keep_device(context.home, paired)
    _attach(context.home, attach=False)
    runs = _attach(context.home, attach=True)
    when = "" if runs else " It starts with `pulse up`."
    words = f"✓ {TITLE} is connected.{when} Try it: pulse connect {AGENT} --test"
    return _say(context, place, changed=True, connected=True, words=words)


def _remove(context: CommandContext) -> int:
    device = device_at(context.home)
    if device is None:
        return _say(context, find_gateway(), changed=False, connected=False, words=f"{TITLE} is not connected.")
    letting_in.before_disconnecting([context.home], AGENT)
    words = f"✓ {TITLE} is no longer connected.{leave(context.home)}"
    return _say(context, find_gateway(), changed=True, connected=False, words=words)


def leave(home: Path) -> str:
    """Give up being a device of the gateway; return what the person has to do there, where it could not be told."""
    device, undone = device_at(home), ""
    if device is None:
        return ""
    try:
        asyncio.run(_leave(device))
    except (OpenClawAwayError, OpenClawRefusedError) as error:
        took_back = f"openclaw devices remove {device_id(device.key)}"
        undone = f" The gateway could not be reached ({error.detail.rstrip('.')}); there it is: {took_back}"
    forget_device(home)
    _attach(home, attach=False)
    return undone


async def _test(context: CommandContext) -> int:
    """Ask the gateway what an agent would, and wait for the answer to the card."""
    open_api(context.home)
    device = device_at(context.home)
    if device is None:
        raise NotConnectedError(f"{TITLE} is not connected.", fix=f"Run this first: pulse connect {AGENT}")
    async with open_gateway(device) as line:
        context.say(TEST_ASKS)
        began = time.monotonic()
        wanted: dict[str, object] = {"command": TEST, "timeoutMs": round(ANSWER_S_MAX * 1_000)}
        said = await line.call_within("exec.approval.request", wanted, ANSWER_S_MAX + 10)
    decision = said.get("decision") if isinstance(said, dict) else None
    if not isinstance(decision, str):
        why = said.why if isinstance(said, CallRefused) else "Nobody answered."
        context.say(f"✗ {why}", "red")
        return EXIT_FAILED
    context.say(f"✓ Answered after {time.monotonic() - began:.1f} s. {TITLE} would be told: {decision}", "green")
    context.say(NOTHING_RAN)
    return 0


async def _knock(device: OpenClawDevice) -> None:
    async with open_gateway(device):
        pass


async def _pair(device: OpenClawDevice, shared: str) -> OpenClawDevice:
    async with open_gateway(device, shared) as line:
        if not line.token:
            raise OpenClawRefusedError("OpenClaw did not give this device a token.", fix="Is it a newer OpenClaw?")
        return replace(device, token=line.token)


async def _leave(device: OpenClawDevice) -> None:
    async with open_gateway(device) as line:
        said = await line.call("device.pair.remove", {"deviceId": device_id(device.key)})
    if isinstance(said, CallRefused):
        raise OpenClawRefusedError(f"OpenClaw says: {said.why}.")


def _is_in(device: OpenClawDevice) -> bool:
    try:
        asyncio.run(_knock(device))
    except OpenClawRefusedError:
        return False
    return True


def _ask_token(context: CommandContext, place: GatewayPlace) -> str:
    if context.as_json:
        raise UserError(
            f"The gateway's token is not in {place.file}.", fix="Put it in the environment: OPENCLAW_GATEWAY_TOKEN."
        )
    token: str = click.prompt(f"The gateway's token (not found in {place.file}; it is not stored)", hide_input=True)
    return token.strip()


def _attach(home: Path, *, attach: bool) -> bool:
    """Have a hub that runs begin or end with it; return True if one runs."""
    try:
        open_api(home).call("POST", "/agents/attached", AttachRequest(agent=AGENT, attach=attach))
    except NotRunningError:
        return False
    return True


def _say(context: CommandContext, place: GatewayPlace, *, changed: bool, connected: bool, words: str) -> int:
    if context.as_json:
        done = {"agent": AGENT, "file": place.url, "changed": changed, "connected": connected, "copy": ""}
        context.document(msgspec.json.encode(done))
    else:
        context.hint(words, "green" if changed else None)
    return 0
