"""Signing a browser in: a one-time code and a proof of the browser's key become a device and a session."""

import asyncio
import secrets
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace
from starlette.responses import Response

from hub.contract.access import (
    LetInRequest,
    PairAnswer,
    PairingAnswer,
    PairingRequest,
    PairRequest,
    Scope,
    SessionAnswer,
    SessionRequest,
    WaitingAnswer,
    WaitingBrowser,
    WaitingList,
)
from hub.contract.errors import UserError
from hub.contract.topics import DeviceAddress
from hub.domain.requests import Noted, Refused, RegisterDevice, SaveClient
from hub.domain.storage import Client
from hub.io.access.codes import CODE_LASTS, Invitation, plain, shown
from hub.io.access.newcomers import (
    Newcomer,
    NotLetInHereError,
    WrongCertificateError,
    beginning_of,
    choices_for,
)
from hub.io.access.proofs import Holder
from hub.io.access.terminals import shows_words
from hub.io.access.tokens import LOCAL_ID, require, sha256
from hub.io.api.call import Call, Nothing, Services
from hub.io.api.clients import ID_BYTES, TOKEN_BYTES, TOKEN_PREFIX, TOKENS_MAX, end_sessions, find_device
from hub.io.broker.pairing import UnknownProfileError
from hub.io.home.redirect_file import STAYS_S, remove_redirect_file
from hub.io.http.errors import NotSignedInError, TooManyTokensError
from hub.io.http.loop_requests import ask_loop
from hub.io.http.session_errors import ProofMissingError
from hub.kit.called import called_as
from hub.kit.qr import qr_of
from hub.kit.text import one_line
from hub.loop.devices import TITLE_CHARS_MAX

PROFILE = "browser"
SESSION_PATH = "/api/v1/session"
WARNED_MAX = timedelta(days=6)
"""So long a session lasts that was begun behind a warning: a browser asks again after a week, at the earliest."""
RELOAD = "Reload the page. In a script use a token instead (`POST /api/v1/tokens`)."
JSON = "application/json"
NO_STORE = {"cache-control": "no-store"}


class WrongKindOfCodeError(UserError):
    """This code was made for another kind of device. `pulse open` makes one for a browser."""

    code = "wrong-kind-of-code"
    status = 409


class NotOnAPageError(UserError):
    """A code word that lets a terminal in is shown by a signed-in page or app, never in a terminal."""

    code = "not-on-a-page"
    status = 403
    FIX = "On the page: Settings, Devices. Without a page: `pulse devices let-in` at the terminal."


async def pairing(call: Call[PairingRequest, Nothing]) -> PairingAnswer:
    """Make a one-time code for one more browser, or for an app; it lasts ten minutes."""
    if call.body.profile not in call.parts.profiles:
        known = ", ".join(sorted(call.parts.profiles))
        raise UnknownProfileError(f"There is no device profile {call.body.profile!r}.", fix=f"Profiles: {known}.")
    if call.body.purpose == "terminal":
        if not shows_words(call.client):
            raise NotOnAPageError(fix=NotOnAPageError.FIX)
        now = call.parts.clock.now()
        word = call.to.terminals.word(call.body.terminal or "", now)
        return PairingAnswer(code=shown(word), url=call.to.addresses.page, expires_at=now + CODE_LASTS, qr=())
    if call.client is not None:  # an app shows the word for a terminal, and makes no code
        require(call.client, "admin")
    loop = asyncio.get_running_loop()
    loop.call_later(STAYS_S, partial(remove_redirect_file, call.parts.redirect_file, older_than_s=STAYS_S))
    return invite(call.to, call.body)


def invite(services: Services, request: PairingRequest, *, by_hub: bool = False) -> PairingAnswer:
    """Mint a code, with the link that carries it and that link as a QR code; `by_hub` as in `Invitation`."""
    now = services.parts.clock.now()
    scopes = tuple(dict.fromkeys(request.scopes))
    at_home = request.here and services.outside.tls_proxy is not None
    page = services.addresses.own if at_home else services.addresses.page
    is_for_a_browser = (request.purpose, request.profile) == ("sign-in", PROFILE)
    waits = is_for_a_browser and not at_home and services.outside.tls_proxy is not None
    code, invitation = services.codes.mint(
        profile=request.profile,
        title=request.title or "",
        scopes=scopes,
        now=now,
        purpose=request.purpose,
        by_hub=by_hub,
        waits=waits,
    )
    if request.purpose == "confirm":
        return PairingAnswer(code=shown(code), url=page, expires_at=invitation.expires_at, qr=())
    url = f"{page}/#pair={code}"
    qr = qr_of(url) if page == services.addresses.public_url else ()
    certificates = choices_for(services.outside.server_fingerprint) if waits else ()
    return PairingAnswer(code=shown(code), url=url, expires_at=invitation.expires_at, qr=qr, certificates=certificates)


