"""`python -m surfaces.apns`: the APNs gateway, started by the hub, which tells it where it is.

`inspect` shows the requests that a delivery (JSON on the standard input) would become; `check` asks APNs about the key,
and `discover` does so for the set-up.
"""

import argparse
import asyncio
import logging
import sys
from datetime import datetime

import msgspec

from hub.contract.errors import UserError
from hub.kit.hub_api import hub_address_from
from hub.kit.process import run, take_told
from surfaces.apns.app import SURFACES, Told, make_client, serve, told_by
from surfaces.apns.check import check, discover
from surfaces.apns.config import BadApnsConfigError
from surfaces.apns.inspect import Question, inspect


def main() -> int:
    """Do what was asked."""
    parser = argparse.ArgumentParser(prog="pulse surface apns")
    parser.add_argument("what", nargs="*", default=list(SURFACES), help="phone, watch, inspect, check or discover")
    parser.add_argument("--name", default="gateway", help="Accepted but ignored: the hub names its gateways itself.")
    asked = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    return _do(tuple(asked.what))


def _do(what: tuple[str, ...]) -> int:
    said = take_told()
    told = told_by(said)
    if what == ("inspect",):
        print(inspect(_question(sys.stdin.buffer.read()), told.config, datetime.now(told.zone)))  # noqa: T201  what was asked for
    elif what == ("check",):
        asyncio.run(_check(told))
    elif what == ("discover",):
        asyncio.run(discover(told.config))
    elif set(what) <= set(SURFACES):
        asyncio.run(serve(hub_address_from(said), told, what))
    else:
        raise UserError(
            f"{' '.join(what)!r} is not a known command.", fix="Name phone, watch, inspect, check or discover."
        )
    return 0


async def _check(told: Told) -> None:
    client = make_client(told.config)
    try:
        trouble = await check(client, told.config.topic)
    finally:
        client.close()
    if trouble:
        raise BadApnsConfigError(trouble)
    print("APNs accepts the key.")  # noqa: T201  what was asked for


def _question(document: bytes) -> Question:
    try:
        return msgspec.json.decode(document, type=Question)
    except msgspec.DecodeError as error:
        raise UserError(f"That is no delivery: {error}.", fix='Give {"card": …, "surface": "phone"}.') from error


sys.exit(run(main))
