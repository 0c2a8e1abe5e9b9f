"""`python -m hub.io.attached.codex`: stay attached to Codex's app-server for as long as the hub runs."""

import asyncio
import contextlib
import sys
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
    await attend(attachment, _listen(line, attachment), _begin(line, attachment, hub))


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
