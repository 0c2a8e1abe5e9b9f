"""Devices that hold no connection: their push addresses, their gateways, their answers and receipts over HTTP."""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.access import (
    ActionRequest,
    AddressList,
    AddressRequest,
    AddressView,
    DevicePatch,
    DeviceTest,
    DeviceView,
    GatewayRequest,
    Login,
    ReceiptRequest,
)
from hub.contract.address import AnyAddress, WebPushAddress
from hub.contract.api import AnswerReply, CrossPollStatus
from hub.contract.surface import Decision, Receipt
from hub.contract.topics import DeviceAddress
from hub.domain.delivery import Device, tried_as
from hub.domain.requests import (
    ChangeDevice,
    DeviceDecision,
    Noted,
    Refused,
    ReportReceipt,
    Request,
    SaveClient,
    SetAddress,
    TryDevice,
)
from hub.domain.storage import Client, DeliveriesOf, Devices
from hub.io.access.claims import require_input
from hub.io.access.tokens import require, require_carrier
from hub.io.api.call import Call, Nothing
from hub.io.api.clients import find_device, shown_device
from hub.io.api.shown_text import showed_all
from hub.io.http.bodies import sane_time
from hub.io.http.errors import (
    NoGatewayError,
    NotADeviceError,
    NotSignedInError,
    NotThisDeviceError,
    UnknownDeviceError,
    WrongOriginError,
)
from hub.io.http.loop_requests import ask_loop
from hub.io.http.parts import ApiParts
from hub.loop.devices import NOT_SHOWN
from hub.where import FIX_SAID, Grant, check


async def change(call: Call[DevicePatch, Nothing]) -> DeviceView | Refused:
    """Call a device otherwise, or show more or less of a card on it."""
    request = ChangeDevice(address=_named(call.path), title=call.body.title, privacy=call.body.privacy)
    return await _then_show(call, request)


async def test(call: Call[Nothing, Nothing]) -> DeviceView | Refused:
    """Send a device a notification that says that it is a test."""
    return await _then_show(call, TryDevice(address=_named(call.path)))


async def tested(call: Call[Nothing, Nothing]) -> DeviceTest:
    """Say what became of the last test of a device."""
    address = _named(call.path)
    ledger = DeliveriesOf(user=call.parts.user, card_ids=(tried_as(address.surface, address.device),))
    entries = await call.parts.store.read(ledger)
    if not entries:
        return DeviceTest()
    last = max(entries, key=lambda entry: entry.at)
    return DeviceTest(state=last.state, detail=last.detail, at=last.at, fix=FIX_SAID.text if last.detail else "")


async def put_address(call: Call[AddressRequest, Nothing]) -> DeviceView | Refused:
    """Say where a device's push service finds it; only the device itself, or an administrator, may."""
    address = _own(call)
    _require_own_origin(call, call.body.address)
    shown = await _then_show(call, SetAddress(address=address, push=call.body.address))
    call.parts.surfaces.need(address.surface)
    await _keep_signed_in(call)
    return shown


async def _keep_signed_in(call: Call[AddressRequest, Nothing]) -> None:
    """Lift the limit of a session begun behind a warning: only a browser that trusts the certificate notifies."""
    client = call.client
    if client is None or client.until is None:
        return
    lasting = replace(client, until=None)
    reply = await ask_loop(call.parts.hub_api, SaveClient(client=lasting), Noted)
    if isinstance(reply, Noted) and call.to.access.of_id(client.id) == client:  # it may have been revoked meanwhile
        call.to.access.put(lasting)


async def drop_address(call: Call[Nothing, Nothing]) -> DeviceView | Refused:
    """Send a device no notifications any more."""
    return await _then_show(call, SetAddress(address=_own(call), push=None))


async def addresses(call: Call[Nothing, Nothing]) -> AddressList:
    """Return where the devices of one surface are found: for its gateway, and secret."""
    surface = call.path["surface"]
    require_carrier(call.client, surface)
    found = await call.parts.store.read(Devices(user=call.parts.user))
    views = tuple(
        AddressView(device=one.device, address=one.address)
        for one in found
        if one.surface == surface and not one.revoked and one.address is not None
    )
    return AddressList(user=call.parts.user, addresses=views)


