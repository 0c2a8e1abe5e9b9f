"""The shell: the environment, and one client for the gateways of both surfaces."""

import logging
import random
import time
import zoneinfo
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from datetime import time as time_of_day
from functools import partial
from pathlib import Path

from hub.contract.base import Value
from hub.kit.gateway.serving import serve_gateways
from hub.kit.hub_api import HubAddress
from hub.kit.phrase_files import all_phrases
from hub.kit.process import print_trouble
from surfaces.apns.budget import Hours
from surfaces.apns.client import Client
from surfaces.apns.config import BadApnsConfigError, load_key, topic_for
from surfaces.apns.gateway import Setting, make_gateway
from surfaces.apns.pool import tls_context
from surfaces.apns.provider_token import ProviderToken
from surfaces.apns.sentences import all_strings
from surfaces.apns.settings import APNS, Config

SURFACES = ("phone", "watch")
GOES_ON = "Messages wait; `pulse apns check` tries APNs again."
log = logging.getLogger("pulse.apns")


class Told(Value):
    """What the environment says: the settings, the folder to remember in (None for nowhere), and the person's zone."""

    config: Config
    folder: Path | None
    zone: tzinfo


def told_by(environment: Mapping[str, str]) -> Told:
    """Read PULSE_APNS_CONFIG, PULSE_APNS_STATE and PULSE_ZONE.

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


async def serve(hub: HubAddress, told: Told, surfaces: tuple[str, ...] = SURFACES) -> None:
    """Carry until the process is told to end.

    Raises:
        NotRunningError: Pulse is not running.
        NotPairedError: it does not take this gateway.
        BadApnsConfigError: the settings are wrong, or APNs says so.
        BadApnsKeyError: the key is of no use.
    """
    client = make_client(told.config)
    client.notice = say_trouble
    gateways = {name: partial(make_gateway, setting=_setting(told, name), client=client) for name in surfaces}
    try:
        await serve_gateways(hub, gateways, refused=_refused, clock=lambda: datetime.now(told.zone))
    finally:
        client.close()


def say_trouble(why: str, fix: str = "") -> None:
    """Let the hub say what keeps us from sending; nothing, once it is over."""
    print_trouble(why, (fix or GOES_ON) if why else "")


def _refused(why: str) -> BadApnsConfigError:
    return BadApnsConfigError(f"{why}.", fix="Correct `[apns]` in the settings file; messages wait until then.")


def _setting(told: Told, surface: str) -> Setting:
    config, folder = told.config, told.folder
    return Setting(
        surface=surface,
        topic=topic_for(config, surface),
        words=all_strings(all_phrases()),
        hours=Hours(start=time_of_day(config.day_start_hour), end_hour=config.day_end_hour),
        folder=folder / surface if folder else None,
        face_drive=config.face_drive,
    )
