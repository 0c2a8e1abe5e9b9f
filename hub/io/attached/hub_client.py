"""The hub's API for a process that speaks for an agent: ask for leave and wait, take back, say what became of it."""

from types import TracebackType
from typing import Self

import httpx
import msgspec

from hub.contract.attached import AgentProcess
from hub.contract.base import Message
from hub.contract.control import PermissionReply
from hub.contract.permission import OverRequest, PermissionRequest, PermissionsOver
from hub.kit.hub_api import HubAddress, NotRunningError
from hub.kit.hub_client import HubSaysNo, hub_client, read_answer

API = "/api/v1"
REPLY_S_MAX = 10.0
"""What is not waited for a person comes within this time."""


class AttachedHubClient:
    """One connection for each question: who ends it takes its question back."""

    def __init__(self, hub: HubAddress) -> None:
        self._client = hub_client(hub, REPLY_S_MAX)

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def ask(self, request: PermissionRequest) -> PermissionReply | HubSaysNo:
        """Put a question to the person and wait for their answer; cancelled, the question is taken back.

        Raises:
            NotRunningError: the hub does not answer.
        """
        waits = httpx.Timeout(REPLY_S_MAX, read=request.wait_s + REPLY_S_MAX)
        return read_answer(await self._post("permissions", request, waits), PermissionReply)

    async def over(self, request: OverRequest) -> int:
        """Say that a question was answered elsewhere, or that nobody waits any more; raises as `ask` does.

        Returns how many cards say so now; 0 where none was open, or the hub refused.
        """
        found = read_answer(await self._post("permissions/over", request), PermissionsOver)
        return 0 if isinstance(found, HubSaysNo) else found.count

    async def name_process(self, process: AgentProcess) -> None:
        """Say which process the agent is: what it starts may ask and never answer. Raises as `ask` does."""
        await self._post("agents/processes", process)

    async def _post(self, path: str, body: Message, waits: httpx.Timeout | None = None) -> httpx.Response:
        content, kind = msgspec.json.encode(body), {"Content-Type": "application/json"}
        try:
            return await self._client.post(f"{API}/{path}", content=content, headers=kind, timeout=waits or REPLY_S_MAX)
        except httpx.HTTPError as error:
            raise NotRunningError("Pulse does not answer any more.", fix="Start it: `pulse up`.") from error
