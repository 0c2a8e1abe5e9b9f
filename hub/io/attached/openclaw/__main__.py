"""`python -m hub.io.attached.openclaw`: stay connected to OpenClaw's gateway for as long as the hub runs."""

import asyncio
import random
import sys
import time
from urllib.parse import urlsplit

import msgspec

from hub.contract.attached import AgentProcess
from hub.io.attached.attachment import attend
from hub.io.attached.hub_client import AttachedHubClient
from hub.io.attached.openclaw.attachment import LIST_EVERY_S, OpenClawAttachment
from hub.io.attached.openclaw.connection import (
    GatewayConnection,
    OpenClawAwayError,
    OpenClawRefusedError,
    open_gateway,
)
from hub.io.attached.openclaw.kept_device import AGENT, OpenClawDevice
from hub.io.attached.openclaw.listener import listener_at
from hub.kit.backoff import RetryPolicy, retry_delay_s
from hub.kit.hub_api import hub_address_from
from hub.kit.private_address import is_loopback
from hub.kit.process import print_trouble, run, take_told, until_told

DEVICE = "PULSE_OPENCLAW_DEVICE"
RETRY = RetryPolicy(base_s=0.5, cap_s=10.0)
REFUSED_AGAIN_S = 60.0
"""A gateway that does not let us in is asked again so seldom, for it counts bad tries."""
NS_PER_MS = 1_000_000


def main() -> int:
    """Run until told to end."""
    return asyncio.run(_run())


async def _run() -> int:
    told = take_told(DEVICE)
    device = msgspec.json.decode(told[DEVICE], type=OpenClawDevice)
    async with AttachedHubClient(hub_address_from(told)) as hub:
        await until_told([asyncio.create_task(_stay(device, hub))])
    return 0


async def _stay(device: OpenClawDevice, hub: AttachedHubClient) -> None:
    attempt = 0
    while True:
        wait_s = retry_delay_s(attempt, RETRY, random.random)
        try:
            async with open_gateway(device) as line:
                attempt = 0
                print_trouble("")
                await _attend(line, device, hub)
        except OpenClawAwayError as error:
            print_trouble(f"{error.detail} Trying again.")
        except OpenClawRefusedError as error:
            print_trouble(f"{error.detail} {error.fix}")
            wait_s = REFUSED_AGAIN_S
        attempt += 1
        await asyncio.sleep(wait_s)


async def _attend(line: GatewayConnection, device: OpenClawDevice, hub: AttachedHubClient) -> None:
    """Speak with the gateway until the connection ends."""
    attachment = OpenClawAttachment(line, hub, now_ms=lambda: time.time_ns() // NS_PER_MS)
    await attend(attachment, _listen(line, attachment), _look(device, hub, attachment))


async def _listen(line: GatewayConnection, attachment: OpenClawAttachment) -> None:
    async for told in line.events():
        attachment.take(told)


async def _look(device: OpenClawDevice, hub: AttachedHubClient, attachment: OpenClawAttachment) -> None:
    place = urlsplit(device.url)
    if place.port is not None and is_loopback(place.hostname or ""):
        pid = await asyncio.to_thread(listener_at, place.port)
        if pid is not None:
            await hub.name_process(AgentProcess(agent=AGENT, pid=pid))
    while True:
        await attachment.look()
        await asyncio.sleep(LIST_EVERY_S)


if __name__ == "__main__":
    sys.exit(run(main))
