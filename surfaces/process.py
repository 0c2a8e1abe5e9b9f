"""The process of a surface: when it ends, what it asks the hub first, and how it says that it cannot do its work."""

import asyncio
import logging
import random
import signal
import sys
from collections.abc import Iterable

import msgspec

from hub.contract.access import AddressList
from surfaces.link import Door, HubGoneError, NotPairedError, ask_hub, until_hub_is_gone

ASK_AGAIN_S = 2.0
TROUBLE = "trouble:"
"""The hub shows such a line as this process's health until an empty one follows (`hub/io/children.py`)."""
log = logging.getLogger("pulse.gateway")


def print_trouble(text: str) -> None:
    """Let the hub's health say, in one line, what keeps us from our work; nothing, once it is over."""
    print(TROUBLE, *text.split(), file=sys.stderr, flush=True)  # noqa: T201  the hub reads this line


async def until_told(works: Iterable[asyncio.Task[None]], *, is_child: bool) -> None:
    """Run until a signal, until one of the works ends, and as a child no longer than the hub that started us.

    Raises:
        Exception: what ended a work.
    """
    ending = [*works, asyncio.create_task(_until_signal())]
    if is_child:
        ending.append(asyncio.create_task(until_hub_is_gone()))
    try:
        done, _ = await asyncio.wait(ending, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)


async def read_addresses(door: Door, surface: str) -> AddressList:
    """Ask until the hub answers; what arrives meanwhile waits in the link's queue, then in the hub's outbox."""
    while True:
        try:
            document = await asyncio.to_thread(ask_hub, door, "GET", f"/api/v1/addresses/{surface}")
            return msgspec.json.decode(document, type=AddressList)
        except (HubGoneError, NotPairedError, msgspec.DecodeError) as error:
            log.warning("the devices' addresses cannot be read: %s", type(error).__name__)
            await asyncio.sleep(ASK_AGAIN_S * (0.5 + random.random()))  # noqa: S311  spreads requests, no secret


async def _until_signal() -> None:
    told_to_end = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told_to_end.set)
    await told_to_end.wait()
