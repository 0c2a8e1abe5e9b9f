"""The outermost part: what the process is told, and its connection to the hub."""

from collections.abc import Mapping
from pathlib import Path

from hub.contract.base import Value
from hub.contract.topics import DeviceAddress
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.device import serve_device
from hub.kit.hub_api import HubAddress
from hub.kit.mqtt.device import DeviceLink
from surfaces.apprise.errors import BadAppriseConfigError
from surfaces.apprise.render import read_urls
from surfaces.apprise.services import Services
from surfaces.apprise.settings import APPRISE, URLS, Config
from surfaces.apprise.surface import AppriseSurface

HERE = DeviceAddress(surface="apprise", device="services")


class AppriseTold(Value):
    """What this process was told."""

    config: Config
    urls: tuple[str, ...]
    folder: Path

    def __repr__(self) -> str:
        return "AppriseTold(…)"


def told_by(said: Mapping[str, str]) -> AppriseTold:
    """Read what the hub handed over.

    Raises:
        BadAppriseConfigError: the settings have mistakes.
    """
    config = APPRISE.read(said.get("PULSE_APPRISE_CONFIG", ""), BadAppriseConfigError)
    return AppriseTold(config=config, urls=read_urls(said.get(URLS, "")), folder=Path(said["PULSE_APPRISE_STATE"]))


async def serve(hub: HubAddress, told: AppriseTold) -> None:
    """Serve until the process is told to end.

    Raises:
        NotRunningError: Pulse is not running.
        NotPairedError: it does not take this device.
        BadAppriseConfigError: Apprise is not installed, or does not know an address.
    """
    services = Services(told.urls)

    def make(link: DeviceLink, outside: Outside) -> AppriseSurface:
        return AppriseSurface(HERE, link, told.folder, outside, config=told.config, services=services)

    await serve_device(hub, HERE, make, lambda _surface: (), BadAppriseConfigError)
