"""The shell of the gateway: what it is told, its connection to the hub, its HTTP session."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Mapping
from datetime import UTC, datetime

from hub.contract import topics
from hub.contract.base import Value
from hub.kit.gateway.carrier import Outside
from surfaces.link import Door, Heard, Link, LinkChanged, pair_gateway
from surfaces.process import read_addresses, until_told
from surfaces.web.catalogue import read_words
from surfaces.web.endpoints import is_rule
from surfaces.web.gateway import WebGateway
from surfaces.web.says import SURFACE
from surfaces.web.send import SEND_S_MAX, Sender, opened_session
from surfaces.web.vapid import DEFAULT_CONTACT, BadPushKeyError, Signer, contact_trouble, read_key

log = logging.getLogger("pulse.web")


class Told(Value):
    """What this process was told: the key, the contact, the rules for self-hosted push services, and who started us."""

    key: str
    contact: str
    hosts: tuple[str, ...]
    is_child: bool
    send_s_max: float = SEND_S_MAX

    def __repr__(self) -> str:
        return "Told(…)"


def told_by(said: Mapping[str, str]) -> Told:
    """Read PULSE_VAPID_KEY, PULSE_VAPID_SUB, PULSE_PUSH_HOSTS (separated by commas) and PULSE_CHILD.

    Raises:
        BadPushKeyError: no key, or a rule for hosts that is none.
    """
    hosts = tuple(host.strip().lower() for host in said.get("PULSE_PUSH_HOSTS", "").split(",") if host.strip())
    wrong = [host for host in hosts if not is_rule(host)]
    if wrong:
        raise BadPushKeyError(
            f"{wrong[0]!r} is no push service's host.", fix="Correct `web.push_hosts`, as docs/howto/web-push.md shows."
        )
    key = said.get("PULSE_VAPID_KEY", "")
    if not key:
        raise BadPushKeyError("This process was not given the key for push messages.", fix="Start it with `pulse up`.")
    contact = said.get("PULSE_VAPID_SUB") or DEFAULT_CONTACT
    return Told(key=key, contact=contact, hosts=hosts, is_child=said.get("PULSE_CHILD") == "1")


async def serve(door: Door, told: Told) -> None:
    """Carry until the process is told to end.

    Raises:
        HubGoneError: Pulse is not there.
        NotPairedError: it does not take this gateway.
        BadPushKeyError: the key or its contact is of no use.
    """
    signer = Signer(read_key(told.key), told.contact)
    trouble = contact_trouble(told.contact)
    if trouble:
        log.warning("the contact of the push key is of no use to some push services: %s", trouble)
    login = await asyncio.to_thread(pair_gateway, door, SURFACE)
    async with contextlib.AsyncExitStack() as open_things:
        session = await open_things.enter_async_context(opened_session(told.hosts, send_s_max=told.send_s_max))
        link = await open_things.enter_async_context(Link(door, login, profile=None, also=(topics.state(login.user),)))
        sender = Sender(session, signer, told.hosts, now)
        outside = Outside(
            tell=lambda device, receipt: link.send_receipt(receipt, device),
            fail=log.error,
            clock=now,
            draw=random.random,
        )
        gateway = WebGateway(outside, sender, read_words())
        await open_things.enter_async_context(gateway)
        await until_told([asyncio.create_task(_hear(door, link, gateway))], is_child=told.is_child)


async def _hear(door: Door, link: Link, gateway: WebGateway) -> None:
    """Handle what arrives in order; after each connection the addresses are read before anything else."""
    async for item in link.items():
        match item:
            case Heard():
                gateway.hear(item.topic, item.payload)
            case LinkChanged(state="up"):
                gateway.learn_addresses(await read_addresses(door, SURFACE))
            case LinkChanged():
                log.info("the broker at %s: %s %s", item.broker, item.state, item.note)


def now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)
