"""The shell: the environment, one connection to the hub for each surface, one client for all of them."""

import asyncio
import contextlib
import logging
import random
import time
import zoneinfo
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from datetime import time as time_of_day
from functools import partial
from pathlib import Path

import msgspec

from hub.contract import topics
from hub.contract.base import Value
from hub.contract.insight import SyncAnswer
from hub.kit.gateway.carrier import Outside
from hub.kit.hub_api import HubAddress, NotPairedError, NotRunningError, ask_hub, pair_gateway
from hub.kit.mqtt.device import DeviceLink, Heard, LinkChanged
from hub.kit.phrase_files import all_phrases
from surfaces.apns.budget import Hours
from surfaces.apns.client import Client
from surfaces.apns.config import BadApnsConfigError, load_key, topic_for
from surfaces.apns.gateway import ApnsGateway, Setting, make_gateway
from surfaces.apns.pool import tls_context
from surfaces.apns.provider_token import ProviderToken
from surfaces.apns.sentences import all_strings
from surfaces.apns.settings import APNS, Config
from surfaces.process import print_trouble, read_addresses, until_told

SURFACES = ("phone", "watch")
log = logging.getLogger("pulse.apns")


class Told(Value):
    """What the environment says: the settings, the folder to remember in (None for nowhere), and the person's zone."""

    config: Config
    folder: Path | None
    zone: tzinfo
    is_child: bool = False


def told_by(environment: Mapping[str, str]) -> Told:
    """Read PULSE_APNS_CONFIG, PULSE_APNS_STATE, PULSE_ZONE and PULSE_CHILD.

    Raises:
        BadApnsConfigError: the settings are missing or wrong; names the field.
    """
    folder = environment.get("PULSE_APNS_STATE", "")
    try:
        zone: tzinfo = zoneinfo.ZoneInfo(environment.get("PULSE_ZONE") or "UTC")
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        zone = UTC
    return Told(
        config=APNS.read(environment.get("PULSE_APNS_CONFIG", ""), BadApnsConfigError),
        folder=Path(folder) if folder else None,
        zone=zone,
        is_child=environment.get("PULSE_CHILD") == "1",
    )


def make_client(config: Config) -> Client:
    """Make the client of a running loop.

    Raises:
        BadApnsKeyError: the key is of no use.
        BadApnsConfigError: `ca_file` cannot be read.
    """
    key = load_key(config)
    try:
        context = tls_context(config.ca_file)
    except OSError as error:
        why = f"`apns.ca_file` cannot be read: {config.ca_file}."
        raise BadApnsConfigError(why, fix="Name a PEM file with certificates, or leave it empty.") from error
    token = ProviderToken(key, key_id=config.key_id, team_id=config.team_id, wall_s=time.time, steady_s=time.monotonic)
    return Client(config, token, context, random.random)


async def serve(door: HubAddress, told: Told, surfaces: tuple[str, ...] = SURFACES) -> None:
    """Carry until the process is told to end.

    Raises:
        NotRunningError: Pulse is not there.
        NotPairedError: it does not take this gateway.
        BadApnsConfigError: the settings are wrong, or APNs says so.
        BadApnsKeyError: the key is of no use.
    """
    async with contextlib.AsyncExitStack() as open_things:
        client = make_client(told.config)
        client.notice = say_trouble
        open_things.callback(client.close)
        shell = Shell(door, told, client, open_things)
        hearing = [await shell.begin(surface) for surface in surfaces]
        await shell.until_told(hearing)


def say_trouble(why: str) -> None:
    """Let the hub's health say what keeps us from sending; nothing, once it is over."""
    print_trouble(f"{why}. What was to be sent waits; `pulse apns check` asks APNs again." if why else "")


class Shell:
    """What the gateways of one process share."""

    def __init__(self, door: HubAddress, told: Told, client: Client, open_things: contextlib.AsyncExitStack) -> None:
        self._door = door
        self._told = told
        self._client = client
        self._open_things = open_things
        self._failed: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def begin(self, surface: str) -> asyncio.Task[None]:
        """Connect as the gateway of a surface, and listen."""
        pairing = partial(pair_gateway, self._door, surface)
        login = await asyncio.to_thread(pairing)
        heard = (topics.state(login.user), f"{topics.ROOT}/{login.user}/event/#")
        link = await self._open_things.enter_async_context(DeviceLink(login, also=heard, pair_again=pairing))
        outside = Outside(
            tell=lambda device, receipt: link.send_receipt(receipt, device),
            fail=self._fail,
            clock=lambda: datetime.now(self._told.zone),
            draw=random.random,
        )
        gateway = make_gateway(outside, self._setting(surface), self._client)
        await self._open_things.enter_async_context(gateway)
        return asyncio.create_task(_hear(self._door, link, gateway, surface))

    def _setting(self, surface: str) -> Setting:
        config, folder = self._told.config, self._told.folder
        return Setting(
            surface=surface,
            topic=topic_for(config, surface),
            words=all_strings(all_phrases()),
            hours=Hours(start=time_of_day(config.day_start_hour), end_hour=config.day_end_hour),
            folder=folder / surface if folder else None,
        )

    def _fail(self, why: str) -> None:
        if not self._failed.done():
            self._failed.set_result(why)

    async def until_told(self, hearing: list[asyncio.Task[None]]) -> None:
        """Run until a signal, until the hub that started us has ended, or until APNs refuses our key.

        Raises:
            BadApnsConfigError: it refused.
        """
        works = [*hearing, asyncio.create_task(self._until_failed())]
        await until_told(works, is_child=self._told.is_child)

    async def _until_failed(self) -> None:
        why = await self._failed
        fix = "Correct `[apns]` in the settings; what was to be sent waits until then."
        raise BadApnsConfigError(f"{why}.", fix=fix)


async def _hear(door: HubAddress, link: DeviceLink, gateway: ApnsGateway, surface: str) -> None:
    """Handle what arrives in order; after each connection addresses and cards are read before anything else."""
    async for item in link.items():
        match item:
            case Heard():
                gateway.hear(item.topic, item.payload)
            case LinkChanged(state="up"):
                await _learn(door, gateway, surface)
            case LinkChanged():
                log.info("the broker at %s: %s %s", item.broker, item.state, item.note)


async def _learn(door: HubAddress, gateway: ApnsGateway, surface: str) -> None:
    gateway.learn_addresses(await read_addresses(door, surface))
    try:
        document = await asyncio.to_thread(ask_hub, door, "GET", "/api/v1/sync")
        gateway.learn_cards(msgspec.json.decode(document, type=SyncAnswer))
    except (NotRunningError, NotPairedError, msgspec.DecodeError) as error:
        log.info("the open cards cannot be read (%s); faces learn of them as they come", type(error).__name__)
