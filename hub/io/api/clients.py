"""Letting devices and API clients in, and shutting them out again."""

import secrets
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from hub.contract.access import (
    DeviceList,
    DeviceRequest,
    DeviceView,
    Login,
    TokenAnswer,
    TokenList,
    TokenRequest,
    TokenView,
)
from hub.contract.api import Unreached
from hub.contract.topics import DeviceAddress
from hub.domain.delivery import Device
from hub.domain.lookalikes import reveal
from hub.domain.requests import Noted, Refused, SaveClient
from hub.domain.storage import Client, Devices
from hub.io.access.in_person import names_of_person
from hub.io.access.tokens import LOCAL_ID, is_surface, sha256
from hub.io.api.call import Call, Nothing, Services
from hub.io.home.revocations import of_client
from hub.io.http.errors import (
    InvalidBodyError,
    NameTakenError,
    NotYourSurfaceError,
    TooManyTokensError,
    UnknownDeviceError,
    UnknownTokenError,
)
from hub.io.http.loop_requests import ask_loop
from hub.io.http.parts import ApiParts
from hub.kit.foreign_names import is_reserved

TOKENS_MAX = 100
TOKEN_BYTES = 32
TOKEN_PREFIX = "pulse_"  # noqa: S105  what a token begins with, so that secret scanners know one
ID_BYTES = 6


async def pair(call: Call[DeviceRequest, Nothing]) -> Login:
    """Pair a device: it gets a login for the broker, shown this once."""
    client = call.client
    if client is not None and is_surface(client) and client.surface != call.body.surface:
        raise NotYourSurfaceError(f"The process of {client.surface!r} pairs no {call.body.surface!r}.")
    address = DeviceAddress(surface=call.body.surface, device=call.body.device)
    return await call.parts.pairing.pair(address, call.body.profile)


async def unpair(call: Call[Nothing, Nothing]) -> DeviceView:
    """Revoke a device's access immediately."""
    surface, name = call.path["surface"], call.path["device"]
    address = DeviceAddress(surface=surface, device=name)
    device = await find_device(call.parts, address)
    if device is None:
        raise UnknownDeviceError(f"There is no device {surface}/{name}.", fix="`GET /api/v1/devices` lists them.")
    await end_sessions(call.to, address)
    await call.parts.pairing.revoke(address)
    return shown_device(call, replace(device, online=False, address=None))


async def devices(call: Call[Nothing, Nothing]) -> DeviceList:
    """Return the paired devices."""
    found = await _devices(call.parts)
    return DeviceList(devices=shown_devices(call, found), count=len(found))


async def add_token(call: Call[TokenRequest, Nothing]) -> TokenAnswer | Refused:
    """Make a token for one more client; it is shown this once."""
    if len(call.to.access.clients()) > TOKENS_MAX:
        raise TooManyTokensError
    if ("deliver" in call.body.scopes) is not bool(call.body.carries):
        raise InvalidBodyError(
            "The scope `deliver` and `carries` belong together.", fix="Name the surfaces that it carries for."
        )
    if is_reserved(call.body.name, call.parts.user, *names_of_person()) or reveal(call.body.name) != call.body.name:
        raise NameTakenError(f"A client cannot be called {call.body.name!r}.", fix="Choose a plain name of its own.")
    token = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    client = Client(
        id=f"client_{secrets.token_hex(ID_BYTES)}",
        user=call.parts.user,
        name=call.body.name,
        token_sha256=sha256(token),
        scopes=tuple(dict.fromkeys(call.body.scopes)),
        created_at=call.parts.clock.now(),
        carries=tuple(dict.fromkeys(call.body.carries)),
    )
    reply = await ask_loop(call.parts.hub_api, SaveClient(client=client), Noted)
    if isinstance(reply, Refused):
        return reply
    call.to.access.put(client)
    return TokenAnswer(token=token, client=_view(client))