def admit(
    services: Services,
    name: str,
    scopes: tuple[Scope, ...],
    *,
    surface: str = "",
    carries: tuple[str, ...] = (),
    is_agent: bool = False,
) -> str:
    """Return a token for a process that this hub starts itself; it is never written down.

    It answers and pairs as `surface` alone, and carries for no other surfaces than it is told. One that speaks for an
    agent asks under that agent's name, which others that speak for it may use as well.
    """
    token = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    client = Client(
        id=f"{LOCAL_ID}_{name.replace(' ', '_')}",
        user=services.parts.user,
        name="" if is_agent else name,
        token_sha256=sha256(token),
        scopes=scopes,
        created_at=services.parts.clock.now(),
        surface=surface,
        carries=carries,
    )
    services.access.put(client)
    return token


async def session(call: Call[Nothing, Nothing]) -> SessionAnswer:
    """Say who is signed in here."""
    client = call.client
    if client is None or not client.device:
        raise NotSignedInError("No browser is signed in here.", fix="`pulse open` makes a link that signs it in.")
    return await _answer(call.to, client)


async def sign_in(call: Call[SessionRequest, Nothing]) -> Response | Refused:
    """Use a one-time code up: the browser becomes a device of this person, and gets a session that is bound to its key.

    A browser that shows the key of a session that it had before stays the device that it was. One that has to wait asks
    again with the same code and key.
    """
    holder = _holder(call)
    code, now = plain(call.body.code), call.parts.clock.now()
    newcomer = call.to.newcomers.of(code, holder, now)
    if newcomer is None:
        invitation = call.to.codes.take(code, now)
        if invitation.profile != PROFILE:
            raise WrongKindOfCodeError
        if invitation.waits:
            title = one_line(invitation.title or call.body.title, TITLE_CHARS_MAX)
            return _waits(call.to.newcomers.begin(code, holder, title, invitation))
        return await _signed_in(call, invitation, holder)
    if newcomer.said == "nothing":
        return _waits(newcomer)
    call.to.newcomers.let_go(newcomer)
    if newcomer.said == "no":
        raise NotLetInHereError
    until = None if newcomer.said == "trusted" else now + WARNED_MAX
    return await _signed_in(call, newcomer.invitation, holder, until)


def _waits(newcomer: Newcomer) -> Response:
    body = msgspec.json.encode(WaitingAnswer(number=newcomer.number))
    return Response(body, status_code=202, headers=NO_STORE, media_type=JSON)


async def waiting(call: Call[Nothing, Nothing]) -> WaitingList:
    """Return the browsers that wait to be let in."""
    found = call.to.newcomers.waiting(call.parts.clock.now())
    return WaitingList(waiting=tuple(map(_view, found)), count=len(found))


async def let_in(call: Call[LetInRequest, Nothing]) -> WaitingBrowser:
    """Let one in that waits, if what its browser showed of the certificate is ours; else turn it away for good."""
    now, ours = call.parts.clock.now(), beginning_of(call.to.outside.server_fingerprint)
    if not call.body.warned:
        return _view(call.to.newcomers.answer(call.path["id"], now, "trusted"))
    is_ours = bool(ours) and call.body.certificate == ours
    one = call.to.newcomers.answer(call.path["id"], now, "compared" if is_ours else "no")
    if not is_ours:
        raise WrongCertificateError(fix=WrongCertificateError.FIX)
    return _view(one)


async def turn_away(call: Call[Nothing, Nothing]) -> WaitingBrowser:
    """Turn one away that waits."""
    return _view(call.to.newcomers.answer(call.path["id"], call.parts.clock.now(), "no"))


def _view(one: Newcomer) -> WaitingBrowser:
    return WaitingBrowser(id=one.id, title=one.title, number=one.number, host=urlsplit(one.holder.origin).netloc)


