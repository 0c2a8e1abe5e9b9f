"""The process of a surface: what it is told, when it ends, what it asks the hub, and how it says that it cannot work.

As the hub's child (`PULSE_CHILD=1`) it holds the other end of a pipe as its standard input. Its secrets come over that,
in one line of JSON and before anything else, for the environment of a process is open to its user's other programs.
Whatever a person starts by hand may have them in its environment.
"""

import asyncio
import logging
import os
import random
import select
import signal
import sys
import time
from collections.abc import Iterable

import msgspec

from hub.contract.access import AddressList
from hub.kit.hub_api import HubAddress, NotPairedError, NotRunningError, ask_hub

ASK_AGAIN_S = 2.0
CHILD = "PULSE_CHILD"
TOLD_BYTES_MAX = 16_384
"""The longest line of secrets; the hub sends none that is longer (`hub/io/children.py`)."""
TOLD_S_MAX = 20.0
TROUBLE = "trouble:"
"""The hub shows such a line as this process's health until an empty one follows (`hub/io/children.py`)."""
log = logging.getLogger("pulse.gateway")


def take_told(*secrets: str) -> dict[str, str]:
    """Return what this process was told: its environment, and for a child what the hub hands over.

    These secrets and PULSE_TOKEN are taken out of the environment, so that nothing we start inherits them.

    Raises:
        NotRunningError: the hub handed nothing over.
    """
    told = dict(os.environ)
    for name in ("PULSE_TOKEN", *secrets):
        os.environ.pop(name, None)
    if told.get(CHILD) == "1":
        told |= read_handed_over(sys.stdin.fileno(), TOLD_S_MAX)
    return told


def read_handed_over(pipe: int, wait_s_max: float) -> dict[str, str]:
    """Read the line that the hub sends its child first; the pipe stays open.

    Raises:
        NotRunningError: it did not come in time, is too long, or cannot be read.
    """
    line, until = b"", time.monotonic() + wait_s_max
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
        more = os.read(pipe, TOLD_BYTES_MAX) if ready else b""
        line += more
        if not more or len(line) > TOLD_BYTES_MAX:
            raise NotRunningError("Pulse did not tell this process what it needs.", fix="Start it again: `pulse up`.")
    try:
        return msgspec.json.decode(line, type=dict[str, str])
    except msgspec.DecodeError as error:  # its text names places, never values
        raise NotRunningError(
            f"What Pulse told this process cannot be read: {error}.", fix="Start it again."
        ) from error


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


async def read_addresses(door: HubAddress, surface: str) -> AddressList:
    """Ask until the hub answers; what arrives meanwhile waits in the link's queue, then in the hub's outbox."""
    while True:
        try:
            document = await asyncio.to_thread(ask_hub, door, "GET", f"/api/v1/addresses/{surface}")
            return msgspec.json.decode(document, type=AddressList)
        except (NotRunningError, NotPairedError, msgspec.DecodeError) as error:
            log.warning("the devices' addresses cannot be read: %s", type(error).__name__)
            await asyncio.sleep(ASK_AGAIN_S * (0.5 + random.random()))  # noqa: S311  spreads requests, no secret


async def until_hub_is_gone() -> None:
    """Return when the hub that started this process has ended; the other end of our standard input was its."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1):
        pass


async def _until_signal() -> None:
    told_to_end = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told_to_end.set)
    await told_to_end.wait()
