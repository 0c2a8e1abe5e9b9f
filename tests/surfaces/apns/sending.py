"""Clients of the stand-in, and pushes to send to it."""

import contextlib
import random
import time
import uuid
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from surfaces.apns.client import Client
from surfaces.apns.config import load_key
from surfaces.apns.pool import tls_context
from surfaces.apns.provider_token import ProviderToken
from surfaces.apns.push import Push, PushType
from surfaces.apns.settings import Config
from tests.surfaces.apns.standin.server import Standin

KEY_ID, TEAM_ID, TOPIC = "KEY1234567", "TEAM123456", "org.example.acc"
SMALL = b'{"aps":{"alert":{"title":"Tests","body":"Run the tests"},"sound":"prediction.caf"}}'
HOUR_S = 3_600


def config_for(production: Standin, sandbox: Standin | None = None, *, key_file: Path | None = None) -> Config:
    certificates = production.certificates
    return Config(
        team_id=TEAM_ID,
        key_id=KEY_ID,
        key_file=str(key_file or certificates.key_file),
        topic=TOPIC,
        host=production.host,
        sandbox_host=sandbox.host if sandbox else production.host,
        ca_file=str(certificates.ca_file),
    )


def token_for(config: Config, wall_s: Callable[[], float] = time.time) -> ProviderToken:
    return ProviderToken(
        load_key(config), key_id=config.key_id, team_id=config.team_id, wall_s=wall_s, steady_s=time.monotonic
    )


@contextlib.asynccontextmanager
async def a_client(
    production: Standin,
    sandbox: Standin | None = None,
    *,
    send_s_max: float = 30.0,
    wall_s: Callable[[], float] = time.time,
) -> AsyncIterator[Client]:
    config = config_for(production, sandbox)
    context = tls_context(config.ca_file)
    draw = random.Random(7).random  # noqa: S311  spreads retries, no secret
    client = Client(config, token_for(config, wall_s), context, draw, send_s_max=send_s_max)
    try:
        yield client
    finally:
        client.close()


def push(
    token: str = "a1" * 32,
    *,
    type_: PushType = "alert",
    payload: bytes = SMALL,
    apns_id: str = "",
    collapse_id: str = "",
) -> Push:
    return Push(
        token=token,
        topic=TOPIC,
        type=type_,
        payload=payload,
        priority=5 if type_ == "background" else 10,
        expiration=int(time.time()) + HOUR_S,
        apns_id=apns_id or str(uuid.uuid4()),
        collapse_id=collapse_id,
    )