async def _signed_in(
    call: Call[SessionRequest, Nothing], invitation: Invitation, holder: Holder, until: datetime | None = None
) -> Response | Refused:
    before = next(
        (one for one in call.to.access.clients() if (one.key, one.origin) == (holder.key, holder.origin)), None
    )
    if before is not None:
        admitted = await _renew(call.to, before, invitation, until)
    else:
        admitted = await _admit(call.to, invitation, call.body.title, holder, until)
    if isinstance(admitted, Refused):
        return admitted
    client, token = admitted
    remove_redirect_file(call.parts.redirect_file)
    call.to.confirmations.note(client.id, "code", call.parts.clock.now())
    return _json(replace(await _answer(call.to, client), token=token))


def _holder(call: Call[SessionRequest, Nothing]) -> Holder:
    """Return whose key this browser shows.

    Raises:
        ProofMissingError, ForeignAddressError, ProofWrongError, ProofStaleError: it shows none that is good here.
    """
    if call.proof is None:
        raise ProofMissingError("A browser signs in with its own key, and this one sent no proof of it.", fix=RELOAD)
    return call.to.proofs.holder(call.proof, "POST", SESSION_PATH)


async def _renew(
    services: Services, before: Client, invitation: Invitation, until: datetime | None
) -> tuple[Client, str] | Refused:
    """Start a browser's session over, as the device that it is."""
    now, token = services.parts.clock.now(), TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    client = replace(
        before, token_sha256=sha256(token), scopes=invitation.scopes, created_at=now, used_at=now, until=until
    )
    reply = await ask_loop(services.parts.hub_api, SaveClient(client=client), Noted)
    if isinstance(reply, Refused):
        return reply
    services.access.put(client)
    return client, token


async def pair(call: Call[PairRequest, Nothing]) -> PairAnswer | Refused:
    """Use a one-time code up: an app's device becomes one of this person's, and gets a token of its own."""
    invitation = call.to.codes.take(call.body.code, call.parts.clock.now())
    if invitation.profile == PROFILE:  # a browser is let in with a key of its own, or not at all
        raise WrongKindOfCodeError
    admitted = await _admit(call.to, invitation, call.body.title)
    if isinstance(admitted, Refused):
        return admitted
    client, token = admitted
    return PairAnswer(
        token=token,
        user=call.parts.user,
        surface=client.surface,
        device=client.device,
        title=client.name,
        scopes=client.scopes,
        version=call.parts.version,
    )


async def _admit(
    services: Services,
    invitation: Invitation,
    title: str,
    holder: Holder | None = None,
    until: datetime | None = None,
) -> tuple[Client, str] | Refused:
    """Make the device and its client; return the client and its token, which is kept only as a hash."""
    parts = services.parts
    if len(services.access.clients()) > TOKENS_MAX:
        raise TooManyTokensError
    token = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    client = Client(
        id=f"client_{secrets.token_hex(ID_BYTES)}",
        user=parts.user,
        name=one_line(invitation.title or title, TITLE_CHARS_MAX),
        token_sha256=sha256(token),
        scopes=invitation.scopes,
        created_at=parts.clock.now(),
        surface=parts.profiles[invitation.profile].surface,
        device=secrets.token_hex(ID_BYTES),
        key=holder.key if holder else "",
        origin=holder.origin if holder else "",
        until=until,
    )
    address = DeviceAddress(surface=client.surface, device=client.device)
    register = RegisterDevice(address=address, profile=invitation.profile, title=client.name)
    for request in (register, SaveClient(client=client)):
        reply = await ask_loop(parts.hub_api, request, Noted)
        if isinstance(reply, Refused):
            return reply
    services.access.put(client)
    return client, token


async def sign_out(call: Call[Nothing, Nothing]) -> Response:
    """End this browser's session, and its pairing with it."""
    client = call.client
    if client is None or not client.device:
        raise NotSignedInError("No browser is signed in here.")
    answer = await _answer(call.to, client)
    address = DeviceAddress(surface=client.surface, device=client.device)
    await call.parts.pairing.revoke(address)
    await end_sessions(call.to, address)
    return _json(answer)


async def _answer(services: Services, client: Client) -> SessionAnswer:
    parts = services.parts
    device = await find_device(parts, DeviceAddress(surface=client.surface, device=client.device))
    return SessionAnswer(
        user=parts.user,
        surface=client.surface,
        device=client.device,
        title=(device.title if device else "") or client.name,
        scopes=client.scopes,
        vapid_key=await parts.vapid_key(),
        version=parts.version,
        command=called_as(),
    )


def _json(answer: SessionAnswer) -> Response:
    return Response(msgspec.json.encode(answer), headers=NO_STORE, media_type=JSON)
