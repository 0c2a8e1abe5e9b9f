"""A gateway as a process of its own, so that it can be killed: messages in on its input, receipts out on its output.

Its arguments: the settings of `[apns]` as JSON, and the folder to remember in.
"""

import asyncio
import random
import sys
from datetime import time
from pathlib import Path

import msgspec

from hub.contract.access import AddressList
from hub.contract.base import Value
from hub.contract.surface import Receipt
from hub.kit.gateway.carrier import Outside
from hub.kit.phrase_files import all_phrases
from surfaces.apns import client as waits
from surfaces.apns.budget import Hours
from surfaces.apns.client import Client
from surfaces.apns.config import BadApnsConfigError
from surfaces.apns.gateway import Setting, make_gateway
from surfaces.apns.pool import tls_context
from surfaces.apns.sentences import all_strings
from surfaces.apns.settings import APNS
from tests.surfaces.apns.carrying import now
from tests.surfaces.apns.sending import token_for

LINE_BYTES_MAX = 16 << 20
BUSY_S = 2.0
"""How long a device of which APNs has had enough is left alone; a person's gateway is more patient."""
ANSWER_S = 6.0
"""How long an answer is waited for, likewise: longer than a busy machine takes for one that does come."""


class Said(Value):
    """One line of input: all addresses, or one message of the broker."""

    addresses: AddressList | None = None
    topic: str = ""
    payload: str = ""


def tell(_device: str, receipt: Receipt) -> bool:
    sys.stdout.buffer.write(msgspec.json.encode(receipt) + b"\n")
    sys.stdout.buffer.flush()
    return True


def fail(why: str) -> None:
    sys.exit(why)


async def main(config_text: str, folder: Path) -> None:
    config = APNS.read(config_text, BadApnsConfigError)
    waits.BUSY_DEVICE_S = BUSY_S
    context = tls_context(config.ca_file)
    client = Client(config, token_for(config), context, random.random, send_s_max=ANSWER_S)
    setting = Setting(
        surface="phone",
        topic="org.example.acc",
        words=all_strings(all_phrases()),
        hours=Hours(start=time(0), end_hour=24),
        folder=folder,
    )
    gateway = make_gateway(Outside(tell=tell, fail=fail, clock=now, draw=lambda: 0.05), setting, client)
    reader = asyncio.StreamReader(LINE_BYTES_MAX)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async with gateway:
        while line := await reader.readline():
            said = msgspec.json.decode(line, type=Said)
            if said.addresses is not None:
                gateway.learn_addresses(said.addresses)
            else:
                gateway.hear(said.topic, said.payload.encode())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
