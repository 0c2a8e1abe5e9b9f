"""The hub's API for a process that speaks for an agent: ask for leave and wait, take back, say what became of it."""

from types import TracebackType
from typing import Self

import httpx
import msgspec

from hub.contract.api import Problem
from hub.contract.attached import AgentProcess
from hub.contract.base import Message
from hub.contract.control import PermissionReply
from hub.contract.permission import OverRequest, PermissionRequest, PermissionsOver
from hub.kit.hub_api import UNIX, HubAddress, NotRunningError

API = "/api/v1"
REPLY_S_MAX = 10.0
"""What is not waited for a person comes within this time."""


class Unasked(Message):
    """The hub did not put a question to the person; why, in its own words."""

    code: str
    detail: str


class HubDoor:
    """One connection for each question: who ends it takes its question back."""

    def __init__(self, hub: HubAddress) -> None:
        headers = {"Authorization": f"Bearer {hub.token}"} if hub.token else {}
        by_socket = hub.api.startswith(UNIX)
        self._client = httpx.AsyncClient(
            base_url="http://localhost" if by_socket else hub.api,
            headers=headers,
            timeout=REPLY_S_MAX,
            transport=httpx.AsyncHTTPTransport(uds=hub.api.removeprefix(UNIX)) if by_socket else None,
            trust_env=False,
        )

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def ask(self, request: PermissionRequest) -> PermissionReply | Unasked:
        """Put a question to the person and wait for their answer; cancelled, the question is taken back.

        Raises:
            NotRunningError: the hub does not answer.
        """
        waits = httpx.Timeout(REPLY_S_MAX, read=request.wait_s + REPLY_S_MAX)
        answer = await self._post("permissions", request, waits)
        if answer.is_error:
            return _unasked(answer)
        return msgspec.json.decode(answer.content, type=PermissionReply)

    async def over(self, request: OverRequest) -> int:
        """Say that a question was answered elsewhere, or that nobody waits any more; raises as `ask` does.

        Returns how many cards say so now; 0 where none was open, or the hub refused.
        """
        answer = await self._post("permissions/over", request)
        return 0 if answer.is_error else msgspec.json.decode(answer.content, type=PermissionsOver).count

    async def name_process(self, process: AgentProcess) -> None:
        """Say which process the agent is: what it starts may ask and never answer. Raises as `ask` does."""
        await self._post("agents/processes", process)

    async def _post(self, path: str, body: Message, waits: httpx.Timeout | None = None) -> httpx.Response:
        content, kind = msgspec.json.encode(body), {"Content-Type": "application/json"}
        try:
            return await self._client.post(f"{API}/{path}", content=content, headers=kind, timeout=waits or REPLY_S_MAX)
        except httpx.HTTPError as error:
            raise NotRunningError("Pulse does not answer any more.", fix="Start it: `pulse up`.") from error


def _unasked(answer: httpx.Response) -> Unasked:
    try:
        problem = msgspec.json.decode(answer.content, type=Problem)
    except msgspec.DecodeError:
        return Unasked(code=str(answer.status_code), detail="The hub did not say why.")
    return Unasked(code=problem.code, detail=problem.detail)