async def tokens(call: Call[Nothing, Nothing]) -> TokenList:
    """Return the clients that hold a token of their own."""
    found = _own(call)
    return TokenList(tokens=tuple(map(_view, found)), count=len(found))


async def drop_token(call: Call[Nothing, Nothing]) -> TokenView | Refused:
    """Revoke a token, close the WebSockets that were opened with it, and let nobody wait with it any more."""
    client = next((one for one in _own(call) if one.id == call.path["id"]), None)
    if client is None:
        raise UnknownTokenError(fix="`GET /api/v1/tokens` lists them.")
    return await shut_out(call.to, client) or _view(client)


async def end_sessions(services: Services, address: DeviceAddress) -> None:
    """Take back the tokens of a device, and close what was opened with them."""
    for client in services.access.clients():
        if (client.surface, client.device) == (address.surface, address.device):
            await shut_out(services, client)


async def shut_out(services: Services, client: Client) -> Refused | None:
    """Take a client's token back at once, and close what was opened with it; say if that will not hold.

    What the store cannot take is noted for the next start, and for another try.
    """
    parts = services.parts
    services.access.drop(client.id)
    services.broadcaster.sign_out(client.id)
    services.waiting.sign_out(client.id)
    reply = await ask_loop(parts.hub_api, SaveClient(client=replace(client, revoked_at=parts.clock.now())), Noted)
    if not isinstance(reply, Refused):
        parts.revocations.settle(of_client(client.id))
        return None
    if parts.revocations.note(of_client(client.id)):
        return None
    return replace(
        reply,
        detail=f"It is shut out now, but that could not be saved: {reply.detail}",
        fix=f"Free some space before Pulse restarts; it is saved as soon as possible. {reply.fix}",
    )


async def find_device(parts: ApiParts, address: DeviceAddress) -> Device | None:
    """Return a device that is paired, or None."""
    same = (one for one in await _devices(parts) if (one.surface, one.device) == (address.surface, address.device))
    return next(same, None)


def _own(call: Call[Nothing, Nothing]) -> tuple[Client, ...]:
    """Return the clients that somebody made a token for; browsers are devices and listed there."""
    return tuple(
        client for client in call.to.access.clients() if not client.id.startswith(LOCAL_ID) and not client.device
    )


def _view(client: Client) -> TokenView:
    return TokenView(
        id=client.id,
        name=client.name,
        scopes=client.scopes,
        created_at=client.created_at,
        carries=client.carries,
    )


async def _devices(parts: ApiParts) -> tuple[Device, ...]:
    found = await parts.store.read(Devices(user=parts.user))
    return tuple(device for device in found if not device.revoked)


def shown_device(call: Call[Any, Any], device: Device) -> DeviceView:
    """Return a device as everybody sees it; its address stays with us."""
    return shown_devices(call, (device,))[0]


def shown_devices(call: Call[Any, Any], devices: Iterable[Device]) -> tuple[DeviceView, ...]:
    """Return devices as everybody sees them, with what the status says of those that are not reached."""
    reach = call.parts.hub_api.status().reach
    unreached = {} if reach is None else {(one.surface, one.device): one for one in reach.unreached}
    return tuple(_device_view(call, device, unreached.get((device.surface, device.device))) for device in devices)


def _device_view(call: Call[Any, Any], device: Device, unreached: Unreached | None) -> DeviceView:
    profile = call.parts.profiles.get(device.profile)
    client = call.client
    return DeviceView(
        surface=device.surface,
        device=device.device,
        profile=device.profile,
        online=device.online,
        person_active_at=device.person_active_at,
        title=device.title or (profile.title if profile else ""),
        privacy=device.privacy or (profile.privacy if profile else "full"),
        reachable=device.address is not None,
        arrives_since=device.arrives_since,
        unreached=unreached,
        paired_at=device.paired_at,
        this=client is not None and (client.surface, client.device) == (device.surface, device.device),
    )
