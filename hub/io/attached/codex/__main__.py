"""`python -m hub.io.attached.codex`: stay attached to Codex's app-server for as long as the hub runs."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hub import __version__
from hub.contract.attached import AgentProcess
from hub.io.attached.attachment import attend
from hub.io.attached.codex.asked import AGENT
from hub.io.attached.codex.attachment import CodexAttachment
from hub.io.attached.codex.connection import AppServerConnection, CodexAwayError, introduce, open_line
from hub.io.attached.codex.place import CodexPlace
from hub.io.attached.hub_client import AttachedHubClient
from hub.kit.hub_api import hub_address_from
from hub.kit.process import run, take_told, until_told

CONFIG = "PULSE_CODEX_CONFIG"
ENDS_S = 5.0
"""So soon behind its connections a server that is killed or stopped is over itself."""
LOOK_AGAIN_S = 2.0
"""Codex's server comes and goes with its person's terminals; so soon it is found."""


def main() -> int:
    """Run until told to end."""
    return asyncio.run(_run())


async def _run() -> int:
    told = take_told()
    place = msgspec.json.decode(told[CONFIG], type=CodexPlace)
    async with AttachedHubClient(hub_address_from(told)) as hub:
        await until_told([asyncio.create_task(_stay(place, hub))])
    return 0


async def _stay(place: CodexPlace, hub: AttachedHubClient) -> None:
    while True:
        if _is_there(place.socket):
            with contextlib.suppress(CodexAwayError):  # it went away, as it may
                async with open_line(place.socket) as line:
                    await _attend(line, hub, place.wait_s)
        await asyncio.sleep(LOOK_AGAIN_S)


async def _attend(line: AppServerConnection, hub: AttachedHubClient, wait_s: int) -> None:
    """Speak with one server until the connection ends."""
    attachment = CodexAttachment(line, hub, wait_s=wait_s, name=str(line.pid))
    with _handle_of(line.pid) as handle:
        with contextlib.suppress(CodexAwayError):  # it went away, as it may
            await attend(attachment, _listen(line, attachment), _begin(line, attachment, hub))
        if handle is not None and await _has_ended(handle):
            for one in attachment.lost():
                await hub.over(one)


@contextlib.contextmanager
def _handle_of(pid: int) -> Iterator[int | None]:
    """Hold the server's process, so that its number means no other one; None where the system does not let us."""
    try:
        handle = os.pidfd_open(pid) if pid and hasattr(os, "pidfd_open") else None
    except OSError:
        handle = None
    try:
        yield handle
    finally:
        if handle is not None:
            os.close(handle)


async def _has_ended(handle: int) -> bool:
    """Return True where the server itself is over soon, and not its connection to us alone."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(handle, over.set)
    try:
        async with asyncio.timeout(ENDS_S):
            await over.wait()
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(handle)
    return True


async def _listen(line: AppServerConnection, attachment: CodexAttachment) -> None:
    async for said in line.messages():
        attachment.take(said)


async def _begin(line: AppServerConnection, attachment: CodexAttachment, hub: AttachedHubClient) -> None:
    await introduce(line, __version__)
    if line.pid:
        await hub.name_process(AgentProcess(agent=AGENT, pid=line.pid))
    await attachment.begin()


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(run(main))
