"""How others reach this Pulse: an address of theirs, and, if wanted, a door of our own there (docs/howto/phone.md).

Who is let in does not change: the same pairing, the same proofs, the same places. What changes is which address is this
hub's, and whether it listens beyond this machine; so only the command line of the person who runs it may change it, and
a page of theirs may open a door at this machine's own private address, or close it.
"""

import hmac
import secrets
import shutil
import socket
from typing import Annotated, Final
from urllib.parse import urlsplit

from msgspec import Meta

from hub.contract.access import OutsideProof, OutsideRequest, OutsideView
from hub.contract.base import Message
from hub.contract.errors import PulseError, UserError
from hub.io.access.in_person import is_in_person
from hub.io.access.tokens import LOCAL_ID
from hub.io.api.call import Call, Nothing, WayIn
from hub.io.home.folder import Home
from hub.io.home.networks import PORT, phone_address
from hub.io.home.set_up import set_up
from hub.io.http.addresses import Addresses
from hub.io.http.errors import InvalidBodyError
from hub.io.http.parts import ApiParts
from hub.io.server.tls_proxy import Behind, TlsProxy

HTTPS_PORT: Final = 443
TABLE: Final = "api"
"""Where `set-up.json` keeps the address."""


class ByCommandOnlyError(UserError):
    """Where others reach Pulse is changed on its own machine only: `pulse phone`."""

    code = "by-command-only"
    status = 403


class ProofQuery(Message):
    """Query of `GET /api/v1/outside/proof`."""

    nonce: Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]


async def look(call: Call[Nothing, Nothing]) -> OutsideView:
    """Say how others reach this Pulse."""
    return view(call.to.outside)


async def change(call: Call[OutsideRequest, Nothing]) -> OutsideView:
    """Be reached at another address from now on."""
    if call.client is None or call.client.id != LOCAL_ID:
        raise ByCommandOnlyError(fix="Run `pulse phone` on the machine that Pulse runs on.")
    await set_outside(call.to.outside, call.parts, call.body)
    return view(call.to.outside)


async def open_wifi(call: Call[Nothing, Nothing]) -> OutsideView:
    """Open a door of our own at this machine's private address, and at later starts.

    Raises:
        ByCommandOnlyError: a program asks, or there is no such address.
    """
    outside, home = call.to.outside, call.parts.home
    if not is_in_person(call.client):
        raise ByCommandOnlyError(fix="Open the page and do it there, or run `pulse phone`.")
    url = _wifi(outside)
    if not outside.addresses.public_url and home is not None:
        if not url:
            raise ByCommandOnlyError(
                "This machine has no address in a private network.", fix="`pulse phone` shows the other ways."
            )
        await set_outside(outside, call.parts, OutsideRequest(public_url=url, own_certificate=True))
        set_up(Home(home).set_up, TABLE, {"public_url": url, "own_certificate": True})
    return view(outside)


async def close_wifi(call: Call[Nothing, Nothing]) -> OutsideView:
    """Close the door of our own, if one is open, and leave it closed at later starts."""
    if call.to.outside.tls_proxy is not None and call.parts.home is not None:
        await set_outside(call.to.outside, call.parts, OutsideRequest())
        set_up(Home(call.parts.home).set_up, TABLE, {})
    return view(call.to.outside)


def _wifi(outside: WayIn) -> str:
    """Return where a door could be opened for phones on this Wi-Fi; empty where others reach us already, or cannot."""
    host = "" if outside.addresses.public_url else phone_address()
    return f"https://{host}:{PORT}" if host else ""


async def proof(call: Call[Nothing, ProofQuery]) -> OutsideProof:
    """Prove that this is the hub that somebody asks for; who asks learns nothing else."""
    return OutsideProof(proof=hmac.new(call.to.outside.seal, call.query.nonce.encode(), "sha256").hexdigest())


def new_outside(addresses: Addresses) -> WayIn:
    """Return how a hub is reached that has just started."""
    return WayIn(addresses, secrets.token_bytes(32))


async def set_outside(outside: WayIn, parts: ApiParts, wanted: OutsideRequest) -> None:
    """Open the proxy that is wanted, close the one that is open, and take the address.

    Raises:
        PulseError: that cannot be; everything stays as it was.
    """
    url = urlsplit(wanted.public_url)
    if wanted.public_url and (url.scheme != "https" or not url.hostname or url.path.strip("/") or url.query):
        raise InvalidBodyError(
            f"{wanted.public_url!r} is not an address a phone can use.", fix="Write it like https://192.168.1.5:8443."
        )
    before, tls_proxy, fingerprints = outside.tls_proxy, None, ("", "")
    if wanted.own_certificate and not (before is not None and outside.addresses.public_url == wanted.public_url):
        tls_proxy, fingerprints = _opened(outside, parts, url.hostname or "", url.port or HTTPS_PORT)
    elif wanted.own_certificate:
        before, tls_proxy, fingerprints = None, before, (outside.fingerprint, outside.server_fingerprint)
    if before is not None:
        await before.close()
    outside.tls_proxy, outside.trouble = tls_proxy, ""
    outside.fingerprint, outside.server_fingerprint = fingerprints
    outside.addresses.set_public(wanted.public_url)


async def keep_outside(outside: WayIn, parts: ApiParts) -> None:
    """At a start, open the proxy that the settings want; where that cannot be, say why and go on without."""
    if parts.own_certificate:
        try:
            await set_outside(outside, parts, OutsideRequest(public_url=parts.public_url, own_certificate=True))
        except PulseError as error:
            outside.addresses.set_public("")  # nobody gets there, so nobody is sent there
            outside.trouble = f"{error.detail} {error.fix}"


def _opened(outside: WayIn, parts: ApiParts, host: str, port: int) -> tuple[TlsProxy, tuple[str, str]]:
    """Return a proxy that is open, and the fingerprints of what a phone is given and of what it shows itself."""
    if parts.home is None:
        raise InvalidBodyError("This Pulse has no folder to keep a certificate in.")
    from hub.io.home.certificate import authority_at  # noqa: PLC0415  it takes 10 MB, and few have a proxy

    folder = parts.home / "secrets"
    authority = authority_at(folder, socket.gethostname().partition(".")[0], host)
    told, server = authority.told(), authority.server_at(host, folder)
    hub_host, _, hub_port = outside.addresses.own_host.rpartition(":")
    behind = Behind(
        host=hub_host.strip("[]"),
        port=int(hub_port),
        der=told.der,
        profile=told.profile,
        context=server.context,
    )
    tls_proxy = TlsProxy(behind)
    tls_proxy.open(host, port)
    return tls_proxy, (told.fingerprint, server.fingerprint)


def view(outside: WayIn) -> OutsideView:
    """Return what is told of it."""
    found = OutsideView(
        public_url=outside.addresses.public_url,
        own_certificate=outside.tls_proxy is not None,
        fingerprint=outside.fingerprint,
        trouble=outside.trouble,
        wifi=_wifi(outside),
        tailscale=not outside.addresses.public_url and shutil.which("tailscale") is not None,
    )
    if outside.tls_proxy is None:
        return found
    counts = outside.tls_proxy.counts
    return OutsideView(
        public_url=found.public_url,
        own_certificate=True,
        fingerprint=found.fingerprint,
        pages=counts.pages,
        certificates=counts.certificates,
        refused=counts.refused,
        opened=counts.opened,
    )
