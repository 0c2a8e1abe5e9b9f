"""Where a person confirms that they are there, by a code or a passkey, and where passkeys are kept."""

import asyncio

from hub.contract.access import (
    ConfirmAnswer,
    ConfirmRequest,
    PasskeyList,
    PasskeyOptions,
    PasskeyOptionsRequest,
    PasskeyRequest,
    PasskeyView,
)
from hub.domain.storage import Client
from hub.io.access.confirming import FRESH_FOR, How
from hub.io.access.passkeys import Passkey
from hub.io.api.call import Call, Nothing
from hub.io.http.confirm_errors import PasskeyNeededError
from hub.io.http.errors import InvalidBodyError, NotSignedInError


async def confirm(call: Call[ConfirmRequest, Nothing]) -> ConfirmAnswer:
    """Take a code or a passkey's answer as the sign that the person is there."""
    client, now, said = _page(call.client), call.parts.clock.now(), call.body
    if bool(said.code) == bool(said.credential):
        raise InvalidBodyError("Send either a code or a credential.", fix="docs/api.md shows both.")
    if said.credential:
        await asyncio.to_thread(call.to.passkeys.check, client, said.credential, now)
    elif call.to.passkeys.any():
        raise PasskeyNeededError
    else:
        call.to.codes.take(said.code, now, "confirm")
    how: How = "passkey" if said.credential else "code"
    call.to.confirmations.note(client.id, how, now)
    return ConfirmAnswer(how=how, until=now + FRESH_FOR)


async def options(call: Call[PasskeyOptionsRequest, Nothing]) -> PasskeyOptions:
    """Say what the browser is to ask the authenticator for."""
    client, now, purpose = _page(call.client), call.parts.clock.now(), call.body.purpose
    if purpose == "add":
        call.to.confirmations.require(client, "pages", now)
    return PasskeyOptions(options=await asyncio.to_thread(call.to.passkeys.options, client, purpose, now))


async def passkeys(call: Call[Nothing, Nothing]) -> PasskeyList:
    """Return the passkeys, without their keys."""
    views = tuple(map(_view, call.to.passkeys.all()))
    return PasskeyList(passkeys=views, count=len(views))


async def add_passkey(call: Call[PasskeyRequest, Nothing]) -> PasskeyView:
    """Keep a passkey that the browser has just made; whoever made it has confirmed with it."""
    client, now = _page(call.client), call.parts.clock.now()
    made = await asyncio.to_thread(call.to.passkeys.add, client, call.body.credential, call.body.title, now)
    call.to.confirmations.note(client.id, "passkey", now)
    return _view(made)


async def remove_passkey(call: Call[Nothing, Nothing]) -> PasskeyView:
    """Forget a passkey."""
    return _view(await asyncio.to_thread(call.to.passkeys.remove, call.path["id"]))


def _page(client: Client | None) -> Client:
    """Return the browser's session that asks."""
    if client is None or not client.key:
        raise NotSignedInError("Only the page in a browser can do that.", fix="`pulse open` opens it.")
    return client


def _view(one: Passkey) -> PasskeyView:
    return PasskeyView(id=one.id, title=one.title, host=one.host, created_at=one.created_at)
