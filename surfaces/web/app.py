"""The shell of the gateway: what it is told, its connection to the hub, its HTTP session."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

from hub.contract.base import Value
from hub.kit.gateway.serving import serve_gateways
from hub.kit.hub_api import HubAddress
from hub.kit.phrase_files import all_phrases
from surfaces.web.gateway import WebGateway
from surfaces.web.render import SURFACE
from surfaces.web.send import SEND_S_MAX, Sender, opened_session
from surfaces.web.settings import DEFAULT_CONTACT, WEB, Config
from surfaces.web.vapid import BadPushKeyError, Signer, contact_trouble, read_key

log = logging.getLogger("pulse.web")


class Told(Value):
    """What this process was told: its key and its settings."""

    key: str
    config: Config
    send_s_max: float = SEND_S_MAX

    def __repr__(self) -> str:
        return "Told(…)"


def told_by(said: Mapping[str, str]) -> Told:
    """Read PULSE_VAPID_KEY and PULSE_WEB_CONFIG.

    Raises:
        BadPushKeyError: no key, or a rule for hosts that is none.
    """
    config = WEB.read(said.get("PULSE_WEB_CONFIG", ""), BadPushKeyError)
    key = said.get("PULSE_VAPID_KEY", "")
    if not key:
        raise BadPushKeyError("This process did not get the key for push messages.", fix="Start it with `pulse up`.")
    return Told(key=key, config=config)


async def serve(hub: HubAddress, told: Told) -> None:
    """Carry until the process is told to end.

    Raises:
        NotRunningError: Pulse is not running.
        NotPairedError: it does not take this gateway.
        BadPushKeyError: the key or its contact is of no use.
    """
    contact, rules = told.config.contact or DEFAULT_CONTACT, told.config.rules
    signer = Signer(read_key(told.key), contact)
    trouble = contact_trouble(contact)
    if trouble:
        log.warning("the contact of the push key is of no use to some push services: %s", trouble)
    async with opened_session(rules, send_s_max=told.send_s_max) as session:
        sender = Sender(session, signer, rules, now)
        make = partial(WebGateway, sender=sender, words=all_phrases())
        await serve_gateways(hub, {SURFACE: make}, refused=BadPushKeyError, clock=now)


def now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)