async def gateway(call: Call[GatewayRequest, Nothing]) -> Login:
    """Let a process carry the deliveries of all devices of a surface that a push service reaches."""
    surface = call.body.surface
    carried = carried_surfaces(call.parts)
    if surface not in carried:
        raise NoGatewayError(
            f"There is no gateway for {surface!r}.", fix=f"There are gateways for: {', '.join(carried)}."
        )
    require_carrier(call.client, surface)
    login: Login = await call.parts.pairing.gateway(surface)
    return login


async def act(call: Call[ActionRequest, Nothing]) -> AnswerReply | Refused:
    """Take a device's answer by the action token that it was pushed, and by its own login.

    The token came through a gateway and a push service, and neither may answer: the login is the device's alone.
    """
    body, parts = call.body, call.parts
    now = parts.clock.now()
    grant: Grant = check(parts.action_key, body.token)
    _require_device(parts, call.client, grant, body)
    if not await showed_all(parts, call.client, grant.card_id, body):
        return NOT_SHOWN
    option = "" if body.permission is None else body.permission.option
    confirmations, words = call.to.confirmations, body.prompt
    await confirmations.require_for_risk(parts, call.client, grant.card_id, body.verb, option=option, words=words)
    until = now + timedelta(minutes=body.minutes) if body.minutes else sane_time(body.until, now)
    decision = Decision(
        decision_id=body.decision_id,
        card_id=grant.card_id,
        verb=body.verb,
        card_hash=grant.card_hash,
        token=body.token,
        human_input=body.human_input,
        at=sane_time(body.at, now) or now,
        by=parts.user,
        prompt=body.prompt,
        reason=body.reason,
        until=until,
        permission=body.permission,
    )
    sender = DeviceAddress(surface=grant.surface, device=grant.device)
    return await ask_loop(parts.hub_api, DeviceDecision(sender=sender, decision=decision, replies=True), AnswerReply)


def _require_device(parts: ApiParts, client: Client | None, grant: Grant, body: ActionRequest) -> None:
    if client is None:
        raise NotSignedInError("An action token alone answers nothing.", fix="Send the device's own token beside it.")
    if (client.surface, client.device) != (grant.surface, grant.device):
        raise NotThisDeviceError(fix="Answer on the device that shows the card.")
    require(client, "answer")
    require_input(parts, grant.surface, body.human_input)


def carried_surfaces(parts: ApiParts) -> tuple[str, ...]:
    """Return the surfaces whose devices hold no connection, so that a gateway carries for them."""
    return tuple(sorted({profile.surface for profile in parts.profiles.values() if profile.needs_address}))


async def receipt(call: Call[ReceiptRequest, Nothing]) -> CrossPollStatus | Refused:
    """Note what became of a delivery to this very device."""
    client = call.client
    if client is None or not client.device:
        raise NotADeviceError
    now = call.parts.clock.now()
    said = Receipt(
        delivery_id=call.body.delivery_id,
        state=call.body.state,
        at=sane_time(call.body.at, now) or now,
        detail=call.body.detail,
    )
    sender = DeviceAddress(surface=client.surface, device=client.device)
    reply = await ask_loop(call.parts.hub_api, ReportReceipt(sender=sender, receipt=said), Noted)
    return reply if isinstance(reply, Refused) else reply.status


def _named(path: dict[str, str]) -> DeviceAddress:
    return DeviceAddress(surface=path["surface"], device=path["device"])


def _own(call: Call[AddressRequest, Nothing] | Call[Nothing, Nothing]) -> DeviceAddress:
    address, client = _named(call.path), call.client
    if client is not None and (client.surface, client.device) != (address.surface, address.device):
        require(client, "admin")
    return address


def _require_own_origin(call: Call[AddressRequest, Nothing], address: AnyAddress) -> None:
    """A notification opens the page at `origin`; it must be one of ours, or a tap would lead elsewhere."""
    if isinstance(address, WebPushAddress) and address.origin not in call.to.addresses:
        raise WrongOriginError(f"{address.origin!r} is not an address of this hub.", fix="Subscribe from its page.")


async def _then_show(
    call: Call[DevicePatch, Nothing] | Call[AddressRequest, Nothing] | Call[Nothing, Nothing], request: Request
) -> DeviceView | Refused:
    reply = await ask_loop(call.parts.hub_api, request, Noted)
    if isinstance(reply, Refused):
        return reply
    device: Device | None = await find_device(call.parts, _named(call.path))
    if device is None:
        raise UnknownDeviceError(fix="`pulse devices` lists them.")
    return shown_device(call, device)
