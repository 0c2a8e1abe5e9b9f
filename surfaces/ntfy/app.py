"""The outermost part: what the process is told, and its connections to the hub and to the ntfy server."""

import random
import re
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path

from hub.contract.base import Value
from hub.contract.topics import DeviceAddress
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.device import serve_device
from hub.kit.hub_api import HubAddress
from hub.kit.mqtt.device import DeviceLink
from hub.kit.surface import PAGE
from surfaces.ntfy.errors import BadNtfyConfigError
from surfaces.ntfy.server import Ntfy
from surfaces.ntfy.settings import NTFY, REPLY_TOPIC, TOKEN, TOPIC, TOPIC_PATTERN, Config
from surfaces.ntfy.surface import NtfySurface

HERE = DeviceAddress(surface="ntfy", device="phone")


class NtfyTold(Value):
    """What this process was told."""

    config: Config
    topic: str
    reply_topic: str
    token: str
    folder: Path
    page: str = ""

    def __repr__(self) -> str:
        return "NtfyTold(…)"


def told_by(said: Mapping[str, str]) -> NtfyTold:
    """Read what the hub handed over.

    Raises:
        BadNtfyConfigError: the settings have mistakes, or a topic is missing or could be guessed.
    """
    config = NTFY.read(said.get("PULSE_NTFY_CONFIG", ""), BadNtfyConfigError)
    topic, reply_topic = said.get(TOPIC, ""), said.get(REPLY_TOPIC, "")
    if topic == reply_topic or not all(re.fullmatch(TOPIC_PATTERN, one) for one in (topic, reply_topic)):
        raise BadNtfyConfigError("Pulse does not have two secret topics.", fix="Run `pulse ntfy setup`.")
    folder = Path(said["PULSE_NTFY_STATE"])
    return NtfyTold(
        config=config,
        topic=topic,
        reply_topic=reply_topic,
        token=said.get(TOKEN, ""),
        folder=folder,
        page=said.get(PAGE, ""),
    )


def server_of(told: NtfyTold, draw: Callable[[], float]) -> Ntfy:
    """Return the server, not yet opened."""
    return Ntfy(told.config.server, topic=told.topic, reply_topic=told.reply_topic, token=told.token, draw=draw)


async def discover(told: NtfyTold) -> dict[str, str]:
    """See that the server answers and lets us read both topics; return the table to keep.

    Raises:
        SetupError: it does not.
    """
    server = server_of(told, random.random)
    await server.open()
    try:
        await server.require_access()
    finally:
        await server.close()
    return {"server": told.config.server}


async def serve(hub: HubAddress, told: NtfyTold) -> None:
    """Serve until the process is told to end.

    Raises:
        NotRunningError: Pulse is not running.
        NotPairedError: it does not take this device.
    """

    def make(link: DeviceLink, outside: Outside) -> NtfySurface:
        server = server_of(told, outside.draw)
        return NtfySurface(
            HERE,
            link,
            told.folder,
            outside,
            config=told.config,
            server=server,
            reply_topic=told.reply_topic,
            page=told.page,
        )

    def works(surface: NtfySurface) -> tuple[Coroutine[object, object, None], ...]:
        return (surface.listen(),)

    await serve_device(hub, HERE, make, works, BadNtfyConfigError)
