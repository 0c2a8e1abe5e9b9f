"""What one connection to an agent's server has going on: it all ends with the connection, and a failure ends that."""

import asyncio
from collections.abc import Coroutine
from typing import Protocol

from hub.contract.control import PermissionReply
from hub.contract.permission import OverRequest, PermissionRequest
from hub.kit.hub_client import HubSaysNo
from hub.kit.tasks import BackgroundTasks, end_all


class AsksPerson(Protocol):
    """What an attachment needs of the hub (`hub.io.attached.hub_client.AttachedHubClient`)."""

    async def ask(self, request: PermissionRequest) -> PermissionReply | HubSaysNo:
        """Put a question to the person; cancelled, it is taken back."""

    async def over(self, request: OverRequest) -> int:
        """Say what became of it elsewhere; return how many cards say so now."""


class Attachment:
    """The work that goes on beside a connection."""

    def __init__(self) -> None:
        """Make it for one connection, in a running loop."""
        self._failed: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
        self._beside = BackgroundTasks(self._fail)

    async def close(self) -> None:
        """Take back what is open: the connection has ended, so nobody could be answered."""
        await self._beside.close()

    async def trouble(self) -> None:
        """Wait until something fails that must not.

        Raises:
            Exception: what failed.
        """
        raise await self._failed

    def do(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Let it go on beside."""
        return self._beside.spawn(work)

    def _fail(self, error: BaseException) -> None:
        if not self._failed.done():
            self._failed.set_result(error)


async def attend(
    attachment: Attachment, listening: Coroutine[object, object, None], beside: Coroutine[object, object, None]
) -> None:
    """Listen until the connection ends, and do what is to be done beside; whatever fails ends it."""
    works = [asyncio.create_task(work) for work in (listening, beside, attachment.trouble())]
    try:
        for done in asyncio.as_completed(works):
            await done
            if works[0].done():
                return
    finally:
        await end_all(works)
        await attachment.close()
