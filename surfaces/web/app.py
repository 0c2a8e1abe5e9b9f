"""The shell of the gateway: what it is told, its connection to the hub, its HTTP session."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

from hub.contract import topics
from hub.contract.base import Value
from hub.kit.gateway.carrier import Outside
from hub.kit.hub_api import HubAddress, pair_gateway
from hub.kit.mqtt.device import DeviceLink, Heard, LinkChanged
from hub.kit.phrase_files import all_phrases
from surfaces.process import read_addresses, until_told
from surfaces.web.gateway import WebGateway
from surfaces.web.render import SURFACE
from surfaces.web.send import SEND_S_MAX, Sender, opened_session
from surfaces.web.settings import DEFAULT_CONTACT, WEB, Config
from surfaces.web.vapid import BadPushKeyError, Signer, contact_trouble, read_key

log = logging.getLogger("pulse.web")


class Told(Value):
    """What this process was told: its key, its settings, and who started it."""

    key: str
    config: Config
    is_child: bool
    send_s_max: float = SEND_S_MAX

    def __repr__(self) -> str:
        return "Told(…)"


def told_by(said: Mapping[str, str]) -> Told:
    """Read PULSE_VAPID_KEY, PULSE_WEB_CONFIG and PULSE_CHILD.

    Raises:
        BadPushKeyError: no key, or a rule for hosts that is none.
    """
    config = WEB.read(said.get("PULSE_WEB_CONFIG", ""), BadPushKeyError)
    key = said.get("PULSE_VAPID_KEY", "")
    if not key:
        raise BadPushKeyError("This process was not given the key for push messages.", fix="Start it with `pulse up`.")
    return Told(key=key, config=config, is_child=said.get("PULSE_CHILD") == "1")


async def serve(door: HubAddress, told: Told) -> None:
    """Carry until the process is told to end.

    Raises:
        NotRunningError: Pulse is not there.
        NotPairedError: it does not take this gateway.
        BadPushKeyError: the key or its contact is of no use.
    """
    contact, rules = told.config.contact or DEFAULT_CONTACT, told.config.rules
    signer = Signer(read_key(told.key), contact)
    trouble = contact_trouble(contact)
    if trouble:
        log.warning("the contact of the push key is of no use to some push services: %s", trouble)
    pairing = partial(pair_gateway, door, SURFACE)
    login = await asyncio.to_thread(pairing)
    async with contextlib.AsyncExitStack() as open_things:
        session = await open_things.enter_async_context(opened_session(rules, send_s_max=told.send_s_max))
        device_link = DeviceLink(login, also=[topics.state(login.user)], pair_again=pairing)
        link = await open_things.enter_async_context(device_link)
        sender = Sender(session, signer, rules, now)
        outside = Outside(
            tell=lambda device, receipt: link.send_receipt(receipt, device),
            fail=log.error,
            clock=now,
            draw=random.random,
        )
        gateway = WebGateway(outside, sender, all_phrases())
        await open_things.enter_async_context(gateway)
        await until_told([asyncio.create_task(_hear(door, link, gateway))], is_child=told.is_child)


async def _hear(door: HubAddress, link: DeviceLink, gateway: WebGateway) -> None:
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
