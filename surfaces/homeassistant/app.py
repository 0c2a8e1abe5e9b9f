"""The outermost part: what the process is told, and its connections to the hub and to Home Assistant."""

import hashlib
from collections.abc import Coroutine, Mapping
from functools import partial
from pathlib import Path

from hub.contract.base import Value
from hub.contract.topics import DeviceAddress
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.device import key_in, serve_device
from hub.kit.hub_api import HubAddress
from hub.kit.mqtt.device import DeviceLink
from hub.kit.surface import PAGE
from surfaces.homeassistant.broker import HomeEntities, HubOverHttp
from surfaces.homeassistant.errors import BadHomeAssistantConfigError, HomeAssistantTokenError
from surfaces.homeassistant.settings import BROKER_PASSWORD, HOMEASSISTANT, TOKEN, Config
from surfaces.homeassistant.socket import HomeSocket
from surfaces.homeassistant.surface import HomeSurface

HERE = DeviceAddress(surface="homeassistant", device="home")
NODE_CHARS = 12


class HomeTold(Value):
    """What this process was told."""

    config: Config
    token: str
    broker_password: str
    folder: Path
    page: str = ""

    def __repr__(self) -> str:
        return "HomeTold(…)"


def told_by(said: Mapping[str, str]) -> HomeTold:
    """Read what the hub handed over.

    Raises:
        BadHomeAssistantConfigError: the settings have mistakes.
        HomeAssistantTokenError: there is no token.
    """
    config = HOMEASSISTANT.read(said.get("PULSE_HOMEASSISTANT_CONFIG", ""), BadHomeAssistantConfigError)
    token = said.get(TOKEN, "")
    if not token:
        raise HomeAssistantTokenError("There is no token for Home Assistant.", fix="Run `pulse homeassistant setup`.")
    folder = Path(said["PULSE_HOMEASSISTANT_STATE"])
    return HomeTold(
        config=config,
        token=token,
        broker_password=said.get(BROKER_PASSWORD, ""),
        folder=folder,
        page=said.get(PAGE, ""),
    )


async def serve(hub: HubAddress, told: HomeTold) -> None:
    """Serve until the process is told to end.

    Raises:
        NotRunningError: Pulse is not running.
        NotPairedError: it does not take this device.
        HomeAssistantTokenError: Home Assistant does not take the token.
    """

    def make(link: DeviceLink, outside: Outside) -> HomeSurface:
        surface = HomeSurface(HERE, link, told.folder, outside, told.config, page=told.page)
        surface.socket = HomeSocket(told.config.url, told.token, outside.draw, partial(surface.trouble.say, "hearing"))
        return surface

    def works(surface: HomeSurface) -> tuple[Coroutine[object, object, None], ...]:
        if surface.socket is None:
            raise TypeError(surface)
        stay = surface.socket.stay_connected(surface.begin)
        if not told.config.broker:
            return (stay,)
        node = "pulse_" + hashlib.sha256(key_in(told.folder)).hexdigest()[:NODE_CHARS]
        return stay, HomeEntities(surface, HubOverHttp(hub), node, told.broker_password).run()

    await serve_device(hub, HERE, make, works, HomeAssistantTokenError)
